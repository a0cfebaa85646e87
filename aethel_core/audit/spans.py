"""When two periods are the same one: fiscal years, quarters and dates against each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from aethel_core.finance.periods import PeriodSpan, find_periods
from aethel_core.types import DocumentType, Metadata, Period

_YEARLY = (DocumentType.TEN_K, DocumentType.EARNINGS, DocumentType.CAPITAL_ACCOUNT, DocumentType.LP_LETTER)


@dataclass(frozen=True, slots=True)
class Calendar:
    """How a document's fiscal periods lie on the calendar. ``shift`` is what to add to the year of
    a date at the end of its fiscal year to get the name of that year: retailers whose fiscal 2022
    ends in January 2023 have -1."""

    period: Period
    shift: int = 0

    @classmethod
    def of(cls, metadata: Metadata) -> Calendar:
        period = metadata.period
        if period.quarter is None and metadata.type not in _YEARLY:
            # A letter or contract of a day: that day ends no fiscal year.
            return cls(Period(period.fiscal_year))
        year = _year_of(period.end)
        if year is None or period.fiscal_year is None or period.quarter not in (None, 4):
            return cls(period)
        shift = period.fiscal_year - year
        return cls(period, shift if abs(shift) <= 1 else 0)


def _year_of(iso: str) -> int | None:
    return int(iso[:4]) if iso else None


_LABEL = re.compile(r"(?:Q(?P<quarter>[1-4]) )?FY(?P<year>\d{4})")


@lru_cache(maxsize=16384)
def period_of(label: str) -> Period | None:
    """The period that a table's column states: "FY2021", "Q2 FY2023" or an ISO date."""
    match = _LABEL.fullmatch(label)
    if match:
        return Period(int(match["year"]), int(match["quarter"]) if match["quarter"] else None)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", label):
        return Period(int(label[:4]), None, label)
    return None


@lru_cache(maxsize=16384)
def periods_in(text: str) -> tuple[PeriodSpan, ...]:
    return find_periods(text)


def agree(written: Period, source: Period, calendar: Calendar) -> bool:
    """Whether a sentence that says ``written`` may speak of what a document puts at ``source``."""
    if written == source:
        return True
    if written.fiscal_year is None or source.fiscal_year is None:
        return _quarters_agree(written, source)
    if written.end and source.end:
        return written.end == source.end
    if written.end:
        return _date_in(written.end, source, calendar)
    if source.end:
        return _date_in(source.end, written, calendar)
    if written.fiscal_year != source.fiscal_year:
        return False
    return written.quarter is None or source.quarter is None or written.quarter == source.quarter


def _quarters_agree(written: Period, source: Period) -> bool:
    """ "in the fourth quarter" of whatever year; a period that says nothing agrees with all."""
    return written.quarter is None or source.quarter is None or written.quarter == source.quarter


def _date_in(iso: str, period: Period, calendar: Calendar) -> bool:
    """Whether a date lies in a fiscal period, or is one of its two ends."""
    if calendar.period.end == iso and _same_period(calendar.period, period):
        return True
    day = date.fromisoformat(iso)
    years = {day.year, day.year + calendar.shift}
    end = calendar.period.end
    if end and calendar.period.quarter is None:
        years = {_fiscal_year(day, date.fromisoformat(end), calendar.shift), day.year + calendar.shift}
    if period.fiscal_year not in years:
        return False
    if period.quarter is None:
        return True
    return period.quarter in _quarters(day, calendar)


def _same_period(document: Period, period: Period) -> bool:
    return document.fiscal_year == period.fiscal_year and period.quarter in (None, document.quarter)


def _fiscal_year(day: date, year_end: date, shift: int) -> int:
    """The fiscal year that contains a day, from the month and day on which the year ends."""
    after = (day.month, day.day) > (year_end.month, min(year_end.day + 6, 31))
    return day.year + shift + (1 if after else 0)


def _quarters(day: date, calendar: Calendar) -> frozenset[int]:
    """The quarters a day may belong to: of the calendar year, and of the document's fiscal year."""
    found = {(day.month - 1) // 3 + 1}
    period = calendar.period
    if period.end and period.quarter:
        months = (day.year - int(period.end[:4])) * 12 + day.month - int(period.end[5:7])
        found.add((period.quarter - 1 + -(-months // 3)) % 4 + 1)
    elif period.end:
        months = (day.month - int(period.end[5:7])) % 12
        found.add((-(-months // 3) - 1) % 4 + 1)
    return frozenset(found)
