"""Why a retriever did not put a passage among its first k, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from aethel_core.errors import UnknownPassage
from aethel_core.retrievers.base import IndexRetriever, Retriever
from aethel_core.retrievers.bm25 import BM25
from aethel_core.retrievers.dense import Dense
from aethel_core.retrievers.fusion import ReciprocalRankFusion
from aethel_core.retrievers.hybrid import Hybrid, Part
from aethel_core.retrievers.pagerank import PersonalizedPageRank
from aethel_core.retrievers.tfidf import TfIdf
from aethel_core.types import Query, Ranking

_FEW_TERMS = 5


@dataclass(frozen=True, slots=True)
class Missed:
    """A passage that one retriever found, at ``rank``, and the other did not put among its first k.
    ``other_rank`` is its rank there, None where it is no hit at all; ``reason`` says why."""

    passage_id: str
    rank: int
    other_rank: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What each of two retrievers has among its first k alone, and what they share."""

    only_first: tuple[Missed, ...]
    only_second: tuple[Missed, ...]
    both: tuple[str, ...]


def difference(first: Retriever, second: Retriever, query: Query, k: int) -> Difference:
    one, other = first.search(query, k), second.search(query, k)
    shared = set(one.ids) & set(other.ids)
    return Difference(
        _missed(one, second, query, k, shared),
        _missed(other, first, query, k, shared),
        tuple(passage for passage in one.ids if passage in shared),
    )


def _missed(found: Ranking, by: Retriever, query: Query, k: int, shared: set[str]) -> tuple[Missed, ...]:
    judge = _Judge(by, query, k)
    return tuple(
        Missed(passage, rank, *judge.verdict(passage))
        for rank, passage in enumerate(found.ids, start=1)
        if passage not in shared
    )


class _Judge:
    """What one retriever makes of passages for one question; it scores once."""

    def __init__(self, retriever: Retriever, query: Query, k: int) -> None:
        self.retriever, self.query, self.k = retriever, query, k
        self._lists: Sequence[Ranking] = ()
        if isinstance(retriever, ReciprocalRankFusion):
            self._lists = retriever.rankings(query, k)
            self._fused = retriever.search(query, retriever.depth)
        elif isinstance(retriever, IndexRetriever):
            scored = retriever.score(query)
            self._note = scored.note
            self._allowed = retriever.index.matching(query.filters)
            self._values = np.where(self._allowed, scored.values, -np.inf)
            best = np.sort(self._values[np.isfinite(self._values)])[::-1]
            self._cutoff = float(best[k - 1]) if best.size >= k else 0.0
            self._last = self._row_of_rank(k)
            self._factors = retriever.parts(query) if isinstance(retriever, Hybrid) else ()

    def _row_of_rank(self, k: int) -> int:
        """The row that has rank k, or the last of all hits; 0 without any."""
        order = np.argsort(-self._values, kind="stable")[:k]
        hits = order[np.isfinite(self._values[order])]
        return int(hits[-1]) if hits.size else 0

    def verdict(self, passage_id: str) -> tuple[int | None, str]:
        """The rank that the retriever gives the passage, and the sentence."""
        if isinstance(self.retriever, ReciprocalRankFusion):
            return self._of_lists(passage_id)
        if not isinstance(self.retriever, IndexRetriever):
            return None, f"It is not among its first {self.k}."
        row = self.retriever.index.row.get(passage_id)
        if row is None:
            raise UnknownPassage(passage_id)
        if not self._allowed[row]:
            return None, "The filters leave it out."
        value = float(self._values[row])
        if not np.isfinite(value):
            return None, self._no_hit()
        ahead = self._values > value
        ahead[:row] |= self._values[:row] == value  # equal scores go by passage id
        rank = int(ahead.sum()) + 1
        return rank, self._too_low(row, value)

    def _of_lists(self, passage_id: str) -> tuple[int | None, str]:
        ids = self._fused.ids
        rank = ids.index(passage_id) + 1 if passage_id in ids else None
        places = [
            f"{ranking.retriever} ranks it {ranking.ids.index(passage_id) + 1}"
            for ranking in self._lists
            if passage_id in ranking.ids
        ]
        missing = [ranking.retriever for ranking in self._lists if passage_id not in ranking.ids]
        said = [*places, *(f"{name} does not hold it" for name in missing)]
        return rank, f"Of its lists, {'; '.join(said)}."

    def _no_hit(self) -> str:
        match self.retriever:
            case PersonalizedPageRank():
                if self._note and not np.isfinite(self._values).any():
                    return self._note
                return f"No path of at most {self.retriever.iterations} steps leads to it from a seed."
            case BM25() | TfIdf():
                return "It shares no word with the question."
            case Dense():
                return "Its meaning is not similar to the question at all."
            case _:
                return "It does not qualify."

    def _too_low(self, row: int, value: float) -> str:
        match self.retriever:
            case BM25():
                found = self.retriever.contributions(self.query)
                return _terms([(term, rows) for term, _, rows, _ in found], row)
            case TfIdf():
                held = self.retriever.contributions(self.query)
                return _terms([(term, rows) for term, rows, _ in held], row)
            case Dense():
                return f"Similarity {value:.3f}, below the {self._cutoff:.3f} of rank {self.k}."
            case PersonalizedPageRank():
                share = value / self._cutoff if self._cutoff else 1.0
                return f"The walk reaches it with {share:.0%} of the mass of rank {self.k}."
            case Hybrid():
                return _weakest(self._factors, row, self._last, self.k)
            case _:
                return f"Score {value:.3g}, below the {self._cutoff:.3g} of rank {self.k}."


def _terms(terms: list[tuple[str, np.ndarray]], row: int) -> str:
    every = list(dict.fromkeys(term for term, _ in terms))
    held = list(dict.fromkeys(term for term, rows in terms if row in rows))
    lacking = [term for term in every if term not in held]
    if lacking:
        return f"It has {_few(held)} but not {_few(lacking)}."
    return f"It has {_few(held)}, but others have them more densely."


def _few(terms: list[str]) -> str:
    named = ", ".join(f"“{term}”" for term in terms[:_FEW_TERMS])
    left = len(terms) - _FEW_TERMS
    return f"{named} and {left} more" if left > 0 else named or "no other word"


def _weakest(parts: Sequence[Part], row: int, last: int, k: int) -> str:
    """The factor by which the passage falls behind the one of rank k most."""
    part = min(parts, key=lambda p: p.weight * float(p.log_closeness[row] - p.log_closeness[last]))
    here, there = (float(np.exp(part.log_closeness[place])) for place in (row, last))
    said = f"{here:.2f} of 1, at rank {k} {there:.2f}."
    if not part.entity_ids:
        return f"Its {part.label} puts it behind most: {said}"
    return f"It is farther from the {part.kind} {part.label}: closeness {said}"
