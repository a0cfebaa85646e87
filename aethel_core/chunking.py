"""Passages: the units of retrieval, cut from the blocks of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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
    TableRow,
    passage_id,
)

PIECES_PER_WORD = 2.0  # word pieces allowed per word of ``max_words``
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9•])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:no|inc|corp|co|ltd|u\.s|u\.k|mr|ms|mrs|dr|jr|sr|vs|etc|e\.g|i\.e|approx|fig|vol|st|llc|l\.p|al)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[A-Za-z]+|\d+|[^\sA-Za-z\d]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ITEM = re.compile(
    r"(?:^|\b)item\s+(?P<number>\d{1,2}[a-c]?)\b[\s.:—–-]*(?P<title>.*)", re.IGNORECASE | re.DOTALL
)
_NOTE = re.compile(
    r"^(?:note\s+)?(?P<number>\d{1,2}[a-z]?)\b[\s.:)—–-]*(?P<title>.*)", re.IGNORECASE | re.DOTALL
)
_CONTINUED = re.compile(r"\s*[-–—(]*\s*continued\s*[)\s.]*$", re.IGNORECASE)


def word_pieces(text: str) -> int:
    """A cheap estimate of how many word pieces a BERT tokeniser makes of ``text``."""
    total = 0
    for token in _TOKEN.findall(text):
        if token[0].isascii() and token[0].isalpha():
            total += 1 + (len(token) - 1) // 9
        elif token[0].isdigit():
            total += (len(token) + 2) // 3
        else:
            total += 1
    return total


@dataclass(slots=True)
class _Draft:
    start: int
    end: int
    lines: tuple[Line, ...]
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
    can, and holds at most ``max_words`` words or twice as many word pieces.

    :param statements: page number to the statements on it; given to the page's tables, or to
        all its passages when it has no table.
    :raises InvalidInput: ``max_words`` is below 20.
    """
    if max_words < 20:
        raise InvalidInput(f"Passages of {max_words} words are too short to be found; give 20 or more.")
    cutter = _Cutter(max_words, _Joiner(document))
    found: list[Passage] = []
    for page in document.pages:
        drafts = list(cutter.page(page))
        marked = (statements or {}).get(page.number, ())
        tables = any(draft.kind is PassageKind.TABLE for draft in drafts)
        for draft in drafts:
            given = marked if draft.kind is PassageKind.TABLE or not tables else ()
            found.append(
                Passage(
                    passage_id(document.id, len(found)),
                    document.id,
                    page.number,
                    draft.start,
                    draft.end,
                    _rects(draft.lines),
                    draft.section,
                    draft.kind,
                    draft.text,
                    draft.table,
                    tuple(given),
                )
            )
    return tuple(found)


def _rects(lines: Sequence[Line]) -> tuple[Rect, ...]:
    """The lines' rectangles, merged where one follows the other closely."""
    merged: list[Rect] = []
    for line in lines:
        r = line.rect
        if merged:
            last = merged[-1]
            height, width = r.y1 - r.y0, r.x1 - r.x0
            below = r.y0 - last.y1 < height and r.y0 >= last.y0 and r.x0 < last.x1 and r.x1 > last.x0
            beside = r.x0 - last.x1 < width and r.x0 >= last.x0 and r.y0 < last.y1 and r.y1 > last.y0
            if below or beside:
                merged[-1] = Rect(
                    min(last.x0, r.x0), min(last.y0, r.y0), max(last.x1, r.x1), max(last.y1, r.y1)
                )
                continue
        merged.append(r)
    return tuple(merged)


