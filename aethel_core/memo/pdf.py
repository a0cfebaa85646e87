"""A memo as PDF, laid out like a bank's: title block, summary, sections, figures, notes, evidence."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from PIL import Image as Picture
from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    HRFlowable,
    Image,
    KeepTogether,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from aethel_core.memo.rendered import Block, Cited, Rendered, Text

NAVY, GREY, LIGHT, RED = (colors.HexColor(c) for c in ("#1F3A5F", "#5A6472", "#EEF2F6", "#A61B1B"))
_WIDTH, _HEIGHT = A4
_LEFT = _RIGHT = 22 * mm
_TEXT = _WIDTH - _LEFT - _RIGHT
_PICTURE_HEIGHT, _PICTURE_SCALE = 42 * mm, 0.46
_BODY = ParagraphStyle(
    "body", fontName="Helvetica", fontSize=9.3, leading=13, textColor=colors.HexColor("#1B1F24")
)
_BULLET = ParagraphStyle("bullet", _BODY, leftIndent=11, bulletIndent=1, spaceAfter=3.2)
_PARAGRAPH = ParagraphStyle("paragraph", _BODY, spaceAfter=6)
_HEADING = ParagraphStyle(
    "heading",
    _BODY,
    fontName="Helvetica-Bold",
    fontSize=11.5,
    leading=15,
    textColor=NAVY,
    spaceBefore=11,
    spaceAfter=4,
    keepWithNext=1,
)
# Kept with what follows, a table would move to the next page as a whole.
_FREE_HEADING = ParagraphStyle("free heading", _HEADING, keepWithNext=0)
_TITLE = ParagraphStyle("title", _BODY, fontName="Helvetica-Bold", fontSize=19, leading=23, textColor=NAVY)
_KIND = ParagraphStyle(
    "kind", _BODY, fontName="Helvetica-Bold", fontSize=8, leading=11, textColor=GREY, spaceAfter=2
)
_SMALL = ParagraphStyle("small", _BODY, fontSize=7.8, leading=10.2)
_TINY = ParagraphStyle("tiny", _SMALL, fontSize=7)
_SMALL_RIGHT = ParagraphStyle("small right", _SMALL, alignment=TA_RIGHT)
_SMALL_HEAD = ParagraphStyle("small head", _SMALL, fontName="Helvetica-Bold", textColor=colors.white)
_HEAD_RIGHT = ParagraphStyle("head right", _SMALL_HEAD, alignment=TA_RIGHT)
_NOTE = ParagraphStyle("note", _SMALL, spaceAfter=2.4, leftIndent=18, firstLineIndent=-18)

# The fonts of every PDF reader hold the characters of Windows-1252; others are written in those.
_WRITTEN = {
    "−": "-",
    "→": "->",
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "⚑": "!",
    "\u2011": "-",
    "\u00a0": " ",
    "\u2009": " ",
}


def pdf(memo: Rendered) -> bytes:
    target = io.BytesIO()
    document = BaseDocTemplate(
        target,
        pagesize=A4,
        leftMargin=_LEFT,
        rightMargin=_RIGHT,
        topMargin=20 * mm,
        bottomMargin=20 * mm,
        title=_plain(memo.title),
        author="Aethel",
        subject=_plain(memo.kind),
        invariant=1,
    )
    frame = Frame(_LEFT, 20 * mm, _TEXT, _HEIGHT - 40 * mm, id="page", leftPadding=0, rightPadding=0)
    document.addPageTemplates(PageTemplate("page", [frame]))
    story = [*_head(memo), *_sections(memo), *_figures(memo), *_questions(memo), *_notes(memo), *_made(memo)]
    story += [*_further(memo), *_evidence(memo)]

    def canvas(*given: Any, **named: Any) -> Canvas:
        return _Numbered(_plain(memo.title), memo.date, *given, **named)

    document.build(story, canvasmaker=canvas)
    return target.getvalue()


class _Numbered(Canvas):
    """Writes "page n of m" when all pages are known."""

    def __init__(self, title: str, date: str, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._pages: list[dict[str, Any]] = []
        self._running = (title if len(title) < 80 else title[:79] + "…", date)

    def showPage(self) -> None:
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        total = len(self._pages)
        for number, page in enumerate(self._pages, start=1):
            self.__dict__.update(page)
            self._furniture(number, total)
            super().showPage()
        super().save()

    def _furniture(self, number: int, total: int) -> None:
        title, date = self._running
        self.setFont("Helvetica", 7.5)
        self.setFillColor(GREY)
        self.setStrokeColor(colors.HexColor("#C9D1DA"))
        self.line(_LEFT, 15 * mm, _WIDTH - _RIGHT, 15 * mm)
        self.drawString(_LEFT, 11 * mm, f"Confidential · {date}")
        self.drawRightString(_WIDTH - _RIGHT, 11 * mm, f"Page {number} of {total}")
        if number > 1:
            self.drawString(_LEFT, _HEIGHT - 13 * mm, title)


def _plain(text: str) -> str:
    written = "".join(_WRITTEN.get(char, char) for char in text)
    return " ".join(written.encode("cp1252", "replace").decode("cp1252").split())


def _safe(text: str) -> str:
    """Text of documents as text: nothing in it is taken for markup."""
    return escape(_plain(text))


# --- parts -------------------------------------------------------------------------------------


def _head(memo: Rendered) -> list[Flowable]:
    rows = [
        ("Date", memo.date),
        ("About", ", ".join(memo.about) or "the whole workspace"),
        ("Corpus", memo.corpus),
    ]
    flagged = dict(memo.counts)["flagged"]
    colour = "#A61B1B" if flagged else "#1D6B43"
    cells = [[Paragraph(f"<b>{label}</b>", _SMALL), Paragraph(_safe(value), _SMALL)] for label, value in rows]
    cells.append(
        [
            Paragraph("<b>Audit</b>", _SMALL),
            Paragraph(f'<font color="{colour}">{_safe(memo.status)}</font>', _SMALL),
        ]
    )
    block = Table(cells, colWidths=[22 * mm, _TEXT - 22 * mm])
    block.setStyle(
        TableStyle(
            [
                ("BACKGROUND", (0, 0), (-1, -1), LIGHT),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("TOPPADDING", (0, 0), (-1, -1), 2.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
                ("LINEABOVE", (0, 0), (-1, 0), 1.2, NAVY),
            ]
        )
    )
    return [
        Paragraph(_safe(memo.kind.upper()), _KIND),
        Paragraph(_safe(memo.title), _TITLE),
        Spacer(1, 7),
        block,
    ]


def _sections(memo: Rendered) -> list[Flowable]:
    story: list[Flowable] = []
    for part in memo.parts:
        if part.blocks:
            story += _headed(part.heading, [_block(block) for block in part.blocks])
    return story


def _headed(heading: str, content: Sequence[Flowable]) -> list[Flowable]:
    """A heading that never ends a page: it stays with the first of what follows."""
    head = [CondPageBreak(28 * mm), Paragraph(_safe(heading), _HEADING)]
    rule = HRFlowable(width="100%", thickness=0.6, color=colors.HexColor("#C9D1DA"), spaceAfter=4)
    return [KeepTogether([*head, rule, *content[:1]]), *content[1:]]


def _block(block: Block) -> Paragraph:
    text = " ".join(_text(each) for each in block.texts)
    return Paragraph(text, _BULLET, bulletText="•") if block.bullet else Paragraph(text, _PARAGRAPH)


def _text(text: Text) -> str:
    marks = ", ".join(f'<a href="#s{mark}" color="#1F3A5F">{mark}</a>' for mark in text.marks)
    raised = f'<super size="6.2">{marks}</super>' if marks else ""
    flags = (
        f' <font color="#A61B1B" size="8"><i>[! {_safe(" ".join(text.flags))}]</i></font>'
        if text.flags
        else ""
    )
    return f"{_safe(text.text)}{raised}{flags}"


def _figures(memo: Rendered) -> list[Flowable]:
    if not memo.table:
        return []
    heads = [
        Paragraph("Measure", _SMALL_HEAD),
        Paragraph("Of", _SMALL_HEAD),
        Paragraph("Period", _SMALL_HEAD),
        Paragraph("Figure", _HEAD_RIGHT),
        Paragraph("Source", _HEAD_RIGHT),
    ]
    rows: list[list[Any]] = [heads]
    for row in memo.table:
        mark = f'<a href="#s{row.mark}" color="#1F3A5F">[{row.mark}]</a>' if row.mark else ""
        computed = " <font color='#5A6472'>(computed)</font>" if row.formula else ""
        rows.append(
            [
                Paragraph(_safe(_short(row.measure, 70)) + computed, _SMALL),
                Paragraph(_safe(_short(row.whose, 60)), _SMALL),
                Paragraph(_safe(row.period), _SMALL),
                Paragraph(_safe(row.shown), _SMALL_RIGHT),
                Paragraph(mark, _SMALL_RIGHT),
            ]
        )
    table = _table(rows, [_TEXT - 123 * mm, 48 * mm, 33 * mm, 28 * mm, 14 * mm])
    return [CondPageBreak(45 * mm), Paragraph("Figures", _FREE_HEADING), table]


def _table(rows: list[list[Any]], widths: list[float]) -> Table:
    table = Table(rows, colWidths=widths, repeatRows=1, splitByRow=1)
    table.setStyle(
        TableStyle(
            [
                ("BACKGROUND", (0, 0), (-1, 0), NAVY),
                ("ROWBACKGROUNDS", (0, 1), (-1, -1), [colors.white, LIGHT]),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
                ("LINEBELOW", (0, -1), (-1, -1), 0.6, NAVY),
            ]
        )
    )
    return table


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _questions(memo: Rendered) -> list[Flowable]:
    if not memo.open_questions:
        return []
    lines = [
        Paragraph(f"{_safe(text)} <font color='#5A6472'>({_safe(who)})</font>", _BULLET, bulletText="•")
        for who, text in memo.open_questions
    ]
    return _headed("Open questions: asked, and not found in these documents", lines)


def _notes(memo: Rendered) -> list[Flowable]:
    lines = [Paragraph(_note(source), _NOTE) for source in memo.sources]
    return _headed("Sources", lines) if lines else []


def _note(source: Cited) -> str:
    where = (
        f'<a href="#e{source.number}" color="#1F3A5F">{_safe(source.citation)}</a>' if source.picture else ""
    )
    named = f" <font color='#5A6472'>({_safe(source.document)})</font>" if source.document else ""
    anchor = f'<a name="s{source.number}"/><b>{source.number}</b>&nbsp;&nbsp;'
    return f"{anchor}{where or _safe(source.citation)}{named}"


def _made(memo: Rendered) -> list[Flowable]:
    lines = [f"Corpus: {memo.corpus}.", *memo.settings, *memo.notes]
    lines.append(f"Fingerprint of corpus and settings: {memo.fingerprint}")
    return _headed("How this was made", [Paragraph(_safe(line), _SMALL) for line in lines])


# --- appendices ----------------------------------------------------------------------------------


def _further(memo: Rendered) -> list[Flowable]:
    """Findings that the text leaves out, by section."""
    if not memo.further:
        return []
    rows: list[list[Any]] = [[Paragraph("Finding", _SMALL_HEAD), Paragraph("Source", _SMALL_HEAD)]]
    section, heads = "", []
    for found in memo.further:
        if found.section != section:
            section = found.section
            heads.append(len(rows))
            rows.append([Paragraph(f"<b>{_safe(section)}</b>", _SMALL), ""])
        flags = (
            f' <font color="#A61B1B"><i>[! {_safe(" ".join(found.flags))}]</i></font>' if found.flags else ""
        )
        where = "; ".join(found.places)
        rows.append([Paragraph(_safe(found.claim) + flags, _SMALL), Paragraph(_safe(where), _TINY)])
    table = _table(rows, [_TEXT - 62 * mm, 62 * mm])
    table.setStyle(TableStyle([("NOSPLIT", (0, row), (-1, row + 1)) for row in heads]))
    told = "Found and checked as well, but not told in the text; all figures are in the workbook."
    return [
        PageBreak(),
        *_headed("Appendix A: further findings", [Paragraph(told, _SMALL)]),
        Spacer(1, 4),
        table,
    ]


def _evidence(memo: Rendered) -> list[Flowable]:
    shown = [source for source in memo.sources if source.picture]
    if not shown:
        return []
    pieces = [_picture(source) for source in shown]
    letter = "B" if memo.further else "A"
    return [PageBreak(), *_headed(f"Appendix {letter}: the evidence as it stands on the page", pieces)]


def _picture(source: Cited) -> Flowable:
    data = source.picture or b""
    with Picture.open(io.BytesIO(data)) as picture:
        width, height = picture.size
    scale = min(_TEXT / width, _PICTURE_HEIGHT / height, _PICTURE_SCALE)
    image = Image(io.BytesIO(data), width * scale, height * scale, hAlign="LEFT")
    framed = Table([[image]], colWidths=[width * scale + 6], hAlign="LEFT")
    framed.setStyle(
        TableStyle(
            [
                ("BOX", (0, 0), (-1, -1), 0.5, colors.HexColor("#C9D1DA")),
                ("LEFTPADDING", (0, 0), (-1, -1), 3),
                ("RIGHTPADDING", (0, 0), (-1, -1), 3),
                ("TOPPADDING", (0, 0), (-1, -1), 3),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    label = f'<a name="e{source.number}"/><b>[{source.number}]</b> {_safe(source.citation)}'
    return KeepTogether([Paragraph(label, _SMALL), Spacer(1, 2), framed, Spacer(1, 6)])
