"""Running text from lines, and what it costs the embedding model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil

from aethel_core.types import ParsedDocument

_TOKEN = re.compile(r"[A-Za-z]+|\d+|[^\sA-Za-z\d]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_BROKEN_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]+[-\u2010]\n[^\W\d_]+")
_LAST_WORD = re.compile(r"[^\W\d_]+(?=-$)")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_SOFT_HYPHEN = "\u2010"  # how parsing writes a soft hyphen at the end of a line
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONG_WORD = 9  # letters a common word has in one piece
_LONG_NAME = 8


def word_pieces(text: str) -> int:
    """An estimate of how many word pieces a BERT tokeniser makes of ``text``.

    Long words and groups of digits are split, names more than other words, and every sign
    counts: "1,234.5" is about six.
    """
    total = 0.0
    for token in _TOKEN.findall(text):
        length = len(token)
        if length < 3:
            total += 1
        elif token.isdigit():
            total += 1 if _YEAR.fullmatch(token) else 0.65 * length - 0.25
        else:
            total += 1 + (length - 1) // _LONG_WORD + (length >= _LONG_NAME and not token.islower())
    return ceil(total)


class Joiner:
    """Joins the lines of a paragraph; a word hyphenated at a line's end is made whole.

    The hyphen stays where the document knows the two halves as words but not the whole.
    """

    def __init__(self, document: ParsedDocument) -> None:
        self._document = document
        self._known: set[str] | None = None

    def _knows(self, word: str) -> bool:
        if self._known is None:
            whole = (_BROKEN_WORD.sub(" ", page.text) for page in self._document.pages)
            self._known = {word.lower() for text in whole for word in _WORD.findall(text)}
        return word.lower() in self._known

    def join(self, lines: Sequence[str]) -> str:
        parts: list[str] = []
        for line in lines:
            line = " ".join(line.split())
            last = parts[-1] if parts else ""
            if last.endswith(_SOFT_HYPHEN):
                parts[-1] = last[:-1] + line
            elif line and len(last) > 1 and last[-1] == "-" and last[-2].isalpha() and line[0].islower():
                parts[-1] = (last if self._keeps_hyphen(last, line) else last[:-1]) + line
            elif line:
                parts.append(line)
        return " ".join(parts).replace(_SOFT_HYPHEN, "-")

    def _keeps_hyphen(self, before: str, after: str) -> bool:
        first, second = _LAST_WORD.search(before), _FIRST_WORD.match(after)
        if first is None or second is None:
            return True
        if self._knows(first.group() + second.group()):
            return False
        return self._knows(first.group()) and self._knows(second.group())
