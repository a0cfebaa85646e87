"""Rows cut into the pieces that may become the cells of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from aethel_core.parsing import numbers
from aethel_core.parsing.layout import Row
from aethel_core.parsing.words import Word

_CLOSING = frozenset({")", "%", ")%", "%)"})
_FOOTNOTE = re.compile(r"\(?[a-z1-9]{1,2}\)|\*{1,3}|[†‡§]", re.IGNORECASE)
_MARK = re.compile(r"\(?[a-z0-9]{1,2}\)?(?:[,\s]+\(?[a-z0-9]{1,2}\)?){0,4}|\*{1,3}|[†‡§]", re.IGNORECASE)
_SMALL = 0.8  # of the row's size; marks of footnotes are smaller than that
_NUMERIC_LABEL = re.compile(
    r"(?:19|20)\d\d(?:\s*[-–—]\s*(?:19|20)?\d\d)?|\(?\d{1,2}[.)]?|\d+.*[a-z]", re.IGNORECASE
)
_LEADER = re.compile(r"(?<=[\w)’])(?:\s?\.){4,}$|_{3,}$")
_NUMBER_GAP = 0.4  # em; two numbers further apart than this are two numbers
_STAR_GAP = 2.0  # em; a star this near a number marks a footnote
_RUNNING_WORDS = 8
_GAP = 0.9  # em; words set further apart than this stand in different cells


@dataclass(slots=True)
class Piece:
    """A run of words; ``kind`` is "number", "dash", "quantity" (a range or a worded amount) or "text"."""

    x0: float
    x1: float
    text: str
    kind: str
    words: list[Word]

    @property
    def numeric(self) -> bool:
        return self.kind != "text"

    @property
    def centre(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def length(self) -> int:
        """In words."""
        return self.text.count(" ") + 1


@dataclass(slots=True)
class TableLine:
    """A row of the page, its pieces, and which of them are values rather than its label."""

    row: Row
    pieces: list[Piece]
    label: str = ""
    values: list[Piece] = field(default_factory=list)

    @property
    def x0(self) -> float:
        return self.row.x0

    @property
    def em(self) -> float:
        return self.row.size

    def set_label(self, left: float) -> None:
        """Take the first piece for the label: words, or a year or ordinal standing at ``left``."""
        first = self.pieces[0] if self.pieces else None
        if first is not None and (first.kind == "text" or self._begins_with_ordinal(left)):
            self.label, self.values = first.text, [p for p in self.pieces[1:] if p.numeric]
        else:
            self.label, self.values = "", [p for p in self.pieces if p.numeric]

    def _begins_with_ordinal(self, left: float) -> bool:
        """Whether the number the row begins with is its label: a year, or one before words."""
        first, *rest = self.pieces
        if first.x0 > left + 2 * self.em:
            return False
        return _NUMERIC_LABEL.fullmatch(first.text) is not None or (bool(rest) and rest[0].kind == "text")


def pieces_of(row: Row) -> list[Piece]:
    """Cut a row into numbers and runs of words; "$", "%" and ")" are joined to their number."""
    if _is_running_text(row):
        fragment = row.fragments[0]
        return [_finished(Piece(fragment.x0, fragment.x1, row.text, "text", list(fragment.words)))]
    builder = _Builder()
    for n, fragment in enumerate(row.fragments):
        if n and fragment.size < _SMALL * row.size and _MARK.fullmatch(fragment.text):
            continue  # a footnote mark
        for word in fragment.words:
            builder.add(word, fragment.size)
    return [_finished(piece) for piece in builder.done(row.size)]


def _is_running_text(row: Row) -> bool:
    """Whether a row is plainly one piece, as most lines of prose are."""
    words = row.fragments[0].words
    if len(row.fragments) > 1 or len(words) < _RUNNING_WORDS:
        return False
    wide = _NUMBER_GAP * row.size
    return all(b.x0 - a.x1 <= wide for a, b in pairwise(words)) and "...." not in row.text


def _finished(piece: Piece) -> Piece:
    if piece.kind == "text":
        if piece.text[-1] in "._":
            piece.text = _LEADER.sub("", piece.text).rstrip()
        if numbers.is_quantity(piece.text):
            piece.kind = "quantity"
    return piece


def _ends_in_leader(text: str) -> bool:
    return text.endswith("....") or text.endswith("____")


class _Builder:
    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._end: float | None = None
        self._symbol: Word | None = None
        self._symbol_gap = 0.0

    def add(self, word: Word, em: float) -> None:
        gap = em if self._end is None else word.x0 - self._end
        self._end = word.x1
        last = self._pieces[-1] if self._pieces else None
        if word.text in numbers.CURRENCIES:
            self._flush_symbol(em)
            self._symbol, self._symbol_gap = word, gap
        elif word.text[-1] in numbers.CURRENCIES and numbers.is_number(word.text[:-1]):
            self._with_symbol_of_next(word, gap, em)
        elif last and last.kind == "number" and word.text in _CLOSING and gap < 1.5 * em:
            last.text += word.text
            last.x1 = word.x1
            last.words.append(word)
        elif self._symbol is not None:
            self._after_symbol(word, gap, em)
        else:
            self._append(word.x0, word.x1, word.text, _kind(word.text), gap, em)

    def _with_symbol_of_next(self, word: Word, gap: float, em: float) -> None:
        """Take apart "(4.2)$", where a tight column sets the sign of the next number against this one."""
        symbol_x0 = word.x1 - (word.x1 - word.x0) / len(word.text)
        self._end = word.x0 - gap
        self.add(Word(word.x0, symbol_x0, word.text[:-1]), em)
        self._symbol, self._symbol_gap = Word(symbol_x0, word.x1, word.text[-1]), 0.0
        self._end = word.x1

    def _after_symbol(self, word: Word, gap: float, em: float) -> None:
        """Join a currency sign to the number or dash it stands before, however far apart."""
        symbol, kind = self._symbol, _kind(word.text)
        if kind == "text":
            self._flush_symbol(em)
            self._append(word.x0, word.x1, word.text, kind, gap, em)
            return
        self._symbol = None
        last = self._pieces[-1] if self._pieces else None
        before = em if last is None or last.numeric else symbol.x0 - last.x1
        text = symbol.text + word.text if kind == "number" else word.text
        self._append(symbol.x0, word.x1, text, kind, before, em)

    def _append(self, x0: float, x1: float, text: str, kind: str, gap: float, em: float) -> None:
        last = self._pieces[-1] if self._pieces else None
        word = Word(x0, x1, text)
        if last is not None and last.kind == "number" and gap < _STAR_GAP * em and not text.strip("*†‡§"):
            return
        apart = _GAP
        if last is not None and last.kind == kind == "number":
            apart = 0.0 if text[0] in "$€£(" else _NUMBER_GAP
        if last is None or gap > apart * em or _ends_in_leader(last.text):
            self._pieces.append(Piece(x0, x1, text, kind, [word]))
        elif not (last.kind == "number" and _FOOTNOTE.fullmatch(text)):
            last.text += " " + text
            last.x1 = x1
            last.kind = "text"
            last.words.append(word)

    def _flush_symbol(self, em: float) -> None:
        """Let a currency sign that no number follows be a word."""
        symbol, self._symbol = self._symbol, None
        if symbol is not None:
            self._append(symbol.x0, symbol.x1, symbol.text, "text", self._symbol_gap, em)

    def done(self, em: float) -> list[Piece]:
        self._flush_symbol(em)
        return self._pieces


def _kind(text: str) -> str:
    if numbers.is_number(text) or text.lower() in numbers.NOT_AVAILABLE:
        return "number"
    return "dash" if text in numbers.DASHES else "text"


Range = tuple[float, float]


def column_ranges(lines: Sequence[TableLine]) -> list[Range]:
    """The x ranges of the columns of a table with this body, left to right.

    Overlapping values are merged, unless one row has more values than that leaves columns.
    """
    columns: list[list[float]] = []
    for x0, x1 in sorted((p.x0, p.x1) for line in lines for p in line.values):
        if columns and x0 < columns[-1][1] - 1:
            columns[-1][1] = max(columns[-1][1], x1)
        else:
            columns.append([x0, x1])
    if len(columns) < max((len(line.values) for line in lines), default=0):
        columns = _ranges_by_right_edge(lines)
    ranges = [(x0, x1) for x0, x1 in columns]
    ranges = [r for r in ranges if not _is_part_of_labels(r, lines)] or ranges
    return sorted(ranges + _text_ranges(lines, ranges))


def _overlaps(piece: Piece, column: Range) -> bool:
    return piece.x0 < column[1] and piece.x1 > column[0]


def _is_part_of_labels(column: Range, lines: Sequence[TableLine]) -> bool:
    """Whether a "column" is a number or two inside labels, such as the end of a long label."""
    values = sum(1 for line in lines for p in line.values if _overlaps(p, column))
    labels = sum(1 for line in lines if line.label and line.values and _overlaps(line.pieces[0], column))
    return labels > values


def _text_ranges(lines: Sequence[TableLine], taken: Sequence[Range]) -> list[Range]:
    """Columns of words, such as a maturity, beside the numbers of at least a third of the rows."""
    rows = [line for line in lines if line.values]
    spans = sorted(
        (p.x0, p.x1)
        for line in rows
        for p in line.pieces[1:]
        if not p.numeric and not any(_overlaps(p, column) for column in taken)
    )
    merged: list[list[float]] = []
    counts: list[int] = []
    for x0, x1 in spans:
        if merged and x0 < merged[-1][1] - 1:
            merged[-1][1] = max(merged[-1][1], x1)
            counts[-1] += 1
        else:
            merged.append([x0, x1])
            counts.append(1)
    found = [(x0, x1) for (x0, x1), n in zip(merged, counts, strict=True) if n >= max(2, len(rows) / 3)]
    return [r for r in found if not any(r[0] < t[1] and r[1] > t[0] for t in taken)]


def _ranges_by_right_edge(lines: Sequence[TableLine]) -> list[list[float]]:
    """Columns whose values overlap those of their neighbours: told apart by where values end."""
    em = lines[0].em
    columns: list[list[float]] = []
    for x1, x0 in sorted((p.x1, p.x0) for line in lines for p in line.values):
        if columns and x1 - columns[-1][1] < 0.9 * em:
            columns[-1] = [min(columns[-1][0], x0), x1]
        else:
            columns.append([x0, x1])
    for n in range(1, len(columns)):
        columns[n][0] = max(columns[n][0], columns[n - 1][1])
    return columns
