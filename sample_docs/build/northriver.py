"""The letterhead, running heads and signature of the NorthRiver letters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Frame, PageTemplate, Spacer

from .kit import ELTRINGHAM, HEIGHT, WIDTH, Look, Signature, line, rule, spaced
from .markup import paragraph

NAVY, TEAL, GREY = HexColor("#14304F"), HexColor("#2A7F86"), HexColor("#5A6672")
LOOK = Look(accent=NAVY, tint=HexColor("#EDF2F6"), size=10.2, leading=13.9)
NARROW = replace(LOOK, table_size=7.6)
LEFT, RIGHT_EDGE = 74.0, WIDTH - 74.0
TEXT_WIDTH = RIGHT_EDGE - LEFT
ADDRESS = (
    "NorthRiver Capital Management, L.P.",
    "40 Saltmarsh Wharf, 9th Floor",
    "Boston, Massachusetts 02110",
)
CONTACT = ("+1 617 555 0148", "investor.relations@northriver.example")


def waves(canvas: Canvas, x: float, y: float, size: float) -> None:
    """The firm's mark: three river lines in a square."""
    canvas.saveState()
    canvas.setFillColor(NAVY)
    canvas.roundRect(x, y, size, size, size * 0.08, stroke=0, fill=1)
    canvas.setStrokeColor(HexColor("#FFFFFF"))
    canvas.setLineCap(1)
    canvas.setLineWidth(size * 0.07)
    for level in (0.3, 0.5, 0.7):
        base = y + size * level
        canvas.bezier(
            x + size * 0.16, base - size * 0.05, x + size * 0.38, base + size * 0.2,
            x + size * 0.6, base - size * 0.24, x + size * 0.84, base + size * 0.06,
        )  # fmt: skip
    canvas.restoreState()


def letterhead(canvas: Canvas) -> None:
    waves(canvas, LEFT, HEIGHT - 82, 34)
    spaced(canvas, LEFT + 45, HEIGHT - 62, "NORTHRIVER", "Times-Roman", 17, 3.2, NAVY)
    spaced(canvas, LEFT + 46, HEIGHT - 77, "CAPITAL MANAGEMENT", "Helvetica", 6.8, 2.5, TEAL)
    for number, part in enumerate((*ADDRESS, *CONTACT)):
        font = "Helvetica-Bold" if number == 0 else "Helvetica"
        line(canvas, RIGHT_EDGE, HEIGHT - 50 - 9.4 * number, part, font, 7.2, GREY, "right")
    rule(canvas, LEFT, RIGHT_EDGE, HEIGHT - 98, 0.9, NAVY)


def footer(canvas: Canvas, pages: int, notice: str, width: float = WIDTH) -> None:
    rule(canvas, LEFT, width - LEFT, 50, 0.4, GREY)
    line(canvas, LEFT, 39, notice, "Helvetica", 6.8, GREY)
    line(
        canvas, width - LEFT, 39, f"Page {canvas.getPageNumber()} of {pages}", "Helvetica", 6.8, GREY, "right"
    )


def running_head(canvas: Canvas, left: str, right: str, width: float = WIDTH, top: float = HEIGHT) -> None:
    line(canvas, LEFT, top - 46, left, "Helvetica", 7.4, GREY)
    line(canvas, width - LEFT, top - 46, right, "Helvetica", 7.4, GREY, "right")
    rule(canvas, LEFT, width - LEFT, top - 52, 0.4, GREY)


def templates(fund: str, subject: str, notice: str, pages: int) -> list[PageTemplate]:
    """First page, following pages, and a landscape page that is drawn sideways and carries /Rotate 90."""

    def first(canvas: Canvas, _: object) -> None:
        letterhead(canvas)
        footer(canvas, pages, notice)

    def later(canvas: Canvas, _: object) -> None:
        running_head(canvas, fund, subject)
        footer(canvas, pages, notice)

    def sideways(canvas: Canvas, _: object) -> None:
        canvas.transform(0, 1, -1, 0, WIDTH, 0)
        running_head(canvas, fund, subject, width=HEIGHT, top=WIDTH)
        footer(canvas, pages, notice, width=HEIGHT)

    def frame(width: float, top: float, name: str) -> Frame:
        return Frame(LEFT, 58, width - 2 * LEFT, top - 58, id=name, leftPadding=0, rightPadding=0)

    return [
        PageTemplate(
            "first", [frame(WIDTH, HEIGHT - 104, "first")], onPage=first, autoNextPageTemplate="later"
        ),
        PageTemplate("later", [frame(WIDTH, HEIGHT - 58, "later")], onPage=later),
        _turned("sideways", [frame(HEIGHT, WIDTH - 58, "sideways")], sideways),
    ]


def _turned(name: str, frames: list[Frame], on_page: Callable[[Canvas, object], None]) -> PageTemplate:
    """A portrait sheet shown turned by 90 degrees; reportlab swaps the sides of a rotated page itself."""
    template = PageTemplate(name, frames, onPage=on_page, pagesize=(HEIGHT, WIDTH))
    template.rotation = 90
    return template


def signature(fund: str, gp: str) -> list[Flowable]:
    body = LOOK.body
    return [
        paragraph("Yours sincerely,", body),
        Signature(ELTRINGHAM),
        paragraph(
            f"<b>Margaux Eltringham</b><br/>Managing Partner<br/>for {gp}, General Partner of {fund}", body
        ),
        Spacer(1, 4),
    ]


def addressee(fund: str, when: str, title: str) -> list[Flowable]:
    return [
        paragraph(when, LOOK.body),
        paragraph(f"To the Limited Partners of<br/><b>{fund}</b>", LOOK.body),
        paragraph(title, LOOK.heading(1)),
    ]
