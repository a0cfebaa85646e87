"""Page furniture: running heads, feet and page numbers, which belong to no passage.

A row among the outermost three of its page is furniture when other pages have it too: the same
words at the same height or as the same row from the edge, or words around a number that grows
with the pages. Numbers that do not grow with the pages are data and never furniture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aethel_core.parsing.layout import Row, rows_of
from aethel_core.parsing.words import Fragment, PageWords

_EDGE_ROWS = 3
_EDGE_FRAGMENTS = 24  # more than three rows can have
_ALIGNED = 20.0  # points
_HEIGHT = 4.0  # points within which two rows stand at the same height
_LONGEST = 160  # characters of a running head
_MANY_PAGES = 40
_NUMBER = re.compile(r"(?<![\d.,$])\d{1,4}(?![\d,]|\.\d)|(?<=\s)[ivxl]{1,7}(?=\s)")
_ONLY_A_NUMBER = re.compile(r"[-–—\s]*(?:page\s+)?(?:[a-z]{1,2}-)?#(?:\s*(?:of|/)\s*\d{1,4})?[-–—\s.]*")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
# What a table or a section says about itself is kept even where every page repeats it.
_MEANINGFUL = re.compile(
    r"\b(?:millions|thousands|billions|except per|(?:years?|months|weeks)\s+ended|as\s+of\s+\w+\s+\d"
    r"|item\s+\d+[ab]?\.|note\s+\d+|exhibit\s+\d|fiscal|quarters?\b|(?:three|six|nine|twelve)\s+months|change|vs"
    r"|(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d{1,2}\b)"
    r"|\bstatements?\s+of\b|\bbalance\s+sheets?\b|\breconciliations?\b|\bschedules?\b|[%$]|^none\W*$",
    re.IGNORECASE,
)
_DENSITY = 0.3  # share of the pages from the first to the last with a running head that have it


class _Edge(NamedTuple):
    """An outer row of a page: how many rows from which edge it stands, and whether it is centred
    or begins or ends with the text, as running heads do and the heads of columns do not; and whether
    it spans the text as a head in two parts does, left and right, apart from what follows."""

    side: str
    distance: int
    row: Row
    aligned: bool
    in_two_parts: bool


def furniture(pages: Sequence[PageWords]) -> dict[int, set[int]]:
    """For each page number, the ``id`` of every fragment that is page furniture.

    A page that has nothing but repeated words keeps them, and the first page that has a running
    head keeps it, so that no heading is lost.
    """
    if len(pages) < 2:
        return {}
    edges = {page.number: _edges(page) for page in pages}
    counts = _Counts(edges, min(len(pages), 3 if len(pages) < _MANY_PAGES else 4))
    found: dict[int, set[int]] = {}
    kept: set[str] = set()
    for page in pages:
        numbers = [e.row for e in edges[page.number] if counts.is_page_number(e, page.number)]
        heads = [e.row for e in edges[page.number] if e.row not in numbers and counts.is_repeated(e)]
        if sum(len(row.fragments) for row in (*numbers, *heads)) == len(page.fragments):
            heads = []
        removed = [*numbers, *(row for row in heads if _key(row.text) in kept)]
        kept.update(_key(row.text) for row in heads)
        if removed:
            found[page.number] = {id(fragment) for row in removed for fragment in row.fragments}
    return found


def without(fragments: list[Fragment], removed: set[int]) -> list[Fragment]:
    return [f for f in fragments if id(f) not in removed] if removed else fragments


def _edges(page: PageWords) -> list[_Edge]:
    ordered = sorted(page.fragments, key=lambda f: (f.y0, f.x0))
    if len(ordered) > 2 * _EDGE_FRAGMENTS:
        ordered = ordered[:_EDGE_FRAGMENTS] + ordered[-_EDGE_FRAGMENTS:]
    rows = rows_of(ordered)
    outer = [("top", n, row) for n, row in enumerate(rows[:_EDGE_ROWS])]
    outer += [("bottom", n, row) for n, row in enumerate(rows[: _EDGE_ROWS - 1 : -1][:_EDGE_ROWS])]
    x0, x1 = (
        min((f.x0 for f in page.fragments), default=0.0),
        max((f.x1 for f in page.fragments), default=0.0),
    )
    middles = ((x0 + x1) / 2, page.upright_width / 2)
    return [
        _Edge(side, n, row, _is_aligned(row, x0, x1, middles), n == 0 and _is_in_two_parts(row, rows, x0, x1))
        for side, n, row in outer
        if len(row.text) <= _LONGEST
    ]


def _is_aligned(row: Row, x0: float, x1: float, middles: Sequence[float]) -> bool:
    centre = (row.x0 + row.x1) / 2
    return (
        row.x0 < x0 + _ALIGNED or row.x1 > x1 - _ALIGNED or any(abs(centre - m) < _ALIGNED for m in middles)
    )


def _is_in_two_parts(row: Row, rows: Sequence[Row], x0: float, x1: float) -> bool:
    gap = min((max(o.y0 - row.y1, row.y0 - o.y1) for o in rows if o is not row), default=0.0)
    spans = row.x0 < x0 + _ALIGNED and row.x1 > x1 - _ALIGNED
    return len(row.fragments) == 2 and spans and gap > row.y1 - row.y0


def _key(text: str) -> str:
    return " ".join(text.lower().split())


def _numbered(text: str, page: int) -> Iterator[tuple[str, int]]:
    """The text with one of its numbers masked, and by how much that number is ahead of the page."""
    padded = f" {_key(text)} "
    for match in _NUMBER.finditer(padded):
        number = int(match.group()) if match.group().isdecimal() else _roman(match.group())
        yield (padded[: match.start()] + "#" + padded[match.end() :]).strip(), number - page


def _roman(text: str) -> int:
    values = [_ROMAN[c] for c in text]
    return sum(-v if any(w > v for w in values[n + 1 : n + 2]) else v for n, v in enumerate(values))


class _Counts:
    """How many pages share each row of the edges."""

    def __init__(self, edges: dict[int, list[_Edge]], enough: int) -> None:
        self._enough = enough
        self._heights: Counter[tuple[str, str, int]] = Counter()
        self._places: Counter[tuple[str, str, int]] = Counter()
        self._numbered: Counter[tuple[str, str, int]] = Counter()
        self._pages: dict[tuple[str, str], set[int]] = {}
        for page, rows in edges.items():
            for side, distance, row, *_ in rows:
                key = _key(row.text)
                height = round(row.y0 / _HEIGHT)
                self._heights.update((side, key, near) for near in (height - 1, height, height + 1))
                self._places[side, key, distance] += 1
                self._pages.setdefault((side, key), set()).add(page)
                self._numbered.update((side, *numbered) for numbered in _numbered(row.text, page))

    def is_page_number(self, edge: _Edge, page: int) -> bool:
        """Whether a number in the row grows with the pages; two pages do when it stands alone."""
        for masked, ahead in _numbered(edge.row.text, page):
            enough = 2 if _ONLY_A_NUMBER.fullmatch(masked) else self._enough
            if self._numbered[edge.side, masked, ahead] >= enough:
                return True
        return False

    def is_repeated(self, edge: _Edge) -> bool:
        side, distance, row, aligned, in_two_parts = edge
        key = _key(row.text)
        if (
            not aligned
            or not any(c.isalpha() for c in key)
            or _MEANINGFUL.search(key)
            or (len(row.fragments) > 1 and not in_two_parts)
        ):
            return False  # data, what a table says about itself, or the heads of its columns
        pages = self._pages[side, key]
        if len(pages) < _DENSITY * (max(pages) - min(pages) + 1):
            return False
        same_height = self._heights[side, key, round(row.y0 / _HEIGHT)]
        same_place = self._places[side, key, distance] if distance < _EDGE_ROWS - 1 else 0
        return max(same_height, same_place) >= self._enough
