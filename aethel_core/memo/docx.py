"""A memo as a Word document."""

from __future__ import annotations

import io
import re
from datetime import datetime
from typing import Any

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from PIL import Image as Picture

from aethel_core.memo.archive import steady
from aethel_core.memo.rendered import Block, Cited, Rendered

_EPOCH = datetime(2000, 1, 1)
_NAVY, _RED, _GREY = RGBColor(0x1F, 0x3A, 0x5F), RGBColor(0xA6, 0x1B, 0x1B), RGBColor(0x60, 0x60, 0x60)
_WIDEST, _TALLEST, _SCALE = 470, 120, 0.46  # of a picture: points, points, points per pixel
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def docx(memo: Rendered) -> bytes:
    document = Document()
    _styles(document)
    _head(document, memo)
    for part in memo.parts:
        document.add_heading(_clean(part.heading), 1)
        for block in part.blocks:
            _block(document, block)
    _figures(document, memo)
    if memo.open_questions:
        document.add_heading("Open questions", 1)
        for who, text in memo.open_questions:
            document.add_paragraph(_clean(f"{text} ({who})"), style="List Bullet")
    _sources(document, memo)
    _made(document, memo)
    _further(document, memo)
    _evidence(document, memo)
    _numbered(document)
    properties = document.core_properties
    properties.title, properties.author = _clean(memo.title)[:250], "Aethel"
    properties.created = properties.modified = _EPOCH
    target = io.BytesIO()
    document.save(target)
    return steady(target.getvalue())


def _clean(text: str) -> str:
    return _CONTROL.sub("", text)


def _styles(document: Any) -> None:
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(10.5)
    normal.paragraph_format.space_after = Pt(4)
    for level, size in ((1, 13), (2, 11)):
        style = document.styles[f"Heading {level}"]
        style.font.size, style.font.color.rgb, style.font.name = Pt(size), _NAVY, "Calibri"
        style.paragraph_format.keep_with_next = True
    for section in document.sections:
        section.left_margin = section.right_margin = Cm(2.2)
        section.top_margin = section.bottom_margin = Cm(2)


def _head(document: Any, memo: Rendered) -> None:
    kind = document.add_paragraph()
    run = kind.add_run(_clean(memo.kind.upper()))
    run.bold, run.font.size, run.font.color.rgb = True, Pt(9), _GREY
    title = document.add_paragraph()
    run = title.add_run(_clean(memo.title))
    run.bold, run.font.size, run.font.color.rgb = True, Pt(18), _NAVY
    for label, value in (("Date", memo.date), ("About", ", ".join(memo.about)), ("Audit", memo.status)):
        if value:
            line = document.add_paragraph()
            line.add_run(f"{label}: ").bold = True
            line.add_run(_clean(value))


def _block(document: Any, block: Block) -> None:
    paragraph = document.add_paragraph(style="List Bullet" if block.bullet else None)
    for number, text in enumerate(block.texts):
        paragraph.add_run((" " if number else "") + _clean(text.text))
        marks = ",".join(str(mark) for mark in text.marks)
        if marks:
            run = paragraph.add_run(f" [{marks}]")
            run.font.size, run.font.color.rgb = Pt(8), _NAVY
        if text.flags:
            run = paragraph.add_run(_clean(f" ⚑ {' '.join(text.flags)}"))
            run.font.size, run.font.color.rgb, run.italic = Pt(9), _RED, True


def _figures(document: Any, memo: Rendered) -> None:
    if not memo.table:
        return
    document.add_heading("Figures", 1)
    rows = [
        (r.measure, r.whose, r.period, r.shown, f"[{r.mark}]" if r.mark else r.citation) for r in memo.table
    ]
    heads = ("Measure", "Of", "Period", "Figure", "Source")
    _table(document, heads, rows, right=3, widths=(4.8, 4.4, 3.4, 2.6, 1.6))


def _further(document: Any, memo: Rendered) -> None:
    if not memo.further:
        return
    document.add_heading("Appendix A: further findings", 1)
    rows = []
    for found in memo.further:
        flags = f" ⚑ {' '.join(found.flags)}" if found.flags else ""
        rows.append((found.section, found.claim + flags, "; ".join(found.places)))
    _table(document, ("Section", "Finding", "Source"), rows, widths=(3.2, 9.4, 4.0))


def _table(
    document: Any,
    heads: tuple[str, ...],
    rows: list[tuple[str, ...]],
    *,
    right: int = -1,
    widths: tuple[float, ...] = (),
) -> None:
    table = document.add_table(rows=1, cols=len(heads), style="Light Grid Accent 1")
    for cell, head in zip(table.rows[0].cells, heads, strict=True):
        cell.text = head
    mark = OxmlElement("w:tblHeader")
    table.rows[0]._tr.get_or_add_trPr().append(mark)
    for row in rows:
        line = table.add_row()
        line._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))
        for number, (cell, value) in enumerate(zip(line.cells, row, strict=True)):
            cell.text = _clean(value)
            paragraph = cell.paragraphs[0]
            paragraph.paragraph_format.space_after = Pt(0)
            for run in paragraph.runs:
                run.font.size = Pt(8.5)
            if number == right:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    for column, width in zip(table.columns, widths, strict=False):
        for cell in column.cells:
            cell.width = Cm(width)


def _sources(document: Any, memo: Rendered) -> None:
    if not memo.sources:
        return
    document.add_heading("Sources", 1)
    for source in memo.sources:
        _source(document, source)


def _source(document: Any, source: Cited) -> Any:
    paragraph = document.add_paragraph()
    paragraph.paragraph_format.space_after = Pt(1)
    paragraph.add_run(f"[{source.number}] ").bold = True
    paragraph.add_run(_clean(f"{source.citation} ({source.document})"))
    for run in paragraph.runs:
        run.font.size = Pt(9)
    return paragraph


def _evidence(document: Any, memo: Rendered) -> None:
    """Pictures at half the size of the page, as in the PDF."""
    shown = [source for source in memo.sources if source.picture]
    if not shown:
        return
    document.add_page_break()
    letter = "B" if memo.further else "A"
    document.add_heading(f"Appendix {letter}: the evidence as it stands on the page", 1)
    for source in shown:
        data = source.picture or b""
        _source(document, source).paragraph_format.keep_with_next = True
        with Picture.open(io.BytesIO(data)) as picture:
            width, height = picture.size
        scale = min(_WIDEST / width, _TALLEST / height, _SCALE)
        document.add_picture(io.BytesIO(data), width=Pt(width * scale))


def _made(document: Any, memo: Rendered) -> None:
    document.add_heading("How this was made", 1)
    lines = [f"Corpus: {memo.corpus}", *memo.settings, *memo.notes]
    for line in [*lines, f"Fingerprint of corpus and settings: {memo.fingerprint}"]:
        document.add_paragraph(_clean(line), style="List Bullet")


def _numbered(document: Any) -> None:
    """Page numbers, which Word computes."""
    paragraph = document.sections[0].footer.paragraphs[0]
    paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    run = paragraph.add_run()
    for kind, text in (("begin", ""), ("", " PAGE "), ("end", "")):
        if kind:
            element = OxmlElement("w:fldChar")
            element.set(qn("w:fldCharType"), kind)
        else:
            element = OxmlElement("w:instrText")
            element.set(qn("xml:space"), "preserve")
            element.text = text
        run._r.append(element)
