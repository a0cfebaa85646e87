"""Typesetting shared by all documents: looks, page templates, tables and the two-pass build."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reportlab.lib.colors import Color, HexColor, black, white
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Paragraph, Table, TableStyle
from reportlab.platypus.tableofcontents import TableOfContents

from .money import figure, quoted

WIDTH, HEIGHT = letter
PALE = HexColor("#EEF2F6")


@dataclass(frozen=True, slots=True)
class Look:
    """The typographic identity of one issuer."""

    serif: bool = True
    size: float = 10.2
    leading: float = 14.0
    accent: Color = black
    tint: Color = PALE
    heading_serif: bool = False
    table_serif: bool = False
    table_size: float = 8.6
    justify: bool = True
    space: float = 7.0

    def face(self, serif: bool, bold: bool = False, italic: bool = False) -> str:
        if serif:
            return {
                (False, False): "Times-Roman",
                (True, False): "Times-Bold",
                (False, True): "Times-Italic",
                (True, True): "Times-BoldItalic",
            }[bold, italic]
        return (
            "Helvetica"
            + {
                (False, False): "",
                (True, False): "-Bold",
                (False, True): "-Oblique",
                (True, True): "-BoldOblique",
            }[bold, italic]
        )

    @property
    def body(self) -> ParagraphStyle:
        return ParagraphStyle(
            "body",
            fontName=self.face(self.serif),
            fontSize=self.size,
            leading=self.leading,
            alignment=TA_JUSTIFY if self.justify else TA_LEFT,
            spaceAfter=self.space,
            allowWidows=0,
            allowOrphans=0,
        )

    @property
    def bullet(self) -> ParagraphStyle:
        return ParagraphStyle(
            "bullet", parent=self.body, leftIndent=15, bulletIndent=3, spaceAfter=self.space * 0.6
        )

    @property
    def small(self) -> ParagraphStyle:
        return ParagraphStyle(
            "small",
            parent=self.body,
            fontSize=self.size - 2,
            leading=(self.size - 2) * 1.28,
            textColor="#333333",
        )

    def heading(self, level: int) -> ParagraphStyle:
        size = {1: self.size + 4.3, 2: self.size + 1.6, 3: self.size + 0.2}[level]
        return ParagraphStyle(
            f"heading{level}",
            fontName=self.face(self.heading_serif, bold=True, italic=level == 3),
            fontSize=size,
            leading=size * 1.22,
            textColor=self.accent,
            spaceBefore={1: 15, 2: 10, 3: 5}[level],
            spaceAfter={1: 7, 2: 5, 3: 3.5}[level],
            keepWithNext=1,
            alignment=TA_LEFT,
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A table row; ``kind`` is "" (plain), "head" (group heading), "sub" (rule above) or "total"."""

    label: str
    values: tuple[int | str | None, ...] = ()
    kind: str = ""
    indent: int = 0


def text(row: int | str | None) -> str:
    if row is None:
        return ""
    return row if isinstance(row, str) else figure(row)


def ruled(
    look: Look,
    columns: Sequence[str],
    rows: Sequence[Row],
    widths: Sequence[float],
    *,
    dollars: bool = False,
    shade: bool = False,
    align: str = "right",
) -> Table:
    """A table of figures in book style: rules above subtotals, a double rule below totals.

    :param widths: points for the label column and each value column.
    :param dollars: a "$" at the left of the figure in the first row of figures and in totals.
    :param shade: tint every other row.
    """
    grid: list[list[object]] = [_header(look, columns, dollars)]
    style = _base_style(look, len(columns) - 1, dollars, align)
    first = next((i for i, row in enumerate(rows) if row.values), 0)
    for number, row in enumerate(rows, start=1):
        signed = dollars and (number - 1 == first or row.kind == "total")
        grid.append(_cells(look, row, len(columns) - 1, dollars, signed))
        style += _row_style(look, row, number, dollars)
        if shade and number % 2:
            style.append(("BACKGROUND", (0, number), (-1, number), look.tint))
    table = Table(
        grid, colWidths=_widths(widths, dollars), repeatRows=1, splitByRow=0, spaceBefore=3, spaceAfter=11
    )
    table.setStyle(TableStyle(style))
    return table


