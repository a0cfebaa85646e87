"""The cover page of the Helios annual report."""

from __future__ import annotations

from reportlab.lib.colors import black
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, HRFlowable

from .kit import Look, Row, ruled
from .markup import paragraph

#: Centred lines as (text, size, bold, space after).
_HEAD = (
    ("UNITED STATES", 12.5, True, 1),
    ("SECURITIES AND EXCHANGE COMMISSION", 12.5, True, 1),
    ("Washington, D.C. 20549", 10, False, 6),
)
_REGISTRANT = (
    ("Commission file number 001-00000", 10, False, 16),
    ("HELIOS PACKAGING HOLDINGS, INC.", 20, True, 4),
    ("(Exact name of registrant as specified in its charter)", 8.6, False, 14),
    ("Delaware", 11, True, 1),
    ("(State of incorporation)", 8.6, False, 9),
    ("2200 Foundry Row, Toledo, Ohio 43604", 11, True, 1),
    ("(Address of principal executive offices)", 8.6, False, 6),
    ("Telephone +1 419 555 0172", 10, False, 12),
)
_FORM = (
    "<b>[X] Annual report pursuant to Section 13 or 15(d) of the Securities Exchange Act of 1934</b>",
    "For the fiscal year ended <b>December 31, 2022</b>",
    "[&nbsp;&nbsp;] Transition report pursuant to Section 13 or 15(d) of the Securities Exchange Act of 1934",
)
_STATEMENTS = (
    "Securities registered pursuant to Section 12(g) of the Act: none.",
    "The registrant is an accelerated filer and neither a well-known seasoned issuer nor "
    "a shell company. It has "
    "filed all reports required during the preceding twelve months, has been subject to "
    "such filing requirements "
    "for the past ninety days, and has submitted electronically every interactive data file required.",
    "The registrant has filed a report on its management's assessment of the "
    "effectiveness of its internal control "
    "over financial reporting by the public accounting firm that issued its audit report.",
    "The aggregate market value of the common stock held by non-affiliates at June 30, "
    "2022, the last business day "
    "of the second fiscal quarter, was $195.6 million, on the basis of a closing price "
    "of $11.85. At February 24, "
    "2023 there were 41,012,604 shares of common stock outstanding.",
    "Documents incorporated by reference: none.",
)
_DISCLAIMER = (
    "<i>This document is a sample. The company, its officers and all figures are invented; no such filing "
    "exists.</i>"
)


def page(look: Look, width: float) -> list[Flowable]:
    small = ParagraphStyle("cover-small", parent=look.body, fontSize=9.6, leading=12.6, spaceAfter=6.5)
    registered = ruled(
        look,
        ("Title of each class", "Trading symbol", "Exchange"),
        [Row("Common stock, par value $0.01", ("HLPK", "New York Stock Exchange"))],
        (190, 110, width - 300),
    )
    return [
        _bar(),
        *(_centred(*item) for item in _HEAD),
        _bar("24%"),
        _centred("FORM 10-K", 18, True, 10),
        *(paragraph(item, small) for item in _FORM),
        *(_centred(*item) for item in _REGISTRANT),
        paragraph("Securities registered pursuant to Section 12(b) of the Act:", small),
        registered,
        *(paragraph(item, small) for item in _STATEMENTS),
        _bar(),
        paragraph(_DISCLAIMER, small),
    ]


def _centred(content: str, size: float, bold: bool, after: float) -> Flowable:
    font = "Times-Bold" if bold else "Times-Roman"
    style = ParagraphStyle("cover", fontName=font, fontSize=size, leading=size * 1.25, alignment=TA_CENTER)
    style.spaceAfter = after
    return paragraph(content, style)


def _bar(width: str = "100%") -> Flowable:
    return HRFlowable(width=width, thickness=0.7, color=black, spaceBefore=5, spaceAfter=8)
