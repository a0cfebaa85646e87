"""Tables of what falls due on debt in each future year.

Two shapes: years down the side under a sentence about maturities of debt or under a column for
debt; and years (or "less than 1 year", "1-3 years", …) across the top with debt among the rows.
Tables of leases, amortisation, benefits or purchase commitments alone do not count, nor does a
list of issues with their due dates.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from aethel_core.statements.lines import Row

_DUE_WORDS = (
    "thereafter",
    "less than",
    "payment due",
    "payments due",
    "maturi",
    "maturing",
    "principal payments",
    "due within",
)
_DEBT_WORDS = ("debt", "notes", "borrowings", "debentures", "bonds", "loan", "mortgage")
_YEARS = re.compile(r"\b(20\d\d)\b(?:\s*[-–—]\s*(?:20)?(\d\d)\b)?")
_LEADING = re.compile(
    r"(?:fiscal(?: year)?|fy|(?:for the )?years? end(?:ing|ed) [a-z]+ \d{1,2},?)?\s*\(?", re.IGNORECASE
)
_PERIOD_HEADER = re.compile(
    r"less than|due within|within 1|(?:1|one)\s*(?:-|–|to)\s*(?:3|three)|payments? due by", re.IGNORECASE
)
_PERIODS_AHEAD = re.compile(
    r"\b\d\s?(?:-|–|to|and)\s?\d\b|(?:more than|after|over|beyond)\W+(?:\d|five)|thereafter|5 years and",
    re.IGNORECASE,
)
_OBLIGATIONS = re.compile(r"obligation|commitment|payments? due|contractual|maturit", re.IGNORECASE)
_DEBT = re.compile(
    r"\b(?:debt|notes|borrowings|debentures|bonds|term loans?|credit facilit(?:y|ies)|indebtedness"
    r"|mortgages?)\b",
    re.IGNORECASE,
)
_DUE = re.compile(
    r"matur|principal (?:payment|repayment|amount)|repayments?|payments? (?:due|of principal|required)"
    r"|sinking fund|falls? due|amortization (?:payments|schedule)",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"lease|amortization expense|benefit|pension|purchase|minimum|intangible|marketable|investments?"
    r"|available-for-sale"
)
_CLEARLY_DEBT = re.compile(r"long-?term debt|total debt|notes|borrowings")
_KINDS_OF_DEBT = (
    r"(?:(?:principal|repayments?|payments?|maturities) (?:of|on) )?"
    r"(?:long-?term |total |senior |convertible |secured |unsecured |gross |bank |corporate |outstanding )*"
    r"(?:debt|notes?|borrowings|debentures|bonds|term loans?|credit facilit(?:y|ies)|mortgages?"
    r"|(?:fixed|variable|floating)[- ]rate|indebtedness)"
)
_DEBT_ROW = re.compile(
    _KINDS_OF_DEBT
    + r"(?:,? (?:principal|obligations?|maturities|payments?|including|excluding|net|and|at|gross|debt|\()"
    r".{0,50})?\W*(?:\(?\w\)?)?"
)
_DEBT_COLUMN = re.compile(r"(?<!interest on )\b(?:debt|borrowings|senior notes|term loans?|debentures)\b")
_WORD = re.compile(r"[A-Za-z]{2,}")
_CELL_LENGTH = 25
_CELLS_BETWEEN = 12
_INTRO_ROWS = 5
_HEADER_ROWS = 12
_TABLE_ROWS = 70
_YEARS_NEEDED = 4
_SPANS_NEEDED = 3
_FIGURES_NEEDED = 3


@dataclass(frozen=True, slots=True)
class _Run:
    """Rows ``start`` up to ``end`` with consecutive years; ``down`` the side or across."""

    start: int
    end: int
    down: bool


def has_debt_maturities(table: list[Row], text: str) -> bool:
    """:param text: the page's text, for a quick look first."""
    lower = text.lower()
    if not any(w in lower for w in _DUE_WORDS) or not any(w in lower for w in _DEBT_WORDS):
        return False
    if any(_introduced_as_debt(table, run.start) or _has_debt(table, run) for run in _year_runs(table)):
        return True
    return any(_debt_row_below(table, i + 1) for i in range(len(table)) if _heads_periods(table, i))


