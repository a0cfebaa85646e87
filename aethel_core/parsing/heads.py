"""The head of a table: the rows over its columns, the title above them, the unit line among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from aethel_core.parsing import numbers, periods
from aethel_core.parsing.pieces import Piece, Range, TableLine
from aethel_core.parsing.spans import column_headers, is_trifle, without_unit

_LOOK_BACK = 12  # rows
_LABEL_ROWS = 4  # group headings allowed between the head and the first row with values
_TITLE_GAP = 5.0  # em
_SMALLER = 0.85  # against the size of the title below
_TITLE_ROWS = 3
_TITLE_SEARCH = 6  # rows in which the name of a statement is looked for
_TITLE_WORDS = 16
_SENTENCE_WORDS = 45
_INTRODUCES = re.compile(r"\bfollow(?:s|ing)\b|\btables?\b|\bbelow\b|\bpresented\b", re.IGNORECASE)
_NAMES_TABLE = re.compile(r"\bstatements?\b|\bbalance\s+sheets?\b|\bschedules?\b", re.IGNORECASE)
_NAMES_COMPANY = re.compile(r"\band\s+subsidiar", re.IGNORECASE)


class Head(NamedTuple):
    """Rows ``[first, last)`` head the columns; rows from ``last`` on belong to the body."""

    first: int
    last: int
    headers: list[str]
    title: str
    unit: periods.Unit | None


def introduces_table(text: str) -> bool:
    """Whether a line of text ends a sentence that leads to a table below it."""
    leads = _INTRODUCES.search(text) is not None or periods.find_unit(text) is not None
    return leads and text.endswith(":")


def is_header_row(line: TableLine, left: float) -> bool:
    """Whether a row with numbers heads columns rather than being data: they are years, or terms.

    :param left: where the labels of the table begin.
    """
    figures = [p for p in line.pieces if p.numeric]
    if not figures:
        return False
    if all(numbers.is_term(p.text) for p in figures):
        return line.x0 > left + 8 * line.em or is_trifle(line.label)
    if not all(numbers.is_year(p.text) or numbers.is_term(p.text) for p in figures):
        return False
    label = line.label
    if not label or numbers.is_year(label):
        return len(figures) >= 2 or line.pieces[0].x0 > left + line.em
    return len(figures) >= 2 or periods.find_unit(label) is not None or periods.is_period_text(label)


def read_head(
    lines: Sequence[TableLine], body: int, limit: int, columns: Sequence[Range], left: float
) -> Head:
    """Find the head above row ``body``, which is the first with values; look no higher than ``limit``.

    :param left: where the labels of the table begin.
    """
    first, last = _Rows(lines, columns, left, lines[body].em).above(body, limit)
    labels = [line.pieces[0].x1 for line in lines[body : body + _LOOK_BACK] if line.label and line.values]
    headers = column_headers(lines[first:last], columns, max(labels, default=columns[0][0]))
    unit = _unit_of(lines[first:last])
    title, unit_above = _title(lines, first, limit)
    return Head(first, last, headers, title, unit or unit_above)


def _unit_of(lines: Sequence[TableLine]) -> periods.Unit | None:
    """The unit some header rows state, alone or at the head of the labels."""
    texts = [line.row.text for line in lines] + [line.pieces[0].text for line in lines if line.pieces]
    return next((unit for text in texts if (unit := periods.find_unit(text))), None)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Tells header rows from titles, group headings and prose."""

    lines: Sequence[TableLine]
    columns: Sequence[Range]
    left: float
    em: float

    def above(self, body: int, limit: int) -> tuple[int, int]:
        """The range of rows that stand over the columns; empty where the body begins if none do."""
        first = last = None
        labels = 0
        for n in range(body - 1, max(limit, body - _LOOK_BACK) - 1, -1):
            line, below = self.lines[n], self.lines[n + 1]
            if not line.pieces or below.row.y0 - line.row.y1 > 2.5 * max(line.em, below.em):
                break
            if (line.values and not is_header_row(line, self.left)) or self._is_entry(line):
                break
            if self._stands_over(line):
                first, last = n, n + 1 if last is None else last
            elif self._is_label(line) and labels < _LABEL_ROWS and (last is None or is_trifle(line.row.text)):
                labels += 1
            else:
                break
        if first is not None and last is not None:
            return first, self._without_body_rows(first, last)
        return self._without_header(body, limit)

    def _without_header(self, body: int, limit: int) -> tuple[int, int]:
        start = body
        while start > limit and self._belongs_below(self.lines[start - 1], self.lines[start]):
            start -= 1
        if start > limit and self._is_label(self.lines[start - 1]):
            text = self.lines[start - 1].row.text
            if periods.spans_columns(text) or is_trifle(text):  # heads the labels
                return start - 1, start
        return start, start

    def _without_body_rows(self, first: int, last: int) -> int:
        """Leave a light row below bold header rows to the body: the first line of a long cell."""
        while last - first > 1 and self.lines[last - 2].row.bold:
            line = self.lines[last - 1]
            text = line.row.text
            if line.row.bold or line.values or len(line.pieces) > 2:
                break
            if periods.is_period_text(text) or is_trifle(text):
                break
            last -= 1
        return last

    def _stands_over(self, line: TableLine) -> bool:
        if line.em > 1.15 * self.em or any(p.length > 9 for p in line.pieces):
            return False
        start, end = self.columns[0][0], self.columns[-1][1]
        over = [p for p in line.pieces if p.x1 > start - line.em and p.x0 < end + 4 * line.em]
        if not over or self._is_title_pair(line):
            return False
        if len(line.pieces) == 1:
            return self._lone_header(line.pieces[0], line.em)
        return all(p.centre > start - 4 * line.em for p in over)

    def _lone_header(self, piece: Piece, em: float) -> bool:
        """Whether the only text of a row heads columns; a title is centred on the whole table."""
        start, end = self.columns[0][0], self.columns[-1][1]
        if periods.is_period_text(piece.text) and piece.centre > start and piece.length < 9:
            return piece.x0 > start - 8 * em
        if piece.x0 < start - 3 * em or _is_title_text(piece.text):
            return False
        touched = sum(1 for x0, x1 in self.columns if piece.x0 < x1 and piece.x1 > x0)
        off_table = abs(piece.centre - (self.left + end) / 2)
        return touched < 2 or off_table > 0.5 * abs(piece.centre - (start + end) / 2)

    def _is_title_pair(self, line: TableLine) -> bool:
        """Whether a row such as "Balance Sheets      Acme Inc. and Subsidiaries" is above the head."""
        if len(line.pieces) != 2 or len(self.columns) < 2:
            return False
        first, second = line.pieces
        wide = second.x0 < self.columns[-2][1] and second.x1 > self.columns[-1][0]
        known = any(periods.is_period_text(p.text) or periods.find_unit(p.text) for p in line.pieces)
        return wide and not known and first.x1 < self.columns[0][0]

    def _is_label(self, line: TableLine) -> bool:
        return not line.values and line.row.x1 < self.columns[0][0] + line.em and len(line.pieces) == 1

    def _is_entry(self, line: TableLine) -> bool:
        """Whether a row names and states something in words ("Fund    NorthRiver IV, L.P.")."""
        if len(self.columns) > 1 or len(line.pieces) != 2 or line.pieces[0].x0 > self.left + line.em:
            return False
        stated = line.pieces[1]
        flush = abs(stated.x0 - self.columns[0][0]) < 2 and not periods.is_period_text(stated.text)
        return flush and not is_trifle(stated.text)

    def _belongs_below(self, line: TableLine, below: TableLine) -> bool:
        """Whether a row above the first numbers is part of the body: an entry or a group heading."""
        if below.row.y0 - line.row.y1 > 1.2 * line.em:
            return False
        text = line.row.text
        return self._is_entry(line) or (
            self._is_label(line) and text.endswith(":") and not introduces_table(text)
        )


