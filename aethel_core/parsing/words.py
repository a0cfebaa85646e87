"""Words of a page as fragments: runs of words on one baseline, in displayed coordinates, upright.

MuPDF reports text in the coordinates of the unrotated page. Here it is turned twice: by the
page's ``/Rotate`` flag into the page as displayed, and, when most text is drawn sideways, by a
further quarter turn so that the layout code only ever sees horizontal lines. `Turn` maps the
resulting rectangles back to the page as displayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import pymupdf

from aethel_core.parsing.clean import clean
from aethel_core.types import Rect

FLAGS = pymupdf.TEXT_MEDIABOX_CLIP
UNKNOWN = "\ufffd"  # a glyph whose font does not say which character it is
_BOLD = 16


class Word(NamedTuple):
    x0: float
    x1: float
    text: str


@dataclass(slots=True, eq=False)
class Fragment:
    """Words on one baseline without a wide gap between them."""

    x0: float
    y0: float
    x1: float
    y1: float
    words: list[Word]
    size: float
    bold: bool

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Turn:
    """A number of clockwise quarter turns that bring the text of a page upright."""

    quarters: int
    width: float  # of the page as displayed
    height: float

    def upright(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        match self.quarters:
            case 1:
                return self.height - y1, x0, self.height - y0, x1
            case 2:
                return self.width - x1, self.height - y1, self.width - x0, self.height - y0
            case 3:
                return y0, self.width - x1, y1, self.width - x0
        return x0, y0, x1, y1

    def displayed(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        match self.quarters:
            case 1:
                box = y0, self.height - x1, y1, self.height - x0
            case 2:
                box = self.width - x1, self.height - y1, self.width - x0, self.height - y0
            case 3:
                box = self.width - y1, x0, self.width - y0, x1
            case _:
                box = x0, y0, x1, y1
        return Rect(*(round(value, 2) for value in box))


@dataclass(frozen=True, slots=True)
class PageWords:
    """``fragments`` are upright; ``others`` were drawn in another direction than most text."""

    number: int
    width: float
    height: float
    rotation: int
    turn: Turn
    fragments: list[Fragment]
    others: tuple[tuple[Turn, list[Fragment]], ...] = ()

    def all_fragments(self) -> Iterator[Fragment]:
        yield from self.fragments
        for _, fragments in self.others:
            yield from fragments

    @property
    def upright_width(self) -> float:
        return self.height if self.turn.quarters % 2 else self.width


def _quarters(direction: tuple[float, float]) -> int:
    """How many clockwise quarter turns bring text of this writing direction upright."""
    dx, dy = direction
    if abs(dx) >= abs(dy):
        return 0 if dx >= 0 else 2
    return 1 if dy < 0 else 3


def read_words(page: pymupdf.Page, textpage: pymupdf.TextPage | None = None) -> PageWords:
    """Read the fragments of ``page``, or of an OCR ``textpage`` made from it."""
    textpage = textpage or page.get_textpage(flags=FLAGS)
    matrix = page.rotation_matrix
    turned = page.rotation != 0
    styles: dict[tuple[int, int], tuple[float, bool, int]] = {}
    for b, block in enumerate(textpage.extractDICT()["blocks"]):
        for n, line in enumerate(block.get("lines", ())):
            direction = line["dir"]
            if turned:
                direction = (
                    direction[0] * matrix.a + direction[1] * matrix.c,
                    direction[0] * matrix.b + direction[1] * matrix.d,
                )
            spans = [span for span in line["spans"] if not span["text"].isspace()] or line["spans"]
            size = max((span["size"] for span in spans), default=10.0)
            bold = bool(spans) and all(_is_bold(span) for span in spans)
            styles[b, n] = (size, bold, _quarters(direction))
    lines: dict[tuple[int, int], list[tuple[float, float, float, float, str]]] = {}
    for x0, y0, x1, y1, raw, b, n, _ in textpage.extractWORDS():
        text = clean(raw)
        if text and not text.isspace():
            if turned:
                x0, y0, x1, y1 = pymupdf.Rect(x0, y0, x1, y1) * matrix
            lines.setdefault((b, n), []).append((x0, y0, x1, y1, text))
    width, height = page.rect.width, page.rect.height
    groups: dict[int, list[Fragment]] = {}
    weights: Counter[int] = Counter()
    for key, words in lines.items():
        size, bold, quarters = styles.get(key, (10.0, False, 0))
        weights[quarters] += sum(len(word[4]) for word in words)
        turn = Turn(quarters, width, height)
        groups.setdefault(quarters, []).extend(_fragments(words, size, bold, turn))
    main = min(weights, key=lambda q: (-weights[q], q), default=0)
    others = tuple((Turn(q, width, height), groups[q]) for q in sorted(groups) if q != main)
    turn = Turn(main, width, height)
    return PageWords(page.number + 1, width, height, page.rotation, turn, groups.get(main, []), others)


def _is_bold(span: dict) -> bool:
    return bool(span["flags"] & _BOLD) or "bold" in span["font"].lower()


def _fragments(
    words: list[tuple[float, float, float, float, str]], size: float, bold: bool, turn: Turn
) -> list[Fragment]:
    """Cut a line at gaps wider than a space can be; leader dots count as gap."""
    found: list[Fragment] = []
    current: Fragment | None = None
    wide = 1.1 * size
    for n, (x0, y0, x1, y1, text) in enumerate(words):
        if turn.quarters:
            x0, y0, x1, y1 = turn.upright(x0, y0, x1, y1)
        if text[0] in "._…" and not text.strip("._…"):
            chained = len(text) > 1 or any(
                w[4] == text for w in (words[n - 1 : n] if n else []) + words[n + 1 : n + 2]
            )
            if chained or current is None:
                current = None
            else:  # a full stop set apart from its sentence
                last = current.words[-1]
                current.words[-1] = Word(last.x0, x1, last.text + text)
                current.x1 = max(current.x1, x1)
            continue
        if current is None or x0 - current.x1 > wide or x1 < current.x0:
            current = Fragment(x0, y0, x1, y1, [Word(x0, x1, text)], size, bold)
            found.append(current)
        else:
            current.words.append(Word(x0, x1, text))
            current.x1 = max(current.x1, x1)
            current.y0 = min(current.y0, y0)
            current.y1 = max(current.y1, y1)
    return found
