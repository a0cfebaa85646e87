"""A page and a table with something in every field."""

from __future__ import annotations

from aethel_core.types import Block, Line, Page, Rect, Table, TableCell, TableColumn, TableRow

TABLE = Table(
    "Debt",
    (TableColumn("2022", "FY2022", "%"), TableColumn("2021")),
    (
        TableRow("Term loan", (TableCell("1,250", 1250.0, Rect(1, 2, 3, 4)), TableCell("—")), "Secured"),
        TableRow("Total", (TableCell("(3)", -3.0), TableCell("7", 7.0))),
    ),
    "in millions, except per share",
    1e6,
    "USD",
    "per share",
)


def page(number: int, text: str) -> Page:
    lines = (Line(text[:4], 0, 4, Rect(1.5, 2.25, 3.0, 4.125)), Line("other", 5, len(text), Rect(0, 0, 1, 1)))
    blocks = (Block("heading", lines[:1], None, 2), Block("table", lines, TABLE))
    return Page(number, text, blocks, 612.0, 792.0, 90, "ocr", ("unsure",))
