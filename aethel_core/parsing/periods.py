"""What the head of a table says: the period of a column, the unit line, the scale."""

from __future__ import annotations

import re
from typing import NamedTuple

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
_MONTH = rf"(?:{'|'.join(_MONTHS)})\b\.?"
_DATE = re.compile(rf"(?P<month>{_MONTH})\s*(?P<day>\d{{1,2}})\s*,?\s*(?P<year>(?:19|20)\d\d)", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"(?P<month>{_MONTH})\s*(?P<day>\d{{1,2}})\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d,.])(?:19|20)\d\d(?![\d,])")
_QUARTER = re.compile(
    r"\b(?:q(?P<digit>[1-4])|(?P<word>first|second|third|fourth|1st|2nd|3rd|4th)\s+(?:fiscal\s+)?quarter)\b",
    re.IGNORECASE,
)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_FULL_YEAR = re.compile(
    r"\b(?:(?:fiscal|twelve\s+months|years?|5[23]\s+weeks|full[\s-]year)\b|fy\s*\d)", re.IGNORECASE
)
_YEAR_ENDED = re.compile(
    rf"\b(?:fiscal\s+)?years?\s+end(?:ed|ing)\s+(?:on\s+)?(?P<month>{_MONTH})\s*\d", re.IGNORECASE
)
_PART_YEAR = re.compile(
    r"\b(?:(?:three|six|nine|3|6|9)\s+months|(?:13|14|26|27|39|40|thirteen|twenty-six|thirty-nine)\s+weeks|quarters?)\b",
    re.IGNORECASE,
)
_THREE_MONTHS = re.compile(
    r"\b(?:(?:three|3)\s+months|(?:13|14|thirteen)\s+weeks|quarters?)\b", re.IGNORECASE
)
_OPEN_ENDED = re.compile(
    r"\b(?:thereafter|beyond|after|change|variance)\b|(?:19|20)\d\d\s*(?:[-–—/]\s*\d|and\b)", re.IGNORECASE
)
_LENGTH_WORDS = re.compile(
    r"\b(?:(?:years?|months|weeks|quarters?|periods?)\s+end(?:ed|ing)|as\s+(?:of|at)|fiscal(?:\s+years?)?"
    r"|(?:first|second|third|fourth)\s+quarter|(?:three|six|nine|twelve)\s+months|full\s+year"
    r"|(?:13|14|26|27|39|40|52|53|thirteen|twenty-six|thirty-nine|fifty-two)\s+weeks)\b",
    re.IGNORECASE,
)
_PERIOD_WORDS = re.compile(rf"{_LENGTH_WORDS.pattern}|\b{_MONTH}\s*\d{{1,2}}\b", re.IGNORECASE)

_SCALES = {"thousand": 1e3, "000": 1e3, "million": 1e6, "billion": 1e9}
_CURRENCY_WORDS = {
    "USD": re.compile(r"\$|\bdollars?\b|\bUSD\b", re.IGNORECASE),
    "EUR": re.compile(r"€|\beuros?\b|\bEUR\b", re.IGNORECASE),
    "GBP": re.compile(r"£|\bsterling\b|\bGBP\b", re.IGNORECASE),
}
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mm": 1e6, "bn": 1e9}
_CURRENCY = r"(?:US\$|U\.?S\.?\s+dollars?|US\s+dollars?|USD|EUR|GBP|[$€£])"
_UNIT = re.compile(
    r"\([^()\d]{0,60}?\b(?:(?:thousand|million|billion)s|in\s+(?:thousand|million|billion))\b[^()]{0,120}\)"
    r"|\(\s*(?:U\.?S\.?\s*)?[$€£]?\s*(?:in\s+)?000['’]?s?[^()\d]{0,40}\)"
    r"|(?:\b(?:amounts|dollars|figures|shares|numbers)\s+|[$€£]\s*)?(?:are\s+)?"
    r"(?:\bin\s+|(?:\bUS)?[$€£]\s*|\b(?:USD|EUR|GBP)\s+)"
    r"(?:[$€£]\s*|U\.?S\.?\s+)?(?:thousand|million|billion)s\b(?:\s+of\s+(?:U\.?S\.?\s+)?dollars)?"
    r"(?:,?\s+except[^.()]{0,100})?"
    rf"|\(?(?<![\w$]){_CURRENCY}\s?(?P<short>mm?|bn|k)\b\)?"
    rf"|\b(?:amounts|figures|expressed|stated)\s+in\s+(?:whole\s+)?{_CURRENCY}"
    rf"|^\(?{_CURRENCY}\)?$",
    re.IGNORECASE,
)
_EXCEPT = re.compile(r"\b(?:except|other than|excluding)\s+(?:for\s+)?(?P<what>[^()]+)", re.IGNORECASE)


