"""Which pages hold the primary financial statements: by title, then by what the table lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from aethel_core.statements.items import NEEDED, UNTITLED, complete, groups_found, has_mark
from aethel_core.statements.lines import Row, heading_like, letters
from aethel_core.statements.titles import statements_titled
from aethel_core.types import Statement

_TITLE_WORDS = ("statement", "balance sheet", "profit and loss account")
_TOP = 600  # characters searched without spaces, for titles set in letters apart
_NOTES_HEADER = re.compile(
    r"(?!see|refer|the?accompanying|accompanying|\w{0,30}integral)\w{0,60}?notes?to(?:the)?"
    r"(?:condensed|consolidated|unaudited|interim|and|company)*financialstatements?(?:continued|contd|unaudited|cont)*"
)
_NOT_PRIMARY = re.compile(
    r"selected (?:consolidated )?(?:historical )?financial|financial data schedule|pro[ -]forma"
    r"|non-gaap financial measures?$|report of independent|financial highlights|five.year",
    re.IGNORECASE,
)
_PARENT_ONLY = re.compile(
    r"schedule i\b|condensed financial information of|\(?parent (?:company )?only|\(parent company"
    r"|parent company (?:condensed|information)",
    re.IGNORECASE,
)
_PARENT_ONLY_END = re.compile(
    r"schedule (?:ii|iii|iv|v)\b|exhibit|signatures?$|items?\s+\d|report of independent|notes to",
    re.IGNORECASE,
)
_ELIMINATIONS = re.compile(
    r"(?:^|consolidating |subsidiar\w+ |guarantors? |issuers? |other )(?:adjustments and )?eliminations?\b",
    re.IGNORECASE,
)
_NOTE_HEADING = re.compile(r"note\s+\d|\d{1,2}\s*[.:–—-]\s+[A-Z]|notes to ", re.IGNORECASE)
_UNIT_LINE = re.compile(
    r"\(?(?:unaudited|dollars?|amounts?|u?s?\$|in)\b.{0,30}\b(?:thousands|millions|billions)\b", re.IGNORECASE
)
_HEAD_ROWS = 8
_FOOT_ROWS = 3
_HEAD_LENGTH = 140
_MIN_FIGURES = 6
_CONTINUED_FIGURES = 4
_TABLE_CELLS = 60
_PROSE_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a page: from its title to the next title."""

    kinds: tuple[Statement, ...]
    rows: tuple[Row, ...]


class ParentOnly:
    """Reads pages in order and says which belong to a parent-only schedule.

    Its statements carry the same titles as the consolidated ones, but the words that tell them
    apart may stand on the schedule's first page only.
    """

    def __init__(self) -> None:
        self._inside = False

    def on_page(self, table: list[Row]) -> bool:
        head = [row for row in table[:_HEAD_ROWS] if len(row.text) < _HEAD_LENGTH and not row.prose]
        if any(_PARENT_ONLY.search(row.text) for row in head):
            self._inside = True
        elif self._inside and any(_PARENT_ONLY_END.match(row.text) for row in head):
            self._inside = False
        return self._inside


def may_hold_title(text: str) -> bool:
    """A cheap test that lets most pages pass unread."""
    lower = text.lower()
    if any(words in lower for words in _TITLE_WORDS):
        return True
    top = letters(text[:_TOP])
    return "statement" in top or "balancesheet" in top


def sections(table: list[Row]) -> list[Section]:
    titles = []
    for i, row in enumerate(table):
        following = table[i + 1].text if i + 1 < len(table) else ""
        kinds = statements_titled(row.text, following)
        if kinds:
            titles.append((i, kinds))
    starts = [start for start, _ in titles] + [len(table)]
    return [
        Section(kinds, tuple(table[start + 1 : end]))
        for (start, kinds), end in zip(titles, starts[1:], strict=True)
    ]


def confirmed(section: Section, continues: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The statements of the section's title whose rows are there.

    :param continues: what the previous page ended with; a title that repeats it needs little.
    """
    figures = sum(row.figures for row in section.rows)
    again = bool(continues) and set(section.kinds) == set(continues)
    if figures < (_CONTINUED_FIGURES if again else _MIN_FIGURES) or _mostly_prose(section.rows):
        return ()
    return tuple(
        kind
        for kind in section.kinds
        if groups_found(kind, section.rows) >= (1 if again else NEEDED[kind][0])
        and (again or has_mark(kind, section.rows))
    )


def untitled(table: list[Row]) -> tuple[Statement, ...]:
    """A page that opens with a table's unit line and has nearly all rows of one statement.

    A title that stands on several pages alike is taken for a running head and is no longer there.
    """
    if not table or not _UNIT_LINE.match(table[0].text) or sum(row.cells for row in table) < _TABLE_CELLS:
        return ()
    return tuple(kind for kind, needed in UNTITLED.items() if groups_found(kind, table) >= needed)[:1]


def continued(table: list[Row], previous: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Which of the previous page's statements an untitled page goes on with."""
    figures = sum(row.figures for row in table)
    if figures < _CONTINUED_FIGURES or _mostly_prose(table) or _starts_note(table):
        return ()
    return tuple(kind for kind in previous if groups_found(kind, table) >= NEEDED[kind][1])


def still_open(kinds: tuple[Statement, ...], table: list[Row]) -> tuple[Statement, ...]:
    """The last statement of the page, if the next page may go on with it."""
    return () if not kinds or complete(kinds[-1], table) else kinds[-1:]


def excluded(table: list[Row]) -> bool:
    """Pages that show figures under such titles without being the statements themselves:
    selected data, reconciliations, notes, and the columns of a consolidation."""
    head = [row.text for row in table[:_HEAD_ROWS] if len(row.text) < _HEAD_LENGTH]
    if any(_NOT_PRIMARY.search(text) for text in head) or _in_notes(table):
        return True
    return any(row.figures == 0 and not row.prose and _ELIMINATIONS.search(row.text) for row in table)


def _in_notes(table: list[Row]) -> bool:
    """A running header or footer says that the page belongs to the notes."""
    return any(
        "otes" in row.text.lower() and not row.prose and _NOTES_HEADER.fullmatch(letters(row.text))
        for row in table[:_HEAD_ROWS] + table[-_FOOT_ROWS:]
    )


def _starts_note(table: list[Row]) -> bool:
    return any(_NOTE_HEADING.match(row.text) and heading_like(row.text) for row in table[:_HEAD_ROWS])


def _mostly_prose(table: Sequence[Row]) -> bool:
    """Long footnotes under a full table do not make a page prose."""
    if sum(row.cells for row in table) >= _TABLE_CELLS:
        return False
    prose = sum(len(row.text) for row in table if row.prose)
    return prose > _PROSE_SHARE * sum(len(row.text) for row in table)
