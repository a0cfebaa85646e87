"""Earnings releases: how to tell one, who issued it, which quarter it reports."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aethel_core.metadata.dates import (
    DATE,
    date_after,
    fiscal_year,
    interim_period,
    quarter_elapsed,
    quarters,
)
from aethel_core.types import Period

_EXCHANGES = (
    r"NYSE(?:\s+American|\s+Arca)?|NASDAQ|Nasdaq(?:GS|GM)?|AMEX|TSXV?|LSE|ASX|AIM|OTC\w*|Euronext\w*|SGX|HKEX"
)
_LISTED = re.compile(
    rf"\(\s*(?:the\s+)?(?:{_EXCHANGES})\b[^()]{{0,30}}?:\s*[“\"]?(?P<ticker>[A-Z][A-Z0-9.]{{0,5}})\b"
)
_WIRE = re.compile(
    r"for immediate release|business\s?wire|pr\s?newswire|globe\s?newswire|accesswire|exhibit\s*99"
    r"|news release|press release|earnings release",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"\b(?:announce[sd]?|report(?:s|ed)|release[sd]?|posts?|deliver(?:s|ed))\b[^.]{0,120}?"
    r"\b(?:results|earnings|revenues?|sales)\b"
    r"|\b(?:quarter|full[- ]year|fiscal\s+(?:year\s+)?(?:20)?\d\d|half[- ]year)\b[^.]{0,60}\bresults\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"\b(?:first|second|third|fourth)[\s-]+(?:fiscal[\s-]+)?quarter|\bfull[\s-]+year|\bfiscal\s+(?:year\s+)?20\d\d|\b[1-4]Q\d*\b"
    r"|\bQ[1-4]\b|\bquarter(?:ly)?\s+(?:period\s+)?ended|\bhalf[\s-]+year|\b(?:three|six|nine|twelve)\s+months\s+ended|\byear\s+ended",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    r"per\s+(?:diluted\s+)?share|net\s+(?:income|sales|earnings|revenue|loss)|\bEPS\b", re.IGNORECASE
)
_FULL_YEAR = re.compile(
    r"\b(?:full[\s-]+year|fiscal(?:\s+year)?|year)\s+(20\d\d)\b[^.]{0,60}\bresults\b|\b(20\d\d)\s+(?:full[\s-]+year|annual)\s+results",
    re.IGNORECASE,
)
_ENDED = re.compile(
    rf"(?:quarter|period|year|months|weeks)[^.]{{0,60}}?\bended\s+(?:on\s+)?(?P<date>{DATE})", re.IGNORECASE
)
_DATELINE_END = re.compile(r"\s[–—-]{1,2}\s|--|[–—]|\)\s|[•▪●]\s?|\s\|\s|[.!?]\s+(?=[A-Z])")
_CAPITALISED = re.compile(
    r"(?:[A-Z0-9][\w&.'’-]*|&)"
    r"(?:,?\s+(?:[A-Z0-9][\w&.'’-]*|&|(?:of|and|the|for|de)(?=\s+[A-Z&])))*(?:\s+plc)?,?\s*$"
)
_SUBJECT = re.compile(
    r"^(?P<name>[A-Z0-9][\w&.,'’ -]{1,60}?)\s+(?:today\s+)?"
    r"(?:announces?|announced|reports?|reported|delivers|posts|releases)\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"^about\s+(?P<name>[A-Z0-9][\w&.,'’ -]{1,60})$", re.IGNORECASE)
_STATEMENT_HEAD = re.compile(
    r"^(?P<name>[A-Z0-9][\w&.,'’ -]{1,60}?),?\s+and\s+(?:its\s+)?(?:consolidated\s+)?subsidiar", re.IGNORECASE
)
_HEADLINE_LINES = 40
_NOT_HEADLINE = re.compile(
    r"^(?:page \d|exhibit|for immediate|contacts?:|investor|media|\(?nyse|\W*$)", re.IGNORECASE
)


def is_earnings_release(lines: Sequence[str], first: str, text: str) -> bool:
    """It announces results of a period and has two of: a wire or listing, figures, a headline.

    :param lines: the first page's; :param first: that page, :param text: the first pages, white
        space collapsed.
    """
    if not _ANNOUNCES.search(text) or not _PERIOD.search(text):
        return False
    marks = (
        bool(_WIRE.search(first) or _LISTED.search(first)),
        bool(_FIGURES.search(text)),
        bool(headline(lines)),
    )
    return sum(marks) >= 2


def headline(lines: Sequence[str]) -> str:
    """The line, with those it wraps onto, that says which results are announced."""
    top = [line for line in lines[:_HEADLINE_LINES] if not _NOT_HEADLINE.match(line)]
    for i, line in enumerate(top):
        joined = line
        for following in top[i + 1 : i + 3]:
            if _ANNOUNCES.search(joined) and _PERIOD.search(joined):
                break
            joined = f"{joined} {following}"
        if not (_ANNOUNCES.search(joined) and _PERIOD.search(joined)) or len(joined) > 220:
            continue
        if not _ANNOUNCES.search(line) and not _PERIOD.search(line):
            continue
        if len(joined.split()) <= 30 and not joined.endswith("."):
            return joined.strip("•▪● ")
    return ""


def issuer(lines: Sequence[str], text: str) -> tuple[str, str]:
    """Name and ticker of the company: before "(NYSE: ABC)", else the headline's subject, else
    "About …", else the head of the attached statements."""
    for match in _LISTED.finditer(text):
        name = _ending_name(text[max(0, match.start() - 120) : match.start()])
        if name:
            return name, match["ticker"]
    for pattern, source in ((_SUBJECT, [headline(lines)]), (_ABOUT, lines), (_STATEMENT_HEAD, lines)):
        for line in source:
            match = pattern.match(line)
            if match:
                return match["name"].strip(" ,"), ""
    return "", ""


def _ending_name(before: str) -> str:
    """The capitalised words that the text ends with, after the dateline."""
    last = _DATELINE_END.split(before.rstrip())[-1].strip()
    match = _CAPITALISED.search(last)
    return match.group().strip(" ,") if match else ""


def reported_period(text: str, whole: str) -> Period:
    """The quarter, else the year, that the release is about; what it names first is its own.

    :param text: the first page, white space collapsed; :param whole: the first pages, for how
        the company names its years.
    """
    ended = _ENDED.search(text)
    end = date_after(ended.group(), r"ended") if ended else None
    named = quarters(text)
    if named:
        return Period(named[0].year, named[0].quarter, end.isoformat() if end else "")
    year = _FULL_YEAR.search(text)
    if year:
        return Period(int(year[1] or year[2]), None, end.isoformat() if end else "")
    if end is None:
        return Period()
    if "year ended" in ended.group().lower():
        return Period(fiscal_year(end, whole), None, end.isoformat())
    return interim_period(end, quarter_elapsed(whole), whole)