class Unit(NamedTuple):
    line: str
    scale: float
    currency: str
    unscaled: str


def find_unit(text: str) -> Unit | None:
    """The unit a line states: "(in millions, except per share data)" and its many kin."""
    match = _UNIT.search(text)
    if match is None:
        return None
    line = match.group().strip()
    lower = line.lower()
    scale = next((value for word, value in _SCALES.items() if word in lower), 1.0)
    if match["short"]:
        scale = _SHORT_SCALES[match["short"].lower()]
    exempt = _EXCEPT.search(line)
    unscaled = " ".join(exempt["what"].split()).strip(" .,;:").lower() if exempt else ""
    return Unit(line, scale, currency_of(line), unscaled)


def currency_of(text: str) -> str:
    """The currency a text names, as its ISO code."""
    return next((code for code, words in _CURRENCY_WORDS.items() if words.search(text)), "")


def is_period_text(text: str) -> bool:
    return _PERIOD_WORDS.search(text) is not None or _YEAR.search(text) is not None


def is_day(text: str) -> bool:
    """ "December 31," without a year."""
    return _MONTH_DAY.fullmatch(text.strip(" ,")) is not None


def has_date(text: str) -> bool:
    return _DATE.search(text) is not None


def has_year(text: str) -> bool:
    return _YEAR.search(text) is not None


def spans_columns(text: str) -> bool:
    """Whether a header such as "Year Ended December 31," waits for the years printed below it."""
    return _LENGTH_WORDS.search(text) is not None and _YEAR.search(text) is None


def is_part_of_year(text: str) -> bool:
    return _PART_YEAR.search(text) is not None


def year_end_months(text: str) -> list[int]:
    """The months of "year ended December 31" and the like in running text."""
    return [_MONTHS[m["month"].lower().rstrip(".")] for m in _YEAR_ENDED.finditer(text)]


def title_period(title: str) -> str:
    """The words of a title that say how long its periods are: "Three Months Ended June 30, 2023"."""
    match = _PART_YEAR.search(title) or _QUARTER.search(title)
    return title if match else ""


def period_of(header: str, year_end: int | None, *, context: str = "", flows: bool = False) -> str:
    """ "FY2021", "Q2 FY2023", "2022-06-30" or "" for the header of a column.

    :param year_end: the month fiscal years end in, None when unknown; needed to name a quarter
        that is given by its last day. Years ending in January to March are called differently
        by different companies, so for them the last day is given.
    :param context: a title that says what the header leaves out ("Three Months Ended").
    :param flows: the table is of a whole year's flows, so a bare last day means its year.
    """
    years = set(_YEAR.findall(header))
    if len(years) != 1 or _OPEN_ENDED.search(header):
        return ""
    year = years.pop()
    lengths = header if _PART_YEAR.search(header) or _FULL_YEAR.search(header) else f"{context} {header}"
    quarter = _QUARTER.search(lengths)
    end = _end(header, year) or (_end(context, year) if context else "")
    if quarter:
        number = int(quarter["digit"]) if quarter["digit"] else _QUARTERS[quarter["word"].lower()]
        return f"Q{number} FY{year}"
    if _THREE_MONTHS.search(lengths):
        return _quarter_ending(end, year_end) or end
    if _PART_YEAR.search(lengths):
        return end
    whole = _FULL_YEAR.search(lengths) is not None or flows
    if not end:
        return f"FY{year}"
    if whole and int(end[5:7]) > 3:
        return f"FY{year}"
    return end


def _quarter_ending(end: str, year_end: int | None) -> str:
    """The fiscal quarter that ends on or within a week of the month's end nearest to ``end``."""
    if not end or year_end is None or year_end <= 3:
        return ""
    year, month, day = (int(part) for part in end.split("-"))
    if day <= 8:
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    elif day < 22:
        return ""
    behind = (month - year_end) % 12
    if behind % 3:
        return ""
    fiscal = year if month <= year_end else year + 1
    return f"Q{behind // 3 or 4} FY{fiscal}"


def _end(header: str, year: str) -> str:
    match = _DATE.search(header) or _MONTH_DAY.search(header)
    if match is None:
        return ""
    month = _MONTHS[match["month"].lower().rstrip(".")]
    day = int(match["day"])
    return f"{year}-{month:02d}-{day:02d}" if 1 <= day <= 31 else ""
