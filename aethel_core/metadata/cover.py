"""The cover page of an SEC filing: form, registrant, trading symbol, date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from aethel_core.metadata.dates import date_after, dates
from aethel_core.types import DocumentType, Page

_DATE_OVER = 45  # characters: the date printed on the line over its label
_DATE_UNDER = 200
_FORM = re.compile(
    r"\bform\s*(10[-\s]?kt?(?:405)?|10[-\s]?q|8[-\s]?k|20[-\s]?f|40[-\s]?f|6[-\s]?k)\b", re.IGNORECASE
)
_REPORT = re.compile(r"\b(annual|quarterly|current)\s+report\b", re.IGNORECASE)
_DASHES = re.compile(r"[‐‑‒–—−]")
_LABEL = re.compile(r"exact\s*name[s]?\s*of\s*(?:each\s*)?(?:co-?)?registrant", re.IGNORECASE)
_FILE_NUMBER = re.compile(r"commission\s+file\s+n", re.IGNORECASE)
_HAS_LETTERS = re.compile(r"[A-Za-z]{2}")
_NOT_A_NAME = re.compile(
    r"commission|file\s+n|\bform\s|\breport\b|transition|period|ended|pursuant|\bact of\b|washington,?\s*d"
    r"|mark one|^or$|securities and exchange|exchange act|table of contents|^index$|date of",
    re.IGNORECASE,
)
_ONLY_SUFFIX = re.compile(
    r"(?:inc|incorporated|corp|corporation|company|co|ltd|limited|llc|l\.?p|plc|and subsidiaries|& co)\W*",
    re.IGNORECASE,
)
_ROW_START = re.compile(r"^[\d\s-]{4,}\s+")
_ROW_END = re.compile(r"\s*\([^)]*\)?.*$|\s+\d\d-\d{7}\b.*$")
_SYMBOL = re.compile(
    r"(?<![\w.&-])(?P<symbol>[A-Z]{1,5}(?:\.[A-Z])?)\s+(?:the\s+)?"
    r"(?:New\s+York\s+Stock|NYSE|NASDAQ|Nasdaq|Cboe|Chicago\s+Stock|NASDAQ)",
)
_UNDER_SYMBOL = re.compile(
    r"\bsymbols?\W{1,4}(?:is\s+|was\s+)?[“\"‘']?(?P<symbol>[A-Z]{1,5}(?:\.[A-Z])?)\b(?!\s+[A-Z]{2})"
)
_NOT_SYMBOLS = frozenset({"NYSE", "LLC", "INC", "N", "A", "NONE", "THE", "NOTE", "NA", "CLASS"})
_TYPES = {"10K": DocumentType.TEN_K, "10Q": DocumentType.TEN_Q, "8K": DocumentType.EIGHT_K}
_DATED = {
    DocumentType.TEN_K: r"(?:fiscal\s+)?years?\s+ended"
    r"|transition\s+period\s+from\W{0,4}\w*\s*\d*\W{0,3}\d*\s+to",
    DocumentType.TEN_Q: r"quarter(?:ly)?\s+(?:period\s+)?ended|period\s+ended",
    DocumentType.EIGHT_K: r"date\s+of\s+(?:earliest\s+event\s+)?report(?:ed)?\W*"
    r"(?:\(date\s+of\s+earliest\s+event\s+reported\)?)?",
}


@dataclass(frozen=True, slots=True)
class Cover:
    """``text`` is the page with white space collapsed, ``lines`` its lines that have letters."""

    form: str  # "10-K", "20-F" …
    type: DocumentType
    lines: tuple[str, ...]
    text: str


def find_cover(pages: Sequence[Page], within: int) -> Cover | None:
    """The first cover among the first ``within`` pages."""
    for i, page in enumerate(pages[:within]):
        text = _DASHES.sub("-", " ".join(page.text.split()))
        form = _FORM.search(text)
        if form is None or not _is_cover(text):
            continue
        code = re.sub(r"[-\s]", "", form[1]).upper()
        kind = _TYPES.get(code[: 2 if code.startswith("8") else 3], DocumentType.OTHER)
        more = " ".join(pages[i + 1].text.split()) if i + 1 < len(pages) else ""
        lines = tuple(" ".join(line.split()) for line in page.text.split("\n"))
        name = form[1].upper().replace(" ", "-")
        return Cover(
            name, kind, tuple(line for line in lines if _HAS_LETTERS.search(line)), f"{text} {more[:3000]}"
        )
    return None


def _is_cover(text: str) -> bool:
    if _LABEL.search(text):
        return True
    return bool(_FILE_NUMBER.search(text) and _REPORT.search(text))


def registrant(cover: Cover) -> str:
    """The name printed over "(Exact name of registrant …)"; without that label, the name under
    the commission file number. "" when neither is there."""
    for i, line in enumerate(cover.lines):
        label = _LABEL.search(line)
        if label is None:
            continue
        before = line[: label.start()].strip(" (")
        if _HAS_LETTERS.search(before) and not _NOT_A_NAME.search(before):
            return before
        return _name_above(cover.lines, i) or _name_below(cover.lines, i)
    for i, line in enumerate(cover.lines):
        if _FILE_NUMBER.search(line):
            return _name_below(cover.lines, i)
    return ""


def _name_above(lines: Sequence[str], label: int) -> str:
    parts: list[str] = []
    for line in reversed(lines[max(0, label - 3) : label]):
        if _NOT_A_NAME.search(line) or (
            parts and not _ONLY_SUFFIX.fullmatch(parts[0]) and not line.endswith((",", "&"))
        ):
            break
        parts.insert(0, line)
    return " ".join(parts)


def _name_below(lines: Sequence[str], label: int) -> str:
    """The next line that can be a name, without the numbers and the state of a table row."""
    for line in lines[label + 1 : label + 6]:
        name = _ROW_START.sub("", _ROW_END.sub("", line))
        if _HAS_LETTERS.search(name) and not _NOT_A_NAME.search(name) and not name.startswith("("):
            return name
    return ""


def trading_symbol(cover: Cover) -> str:
    """The first symbol of the table of registered securities, which is the common stock's."""
    start = re.search(r"trading\s*symbol", cover.text, re.IGNORECASE)
    if start is None:
        return ""
    end = re.search(r"section\s*12\(g\)|indicate\s+by\s+check", cover.text[start.end() :], re.IGNORECASE)
    table = cover.text[start.end() : start.end() + (end.start() if end else 2000)]
    return next((m["symbol"] for m in _SYMBOL.finditer(table) if m["symbol"] not in _NOT_SYMBOLS), "")


def symbol_in_text(pages: Sequence[Page]) -> str:
    """ "… is traded under the symbol “ABCD”", for covers from before symbols stood on them."""
    for page in pages:
        if "symbol" not in page.text:
            continue
        match = _UNDER_SYMBOL.search(" ".join(page.text.split()))
        if match and match["symbol"] not in _NOT_SYMBOLS:
            return match["symbol"]
    return ""


def cover_date(cover: Cover) -> date | None:
    """The end of the period the form is for; for a current report the date of the report."""
    words = _DATED.get(cover.type, _DATED[DocumentType.TEN_K])
    found = date_after(cover.text, words)
    label = re.search(words, cover.text, re.IGNORECASE)
    if found is not None or label is None:
        return found
    over = [day for day, _ in dates(cover.text[max(0, label.start() - _DATE_OVER) : label.start()])]
    if over:
        return over[0]
    return next((day for day, position in dates(cover.text[label.end() :]) if position < _DATE_UNDER), None)
