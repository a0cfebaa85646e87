"""Key figures set as tiles: a row of large figures, each with its caption centred below it."""

from __future__ import annotations

from collections.abc import Sequence

from aethel_core.parsing import numbers
from aethel_core.parsing.pieces import TableLine
from aethel_core.parsing.words import Turn
from aethel_core.types import Table, TableCell, TableColumn, TableRow

_FEWEST = 3
_LARGER = 1.25  # the figures against their captions
_CENTRED = 10.0  # points
TITLE = "Key figures"


def tiles_at(lines: Sequence[TableLine], n: int, turn: Turn) -> Table | None:
    """The table of a row of tiles whose figures are row ``n`` and captions row ``n + 1``."""
    if n + 1 >= len(lines):
        return None
    figures, captions = lines[n].pieces, lines[n + 1].pieces
    if not _FEWEST <= len(figures) == len(captions) or lines[n].em < _LARGER * lines[n + 1].em:
        return None
    if lines[n + 1].row.y0 - lines[n].row.y1 > lines[n].em:
        return None
    if not any(piece.numeric for piece in figures) or any(piece.numeric for piece in captions):
        return None
    if any(abs(a.centre - b.centre) > _CENTRED for a, b in zip(figures, captions, strict=True)):
        return None
    row = lines[n].row
    values = [(p.text, *numbers.parse_number(p.text)) for p in figures]
    rects = [turn.displayed(p.x0, row.y0, p.x1, row.y1) for p in figures]
    cells = tuple(TableCell(text, value, rect) for (text, value, _), rect in zip(values, rects, strict=True))
    columns = tuple(TableColumn(p.text, "", unit) for p, (_, _, unit) in zip(captions, values, strict=True))
    return Table(TITLE, columns, (TableRow("", cells),))
