"""Dates, quarters and fiscal years as documents write them."""

from __future__ import annotations

import calendar
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from aethel_core.types import Period

_MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
DATE = (
    rf"(?:(?:{_MONTH})\.?\s*\d{{1,2}}(?:st|nd|rd|th)?\s*,?\s*(?:19|20)\s?\d\s?\d"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:{_MONTH})\.?,?\s+(?:19|20)\d\d"
    r"|\d{1,2}/\d{1,2}/(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d)"
)
_PARTS = (
    re.compile(
        rf"(?P<m>{_MONTH})\.?\s*(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s*(?P<y>(?:19|20)\s?\d\s?\d)", re.I
    ),
    re.compile(rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m>{_MONTH})\.?,?\s+(?P<y>(?:19|20)\d\d)", re.I),
    re.compile(r"(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})"),
    re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"),
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_ORDINAL = "|".join(_ORDINALS)
_YEAR = r"(?:19|20)\d\d"
_FISCAL = r"(?:of\s+)?(?:the\s+)?(?:(?:fiscal|calendar|financial)\s+)?(?:year\s+)?(?:fy\s?)?"
_AND_YEAR = r"(?:\s+and\s+(?:the\s+)?(?:full[\s-]+|fiscal[\s-]+)?(?:year|[a-z]+[\s-]month\w*))?"
_QUARTERS = (
    re.compile(
        rf"(?P<q>{_ORDINAL})[\s-]+(?:fiscal[\s-]+)?quarter{_AND_YEAR}(?:\s+results)?\W{{0,3}}{_FISCAL}(?P<y>{_YEAR})",
        re.I,
    ),
    re.compile(rf"(?P<y>{_YEAR})[\s-]+(?P<q>{_ORDINAL})[\s-]+(?:fiscal[\s-]+)?quarter", re.I),
    re.compile(rf"\bq(?P<q>[1-4])\W{{0,2}}{_FISCAL}(?P<y>{_YEAR}|['’]?\d\d\b)", re.I),
    re.compile(rf"\b(?P<q>[1-4])q\W{{0,2}}{_FISCAL}(?P<y>{_YEAR}|['’]?\d\d\b)", re.I),
    re.compile(rf"\b(?P<y>{_YEAR})\W{{0,2}}q(?P<q>[1-4])\b", re.I),
)
_FISCAL_YEAR = re.compile(rf"\bfiscal(?:\s+year)?\s+(?P<y>{_YEAR})\b|\bfy\s?(?P<z>{_YEAR})\b", re.I)
_ELAPSED = re.compile(
    r"\b(?P<n>three|six|nine|3|6|9)[\s-]+months?\b.{0,8}ended"
    r"|\b(?P<w>twelve|thirteen|fourteen|twenty-?four|twenty-?six|twenty-?seven|thirty-?six|thirty-?nine|forty|12|13|14|24|26|27|36|39|40)"
    r"[\s-]+weeks?\b.{0,8}ended",
    re.I,
)
_WEEK_QUARTERS = {
    "twelve": 1,
    "thirteen": 1,
    "fourteen": 1,
    "twentyfour": 2,
    "twentysix": 2,
    "twentyseven": 2,
}
_WEEK_QUARTERS |= {"thirtysix": 3, "thirtynine": 3, "forty": 3, "12": 1, "13": 1, "14": 1, "24": 2, "26": 2}
_WEEK_QUARTERS |= {"27": 2, "36": 3, "39": 3, "40": 3}
_MONTH_QUARTERS = {"three": 1, "3": 1, "six": 2, "6": 2, "nine": 3, "9": 3}
_NEW_YEAR_DAYS = 10  # a 52/53-week year that means the calendar year may end this late in January
_NAMED_BY_EITHER = 2  # years that end in January after that, or in February, go by either year
_LATER_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Quarter:
    """A quarter of a fiscal year as the text names it, and where."""

    quarter: int
    year: int
    start: int


def dates(text: str) -> Iterator[tuple[date, int]]:
    """Every date of the text with its position, in text order."""
    for match in re.finditer(DATE, text, re.IGNORECASE):
        found = parse(match.group())
        if found is not None:
            yield found, match.start()


def parse(text: str) -> date | None:
    """The date that the text starts with; None if it starts with none or an impossible one."""
    for pattern in _PARTS:
        match = pattern.match(text)
        if match is None:
            continue
        month = match["m"].lower().rstrip(".")
        year = int("".join(match["y"].split()))
        number = int(month) if month.isdigit() else _MONTHS[month]
        if 1 <= number <= 12 and 1 <= int(match["d"]) <= calendar.monthrange(year, number)[1]:
            return date(year, number, int(match["d"]))
    return None


def date_after(text: str, words: str) -> date | None:
    """The first date that directly follows ``words`` (a regular expression)."""
    match = re.search(rf"(?:{words})\W{{0,6}}(?:on\s+)?(?P<date>{DATE})", text, re.IGNORECASE)
    return parse(match["date"]) if match else None


def quarters(text: str) -> list[Quarter]:
    """Every "second quarter of fiscal 2023", "Q2 2023", "2Q23" …, in text order."""
    found = {}
    for pattern in _QUARTERS:
        for match in pattern.finditer(text):
            digits = re.sub(r"\D", "", match["y"])
            year = int(digits) if len(digits) == 4 else 2000 + int(digits)
            named = match["q"].lower()
            found.setdefault(match.start(), Quarter(_ORDINALS.get(named) or int(named), year, match.start()))
    return [found[start] for start in sorted(found)]


def quarter_elapsed(text: str) -> int | None:
    """The quarter of an interim report, from the longest span it reports ("nine months ended" is 3)."""
    found = [_elapsed(match) for match in _ELAPSED.finditer(text)]
    return max(found, default=None)


def _elapsed(match: re.Match[str]) -> int:
    if match["n"]:
        return _MONTH_QUARTERS[match["n"].lower()]
    return _WEEK_QUARTERS[match["w"].lower().replace("-", "")]


def fiscal_year(end: date, text: str) -> int:
    """The name of the fiscal year that ends on ``end``.

    What the document calls it beside the date decides. Otherwise a year that ends by 10 January
    is the year before; one that ends later in January or in February goes by the year that the
    document speaks of most, the earlier one if it speaks of neither; any other is its own year.
    """
    called = _called(end, text)
    if called is not None:
        return called
    if end.month == 1 and end.day <= _NEW_YEAR_DAYS:
        return end.year - 1
    if end.month > _NAMED_BY_EITHER:
        return end.year
    named = [int(m["y"] or m["z"]) for m in _FISCAL_YEAR.finditer(text)]
    later, earlier = named.count(end.year), named.count(end.year - 1)
    return end.year if later and later > _LATER_SHARE * earlier else end.year - 1


def _called(end: date, text: str) -> int | None:
    """The year in "fiscal 2022 … ended January 28, 2023" or "January 28, 2023 (“fiscal 2022”)"."""
    written = rf"{end.strftime('%B')}\s+{end.day}\s*,?\s+{end.year}"
    before = rf"\bfiscal(?:\s+year)?\s+(?P<y>{_YEAR})\b[^.;\d]{{0,40}}\bended\s+(?:on\s+)?{written}"
    after = rf"{written}\s*,?\s*[(“\"](?:the\s+|our\s+|[“\"'‘])*fiscal(?:\s+year)?\s+(?P<y>{_YEAR})\b"
    named = Counter(int(m["y"]) for p in (before, after) for m in re.finditer(p, text, re.IGNORECASE))
    near = {year: n for year, n in named.items() if abs(year - end.year) <= 1}
    return max(near, key=lambda year: (near[year], year)) if near else None


def interim_period(end: date, quarter: int | None, text: str) -> Period:
    """The period of an interim report: its fiscal year ends as many quarters later as are left."""
    if quarter is None:
        return Period(
            fiscal_year(end, text) if end.month <= _NAMED_BY_EITHER else end.year, None, end.isoformat()
        )
    months = end.month + 3 * (4 - quarter)
    year, month = end.year + (months - 1) // 12, (months - 1) % 12 + 1
    day = min(end.day, calendar.monthrange(year, month)[1])
    return Period(fiscal_year(date(year, month, day), text), quarter, end.isoformat())
