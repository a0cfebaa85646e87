"""Which columns each header stands over, and the one text that makes for every column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aethel_core.parsing import numbers, periods
from aethel_core.parsing.pieces import Piece, Range, TableLine

_Placed = tuple[Piece, tuple[int, int]]  # a header and the first and last column it stands over

_Ranges = tuple[Sequence[Range], Sequence[Range]]  # of the numbers, and of the headers placed so far

_CENTRED = 6.0  # points
_SHARED = 14.0  # points; years over groups of columns are centred only roughly
_STACKED = 3.0  # points
_TRIFLE = r"(?:(?:un)?audited|continued|notes? \d+[a-z]?)"
_TRIFLES = re.compile(rf"(?:{_TRIFLE}(?: {_TRIFLE})*)?", re.IGNORECASE)
_PUNCTUATION = re.compile(r"[\s()–—-]+")


def column_headers(lines: Sequence[TableLine], columns: Sequence[Range], labels_end: float) -> list[str]:
    """Join the header rows into one text for each column; a spanning header goes to all it covers.

    The rows are read upwards: a header is centred over the numbers, or over the headers below it.

    :param labels_end: where the labels of the rows end; what stands before that heads the labels.
    """
    texts: list[list[str]] = [[] for _ in columns]
    slots = list(columns)
    below: list[_Placed] = []
    for line in reversed(lines):
        pieces = [part for p in line.pieces for part in _split_by_columns(p, columns, line.em)]
        pieces = [p for p in pieces if _heads_columns(p, columns[0][0], labels_end, line.em)]
        if not pieces:
            continue
        below = _placed(pieces, (columns, slots), below)
        for piece, (first, last) in below:
            for column in range(first, last + 1):
                texts[column].insert(0, without_unit(piece.text))
            if first == last:
                slots[first] = (piece.x0, piece.x1)
    return [" ".join(parts) for parts in texts]


def _placed(pieces: Sequence[Piece], ranges: _Ranges, below: Sequence[_Placed]) -> list[_Placed]:
    """The columns that each header of a row stands over, given those of the row below."""
    whole = (below[0][1][0], below[-1][1][1]) if below else (0, 0)
    if len(pieces) == 1 and whole[0] < whole[1] and _heads_all(pieces[0], below):
        return [(pieces[0], whole)]
    shared = _evenly_shared(pieces, ranges)
    if shared is not None:
        return list(zip(pieces, shared, strict=True))
    years = {column for piece, (column, _) in below if numbers.is_year(piece.text)}
    spans = _spans(pieces, ranges, years)
    return [
        (piece, span if span[0] < span[1] else _stacked(piece, below) or span)
        for piece, span in zip(pieces, spans, strict=True)
    ]


def _heads_all(piece: Piece, below: Sequence[_Placed]) -> bool:
    """Whether a lone year or period heads all the columns below it, or a lone day all the years."""
    first, last = below[0][0], below[-1][0]
    if abs((first.x0 + last.x1) / 2 - piece.centre) > 0.2 * (last.x1 - first.x0):
        return False
    if periods.is_day(piece.text):
        return all(numbers.is_year(other.text) for other, _ in below)
    return periods.has_year(piece.text) and not any(periods.has_year(other.text) for other, _ in below)


def _stacked(piece: Piece, below: Sequence[_Placed]) -> tuple[int, int] | None:
    """The columns of the header right below, when ``piece`` is but the line above it: "% of" over "sales"."""
    if periods.spans_columns(piece.text):
        return None
    for other, span in below:
        narrow = piece.x1 - piece.x0 <= 1.3 * (other.x1 - other.x0)
        if narrow and min(abs(piece.centre - other.centre), abs(piece.x1 - other.x1)) < _STACKED:
            return span
    return None


def without_unit(text: str) -> str:
    unit = periods.find_unit(text)
    if unit is not None and (unit.line.startswith("(") or unit.line == text):
        text = text.replace(unit.line, "")
    return " ".join(text.split()).strip(" :")


def is_trifle(text: str) -> bool:
    """Whether nothing is left of a text but a unit, "(unaudited)" or "(Note 1)"."""
    return _TRIFLES.fullmatch(_PUNCTUATION.sub(" ", without_unit(text)).strip()) is not None


def _heads_columns(piece: Piece, left: float, labels_end: float, em: float) -> bool:
    if is_trifle(piece.text):
        return False
    if piece.centre > left - 1.5 * em:
        return True
    return piece.x0 > labels_end and (piece.x1 > left - 2 * em)


def _split_by_columns(piece: Piece, columns: Sequence[Range], em: float) -> list[Piece]:
    """Cut "Retained Comprehensive" in two where each word is centred over a column of its own."""
    touched = [c for c in columns if piece.x0 < c[1] and piece.x1 > c[0]]
    if len(touched) < 2 or len(piece.words) < 2:
        return [piece]
    parts: list[Piece] = []
    for n, word in enumerate(piece.words):
        if n and word.x0 - piece.words[n - 1].x1 < 0.33 * em:
            last = parts[-1]
            last.x1, last.text = word.x1, f"{last.text} {word.text}"
            last.words.append(word)
        else:
            parts.append(Piece(word.x0, word.x1, word.text, "text", [word]))
    if len(parts) != len(touched):
        return [piece]
    fits = all(
        abs(p.centre - (x0 + x1) / 2) < 0.25 * (x1 - x0) for p, (x0, x1) in zip(parts, touched, strict=True)
    )
    return parts if fits else [piece]


def _spans(pieces: Sequence[Piece], ranges: _Ranges, years: set[int]) -> list[tuple[int, int]]:
    """For each header piece the range of columns it stands over."""
    columns = ranges[0]
    touched = [_touched(piece, columns) for piece in pieces]
    spans: list[tuple[int, int]] = []
    for n, piece in enumerate(pieces):
        first, last = touched[n]
        low = min(touched[n - 1][1] + 1 if n else 0, first)
        high = max(touched[n + 1][0] - 1 if n + 1 < len(pieces) else len(columns) - 1, last)
        spans.append(_centred(piece, (first, last), (low, high), ranges, years))
    return spans


def _touched(piece: Piece, columns: Sequence[Range]) -> tuple[int, int]:
    hit = [n for n, (x0, x1) in enumerate(columns) if min(x1, piece.x1) > max(x0, piece.x0)]
    if not hit:
        hit = [min(range(len(columns)), key=lambda n: abs(sum(columns[n]) / 2 - piece.centre))]
    return hit[0], hit[-1]


def _evenly_shared(pieces: Sequence[Piece], ranges: _Ranges) -> list[tuple[int, int]] | None:
    """Years that each head the same number of columns ("2020" over "Shares" and "Amount")."""
    if len(pieces) < 2 or not all(numbers.is_year(p.text) for p in pieces):
        return None
    count = len(ranges[0])
    for each in range(count // len(pieces), 1, -1):
        for first in range(count - each * len(pieces) + 1):
            spans = [(first + n * each, first + n * each + each - 1) for n in range(len(pieces))]
            if all(_off_centre(p, a, b, ranges) < _SHARED for p, (a, b) in zip(pieces, spans, strict=True)):
                return spans
    return None


def _off_centre(piece: Piece, first: int, last: int, ranges: _Ranges) -> float:
    return min(abs((columns[first][0] + columns[last][1]) / 2 - piece.centre) for columns in ranges)


def _centred(
    piece: Piece, touched: tuple[int, int], within: tuple[int, int], ranges: _Ranges, years: set[int]
) -> tuple[int, int]:
    """Of the column ranges around ``touched``, the one ``piece`` is centred over.

    A header over one column, or aligned with its edge, keeps to it; a length of time waiting
    for years below it ("Year Ended December 31,") takes as many columns as it is centred over,
    and words over a year take the years beside it ("Sales" over "2022 2021 2020").
    """
    best, error = touched, _misfit(piece, touched, ranges[1])
    waiting = periods.spans_columns(piece.text)
    for first in range(within[0], touched[0] + 1):
        for last in range(touched[1], within[1] + 1):
            off = _off_centre(piece, first, last, ranges)
            generous = waiting or (
                not periods.has_year(piece.text) and years.issuperset(range(first, last + 1))
            )
            wider = last - first > best[1] - best[0]
            if off < error - _CENTRED or (generous and wider and off < error + _CENTRED):
                best, error = (first, last), min(off, error)
    return best


def _misfit(piece: Piece, touched: tuple[int, int], columns: Sequence[Range]) -> float:
    """How far a header is from standing over just the columns it touches."""
    x0, x1 = columns[touched[0]][0], columns[touched[1]][1]
    off = abs((x0 + x1) / 2 - piece.centre)
    if touched[0] < touched[1]:
        return off
    if piece.x0 <= x0 + 1 and piece.x1 >= x1 - 1:
        return 0.0
    return min(off, abs(x1 - piece.x1), abs(x0 - piece.x0))
