"""The head of a table: the rows over its columns, the title above them, the unit line among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from aethel_core.parsing import numbers, periods
from aethel_core.parsing.pieces import Piece, TableLine

Columns = Sequence[tuple[float, float]]

_LOOK_BACK = 12  # rows
_CENTRED = 6.0  # points
_TITLE_GAP = 5.0  # em
_TITLE_ROWS = 3
_TITLE_WORDS = 16
_SENTENCE_WORDS = 45
_ASIDE = re.compile(r"\(?\s*(?:un)?audited\s*\)?|\(?continued\)?", re.IGNORECASE)


class Head(NamedTuple):
    """Rows ``[first, last)`` head the columns; rows from ``last`` on belong to the body."""

    first: int
    last: int
    headers: list[str]
    title: str
    unit: periods.Unit | None


def is_header_row(line: TableLine) -> bool:
    """Whether a row with numbers heads columns rather than being data: its numbers are years."""
    if not line.heads_years:
        return False
    years = sum(1 for p in line.pieces if p.numeric)
    label = line.label
    if not label or numbers.is_year(label):
        return years >= 2 or line.pieces[0].x0 > line.x0 + 1 or len(line.pieces) == 1
    return years >= 2 or periods.find_unit(label) is not None or periods.is_period_text(label)


def read_head(lines: Sequence[TableLine], body: int, limit: int, columns: Columns) -> Head:
    """Find the head above row ``body``, which is the first with values; look no higher than ``limit``."""
    first, last = _header_rows(lines, body, limit, columns)
    headers = _column_headers(lines[first:last], columns)
    unit = next((u for line in lines[first:last] if (u := periods.find_unit(line.row.text))), None)
    title, unit_above = _title(lines, first, limit)
    if unit is None:
        unit = unit_above
    return Head(first, last, headers, title, unit)


def _header_rows(lines: Sequence[TableLine], body: int, limit: int, columns: Columns) -> tuple[int, int]:
    """The range of rows that stand over the columns; empty at the first body row when there are none."""
    first = last = None
    n = body - 1
    labels = 0
    while n >= max(limit, body - _LOOK_BACK):
        line, below = lines[n], lines[n + 1]
        if not line.pieces or below.row.y0 - line.row.y1 > 2.5 * max(line.em, below.em):
            break
        if line.values and not is_header_row(line):
            break
        if _stands_over(line, columns, lines[body].em):
            first, last = n, n + 1 if last is None else last
        elif _is_label(line, columns) and (last is None or periods.find_unit(line.row.text)):
            labels += 1
            if labels > 4:
                break
        else:
            break
        n -= 1
    if first is not None:
        return first, last
    start = body
    while start > limit and _is_group_label(lines[start - 1], lines[start], columns):
        start -= 1
    return start, start


def _stands_over(line: TableLine, columns: Columns, em: float) -> bool:
    if line.em > 1.15 * em:  # a title set larger than the table
        return False
    left, right = columns[0][0], columns[-1][1]
    over = [p for p in line.pieces if p.x1 > left - line.em and p.x0 < right + 4 * line.em]
    if not over or any(p.words > 9 for p in line.pieces):
        return False
    if _is_title_row(line, columns):
        return False
    lone = len(line.pieces) == 1
    if lone and line.pieces[0].x0 < left - 3 * line.em:
        return periods.spans_columns(line.pieces[0].text) and line.pieces[0].centre > left
    return all(p.centre > left - 4 * line.em for p in over)


def _is_title_row(line: TableLine, columns: Columns) -> bool:
    """Whether a row such as "Balance Sheets      Acme Inc. and Subsidiaries" is above the head."""
    if len(line.pieces) != 2 or len(columns) < 2:
        return False
    left, right = line.pieces
    wide = right.x0 < columns[-2][1] and right.x1 > columns[-1][0]
    known = any(periods.is_period_text(p.text) or periods.find_unit(p.text) for p in line.pieces)
    return wide and not known and left.x1 < columns[0][0]


def _is_label(line: TableLine, columns: Columns) -> bool:
    return not line.values and line.row.x1 < columns[0][0] + line.em and len(line.pieces) == 1


def _is_group_label(line: TableLine, below: TableLine, columns: Columns) -> bool:
    close = below.row.y0 - line.row.y1 < 1.2 * line.em
    return close and _is_label(line, columns) and line.row.text.endswith(":") and line.pieces[0].words < 12


def _column_headers(lines: Sequence[TableLine], columns: Columns) -> list[str]:
    """Join the header rows into one text for each column; a spanning header goes to all it covers."""
    texts: list[list[str]] = [[] for _ in columns]
    left = columns[0][0]
    for line in lines:
        pieces = [p for p in line.pieces if _heads_columns(p, left, line.em)]
        for piece, (first, last) in zip(pieces, _spans(pieces, columns), strict=True):
            for column in range(first, last + 1):
                texts[column].append(piece.text)
    return [" ".join(parts) for parts in texts]


def _heads_columns(piece: Piece, left: float, em: float) -> bool:
    if _ASIDE.fullmatch(piece.text) or _is_unit(piece.text):
        return False
    return piece.centre > left - 1.5 * em or (piece.x1 > left + em and piece.words < 6)


def _is_unit(text: str) -> bool:
    unit = periods.find_unit(text)
    return unit is not None and len(unit.line) > 0.7 * len(text)


def _spans(pieces: Sequence[Piece], columns: Columns) -> list[tuple[int, int]]:
    """For each header piece the range of columns it stands over."""
    touched: list[tuple[int, int]] = []
    for piece in pieces:
        hit = [n for n, (x0, x1) in enumerate(columns) if min(x1, piece.x1) > max(x0, piece.x0)]
        if not hit:
            hit = [min(range(len(columns)), key=lambda n: abs(sum(columns[n]) / 2 - piece.centre))]
        touched.append((hit[0], hit[-1]))
    spans: list[tuple[int, int]] = []
    for n, piece in enumerate(pieces):
        first, last = touched[n]
        low = min(touched[n - 1][1] + 1 if n else 0, first)
        high = max(touched[n + 1][0] - 1 if n + 1 < len(pieces) else len(columns) - 1, last)
        spans.append(_centred(piece, (first, last), (low, high), columns))
    return spans


def _centred(
    piece: Piece, touched: tuple[int, int], within: tuple[int, int], columns: Columns
) -> tuple[int, int]:
    """Of the column ranges around ``touched``, the one ``piece`` is centred over.

    A header over one column, or aligned with its edge, keeps to it; a length of time waiting
    for years below it ("Year Ended December 31,") takes as many columns as it is centred over.
    """
    best, error = touched, _misfit(piece, touched, columns)
    generous = periods.spans_columns(piece.text)
    for first in range(within[0], touched[0] + 1):
        for last in range(touched[1], within[1] + 1):
            off = abs((columns[first][0] + columns[last][1]) / 2 - piece.centre)
            wider = last - first > best[1] - best[0]
            if off < error - _CENTRED or (generous and wider and off < error + _CENTRED):
                best, error = (first, last), min(off, error)
    return best


def _misfit(piece: Piece, touched: tuple[int, int], columns: Columns) -> float:
    """How far a header is from standing over just the columns it touches."""
    x0, x1 = columns[touched[0]][0], columns[touched[1]][1]
    off = abs((x0 + x1) / 2 - piece.centre)
    if touched[0] < touched[1]:
        return off
    return (
        0.0 if piece.x0 <= x0 + 1 and piece.x1 >= x1 - 1 else min(off, abs(x1 - piece.x1), abs(x0 - piece.x0))
    )


def _title(lines: Sequence[TableLine], head: int, limit: int) -> tuple[str, periods.Unit | None]:
    """The short lines, or else the sentence, above the head, and a unit line there."""
    unit: periods.Unit | None = None
    titles: list[str] = []
    below = lines[head] if head < len(lines) else None
    for n in range(head - 1, max(limit, head - 6) - 1, -1):
        line = lines[n]
        text = line.row.text
        if line.values or (below is not None and below.row.y0 - line.row.y1 > _TITLE_GAP * line.em):
            break
        below = line
        here = periods.find_unit(text)
        unit = unit or here
        if _ASIDE.fullmatch(text) or _is_unit(text):
            continue
        if not titles and (text.endswith((":", ".")) or text.count(" ") >= _TITLE_WORDS):
            return _sentence(lines, n, limit, unit)
        if text.endswith((".", ";", ",")) or text.count(" ") >= _TITLE_WORDS or len(titles) == _TITLE_ROWS:
            break
        titles.insert(0, _without_unit(text))
    return " – ".join(title for title in titles if title), unit


def _sentence(
    lines: Sequence[TableLine], end: int, limit: int, unit: periods.Unit | None
) -> tuple[str, periods.Unit | None]:
    """The last sentence of the paragraph ending in row ``end``, when it introduces the table."""
    parts: list[str] = []
    for n in range(end, max(limit, end - 5) - 1, -1):
        row, below = lines[n].row, lines[n + 1].row
        if parts and (below.y0 - row.y1 > 0.8 * row.size or row.bold != below.bold):
            break
        parts.insert(0, lines[n].row.text)
    paragraph = " ".join(parts)
    sentence = re.split(r"(?<=[.;])\s+(?=[A-Z])", paragraph)[-1]
    unit = unit or periods.find_unit(sentence)
    introduces = sentence.endswith(":") or re.search(r"\bfollow(?:s|ing)\b|\btable\b|\bbelow\b", sentence)
    if not introduces or sentence.count(" ") >= _SENTENCE_WORDS:
        return "", unit
    return _without_unit(sentence), unit


def _without_unit(text: str) -> str:
    unit = periods.find_unit(text)
    if unit is not None and unit.line.startswith("("):
        text = text.replace(unit.line, "")
    return " ".join(text.split()).strip(" :")