def _widths(widths: Sequence[float], dollars: bool) -> list[float]:
    if not dollars:
        return list(widths)
    spread = [widths[0]]
    for width in widths[1:]:
        spread += [16.0, width - 16.0]
    return spread


def _header(look: Look, columns: Sequence[str], dollars: bool) -> list[object]:
    label = ParagraphStyle(
        "label", fontName=look.face(look.table_serif, bold=True), fontSize=look.table_size - 0.6,
        leading=look.table_size + 1.2,
    )  # fmt: skip
    cells: list[object] = [Paragraph(columns[0], label)]
    for column in columns[1:]:
        cells += [column, ""] if dollars else [column]
    return cells


def _base_style(look: Look, count: int, dollars: bool, align: str) -> list[tuple]:
    size = look.table_size
    style: list[tuple] = [
        ("FONT", (0, 0), (-1, 0), look.face(look.table_serif, bold=True), size - 0.6, size + 1.2),
        ("FONT", (0, 1), (-1, -1), look.face(look.table_serif), size, size + 2.2),
        ("ALIGN", (1, 0), (-1, -1), align.upper()),
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        ("VALIGN", (0, 1), (-1, -1), "BOTTOM"),
        ("TOPPADDING", (0, 0), (-1, -1), 1.7),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.9),
        ("LEFTPADDING", (0, 0), (-1, -1), 3),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4 + stringWidth(")", look.face(look.table_serif), size)),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, look.accent),
        ("LINEBELOW", (0, -1), (-1, -1), 0.5, look.accent),
    ]
    if dollars:
        for column in range(count):
            style.append(("ALIGN", (1 + 2 * column, 1), (1 + 2 * column, -1), "LEFT"))
            style.append(("LEFTPADDING", (1 + 2 * column, 1), (1 + 2 * column, -1), 8))
            style.append(("RIGHTPADDING", (1 + 2 * column, 1), (1 + 2 * column, -1), 0))
            style.append(("SPAN", (1 + 2 * column, 0), (2 + 2 * column, 0)))
            style.append(("ALIGN", (1 + 2 * column, 0), (1 + 2 * column, 0), "RIGHT"))
    return style


def _cells(look: Look, row: Row, count: int, dollars: bool, signed: bool) -> list[object]:
    bold = row.kind in ("head", "total")
    style = ParagraphStyle(
        "cell",
        fontName=look.face(look.table_serif, bold=bold),
        fontSize=look.table_size,
        leading=look.table_size + 1.9,
        leftIndent=9 * row.indent + 8,
        firstLineIndent=-8,
    )
    cells: list[object] = [Paragraph(quoted(row.label), style)]
    for value in row.values:
        shown = text(value)
        if dollars:
            cells += ["$" if signed and isinstance(value, int) and value else "", shown]
        else:
            cells.append(shown)
    return cells + [""] * ((2 * count if dollars else count) + 1 - len(cells))


def _row_style(look: Look, row: Row, number: int, dollars: bool) -> list[tuple]:
    style: list[tuple] = []
    step = 2 if dollars else 1
    for column, value in enumerate(row.values):
        cell = (step * (column + 1), number)
        start = (step * column + 1, number)
        if text(value).endswith(")"):
            style.append(("RIGHTPADDING", cell, cell, 4))
        if text(value) and row.kind in ("sub", "total"):
            style.append(("LINEABOVE", start, cell, 0.5, black))
        if text(value) and row.kind == "total":
            style.append(("LINEBELOW", start, cell, 0.5, black, None, None, None, 2, 1.4))
    if row.kind == "total":
        style.append(
            ("FONT", (1, number), (-1, number), look.face(look.table_serif, bold=True), look.table_size)
        )
        style.append(("BOTTOMPADDING", (0, number), (-1, number), 3.6))
    if row.kind == "head":
        style.append(("TOPPADDING", (0, number), (-1, number), 4.5))
    return style


