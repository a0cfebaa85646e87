"""The one contract of retrievers, and what all of them share."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Integral
from typing import Protocol

import numpy as np

from aethel_core.errors import EmptyQuery, InvalidInput
from aethel_core.index import Index
from aethel_core.text import tokenise
from aethel_core.types import Query, Ranking, ranked

NO_WORD = "No word of the question occurs in the documents."
NOTHING_LEFT = "No passage passes the filters. Take one of them away."


class Retriever(Protocol):
    """``search`` gives at most k hits, best first, fewer when fewer qualify.

    :raises EmptyQuery: the question holds no word.
    :raises InvalidInput: k is not a whole number, or not positive.
    """

    name: str

    def search(self, query: Query, k: int) -> Ranking: ...


@dataclass(frozen=True, slots=True)
class Scored:
    """A score per passage, shape (passages,); ``-inf`` marks a passage that is not a hit."""

    values: np.ndarray
    note: str = ""


class IndexRetriever(ABC):
    """A retriever that scores every passage of an index: subclasses give `name` and `score`."""

    name: str

    def __init__(self, index: Index) -> None:
        self.index = index

    @abstractmethod
    def score(self, query: Query) -> Scored: ...

    def search(self, query: Query, k: int) -> Ranking:
        check(query, k)
        started = time.perf_counter()
        if not self.index.size:
            return Ranking(self.name, (), "The workspace has no documents yet.")
        scored = self.score(query)
        values, rows = scored.values, None
        if not query.filters.empty:
            rows = np.flatnonzero(self.index.matching(query.filters))
            if not rows.size:
                return Ranking(self.name, (), NOTHING_LEFT, time.perf_counter() - started)
            values = values[rows]
        hits = ranked(self.index.ids, values, k, rows)
        return Ranking(self.name, hits, scored.note, time.perf_counter() - started)


def check(query: Query, k: int) -> None:
    if not query.text.strip():
        raise EmptyQuery
    if not isinstance(k, Integral) or k < 1:
        raise InvalidInput(f"k is {k}; ask for a whole number of hits, at least one.")


def positive(scores: np.ndarray) -> np.ndarray:
    """Scores of which only the positive ones qualify."""
    return np.where(scores > 0, scores, -np.inf)


def query_tokens(query: Query) -> list[str]:
    """Index terms of the question and its expansions, repeats kept."""
    return tokenise(" ".join((query.text, *query.expansions)))
