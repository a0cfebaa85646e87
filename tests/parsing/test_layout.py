from __future__ import annotations

from itertools import pairwise

import pymupdf
import pytest

from aethel_core.parsing import parse_pdf
from aethel_core.types import Page
from tests.parsing.paper import HEIGHT, WIDTH, nothing, paragraph, pdf, write

LEFT = [
    "Capital calls in the period were funded within ten",
    "days of notice by all but two of the partners, and",
    "the general partner waived interest for both since",
    "the delay was caused by the transfer of an interest",
    "from one pension plan to its successor, as agreed",
    "by the advisory committee in the spring meeting.",
]
RIGHT = [
    "Distributions resumed after the sale of the last of",
    "the logistics assets, whose proceeds were applied",
    "first to the credit line and then to the partners,",
    "pro rata to commitments and net of a reserve kept",
    "for the purchase price adjustment that is expected",
    "to be settled before the end of the third quarter.",
]


def read(*draw: object, **how: object) -> list[Page]:
    return list(parse_pdf(pdf(*draw, **how), "a.pdf").pages)


def two_columns(page: pymupdf.Page) -> None:
    write(
        page,
        50,
        60,
        "Report of the general partner on capital calls and on distributions during the year just ended",
    )
    for n in range(6):  # drawn line by line across both columns
        write(page, 50, 100 + 12 * n, LEFT[n])
        write(page, 320, 104 + 12 * n, RIGHT[n])
    write(
        page,
        50,
        220,
        "Both columns end above this sentence, which again runs across the whole width of the page.",
    )


def test_two_columns_are_read_one_after_the_other() -> None:
    (page,) = read(two_columns)
    lines = [line.text for block in page.blocks for line in block.lines]
    assert lines[1:13] == LEFT + RIGHT
    assert lines[0].startswith("Report of") and lines[13].startswith("Both columns")


def test_three_columns() -> None:
    def draw(page: pymupdf.Page) -> None:
        for column in range(3):
            for n in range(8):
                write(
                    page, 40 + 180 * column, 80 + 12 * n, f"column {column} line {n} of words in it", size=9
                )

    (page,) = read(draw)
    lines = [line.text for block in page.blocks for line in block.lines]
    assert lines == [f"column {c} line {n} of words in it" for c in range(3) for n in range(8)]


def test_a_table_inside_a_column_of_text() -> None:
    def draw(page: pymupdf.Page) -> None:
        for n, line in enumerate(LEFT * 2):
            write(page, 50, 80 + 12 * n, line, size=9)
        for n, (fund, bid) in enumerate(
            (("Ardent VII", "88.0"), ("Corvane V", "84.0"), ("Halden II", "90.0"))
        ):
            write(page, 50, 240 + 12 * n, fund, size=9)
            write(page, 200, 240 + 12 * n, bid, size=9)
            write(page, 240, 240 + 12 * n, bid, size=9)
        for n, line in enumerate(RIGHT * 3):
            write(page, 320, 80 + 12 * n, line, size=9)

    (page,) = read(draw)
    assert [block.kind for block in page.blocks] == ["prose", "table", "prose"]
    table = page.blocks[1].table
    assert table is not None and [row.header for row in table.rows] == [
        "Ardent VII",
        "Corvane V",
        "Halden II",
    ]
    assert len(table.columns) == 2


def test_lines_cover_exactly_their_text() -> None:
    (page,) = read(two_columns)
    lines = [line for block in page.blocks for line in block.lines]
    assert all(page.text[line.start : line.end] == line.text for line in lines)
    assert all(a.end < b.start for a, b in pairwise(lines))
    for line in lines:
        r = line.rect
        assert 0 <= r.x0 < r.x1 <= WIDTH and 0 <= r.y0 < r.y1 <= HEIGHT


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_rotated_page_has_the_coordinates_of_the_page_as_displayed(rotation: int) -> None:
    data = pdf(two_columns, rotation=rotation)
    (page,) = parse_pdf(data, "a.pdf").pages
    turned = rotation in (90, 270)
    assert (page.width, page.height) == ((HEIGHT, WIDTH) if turned else (WIDTH, HEIGHT))
    assert page.rotation == rotation
    assert "Capital calls in the period" in page.text
    assert page.blocks[0].lines[0].text.startswith("Report of")
    with pymupdf.open(stream=data, filetype="pdf") as document:
        shown = document[0]
        line = page.blocks[0].lines[0].rect
        box = pymupdf.Rect(line.x0, line.y0, line.x1, line.y1)
        found = shown.search_for("Report of the general partner")[0] * shown.rotation_matrix
        assert box.contains((found.tl + found.br) / 2)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_text_drawn_sideways_is_read_upright(turn: int) -> None:
    def draw(page: pymupdf.Page) -> None:
        for n in range(6):
            x, y = {90: (80 + 12 * n, 700), 180: (550, 700 - 12 * n), 270: (550 - 12 * n, 60)}[turn]
            page.insert_text((x, y), LEFT[n], rotate=turn)

    (page,) = read(draw)
    assert page.text == "\n".join(LEFT)
    first, last = page.blocks[0].lines[0].rect, page.blocks[0].lines[-1].rect
    if turn == 180:
        assert first.y0 > last.y0 and first.x1 - first.x0 > 5 * (first.y1 - first.y0)
    else:
        assert first.y1 - first.y0 > 5 * (first.x1 - first.x0)
        assert (first.x0 < last.x0) == (turn == 90)


def test_a_stamp_in_the_margin_comes_after_the_text() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((20, 500), "CONFIDENTIAL DRAFT", rotate=90)
        paragraph(page, 60, 100, LEFT)

    (page,) = read(draw)
    assert page.text.startswith("Capital calls") and page.text.endswith("CONFIDENTIAL DRAFT")


def test_paragraphs_and_bullets_are_blocks() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = paragraph(page, 50, 80, LEFT) + 10
        y = paragraph(
            page, 50, y, ["• first of two points that were made", "• second of two points that were made"]
        )
        write(page, 50, y + 20, "Key persons", bold=True)
        paragraph(page, 50, y + 36, RIGHT)

    (page,) = read(draw)
    kinds = [(block.kind, len(block.lines)) for block in page.blocks]
    assert kinds == [("prose", 6), ("prose", 1), ("prose", 1), ("heading", 1), ("prose", 6)]


def test_blank_pages_are_empty_and_silent() -> None:
    pages = read(nothing, two_columns)
    assert pages[0].text == "" and pages[0].blocks == () and pages[0].warnings == ()


def test_a_page_of_a_hundred_thousand_words_takes_reasonable_time() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.insert_text((20, 20), [" ".join(["commitments"] * 50)] * 2000, fontsize=0.3, lineheight=1.2)

    (page,) = read(draw)
    assert page.text.count("commitments") == 100_000
