"""Page furniture: running heads, feet and page numbers, which belong to no passage."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from aethel_core.parsing.layout import Row, rows_of
from aethel_core.parsing.words import Fragment, PageWords

_EDGE_ROWS = 3
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[-–—\s]*(?:page\s*)?(?:[A-Z]{1,2}-)?(?:\d{1,4}|[ivxl]{1,7})(?:\s*(?:of|/)\s*\d{1,4})?[-–—\s.]*",
    re.IGNORECASE,
)
# What a table or a section says about itself is kept even where every page repeats it.
_MEANINGFUL = re.compile(
    r"\b(?:millions|thousands|billions|except per|(?:years?|months|weeks)\s+ended|as\s+of\s+\w+\s+\d"
    r"|item\s+\d+[ab]?\.|note\s+\d+)",
    re.IGNORECASE,
)


def furniture(pages: Sequence[PageWords]) -> dict[int, set[int]]:
    """For each page number, the ``id`` of every fragment that is page furniture.

    A row among the first or last three of its page is furniture when the same words, digits
    aside, stand at the same height on several pages, or end or begin several pages; or when
    it is a page number in step with the pages.
    """
    edges = {page.number: _edges(page) for page in pages}
    return _repeated(edges, len(pages)) if len(pages) > 1 else {}


def _edges(page: PageWords) -> list[tuple[str, int, Row]]:
    """The outer rows of a page: ("top" or "bottom", distance in rows from the edge, row)."""
    ordered = sorted(page.fragments, key=lambda f: (f.y0, f.x0))
    head, foot = ordered[:24], ordered[-24:]
    rows = rows_of(ordered if len(ordered) <= 48 else head + foot)
    found = [("top", n, row) for n, row in enumerate(rows[:_EDGE_ROWS])]
    return found + [("bottom", n, row) for n, row in enumerate(rows[: _EDGE_ROWS - 1 : -1][:_EDGE_ROWS])]


def _key(text: str) -> str:
    return _DIGITS.sub("#", " ".join(text.lower().split()))


def _repeated(edges: dict[int, list[tuple[str, int, Row]]], count: int) -> dict[int, set[int]]:
    threshold = min(count, 3 if count < 40 else 4)
    heights: Counter[tuple[str, str, int]] = Counter()
    ends: Counter[tuple[str, str, int]] = Counter()
    for rows in edges.values():
        for edge, distance, row in rows:
            key = _key(row.text)
            place = round(row.y0 / 4)
            for near in (place - 1, place, place + 1):
                heights[edge, key, near] += 1
            ends[edge, key, distance] += 1
    steps = _page_number_steps(edges)
    found: dict[int, set[int]] = defaultdict(set)
    for number, rows in edges.items():
        for edge, distance, row in rows:
            text, key = row.text, _key(row.text)
            numbered = _PAGE_NUMBER.fullmatch(text) is not None and (
                _step(text, number) in steps or not any(c.isdigit() for c in text)
            )
            repeated = (
                max(heights[edge, key, round(row.y0 / 4)], ends[edge, key, distance] if distance < 2 else 0)
                >= threshold
                and any(c.isalpha() for c in key)
                and not _MEANINGFUL.search(text)
            )
            if numbered or repeated:
                found[number].update(id(f) for f in row.fragments)
    return dict(found)


def _step(text: str, page: int) -> int:
    digits = _DIGITS.search(text)
    return int(digits.group()) - page if digits else 10**6


def _page_number_steps(edges: dict[int, list[tuple[str, int, Row]]]) -> set[int]:
    """Differences between printed and counted page numbers that three pages or more share."""
    steps: Counter[int] = Counter()
    for number, rows in edges.items():
        steps.update({_step(row.text, number) for _, _, row in rows if _PAGE_NUMBER.fullmatch(row.text)})
    return {step for step, n in steps.items() if n >= min(3, len(edges))}


def without(fragments: list[Fragment], removed: set[int]) -> list[Fragment]:
    return [f for f in fragments if id(f) not in removed] if removed else fragments