class _Joiner:
    """Joins the lines of a paragraph; a word hyphenated at a line's end is made whole.

    The hyphen stays where the document knows the two halves as words but not the whole.
    """

    def __init__(self, document: ParsedDocument) -> None:
        self._document = document
        self._known: set[str] | None = None

    def _knows(self, word: str) -> bool:
        if self._known is None:
            self._known = {w.lower() for page in self._document.pages for w in _WORD.findall(page.text)}
        return word.lower() in self._known

    def join(self, pieces: Sequence[str]) -> str:
        text = ""
        for piece in pieces:
            piece = " ".join(piece.split())
            if not text or not piece:
                text += piece
            elif text[-1] == "\u2010":
                text = text[:-1] + piece
            elif text[-1] == "-" and len(text) > 1 and text[-2].isalpha() and piece[0].islower():
                text = (text if self._keeps_hyphen(text, piece) else text[:-1]) + piece
            else:
                text += " " + piece
        return text.replace("\u2010", "-")

    def _keeps_hyphen(self, text: str, piece: str) -> bool:
        first = re.search(r"[^\W\d_]+(?=-$)", text)
        second = re.match(r"[^\W\d_]+", piece)
        if first is None or second is None:
            return True
        if self._knows(first.group() + second.group()):
            return False
        return self._knows(first.group()) and self._knows(second.group())


