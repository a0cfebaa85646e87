"""A comparison as CSV and as XLSX: typed cells, and text that stays text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime

from aethel_core import workspace as core
from pages._ui import theme

_HEADERS = (
    "Retriever",
    "Rank",
    "Score",
    "Company",
    "Type",
    "Period",
    "Document",
    "Page",
    "Section",
    "Kind",
    "Citation",
    "Passage",
    "Text",
)
_WIDTHS = (12, 6, 10, 24, 16, 12, 34, 6, 40, 8, 44, 24, 90)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
Cell = str | int | float


def as_csv(workspace: core.Workspace, found: core.Comparison) -> bytes:
    """With a byte order mark, so that Excel reads it as UTF-8; text that a spreadsheet would take
    for a formula gets an apostrophe in front."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(_HEADERS)
    for row in _rows(workspace, found):
        writer.writerow([f"'{cell}" if _is_formula(cell) else cell for cell in row])
    return out.getvalue().encode("utf-8-sig")


def as_xlsx(workspace: core.Workspace, found: core.Comparison) -> bytes:
    """Two sheets: the hits, and what was asked of which corpus, when and how."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    hits = book.active
    hits.title = "Comparison"
    for number, row in enumerate([_HEADERS, *_rows(workspace, found)], start=1):
        _write(hits, number, row)
    for letter, width in zip("ABCDEFGHIJKLM", _WIDTHS, strict=True):
        hits.column_dimensions[letter].width = width
    for cell in hits["C"][1:]:
        cell.number_format = "0.000"
    for cell in hits["M"][1:]:
        cell.alignment = Alignment(wrap_text=True, vertical="top")
    hits.freeze_panes = "D2"
    hits.auto_filter.ref = hits.dimensions
    about = book.create_sheet("About")
    for number, row in enumerate(_about(workspace, found), start=1):
        _write(about, number, row)
    about.column_dimensions["A"].width, about.column_dimensions["B"].width = 22, 90
    for cell in (*hits[1], *about["A"]):
        cell.font = Font(bold=True)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _write(sheet, number: int, row: tuple[Cell, ...]) -> None:
    for column, value in enumerate(row, start=1):
        cell = sheet.cell(number, column, value)
        if isinstance(value, str):
            cell.data_type = "s"  # openpyxl takes "=..." for a formula
            cell.quotePrefix = _is_formula(value)


def _is_formula(cell: Cell) -> bool:
    return isinstance(cell, str) and cell.startswith(_FORMULA)


def _rows(workspace: core.Workspace, found: core.Comparison) -> Iterator[tuple[Cell, ...]]:
    for ranking in found.rankings:
        for rank, hit in enumerate(ranking.hits, start=1):
            passage = workspace.passage(hit.passage_id)
            document = workspace.document(passage.document_id)
            row = (
                theme.look(ranking.retriever).label,
                rank,
                hit.score,
                document.metadata.company,
                document.metadata.type.value,
                document.metadata.period.label,
                document.name,
                passage.page,
                passage.section,
                passage.kind.value,
                workspace.citation(hit.passage_id),
                hit.passage_id,
                passage.text,
            )
            yield tuple(_CONTROL.sub(" ", cell) if isinstance(cell, str) else cell for cell in row)


def _about(workspace: core.Workspace, found: core.Comparison) -> list[tuple[Cell, ...]]:
    counts = workspace.counts()
    filters = found.query.filters
    chosen = [*filters.companies, *map(str, filters.years), *(t.value for t in filters.types)]
    chosen += [*filters.sections, *(kind.value for kind in filters.kinds)]
    rows: list[tuple[Cell, ...]] = [
        ("Question", _CONTROL.sub(" ", found.query.text)),
        ("Workspace", workspace.name),
        ("Documents", counts.documents),
        ("Pages", counts.pages),
        ("Passages", counts.passages),
        ("Filters", "; ".join(chosen) or "none"),
        ("Agreement of the top 5", found.agreement),
        ("Exported", datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")),
    ]
    for ranking in found.rankings:
        label = theme.look(ranking.retriever).label
        rows.append((f"{label}: seconds", round(ranking.seconds, 4)))
        if ranking.note:
            rows.append((f"{label}: note", ranking.note))
    return rows
