"""Periods as they are written: "FY22", "Q3'23", "year ended June 30, 2022", "between 2018 and 2020".

Years are taken as written. A year that ended on January 28, 2023 is reported as 2023 with its end
date, although some retailers call it fiscal 2022: only the document can tell (see metadata).
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from aethel_core.types import Period

Kind = Literal["fiscal year", "quarter", "half", "ltm", "date", "range"]


@dataclass(frozen=True, slots=True)
class PeriodSpan:
    """A period found in ``text[start:end]``.

    ``period`` of a "half" is that of the interim report which covers it: H1 is reported with the
    second quarter, H2 with the year. Of a "range" it is the last period, and ``since`` the first.
    A period whose year is not written ("in Q4") has no fiscal year; "LTM" alone is an empty one.
    ``months`` is the length that "three months ended …" states, 0 where nothing does.
    """

    start: int
    end: int
    text: str
    period: Period
    kind: Kind
    since: Period | None = None
    months: int = 0

    @property
    def years(self) -> tuple[int, ...]:
        """The years covered: all of those from first to last in a range."""
        last = self.period.fiscal_year
        if last is None:
            return ()
        first = self.since.fiscal_year if self.since else last
        return tuple(range(first if first is not None else last, last + 1))


_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "final": 4,
}
_COUNTS = {"three": 3, "six": 6, "nine": 9, "twelve": 12, "thirteen": 3, "twenty-six": 6, "thirty-nine": 9}
_COUNTS |= {
    "fifty-two": 12,
    "fifty-three": 12,
    "one": 1,
    "two": 2,
    "four": 4,
    "five": 5,
    "seven": 7,
    "ten": 10,
}

_APOSTROPHE = "['’‘`]"
_YEAR4 = r"(?:19[5-9]\d|20[0-6]\d)"
_YEAR = rf"(?:{_APOSTROPHE}?(?:{_YEAR4}|\d{{2}}))(?!\d|[.,]\d|%)"
_FISCAL = r"(?:FYE?|F\.Y\.|(?:fiscal|financial)(?:\s+years?)?)"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
)
_DATE = (
    rf"(?:(?P<month>{_MONTH})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s*(?P<year>{_YEAR4})"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month2>{_MONTH})\s*,?\s*(?P<year2>{_YEAR4})"
    rf"|(?P<year3>{_YEAR4})-(?P<month3>\d{{2}})-(?P<day3>\d{{2}})"
    rf"|(?P<month4>\d{{1,2}})/(?P<day4>\d{{1,2}})/(?P<year4>{_YEAR4}|\d{{2}}))(?!\d)"
)
_LENGTH = (
    r"(?:(?P<count>three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two|fifty-three|\d{1,2})"
    r"[\s-]+(?P<unit>months?|weeks?)(?:\s+period)?|(?P<fiscal>(?:fiscal\s+|financial\s+|calendar\s+)?years?|twelve-month\s+period)"
    r"|(?P<quarter>(?:fiscal\s+)?quarters?))"
)
_OF = r"(?:\s+(?:of|in|for|ended)(?:\s+the)?)?\s*"
_QUARTER_YEAR = rf"(?:(?:{_FISCAL}|calendar(?:\s+year)?|CY)\s*)?{_YEAR}"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _year(written: str) -> int:
    """ "2022", "'22" or "22"."""
    digits = int(re.sub(r"\D", "", written))
    if digits >= 100:
        return digits
    return 2000 + digits if digits < 70 else 1900 + digits


def _last_year(written: str) -> int:
    """The year at the end of "fiscal 2022", which may also be written "'22"."""
    found = re.findall(r"\d+", written)
    return _year(found[-1])


def _date(match: re.Match[str]) -> date | None:
    for suffix in ("", "2", "3", "4"):
        month = match[f"month{suffix}"]
        if month:
            number = int(month) if month.isdigit() else _MONTHS[month.rstrip(".").lower()]
            try:
                return date(_year(match[f"year{suffix}"]), number, int(match[f"day{suffix}"]))
            except ValueError:
                return None
    return None


def _on(day: date) -> Period:
    return Period(day.year, None, day.isoformat())


Found = tuple[Period, Kind, int] | None


def _ended(match: re.Match[str]) -> Found:
    day = _date(match)
    if day is None:
        return None
    if match["fiscal"]:
        return _on(day), "fiscal year", 12
    if match["quarter"]:
        return _on(day), "quarter", 3
    count = match["count"].lower()
    months = _COUNTS.get(count) or int(count)
    if match["unit"].lower().startswith("week") and count.isdigit():
        months = round(months / 52 * 12)
    kind: Kind = {3: "quarter", 6: "half", 12: "fiscal year"}.get(months, "date")  # type: ignore[assignment]
    return _on(day), kind, months


def _plain_date(match: re.Match[str]) -> Found:
    day = _date(match)
    return (_on(day), "date", 0) if day else None


def _month_of_year(match: re.Match[str]) -> Found:
    year, month = _year(match["y"]), _MONTHS[match["m"].rstrip(".").lower()]
    return _on(date(year, month, calendar.monthrange(year, month)[1])), "date", 0


def _quarter(match: re.Match[str]) -> Found:
    written = match["q"].lower()
    number = _ORDINALS.get(written) or int(written)
    year = _last_year(match["y"]) if match["y"] else None
    return Period(year, number), "quarter", 3


def _half(match: re.Match[str]) -> Found:
    written = match["h"].lower()
    number = _ORDINALS.get(written) or int(written)
    year = _last_year(match["y"]) if match["y"] else None
    return Period(year, 2 if number == 1 else None), "half", 6


def _fiscal_year(match: re.Match[str]) -> Found:
    year = _year(match["y"])
    if match["next"]:  # FY2021/22 is the year that ends in 2022
        year += 1 if int(match["next"]) == (year + 1) % 100 else 0
    return Period(year), "fiscal year", 12


def _bare_year(match: re.Match[str]) -> Found:
    year = int(match["y"])
    return (Period(year), "fiscal year", 0) if 1990 <= year <= 2060 else None


def _ltm(match: re.Match[str]) -> Found:
    day = _date(match) if match["month"] or match["month2"] or match["month3"] or match["month4"] else None
    return _on(day) if day else Period(), "ltm", 12


# Years that are no periods: maturities, rules, and the names of notes and plans.
_NOT_AFTER = (
    r"(?<![\w$€£¥.,/-])(?<!\bdue )(?<!\bdue in )(?<!maturing )(?<!\bRule )(?<!Section )(?<!\bForm )"
    r"(?<!\bASU )"
)
_NOT_BEFORE = (
    r"(?!\w|[.,]\d|[-/]\d{3}|%|\s*(?:%|million|billion|thousand|bps|basis|shares|employees)\b"
    r"|\s+(?:Senior|Convertible|Notes|Incentive|Plan|Equity\s+Incentive|Stock|Act|Term|Proxy|Omnibus|Credit)\b)"
)
_TWELVE = r"(?:LTM|TTM|(?:last|trailing|past)[\s-]+(?:twelve|12)[\s-]+months?)"
_NTH = r"(?:first|second|third|fourth|final|1st|2nd|3rd|4th)"
_YEAR_FIRST = rf"(?:(?:{_FISCAL}\s*)?{_YEAR4}|{_FISCAL}\s*{_APOSTROPHE}?\d\d)"
_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Found]], ...] = (
    (_pattern(rf"\b{_LENGTH}\s+(?:that\s+)?(?:ended|ending|to|through)\s+(?:on\s+)?{_DATE}"), _ended),
    (_pattern(rf"\b{_TWELVE}\b(?:\s+(?:ended|ending|to|at)?\s*{_DATE})?"), _ltm),
    (_pattern(rf"\bQ(?P<q>[1-4])(?:{_OF}[-/]?\s*(?P<y>{_QUARTER_YEAR})|(?!\w))"), _quarter),
    (_pattern(rf"\b(?P<q>[1-4])Q(?:{_OF}(?P<y>{_QUARTER_YEAR})|\b)"), _quarter),
    (_pattern(rf"\b(?P<y>{_YEAR_FIRST})\s*[-/]?\s*Q(?P<q>[1-4])\b(?!{_OF}{_QUARTER_YEAR})"), _quarter),
    (_pattern(rf"\b(?P<q>{_NTH})[\s-]+(?:fiscal\s+)?quarter\b(?:{_OF}(?P<y>{_QUARTER_YEAR}))?"), _quarter),
    (_pattern(rf"\bH(?P<h>[12])(?:{_OF}(?P<y>{_QUARTER_YEAR})|\b)"), _half),
    (_pattern(rf"\b(?P<h>[12])H(?:{_OF}(?P<y>{_QUARTER_YEAR})|\b)"), _half),
    (_pattern(rf"\b(?P<h>first|second|1st|2nd)[\s-]+half\b(?:{_OF}(?P<y>{_QUARTER_YEAR}))?"), _half),
    (_pattern(rf"\b{_FISCAL}\s*(?P<y>{_YEAR})(?:/(?P<next>\d\d)\b)?(?!\w)"), _fiscal_year),
    (_pattern(rf"\b(?P<y>{_YEAR4})(?P<next>(?!))?\s+(?:fiscal|financial|calendar)\s+year\b"), _fiscal_year),
    (_pattern(rf"\b(?:CY|calendar(?:\s+year)?)\s*(?P<y>{_YEAR})(?P<next>(?!))?"), _fiscal_year),
    (_pattern(rf"(?<![\w/.]){_DATE}"), _plain_date),
    (_pattern(rf"\b(?P<m>{_MONTH})\s*,?\s+(?P<y>{_YEAR4})\b"), _month_of_year),
    (_pattern(rf"{_NOT_AFTER}(?P<y>{_YEAR4})(?:E|A)?{_NOT_BEFORE}"), _bare_year),
)
_SHORT_RANGE = _pattern(
    rf"\b(?:{_FISCAL}\s*)?(?P<a>{_YEAR4}|(?<=FY)\d\d)\s*[-–—/]\s*{_APOSTROPHE}?(?P<b>\d\d)(?![\d/-]|[.,]\d|\w)"
)
_BRIDGE = _pattern(r"\s*(?:-|–|—|to|through|thru|until|till|up\s+to)\s*(?:the\s+end\s+of\s+)?")
_AND = _pattern(r"\s*(?:and|&)\s*(?:the\s+)?")
_BETWEEN = _pattern(r"\bbetween\s+(?:the\s+)?(?:years\s+)?$")


def find_periods(text: str) -> tuple[PeriodSpan, ...]:
    """The periods written in the text, in order, none inside another."""
    spans = _without_overlaps([*_short_ranges(text), *_single(text)])
    return tuple(_joined(text, spans))


def _single(text: str) -> Iterator[PeriodSpan]:
    for pattern, read in _RULES:
        for match in pattern.finditer(text):
            found = read(match)
            if found:
                period, kind, months = found
                end = match.start() + len(match[0].rstrip())
                yield PeriodSpan(match.start(), end, text[match.start() : end], period, kind, None, months)


def _short_ranges(text: str) -> Iterator[PeriodSpan]:
    """ "2018-20" and "FY17–19"; "FY2021/22" is one year."""
    for match in _SHORT_RANGE.finditer(text):
        first = _year(match["a"])
        last = first - first % 100 + int(match["b"])
        if first < last <= first + 15 and not ("/" in match[0] and last == first + 1):
            yield PeriodSpan(match.start(), match.end(), match[0], Period(last), "range", Period(first))


def _without_overlaps(spans: list[PeriodSpan]) -> list[PeriodSpan]:
    """The earliest wins, then the longest; on a tie the first in the order of the rules."""
    kept: list[PeriodSpan] = []
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _joined(text: str, spans: list[PeriodSpan]) -> Iterator[PeriodSpan]:
    """Two periods with "to", a dash or "between … and …" are one range."""
    position = 0
    while position < len(spans):
        span = spans[position]
        if position + 1 < len(spans) and _is_range(text, span, spans[position + 1]):
            span = _range(text, span, spans[position + 1])
            position += 1
        yield span
        position += 1


def _is_range(text: str, left: PeriodSpan, right: PeriodSpan) -> bool:
    between = text[left.end : right.start]
    years = (left.period.fiscal_year, right.period.fiscal_year)
    if "range" in (left.kind, right.kind) or right.period.fiscal_year is None:
        return False
    if None not in years and years[0] > years[1]:  # type: ignore[operator]
        return False
    if _BRIDGE.fullmatch(between):
        return True
    return bool(_AND.fullmatch(between)) and _BETWEEN.search(text[: left.start]) is not None


def _range(text: str, left: PeriodSpan, right: PeriodSpan) -> PeriodSpan:
    since = left.period
    if since.fiscal_year is None:  # "Q1 to Q3 2023"
        since = replace(since, fiscal_year=right.period.fiscal_year)
    return PeriodSpan(left.start, right.end, text[left.start : right.end], right.period, "range", since)


# --- what a question needs ---------------------------------------------------------------------

_COMPARISON = _pattern(
    r"\byear[\s-]+over[\s-]+year\b|\by[-/]?o[-/]?y\b|\by/y\b|\bgr[oe]w(?:th|s|ing)?\b|\bchang(?:e|es|ed|ing)\b"
    r"|\b(?:in|de)creas(?:e|es|ed|ing)\b|\bdeclin(?:e|es|ed|ing)\b|\bimprov(?:e|es|ed|ing|ement)\b"
    r"|\bdrop(?:ped|s)?\b|\breduc(?:e|ed|tion)\b|\baverage\b|\bversus\b|\bcompared?\b|\bprior[\s-]+year\b"
    r"|\bprevious\s+year\b|\baccelerat|\bworsen|\bexpand|\bshrink|\bshrank\b|\brise\b|\brose\b|\bfell\b"
    r"|\btrend\b|\bdeteriorat"
)
_SPAN = _pattern(
    r"\b(?P<n>two|three|four|five|seven|ten|\d{1,2})[\s-]+(?:fiscal[\s-]+)?years?\b"
    r"(?P<rest>[\w\s%&-]{0,40}?\b(?:CAGR|compound))?"
)
_EXPECTED = _pattern(
    r"\b(?:expect(?:s|ed|ation|ations)?|guid(?:ance|ed)|outlook|forecasts?|projected|anticipates?d?|targets?)\b"
    r"[^.?!]*\b(?:in|for|during)\s+$"
)


def years_needed(question: str) -> tuple[int, ...]:
    """The years whose figures the question needs, in ascending order.

    All years of a range; the year before where a change or an average is asked of a single year;
    the n years of "3 year average", and one more for a growth rate over them.
    """
    spans = find_periods(question)
    years = {year for span in spans for year in span.years}
    if len(years) == 1:
        year = next(iter(years))
        length = _SPAN.search(question)
        if length:
            written = length["n"].lower()
            count = _COUNTS.get(written) or int(written)
            back = count if length["rest"] else count - 1
            years |= set(range(year - min(back, 20), year))
        elif _COMPARISON.search(question) or _outlook(question, spans):
            years.add(year - 1)
    return tuple(sorted(years))


def target_year(question: str) -> int | None:
    """The fiscal year of the report that most likely shows all the question needs, None if it names none.

    That is the latest year named, as reports show earlier years beside it; of what is *expected*
    for a year, the report of the year before speaks.
    """
    spans = find_periods(question)
    years = [year for span in spans for year in span.years]
    if not years:
        return None
    return max(years) - 1 if len(set(years)) == 1 and _outlook(question, spans) else max(years)


def _outlook(question: str, spans: tuple[PeriodSpan, ...]) -> bool:
    return any(_EXPECTED.search(question[: span.start]) for span in spans if span.years)
