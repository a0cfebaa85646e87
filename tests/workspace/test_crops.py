"""What is cut out of a page: a passage whole, of a long table its head and the cited rows."""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image

from aethel_core.types import Passage, Rect, TableCell, TableRow
from aethel_core.workspace.crops import ZOOM, cut
from tests.deal import Q4, grid, prose

ROWS, TOP, HEIGHT = 20, 100.0, 12.0


def page() -> bytes:
    """Each row of the table in a colour of its own."""
    image = Image.new("RGB", (int(612 * ZOOM), int(792 * ZOOM)), "white")
    for row in range(ROWS):
        top = int((TOP + row * HEIGHT) * ZOOM)
        image.paste(
            (12 * row, 255 - 12 * row, 0), (0, top, image.width, int((TOP + (row + 1) * HEIGHT) * ZOOM))
        )
    target = io.BytesIO()
    image.save(target, "PNG")
    return target.getvalue()


def table(rows: int = ROWS) -> Passage:
    made = grid(Q4, 9, 1, [("2022", "FY2022")], [(f"Row {n}", ["1"]) for n in range(rows)])
    assert made.table
    placed = tuple(
        TableRow(row.header, (TableCell("1", 1.0, cell_at(n)),)) for n, row in enumerate(made.table.rows)
    )
    whole = Rect(72, 72, 540, TOP + rows * HEIGHT)
    return replace(made, table=replace(made.table, rows=placed), rects=(whole,))


def cell_at(row: int) -> Rect:
    return Rect(400, TOP + row * HEIGHT, 440, TOP + (row + 1) * HEIGHT)


def colours(png: bytes) -> tuple[set[int], int]:
    """The numbers of the rows that are to be seen, and the height of the picture in points."""
    with Image.open(io.BytesIO(png)) as image:
        found = {pixel for _, pixel in image.convert("RGB").getcolors(1 << 20) or ()}
        height = image.height
    rows = {
        row
        for row in range(ROWS)
        for r, g, b in found
        if abs(r - 12 * row) < 5 and b < 60 and g < 256 and abs(g - (255 - 12 * row)) < 5
    }
    return rows, round(height / ZOOM)


def test_a_long_table_shows_its_head_and_the_rows_around_the_cells() -> None:
    rows, height = colours(cut(page(), table(), [cell_at(10)]))
    assert rows == {9, 10, 11}
    assert height < 28 + 3 * HEIGHT + 14


def test_cells_far_apart_are_both_shown() -> None:
    rows, _ = colours(cut(page(), table(), [cell_at(0), cell_at(19)]))
    assert rows == {0, 1, 18, 19}


def test_a_long_table_without_cells_shows_how_it_begins() -> None:
    assert colours(cut(page(), table()))[0] == {0, 1, 2}


def test_a_short_table_and_prose_are_shown_whole() -> None:
    rows, height = colours(cut(page(), table(5), [cell_at(1)]))
    assert rows - {5} == {0, 1, 2, 3, 4} and height >= 28 + 5 * HEIGHT  # a margin below
    with Image.open(io.BytesIO(cut(page(), prose(Q4, 8, 1, "Text.")))) as image:
        assert round(image.height / ZOOM) in range(18, 26) and round(image.width / ZOOM) in range(468, 478)


def test_the_same_page_gives_the_same_bytes() -> None:
    assert cut(page(), table(), [cell_at(3)]) == cut(page(), table(), [cell_at(3)])
