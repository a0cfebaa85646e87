"""A memo's findings, figures, sources and audit as a workbook with typed cells."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from aethel_core.memo.archive import steady
from aethel_core.memo.rendered import Rendered

_HEAD = PatternFill("solid", fgColor="1F3A5F")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST = 32_000  # a cell holds 32,767 characters
_EPOCH = datetime(2000, 1, 1)


def xlsx(memo: Rendered) -> bytes:
    book = Workbook()
    book.remove(book.active)
    _sheet(book, "Memo", ("Field", "Value"), _about(memo), (30, 110))
    _sheet(
        book,
        "Findings",
        ("Specialist", "Section", "Kind", "Claim", "Confidence", "Evidence path", "Note"),
        (
            (f.specialist, f.section, f.kind.value, f.claim, f.confidence, " → ".join(f.path), f.note)
            for f in memo.findings
        ),
        (24, 26, 14, 90, 12, 40, 50),
    )
    _sheet(
        book,
        "Figures",
        (
            "Measure",
            "Value",
            "Unit",
            "Currency",
            "Period",
            "As written",
            "Row and column",
            "Formula",
            "Source",
            "Mark",
        ),
        (
            (
                r.measure,
                r.value,
                r.unit,
                r.currency,
                r.period,
                r.written,
                r.place,
                r.formula,
                r.citation,
                r.mark or None,
            )
            for r in memo.figures
        ),
        (40, 18, 12, 10, 22, 18, 50, 50, 50, 8),
    )
    _sheet(
        book,
        "Sources",
        ("Mark", "Citation", "Document", "Page", "Section", "Text"),
        ((s.number, s.citation, s.document, s.page, s.section, s.text) for s in memo.sources),
        (8, 55, 45, 8, 35, 100),
    )
    _sheet(
        book,
        "Audit",
        ("Section", "Sentence", "Verdict", "Marks", "Flags"),
        (
            (part.heading, text.text, text.verdict, ", ".join(map(str, text.marks)), " ".join(text.flags))
            for part in memo.parts
            for block in part.blocks
            for text in block.texts
        ),
        (30, 100, 18, 12, 80),
    )
    _sheet(book, "Open questions", ("Specialist", "Question"), memo.open_questions, (30, 100))
    book.properties.created = book.properties.modified = _EPOCH
    book.properties.creator = "Aethel"
    target = io.BytesIO()
    book.save(target)
    return steady(_without_moment(target.getvalue()))


def _about(memo: Rendered) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = [
        ("Title", memo.title),
        ("Kind", memo.kind),
        ("Date", memo.date),
        ("About", ", ".join(memo.about)),
        ("Audit", memo.status),
        ("Corpus", memo.corpus),
        ("Fingerprint", memo.fingerprint),
    ]
    rows += [("Setting", line) for line in memo.settings] + [("Note", line) for line in memo.notes]
    return rows


def _sheet(
    book: Workbook, name: str, heads: Sequence[str], rows: Iterable[Sequence[Any]], widths: Sequence[int]
) -> Worksheet:
    sheet = book.create_sheet(name)
    sheet.append(list(heads))
    for cell in sheet[1]:
        cell.font, cell.fill = Font(bold=True, color="FFFFFF"), _HEAD
    for line, row in enumerate(rows, start=2):
        for column, value in enumerate(row, start=1):
            _put(sheet.cell(line, column), value)
    for column, width in enumerate(widths, start=1):
        sheet.column_dimensions[get_column_letter(column)].width = width
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    return sheet


def _put(cell: Any, value: Any) -> None:
    """Numbers stay numbers; a text stays a text, also one that begins like a formula."""
    if value is None or isinstance(value, int | float):
        cell.value = value
        return
    cell.value = _CONTROL.sub("", str(value))[:_LONGEST]
    cell.data_type = "s"
    if cell.value[:1] in "=+-@\t\r":
        cell.quotePrefix = True
    cell.alignment = Alignment(wrap_text=True, vertical="top")


def _without_moment(data: bytes) -> bytes:
    """openpyxl writes the time of saving over the one it was given."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(target, "w") as made:
        for name in given.namelist():
            content = given.read(name)
            if name == "docProps/core.xml":
                content = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2000-01-01T00:00:00Z", content)
            made.writestr(name, content)
    return target.getvalue()
