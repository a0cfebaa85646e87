"""Cut the blocks of a document into passages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from aethel_core.chunking import tables
from aethel_core.chunking.naming import Sections
from aethel_core.chunking.words import Joiner, word_pieces
from aethel_core.errors import InvalidInput
from aethel_core.types import (
    Block,
    Line,
    Page,
    ParsedDocument,
    Passage,
    PassageKind,
    Rect,
    Statement,
    Table,
    passage_id,
)

_PIECES_PER_WORD = 2.0  # word pieces allowed for each word of ``max_words``
_FEWEST_WORDS = 20
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9•])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:no|inc|corp|co|ltd|u\.s|u\.k|mr|ms|mrs|dr|jr|sr|vs|e\.g|i\.e|approx|fig|vol|st|l\.p)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_LOOK_BACK = 8  # characters in which an abbreviation is looked for


@dataclass(frozen=True, slots=True)
class _Sentence:
    start: int
    end: int
    text: str
    words: int
    pieces: int


@dataclass(frozen=True, slots=True)
class _Draft:
    lines: Sequence[Line]
    start: int
    end: int
    text: str
    kind: PassageKind
    section: str
    table: Table | None = None


def passages(
    document: ParsedDocument,
    *,
    max_words: int = 110,
    statements: Mapping[int, tuple[Statement, ...]] | None = None,
) -> tuple[Passage, ...]:
    """Cut ``document`` into passages in reading order.

    A passage stays within one page, section and kind of block, ends at a sentence where it
    can, and holds at most ``max_words`` words and twice as many word pieces.

    :param statements: page number to the statements on it; given to the page's tables, or to
        all its passages when it has no table.
    :raises InvalidInput: ``max_words`` is below 20.
    """
    if max_words < _FEWEST_WORDS:
        raise InvalidInput(f"Passages of {max_words} words are too short; give {_FEWEST_WORDS} or more.")
    cutter = _Cutter(max_words, document)
    found: list[Passage] = []
    for page in document.pages:
        drafts = list(cutter.page(page))
        marks = (statements or {}).get(page.number, ())
        has_table = any(draft.kind is PassageKind.TABLE for draft in drafts)
        for draft in drafts:
            marked = draft.kind is PassageKind.TABLE or not has_table
            found.append(_passage(draft, document.id, page, len(found), marks if marked else ()))
    return tuple(found)


def _passage(
    draft: _Draft, document: str, page: Page, ordinal: int, statements: tuple[Statement, ...]
) -> Passage:
    return Passage(
        id=passage_id(document, ordinal),
        document_id=document,
        page=page.number,
        start=draft.start,
        end=draft.end,
        rects=_rects(draft.lines),
        section=draft.section,
        kind=draft.kind,
        text=draft.text,
        table=draft.table,
        statements=tuple(statements),
    )


def _rects(lines: Sequence[Line]) -> tuple[Rect, ...]:
    """The lines' rectangles, merged where one follows the other closely."""
    merged: list[Rect] = []
    for line in lines:
        r = line.rect
        last = merged[-1] if merged else None
        if last is not None and (_follows_below(last, r) or _follows_beside(last, r)):
            merged[-1] = Rect(min(last.x0, r.x0), min(last.y0, r.y0), max(last.x1, r.x1), max(last.y1, r.y1))
        else:
            merged.append(r)
    return tuple(merged)


def _follows_below(last: Rect, r: Rect) -> bool:
    close = r.y0 >= last.y0 and r.y0 - last.y1 < r.y1 - r.y0
    return close and r.x0 < last.x1 and r.x1 > last.x0


def _follows_beside(last: Rect, r: Rect) -> bool:
    close = r.x0 >= last.x0 and r.x0 - last.x1 < r.x1 - r.x0
    return close and r.y0 < last.y1 and r.y1 > last.y0


