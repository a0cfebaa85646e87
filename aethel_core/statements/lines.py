"""Lines of a page as the recognisers see them: the words before the first figure, and the figures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from aethel_core.types import Page

# A figure is anything printed in a number column: "1,204", "(3.5)%", a lone dash.
_FIGURE = re.compile(r"\d[\d,.]*|(?<!\S)[—–-](?!\S)")
_FIRST_FIGURE = re.compile(r"\.{3}|…|__|(?<![^\s$€£¥(])\(?[$€£¥]?\s?\d|[$€£¥]|(?<!\S)[—–-](?!\S)")
_LETTER = re.compile(r"[A-Za-z]")
_SUBSTANTIAL = re.compile(r"\d\d|\d[.,%]|^[—–-]$")  # not a footnote mark such as "(1)"
_ADJACENT = re.compile(r"[\d—–][)%]*\s+[$€£¥]?\s*\(?[$€£¥]?[\d—–]")
_NOT_LETTERS = re.compile(r"[^a-z]+")
_WORD = re.compile(r"[A-Za-z][\w'’]*")
_SMALL_WORD = re.compile(
    r"a|an|and|as|at|by|for|from|in|its|net|of|on|or|our|the|to|with|unaudited|continued", re.IGNORECASE
)
_PROSE_WORDS = 11
_HEADING_LENGTH = 130


@dataclass(frozen=True, slots=True)
class Row:
    """One printed line, white space collapsed, and how many figures it has."""

    text: str
    figures: int

    @property
    def label(self) -> str:
        """The words before the first figure, lower case."""
        return _label(self.text)

    @property
    def prose(self) -> bool:
        return self.figures < 2 and self.text.count(" ") >= _PROSE_WORDS and not self.text.isupper()

    @property
    def cells(self) -> int:
        """How many table cells the line looks like: figures alone on it or side by side."""
        if not self.figures or self.text.count(" ") - 2 * self.figures > _PROSE_WORDS:
            return 0
        if not _LETTER.search(self.text):
            return self.figures if _SUBSTANTIAL.search(self.text) else 0
        return self.figures if _ADJACENT.search(self.text) else 0


def rows(page: Page) -> list[Row]:
    """The non-empty lines of the page."""
    texts = (" ".join(line.split()) for line in page.text.split("\n"))
    return [Row(text, len(_FIGURE.findall(text))) for text in texts if text]


@lru_cache(maxsize=4096)
def _label(text: str) -> str:
    end = _FIRST_FIGURE.search(text)
    return (text[: end.start()] if end else text).strip(" .:(").lower().replace("’", "'")


@lru_cache(maxsize=4096)
def letters(text: str) -> str:
    """Only the letters, lower case: proof against "CONSO LIDATING" and curly apostrophes."""
    return _NOT_LETTERS.sub("", text.lower())


def heading_like(text: str) -> bool:
    """Capitalised as a heading is: every word but the small ones, and no sentence end."""
    if len(text) > _HEADING_LENGTH or (
        text.endswith((".", ",", ";")) and not text.endswith(("Inc.", "Corp.", "Co."))
    ):
        return False
    words = [w for w in _WORD.findall(text) if not _SMALL_WORD.fullmatch(w)]
    return bool(words) and all(w[0].isupper() for w in words)