def terms(look: Look, rows: Sequence[tuple[str, str]], widths: tuple[float, float]) -> Table:
    """A two-column table of terms: a bold name at the left, paragraphs at the right ("|" parts them)."""
    name = ParagraphStyle(
        "term", fontName=look.face(look.serif, bold=True), fontSize=look.size - 0.4, leading=look.leading - 1
    )
    value = ParagraphStyle(
        "meaning",
        parent=look.body,
        fontSize=look.size - 0.4,
        leading=look.leading - 1,
        spaceAfter=4,
        alignment=0,
    )
    grid = [
        [Paragraph(k, name), [Paragraph(quoted(part.strip()), value) for part in v.split("|")]]
        for k, v in rows
    ]
    table = Table(grid, colWidths=widths, spaceBefore=4, spaceAfter=10)
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEABOVE", (0, 0), (-1, -1), 0.35, HexColor("#9AA5B1")),
                ("LINEBELOW", (0, -1), (-1, -1), 0.35, HexColor("#9AA5B1")),
                ("TOPPADDING", (0, 0), (-1, -1), 4),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
                ("LEFTPADDING", (0, 0), (-1, -1), 4),
                ("BACKGROUND", (0, 0), (0, -1), look.tint),
            ]
        )
    )
    return table


def panel(look: Look, figures: Sequence[tuple[str, str]], width: float) -> Table:
    """A band of key figures, each with its caption."""
    big = ParagraphStyle(
        "big",
        fontName=look.face(False, bold=True),
        fontSize=14.5,
        leading=18,
        textColor=look.accent,
        alignment=TA_CENTER,
    )
    small = ParagraphStyle(
        "caption",
        fontName=look.face(False),
        fontSize=7.2,
        leading=9,
        textColor="#444444",
        alignment=TA_CENTER,
    )
    grid = [[Paragraph(v, big) for _, v in figures], [Paragraph(k, small) for k, _ in figures]]
    table = Table(grid, colWidths=[width / len(figures)] * len(figures), spaceBefore=4, spaceAfter=12)
    table.setStyle(
        TableStyle(
            [
                ("BACKGROUND", (0, 0), (-1, -1), look.tint),
                ("LINEABOVE", (0, 0), (-1, 0), 1.2, look.accent),
                ("LINEBEFORE", (1, 0), (-1, -1), 0.6, white),
                ("TOPPADDING", (0, 0), (-1, 0), 7),
                ("BOTTOMPADDING", (0, 0), (-1, 0), 0),
                ("TOPPADDING", (0, 1), (-1, 1), 0),
                ("BOTTOMPADDING", (0, 1), (-1, 1), 7),
            ]
        )
    )
    return table


class Signature(Flowable):
    """A pen stroke from a list of cubic Bézier control points, in points."""

    def __init__(
        self, curves: Sequence[tuple[float, ...]], height: float = 34, ink: Color | None = None
    ) -> None:
        super().__init__()
        self.curves = curves
        self.width, self.height = 160, height
        self.ink = ink or HexColor("#1B2A5B")

    def draw(self) -> None:
        self.canv.setStrokeColor(self.ink)
        self.canv.setLineWidth(1.1)
        self.canv.setLineCap(1)
        for curve in self.curves:
            self.canv.bezier(*curve)


ELTRINGHAM = (
    (0, 10, 18, 44, 26, 30, 8, 4),
    (8, 4, 20, 30, 30, 26, 30, 12),
    (30, 12, 34, 4, 40, 22, 46, 12),
    (46, 12, 50, 2, 58, 40, 62, 32),
    (62, 32, 64, 20, 50, 2, 68, 10),
    (68, 10, 84, 18, 92, 4, 130, 16),
    (20, 4, 60, -2, 100, 2, 138, 9),
)
OKONJO = (
    (4, 22, -6, 4, 16, -2, 22, 16),
    (22, 16, 24, 32, 6, 34, 8, 20),
    (22, 16, 34, 2, 36, 26, 44, 14),
    (44, 14, 52, 4, 54, 30, 60, 18),
    (60, 18, 70, 2, 78, 28, 120, 12),
)
ACHEBE = (
    (2, 4, 8, 40, 16, 36, 20, 6),
    (6, 16, 14, 20, 18, 18, 26, 18),
    (26, 18, 34, 30, 38, 2, 46, 14),
    (46, 14, 56, 30, 52, -4, 66, 12),
    (66, 12, 80, 24, 90, 6, 112, 22),
)


