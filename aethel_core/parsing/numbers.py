"""Numbers as tables print them."""

from __future__ import annotations

import re

DASHES = frozenset({"—", "–", "-", "−", "--", "---", "—%", "-%", "–%"})
CURRENCIES = {
    "$": "USD",
    "US$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "C$": "CAD",
    "A$": "AUD",
    "CHF": "CHF",
}
NOT_AVAILABLE = frozenset({"n/a", "nm", "n.m.", "n.m", "n/m", "*", "**"})

_BEGINS_NUMBER = frozenset("0123456789(.-–−$€£¥UCA")
_SYMBOL = r"(?:US\$|C\$|A\$|[$€£¥])"
_NUMBER = re.compile(
    rf"""(?P<minus>[-–−])?\s*
    (?P<open>\()?\s*{_SYMBOL}?\s*(?P<open2>\()?\s*(?P<minus2>[-–−])?\s*
    (?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)
    \s*(?P<unit1>%|x)?\s*\)?\s*\)?\s*(?P<unit2>%|x|bps|pts?|years?|months?|days?)?""",
    re.VERBOSE,
)

_UNITS = {"pt": "pts", "year": "years", "month": "months", "day": "days"}
_YEARS = re.compile(r"(?:19[89]|20\d)\d(?:\s*[-–—/]\s*(?:(?:19|20)?\d\d))?")
_TERM = re.compile(
    r"(?:[<>]\s*)?\d{1,2}\s*(?:(?:-|–|—|to|and)\s*\d{1,2}(?:\s+(?:years?|months?))?|(?:years?|months?))",
    re.IGNORECASE,
)
_AMOUNT = rf"[~<>≥≤]?\s*\(?-?{_SYMBOL}?\s*\(?\d[\d,]*(?:\.\d+)?\)?\s*%?\)?"
_MEASURE = (
    r"(?:\s*(?:thousand|million|billion|trillion|[MBK]|bn|bps|basis\s+points|years?|months?|days|shares|x"
    r"|pts?))?"
)
_QUANTITY = re.compile(
    rf"(?:approximately\s+|about\s+|up\s+to\s+)?{_AMOUNT}{_MEASURE}(?:\s*(?:to|and|[-–—/])\s*{_AMOUNT}{_MEASURE}){{0,2}}",
    re.IGNORECASE,
)


def parse_number(text: str) -> tuple[float | None, str]:
    """The value of a printed number, sign applied, and its unit: "%", "x", "bps", "pts", "years" … or "".

    ``(None, "")`` when the text is not one number. Parentheses and a leading dash are minus.
    """
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None, ""
    negative = bool(match["minus"] or match["minus2"] or match["open"] or match["open2"])
    value = float(match["digits"].replace(",", ""))
    return (-value if negative else value), _UNITS.get(
        match["unit2"] or "", match["unit1"] or match["unit2"] or ""
    )


def is_number(text: str) -> bool:
    return text[0] in _BEGINS_NUMBER and _NUMBER.fullmatch(text) is not None


def is_year(text: str) -> bool:
    """A year, or years as columns of schedules name them: "2023", "2024-25", "2024 – 2025"."""
    return _YEARS.fullmatch(text) is not None


def is_quantity(text: str) -> bool:
    """Whether a whole text is an amount in words or a range: "$10.9 billion to $11.1 billion"."""
    return len(text) < 60 and (_QUANTITY.fullmatch(text) is not None or is_year(text))


def is_term(text: str) -> bool:
    """ "1-3 years" or "1 to 3", as the heads of a schedule of payments have it."""
    return _TERM.fullmatch(text) is not None
