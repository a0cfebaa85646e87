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
    for name, columns, rows in (
        ("Memo", _MEMO, _about(memo)),
        ("Findings", _FINDINGS, _findings(memo)),
        ("Figures", _FIGURES, _figures(memo)),
        ("Sources", _SOURCES, _sources(memo)),
        ("Audit", _AUDIT, _audit(memo)),
        ("Open questions", _OPEN, memo.open_questions),
    ):
        _sheet(book, name, columns, rows)
    book.properties.created = book.properties.modified = _EPOCH
    book.properties.creator = "Aethel"
    target = io.BytesIO()
    book.save(target)
    return steady(_without_moment(target.getvalue()))


# --- sheets: their columns with the width of each, and their rows -------------------------------

Columns = dict[str, int]
Rows = Iterable[Sequence[Any]]
_MEMO: Columns = {"Field": 30, "Value": 110}
_FINDINGS: Columns = {
    "Specialist": 24,
    "Section": 26,
    "Kind": 14,
    "Claim": 90,
    "Confidence": 12,
    "Told in": 12,
    "Evidence path": 40,
    "Note": 50,
}
_FIGURES: Columns = {
    "Measure": 40,
    "Of": 30,
    "Value": 18,
    "Unit": 12,
    "Currency": 10,
    "Period": 22,
    "As written": 18,
    "Row and column": 50,
    "Formula": 50,
    "Source": 50,
    "Mark": 8,
}
_SOURCES: Columns = {"Mark": 8, "Citation": 55, "Document": 45, "Page": 8, "Section": 35, "Text": 100}
_AUDIT: Columns = {"Section": 30, "Sentence": 100, "Verdict": 18, "Marks": 12, "Flags": 80}
_OPEN: Columns = {"Specialist": 30, "Question": 100}


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


def _findings(memo: Rendered) -> Rows:
    appendix = {further.claim for further in memo.further}
    for f in memo.findings:
        place = "appendix" if f.claim in appendix else "text"
        yield f.specialist, f.section, f.kind.value, f.claim, f.confidence, place, " → ".join(f.path), f.note


def _figures(memo: Rendered) -> Rows:
    for r in memo.figures:
        named = (r.measure, r.whose, r.value, r.unit, r.currency, r.period, r.written, r.place)
        yield *named, r.formula, r.citation, r.mark or None


def _sources(memo: Rendered) -> Rows:
    for s in memo.sources:
        yield s.number, s.citation, s.document, s.page, s.section, s.text


def _audit(memo: Rendered) -> Rows:
    for part in memo.parts:
        for text in (text for block in part.blocks for text in block.texts):
            marks = ", ".join(map(str, text.marks))
            yield part.heading, text.text, text.verdict, marks, " ".join(text.flags)


def _sheet(book: Workbook, name: str, columns: Columns, rows: Rows) -> Worksheet:
    sheet = book.create_sheet(name)
    sheet.append(list(columns))
    for cell in sheet[1]:
        cell.font, cell.fill = Font(bold=True, color="FFFFFF"), _HEAD
    for line, row in enumerate(rows, start=2):
        for column, value in enumerate(row, start=1):
            _put(sheet.cell(line, column), value)
    for column, width in enumerate(columns.values(), start=1):
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