def _year_runs(table: list[Row]) -> list[_Run]:
    runs: list[_Run] = []
    i = 0
    while i < len(table):
        if _few_words(table[i]) and _consecutive(_spans(table[i].text)) >= _YEARS_NEEDED:
            runs.append(_Run(i, i + 1, False))
            i += 1
            continue
        run, years = _walk(table, i)
        if years >= _YEARS_NEEDED:
            runs.append(run)
            i = run.end
        else:
            i += 1
    return runs


def _spans(text: str) -> list[tuple[int, int]]:
    """Years and ranges of years in the text: "2021-22" is (2021, 2022)."""
    return [(int(a), int(a[:2] + b) if b else int(a)) for a, b in _YEARS.findall(text)]


def _consecutive(spans: list[tuple[int, int]]) -> int:
    """How many years the longest unbroken upward run of three or more spans covers."""
    best = covered = length = 0
    last = None
    for first, end in spans:
        if last is None or first != last + 1:
            covered = length = 0
        covered, length, last = covered + end - first + 1, length + 1, end
        if length >= _SPANS_NEEDED:
            best = max(best, covered)
    return best


def _walk(table: list[Row], start: int) -> tuple[_Run, int]:
    """Follow rows that begin with the next year, cells of figures between them allowed.

    The run, and how many years it covers."""
    first = _leading(table[start])
    if first is None:
        return _Run(start, start + 1, False), 0
    spans, end, down = [first], start + 1, _cells_beside_year(table[start])
    for i in range(start + 1, len(table)):
        span = _leading(table[i])
        if span is not None and span[0] == spans[-1][1] + 1:
            down = down or i > end or _cells_beside_year(table[i])
            spans.append(span)
            end = i + 1
        elif i - end > _CELLS_BETWEEN or len(table[i].text) > _CELL_LENGTH:
            break
    return _Run(start, end, down), _consecutive(spans)


def _leading(row: Row) -> tuple[int, int] | None:
    """The year or range of years that a row starts with."""
    if not _few_words(row):
        return None
    lead = _LEADING.match(row.text)
    match = _YEARS.match(row.text, lead.end() if lead else 0)
    return _spans(match.group())[0] if match else None


def _cells_beside_year(row: Row) -> bool:
    return bool(re.search(r"\d", _YEARS.sub("", row.text, count=1)))


def _few_words(row: Row) -> bool:
    return len(_WORD.findall(row.text)) <= 5 and not row.text.endswith(".")


def _introduced_as_debt(table: list[Row], start: int) -> bool:
    """The sentence above the table speaks of maturities of debt."""
    intro = " ".join(row.text for row in table[max(0, start - _INTRO_ROWS) : start]).lower()
    parts = re.split(r"(?<=[a-z)])\.\s+(?=[a-z])", intro)
    own = " ".join(parts[-2:]) if len(parts[-1]) < _CELL_LENGTH else parts[-1]
    if not _DEBT.search(own) or not _DUE.search(own):
        return False
    return not _OTHER.search(own) or bool(_CLEARLY_DEBT.search(own))


def _has_debt(table: list[Row], run: _Run) -> bool:
    if run.down:
        return bool(_DEBT_COLUMN.search(" ".join(_header(table, run.start)).lower()))
    return _debt_row_below(table, run.end)


def _header(table: list[Row], start: int) -> list[str]:
    """The lines directly above the table, up to the first sentence."""
    header: list[str] = []
    for row in reversed(table[max(0, start - _HEADER_ROWS) : start]):
        if row.prose or row.text.endswith((".", ":")):
            break
        header.append(row.text)
    return header[::-1]


def _debt_row_below(table: list[Row], start: int) -> bool:
    for i in range(start, min(len(table), start + _TABLE_ROWS)):
        if table[i].prose and table[min(i + 1, len(table) - 1)].prose:
            return False
        figures = sum(row.figures for row in table[i : i + 7])
        if figures >= _FIGURES_NEEDED and _DEBT_ROW.fullmatch(table[i].label):
            return True
    return False


def _heads_periods(table: list[Row], i: int) -> bool:
    """A header such as "Less than 1 year, 1-3 years, 3-5 years, after 5 years" of obligations."""
    text = table[i].text
    before = " ".join(row.text for row in table[max(0, i - _HEADER_ROWS) : i + 1])
    if table[i].prose or not _OBLIGATIONS.search(before):
        return False
    if "thereafter" in text.lower() and len(_YEARS.findall(text)) >= 2:
        return True
    ahead = " ".join(row.text for row in table[i : i + _HEADER_ROWS])
    return bool(_PERIOD_HEADER.search(text)) and len(_PERIODS_AHEAD.findall(ahead)) >= 2
