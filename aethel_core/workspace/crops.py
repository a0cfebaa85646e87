"""A passage as it stands on its page, cut out of the page's picture."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise

from PIL import Image

from aethel_core.types import Passage, Rect

ZOOM = 1.5
_MARGIN, _COLOURS, _GAP = 4, 24, 4
_ROWS = 6  # a table with more is shown by its head and the rows that are cited


def cut(page: bytes, passage: Passage, cells: Sequence[Rect] = ()) -> bytes:
    """The passage as PNG; of a long table its head, and the rows of the cells with their neighbours.

    :param page: a picture of the page, `ZOOM` pixels to the point.
    """
    with Image.open(io.BytesIO(page)) as image:
        strips = [image.convert("RGB").crop(box) for box in _boxes(passage, cells, image.size)]
    whole = strips[0]
    if len(strips) > 1:
        height = sum(strip.height + _GAP for strip in strips) - _GAP
        whole = Image.new("RGB", (whole.width, height), "white")
        place = 0
        for strip in strips:
            whole.paste(strip, (0, place))
            place += strip.height + _GAP
    target = io.BytesIO()
    whole.quantize(_COLOURS).save(target, "PNG", optimize=True)
    return target.getvalue()


Box = tuple[int, int, int, int]


def _boxes(passage: Passage, cells: Sequence[Rect], size: tuple[int, int]) -> list[Box]:
    rects = passage.rects
    left = max(0, int(min(rect.x0 for rect in rects) * ZOOM) - _MARGIN)
    right = min(size[0], int(max(rect.x1 for rect in rects) * ZOOM) + _MARGIN)
    top, bottom = min(rect.y0 for rect in rects), max(rect.y1 for rect in rects)
    spans = _spans(passage, cells, top, bottom) or [(top, bottom)]
    made = []
    for first, last in spans:
        upper = max(0, int(first * ZOOM) - (_MARGIN if first == top else 0))
        lower = min(size[1], int(last * ZOOM) + (_MARGIN if last == bottom else 0))
        made.append((left, upper, right, max(lower, upper + 1)))
    return made


def _spans(passage: Passage, cells: Sequence[Rect], top: float, bottom: float) -> list[tuple[float, float]]:
    """The heights to show of a long table, from top to bottom; empty for everything."""
    rows = _rows(passage)
    if len(rows) <= _ROWS:
        return []
    cited = {
        number
        for number, (first, last) in enumerate(rows)
        for cell in cells
        if cell.y0 < last - 1 and first + 1 < cell.y1
    } or {0, 1}
    shown = sorted({n + step for n in cited for step in (-1, 0, 1) if 0 <= n + step < len(rows)})
    spans = [(top, rows[0][0])] if rows[0][0] - top > 2 else []
    for number in shown:
        first, last = rows[number][0], rows[number + 1][0] if number + 1 < len(rows) else bottom
        if spans and abs(spans[-1][1] - first) < 1:
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
    return spans


def _rows(passage: Passage) -> list[tuple[float, float]]:
    """From where to where each row of the table goes, none if that is not known."""
    bands: list[tuple[float, float]] = []
    for row in passage.table.rows if passage.table else ():
        rects = [cell.rect for cell in row.cells if cell.rect]
        if rects:
            bands.append((min(rect.y0 for rect in rects), max(rect.y1 for rect in rects)))
    ordered = all(before[0] < after[0] for before, after in pairwise(bands))
    return bands if ordered else []
