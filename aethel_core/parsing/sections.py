"""Headings: 10-K and 10-Q Items, notes to the statements, and short lines set larger or bold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from aethel_core.parsing import periods
from aethel_core.parsing.blocks import Draft

_ITEM = re.compile(
    r"^(?:part\s+[iv]+\s*[,.—–-]*\s*)?item\s+\d{1,2}(?:\.\d\d)?[a-c]?\s*(?:[.:—–-]|$|\s+[A-Z\[(])",
    re.IGNORECASE,
)
_PART = re.compile(
    r"^part\s+[iv]{1,3}\b\W*(?:financial\s+information|other\s+information)?\W*$", re.IGNORECASE
)
_EXHIBIT = re.compile(r"^exhibit\s+\(?\d{1,3}(?:\.\d+)?[a-z]?\)?\W*$", re.IGNORECASE)
_NOTE = re.compile(r"^note\s+\d{1,2}[a-z]?\s*(?:[.:—–-]|\s[A-Z(])|^\d{1,2}\s*[.)]\s*[A-Z]", re.IGNORECASE)
_NOT_A_HEADING = re.compile(r"^(?:[•·▪◦●○■□☐☑☒*–—-]\s|\(?\d{1,2}\)|\([a-z]\)|[a-z])")
_A_WORD = re.compile(r"[^\W\d_]{3,}")
_ENDS_IN_PAGE = re.compile(r"\s(?:[A-Z]-)?\d{1,3}$")
_MAX_WORDS = 18
_MAX_ROWS = 3
_MANY_ITEMS = 4  # on one page
_MANY_PARTS = 3
_LARGER = 0.9  # points above the size of the text
_TITLE_SIZE = 3.0


def body_size(pages: Sequence[Sequence[Draft]]) -> float:
    """The size most characters of the running text are set in."""
    sizes: Counter[float] = Counter()
    for drafts in pages:
        for draft in drafts:
            if draft.kind == "prose":
                for row in draft.rows:
                    sizes[round(row.size * 2) / 2] += sum(len(w.text) for f in row.fragments for w in f.words)
    return max(sizes, key=lambda size: (sizes[size], size), default=10.0)


def levels(drafts: Sequence[Draft], body: float) -> list[int | None]:
    """For each block of a page the level of its heading, None where it is not one.

    Items, parts, exhibits and titles are 1, notes to the statements 2, all others 3. The lines
    of a table of contents are none, whatever they look like.
    """
    contents = _is_contents([row.text for draft in drafts for row in draft.rows])
    return [None if draft.kind == "table" else _level(draft, body, contents) for draft in drafts]


def _is_contents(rows: Sequence[str]) -> bool:
    """Whether a page is a table of contents: many Items, with page numbers or little else."""
    items = [text for text in rows if _ITEM.match(text)]
    if sum(1 for text in rows if _PART.match(text)) >= _MANY_PARTS:
        return True
    numbered = sum(1 for text in items if _ENDS_IN_PAGE.search(text))
    return len(items) >= _MANY_ITEMS and (numbered > len(items) / 2 or len(items) > len(rows) / 4)


def _level(draft: Draft, body: float, contents: bool) -> int | None:
    if len(draft.rows) > _MAX_ROWS:
        return None
    text = draft.text
    words = text.count(" ") + 1
    if words > _MAX_WORDS or not _A_WORD.search(text):
        return None
    if contents and (_ENDS_IN_PAGE.search(text) or _PART.match(text) or _ITEM.match(text)):
        return None
    marked = _stands_out(draft, text, body)
    if _ITEM.match(text) or _PART.match(text) or _EXHIBIT.match(text):
        return 1 if marked or words <= _MAX_WORDS - 4 else None
    if not marked:
        return None
    if _NOTE.match(text) and not text.endswith((",", ";")):
        return 2
    return _plain_level(draft, text, body)


def _stands_out(draft: Draft, text: str, body: float) -> bool:
    """Set in bold, larger than the text, or in capitals."""
    if all(row.bold for row in draft.rows) or min(row.size for row in draft.rows) > body + _LARGER:
        return True
    return text.isupper() and sum(c.isalpha() for c in text) >= 4


def _plain_level(draft: Draft, text: str, body: float) -> int | None:
    if _NOT_A_HEADING.match(text) or text.endswith((",", ";", " and", " or")) or "$" in text:
        return None
    if text.endswith(".") and not text.isupper() and text.count(" ") > 7:
        return None
    if any(len(row.fragments) > 1 for row in draft.rows):  # cells beside each other
        return None
    unit = periods.find_unit(text)
    if unit is not None and len(unit.line) > 0.7 * len(text):
        return None
    return 1 if min(row.size for row in draft.rows) > body + _TITLE_SIZE else 3
