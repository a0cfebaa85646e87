"""Questions to rankings: every retriever over one snapshot of the corpus, each built once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

from aethel_core import retrievers
from aethel_core.embedding import Embedder
from aethel_core.errors import UnknownRetriever
from aethel_core.evidence import Explanation, explain
from aethel_core.index import Index
from aethel_core.prequery import Prequery, QueryView, Steps, Writer
from aethel_core.rerankers import Stages
from aethel_core.rerankers.base import PassageLookup
from aethel_core.rerankers.cascade import Cascade, Stage, StageReport
from aethel_core.rerankers.features import Features
from aethel_core.rerankers.learned import Learned, shipped
from aethel_core.retrievers import Parameters, Retriever
from aethel_core.retrievers.coverage import Coverage
from aethel_core.retrievers.dense import QueryVectors
from aethel_core.retrievers.fusion import ReciprocalRankFusion
from aethel_core.types import Passage, Query, Ranking

NAMES = (*retrievers.NAMES, Cascade.name)
POOLED = ("hybrid", "bm25", "dense")


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

    def __init__(
        self,
        index: Index,
        embedder: Embedder,
        parameters: Parameters | None = None,
        *,
        passages: PassageLookup | None = None,
        stages: Stages | None = None,
    ) -> None:
        """:param passages: where a reranker that reads texts finds them.
        :param stages: what the cascade is made of; without, the embedded rerankers.
        """
        self.index = index
        self.parameters = parameters or Parameters()
        self.passages = passages or _no_passages
        self.cascade = stages or Stages()
        self.vectors = QueryVectors(embedder)
        self._built: dict[str, Retriever] = {}
        self._made: Features | None = None
        self._prequery: Prequery | None = None
        self._lock = Lock()

    def over(self, index: Index) -> Search:
        """The same settings and model over another snapshot."""
        search = Search(
            index,
            self.vectors.embedder,
            self.parameters,
            passages=self.passages,
            stages=self.cascade,
        )
        search.vectors = self.vectors
        return search

    def retriever(self, name: str) -> Retriever:
        """:raises UnknownRetriever: there is none of that name."""
        with self._lock:
            return self._known(name)

    def _known(self, name: str) -> Retriever:
        """The retriever, built if it is not yet. The lock is held."""
        if name not in self._built:
            self._built[name] = self._build(name)
        return self._built[name]

    def _build(self, name: str) -> Retriever:
        if name not in NAMES:
            raise UnknownRetriever(name, NAMES)
        if name == Cascade.name:
            sources = [self._known(part) for part in POOLED]
            return Cascade(
                sources,
                self._stages(),
                self.passages,
                seconds=self.cascade.seconds,
                coverage=Coverage(self.index),
            )
        if name == ReciprocalRankFusion.name:
            parts = [self._known(part) for part in self.parameters.fused]
            return ReciprocalRankFusion(parts, self.parameters.fusion_weights)
        return retrievers.build(name, self.index, self.vectors, self.parameters)

    def _features(self) -> Features:
        if self._made is None:
            self._made = Features(self.index, self._known("hybrid"), self._known("bm25"))
        return self._made

    def _stages(self) -> tuple[Stage, ...]:
        features, models = self._features(), shipped()
        return (
            self.cascade.stage(1, Learned(features, models.fast, reads=False)),
            self.cascade.stage(2, Learned(features, models.full, reads=True)),
        )

    def features(self) -> Features:
        """What the embedded reranker sees of this corpus."""
        with self._lock:
            return self._features()

    def stages(self, query: Query, k: int) -> tuple[StageReport, ...]:
        """What each stage of the cascade did with a question, and how long it took."""
        return self.retriever(Cascade.name).trace(query, k).stages

    def view(self, question: str, steps: Steps | None = None, **writers: Writer | None) -> QueryView:
        """What is made of a question before it is searched; `Prequery.view` takes the ``writers``."""
        with self._lock:
            if self._prequery is None:
                self._prequery = Prequery(self.index, self._known("hybrid").recognition)
        return self._prequery.view(question, steps, **writers)

    def search(self, query: Query, retriever: str, k: int) -> Ranking:
        """:raises EmptyQuery, InvalidInput, UnknownRetriever, ModelUnavailable: see there."""
        return replace(self.retriever(retriever).search(query, k), retriever=retriever)

    def compare(self, query: Query, names: Sequence[str], k: int) -> Comparison:
        rankings = tuple(self.search(query, name, k) for name in dict.fromkeys(names))
        return Comparison(query, rankings, agreement(rankings, k))

    def explain(self, query: Query, retriever: str, passage_id: str, text: str) -> Explanation:
        """Why ``retriever`` gives the passage its score; ``text`` is the passage's."""
        return explain(self.retriever(retriever), query, passage_id, text)


def _no_passages(ids: Sequence[str]) -> dict[str, Passage]:
    return {}


def agreement(rankings: Sequence[Ranking], k: int) -> float:
    """Mean over pairs of rankings of |top k of A ∩ top k of B| / k, with k no larger than the
    longest ranking; 1.0 when there is nothing to compare."""
    tops = [set(ranking.ids[:k]) for ranking in rankings]
    size = min(k, max((len(top) for top in tops), default=0))
    pairs = [(a, b) for i, a in enumerate(tops) for b in tops[i + 1 :]]
    if not pairs or not size:
        return 1.0
    return sum(len(a & b) / size for a, b in pairs) / len(pairs)