class Book(BaseDocTemplate):
    """A document whose outline and table of contents follow its headings.

    Paragraphs of style ``heading1`` and ``heading2`` become bookmarks; those with an attribute
    ``toc_level`` enter the table of contents.
    """

    _has_top = False

    def beforeDocument(self) -> None:
        self._has_top = False

    def afterFlowable(self, flowable: Flowable) -> None:
        name = getattr(getattr(flowable, "style", None), "name", "")
        if name not in ("heading1", "heading2") or not isinstance(flowable, Paragraph):
            return
        title = flowable.getPlainText()
        key = f"h{self.seq.nextf('heading')}"
        self.canv.bookmarkPage(key)
        below = name == "heading2" and self._has_top
        self.canv.addOutlineEntry(title, key, level=1 if below else 0, closed=True)
        self._has_top = self._has_top or name == "heading1"
        level = getattr(flowable, "toc_level", None)
        if level is not None:
            self.notify("TOCEntry", (level, title, self.page, key))


@dataclass(frozen=True, slots=True)
class Properties:
    title: str
    author: str
    subject: str = ""


def build(make: Callable[[int], tuple[list, list[Flowable]]], properties: Properties) -> bytes:
    """Typeset a document in two passes, the first to learn how many pages it has.

    :param make: given the number of pages (0 in the first pass), returns page templates and story.
    """
    pages = 0
    for _ in range(2):
        stream = io.BytesIO()
        templates, story = make(pages)
        book = Book(
            stream,
            pagesize=letter,
            invariant=1,
            title=properties.title,
            author=properties.author,
            subject=properties.subject,
            creator="Aethel sample documents",
            producer="Aethel sample documents",
            pageCompression=1,
        )
        book.addPageTemplates(templates)
        book.multiBuild(story)
        pages = book.page
    return stream.getvalue()


def contents(look: Look) -> TableOfContents:
    toc = TableOfContents(dotsMinLevel=0)
    font = look.face(look.serif)
    toc.levelStyles = [
        ParagraphStyle(
            "toc0", fontName=look.face(look.serif, bold=True), fontSize=10, leading=17, spaceBefore=6
        ),
        ParagraphStyle("toc1", fontName=font, fontSize=10, leading=15.5, leftIndent=12, rightIndent=18),
    ]
    return toc


def rule(canvas: Canvas, x0: float, x1: float, y: float, width: float = 0.5, colour: Color = black) -> None:
    canvas.setStrokeColor(colour)
    canvas.setLineWidth(width)
    canvas.line(x0, y, x1, y)


def line(
    canvas: Canvas,
    x: float,
    y: float,
    content: str,
    font: str,
    size: float,
    colour: Color = black,
    align: str = "left",
) -> None:
    """One line of text on the page itself, outside the frames."""
    canvas.setFont(font, size)
    canvas.setFillColor(colour)
    draw = {"left": canvas.drawString, "right": canvas.drawRightString, "centre": canvas.drawCentredString}[
        align
    ]
    draw(x, y, content)


def spaced(
    canvas: Canvas, x: float, y: float, content: str, font: str, size: float, gap: float, colour: Color
) -> None:
    """Letter-spaced capitals, as letterheads use them."""
    item = canvas.beginText(x, y)
    item.setFont(font, size)
    item.setCharSpace(gap)
    item.setFillColor(colour)
    item.textOut(content)
    item.setCharSpace(0)
    canvas.drawText(item)
