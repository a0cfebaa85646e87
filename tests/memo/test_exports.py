"""Every export holds the memo, says what is wrong in it, takes text for text, and repeats to the byte."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from html import unescape

import openpyxl
import pymupdf
import pytest
from docx import Document as Word
from PIL import Image

from aethel_core.memo import EXPORTERS, Rendered, Section, rendered
from aethel_core.memo.rendered import Figure, told_apart
from aethel_core.types import Rect
from tests.deal import DOCUMENTS, sources
from tests.memo.test_draft import NET_ASSETS, bodied, memo

HOSTILE = '=HYPERLINK("http://evil.example","x") <script>alert(1)</script> <b>&amp; | `rm` [x](y)'


def picture(passage: str, cells: Sequence[Rect]) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (400, 80), "white").save(target, "PNG")
    return target.getvalue()


def made(**changes: object) -> Rendered:
    return rendered(
        replace(memo(), **changes),
        sources(),
        lambda passage: f"citation of {passage}",
        corpus=[document.name for document in DOCUMENTS],
        crop=picture,
    )


@pytest.fixture(scope="module")
def ready() -> Rendered:
    return made()


@pytest.mark.parametrize("form", EXPORTERS)
def test_the_same_memo_gives_the_same_bytes(form: str, ready: Rendered) -> None:
    assert EXPORTERS[form](ready) == EXPORTERS[form](made())
    assert EXPORTERS[form](ready) != EXPORTERS[form](made(date="2023-03-02"))


def text_of(form: str, data: bytes) -> str:
    if form == "pdf":
        with pymupdf.open(stream=data) as document:
            return " ".join("\n".join(page.get_text() for page in document).split())
    if form == "md":
        return unescape(data.decode().replace("\\", ""))
    if form == "docx":
        word = Word(io.BytesIO(data))
        cells = [cell.text for table in word.tables for row in table.rows for cell in row.cells]
        return "\n".join([*(paragraph.text for paragraph in word.paragraphs), *cells])
    book = openpyxl.load_workbook(io.BytesIO(data))
    return "\n".join(str(c.value) for sheet in book for row in sheet.iter_rows() for c in row if c.value)


@pytest.mark.parametrize("form", EXPORTERS)
def test_what_an_export_holds(form: str, ready: Rendered) -> None:
    text = text_of(form, EXPORTERS[form](ready))
    for part in (
        "A deal",
        "Total value to paid-in (TVPI) of Alder Ridge Partners II was 1.30x",
        "every figure matched",
        "Is there substantial doubt about going concern?",
        f"citation of {NET_ASSETS}",
        ready.fingerprint,
        "4 documents",
        "2023-03-01",
    ):
        assert part in text, part


@pytest.mark.parametrize("form", EXPORTERS)
def test_a_flag_is_in_every_export(form: str) -> None:
    wrong = bodied("Net asset value was $999.0 million at December 31, 2022. [1]")
    data = EXPORTERS[form](rendered(wrong, sources(), lambda passage: "c", corpus=["d"]))
    text = text_of(form, data)
    assert "$999.0 million is not in the cited passage." in text
    assert "0 of 1 sentences are supported" in text


@pytest.mark.parametrize("form", EXPORTERS)
def test_hostile_text_stays_text(form: str) -> None:
    hostile = replace(
        bodied(f"{HOSTILE} [1]"),
        title=HOSTILE,
        notes=(HOSTILE,),
        sections=(Section(HOSTILE, f"{HOSTILE} [1]"),),
    )
    data = EXPORTERS[form](rendered(hostile, sources(), lambda passage: HOSTILE, corpus=["d"]))
    assert "alert(1)" in text_of(form, data)
    if form == "md":
        assert b"<script" not in data and b"&lt;script" in data
    if form == "docx":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert b"<script" not in archive.read("word/document.xml")
    if form == "pdf":
        with pymupdf.open(stream=data) as document:
            assert not [link for page in document for link in page.get_links() if link.get("uri")]


def test_cells_are_typed_and_no_formula(ready: Rendered) -> None:
    hostile = replace(ready, title=HOSTILE, notes=("+1", "@x", "-2"))
    book = openpyxl.load_workbook(io.BytesIO(EXPORTERS["xlsx"](hostile)))
    assert book.sheetnames == ["Memo", "Findings", "Figures", "Sources", "Audit", "Open questions"]
    assert not [c for sheet in book for row in sheet.iter_rows() for c in row if c.data_type == "f"]
    assert book["Memo"]["B2"].value == HOSTILE
    values = [row[2].value for row in book["Figures"].iter_rows(min_row=2)]
    assert values and all(isinstance(value, int | float) for value in values)
    assert 420e6 in values
    assert all(isinstance(row[3].value, int) for row in book["Sources"].iter_rows(min_row=2))


def test_the_pdf_is_numbered_linked_and_has_no_lonely_heading(ready: Rendered) -> None:
    with pymupdf.open(stream=EXPORTERS["pdf"](ready)) as document:
        count = document.page_count
        for number, page in enumerate(document, start=1):
            assert f"Page {number} of {count}" in page.get_text()
            blocks = [b for b in page.get_text("dict")["blocks"] if b["type"] == 0]
            body = [
                span for b in blocks for line in b["lines"] for span in line["spans"] if span["bbox"][3] < 780
            ]
            last = max(body, key=lambda span: span["bbox"][3])
            assert not (last["font"] == "Helvetica-Bold" and 11 < last["size"] < 12), last["text"]
        targets = [
            link["page"]
            for page in document
            for link in page.get_links()
            if link["kind"] == pymupdf.LINK_GOTO
        ]
        named = [link for page in document for link in page.get_links() if link["kind"] == pymupdf.LINK_NAMED]
        assert len(targets) + len(named) >= len(ready.sources)
        assert all(0 <= target < count for target in targets)


def test_an_empty_memo_can_be_exported() -> None:
    empty = rendered(bodied(""), sources(), lambda passage: "c", corpus=[])
    assert empty.status == "The draft holds no sentence yet."
    for export in EXPORTERS.values():
        assert export(empty)


def test_amounts_of_one_row_and_date_are_told_apart_by_their_columns() -> None:
    def amount(column: str, value: float) -> Figure:
        text = f"${value:.1f} million"
        place = f"Total · {column}"
        return Figure(
            "Total", "Fund", text, text, False, value, "currency", "USD", "2022", place, 1, "p. 1", ""
        )

    rows = told_apart(
        [amount("Cost", 18.0), amount("Fair value", 22.0), replace(amount("Q4", 3.0), period="Q4")]
    )
    assert [row.measure for row in rows] == ["Total, cost", "Total, fair value", "Total"]
