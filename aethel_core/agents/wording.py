"""How findings put amounts, periods and subjects into words."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from aethel_core.audit import Fact, Source, content_words
from aethel_core.audit.spans import periods_in
from aethel_core.finance.line_items import line_item
from aethel_core.types import Document, DocumentType, Period

# What a statement of net assets deducts is told as what it is: a debt of 58, not of -58.
DEDUCTED = frozenset({"subscription_line", "total_debt", "long_term_debt", "short_term_debt"})
_OWED = DEDUCTED | {"carried_interest"}
OTHER_BASIS = re.compile(r"\bnon-gaap\b|\badjusted\b|\bguidance\b|\bpro forma\b", re.IGNORECASE)
_TURN = re.compile(r"^\W*(?:net\s+)?(?:change|increase|decrease|movement)\b", re.IGNORECASE)
_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"}
_ACCOUNT = re.compile(r"\b[A-Z]{1,4}\d{0,3}-\d{3,}\b")
_LEGAL = re.compile(
    r",?\s+(?:Inc|Corp|Corporation|LLC|L\.L\.C|L\.P|LP|Ltd|Limited|plc|B\.V|N\.V|S\.A|Co|Company)\.?$",
    re.IGNORECASE,
)


def amount(value: float, unit: str, currency: str = "", text: str = "") -> str:
    """ "$303.8 million", "5.9%", "1.31x"; counts as they are printed."""
    sign, size = ("-" if value < 0 else ""), abs(value)
    if unit == "percent":
        return f"{sign}{_trimmed(size)}%"
    if unit == "multiple":
        return f"{sign}{size:.2f}x"
    if unit in ("currency", "per share") and currency:
        symbol = _SYMBOLS.get(currency, f"{currency} ")
        if unit == "per share" or size < 1e6:
            return (
                f"{sign}{symbol}{size:,.0f}"
                if size >= 100 and size == int(size)
                else f"{sign}{symbol}{size:,.2f}"
            )
        if size < 1e10:
            return f"{sign}{symbol}{_rounded(size / 1e6, '0.1'):,} million"
        return f"{sign}{symbol}{_rounded(size / 1e9, '0.01'):,} billion"
    return text or f"{value:,.10g}"


def _rounded(size: float, step: str) -> Decimal:
    """As people round: 18.45 is 18.5, though the number nearest to it in binary is a little less."""
    return Decimal(repr(size)).quantize(Decimal(step), ROUND_HALF_UP)


def _trimmed(size: float) -> str:
    return f"{size:.2f}".rstrip("0").rstrip(".") if size < 100 else f"{size:.1f}"


def fact_amount(fact: Fact) -> str:
    figure = fact.figure
    if figure.unit in ("percent", "multiple"):
        number = re.sub(r"[^\d.,]", "", figure.text)
        return f"{'-' if figure.printed < 0 else ''}{number}{'%' if figure.unit == 'percent' else 'x'}"
    if figure.unit in ("days", "months", "years"):  # a cell gives the number, its row the unit
        text = figure.text.strip()
        return text if any(map(str.isalpha, text)) else f"{text} {figure.unit}"
    layout = bool(fact.item) and (fact.item in _OWED or line_item(fact.item).magnitude)
    value = abs(figure.value) if fact.is_cell and layout and not _TURN.match(fact.row) else figure.value
    return amount(value, figure.unit, figure.currency, figure.text.strip())


def fact_period(fact: Fact) -> Period | None:
    """The one with a date where there is one, else the first."""
    dated = [period for period in fact.periods if period.end]
    return dated[0] if dated else fact.periods[0] if fact.periods else None


def period_words(period: Period | None) -> str:
    """ "at December 31, 2022", "in Q4 2022", "in fiscal 2022"; "" for none."""
    if period is None or period.fiscal_year is None:
        return ""
    if period.end:
        year, month, day = (int(part) for part in period.end.split("-"))
        return f"at {calendar.month_name[month]} {day}, {year}"
    if period.quarter:
        return f"in Q{period.quarter} {period.fiscal_year}"
    return f"in fiscal {period.fiscal_year}"


_PART_OF_YEAR = re.compile(
    r"\b(?:(?:three|six|nine)\s+months|(?:13|26|39)\s+weeks|first\s+(?:half|nine\s+months)"
    r"|year[- ]to[- ]date)\b",
    re.IGNORECASE,
)


def part_of_year(fact: Fact) -> str:
    """ "six months", where its column or group gives less than the year, "" where it does not."""
    found = _PART_OF_YEAR.search(f"{fact.column} {fact.group}") if fact.is_cell else None
    return " ".join(found[0].lower().split()) if found else ""


def moment(fact: Fact, unsaid: Period | None = None) -> str:
    """When a figure is of: "in the six months of fiscal 2023".

    :param unsaid: for a figure that states no period itself.
    """
    period = fact_period(fact) or unsaid
    part = part_of_year(fact)
    if part and period and period.fiscal_year and not (period.quarter or period.end):
        return f"in the {part} of fiscal {period.fiscal_year}"
    return period_words(period)


def company(document: Document) -> str:
    """The company's name without its legal form; "" where it is not known."""
    name = document.metadata.company
    shorter = _LEGAL.sub("", name)
    return shorter if len(shorter.split()) > 1 or len(shorter) > 3 else name


