"""Words for phrase matching in questions and row headers, and the phrase table built on them.

Two wordings that differ only in case, number (asset, assets), apostrophes, hyphens, British or
American spelling, or in the articles between the words are the same phrase here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")

_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W_]+(?:&[^\W_]+)*|&|%")
_BRITISH = re.compile(r"(al|er|ort|il|ogn|or|an|im|it)is(ations?|ed|ing|es?)$")
_POSSESSIVE = re.compile(r"['’](?:[sS]\b)?")
_BARRIER = re.compile(r"[.;:?!\n]")
_SKIPPED = frozenset({"the", "a", "an", "its", "their", "our", "%"})
_SPLIT = {
    "cashflow": ("cash", "flow"),
    "cashflows": ("cash", "flow"),
    "topline": ("top", "line"),
    "bottomline": ("bottom", "line"),
    "nonoperating": ("non", "operating"),
    "noncurrent": ("non", "current"),
    "noncontrolling": ("non", "controlling"),
    "noninterest": ("non", "interest"),
    "nonperforming": ("non", "performing"),
    "nonaccrual": ("non", "accrual"),
    "pretax": ("pre", "tax"),
    "buyback": ("buy", "back"),
    "buybacks": ("buy", "back"),
    "shareowner": ("shareholder",),
    "shareowners": ("shareholder",),
    "stockholder": ("shareholder",),
    "stockholders": ("shareholder",),
    "cent": ("%",),
    "percent": ("%",),
    "percentage": ("%",),
    "pct": ("%",),
    "labour": ("labor",),
    "programme": ("program",),
    "fulfilment": ("fulfillment",),
    "&": ("and",),
    "plus": ("and",),
}
_SAME = frozenset(
    {"plus", "less", "loss", "gross", "business", "series", "basis", "is", "this", "has", "was", "us"}
)


class Word(NamedTuple):
    """A word's matching key and where it is written. A tuple, as there is one for every word of a corpus."""

    key: str
    start: int
    end: int


@lru_cache(maxsize=65536)
def _keys(word: str) -> tuple[str, ...]:
    """The matching keys of one written word; several when it is a compound ("cashflow")."""
    lower = word.lower().replace(".", "")  # "U.S.", "L.P."
    return _SPLIT.get(lower) or (_singular(_american(lower)),)


def _american(word: str) -> str:
    """ "realized", "amortization"; "revised", "franchise" and "enterprise" stay as they are."""
    return _BRITISH.sub(r"\1iz\2", word)


def _singular(word: str) -> str:
    if len(word) < 4 or word in _SAME or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


def words(text: str, *, keep_percent: bool = False) -> list[Word]:
    """The words that matter for matching, each with its span in ``text``.

    Articles are left out; so is "%" ("operating income % margin" is the operating income
    margin) unless ``keep_percent``.
    """
    found: list[Word] = []
    # A possessive keeps its place, so that spans stay those of the text as given.
    blanked = _POSSESSIVE.sub(lambda m: " " * len(m[0]), text)
    for match in _WORD.finditer(blanked):
        for key in _keys(match[0]):
            if key not in _SKIPPED or (keep_percent and key == "%"):
                found.append(Word(key, match.start(), match.end()))
    return found


def phrase(text: str, *, keep_percent: bool = False) -> tuple[str, ...]:
    """The key under which a wording is found."""
    return tuple(word.key for word in words(text, keep_percent=keep_percent))


@dataclass(frozen=True, slots=True)
class PhraseMatch(Generic[T]):
    values: tuple[T, ...]
    start: int
    end: int


class Phrases(Generic[T]):
    """A table of wordings, each standing for one or more values; finds the longest, left to right.

    It is a tree of words: a node maps the next word to a node, and "" to the values that end here.
    """

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}

    def add(self, wording: str, value: T) -> None:
        node = self._root
        for key in phrase(wording):
            node = node.setdefault(key, {})
        if node is not self._root and value not in node.get("", ()):
            node[""] = (*node.get("", ()), value)

    def add_all(self, wordings: Iterable[str], value: T) -> None:
        for wording in wordings:
            self.add(wording, value)

    def get(self, wording: str) -> tuple[T, ...]:
        node = self._root
        for key in phrase(wording):
            node = node.get(key, {})
        return node.get("", ())

    def find(self, text: str, tokens: list[Word] | None = None) -> Iterator[PhraseMatch[T]]:
        """The longest phrases of ``text`` that do not overlap; none crosses the end of a sentence.

        :param tokens: the `words` of the text, where the caller has them already.
        """
        tokens = words(text) if tokens is None else tokens
        position, root = 0, self._root
        while position < len(tokens):
            if tokens[position].key not in root:
                position += 1
                continue
            length, values = self._longest(text, tokens, position)
            if length:
                yield PhraseMatch(values, tokens[position].start, tokens[position + length - 1].end)
            position += length or 1

    def _longest(self, text: str, tokens: list[Word], position: int) -> tuple[int, tuple[T, ...]]:
        node, best = self._root, (0, ())
        for index in range(position, len(tokens)):
            word = tokens[index]
            if word.key not in node:
                break
            if index > position and _BARRIER.search(text, tokens[index - 1].end, word.start):
                break
            node = node[word.key]
            if "" in node:
                best = (index - position + 1, node[""])
        return best
