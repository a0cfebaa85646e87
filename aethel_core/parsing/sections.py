"""Headings: 10-K and 10-Q Items, notes to the statements, and short lines set larger or bold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from aethel_core.parsing.blocks import Draft

_ITEM = re.compile(
    r"^(?:part\s+[iv]+\s*[,.—–-]*\s*)?item\s+\d{1,2}[a-c]?\s*(?:[.:—–-]|$|\s+[A-Z])", re.IGNORECASE
)
_PART = re.compile(r"^part\s+[iv]{1,3}\b\W*(?:financial information|other information)?$", re.IGNORECASE)
_NOTE = re.compile(r"^note\s+\d{1,2}[a-z]?\s*(?:[.:—–-]|\s[A-Z(])|^\d{1,2}\s*[.)]\s+[A-Z]", re.IGNORECASE)
_MAX_WORDS = 18
_CONTENTS_ITEMS = 4


def body_size(pages: Sequence[Sequence[Draft]]) -> float:
    """The size most characters are set in."""
    sizes: Counter[float] = Counter()
    for drafts in pages:
        for draft in drafts:
            if draft.kind == "prose":
                for row in draft.rows:
                    sizes[round(row.size * 2) / 2] += sum(len(w.text) for f in row.fragments for w in f.words)
    return max(sizes, key=lambda size: (sizes[size], size), default=10.0)


def levels(drafts: Sequence[Draft], body: float) -> list[int | None]:
    """For each block of a page the level of its heading, None where it is not one."""
    items = sum(1 for draft in drafts for row in draft.rows if _ITEM.match(row.text))
    contents = items >= _CONTENTS_ITEMS
    return [_level(draft, body, contents) for draft in drafts]


def _level(draft: Draft, body: float, contents: bool) -> int | None:
    if draft.kind != "prose" or len(draft.rows) > 3:
        return None
    text = draft.text
    words = text.split()
    if len(words) > _MAX_WORDS or not any(c.isalpha() for c in text):
        return None
    bold = all(row.bold for row in draft.rows)
    larger = min(row.size for row in draft.rows) > body + 0.9
    capitals = text.isupper() and sum(c.isalpha() for c in text) >= 4
    marked = bold or larger or capitals
    if _ITEM.match(text) or _PART.match(text):
        return 1 if not contents and (marked or len(words) <= 14) and not _ends_in_page(text) else None
    if not marked or (contents and _ends_in_page(text)) or text.endswith((",", ";")):
        return None
    if _NOTE.match(text):
        return 2
    if text.endswith(".") and not capitals and len(words) > 8:
        return None
    return 1 if larger and min(row.size for row in draft.rows) > body + 3 else 3


def _ends_in_page(text: str) -> bool:
    return re.search(r"\s(?:[A-Z]-)?\d{1,3}$", text) is not None
