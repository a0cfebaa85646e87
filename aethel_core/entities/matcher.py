"""All known names in a text at once: substring adjacency on word boundaries.

A key occurs in a text exactly when ``f" {key} "`` is a substring of the text's `match_form`.
An Aho–Corasick automaton finds all occurrences of all keys, nested and overlapping ones
included, in one pass: O(length of the text + number of occurrences), whatever the number of keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import ahocorasick
import numpy as np

from aethel_core.errors import InvalidInput


class Occurrence(NamedTuple):
    """``key`` is the index of the key; its tokens are ``[start, end)`` of the text's tokens."""

    key: int
    start: int
    end: int


class Incidence(NamedTuple):
    """Coordinates of a (texts × keys) count matrix, sorted by row then column, none repeated."""

    rows: np.ndarray  # int32
    cols: np.ndarray  # int32
    counts: np.ndarray  # int32, at least 1


class Matcher:
    """Finds ``keys``; the index of a key is its position. Immutable.

    :raises InvalidInput: a key is empty, repeated, or not in `match_form` (single spaces).
    """

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = tuple(keys)
        self._lengths = [key.count(" ") + 1 for key in self.keys]
        self._automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
        for index, key in enumerate(self.keys):
            if not key or " ".join(key.split()) != key:
                raise InvalidInput(f"{key!r} is not a normalised name. Pass match_form(name).strip().")
            if not self._automaton.add_word(f" {key} ", index):
                raise InvalidInput(f"The name {key!r} was given twice. Pass every key once.")
        self._automaton.make_automaton()

    def __len__(self) -> int:
        return len(self.keys)

    def extended(self, keys: Iterable[str]) -> Matcher:
        """A matcher that also knows ``keys``; those known already keep their index."""
        return Matcher(tuple(dict.fromkeys((*self.keys, *keys))))

    def find(self, match_text: str) -> list[Occurrence]:
        """Occurrences by start, the longest first where several start together."""
        if not self.keys:
            return []
        found = []
        position, token = 0, 0
        for end, key in self._automaton.iter(match_text):
            token += match_text.count(" ", position, end)
            position = end
            found.append(Occurrence(key, token - self._lengths[key], token))
        return sorted(found, key=lambda o: (o.start, -o.end))

    def incidence(self, match_texts: Sequence[str]) -> Incidence:
        """Which keys occur in which texts, and how often: the edges of the name graph."""
        if not self.keys:
            empty = np.empty(0, np.int32)
            return Incidence(empty, empty, empty)
        iterate = self._automaton.iter
        per_text = [np.array([key for _, key in iterate(text)], np.int64) for text in match_texts]
        row_of = np.repeat(np.arange(len(per_text), dtype=np.int64), [found.size for found in per_text])
        cells = row_of * len(self.keys) + np.concatenate([np.empty(0, np.int64), *per_text])
        unique, counts = np.unique(cells, return_counts=True)
        rows, cols = np.divmod(unique, len(self.keys))
        return Incidence(rows.astype(np.int32), cols.astype(np.int32), counts.astype(np.int32))