class _Cutter:
    """Walks the pages in order, keeping the section it is in."""

    def __init__(self, max_words: int, document: ParsedDocument) -> None:
        self._words = max_words
        self._pieces = int(max_words * _PIECES_PER_WORD)
        self._joiner = Joiner(document)
        self._sections = Sections(document)

    def page(self, page: Page) -> Iterator[_Draft]:
        waiting: list[Block] = []  # headings and paragraphs of one section
        section = self._sections.current
        for block in page.blocks:
            if block.kind == "heading":
                self._sections.enter(block)
                if waiting and waiting[-1].kind != "heading":
                    yield from self._prose(waiting, section, page)
                    waiting = []
                section = self._sections.current
                waiting.append(block)
            elif block.table is not None:
                heads: list[Block] = []
                while waiting and waiting[-1].kind == "heading":
                    heads.insert(0, waiting.pop())
                yield from self._prose(waiting, section, page)
                waiting = []
                yield from self._table(block, block.table, heads, section)
            else:
                waiting.append(block)
        yield from self._prose(waiting, section, page)

    def _prose(self, blocks: Sequence[Block], section: str, page: Page) -> Iterator[_Draft]:
        """Passages of about the same length, so that none is a mere tail."""
        sentences = list(self._sentences(blocks, page))
        fullness = [max(s.pieces / self._pieces, s.words / self._words) for s in sentences]
        left = sum(fullness)
        lines = [line for block in blocks for line in block.lines]
        current: list[_Sentence] = []
        pieces = words = at = 0  # lines before ``at`` are used up
        filled = 0.0
        for sentence, fill in zip(sentences, fullness, strict=True):
            full = pieces + sentence.pieces > self._pieces or words + sentence.words > self._words
            if current and (full or filled >= left / max(1, ceil(left))):
                draft, at = _prose_draft(current, lines, at, section)
                yield draft
                left -= filled
                current, pieces, words, filled = [], 0, 0, 0.0
            current.append(sentence)
            pieces += sentence.pieces
            words += sentence.words
            filled += fill
        if current:
            yield _prose_draft(current, lines, at, section)[0]

    def _sentences(self, blocks: Sequence[Block], page: Page) -> Iterator[_Sentence]:
        """The sentences of some blocks, each short enough for a passage."""
        for block in blocks:
            text = page.text[block.start : block.end]
            at = 0
            for match in _SENTENCE_END.finditer(text):
                end = match.start()
                if end > at and not _ABBREVIATION.search(text[max(0, end - _LOOK_BACK) : end]):
                    yield from self._short_enough(page.text, block.start + at, block.start + end)
                    at = match.end()
            if at < len(text):
                yield from self._short_enough(page.text, block.start + at, block.end)

    def _short_enough(self, text: str, start: int, end: int) -> Iterator[_Sentence]:
        """Cut a sentence between words where it alone exceeds a passage."""
        whole = self._sentence(text, start, end)
        if whole.words <= self._words and whole.pieces <= self._pieces:
            if whole.text:
                yield whole
            return
        pieces = words = 0
        first = last = start
        for match in re.finditer(r"\S+", text[start:end]):
            cost = word_pieces(match.group())
            if words and (pieces + cost > self._pieces or words + 1 > self._words):
                yield self._sentence(text, first, last)
                first, pieces, words = start + match.start(), 0, 0
            pieces += cost
            words += 1
            last = start + match.end()
        yield self._sentence(text, first, last)

    def _sentence(self, text: str, start: int, end: int) -> _Sentence:
        joined = self._joiner.join(text[start:end].split("\n"))
        return _Sentence(start, end, joined, joined.count(" ") + 1, word_pieces(joined))

    def _table(self, block: Block, table: Table, heads: Sequence[Block], section: str) -> Iterator[_Draft]:
        titles = [self._joiner.join(head.text.split("\n")) for head in heads]
        over = [line for head in heads for line in head.lines]
        for lines, text, part in tables.cut(block, table, titles, self._pieces):
            shown = over + lines or list(block.lines[:1])
            over = []
            yield _Draft(shown, shown[0].start, shown[-1].end, text, PassageKind.TABLE, section, part)


def _prose_draft(
    sentences: Sequence[_Sentence], lines: Sequence[Line], at: int, section: str
) -> tuple[_Draft, int]:
    """A passage of some sentences, and the first of ``lines`` that one after it can need."""
    start, end = sentences[0].start, sentences[-1].end
    while at < len(lines) and lines[at].end <= start:
        at += 1
    stop = at
    while stop < len(lines) and lines[stop].start < end:
        stop += 1
    text = " ".join(sentence.text for sentence in sentences)
    return _Draft(lines[at:stop], start, end, text, PassageKind.PROSE, section), max(at, stop - 1)
