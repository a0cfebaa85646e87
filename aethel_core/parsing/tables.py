"""Tables found by the alignment of their numbers, with or without ruling lines.

A row of a table has numbers set apart from its words. Rows like that, one below the other,
make a region; the numbers of a region, projected onto the x axis, make its columns; the rows
above the first data row that stand over the columns are its head.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from aethel_core.parsing import numbers, periods
from aethel_core.parsing.heads import introduces_table, is_header_row, read_head
from aethel_core.parsing.layout import Row
from aethel_core.parsing.pieces import Piece, Range, TableLine, column_ranges, pieces_of
from aethel_core.parsing.tiles import tiles_at
from aethel_core.parsing.words import Turn
from aethel_core.types import Table, TableCell, TableColumn, TableRow

_WIDE_ROW = 3  # values that make a table of a single row with headers
_HEADING_SIZE = 1.15  # against the size of the data
_MAX_LABEL_ROWS = 5  # rows without a number allowed between two rows with one
_PERCENT = re.compile(r"%|\bpercent", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.]['”\"]?$")
_GOES_ON = re.compile(
    r"(?:,|-|–|/|\b(?:and|or|of|the|to|for|in|on|from|by|with|at|a|an|net|issued at))$", re.IGNORECASE
)


@dataclass(slots=True)
class FoundTable:
    """A table, the range of rows ``[first, last)`` it takes, and the x ranges of its columns."""

    first: int
    last: int
    table: Table
    columns: Sequence[Range]


def find_tables(rows: Sequence[Row], turn: Turn) -> list[FoundTable]:
    """The tables among ``rows`` of one column of the page, top to bottom."""
    if not rows:
        return []
    lines = [TableLine(row, pieces_of(row)) for row in rows]
    left = min(row.x0 for row in rows)
    for line in lines:
        line.set_label(left)
    found: list[FoundTable] = []
    start = 0
    for n in range(len(lines)):
        tiles = tiles_at(lines, n, turn)
        if tiles is not None:
            found += [*_tables_of(lines, start, n, turn), FoundTable(n, n + 2, tiles, ())]
            start = n + 2
    return found + _tables_of(lines, start, len(lines), turn)


def _tables_of(lines: Sequence[TableLine], begin: int, end: int, turn: Turn) -> list[FoundTable]:
    """The tables in rows ``begin`` to ``end``."""
    found: list[FoundTable] = []
    part = lines[begin:end]
    for first, last in _runs(part):
        for start, stop in _split_at_headers(part, first, last):
            table = _build(part, start, stop, found[-1].last if found else 0, turn)
            if table is not None:
                found.append(table)
    for table in found:
        table.first += begin
        table.last += begin
    return found


def _runs(lines: Sequence[TableLine]) -> list[tuple[int, int]]:
    """Ranges of rows in which every few rows have a number set apart."""
    runs: list[tuple[int, int]] = []
    n = 0
    while n < len(lines):
        if not lines[n].values:
            n += 1
            continue
        first = last = n
        left = min(p.x0 for p in lines[n].values)
        n += 1
        while n < len(lines) and n - last <= _MAX_LABEL_ROWS:
            gap = lines[n].row.y0 - lines[n - 1].row.y1
            if gap > 3 * lines[n].em or _is_prose(lines, n, left) or _is_set_larger(lines[n], lines[last]):
                break
            if lines[n].values:
                left = min(left, *(p.x0 for p in lines[n].values))
                last = n
            n += 1
        runs.append((first, last + 1))
        n = last + 1
    return [run for run in runs if _may_be_table(lines[run[0] : run[1]])]


def _is_set_larger(line: TableLine, data: TableLine) -> bool:
    """Whether a row is a heading in larger type than the data above it."""
    return len(line.pieces) == 1 and not line.values and line.em > _HEADING_SIZE * data.em


def _may_be_table(lines: Sequence[TableLine]) -> bool:
    """Several rows with values, or one of many values or below a row of years."""
    if _is_table(lines) or len(lines[-1].values) >= _WIDE_ROW:
        return True
    left = min(line.x0 for line in lines)
    heads = [is_header_row(line, left) for line in lines]
    return heads[0] and not all(heads) and len(lines[-1].values) >= 2


def _is_prose(lines: Sequence[TableLine], n: int, left: float) -> bool:
    """Whether row ``n`` is running text that ends a table whose values begin at ``left``."""
    line = lines[n]
    if line.values or not line.pieces:
        return False
    longest = max(line.pieces, key=lambda p: p.x1 - p.x0)
    sentence = _SENTENCE_END.search(longest.text) is not None
    if introduces_table(longest.text):
        return True
    if longest.x0 > left - 2 * line.em:
        return longest.length > 9
    following = lines[n + 1] if n + 1 < len(lines) else None
    if longest.x1 < left:
        return longest.length > 6 and sentence and (following is None or not following.values)
    if following is not None and following.values and not sentence and not is_header_row(following, line.x0):
        return False
    return longest.length >= 8


def _is_table(lines: Sequence[TableLine]) -> bool:
    several = sum(1 for line in lines if len(line.values) >= 2)
    single = sum(1 for line in lines if len(line.values) == 1)
    return several >= 2 or (several + single >= 3 and not _is_contents(lines))


def _is_contents(lines: Sequence[TableLine]) -> bool:
    """A table of contents: one plain, never decreasing whole number at the end of each row."""
    pages = [line.values[0].text for line in lines if len(line.values) == 1 and line.label]
    if len(pages) < 0.8 * sum(1 for line in lines if line.values):
        return False
    if not all(page.isdecimal() and len(page) <= 3 for page in pages):
        return False
    return all(int(a) <= int(b) for a, b in pairwise(pages))


def _split_at_headers(lines: Sequence[TableLine], first: int, last: int) -> list[tuple[int, int]]:
    """A header row below data rows begins another table."""
    left = min(line.x0 for line in lines[first:last])
    parts: list[tuple[int, int]] = []
    start, data = first, False
    for n in range(first, last):
        if is_header_row(lines[n], left) or (data and _heads_in_bold(lines[n], lines[n - 1])):
            if data:
                begin = n
                while begin > start and not lines[begin - 1].values:
                    begin -= 1
                parts.append((start, begin))
                start, data = begin, False
        elif lines[n].values:
            data = True
    parts.append((start, last))
    return parts


def _heads_in_bold(line: TableLine, above: TableLine) -> bool:
    """Whether a row of words in bold below lighter rows heads the columns of a new table."""
    return len(line.pieces) >= 3 and not line.values and line.row.bold and not above.row.bold


def _build(lines: Sequence[TableLine], start: int, stop: int, limit: int, turn: Turn) -> FoundTable | None:
    """Make the table of rows ``start`` to ``stop``; ``limit`` is the first row free to be its head."""
    left = min(line.x0 for line in lines[start:stop])
    body = next(
        (n for n in range(start, stop) if lines[n].values and not is_header_row(lines[n], left)), None
    )
    if body is None:
        return None
    left = min(line.x0 for line in lines[body:stop])
    for line in lines[body:stop]:
        line.set_label(left)
    columns = column_ranges(lines[body:stop])
    if not columns:
        return None
    head = read_head(lines, body, limit, columns, left)
    if not (_is_table(lines[body:stop]) or body > start or sum(map(bool, head.headers)) >= _WIDE_ROW):
        return None
    rows = _Rows(columns, turn).read(lines[head.last : stop])
    if not any(head.headers) and not any(row.header for row in rows):
        return None  # figures of a chart
    cells = [cell for row in rows for cell in row.cells if cell.text]
    currency = head.unit.currency if head.unit else ""
    if not currency:
        texts = [*head.headers, *(cell.text for cell in cells)]
        currency = next((c for text in texts if (c := periods.currency_of(text))), "")
    table = Table(
        title=head.title,
        columns=tuple(
            TableColumn(text, "", _column_unit(text, rows, n)) for n, text in enumerate(head.headers)
        ),
        rows=tuple(rows),
        unit_line=head.unit.line if head.unit else "",
        scale=head.unit.scale if head.unit else 1.0,
        currency=currency,
        unscaled=head.unit.unscaled if head.unit else "",
    )
    return FoundTable(head.first, stop, table, columns)


def _column_unit(header: str, rows: Sequence[TableRow], column: int) -> str:
    """ "%" and the like when the numbers of a column, or else its header, say so."""
    cells = [row.cells[column] for row in rows if row.cells[column].value is not None]
    units = {numbers.parse_number(cell.text)[1] for cell in cells}
    if len(units) == 1:
        unit = units.pop()
        if unit:
            return unit
    percent = _PERCENT.search(header) is not None and not any(periods.currency_of(c.text) for c in cells)
    return "%" if cells and percent else ""


@dataclass(slots=True)
class _Group:
    """A heading row inside a table; ``child`` is where the label of its first row begins."""

    x0: float
    text: str
    child: float | None = None


class _Rows:
    """Reads the body of a table row by row: labels over several lines, headings, cells."""

    def __init__(self, columns: Sequence[Range], turn: Turn) -> None:
        self._columns = columns
        self._turn = turn
        self._rows: list[TableRow] = []
        self._groups: list[_Group] = []
        self._begun: list[str] = []  # lines of a label whose values are still to come
        self._begun_x0 = 0.0

    def read(self, lines: Sequence[TableLine]) -> list[TableRow]:
        for n, line in enumerate(lines):
            cells, label = self._cells(line)
            following = lines[n + 1] if n + 1 < len(lines) else None
            if any(cell.text for cell in cells):
                self._add(line, cells, label)
            elif label:
                self._without_values(line, label, following)
        return self._rows

    def _add(self, line: TableLine, cells: tuple[TableCell, ...], label: str) -> None:
        x0 = self._begun_x0 if self._begun else line.x0
        if label or self._begun:
            self._leave_groups(x0)
        header = " ".join([*self._begun, label]).strip()
        group = self._groups[-1].text if self._groups else ""
        self._rows.append(TableRow(header, cells, group))
        self._begun = []
        self._close_total(header)

    def _without_values(self, line: TableLine, label: str, following: TableLine | None) -> None:
        goes_on = following is not None and not label.endswith(":") and self._goes_on(line, label, following)
        if not self._begun and self._rows and label[0].islower() and not label.endswith(":"):
            last = self._rows[-1]
            self._rows[-1] = TableRow(f"{last.header} {label}", last.cells, last.group)
            return
        if not self._begun:
            self._begun_x0 = line.x0
        self._begun.append(label)
        if not goes_on:
            text = " ".join(self._begun).rstrip(": ")
            while self._groups and self._groups[-1].x0 >= self._begun_x0 - 1:
                self._groups.pop()
            self._groups.append(_Group(self._begun_x0, text))
            self._begun = []

    def _goes_on(self, line: TableLine, label: str, following: TableLine) -> bool:
        """Whether the label goes on in the next row."""
        start = following.label[:1]
        if not start:
            return bool(following.values)
        if start.islower() or start in "(&" or _GOES_ON.search(label) or label.count("(") > label.count(")"):
            return True
        word = following.row.fragments[0].words[0]
        return line.row.x1 + (word.x1 - word.x0) + 0.3 * line.em > self._columns[0][0] - line.em

    def _leave_groups(self, x0: float) -> None:
        """Close the headings a row is not indented under."""
        while self._groups:
            top = self._groups[-1]
            if top.child is None and x0 >= top.x0 - 1:
                top.child = x0
                return
            outdented = x0 < top.x0 - 1 or (
                top.child is not None and top.child > top.x0 + 1 and x0 <= top.x0 + 1
            )
            if not outdented:
                return
            self._groups.pop()

    def _close_total(self, header: str) -> None:
        """A total ends the heading it sums up."""
        if not self._groups or not header.lower().startswith("total"):
            return
        top = self._groups[-1]
        named = set(header.lower().split()) >= set(top.text.lower().split()[:3])
        if named or top.child is None or top.child <= top.x0 + 1:
            self._groups.pop()

    def _cells(self, line: TableLine) -> tuple[tuple[TableCell, ...], str]:
        """The cells of a row, one for each column, and its label."""
        cells = [TableCell("")] * len(self._columns)
        label: list[str] = []
        for n, piece in enumerate(line.pieces):
            column = None if n == 0 and line.label else self._column_at(piece)
            if column is None or (piece.kind == "text" and cells[column].text):
                label.append(piece.text)
                continue
            value = numbers.parse_number(piece.text)[0] if piece.kind in ("number", "quantity") else None
            shown = "—" if piece.kind == "dash" else piece.text
            rect = self._turn.displayed(piece.x0, line.row.y0, piece.x1, line.row.y1)
            before = cells[column]
            text = f"{before.text} {shown}" if before.text else shown
            cells[column] = TableCell(text, value if before.value is None else before.value, rect)
        return tuple(cells), " ".join(label)

    def _column_at(self, piece: Piece) -> int | None:
        """The column that ``piece`` overlaps most."""
        best, most = None, 0.0
        for n, (x0, x1) in enumerate(self._columns):
            overlap = min(x1, piece.x1) - max(x0, piece.x0)
            if overlap > most:
                best, most = n, overlap
        return best
