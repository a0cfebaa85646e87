"""Letters and capital account statements that funds send to their limited partners, and what can
be read off any other document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from aethel_core.metadata.company import most_frequent
from aethel_core.metadata.dates import DATE, date_after, dates, fiscal_year, parse, quarters
from aethel_core.types import Period

_SALUTATION = re.compile(
    r"^(?:dear|to)\s+(?:our\s+|fellow\s+|valued\s+|all\s+)*(?:limited\s+partners?|partners?|lps?|investors?|members)\b",
    re.IGNORECASE,
)
_LETTER_TITLE = re.compile(
    r"(?:quarterly|annual|semi-?annual|investor|lp|limited\s+partners?|partners?)['’]?\s+(?:letter|update)"
    r"|^letter\s+for\s+the\s+(?:quarter|half|year|period)|letter\s+to\s+(?:our\s+|the\s+)?(?:limited\s+)?(?:partners|investors)|(?:quarterly|annual)\s+(?:investor\s+)?report\s+to",
    re.IGNORECASE,
)
_FUND_WORDS = re.compile(
    r"\b(?:the\s+fund|the\s+partnership|l\.?p\.|general\s+partner|capital\s+calls?|called\s+capital|distributions?|nav|net\s+asset\s+value"
    r"|tvpi|dpi|irr|portfolio\s+compan(?:y|ies)|unfunded|commitments?|drawdowns?)(?!\w)",
    re.IGNORECASE,
)
_CAPITAL_ACCOUNT = re.compile(
    r"capital\s+account\s+(?:statement|summary)|statements?\s+of\s+(?:\w+['’]?s?['’]?\s+){0,3}capital\s+accounts?"
    r"|(?:partner|investor|member)['’]?s?['’]?\s+(?:capital|account)\s+statement|statement\s+of\s+(?:partner|investor)['’]s?\s+(?:capital|account)",
    re.IGNORECASE,
)
_ACCOUNT_ROWS = re.compile(
    r"\b(?:beginning|opening|ending|closing|contributions?|distributions?|unfunded|commitment)\b",
    re.IGNORECASE,
)
_WORD = r"(?:[A-Z0-9][\w&'’.-]*|&)"
_FUND = re.compile(
    rf"(?P<name>{_WORD}(?:\s+(?:{_WORD}|of|and)){{0,7}},?\s+(?:L\.?P\.?(?!\w)|SCSp|LLLP)|{_WORD}(?:\s+{_WORD}){{0,5}}\s+(?i:fund|partners|investors)\s+[IVX]+\b)"
)
_SUFFIX = (
    r"(?:Inc|INC|Incorporated|INCORPORATED|Corp|CORP|Corporation|CORPORATION|Company|COMPANY|LLC|LLP|Ltd|LTD"
    r"|Limited(?! liab)|LIMITED|plc|PLC|S\.A|N\.V|B\.V|GmbH|L\.P|LP)"
)
_LEGAL = re.compile(rf"(?P<name>{_WORD}(?:\s+(?:{_WORD}|of|and)){{0,6}},?\s+{_SUFFIX}\b\.?)")
_ROLE = re.compile(
    r"(?P<name>[A-Z0-9][\w&.,'’ -]{2,70}?)\s*,?\s*"
    r"(?:a\s+[\w ]{3,40}(?:corporation|company|partnership),?\s*)?"
    r"(?:\(|as\s+)(?:the\s+|[“\"])*(?:Borrower|Issuer|Company|Parent)\b"
)
_LABELLED = re.compile(
    r"^(?:borrower|issuer|company|fund|partnership|fund\s+name)\b\s*[:–-]?\s+(?=[A-Z0-9])(?P<rest>.{3,90})",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"^(?:subject|re|regarding|.{0,20}relating\s+to)\b\W*(?P<rest>.{3,120})", re.IGNORECASE)
_NOT_FUND = re.compile(r"general partner|management|advis[eo]rs?|\bGP\b", re.IGNORECASE)
_BEFORE_NAME = re.compile(
    r"^(?:(?:Dear|To|The|Re|From|In|At|For|By|Of|On|And|Between|All|Fund|Partnership|Borrower|Issuer|Investor)"
    r"|(?:Limited )?Partners of|[A-Z](?:\s+[A-Z])+)\s+(?=[A-Z])"
)
_END = re.compile(
    rf"(?P<span>quarter|three\s+months|year|twelve\s+months|six\s+months|half[\s-]+year|period)\s+end(?:ed|ing)\s+(?P<date>{DATE})",
    re.IGNORECASE,
)
_AS_OF = r"as\s+(?:of|at)|valuation\s+date\W|statement\s+date\W|reporting\s+date\W|measurement\s+date\W"
_HALF = re.compile(
    r"\b(?:first|second)\s+half\s+(?:of\s+)?(20\d\d)\b|\bH[12]\W{0,2}(20\d\d)\b", re.IGNORECASE
)
_YEAR_IN_TITLE = re.compile(r"\b(20\d\d)\b")
_TITLE_LINES = 14
_TITLE_LENGTH = 120
_OWN_LINES = 40
_OWN_CHARACTERS = 6000


def is_letter(lines: Sequence[str], text: str) -> bool:
    """A letter's salutation or title, and the words of a fund.

    :param lines: the first page's; :param text: the first pages', white space collapsed.
    """
    greeted = any(_SALUTATION.match(line) for line in lines[:_OWN_LINES])
    titled = any(_LETTER_TITLE.search(line) for line in lines[:_TITLE_LINES])
    words = {m.group().lower() for m in _FUND_WORDS.finditer(text)}
    return (greeted and len(words) >= 2) or (titled and len(words) >= 3)


def is_capital_account(lines: Sequence[str], text: str) -> bool:
    """Named so near the top of the first page, with the rows of an account."""
    named = any(_CAPITAL_ACCOUNT.search(line) and len(line) < _TITLE_LENGTH for line in lines[:_TITLE_LINES])
    return named and len({m.group().lower() for m in _ACCOUNT_ROWS.finditer(text)}) >= 3


def title(lines: Sequence[str]) -> str:
    """The line that calls the paper a letter or an account statement; "" if none does."""
    for line in lines[:_TITLE_LINES]:
        if len(line) < _TITLE_LENGTH and (_LETTER_TITLE.search(line) or _CAPITAL_ACCOUNT.search(line)):
            return line
    return ""


def fund_name(lines: Sequence[str], text: str) -> str:
    """The fund: named by its letterhead, else most often; never its manager if that can be helped."""
    for names in (_names(_FUND, "\n".join(lines[:_TITLE_LINES])), _names(_FUND, text), _names(_LEGAL, text)):
        funds = [name for name in names if not _NOT_FUND.search(name)]
        if funds:
            return most_frequent(funds)
    return ""


def subject_name(lines: Sequence[str], text: str) -> str:
    """The company that any other document is about: labelled or defined as borrower, issuer or
    fund, named in its subject, else the first one in the title block; "" when there is none."""
    top = lines[:_OWN_LINES]
    labelled = [match["rest"] for line in top if (match := _LABELLED.match(line))]
    role = _ROLE.search(text[:_OWN_CHARACTERS])
    subjects = [match["rest"] for line in top if (match := _SUBJECT.match(line))]
    candidates = [name for rest in labelled for name in _company_names(rest)[:1]]
    candidates += _company_names(role["name"])[-1:] if role else []
    candidates += [name for rest in subjects for name in _company_names(rest)[:1]]
    candidates += _company_names("\n".join(lines[:_TITLE_LINES]))
    return candidates[0] if candidates else ""


def _company_names(text: str) -> list[str]:
    return _names(_LEGAL, text) or _names(_FUND, text)


def _names(pattern: re.Pattern[str], text: str) -> list[str]:
    found = []
    for line in text.split("\n"):
        for match in pattern.finditer(line):
            name = match["name"]
            while _BEFORE_NAME.match(name):
                name = _BEFORE_NAME.sub("", name)
            found.append(" ".join(name.split()))
    return found


def stated_period(lines: Sequence[str], text: str, quarterly: bool) -> Period:
    """The period a document says it covers: a quarter in its title, "quarter ended …", "year
    ended …", a half-year or a day in its title, "as of …", else the year in its title.

    :param lines: the first page's; :param text: the first page, white space collapsed;
    :param quarterly: a day at the end of a quarter stands for the quarter.
    """
    top = " ".join(
        line for line in lines[:_TITLE_LINES] if len(line) < _TITLE_LENGTH and not line.endswith(".")
    )
    named = quarters(top)
    as_of = date_after(text, _AS_OF)
    ended = _END.search(text)
    day = parse(ended["date"]) if ended else None
    if named:
        own = [d for d in (day, as_of) if d and (d.year, _quarter(d)) == (named[0].year, named[0].quarter)]
        return Period(named[0].year, named[0].quarter, own[0].isoformat() if own else "")
    if ended and day:
        return _period(ended["span"].lower(), day, text)
    half = _HALF.search(top)
    if half:
        return Period(int(half[1] or half[2]))
    day = next((d for d, _ in dates(top)), as_of)
    if day is not None:
        return _period("quarter" if quarterly and _is_quarter_end(day) else "day", day, text)
    year = _YEAR_IN_TITLE.search(top)
    return Period(int(year[1])) if year else Period()


def _period(span: str, day: date, text: str) -> Period:
    if span == "day":
        return Period(day.year, None, day.isoformat())
    if span in ("year", "twelve months"):
        return Period(fiscal_year(day, text), None, day.isoformat())
    return Period(day.year, _quarter(day), day.isoformat())


def _quarter(day: date) -> int:
    return (day.month - 1) // 3 + 1


def _is_quarter_end(day: date) -> bool:
    return day.month % 3 == 0 and day.day >= 28
