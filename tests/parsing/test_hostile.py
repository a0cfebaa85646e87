"""Files made to break a reader, or to keep it busy for ever."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pymupdf
import pytest

from aethel_core.chunking import passages
from aethel_core.errors import AethelError
from aethel_core.parsing import numbers, ocr_available, parse_pdf, periods, render_page, spans
from aethel_core.parsing.clean import clean, display_name
from aethel_core.types import Block, Line, Page, ParsedDocument, Rect
from tests.parsing.paper import paragraph, pdf, write
from tests.parsing.test_tables import balance_sheet

REPEATED = (
    "a",
    "A",
    " ",
    "(",
    "( ",
    "1 ",
    "1,",
    "- ",
    "—",
    ". ",
    ".",
    "$ ",
    "(a) ",
    "(in ",
    "unaudited ",
    "-\n",
    "item 1 ",
)
LENGTH = 4000


@pytest.mark.parametrize("unit", REPEATED)
def test_no_text_takes_long(unit: str) -> None:
    readers: tuple[Callable[[str], object], ...] = (
        clean,
        display_name,
        numbers.parse_number,
        numbers.is_quantity,
        periods.find_unit,
        periods.year_end_months,
        lambda text: periods.period_of(text, 12),
        spans.is_trifle,
    )
    for text in (unit * (LENGTH // len(unit)) + tail for tail in ("", "x", "!")):
        for read in readers:
            begun = time.process_time()
            read(text)
            assert time.process_time() - begun < 1, read
        line = Line(text, 0, len(text), Rect(0, 0, 1, 1))
        page = Page(1, text, (Block("heading", (line,), level=2), Block("prose", (line,))), 9, 9)
        begun = time.process_time()
        passages(ParsedDocument("a", "0" * 64, (page,)))
        assert time.process_time() - begun < 3


def test_rows_of_small_marks_take_no_time() -> None:
    def draw(page: pymupdf.Page) -> None:
        for n in range(8):
            write(page, 50, 60 + 14 * n, "Revenue of the segment")
            write(page, 200, 60 + 14 * n, "ab cd " * 60 + "!", size=4)

    begun = time.process_time()
    parse_pdf(pdf(draw), "a.pdf")
    assert time.process_time() - begun < 3


@pytest.mark.parametrize("seed", range(6))
def test_damaged_files_give_a_document_or_one_of_our_errors(seed: int) -> None:
    chance = random.Random(seed)
    whole = pdf(balance_sheet, balance_sheet)
    for _ in range(12):
        data = bytearray(whole)
        match chance.randrange(3):
            case 0:
                for _ in range(chance.choice((1, 20, 200))):
                    data[chance.randrange(len(data))] = chance.randrange(256)
            case 1:
                del data[chance.randrange(len(data)) :]
            case _:
                start = chance.randrange(len(data))
                del data[start : start + chance.randrange(2000)]
        try:
            passages(parse_pdf(bytes(data), "a.pdf", ocr=False))
            render_page(bytes(data), 1)
        except AethelError as error:
            assert str(error)


def test_glyphs_without_a_meaning_are_read_by_ocr_or_named() -> None:
    def draw(page: pymupdf.Page) -> None:
        paragraph(page, 60, 80, ["Distributions to the partners of the fund were paid in full"] * 4)

    with pymupdf.open(stream=pdf(draw), filetype="pdf") as document:
        for xref in range(1, document.xref_length()):
            if document.xref_get_key(xref, "ToUnicode")[0] != "null":
                document.xref_set_key(xref, "ToUnicode", "null")
            if document.xref_get_key(xref, "Subtype")[1] == "/CIDFontType2":
                document.xref_set_key(
                    xref, "CIDSystemInfo", "<</Registry(Adobe)/Ordering(None)/Supplement 0>>"
                )
        data = document.tobytes()
    (page,) = parse_pdf(data, "a.pdf", ocr=False).pages
    assert page.source == "none" and page.text == "" and page.warnings
    if ocr_available():
        (page,) = parse_pdf(data, "a.pdf").pages
        assert page.source == "ocr" and "Distributions to the partners" in page.text
