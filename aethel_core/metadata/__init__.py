"""What a document says it is: company, period, type, title, trading symbol, other names.

Everything is read from the content; the file's name is never looked at, and the PDF's own title
only where its words are the document's. Of a long document the first pages count (the cover of
a filing is looked for among the first thirty), except that a trading symbol missing from the
cover, and what a company calls its fiscal year, are looked for in all pages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from aethel_core.metadata import company, cover, funds, release
from aethel_core.metadata.dates import fiscal_year, interim_period, quarter_elapsed
from aethel_core.types import DocumentType, Metadata, ParsedDocument, Period

__all__ = ["infer"]

_FIRST_PAGES = 6
_COVER_FIRST = 3  # a cover here makes the document a filing
_COVER_LATER = 30  # an annual report may put a letter and pictures before its cover
_INTERIM_PAGES = 12
_FORM_TITLES = {
    DocumentType.TEN_K: "Annual report on Form {form}",
    DocumentType.TEN_Q: "Quarterly report on Form {form}",
    DocumentType.EIGHT_K: "Current report on Form {form}",
    DocumentType.OTHER: "Report on Form {form}",
}


@dataclass(frozen=True, slots=True)
class _Opening:
    """``lines`` of the first page that has text; its text, and that of the first pages, with
    white space collapsed; the PDF's title where it can be believed."""

    lines: tuple[str, ...]
    first: str
    text: str
    pdf_title: str

    @property
    def titled_lines(self) -> tuple[str, ...]:
        return (self.pdf_title, *self.lines) if self.pdf_title else self.lines


def infer(document: ParsedDocument) -> Metadata:
    """Fields that the document does not settle stay empty; nothing is guessed."""
    opening = _opening(document)
    found = cover.find_cover(document.pages, _COVER_FIRST)
    if found is not None:
        return _filing(document, found, opening)
    if funds.is_capital_account(opening.titled_lines, opening.first):
        return _fund_paper(DocumentType.CAPITAL_ACCOUNT, document, opening)
    if funds.is_letter(opening.lines, opening.text):
        return _fund_paper(DocumentType.LP_LETTER, document, opening)
    if release.is_earnings_release(opening.lines, opening.first, opening.text):
        return _release(opening)
    found = cover.find_cover(document.pages, _COVER_LATER)
    return _filing(document, found, opening) if found is not None else _other(document, opening)


def _opening(document: ParsedDocument) -> _Opening:
    pages = [page.text for page in document.pages[:_FIRST_PAGES]]
    first = next((text for text in pages if text.strip()), "")
    text = " ".join(" ".join(pages).split())
    lines = tuple(line for line in (" ".join(raw.split()) for raw in first.split("\n")) if line)
    return _Opening(lines, " ".join(first.split()), text, _trusted_title(document.pdf_title, text))


def _trusted_title(pdf_title: str, text: str) -> str:
    """The PDF's own title if it is made of words of the document; many are a file's or a template's."""
    words = re.findall(r"[a-z0-9]+", pdf_title.lower())
    known = set(re.findall(r"[a-z0-9]+", text.lower()))
    return pdf_title if len(words) >= 3 and sum(w in known for w in words) >= 0.6 * len(words) else ""


def _filing(document: ParsedDocument, found: cover.Cover, opening: _Opening) -> Metadata:
    day = cover.cover_date(found)
    symbol = cover.trading_symbol(found)
    if not symbol and found.type in (DocumentType.TEN_K, DocumentType.TEN_Q):
        symbol = cover.symbol_in_text(document.pages)
    period = Period()
    if day is not None and found.type is DocumentType.TEN_Q:
        interim = " ".join(page.text for page in document.pages[:_INTERIM_PAGES])
        period = interim_period(day, quarter_elapsed(" ".join(interim.split())), _whole(document))
    elif day is not None and found.type is DocumentType.EIGHT_K:
        period = Period(day.year, None, day.isoformat())
    elif day is not None:
        period = Period(fiscal_year(day, _whole(document)), None, day.isoformat())
    title = _FORM_TITLES[found.type].format(form=found.form)
    if period.end:
        title += f", {'dated' if found.type is DocumentType.EIGHT_K else 'period ended'} {period.end}"
    about = Metadata(period=period, type=found.type, title=title, ticker=symbol)
    return _named(about, cover.registrant(found), opening)


def _whole(document: ParsedDocument) -> str:
    return " ".join(" ".join(page.text.split()) for page in document.pages)


def _release(opening: _Opening) -> Metadata:
    name, ticker = release.issuer(opening.lines, opening.text)
    about = Metadata(
        period=release.reported_period(opening.first, opening.text),
        type=DocumentType.EARNINGS,
        title=release.headline(opening.lines) or opening.pdf_title,
        ticker=ticker,
    )
    return _named(about, name, opening)


def _fund_paper(kind: DocumentType, document: ParsedDocument, opening: _Opening) -> Metadata:
    lines = opening.titled_lines
    about = Metadata(
        period=funds.stated_period(lines, opening.first, quarterly=True),
        type=kind,
        title=funds.title(opening.lines) or opening.pdf_title or _heading(document, opening),
    )
    return _named(about, funds.fund_name(opening.lines, opening.text), opening)


def _other(document: ParsedDocument, opening: _Opening) -> Metadata:
    about = Metadata(
        period=funds.stated_period(opening.titled_lines, opening.first, quarterly=False),
        type=DocumentType.OTHER,
        title=opening.pdf_title or _heading(document, opening),
    )
    return _named(about, funds.subject_name(opening.lines, opening.text), opening)


def _named(about: Metadata, name: str, opening: _Opening) -> Metadata:
    shown = company.display_name(name, opening.text) if name else ""
    return replace(about, company=shown, aliases=company.aliases(shown, about.ticker, opening.text))


def _heading(document: ParsedDocument, opening: _Opening) -> str:
    """The first heading of the first page, else its first line."""
    blocks = document.pages[0].blocks if document.pages else ()
    headings = [" ".join(block.text.split()) for block in blocks if block.kind == "heading"]
    return next(iter([*headings, *opening.lines[:1]]), "")
