"""A table read from a document, as HTML."""

from __future__ import annotations

from collections.abc import Collection

from aethel_core.types import Table
from pages._ui import html
from pages._ui.html import Html, element


def full(table: Table, only: Collection[str] = ()) -> Html:
    """Every row and column, with title and unit line, group headings where they change; with ``only``
    just the rows of those headers."""
    rows = [row for row in table.rows if not only or row.header in only]
    caption = html.join(element("b", table.title), " ", element("span", table.unit_line, class_="ae-quiet"))
    head = element(
        "tr", element("th"), *(element("th", column.header, class_="ae-num") for column in table.columns)
    )
    body: list[Html] = []
    group = ""
    for row in rows:
        if row.group and row.group != group:
            span = str(len(table.columns) + 1)
            body.append(element("tr", element("th", row.group, colspan=span, class_="ae-group")))
        group = row.group
        cells = (element("td", cell.text, class_="ae-num") for cell in row.cells)
        body.append(element("tr", element("th", row.header), *cells))
    return element(
        "div",
        element("div", caption),
        element("table", element("thead", head), element("tbody", *body)),
        class_="ae-table",
    )
