"""Pages with a table of the segment note.

The note starts at a numbered heading that names segments ("Note 17. Segment Information",
"12." over "Business Segments") or, where segments are reported inside another note, at a
heading that consists of nothing else. It ends at the next note's heading, at a heading that
cannot belong to it, or where the notes end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aethel_core.statements.lines import Row, heading_like, letters

_NUMBERED = re.compile(r"(?:note\s*(\d{1,2})\s*[.:–—―-]*|\(?(\d{1,2})\)?\s*[.:–—―-]+)\s*(.*)", re.IGNORECASE)
_SEGMENT = re.compile(r"\bsegments?\b", re.IGNORECASE)
_SUBHEADING = re.compile(
    r"(?:business|operating|reportable|industry)?segments?"
    r"(?:information|reporting|data|results|financialinformation)?"
    r"|segmentandgeographic(?:al)?(?:information|data|areas?)?|informationon(?:business)?segments"
)
_NOTES_TITLE = re.compile(r"\w{0,60}?notesto(?:the)?\w{0,40}financialstatements\w{0,20}")
_NOTES_END = re.compile(
    r"items?\s+\d|signatures?$|exhibit|schedule i|management['’]?s discussion", re.IGNORECASE
)
_NOTE_END = re.compile(
    r"report of independent|management['’]?s report"
    r"|(?:selected )?(?:unaudited )?quarterly (?:financial|results|data|information)"
    r"|supplementa(?:l|ry) (?:financial )?information",
    re.IGNORECASE,
)
_NUMBERS_SKIPPED = 3  # a bare number further ahead of the last heading's is an item of a list
_MAX_PAGES = 14
_MIN_CELLS = 6
_HEADING_LENGTH = 130
_HEAD_ROWS = 8


class SegmentNote:
    """Reads pages in order and says of each whether a table of the segment note is on it."""

    def __init__(self) -> None:
        self._in_notes = False
        self._note = 0  # number of the last note heading
        self._inside = False
        self._named = False  # the note itself is about segments, not only a part of it
        self._pages = 0

    @property
    def in_notes(self) -> bool:
        """Under a numbered heading of the notes."""
        return self._in_notes and self._note > 0

    def on_page(self, table: list[Row], primary: bool) -> bool:
        """:param primary: a primary statement was recognised on the page."""
        if primary:
            self._leave()
            self._note, self._in_notes = 0, True
            return False
        if not self._in_notes:
            self._in_notes = any(_is_notes_title(row) for row in table[:_HEAD_ROWS])
        if not self._in_notes:
            return False
        self._pages += self._inside
        if self._pages > _MAX_PAGES:
            self._leave()
        found = [self._inside_part(part) for part in self._parts(table)]  # every part moves the state on
        return any(found)

    def _parts(self, table: list[Row]) -> Iterator[list[Row]]:
        """The page cut at its headings; the state is that of each part while it is handed out."""
        start = 0
        for i, row in enumerate(table):
            if row.prose or len(row.text) > _HEADING_LENGTH:
                continue
            turn = self._turn(table, i)
            if turn:
                yield table[start:i]
                start = i
                self._apply(turn, table, i)
                if not self._in_notes:
                    return
        yield table[start:]

    def _turn(self, table: list[Row], i: int) -> str:
        """What a line does: "note" starts a note, "part" a part on segments, "end" and "leave" end."""
        row = table[i]
        heading = _note_heading(table, i)
        if heading is not None:
            number, title = heading
            ahead = number - self._note
            sure = row.text.lower().startswith("note") or _SEGMENT.search(title)
            if self._note and (ahead < 0 or (ahead > _NUMBERS_SKIPPED and not sure)):
                return ""
            same = number == self._note and self._inside and not _SEGMENT.search(title)
            return "" if same else "note"
        if _NOTES_END.match(row.text) and heading_like(row.text):
            return "leave"
        if self._inside:
            return "end" if _NOTE_END.match(row.text) and heading_like(row.text) else ""
        return "part" if self._note and _SUBHEADING.fullmatch(letters(row.text)) else ""

    def _apply(self, turn: str, table: list[Row], i: int) -> None:
        self._leave()
        if turn == "note":
            number, title = _note_heading(table, i) or (self._note, "")
            self._note = number
            self._inside = self._named = bool(_SEGMENT.search(title))
        elif turn == "part":
            self._inside = True
        elif turn == "leave":
            self._in_notes = False

    def _inside_part(self, part: list[Row]) -> bool:
        if not self._inside or sum(row.cells for row in part) < _MIN_CELLS:
            return False
        return self._named or any(_SEGMENT.search(row.text) for row in part)

    def _leave(self) -> None:
        self._inside, self._named, self._pages = False, False, 0


def _is_notes_title(row: Row) -> bool:
    return "otes" in row.text.lower() and _NOTES_TITLE.fullmatch(letters(row.text)) is not None


def _note_heading(table: list[Row], i: int) -> tuple[int, str] | None:
    """Number and title of a note's heading; the number may stand on a line of its own."""
    match = _NUMBERED.fullmatch(table[i].text)
    if match is None:
        return None
    title = match[3] or (table[i + 1].text if i + 1 < len(table) else "")
    if len(title) < 4 or not title[0].isalpha() or not heading_like(title.rstrip("*†")):
        return None
    return int(match[1] or match[2]), title
