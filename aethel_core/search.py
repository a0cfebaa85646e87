"""Questions to rankings: every retriever over one snapshot of the corpus, each built once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

from aethel_core import retrievers
from aethel_core.embedding import Embedder
from aethel_core.evidence import Explanation, explain
from aethel_core.index import Index
from aethel_core.retrievers import Parameters, Retriever
from aethel_core.retrievers.dense import QueryVectors
from aethel_core.retrievers.fusion import ReciprocalRankFusion
from aethel_core.types import Query, Ranking


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rankings of one question. ``agreement`` is the mean overlap |A∩B| / k of the top k of
    every pair of rankings, from 0 (nothing in common) to 1; 1 for a single ranking."""

    query: Query
    rankings: tuple[Ranking, ...]
    agreement: float


class Search:
    """The retrievers over ``index``. Safe to share between threads: an index never changes, and
    a new corpus means a new Search."""

    def __init__(self, index: Index, embedder: Embedder, parameters: Parameters | None = None) -> None:
        self.index = index
        self.parameters = parameters or Parameters()
        self.vectors = QueryVectors(embedder)
        self._built: dict[str, Retriever] = {}
        self._lock = Lock()

    def over(self, index: Index) -> Search:
        """The same settings and model over another snapshot."""
        search = Search(index, self.vectors.embedder, self.parameters)
        search.vectors = self.vectors
        return search

    def retriever(self, name: str) -> Retriever:
        """:raises UnknownRetriever: there is none of that name."""
        with self._lock:
            if name not in self._built:
                self._built[name] = self._build(name)
            return self._built[name]

    def _build(self, name: str) -> Retriever:
        if name != ReciprocalRankFusion.name:
            return retrievers.build(name, self.index, self.vectors, self.parameters)
        for part in self.parameters.fused:
            if part not in self._built:
                self._built[part] = retrievers.build(part, self.index, self.vectors, self.parameters)
        parts = [self._built[part] for part in self.parameters.fused]
        return ReciprocalRankFusion(parts, self.parameters.fusion_weights)

    def search(self, query: Query, retriever: str, k: int) -> Ranking:
        """:raises EmptyQuery, InvalidInput, UnknownRetriever, ModelUnavailable: see there."""
        return replace(self.retriever(retriever).search(query, k), retriever=retriever)

    def compare(self, query: Query, names: Sequence[str], k: int) -> Comparison:
        rankings = tuple(self.search(query, name, k) for name in dict.fromkeys(names))
        return Comparison(query, rankings, agreement(rankings, k))

    def explain(self, query: Query, retriever: str, passage_id: str, text: str) -> Explanation:
        """Why ``retriever`` gives the passage its score; ``text`` is the passage's."""
        return explain(self.retriever(retriever), query, passage_id, text)


def agreement(rankings: Sequence[Ranking], k: int) -> float:
    """Mean over pairs of rankings of |top k of A ∩ top k of B| / k, with k no larger than the
    longest ranking; 1.0 when there is nothing to compare."""
    tops = [set(ranking.ids[:k]) for ranking in rankings]
    size = min(k, max((len(top) for top in tops), default=0))
    pairs = [(a, b) for i, a in enumerate(tops) for b in tops[i + 1 :]]
    if not pairs or not size:
        return 1.0
    return sum(len(a & b) / size for a, b in pairs) / len(pairs)
