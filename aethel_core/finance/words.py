"""Words for phrase matching in questions and row headers, and the phrase table built on them.

Two wordings that differ only in case, number (asset, assets), apostrophes, hyphens, British or
American spelling, or in the articles between the words are the same phrase here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, TypeVar

T = TypeVar("T")

_WORD = re.compile(r"[^\W_]+(?:&[^\W_]+)*|&|%", re.UNICODE)
_POSSESSIVE = re.compile(r"['’](?:s\b)?")
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
    "capital-expenditure": ("capital", "expenditure"),
    "labour": ("labor",),
    "programme": ("program",),
    "fulfilment": ("fulfillment",),
    "&": ("and",),
    "plus": ("and",),
}
_SAME = frozenset(
    {"plus", "less", "loss", "gross", "business", "series", "basis", "is", "this", "has", "was", "us"}
)


@dataclass(frozen=True, slots=True)
class Word:
    key: str
    start: int
    end: int


@lru_cache(maxsize=65536)
def _keys(word: str) -> tuple[str, ...]:
    """The matching keys of one written word; several when it is a compound ("cashflow")."""
    lower = word.lower()
    return _SPLIT.get(lower) or (_singular(_american(lower)),)


def _american(word: str) -> str:
    if len(word) > 6:
        word = re.sub(r"is(ation|ations|ed|ing|e|es)$", r"iz\1", word) if _takes_z(word) else word
    return word


def _takes_z(word: str) -> bool:
    """ "realised", "amortisation", but not "revised", "franchise" or "enterprise"."""
    return bool(re.search(r"(?:al|er|ort|il|iz|ut|or|an|ap?it)is(?:ation|ations|ed|ing|e|es)$", word))


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


@dataclass(slots=True)
class Phrases(Generic[T]):
    """A table of wordings, each standing for one or more values; finds the longest, left to right."""

    _table: dict[tuple[str, ...], tuple[T, ...]] = field(default_factory=dict)
    _lengths: dict[str, int] = field(default_factory=dict)  # first word -> longest phrase that starts with it

    def add(self, wording: str, value: T) -> None:
        key = phrase(wording)
        if key and value not in self._table.get(key, ()):
            self._table[key] = (*self._table.get(key, ()), value)
            self._lengths[key[0]] = max(self._lengths.get(key[0], 0), len(key))

    def add_all(self, wordings: Iterable[str], value: T) -> None:
        for wording in wordings:
            self.add(wording, value)

    def get(self, wording: str) -> tuple[T, ...]:
        return self._table.get(phrase(wording), ())

    def items(self) -> Iterator[tuple[tuple[str, ...], tuple[T, ...]]]:
        return iter(self._table.items())

    def find(self, text: str) -> Iterator[PhraseMatch[T]]:
        """The longest phrases of ``text`` that do not overlap; none crosses the end of a sentence."""
        tokens = words(text)
        position = 0
        while position < len(tokens):
            length = self._longest(text, tokens, position)
            if length:
                key = tuple(word.key for word in tokens[position : position + length])
                yield PhraseMatch(self._table[key], tokens[position].start, tokens[position + length - 1].end)
            position += length or 1

    def _longest(self, text: str, tokens: list[Word], position: int) -> int:
        limit = min(self._lengths.get(tokens[position].key, 0), len(tokens) - position)
        for length in range(limit, 0, -1):
            run = tokens[position : position + length]
            if tuple(word.key for word in run) in self._table and not _broken(text, run):
                return length
        return 0


def _broken(text: str, run: list[Word]) -> bool:
    return any(
        _BARRIER.search(text, left.end, right.start) for left, right in zip(run, run[1:], strict=False)
    )
