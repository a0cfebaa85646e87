"""Whatever is not markup made by the module itself is escaped."""

from __future__ import annotations

from aethel_core.types import Table, TableCell, TableColumn, TableRow
from pages._ui import html, tables

EVIL = "<script>alert('x')</script>"
ESCAPED = "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;"


def test_text_and_attributes_are_escaped() -> None:
    made = html.element("p", EVIL, class_="a", title='"><img src=x>')
    assert made == f'<p class="a" title="&quot;&gt;&lt;img src=x&gt;">{ESCAPED}</p>'


def test_markup_made_here_is_kept() -> None:
    assert html.element("p", html.element("b", "x"), " & y") == "<p><b>x</b> &amp; y</p>"
    assert html.join(EVIL, html.element("br")) == f"{ESCAPED}<br>"


def test_marked_escapes_inside_and_outside_the_marks() -> None:
    assert html.marked("a<b c", ((1, 3),)) == "a<mark>&lt;b</mark> c"


def test_a_table_from_a_document_is_text() -> None:
    table = Table(EVIL, (TableColumn(EVIL),), (TableRow(EVIL, (TableCell(EVIL),), EVIL),), EVIL)
    assert "<script" not in tables.full(table)
    assert tables.full(table).count(ESCAPED) == 6