class _Cutter:
    """Walks the pages in order and keeps the section it is in."""

    def __init__(self, max_words: int, joiner: _Joiner) -> None:
        self._words = max_words
        self._pieces = int(max_words * PIECES_PER_WORD)
        self._joiner = joiner
        self._item = ""
        self._sub = ""

    @property
    def _section(self) -> str:
        return " · ".join(part for part in (self._item, self._sub) if part)

    def page(self, page: Page) -> Iterator[_Draft]:
        waiting: list[Block] = []  # headings and paragraphs of one section
        for block in page.blocks:
            if block.kind == "heading":
                before = self._section
                after = self._enter(block, before)
                if after or (waiting and waiting[-1].kind != "heading"):
                    yield from self._prose(waiting, before, page)
                    waiting = []
                waiting.append(block)
            elif block.kind == "table" and block.table is not None:
                heads: list[Block] = []
                while waiting and waiting[-1].kind == "heading":
                    heads.insert(0, waiting.pop())
                yield from self._prose(waiting, self._section, page)
                waiting = []
                yield from self._table(block, heads)
            else:
                waiting.append(block)
        yield from self._prose(waiting, self._section, page)

    def _enter(self, heading: Block, before: str) -> bool:
        """Note the section ``heading`` begins; whether it differs from the one before."""
        text = _CONTINUED.sub("", " ".join(heading.text.split()))
        item = _ITEM.search(text) if heading.level == 1 else None
        if item:
            self._item, self._sub = _named("Item", item), ""
        elif heading.level == 1 and not self._item.startswith("Item"):
            self._item, self._sub = _short(text), ""
        elif heading.level == 2:
            note = _NOTE.match(text)
            if note and text.lower().startswith(("note", *"0123456789")):
                self._sub = _named("Note", note, " ")
            else:
                self._sub = _short(text)
        elif not self._item.startswith("Item"):
            self._sub = _short(text)
        return self._section != before

    def _prose(self, blocks: Sequence[Block], section: str, page: Page) -> Iterator[_Draft]:
        current: list[tuple[int, int, str]] = []
        size = words = 0
        for start, end in self._sentences(blocks, page):
            text = self._joiner.join(page.text[start:end].split("\n"))
            cost, count = word_pieces(text), text.count(" ") + 1
            if current and (size + cost > self._pieces or words + count > self._words):
                yield self._draft(current, blocks, section)
                current, size, words = [], 0, 0
            current.append((start, end, text))
            size += cost
            words += count
        if current:
            yield self._draft(current, blocks, section)

    def _draft(self, parts: Sequence[tuple[int, int, str]], blocks: Sequence[Block], section: str) -> _Draft:
        start, end = parts[0][0], parts[-1][1]
        lines = tuple(
            line for block in blocks for line in block.lines if line.start < end and line.end > start
        )
        text = " ".join(part[2] for part in parts)
        return _Draft(start, end, lines, text, PassageKind.PROSE, section)

    def _sentences(self, blocks: Sequence[Block], page: Page) -> Iterator[tuple[int, int]]:
        """Spans of sentences, each short enough for a passage."""
        for block in blocks:
            at = block.start
            text = page.text[block.start : block.end]
            for match in _SENTENCE_END.finditer(text):
                end = block.start + match.start()
                if end > at and not _ABBREVIATION.search(text[max(0, match.start() - 8) : match.start()]):
                    yield from self._short_enough(at, end, page.text)
                    at = block.start + match.end()
            if at < block.end:
                yield from self._short_enough(at, block.end, page.text)

    def _short_enough(self, start: int, end: int, text: str) -> Iterator[tuple[int, int]]:
        """Cut a sentence between words where it alone exceeds a passage."""
        sentence = text[start:end]
        if len(sentence) < self._words and word_pieces(sentence) <= self._pieces:
            yield start, end
            return
        size = words = 0
        first = last = start
        for match in re.finditer(r"\S+", sentence):
            cost = word_pieces(match.group())
            if words and (size + cost > self._pieces or words + 1 > self._words):
                yield first, last
                first, size, words = start + match.start(), 0, 0
            size += cost
            words += 1
            last = start + match.end()
        if last > first:
            yield first, last

    def _table(self, block: Block, heads: Sequence[Block]) -> Iterator[_Draft]:
        table = block.table
        titles = [self._joiner.join(head.text.split("\n")) for head in heads]
        titles = [title for title in titles if title != table.title]
        intro = "\n".join([*titles, *_introduction(table)])
        budget = max(self._pieces - word_pieces(intro), self._pieces // 3)
        owners = _owners(block)
        for n, (first, last) in enumerate(_row_ranges(table.rows, budget)):
            lines = [line for line, row in zip(block.lines, owners, strict=True) if first <= row < last]
            if n == 0:
                lines = [line for head in heads for line in head.lines] + lines
            part = table if last - first == len(table.rows) else replace(table, rows=table.rows[first:last])
            text = "\n".join([intro, *_row_texts(part.rows)]).strip()
            lines = lines or list(block.lines[:1])
            start, end = lines[0].start, lines[-1].end
            yield _Draft(start, end, tuple(lines), text, PassageKind.TABLE, self._section, part)


def _introduction(table: Table) -> list[str]:
    names = [column.header for column in table.columns]
    lines = [table.title, table.unit_line]
    if any(names):
        lines.append(" | ".join(["", *names]).strip())
    return [line for line in lines if line]


def _row_texts(rows: Sequence[TableRow]) -> list[str]:
    texts: list[str] = []
    group = ""
    for row in rows:
        if row.group and row.group != group:
            texts.append(row.group + ":")
        group = row.group
        cells = [cell.text for cell in row.cells]
        texts.append(" | ".join([row.header, *cells]).strip())
    return texts


def _row_ranges(rows: Sequence[TableRow], budget: int) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    first = size = 0
    for n, row in enumerate(rows):
        cost = word_pieces(_row_texts([row])[-1]) + len(row.cells)
        if n > first and size + cost > budget:
            ranges.append((first, n))
            first, size = n, 0
        size += cost
    ranges.append((first, len(rows)))
    return ranges


def _owners(block: Block) -> list[int]:
    """For each line of a table block the row it belongs to; lines before a row go with it."""
    owners: list[int] = []
    rows = block.table.rows
    row = 0
    for line in block.lines:
        while row < len(rows) - 1 and not _holds(line, rows[row]) and _holds(line, rows[row + 1]):
            row += 1
        owners.append(row)
        if _holds(line, rows[row]) and row < len(rows) - 1:
            row += 1
    return owners


def _holds(line: Line, row: TableRow) -> bool:
    rect = next((cell.rect for cell in row.cells if cell.rect is not None), None)
    if rect is None:
        return False
    x, y = (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
    return line.rect.x0 <= x <= line.rect.x1 and line.rect.y0 <= y <= line.rect.y1


def _named(kind: str, match: re.Match[str], joint: str = " · ") -> str:
    title = _short(match["title"].strip(" .:—–-"))
    return f"{kind} {match['number'].upper()}" + (joint + title if title else "")


def _short(text: str) -> str:
    """A section title in title case where it was all capitals, cut at a sensible length."""
    text = " ".join(text.split()).strip(" .:—–-")
    if text.isupper():
        text = re.sub(r"[A-Z][A-Z’']*", lambda m: m.group().capitalize(), text)
        text = re.sub(r"(?<=\s)(?:And|Of|The|In|For|To|On|With|By|A|An)\b", lambda m: m.group().lower(), text)
    return text if len(text) <= 90 else text[:89].rsplit(" ", 1)[0] + "…"