def _is_cells(line: TableLine) -> bool:
    """Whether a row has texts side by side that are no title."""
    return len(line.pieces) > 1 and _NAMES_TABLE.search(line.row.text) is None


def _is_title_text(text: str) -> bool:
    return _NAMES_TABLE.search(text) is not None or _NAMES_COMPANY.search(text) is not None


def _joined_title(titles: Sequence[str]) -> str:
    """Short lines as one title; the company above or below the name of a statement is left out."""
    named = next((n for n, title in enumerate(titles) if _NAMES_TABLE.search(title)), None)
    if named is not None:
        titles = [title for title in titles[named:] if not _NAMES_COMPANY.search(title)] or titles
    joined = ""
    for title in titles[-_TITLE_ROWS:]:
        joint = " " if title[:1].islower() or title[:1].isdigit() else " – "
        joined += (joint if joined and title else "") + title
    return joined


def _title(lines: Sequence[TableLine], head: int, limit: int) -> tuple[str, periods.Unit | None]:
    """The short lines, or else the sentence, above the head, and a unit line there."""
    unit: periods.Unit | None = None
    titles: list[str] = []
    below = lines[head] if head < len(lines) else None
    for n in range(head - 1, max(limit, head - _TITLE_SEARCH) - 1, -1):
        line = lines[n]
        text = line.row.text
        if line.values or (below is not None and below.row.y0 - line.row.y1 > _TITLE_GAP * line.em):
            break
        below = line
        unit = unit or periods.find_unit(text)
        if is_trifle(text):
            continue
        if not titles and (text.endswith((":", ".")) or text.count(" ") >= _TITLE_WORDS):
            return _sentence(lines, n, limit, unit)
        if text.endswith((".", ";", ",")) or text.count(" ") >= _TITLE_WORDS or _is_cells(line):
            break
        if titles and line.em < _SMALLER * lines[n + 1].em:
            break  # a running head above the title
        titles.insert(0, without_unit(text))
    return _joined_title(titles), unit


def _sentence(
    lines: Sequence[TableLine], end: int, limit: int, unit: periods.Unit | None
) -> tuple[str, periods.Unit | None]:
    """The last sentence of the paragraph ending in row ``end``, when it introduces the table."""
    parts: list[str] = []
    for n in range(end, max(limit, end - 5) - 1, -1):
        row, below = lines[n].row, lines[n + 1].row
        if parts and (below.y0 - row.y1 > 0.8 * row.size or row.bold != below.bold):
            break
        parts.insert(0, row.text)
    sentence = re.split(r"(?<=[.;])\s+(?=[A-Z])", " ".join(parts))[-1]
    unit = unit or periods.find_unit(sentence)
    introduces = sentence.endswith(":") or _INTRODUCES.search(sentence) is not None
    if not introduces or sentence.count(" ") >= _SENTENCE_WORDS:
        return "", unit
    return without_unit(sentence), unit
