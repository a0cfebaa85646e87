"""The shorter papers of the deal room: a side letter, a borrowing-base certificate and a scanned notice."""

from __future__ import annotations

import io
import random

import pymupdf
from PIL import Image, ImageFilter
from reportlab.lib.colors import HexColor, black
from reportlab.lib.pagesizes import letter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Frame, KeepTogether, PageTemplate, Spacer, Table

from . import northriver
from .fund import (
    ADVANCE_RATES,
    COMMITMENTS,
    FACILITY_LIMIT,
    INVESTORS,
    LETTERS_OF_CREDIT,
    Fund,
    borrowing_base,
)
from .kit import (
    ACHEBE,
    ELTRINGHAM,
    HEIGHT,
    OKONJO,
    WIDTH,
    Look,
    Properties,
    Row,
    Signature,
    build,
    line,
    rule,
    ruled,
)
from .markup import flow, paragraph, prose

PLAIN = Look(
    accent=black, tint=HexColor("#F2F2F2"), heading_serif=True, table_serif=True, size=10.8, leading=14.4
)
LEFT = 84.0
TEXT = WIDTH - 2 * LEFT
SCAN_DPI = 150


def _plain_templates(head: str, pages: int) -> list[PageTemplate]:
    def page(canvas: Canvas, _: object) -> None:
        line(canvas, LEFT, HEIGHT - 48, head, "Times-Italic", 8.5)
        rule(canvas, LEFT, WIDTH - LEFT, HEIGHT - 54, 0.4)
        line(
            canvas,
            WIDTH / 2,
            38,
            f"Page {canvas.getPageNumber()} of {pages}",
            "Times-Roman",
            8.5,
            align="centre",
        )

    frame = Frame(LEFT, 56, TEXT, HEIGHT - 118, leftPadding=0, rightPadding=0)
    return [PageTemplate("page", [frame], onPage=page)]


def side_letter() -> bytes:
    def make(pages: int) -> tuple[list, list[Flowable]]:
        templates = northriver.templates(
            "Side letter", "Tamarack State Teachers' Retirement System", "Confidential.", pages
        )
        body = northriver.LOOK.body
        story: list[Flowable] = [
            paragraph("April 20, 2018", body),
            paragraph(
                "Tamarack State Teachers' Retirement System<br/>Attention: Director of Private Markets", body
            ),
            paragraph(
                "Side letter relating to NorthRiver Capital Partners IV, L.P.", northriver.LOOK.heading(1)
            ),
            *flow(northriver.LOOK, prose("side_letter", {}), {}),
            KeepTogether([_two_signatures()]),
        ]
        return templates, story

    title = "Side letter: Tamarack State Teachers' Retirement System and NorthRiver Capital Partners IV, L.P."
    return build(make, Properties(title, "NorthRiver GP IV, LLC", "Side letter"))


def _two_signatures() -> Table:
    body = northriver.LOOK.body
    left = [
        paragraph("<b>NorthRiver GP IV, LLC</b>", body),
        Signature(ELTRINGHAM),
        paragraph("Margaux Eltringham<br/>Managing Partner", body),
    ]
    right = [
        paragraph("<b>Tamarack State Teachers' Retirement System</b>", body),
        Signature(ACHEBE),
        paragraph("Desmond Achebe-Lund<br/>Director of Private Markets", body),
    ]
    return Table([[left, right]], colWidths=[northriver.TEXT_WIDTH / 2] * 2, spaceBefore=8)


def borrowing_base_certificate() -> bytes:
    def make(pages: int) -> tuple[list, list[Flowable]]:
        figures = {"base": _base, "availability": _availability}
        story: list[Flowable] = [
            paragraph("Borrowing Base Certificate", PLAIN.heading(1)),
            paragraph("NorthRiver Capital Partners IV, L.P.<br/>Delivered on January 20, 2023", PLAIN.body),
            *flow(PLAIN, prose("borrowing_base", {}), figures),
            KeepTogether(
                [
                    paragraph(
                        "<b>NorthRiver Capital Partners IV, L.P.</b><br/>by NorthRiver GP IV, LLC", PLAIN.body
                    ),
                    Signature(OKONJO),
                    paragraph("Priscilla Okonjo-Hale<br/>Chief Financial Officer", PLAIN.body),
                ]
            ),
        ]
        return _plain_templates(
            "NorthRiver Capital Partners IV, L.P.: Borrowing Base Certificate", pages
        ), story

    title = "NorthRiver Capital Partners IV, L.P.: Borrowing Base Certificate at December 31, 2022"
    return build(make, Properties(title, "NorthRiver GP IV, LLC", "Borrowing Base Certificate"))


