"""Tables found by the alignment of their numbers, with or without ruling lines.

A row of a table has numbers set apart from its words. Rows like that, one below the other,
make a region; the numbers of a region, projected onto the x axis, make its columns; the rows
above the first data row that stand over the columns are its header.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from aethel_core.parsing import headers, numbers
from aethel_core.parsing.layout import Row
from aethel_core.parsing.words import Turn, Word
from aethel_core.types import Table, TableCell, TableColumn, TableRow

_MAX_LABEL_ROWS = 4  # rows without a number allowed between two rows with one
_FOOTNOTE = re.compile(r"\(?[a-z1-9]{1,2}\)|\*{1,3}|[†‡§]", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.;]['”\"]?$")


@dataclass(slots=True)
class Piece:
    """A run of words in a row that may become a cell; ``kind`` is "number", "dash" or "text"."""

    x0: float
    x1: float
    text: str
    kind: str

    @property
    def numeric(self) -> bool:
        return self.kind != "text"


@dataclass(slots=True)
class TableLine:
    """A row of the page with its pieces, while a table is being looked for."""

    row: Row
    pieces: list[Piece]
    values: list[Piece] = field(default_factory=list)  # numbers that are not the row's label
    label: str = ""

    @property
    def years(self) -> bool:
        found = [p for p in self.pieces if p.numeric]
        return bool(found) and all(numbers.is_year(p.text) for p in found)


def pieces_of(row: Row) -> list[Piece]:
    """Cut a row into numbers and runs of words; "$", "%" and ")" are joined to their number."""
    pieces: list[Piece] = []
    end = None  # where the previous word ended
    symbol: Word | None = None
    for fragment in row.fragments:
        em = fragment.size
        for word in fragment.words:
            gap = em if end is None else word.x0 - end
            end = word.x1
            last = pieces[-1] if pieces else None
            if word.text in numbers.CURRENCIES:
                symbol = word
                continue
            if last and last.kind == "number" and word.text in (")", "%", ")%", "%)") and gap < 1.5 * em:
                last.text += word.text
                last.x1 = word.x1
                continue
            kind = _kind(word.text)
            x0, text = word.x0, word.text
            if symbol is not None:
                if kind == "number" or kind == "dash":
                    x0, text = symbol.x0, symbol.text + (text if kind == "number" else " " + text)
                elif last is not None and last.kind == "text" and gap < em:
                    last.text += " " + symbol.text
                else:
                    pieces.append(Piece(symbol.x0, symbol.x1, symbol.text, "text"))
                    last = pieces[-1]
                gap = max(gap, x0 - (last.x1 if last else x0 - em))
                symbol = None
            if last is None or gap > 0.9 * em or (last.numeric and kind != "text"):
                pieces.append(Piece(x0, word.x1, text, kind))
            elif last.numeric and _FOOTNOTE.fullmatch(text):
                continue
            else:
                last.text += " " + text
                last.x1 = word.x1
                last.kind = "text"
    if symbol is not None and pieces and pieces[-1].kind == "text":
        pieces[-1].text += " " + symbol.text
    return pieces


def _kind(text: str) -> str:
    if numbers.is_number(text):
        return "number"
    if text in numbers.DASHES:
        return "dash"
    return "number" if text.lower() in numbers.NOT_AVAILABLE and text.lower() != "na" else "text"


@dataclass(slots=True)
class Found:
    """A table with the range of rows ``[first, last)`` it takes from its region."""

    first: int
    last: int
    table: Table


def find_tables(rows: Sequence[Row], turn: Turn) -> list[Found]:
    """The tables among ``rows`` of one column of the page, top to bottom."""
    lines = [_line(row, rows) for row in rows]
    found: list[Found] = []
    for first, last in _runs(lines):
        for start, stop in _split_at_headers(lines, first, last):
            table = _build(lines, start, stop, found[-1].last if found else 0, turn)
            if table is not None:
                found.append(table)
    return found


def _line(row: Row, rows: Sequence[Row]) -> TableLine:
    line = TableLine(row, pieces_of(row))
    if not line.pieces:
        return line
    first = line.pieces[0]
    left = min(r.x0 for r in rows)
    if first.kind == "text" or first.x0 < left + 2 * row.size:
        line.label = first.text
        line.values = [p for p in line.pieces[1:] if p.numeric]
    else:
        line.values = [p for p in line.pieces if p.numeric]
    return line


def _runs(lines: Sequence[TableLine]) -> list[tuple[int, int]]:
    """Ranges of rows in which every few rows have a number set apart."""
    runs: list[tuple[int, int]] = []
    n = 0
    while n < len(lines):
        if not lines[n].values:
            n += 1
            continue
        first, last = n, n
        left_of_values = min(p.x0 for p in lines[n].values)
        m = n + 1
        while m < len(lines) and m - last <= _MAX_LABEL_ROWS:
            gap = lines[m].row.y0 - lines[m - 1].row.y1
            if gap > 3 * lines[m].row.size or _is_prose(lines, m, left_of_values):
                break
            if lines[m].values:
                left_of_values = min(left_of_values, *(p.x0 for p in lines[m].values))
                last = m
            m += 1
        runs.append((first, last + 1))
        n = last + 1
    return [run for run in runs if _is_table(lines[run[0] : run[1]])]


def _is_prose(lines: Sequence[TableLine], n: int, left_of_values: float) -> bool:
    """Whether row ``n`` is a line of running text that ends a table."""
    line = lines[n]
    if line.values or not line.pieces:
        return False
    longest = max(line.pieces, key=lambda p: p.x1 - p.x0)
    words = longest.text.count(" ") + 1
    if longest.x0 > left_of_values - 2 * line.row.size:
        return words > 8
    if longest.x1 < left_of_values:
        return words > 6 and bool(_SENTENCE_END.search(longest.text)) and len(line.pieces) == 1
    following = lines[n + 1] if n + 1 < len(lines) else None
    return words >= 8 and (
        following is None or not following.values or bool(_SENTENCE_END.search(longest.text))
    )


def _is_table(lines: Sequence[TableLine]) -> bool:
    several = sum(1 for line in lines if len(line.values) >= 2)
    single = sum(1 for line in lines if len(line.values) == 1)
    return several >= 2 or (several + single >= 3 and not _is_contents(lines))


def _is_contents(lines: Sequence[TableLine]) -> bool:
    """A table of contents: one plain, never decreasing whole number at the end of each row."""
    pages = [line.values[0].text for line in lines if len(line.values) == 1 and line.label]
    if len(pages) < 0.8 * sum(1 for line in lines if line.values) or not all(p.isdecimal() for p in pages):
        return False
    return all(int(a) <= int(b) for a, b in zip(pages, pages[1:], strict=False))


def _is_header(line: TableLine) -> bool:
    """Whether a row with numbers heads columns rather than being data: years, or periods."""
    if not line.years or len([p for p in line.pieces if p.numeric]) < 1:
        return False
    label = line.label
    if not label or numbers.is_year(label):
        return len(line.values) + numbers.is_year(label) >= 2 or not label
    return headers.find_unit(label) is not None or headers.is_period_text(label) or len(line.values) >= 2


def _split_at_headers(lines: Sequence[TableLine], first: int, last: int) -> list[tuple[int, int]]:
    """A header row below data rows begins another table."""
    parts: list[tuple[int, int]] = []
    start = first
    data = False
    for n in range(first, last):
        header = _is_header(lines[n])
        if header and data:
            begin = n
            while begin > start and not lines[begin - 1].values:
                begin -= 1
            parts.append((start, begin))
            start, data = begin, False
        elif lines[n].values and not header:
            data = True
    parts.append((start, last))
    return parts


def _columns(lines: Sequence[TableLine]) -> list[list[float]]:
    """The x ranges of the columns: overlapping numbers merged, apart from those of one row."""
    spans = sorted((p.x0, p.x1) for line in lines for p in line.values)
    columns: list[list[float]] = []
    for x0, x1 in spans:
        if columns and x0 < columns[-1][1] - 1:
            columns[-1][1] = max(columns[-1][1], x1)
        else:
            columns.append([x0, x1])
    most = max((len(line.values) for line in lines), default=0)
    return columns if len(columns) >= most else _columns_by_right_edge(lines)


def _columns_by_right_edge(lines: Sequence[TableLine]) -> list[list[float]]:
    """Columns where the numbers of neighbours overlap: grouped by where the numbers end."""
    em = lines[0].row.size
    columns: list[list[float]] = []
    for x1, x0 in sorted((p.x1, p.x0) for line in lines for p in line.values):
        if columns and x1 - columns[-1][1] < 0.9 * em:
            columns[-1] = [min(columns[-1][0], x0), x1]
        else:
            columns.append([x0, x1])
    for a, b in zip(columns, columns[1:], strict=False):
        b[0] = max(b[0], a[1])
    return columns


def _column_at(columns: Sequence[Sequence[float]], x0: float, x1: float) -> int | None:
    """The column that overlaps ``[x0, x1]`` most, or None."""
    best, most = None, 0.0
    for n, (left, right) in enumerate(columns):
        overlap = min(right, x1) - max(left, x0)
        if overlap > most:
            best, most = n, overlap
    return best


def _build(lines: Sequence[TableLine], start: int, stop: int, limit: int, turn: Turn) -> Found | None:
    """Make the table of rows ``start`` to ``stop``; ``limit`` is the first row free to be its head."""
    body = next((n for n in range(start, stop) if lines[n].values and not _is_header(lines[n])), None)
    if body is None or not _is_table(lines[body:stop]):
        return None
    columns = _columns(lines[body:stop])
    head = _head_start(lines, body, limit, columns)
    texts = _column_headers(lines[head:body], columns)
    rows = _rows(lines, body, stop, columns, turn)
    if not rows:
        return None
    title, unit = _title_and_unit(lines, head, body, limit)
    cells = [cell for row in rows for cell in row.cells if cell.text]
    currency = (unit.currency if unit else "") or next(
        (c for cell in cells if (c := headers.currency_of(cell.text))), ""
    )
    table = Table(
        title=title,
        columns=tuple(
            TableColumn(text, headers.period_of(text), _column_unit(rows, n)) for n, text in enumerate(texts)
        ),
        rows=tuple(rows),
        unit_line=unit.line if unit else "",
        scale=unit.scale if unit else 1.0,
        currency=currency,
        unscaled=unit.unscaled if unit else "",
    )
    return Found(head, stop, table)


def _column_unit(rows: Sequence[TableRow], column: int) -> str:
    units = {
        numbers.parse_number(row.cells[column].text)[1] for row in rows if row.cells[column].value is not None
    }
    return units.pop() if len(units) == 1 else ""


def _head_start(lines: Sequence[TableLine], body: int, limit: int, columns: Sequence[Sequence[float]]) -> int:
    """The first of the rows above ``body`` that stand over the columns."""
    left = columns[0][0]
    n = body
    while n > limit and body - n < 7:
        line = lines[n - 1]
        if line.row.y0 > lines[n].row.y0 or lines[n].row.y0 - line.row.y1 > 2.2 * line.row.size:
            break
        if line.values and not _is_header(line):
            break
        if not line.pieces:
            break
        over = [p for p in line.pieces if p.x1 > left - line.row.size and p.text.count(" ") < 8]
        lone = len(line.pieces) == 1
        if not over or (lone and line.pieces[0].x0 < left - 8 * line.row.size and not line.years):
            break
        n -= 1
    return n


def _column_headers(lines: Sequence[TableLine], columns: Sequence[Sequence[float]]) -> list[str]:
    """Join the header rows into one text for each column; a spanning header goes to all it covers."""
    texts: list[list[str]] = [[] for _ in columns]
    left = columns[0][0]
    for line in lines:
        pieces = [p for p in line.pieces if (p.x0 + p.x1) / 2 > left - 1.5 * line.row.size or p.x1 > left + 2]
        for piece, (first, last) in zip(pieces, _spans(pieces, columns), strict=True):
            for column in range(first, last + 1):
                texts[column].append(piece.text)
    return [" ".join(parts) for parts in texts]


def _spans(pieces: Sequence[Piece], columns: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """For each header piece the range of columns it stands over."""
    touched: list[tuple[int, int]] = []
    for piece in pieces:
        hit = [n for n, (x0, x1) in enumerate(columns) if min(x1, piece.x1) > max(x0, piece.x0)]
        if not hit:
            centre = (piece.x0 + piece.x1) / 2
            hit = [min(range(len(columns)), key=lambda n: abs((columns[n][0] + columns[n][1]) / 2 - centre))]
        touched.append((hit[0], hit[-1]))
    spans: list[tuple[int, int]] = []
    for n, piece in enumerate(pieces):
        low = touched[n - 1][1] + 1 if n else 0
        high = touched[n + 1][0] - 1 if n + 1 < len(pieces) else len(columns) - 1
        first, last = touched[n]
        spans.append(_centred(piece, first, last, min(low, first), max(high, last), columns))
    return spans


def _centred(
    piece: Piece, first: int, last: int, low: int, high: int, columns: Sequence[Sequence[float]]
) -> tuple[int, int]:
    """Of the ranges holding ``first..last`` within ``low..high``, the one ``piece`` is centred over."""
    if first == last and not headers.spans_columns(piece.text):
        return first, last
    centre = (piece.x0 + piece.x1) / 2
    best, error = (first, last), float("inf")
    for a in range(low, first + 1):
        for b in range(last, high + 1):
            off = abs((columns[a][0] + columns[b][1]) / 2 - centre)
            if off < error - 6 or (off < error + 6 and b - a > best[1] - best[0]):
                best, error = (a, b), min(off, error)
    return best


def _title_and_unit(
    lines: Sequence[TableLine], head: int, body: int, limit: int
) -> tuple[str, headers.Unit | None]:
    """The title above the head and the unit line in, above or just before it."""
    unit = None
    for line in reversed(lines[head:body]):
        unit = unit or headers.find_unit(line.row.text)
    title = ""
    for n in range(head - 1, max(limit, head - 5) - 1, -1):
        line = lines[n]
        if line.values:
            break
        text = line.row.text
        here = headers.find_unit(text)
        unit = unit or here
        if here and len(here.line) > 0.7 * len(text):
            continue
        if text.count(" ") > 14:
            break
        if len(line.pieces) == 1 and not title:
            title = text
            break
    return title.rstrip(":"), unit


def _rows(
    lines: Sequence[TableLine], body: int, stop: int, columns: Sequence[Sequence[float]], turn: Turn
) -> list[TableRow]:
    rows: list[TableRow] = []
    group = ""
    pending: list[str] = []
    for n in range(body, stop):
        line = lines[n]
        cells, label = _cells(line, columns, turn)
        if not any(cell.text for cell in cells):
            if label.endswith(":") or not label:
                group, pending = " ".join([*pending, label]).rstrip(":"), []
            elif n + 1 < stop and lines[n + 1].values and _continues(line, lines[n + 1]):
                pending.append(label)
            else:
                group, pending = " ".join([*pending, label]), []
            continue
        rows.append(TableRow(" ".join([*pending, label]).strip(), cells, group))
        pending = []
    return rows


def _continues(line: TableLine, following: TableLine) -> bool:
    """Whether the label of ``following`` goes on a label begun in ``line``."""
    start = following.label[:1]
    return (
        start.islower() or start in "(&" or line.row.text.endswith((",", "-", " and", " of", " the", " to"))
    )


def _cells(
    line: TableLine, columns: Sequence[Sequence[float]], turn: Turn
) -> tuple[tuple[TableCell, ...], str]:
    """The cells of a row, one for each column, and its label."""
    cells = [TableCell("")] * len(columns)
    label: list[str] = []
    for piece in line.pieces:
        column = _column_at(columns, piece.x0, piece.x1)
        is_label = piece is line.pieces[0] and line.label
        if column is None or is_label or (piece.kind == "text" and cells[column].text):
            label.append(piece.text)
            continue
        value = numbers.parse_number(piece.text)[0] if piece.kind == "number" else None
        rect = turn.displayed(piece.x0, line.row.y0, piece.x1, line.row.y1)
        text = f"{cells[column].text} {piece.text}" if cells[column].text else piece.text
        cells[column] = TableCell(text, value if cells[column].value is None else cells[column].value, rect)
    return tuple(cells), " ".join(label)