def account(document: Document, texts: Iterable[str]) -> str:
    """The account number of a capital account statement, "" where it says none."""
    if document.metadata.type is not DocumentType.CAPITAL_ACCOUNT:
        return ""
    for text in (document.name, *texts):
        found = _ACCOUNT.search(text)
        if found:
            return found[0]
    return ""


def subject(source: Source) -> str:
    number = account(source.document, (source.passage.text,))
    return f"capital account {number}" if number else company(source.document)


def label(document: Document) -> str:
    """A document in running text: "the LP letter Q3 FY2022 (re-issued)"."""
    metadata = document.metadata
    number = account(document, ())
    kind = metadata.type.value if metadata.type is not DocumentType.OTHER else metadata.title or document.name
    again = "(re-issued)" if document.version_of else ""
    words = (kind, number, metadata.period.label if metadata.type is not DocumentType.OTHER else "", again)
    return "the " + " ".join(part for part in words if part)


def lower_first(label: str) -> str:
    """A row header inside a sentence: names and abbreviations keep their capitals."""
    first = label.split(" ", 1)[0]
    rest = label.split()[1:2]
    if not first[:1].isupper() or first[1:] != first[1:].lower() or len(first) < 2:
        return label
    return label if rest and rest[0][:1].isupper() else label[0].lower() + label[1:]


def row_label(fact: Fact) -> str:
    """A row's header without its date and footnote mark; with the basis that only its group or column
    names ("adjusted"), or with the group it is in where it says little alone."""
    row = re.sub(r"\s*\(\d{1,2}\)$", "", fact.row.strip(" :"))
    row = re.sub(r"\s+(?:at|as of)\s+\w+ \d{1,2}, \d{4}$", "", row).strip(" :")
    group = fact.group.strip(" :")
    basis = OTHER_BASIS.search(f"{group} {fact.column}")
    if row and basis and not OTHER_BASIS.search(row):
        said = basis[0].replace("GAAP", "\0").lower().replace("\0", "GAAP")
        return f"{row} ({said})"
    if group and len(content_words(row)) < 2 and len(group) < 60:
        return f"{row} ({lower_first(group)})"
    return row


def plural(label: str) -> bool:
    head = re.split(r"\s+(?:of|at|in|for|to|from|by|under|before|after|since|per|less)\s+|,", label)[
        0
    ].strip()
    return head.endswith("s") and not head.endswith(("ss", "us", "is"))


def column_words(fact: Fact) -> str:
    """What the column says besides its period."""
    text = fact.column
    for span in _periods(text):
        text = text.replace(span, " ")
    text = _NAME.sub(" ", text)
    text = _SAYS_NOTHING.sub(" ", text)
    return " ".join(text.split()).strip(" ,;·")


_SAYS_NOTHING = re.compile(r"\bamounts?\b|\btwelve months\b|\bfull[- ]year\b", re.IGNORECASE)
# A name over the columns, such as the fund's, says nothing about one of them.
_NAME = re.compile(r"(?:[A-Z][\w&]*,?\s+)+(?:L\.P|Inc|LLC|Ltd|plc)\.?(?:\s+[A-Z]+\d+-\d+)?(?:\s+US dollar)?")


def _periods(text: str) -> list[str]:
    return [span.text for span in periods_in(text)]
