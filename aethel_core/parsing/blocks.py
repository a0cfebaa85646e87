"""From the rows of a page to its text and blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from aethel_core.parsing.layout import Row, line_pitch
from aethel_core.parsing.pieces import Range
from aethel_core.parsing.tables import find_tables
from aethel_core.parsing.words import Turn
from aethel_core.types import Block, Line, Table

_BULLET = re.compile(r"^(?:[•·▪◦●○■□–—*-]|\(?(?:[ivx]{1,4}|[a-z]|\d{1,2})[.)])\s")
_OPENS_SECTION = re.compile(r"^(?:item|part|note)\s+[\divx]+\b", re.IGNORECASE)
_ENDS_PARAGRAPH = re.compile(r"[.:;!?]['”’\")]*$")


@dataclass(slots=True)
class Draft:
    """A block whose lines have no offsets yet."""

    kind: str
    rows: list[Row]
    turn: Turn
    table: Table | None = None
    columns: Sequence[Range] = ()  # of the table

    @property
    def text(self) -> str:
        return " ".join(row.text for row in self.rows)


def drafts_of(rows: Sequence[Row], turn: Turn) -> list[Draft]:
    """Tables and paragraphs of one column of the page, top to bottom."""
    drafts: list[Draft] = []
    n = 0
    for found in find_tables(rows, turn):
        drafts += _paragraphs(rows[n : found.first], turn)
        drafts.append(Draft("table", list(rows[found.first : found.last]), turn, found.table, found.columns))
        n = found.last
    return drafts + _paragraphs(rows[n:], turn)


def _paragraphs(rows: Sequence[Row], turn: Turn) -> list[Draft]:
    if not rows:
        return []
    pitch = line_pitch(rows)
    right = max(row.x1 for row in rows)
    drafts: list[Draft] = []
    for n, row in enumerate(rows):
        if n and not _begins(rows[n - 1], row, pitch, right):
            drafts[-1].rows.append(row)
        else:
            drafts.append(Draft("prose", [row], turn))
    return drafts


def _begins(above: Row, row: Row, pitch: float, right: float) -> bool:
    """Whether ``row`` begins a new paragraph below ``above``."""
    step = row.y0 - above.y0
    if step > 1.4 * pitch or step < 0 or row.y0 - above.y1 > 0.8 * row.size:
        return True
    if above.bold != row.bold or abs(above.size - row.size) > 0.8:
        return True
    text = row.text
    if _BULLET.match(text) or (_OPENS_SECTION.match(text) and (row.bold or text.isupper())):
        return True
    if row.bold and _mostly_capitals(above.text) and not _mostly_capitals(text):
        return True
    ended = _ENDS_PARAGRAPH.search(above.text) is not None
    return ended and (above.x1 < right - 6 * above.size or row.x0 > above.x0 + 1.2 * row.size)


def _mostly_capitals(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return sum(c.isupper() for c in letters) > 0.7 * len(letters) > 2


def page_text(drafts: Sequence[Draft]) -> tuple[str, list[tuple[Draft, tuple[Line, ...]]]]:
    """The text of a page, one line a row, a blank line between blocks, and each block's lines."""
    parts: list[str] = []
    found: list[tuple[Draft, tuple[Line, ...]]] = []
    at = 0
    for draft in drafts:
        lines: list[Line] = []
        for row in draft.rows:
            text = row.text
            rect = draft.turn.displayed(
                row.x0, min(f.y0 for f in row.fragments), row.x1, max(f.y1 for f in row.fragments)
            )
            lines.append(Line(text, at, at + len(text), rect))
            parts.append(text + "\n")
            at += len(text) + 1
        parts.append("\n")
        at += 1
        found.append((draft, tuple(lines)))
    return "".join(parts).rstrip("\n"), found


def as_block(draft: Draft, lines: tuple[Line, ...], level: int | None) -> Block:
    if draft.kind == "table":
        return Block("table", lines, draft.table)
    return Block("heading", lines, None, level) if level is not None else Block("prose", lines)
