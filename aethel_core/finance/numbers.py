"""Figures as they are written in prose: "$1,204.3m", "15 bps", "(3.4)", "2.1x", "12.5 %".

A number that only names something is no figure: years and dates, "Item 7", "Note 5", "Q3", "10-K",
list markers, phone numbers. Thousands are separated by commas and decimals by a point.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from aethel_core.finance.periods import PeriodSpan, find_periods

Unit = Literal[
    "currency", "percent", "bps", "multiple", "per share", "shares", "days", "months", "years", "count"
]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure in ``text[start:end]``.

    ``printed`` is the number as written with its sign, ``value`` is ``printed * scale``; percent
    and basis points keep their own units (12.5 and 1,250). ``step`` is the value of one unit in
    the last digit written: 0.1e9 for "$1.2 billion". ``currency`` is an ISO code or "".
    ``approximate``: "about", "more than" or the like stands before it.
    """

    start: int
    end: int
    text: str
    value: float
    printed: float
    scale: float
    unit: Unit
    currency: str = ""
    step: float = 1.0
    approximate: bool = False


_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "m": 1e6,
    "mm": 1e6,
    "mn": 1e6,
    "mln": 1e6,
}
_SCALES |= {
    "billion": 1e9,
    "bn": 1e9,
    "bln": 1e9,
    "b": 1e9,
    "trillion": 1e12,
    "tn": 1e12,
    "trn": 1e12,
    "t": 1e12,
}
_SYMBOLS = {"$": "USD", "US$": "USD", "U.S.$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD"}
_SYMBOLS |= {"NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "R$": "BRL", "NT$": "TWD", "€": "EUR", "£": "GBP"}
_SYMBOLS |= {"¥": "JPY", "₹": "INR", "₩": "KRW", "RMB": "CNY"}
_NAMES = {"dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "franc": "CHF", "rupee": "INR"}
_CODES = (
    *(
        "USD",
        "EUR",
        "GBP",
        "JPY",
        "CHF",
        "CAD",
        "AUD",
        "CNY",
        "INR",
        "SEK",
        "NOK",
        "DKK",
        "HKD",
        "SGD",
        "BRL",
    ),
    *("MXN", "KRW", "ZAR", "NZD", "PLN", "TRY", "AED", "SAR", "ILS", "THB", "TWD"),
)
_SIGNS = "-−–"

_CURRENCY = (
    r"(?:(?:US|C|CA|A|AU|NZ|HK|S|R|NT)\$|U\.S\.\s?\$|[$€£¥₹₩]|(?:"
    + "|".join([*_CODES, "RMB"])
    + r")(?![A-Za-z]))"
)
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_SCALE = (
    r"(?:\s?-?(?:trillion|billion|million|thousand|trn|tn|bln|bn|mln|mn)s?|\s?mm|MM|[kKmMbBtT])"
    r"(?![A-Za-z]|-\d)"
)
_UNIT = (
    r"(?:\s?%|\s?per\s?cent(?:age\s+points?)?|\s?percentage\s+points?|\s?(?:bps?|basis[\s-]+points?)\b|\s?[xX](?![\w])"
    r"|\s+times\b|[\s-]+(?:days?|months?|years?)\b|\s+shares\b)"
)
_FIGURE = re.compile(
    rf"(?P<open>\()?(?P<sign>[{_SIGNS}+])?(?:(?P<currency>(?<![A-Za-z]){_CURRENCY})\s?)?(?P<inner>\()?(?P<sign2>[{_SIGNS}])?"
    rf"(?<![\w.,])(?P<number>{_NUMBER})(?![\d]|[.,]\d|(?:st|nd|rd|th)\b)(?P<closed>\))?"
    rf"(?P<scale>{_SCALE})?(?P<unit>{_UNIT})?"
    rf"(?P<named>\s+(?:(?:U\.?S\.?\s+)?(?:dollars?|euros?|pounds?|yen|francs?|rupees?)|{'|'.join(_CODES)})\b)?(?P<close>\))?"
)
_APPROXIMATE = re.compile(
    r"(?:\b(?:approximately|approx\.?|about|around|roughly|nearly|almost|circa|ca\.|c\.|some|estimated|over|under"
    r"|more\s+than|less\s+than|at\s+least|up\s+to|just\s+over|just\s+under|close\s+to)|~|≈|>|<)\s*$",
    re.IGNORECASE,
)
# Words after which a number is a name; and what follows a number that is one.
_LABEL = re.compile(
    r"(?:\b(?:items?|notes?|parts?|sections?|sec\.|rules?|forms?|pages?|pp?\.|exhibits?|tables?|figures?|levels?|tiers?|series"
    r"|phases?|topics?|subtopic|asus?|asc|ifrs|ias|no\.?|nos\.?|numbers?|chapters?|articles?|schedules?|appendix|volume"
    r"|step|stage|type|class|room|suite|floor|box|s&p|russell|nikkei|ftse|stoxx|covid|question|footnotes?|paragraph|line"
    r"|(?:fund|area|zip|code)|§+|#)\s*|-|/)$",
    re.IGNORECASE,
)
_NOT_A_FIGURE_AFTER = re.compile(
    r"[A-Za-z_]|[-–][A-Za-z]|:\d\d|\([a-z]\)|-\d{3,4}(?!\d)|/\d|\s?(?:[ap]\.?m\b)"
)
_FORM_NAMES = re.compile(r"(?:10|8|6|11)[kKqQ]|(?:20|40)[fF]")
_PER_SHARE = re.compile(
    r"\s+(?:per|a|for\s+each)\s+(?:[\w-]+\s+){0,3}?(?:share|unit)\b|\s*/\s*(?:share|unit)\b", re.IGNORECASE
)
_TELEPHONE = re.compile(r"\s?\d{3}[-. ]\d{4}(?!\d)")
_LIST_MARKER = re.compile(r"(?:^|\n)[ \t]*\(?$")


def find_figures(text: str, periods: Sequence[PeriodSpan] | None = None) -> tuple[Figure, ...]:
    """The figures written in the text, in order. A range ("$3–5 million") is two of them.

    :param periods: `find_periods` of the text, where the caller has them already.
    """
    spans = [(span.start, span.end) for span in (find_periods(text) if periods is None else periods)]
    found = [*_digits(text, spans), *_spelled(text)]
    found.sort(key=lambda figure: (figure.start, -figure.end))
    kept: list[Figure] = []
    for figure in found:
        if not kept or figure.start >= kept[-1].end:
            kept.append(figure)
    return tuple(_with_ranges(text, kept))


def _digits(text: str, periods: list[tuple[int, int]]) -> Iterator[Figure]:
    for match in _FIGURE.finditer(text):
        number = match.span("number")
        inside = any(start < number[1] and number[0] < end for start, end in periods)
        if not (inside and not (match["currency"] or match["scale"])) and not _is_label(text, match):
            yield _figure(text, match)


def _is_label(text: str, match: re.Match[str]) -> bool:
    """Whether the number names something: a note, a form, a list item, a phone number, a time."""
    start, end = match.start("number"), match.end("number")
    if match["currency"]:
        return False
    if _FORM_NAMES.fullmatch(text, start, end + 1):
        return True
    measured = bool(match["scale"] or match["unit"] or match["named"])
    if measured:
        return False
    before, after = text[max(0, start - 24) : start], text[end : end + 8]
    if _LABEL.search(before) and not _signed(text, match):
        return True
    if _NOT_A_FIGURE_AFTER.match(after):
        return True
    whole = match["number"].isdigit()
    if whole and match["open"] and (match["closed"] or match["close"]):
        # A list marker or a footnote, or the area code of a telephone.
        return int(match["number"]) <= 20 or _TELEPHONE.match(text, match.end()) is not None
    return whole and len(match["number"]) <= 2 and after[:1] in (".", ")") and _opens_a_line(text, match)


def _opens_a_line(text: str, match: re.Match[str]) -> bool:
    return _LIST_MARKER.search(text[: match.start("number")][-40:]) is not None and (
        text[match.end("number") + 1 : match.end("number") + 2].isspace()
    )


def _figure(text: str, match: re.Match[str]) -> Figure:
    start, end = _bounds(match)
    printed = float(match["number"].replace(",", ""))
    scale = _scale(match["scale"])
    unit, currency = _unit_of(text, match, end), _currency_of(match)
    if _negative(text, match):
        printed = -printed
    decimals = len(match["number"].partition(".")[2])
    return Figure(
        start,
        end,
        text[start:end],
        value=printed * scale,
        printed=printed,
        scale=scale,
        unit=unit,
        currency=currency,
        step=scale * 10.0**-decimals,
        approximate=_APPROXIMATE.search(text[max(0, start - 24) : start]) is not None,
    )


def _bounds(match: re.Match[str]) -> tuple[int, int]:
    """The span without a parenthesis that is opened or closed outside it."""
    start, end = match.start(), match.end()
    closes = bool(match["closed"]) + bool(match["close"])
    opens = bool(match["open"]) + bool(match["inner"])
    if match["open"] and closes < opens:
        start += 1
    if match["close"] and opens < closes:
        end -= 1
    elif match["closed"] and opens < closes:
        end = match.start("closed")
    if match["sign"] and not _signed_at(match.string, match.start("sign")):
        start = match.start("sign") + 1
    text = match.string
    while start < end and text[start].isspace():
        start += 1
    return start, end


def _signed(text: str, match: re.Match[str]) -> bool:
    return any(match[name] and _signed_at(text, match.start(name)) for name in ("sign", "sign2"))


def _signed_at(text: str, position: int) -> bool:
    """A dash is a minus where nothing that it could join stands before it."""
    before = text[:position].rstrip(" ")[-1:]
    touching = text[position - 1 : position] if position else ""
    return not touching.strip() or touching in "($€£¥" or before in "(:=,"


def _negative(text: str, match: re.Match[str]) -> bool:
    if any(match[n] and match[n] != "+" and _signed_at(text, match.start(n)) for n in ("sign", "sign2")):
        return True
    if match["inner"] and (match["closed"] or match["close"]):
        return True
    if not (match["open"] and (match["close"] or match["closed"])):
        return False
    # "(12.5%)" or "($3 million)" after a word is an aside; after another number it is a negative one.
    aside = bool(match["scale"] or match["unit"]) and not match["closed"]
    before = text[: match.start()].rstrip(" $")[-1:]
    return not aside or not before or before in "0123456789)%—–-\n|"


def _scale(written: str | None) -> float:
    if not written:
        return 1.0
    word = written.strip(" -\n\t\xa0").lower()
    return _SCALES[word] if word in _SCALES else _SCALES[word.rstrip("s")]


def _currency_of(match: re.Match[str]) -> str:
    if match["currency"]:
        written = re.sub(r"\s", "", match["currency"])
        return _SYMBOLS.get(written, written)
    if match["named"]:
        word = match["named"].split()[-1]
        return word if word in _CODES else _NAMES[word.lower().rstrip("s")]
    return ""


def _unit_of(text: str, match: re.Match[str], end: int) -> Unit:
    written = (match["unit"] or "").strip(" -\n").lower()
    if match["currency"] or match["named"]:
        return "per share" if _PER_SHARE.match(text, end) else "currency"
    if written.startswith(("%", "per")):
        return "percent"
    if written.startswith(("bp", "basis")):
        return "bps"
    if written in ("x", "times"):
        return "multiple"
    for unit in ("days", "months", "years", "shares"):
        if written.rstrip("s") == unit[:-1]:
            return unit  # type: ignore[return-value]
    return "count"


# --- numbers in words --------------------------------------------------------------------------

_ONES = (
    *(
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORD_VALUES = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * (position + 2) for position, word in enumerate(_TENS)
}
_SMALL = "|".join(sorted(_WORD_VALUES, key=len, reverse=True))
_BIG = "hundred|thousand|million|billion|trillion"
_SPELLED = re.compile(
    rf"\b(?P<words>(?:half\s+a|(?:{_SMALL}))(?:(?:[\s-]+(?:and\s+)?)(?:{_SMALL}|{_BIG})\b)*)"
    rf"(?P<unit>\s+(?:percent(?:age\s+points?)?|per\s+cent|basis\s+points|times)\b)?"
    rf"(?P<named>\s+(?:(?:U\.?S\.?\s+)?(?:dollars|euros|pounds)|{'|'.join(_CODES)})\b)?",
    re.IGNORECASE,
)


def _spelled(text: str) -> Iterator[Figure]:
    """Numbers in words, where a scale, a unit or a currency shows that they measure something."""
    for match in _SPELLED.finditer(text):
        parts = re.findall(r"half|[a-z]+", match["words"].lower())
        scaled = any(part in _BIG.split("|") for part in parts)
        if not (scaled or match["unit"] or match["named"]) or (parts[0] == "half" and not scaled):
            continue
        value = _spelled_value(parts)
        scale = next((_SCALES[p] for p in reversed(parts) if p in _SCALES and _SCALES[p] >= 1e3), 1.0)
        unit = _spelled_unit(match)
        yield Figure(
            match.start(),
            match.end(),
            match[0],
            value=value,
            printed=value / scale,
            scale=scale,
            unit=unit,
            currency=_currency_of_words(match["named"]),
            step=scale / 10 if parts[0] == "half" else scale,
            approximate=_APPROXIMATE.search(text[max(0, match.start() - 24) : match.start()]) is not None,
        )


def _spelled_value(parts: list[str]) -> float:
    total, group = 0.0, 0.0
    for part in parts:
        if part == "half":
            group = 0.5
        elif part in _WORD_VALUES:
            group += _WORD_VALUES[part]
        elif part == "hundred":
            group = (group or 1) * 100
        elif part in _SCALES:
            total += (group or 1) * _SCALES[part]
            group = 0.0
    return total + group


def _spelled_unit(match: re.Match[str]) -> Unit:
    written = (match["unit"] or "").strip().lower()
    if match["named"]:
        return "currency"
    if written.startswith("per"):
        return "percent"
    if written.startswith("basis"):
        return "bps"
    return "multiple" if written == "times" else "count"


def _currency_of_words(named: str | None) -> str:
    if not named:
        return ""
    word = named.split()[-1]
    return word if word in _CODES else _NAMES[word.lower().rstrip("s")]


# --- ranges ------------------------------------------------------------------------------------

_TO = re.compile(r"\s*(?:[-–—]|to|and|or)\s*")


def _with_ranges(text: str, figures: list[Figure]) -> list[Figure]:
    """In "$3–5 million" the first takes its scale and unit from the second, the second its currency."""
    result = list(figures)
    for position in range(len(result) - 1):
        left, right = result[position], result[position + 1]
        between = text[left.end : right.start]
        if _TO.fullmatch(between) and _belong(text, left, between):
            result[position], result[position + 1] = _shared(left, right)
    return result


def _belong(text: str, left: Figure, between: str) -> bool:
    if between.strip() in ("and", "or"):
        return re.search(r"\bbetween\s+(?:approximately\s+)?$", text[: left.start]) is not None
    return True


def _shared(left: Figure, right: Figure) -> tuple[Figure, Figure]:
    if right.printed < 0 and left.printed >= 0 and right.text[0] in _SIGNS:
        right = replace(right, printed=-right.printed, value=-right.value)
    if left.unit == "count" and right.unit != "count":
        left = replace(left, unit=right.unit, currency=right.currency)
    elif right.unit == "count" and left.unit in ("currency", "per share"):
        right = replace(right, unit=left.unit, currency=left.currency)
    if left.scale == 1 and right.scale > 1 and abs(left.printed) < 1000 and left.unit == right.unit:
        left = replace(
            left, scale=right.scale, value=left.printed * right.scale, step=left.step * right.scale
        )
    return left, right


# --- comparison --------------------------------------------------------------------------------

_UNSCALED: tuple[Unit, ...] = ("percent", "bps", "multiple", "per share")


def same_figure(
    written: Figure,
    source: Figure,
    *,
    source_scale: float = 1.0,
    finer: bool = True,
    ignore_sign: bool = False,
) -> bool:
    """Whether ``written`` states ``source``, up to the rounding of the less precise of the two.

    :param source_scale: what the source's table multiplies its numbers by ("in millions" is 1e6);
        it applies to a source without a scale of its own, not to percentages, multiples or
        amounts per share.
    :param finer: whether ``written`` may carry more digits than the source ("$1,204.3 million" for
        "$1.2 billion").
    :param ignore_sign: for "a loss of $3.4 million" against "(3.4)".
    """
    scale = source_scale if source.scale == 1 and source.unit not in _UNSCALED else 1.0
    if not _comparable(written, source, scale):
        return False
    left, left_step = _common(written)
    right, right_step = _common(source)
    right, right_step = right * scale, right_step * scale
    if ignore_sign:
        left, right = abs(left), abs(right)
    # A figure that is not exact is as precise as its last digit that is not zero.
    left_step = max(left_step, _significant(written)) if written.approximate else left_step
    if not finer and left_step < right_step * (1 - 1e-9):
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12)
    slack = 0.5 * max(left_step, right_step)
    return abs(left - right) <= slack * (1 + 1e-9) + 1e-9 * max(abs(left), abs(right))


def _comparable(written: Figure, source: Figure, scale: float) -> bool:
    if written.currency and source.currency and written.currency != source.currency:
        return False
    rates = ("percent", "bps")
    if written.unit == source.unit or (written.unit in rates and source.unit in rates):
        return True
    if "count" in (written.unit, source.unit):  # a table's cell does not repeat its unit
        other = source.unit if written.unit == "count" else written.unit
        return scale == 1 or other not in _UNSCALED
    return {written.unit, source.unit} == {"currency", "per share"} and scale == 1


def _common(figure: Figure) -> tuple[float, float]:
    """Value and step, basis points as percent."""
    return (figure.value / 100, figure.step / 100) if figure.unit == "bps" else (figure.value, figure.step)


def _significant(figure: Figure) -> float:
    """The value of one unit in the last digit that is not zero."""
    value, step = _common(figure)
    count = round(abs(value) / step) if step else 0
    while count and count % 10 == 0:
        count //= 10
        step *= 10
    return step
