"""A PDF as pages of text, blocks and tables."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import pymupdf

from aethel_core.parsing.blocks import Draft, as_block, drafts_of, page_text
from aethel_core.parsing.clean import clean, display_name
from aethel_core.parsing.completion import complete_tables
from aethel_core.parsing.furniture import furniture, without
from aethel_core.parsing.layout import regions, rows_of
from aethel_core.parsing.ocr import Recogniser, ocr_available
from aethel_core.parsing.opening import PDF_ERRORS, check_page_count, damaged, open_pdf
from aethel_core.parsing.sections import body_size, levels
from aethel_core.parsing.words import UNKNOWN, PageWords, Turn, read_words
from aethel_core.types import Page, ParsedDocument

_REPAIRED = "The file was damaged and has been repaired while reading; compare it with the original."
_MANY_STROKES = 60  # more than rules and borders need
_LITTLE_TEXT = 12  # characters; a page with fewer and with images is taken for a scan


class _Read(NamedTuple):
    words: PageWords
    source: str
    warning: str = ""
    damaged: bool = False


def parse_pdf(
    data: bytes,
    name: str,
    *,
    password: str | None = None,
    ocr: bool = True,
    max_pages: int = 3000,
    on_page: Callable[[int, int], None] | None = None,
) -> ParsedDocument:
    """Read a PDF. Nothing in it is executed, followed or opened.

    :param name: shown to people and used in messages, never as a path.
    :param on_page: called with (pages done, pages) after each page; may raise to stop.
    :raises UnreadableDocument: its kinds say why, see `aethel_core.errors`.
    """
    document = open_pdf(data, name, password)
    try:
        check_page_count(document, name, max_pages)
        warnings = [_REPAIRED] if document.is_repaired else []
        reads = _read_all(document, Recogniser() if ocr else None, on_page)
        title = clean((document.metadata or {}).get("title") or "").strip()
    except PDF_ERRORS as error:
        raise damaged(name) from error
    finally:
        document.close()
    if 2 * sum(read.damaged for read in reads) > len(reads):
        raise damaged(name)
    warnings += _warnings(reads)
    pages = _pages(reads)
    return ParsedDocument(display_name(name), hashlib.sha256(data).hexdigest(), pages, tuple(warnings), title)


def _read_all(
    document: pymupdf.Document, recogniser: Recogniser | None, on_page: Callable[[int, int], None] | None
) -> list[_Read]:
    reads = []
    for index in range(document.page_count):
        reads.append(_read(document, index, recogniser))
        if on_page is not None:
            on_page(index + 1, document.page_count)
    return reads


def _warnings(reads: Sequence[_Read]) -> list[str]:
    """One sentence for each trouble, and one more where several pages have the same."""
    troubles: dict[str, list[int]] = {}
    for read in reads:
        if read.warning:
            number = read.words.number
            troubles.setdefault(read.warning.removeprefix(f"Page {number} "), []).append(number)
    said = []
    for trouble, (first, *others) in troubles.items():
        said.append(f"Page {first} {trouble}")
        if others:
            said.append(f"The same holds for {len(others)} more, up to page {others[-1]}.")
    return said


def _read(document: pymupdf.Document, index: int, recogniser: Recogniser | None) -> _Read:
    """The words of a page, by OCR where it has none but shows something."""
    number = index + 1
    try:
        page = document.load_page(index)
        words = read_words(page)
        readable = _has_text(words) or not (_has_unknown_glyphs(words) or _shows_something(page))
        lost = document.is_repaired and readable and _shows_nothing_of_its_content(page, words)
    except PDF_ERRORS as error:
        nothing = PageWords(number, 612.0, 792.0, 0, Turn(0, 612.0, 792.0), [])
        return _Read(nothing, "none", f"Page {number} is damaged and cannot be read ({error}).", damaged=True)
    if lost:
        return _Read(words, "none", f"Page {number} came out empty; what it showed is lost.", damaged=True)
    if readable:
        return _Read(words, "text")
    if _has_unknown_glyphs(words):
        words = replace(words, fragments=[], others=())
    if recogniser is None:
        return _Read(words, "none", f"Page {number} has no text and reading scans is switched off.")
    if not ocr_available():
        return _Read(
            words,
            "none",
            f"Page {number} has no text and Tesseract is not installed, so it cannot be read: "
            "install the package tesseract-ocr and re-index.",
        )
    try:
        return _Read(read_words(page, recogniser.read(page)), "ocr")
    except PDF_ERRORS as error:
        return _Read(words, "none", f"Page {number} could not be read by Tesseract ({error}).")


def _shows_nothing_of_its_content(page: pymupdf.Page, words: PageWords) -> bool:
    """Of a readable page: what it shows was stored in a part of the file that is missing."""
    return bool(page.get_contents()) and next(iter(words.all_fragments()), None) is None


def _has_text(words: PageWords) -> bool:
    """Whether a page has more letters than a stamp or a page number."""
    letters = 0
    for fragment in words.all_fragments():
        letters += sum(c.isalnum() for c in fragment.text)
        if letters >= _LITTLE_TEXT:
            return True
    return False


def _has_unknown_glyphs(words: PageWords) -> bool:
    return any(UNKNOWN in fragment.text for fragment in words.all_fragments())


def _shows_something(page: pymupdf.Page) -> bool:
    """Whether a page without text has a picture, or drawings that may be outlined letters."""
    area = page.rect.width * page.rect.height
    for image in page.get_image_info():
        x0, y0, x1, y1 = image["bbox"]
        if image["width"] > 16 and image["height"] > 16 and (x1 - x0) * (y1 - y0) > 0.02 * area:
            return True
    return sum(len(drawing["items"]) for drawing in page.get_cdrawings()) > _MANY_STROKES


def _pages(reads: Sequence[_Read]) -> tuple[Page, ...]:
    removed = furniture([read.words for read in reads])
    drafts = [_drafts(read.words, removed.get(read.words.number, set())) for read in reads]
    body = body_size(drafts)
    complete_tables(drafts)
    return tuple(_page(read, blocks, body) for read, blocks in zip(reads, drafts, strict=True))


def _drafts(words: PageWords, removed: set[int]) -> list[Draft]:
    drafts: list[Draft] = []
    for turn, fragments in ((words.turn, without(words.fragments, removed)), *words.others):
        for region in regions(fragments):
            drafts += drafts_of(rows_of(region), turn)
    return drafts


def _page(read: _Read, drafts: Sequence[Draft], body: float) -> Page:
    text, placed = page_text(drafts)
    found = levels(drafts, body)
    blocks = tuple(as_block(draft, lines, level) for (draft, lines), level in zip(placed, found, strict=True))
    words = read.words
    warnings = (read.warning,) if read.warning else ()
    return Page(words.number, text, blocks, words.width, words.height, words.rotation, read.source, warnings)
