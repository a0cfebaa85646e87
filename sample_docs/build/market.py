"""A secondary adviser's half-yearly market review, set in two columns."""

from __future__ import annotations

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Frame, PageTemplate

from .charts import bars, lines
from .kit import HEIGHT, WIDTH, Look, Properties, Row, build, line, rule, ruled
from .markup import flow, paragraph, prose

GREEN, GOLD, GREY = HexColor("#1F4D3A"), HexColor("#B8862B"), HexColor("#5A6672")
LOOK = Look(
    accent=GREEN, tint=HexColor("#EEF4F0"), size=9.9, leading=13.2, justify=False, table_size=7.6, space=6.0
)
LEFT, GUTTER = 54.0, 22.0
COLUMN = (WIDTH - 2 * LEFT - GUTTER) / 2
#: Headline bids in per cent of net asset value at September 30, 2022: fund, vintage, low, high.
BIDS = (
    ("Ardent Harbor Buyout VII", "2017", 88.0, 91.5),
    ("Corvane Mid-Market Partners V", "2019", 84.0, 88.0),
    ("Halden Street Credit II", "2018", 90.0, 93.0),
    ("North River Growth Equity IV", "2019", 61.0, 66.0),
    ("Northbank Infrastructure II", "2016", 93.0, 97.0),
    ("NorthRiver Capital Partners III", "2011", 68.0, 73.0),
    ("NorthRiver Capital Partners IV", "2018", 82.0, 86.5),
    ("NorthRiver IV Co-Invest", "2018", 76.0, 80.0),
    ("Pell & Garrison Europe VI", "2018", 80.0, 84.5),
    ("Quarrystone Venture III", "2020", 55.0, 62.0),
)


def _templates(pages: int) -> list[PageTemplate]:
    def foot(canvas: Canvas) -> None:
        rule(canvas, LEFT, WIDTH - LEFT, 46, 0.5, GREEN)
        line(canvas, LEFT, 35, "Larkspur Secondary Advisers", "Helvetica-Bold", 7, GREEN)
        line(canvas, WIDTH - LEFT, 35, f"{canvas.getPageNumber()} of {pages}", "Helvetica", 7, GREY, "right")

    def first(canvas: Canvas, _: object) -> None:
        canvas.setFillColor(GREEN)
        canvas.rect(0, HEIGHT - 150, WIDTH, 150, stroke=0, fill=1)
        canvas.setFillColor(GOLD)
        canvas.rect(LEFT, HEIGHT - 62, 34, 3, stroke=0, fill=1)
        white = HexColor("#FFFFFF")
        line(canvas, LEFT, HEIGHT - 52, "LARKSPUR SECONDARY ADVISERS", "Helvetica-Bold", 9, white)
        line(canvas, LEFT, HEIGHT - 98, "Secondary Market Review", "Times-Roman", 30, white)
        line(canvas, LEFT, HEIGHT - 124, "Second half of 2022", "Times-Italic", 15, HexColor("#DDE8E1"))
        line(canvas, WIDTH - LEFT, HEIGHT - 124, "January 31, 2023", "Helvetica", 9, white, "right")
        foot(canvas)

    def later(canvas: Canvas, _: object) -> None:
        line(canvas, LEFT, HEIGHT - 42, "Secondary Market Review", "Helvetica-Bold", 7.5, GREEN)
        line(canvas, WIDTH - LEFT, HEIGHT - 42, "Second half of 2022", "Helvetica", 7.5, GREY, "right")
        rule(canvas, LEFT, WIDTH - LEFT, HEIGHT - 48, 0.5, GREEN)
        foot(canvas)

    def columns(top: float) -> list[Frame]:
        height = HEIGHT - 54 - top
        places = (LEFT, LEFT + COLUMN + GUTTER)
        return [Frame(x, 54, COLUMN, height, leftPadding=0, rightPadding=0) for x in places]

    return [
        PageTemplate("first", columns(162), onPage=first, autoNextPageTemplate="later"),
        PageTemplate("later", columns(54), onPage=later),
    ]


def _price_chart() -> list[Flowable]:
    ticks = ("H1 20", "H2 20", "H1 21", "H2 21", "H1 22", "H2 22")
    series = (
        ("Buyout", (84, 89, 93, 94, 91, 87), GREEN),
        ("Credit", (86, 90, 94, 95, 93, 91), GOLD),
        ("Real estate", (76, 79, 84, 86, 80, 71), HexColor("#7A3B69")),
        ("Venture", (74, 80, 88, 90, 79, 68), HexColor("#2C6DA4")),
    )
    caption = paragraph("Average price by strategy, % of net asset value", LOOK.heading(3))
    return [caption, lines(ticks, series, COLUMN, 150)]


def _bids() -> list[Flowable]:
    rows = [Row(name, (vintage, f"{low:.1f}", f"{high:.1f}")) for name, vintage, low, high in BIDS]
    columns = ("Fund", "Vintage", "Low bid,\n% of NAV", "High bid,\n% of NAV")
    return [ruled(LOOK, columns, rows, (COLUMN - 122, 34, 44, 44), shade=True)]


def _advisers() -> list[Flowable]:
    caption = paragraph("Share of volume brought to market, second half of 2022", LOOK.heading(3))
    items = (
        ("Oakmere Park", 19.0),
        ("Tilden & Sons", 16.0),
        ("Larkspur", 14.0),
        ("Brevoort Lane", 11.0),
        ("Saint-Cyr Conseil", 8.0),
        ("Six others", 32.0),
    )
    return [caption, bars(items, COLUMN, 92, GREEN, "%")]


def make(pages: int) -> tuple[list, list[Flowable]]:
    figures = {"pricechart": _price_chart, "bids": _bids, "advisers": _advisers}
    return _templates(pages), flow(LOOK, prose("market", {}), figures)


def pdf() -> bytes:
    title = "Larkspur Secondary Market Review, second half of 2022"
    return build(make, Properties(title, "Larkspur Secondary Advisers", "Market report"))
