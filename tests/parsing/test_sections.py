from __future__ import annotations

import pymupdf

from aethel_core.parsing import parse_pdf
from aethel_core.types import Block
from tests.parsing.paper import Draw, paragraph, pdf, write, write_right

TEXT = ["The partnership held its annual meeting in May and reviewed the year with its partners."] * 2


def headings(*pages: Draw) -> list[tuple[int, str]]:
    blocks: list[Block] = [b for page in parse_pdf(pdf(*pages), "a.pdf").pages for b in page.blocks]
    return [(block.level, block.text) for block in blocks if block.kind == "heading"]


def test_items_parts_and_notes() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = 60
        for text in (
            "PART II",
            "Item 7. Management's Discussion and Analysis",
            "Note 5 — Debt",
            "6. Income Taxes",
        ):
            write(page, 50, y, text, bold=True)
            y = paragraph(page, 50, y + 20, TEXT) + 12

    assert headings(draw) == [
        (1, "PART II"),
        (1, "Item 7. Management's Discussion and Analysis"),
        (2, "Note 5 — Debt"),
        (2, "6. Income Taxes"),
    ]


def test_an_item_and_its_title_set_apart() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 50, 60, "Item 1A.", bold=True)
        write(page, 130, 60, "Risk Factors", bold=True)
        paragraph(page, 50, 80, TEXT)

    assert headings(draw) == [(1, "Item 1A. Risk Factors")]


def test_a_table_of_contents_has_no_headings() -> None:
    def contents(page: pymupdf.Page) -> None:
        write(page, 50, 40, "PART I", bold=True)
        titles = ("Business", "Risk Factors", "Properties", "Legal Proceedings", "Selected Data")
        for n, title in enumerate(titles):
            write(page, 50, 60 + 14 * n, f"Item {n + 1}.", bold=True)
            write(page, 110, 60 + 14 * n, title, bold=True)
            write_right(page, 550, 60 + 14 * n, str(3 + 9 * n))

    assert headings(contents) == []


def test_short_items_on_one_page_are_no_table_of_contents() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = 60
        for number in ("1B", "2", "3", "4"):
            write(page, 50, y, f"Item {number}. A Title", bold=True)
            y = paragraph(page, 50, y + 18, TEXT * 2) + 10

    assert [level for level, _ in headings(draw)] == [1, 1, 1, 1]


def test_letters_have_headings_by_size_and_weight() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 50, 60, "Letter to Limited Partners", size=16)
        y = paragraph(page, 50, 90, TEXT) + 14
        write(page, 50, y, "Portfolio review", bold=True)
        y = paragraph(page, 50, y + 18, TEXT) + 14
        write(page, 50, y, "LIQUIDITY")
        paragraph(page, 50, y + 18, TEXT)

    assert headings(draw) == [(1, "Letter to Limited Partners"), (3, "Portfolio review"), (3, "LIQUIDITY")]


def test_what_is_no_heading() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = 60
        for text in (
            "• Distributions resumed in May",
            "(1) Net of carried interest",
            "(in thousands, except units)",
            "2021",
            "as described in Item 7. Management",
            "of $4.2 million, and",
        ):
            write(page, 50, y, text, bold=True)
            y = paragraph(page, 50, y + 20, TEXT) + 12

    assert headings(draw) == []