def _base() -> list[Flowable]:
    per_mille = Fund().unfunded(4) * 1000 // COMMITMENTS
    classes = borrowing_base(Fund())
    rows: list[Row] = []
    for group, rate in ADVANCE_RATES.items():
        rows.append(Row(f"{group} Investors", kind="head"))
        for investor in (i for i in INVESTORS if i.group == group):
            unfunded = investor.commitment * per_mille
            values = (investor.commitment * 1000, unfunded, f"{rate}%", unfunded * rate // 100)
            rows.append(Row(investor.account, values, indent=1))
        commitment, unfunded, base = (value * 1000 for value in classes[group])
        rows.append(Row(f"Total {group} Investors", (commitment, unfunded, "", base), "sub"))
    totals = tuple(1000 * sum(c[i] for c in classes.values()) for i in range(3))
    rows.append(Row("Total", (totals[0], totals[1], "", totals[2]), "total"))
    columns = ("Account, amounts in US$", "Commitment", "Unfunded", "Advance rate", "Borrowing Base")
    return [ruled(PLAIN, columns, rows, (TEXT - 318, 86, 80, 66, 86))]


def _availability() -> list[Flowable]:
    fund = Fund()
    base = sum(value[2] for value in borrowing_base(fund).values())
    available = min(base, FACILITY_LIMIT)
    rows = [
        Row("Commitment of the Lender", (FACILITY_LIMIT * 1000,)),
        Row("Borrowing Base", (base * 1000,)),
        Row("Lower of the two", (available * 1000,), "sub"),
        Row("Loans outstanding", (-fund.facility(4) * 1000,)),
        Row("Letters of credit outstanding", (-LETTERS_OF_CREDIT * 1000,)),
        Row("Available for borrowing", ((available - fund.facility(4) - LETTERS_OF_CREDIT) * 1000,), "total"),
    ]
    return [ruled(PLAIN, ("Availability", "US$"), rows, (TEXT - 110, 110))]


def _notice_page() -> bytes:
    """The notice as it was typed, before it went through the scanner."""

    def make(_: int) -> tuple[list, list[Flowable]]:
        def page(canvas: Canvas, _: object) -> None:
            northriver.letterhead(canvas)
            _stamp(canvas)

        frame = Frame(northriver.LEFT, 58, northriver.TEXT_WIDTH, HEIGHT - 168, leftPadding=0, rightPadding=0)
        look = Look(size=11.4, leading=15.8, justify=False, space=9)
        story = [paragraph("January 17, 2023", look.body), Spacer(1, 4)]
        story += flow(look, prose("key_person", {}), {})
        story += [
            Signature(ELTRINGHAM),
            paragraph("Margaux Eltringham<br/>Managing Partner, for NorthRiver GP IV, LLC", look.body),
        ]
        return [PageTemplate("page", [frame], onPage=page)], story

    return build(make, Properties("Notice of a Key Person Event", "NorthRiver GP IV, LLC"))


def _stamp(canvas: Canvas) -> None:
    canvas.saveState()
    canvas.translate(418, 118)
    canvas.rotate(7)
    canvas.setStrokeColor(HexColor("#7A2230"))
    canvas.setLineWidth(1.6)
    canvas.rect(0, 0, 118, 40, stroke=1, fill=0)
    line(canvas, 59, 23, "RECEIVED", "Helvetica-Bold", 15, HexColor("#7A2230"), "centre")
    line(canvas, 59, 9, "JAN 19 2023", "Helvetica", 10, HexColor("#7A2230"), "centre")
    canvas.restoreState()


def _scan(page: bytes) -> bytes:
    """A grey scan of a page: slightly turned, soft, speckled and shaded toward one edge, as JPEG."""
    pixmap = pymupdf.open(stream=page)[0].get_pixmap(dpi=SCAN_DPI, colorspace=pymupdf.csGRAY)
    image = Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)
    image = image.rotate(0.6, Image.Resampling.BICUBIC, fillcolor=236).filter(ImageFilter.GaussianBlur(0.45))
    image = image.point([22 + value * 224 // 255 for value in range(256)])
    shade = Image.linear_gradient("L").rotate(90).resize(image.size)
    image = Image.composite(image, image.point([value * 94 // 100 for value in range(256)]), shade)
    dust = random.Random(20230117)
    for _ in range(900):
        spot = (dust.randrange(image.width), dust.randrange(image.height))
        image.putpixel(spot, dust.randrange(90, 200))
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=62)
    return stream.getvalue()


def key_person_notice() -> bytes:
    """A PDF with nothing but the scanned image on its page."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=letter, invariant=1, pageCompression=1)
    canvas.setTitle("Scan 2023-01-19")
    canvas.setProducer("Aethel sample documents")
    canvas.drawImage(ImageReader(io.BytesIO(_scan(_notice_page()))), 0, 0, WIDTH, HEIGHT)
    canvas.showPage()
    canvas.save()
    return stream.getvalue()
