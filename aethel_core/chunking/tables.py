"""Tables as text: a readable linearisation, cut by rows where it is too long for one passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

from aethel_core.chunking.words import word_pieces
from aethel_core.types import Block, Line, Table, TableRow


def cut(
    block: Block, table: Table, heads: Sequence[str], pieces: int
) -> Iterator[tuple[list[Line], str, Table]]:
    """The passages of a table: their lines, their text and the table restricted to their rows.

    :param heads: headings over the table, shown unless its title says the same.
    :param pieces: word pieces allowed for one passage. Title, unit line and column headers are
        repeated in each; they are shortened where they alone would take half of it.
    """
    introduction = _introduction(table, heads, pieces // 2)
    budget = max(pieces - word_pieces(introduction), pieces // 3)
    owners = _owners(block, table.rows)
    for first, last in _row_ranges(table.rows, budget):
        lines = [line for line, row in zip(block.lines, owners, strict=True) if first <= row < last]
        part = table if last - first == len(table.rows) else replace(table, rows=table.rows[first:last])
        text = "\n".join([introduction, *_row_texts(part.rows)]).strip()
        yield lines, text, part


def _introduction(table: Table, heads: Sequence[str], pieces: int) -> str:
    lines = [head for head in heads if head not in table.title and head != table.unit_line]
    lines += [line for line in (table.title, table.unit_line) if line]
    names = [column.header for column in table.columns]
    if any(names):
        lines.append(" | ".join(["", *names]).strip())
    text = "\n".join(lines)
    if word_pieces(text) <= pieces:
        return text
    room = pieces // max(len(lines), 1)
    return "\n".join(_shortened(line, room) for line in lines)


def _shortened(text: str, pieces: int) -> str:
    kept: list[str] = []
    size = 0
    for word in text.split(" "):
        size += word_pieces(word)
        if size > pieces:
            return " ".join([*kept, "…"])
        kept.append(word)
    return text


def _row_texts(rows: Sequence[TableRow]) -> list[str]:
    texts: list[str] = []
    group = ""
    for row in rows:
        if row.group and row.group != group:
            texts.append(row.group + ":")
        group = row.group
        texts.append(" | ".join([row.header, *(cell.text for cell in row.cells)]).strip())
    return texts


def _row_ranges(rows: Sequence[TableRow], budget: int) -> Iterator[tuple[int, int]]:
    """Ranges of rows of about the same cost, each within the budget."""
    alone = [sum(word_pieces(text) for text in _row_texts([row])) for row in rows]
    costs = [
        word_pieces(_row_texts([row])[-1]) if n and row.group == rows[n - 1].group else alone[n]
        for n, row in enumerate(rows)
    ]
    left = sum(costs)
    first, size = 0, alone[0]
    for n in range(1, len(rows)):
        if size + costs[n] > budget or size >= left / max(1, ceil(left / budget)):
            yield first, n
            left -= size
            first, size = n, alone[n]
        else:
            size += costs[n]
    yield first, len(rows)


def _owners(block: Block, rows: Sequence[TableRow]) -> list[int]:
    """For each line of a table block the row it belongs to; lines before a row go with it."""
    owners: list[int] = []
    row = 0
    for line in block.lines:
        while row < len(rows) - 1 and not _holds(line, rows[row]) and _holds(line, rows[row + 1]):
            row += 1
        owners.append(row)
        if row < len(rows) - 1 and _holds(line, rows[row]):
            row += 1
    return owners


def _holds(line: Line, row: TableRow) -> bool:
    rect = next((cell.rect for cell in row.cells if cell.rect is not None), None)
    if rect is None:
        return False
    x, y = (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
    return line.rect.x0 <= x <= line.rect.x1 and line.rect.y0 <= y <= line.rect.y1
