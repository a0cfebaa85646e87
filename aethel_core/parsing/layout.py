"""Reading order: columns of text are told apart, then fragments become rows from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from aethel_core.parsing.words import Fragment

_MIN_COLUMN_LINES = 4
_MOSTLY_PROSE = 0.5  # share of full lines
_PARTLY_PROSE = 0.25
_MANY_LINES = 8
_MAX_DEPTH = 4
_IN_A_ROW = 8  # fragments


@dataclass(slots=True, eq=False)
class Row:
    """Fragments beside each other on one line, left to right."""

    fragments: list[Fragment]
    y0: float
    y1: float
    text: str = ""

    @property
    def x0(self) -> float:
        return self.fragments[0].x0

    @property
    def x1(self) -> float:
        return max(fragment.x1 for fragment in self.fragments)

    @property
    def size(self) -> float:
        return max(fragment.size for fragment in self.fragments)

    @property
    def bold(self) -> bool:
        return all(fragment.bold for fragment in self.fragments)


def rows_of(fragments: Sequence[Fragment]) -> list[Row]:
    """Group fragments that overlap vertically by more than half the lower one's height."""
    rows: list[Row] = []
    for fragment in sorted(fragments, key=lambda f: (f.y0 + f.y1, f.x0)):
        for row in rows[:-4:-1]:
            overlap = min(row.y1, fragment.y1) - max(row.y0, fragment.y0)
            if overlap > 0.5 * min(row.y1 - row.y0, fragment.y1 - fragment.y0):
                row.fragments.append(fragment)
                if fragment.size >= row.fragments[0].size:
                    row.y0, row.y1 = min(row.y0, fragment.y0), max(row.y1, fragment.y1)
                break
        else:
            rows.append(Row([fragment], fragment.y0, fragment.y1))
    for row in rows:
        row.fragments.sort(key=lambda f: (f.x0, f.y0))
        row.text = " ".join(fragment.text for fragment in row.fragments)
    rows.sort(key=lambda r: (r.y0, r.x0))
    return rows


def regions(fragments: list[Fragment], depth: int = 0) -> list[list[Fragment]]:
    """Split the fragments of a page into regions of a single column, in reading order."""
    gutter = _gutter(fragments) if depth < _MAX_DEPTH else None
    if gutter is None:
        return [fragments] if fragments else []
    found: list[list[Fragment]] = []
    pending: list[Fragment] = []
    for band, crossing in _bands(fragments, gutter):
        left = [f for f in band if f.x1 <= gutter + 1]
        right = [f for f in band if f.x1 > gutter + 1]
        if _are_columns(left, right) and _side_by_side(left, right):
            if pending:
                found.append(pending)
                pending = []
            found += regions(left, depth + 1) + regions(right, depth + 1)
        else:
            pending += band
        pending += crossing
    if pending:
        found.append(pending)
    return found


def _gutter(fragments: list[Fragment]) -> float | None:
    """The x of the emptiest upright strip in the middle of the text, if it may divide columns."""
    if len(fragments) < 2 * _MIN_COLUMN_LINES:
        return None
    x0 = min(f.x0 for f in fragments)
    x1 = max(f.x1 for f in fragments)
    width = x1 - x0
    if width < 100:
        return None
    wide = sum(1 for f in fragments if f.x1 - f.x0 > 0.6 * width)
    long = sum(1 for f in fragments if 0.15 * width < f.x1 - f.x0 <= 0.6 * width)
    if wide > long:
        return None
    steps = 80
    crossings = [0] * (steps + 1)
    for f in fragments:
        first = int((f.x0 - x0) / width * steps) + 1
        last = int((f.x1 - x0) / width * steps)
        for step in range(first, last):
            crossings[step] += 1
    middle = range(steps // 5, steps - steps // 5)
    least = min(crossings[s] for s in middle)
    best = longest = run = 0
    for s in middle:
        run = run + 1 if crossings[s] == least else 0
        if run > longest:
            longest, best = run, s
    return x0 + (best - longest / 2 + 0.5) / steps * width if longest else None


def _bands(fragments: list[Fragment], gutter: float) -> list[tuple[list[Fragment], list[Fragment]]]:
    """Runs of fragments beside the gutter, each with the rows crossing it that end the run."""
    bands: list[tuple[list[Fragment], list[Fragment]]] = []
    beside: list[Fragment] = []
    crossing: list[Fragment] = []
    for f in sorted(fragments, key=lambda f: (f.y0, f.x0)):
        if f.x0 < gutter - 1 and f.x1 > gutter + 1:
            row = [other for other in beside[-_IN_A_ROW:] if _on_one_line(other, f)]
            beside = [other for other in beside if other not in row] if row else beside
            crossing += [*row, f]
        elif crossing and _on_one_line(crossing[-1], f):
            crossing.append(f)
        else:
            if crossing:
                bands.append((beside, crossing))
                beside, crossing = [], []
            beside.append(f)
    bands.append((beside, crossing))
    return bands


def _on_one_line(a: Fragment, b: Fragment) -> bool:
    return min(a.y1, b.y1) - max(a.y0, b.y0) > 0.5 * min(a.y1 - a.y0, b.y1 - b.y0)


def _are_columns(left: list[Fragment], right: list[Fragment]) -> bool:
    """Whether both sides of a gutter are prose, one of them perhaps with tables between.

    The labels of a table may be as long as lines of prose; its numbers are not.
    """
    counts = (_full_lines(left), _full_lines(right))
    shares = sorted(n / max(1, len(side)) for n, side in zip(counts, (left, right), strict=True))
    if min(counts) < _MIN_COLUMN_LINES - 1 or shares[1] < _MOSTLY_PROSE:
        return False
    return shares[0] >= _MOSTLY_PROSE or (shares[0] >= _PARTLY_PROSE and min(counts) >= _MANY_LINES)


def _full_lines(fragments: list[Fragment]) -> int:
    """How many fragments of one side read like full lines of prose."""
    if len(fragments) < _MIN_COLUMN_LINES:
        return 0
    widths = sorted(f.x1 - f.x0 for f in fragments)
    width = widths[int(0.9 * (len(widths) - 1))]
    full = [f for f in fragments if f.x1 - f.x0 > 0.6 * width and len(f.words) >= 4]
    words = [word.text for f in full for word in f.words]
    return len(full) if sum(word[0].isalpha() for word in words) > 0.7 * len(words) else 0


def _side_by_side(left: list[Fragment], right: list[Fragment]) -> bool:
    left_height = max(f.y1 for f in left) - min(f.y0 for f in left)
    right_height = max(f.y1 for f in right) - min(f.y0 for f in right)
    overlap = min(max(f.y1 for f in left), max(f.y1 for f in right)) - max(
        min(f.y0 for f in left), min(f.y0 for f in right)
    )
    return overlap > 0.5 * min(left_height, right_height)


def line_pitch(rows: Sequence[Row]) -> float:
    """The distance between the tops of two lines of a paragraph: most steps are longer or like it."""
    steps = sorted(b.y0 - a.y0 for a, b in pairwise(rows) if 0 < b.y0 - a.y0 < 3 * (a.y1 - a.y0))
    return steps[len(steps) // 4] if steps else 12.0
