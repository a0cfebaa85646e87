"""Hybrid: the conjunctive walk over typed entities, with meaning and wording.

    ln score(p) = ( Σ_s w_s · ln r̂_s(p) + ν · (cos(q, p) − 1) + λ · ln b̂(p) ) / (Σ_s w_s + ν + λ)

r_s(p) = min(1, m_s(p) / m̃_s) is the closeness of passage p to seed s: the mass p has in the
Personalized PageRank of s alone, measured by what a passage joined to s has (m̃_s, the median over
them); b(p) is the BM25 score as a share of the best. r̂ = (r + δ) / (1 + δ) leaves a passage something
where it is not reached. So the score is a weighted geometric mean of closenesses, in (0, 1]: a
*conjunction* that rewards passages near all seeds, where plain PageRank rewards closeness to any.

Seeds are the names in the question, each on its own, sharing the weight of names in proportion to
their rarity ln(1 + N/df); and for each kind of typed node (company, period, statement, line item) one
seed that any of the nodes of that kind satisfies (the largest closeness counts). All walks are one
batched sparse–dense product over the typed graph, whose edges are weighted by the rarity of their
entity.

The weight of a seed adapts to the corpus: w_s = weight of its kind · I_s^1.5, where
I_s = ln(N/df_s) / ln N is how much it narrows N passages down, 1 for a node of a single passage and 0
for one that governs all: in a data room of one fund, the fund's own name says nothing. The floor of a
name is δ_s = max(0.003, 0.001 / m̃_s): near a name that fills many passages, a passage that does not
hold it loses less. There is one set of weights for filings, fund papers and encyclopaedic
paragraphs, chosen on a broad plateau of the development questions; see README, *Measured*.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock

import numpy as np

from aethel_core import graph as solver
from aethel_core.graph import BipartiteGraph, pagerank
from aethel_core.index import Index
from aethel_core.index.entity_graph import EntityGraph
from aethel_core.retrievers.base import IndexRetriever, Scored, check
from aethel_core.retrievers.bm25 import BM25
from aethel_core.retrievers.coverage import DEPTH, Coverage
from aethel_core.retrievers.dense import Dense, QueryVectors
from aethel_core.retrievers.pagerank import linked, unmuted
from aethel_core.retrievers.recognition import Recognition
from aethel_core.retrievers.summary_prior import SummaryPrior
from aethel_core.types import EntityKind, Query, Ranking

_KEPT_WALKS = 256
_NARROWING = 1.5  # the exponent of I
_UNREACHED = 0.001  # the mass that a passage without a name is taken to have
_UNSEEDED = "The question names nothing the graph knows; hits rest on its meaning and wording alone."


@dataclass(frozen=True, slots=True)
class Group:
    """How one kind of seed counts: its weight, and the floor δ of its closeness."""

    weight: float
    floor: float


@dataclass(frozen=True, slots=True)
class Weights:
    """By kind of seed; ``dense`` is ν, ``lexical`` λ and the floor of b̂, ``summary`` the same for what the
    document's summary says, where the query asks for it."""

    names: Group = Group(1.0, 0.003)
    company: Group = Group(3.0, 0.1)
    period: Group = Group(2.0, 0.1)
    statement: Group = Group(1.5, 0.1)
    line_item: Group = Group(0.25, 0.1)
    dense: float = 3.0
    lexical: Group = Group(0.7, 0.2)
    summary: Group = Group(0.3, 0.2)


@dataclass(frozen=True, slots=True)
class Part:
    """One factor of the score. ``log_closeness`` is shape (passages,), at most 0; ``weight`` is
    its exponent before the mean is taken. ``entity_ids`` are the nodes it starts from."""

    label: str
    kind: str
    phrase: str
    entity_ids: tuple[str, ...]
    weight: float
    log_closeness: np.ndarray


@dataclass(frozen=True, slots=True)
class _Seed:
    columns: tuple[int, ...]  # any of them satisfies the seed
    kind: EntityKind
    phrase: str
    weight: float
    floor: float


@dataclass(frozen=True, slots=True)
class _Walk:
    """``closeness`` r_s, shape (passages,), and ``usual`` m̃_s, the mass of a passage joined to s."""

    closeness: np.ndarray
    usual: float


class Hybrid(IndexRetriever):
    name = "hybrid"

    def __init__(
        self,
        index: Index,
        vectors: QueryVectors,
        *,
        weights: Weights | None = None,
        teleport: float = solver.TELEPORT,
        iterations: int = solver.ITERATIONS,
    ) -> None:
        super().__init__(index)
        self.weights = weights or Weights()
        self.teleport, self.iterations = teleport, iterations
        self.dense = Dense(index, vectors)
        self.lexical = BM25(index)
        self.summaries = SummaryPrior(index)
        self._kept: OrderedDict[int, _Walk] = OrderedDict()
        self._lock = Lock()

    @property
    def graph(self) -> EntityGraph:
        return self.index.typed_graph

    @cached_property
    def recognition(self) -> Recognition:
        return Recognition(self.index)

    def seeds(self, query: Query) -> tuple[_Seed, ...]:
        graph = self.graph
        typed = self._typed(query)
        companies = [seed.phrase for seed in typed if seed.kind is EntityKind.COMPANY]
        company_words = set(" ".join(companies).split())
        named, _ = linked(graph, query)
        # A name that only repeats the company's is answered by the company's own node.
        named = [found for found in named if not set(found[1].split()) <= company_words]
        rarity = graph.rarity[[column for column, *_ in named]]
        share = self.weights.names.weight * rarity / rarity.sum() if named else rarity
        names = (
            _Seed((column,), EntityKind.NAME, phrase, float(weight), self.weights.names.floor)
            for (column, phrase, _), weight in zip(named, share, strict=True)
        )
        return tuple(
            replace(seed, weight=seed.weight * self._narrowing(seed.columns)) for seed in (*typed, *names)
        )

    def _narrowing(self, columns: Sequence[int]) -> float:
        """I_s^1.5 of a seed that any of ``columns`` satisfies."""
        joined = max(int(self.graph.frequency[list(columns)].sum()), 1)
        size = max(self.index.size, 2)
        return float(max(np.log(size / joined) / np.log(size), 0.0) ** _NARROWING)

    def _typed(self, query: Query) -> list[_Seed]:
        groups = {
            EntityKind.COMPANY: self.weights.company,
            EntityKind.PERIOD: self.weights.period,
            EntityKind.STATEMENT: self.weights.statement,
            EntityKind.LINE_ITEM: self.weights.line_item,
        }
        found = [
            node
            for node in self.recognition.typed(query.text)
            if node.entity.id in self.graph.position and node.entity.id not in query.muted
        ]
        seeds = []
        for kind, group in groups.items():
            nodes = [node for node in found if node.entity.kind is kind]
            if nodes and group.weight > 0:
                columns = tuple(self.graph.position[node.entity.id] for node in nodes)
                phrase = " ".join(dict.fromkeys(node.phrase for node in nodes))
                weight = group.weight * max(node.strength for node in nodes)
                seeds.append(_Seed(columns, kind, phrase, weight, group.floor))
        return seeds

    def parts(self, query: Query) -> tuple[Part, ...]:
        """The factors of the score, for every passage."""
        similarity = self.dense.similarities(query).astype(np.float64)
        meaning = Part("similarity of meaning", "dense", "", (), self.weights.dense, similarity - 1)
        prior = (self._summary(query),) if query.summaries else ()
        return (*self.seed_parts(query), meaning, self._wording(query), *prior)

    def seed_parts(self, query: Query) -> Iterator[Part]:
        """The factors of what is walked from, without meaning and wording."""
        seeds = self.seeds(query)
        entities = self.graph.entities
        walks = self._walks_from([column for seed in seeds for column in seed.columns], query)
        for seed in seeds:
            near = np.max([walks[column].closeness for column in seed.columns], axis=0)
            floor = seed.floor
            if seed.kind is EntityKind.NAME:
                floor = max(floor, _UNREACHED / walks[seed.columns[0]].usual)
            yield Part(
                " or ".join(entities[column].name for column in seed.columns),
                seed.kind.value,
                seed.phrase,
                tuple(entities[column].id for column in seed.columns),
                seed.weight,
                _floored(near, floor),
            )

    def _wording(self, query: Query) -> Part:
        scores = np.maximum(self.lexical.score(query).values, 0.0)
        best = scores.max(initial=0.0)
        share = scores / best if best > 0 else scores
        group = self.weights.lexical
        return Part("wording", "lexical", "", (), group.weight, _floored(share, group.floor))

    def _summary(self, query: Query) -> Part:
        group = self.weights.summary
        share = self.summaries.of_passages(query)
        return Part("summary of the document", "summary", "", (), group.weight, _floored(share, group.floor))

    def _walks_from(self, columns: Sequence[int], query: Query) -> dict[int, _Walk]:
        """The walk from each of ``columns``.

        Walks do not depend on the question, so those of the latest seeds are kept; a company or a
        statement is walked from once. With muted entities the graph is another one, and nothing is.
        """
        muted = any(entity in self.graph.position for entity in query.muted)
        with self._lock:
            walks = {} if muted else {c: self._kept[c] for c in columns if c in self._kept}
        missing = [column for column in dict.fromkeys(columns) if column not in walks]
        if missing:
            walks |= self._walked(missing, unmuted(self.graph, self.graph.weighted, query.muted))
        if not muted:
            self._keep(walks)
        return walks

    def _walked(self, columns: Sequence[int], graph: BipartiteGraph) -> dict[int, _Walk]:
        starts = np.zeros((graph.entities, len(columns)))
        starts[columns, np.arange(len(columns))] = 1.0
        mass = pagerank(
            graph, starts, teleport=self.teleport, iterations=self.iterations, tolerance=0.0
        ).passages
        usual = self._usual(columns, mass)
        near = np.minimum(mass / usual, 1.0)
        return {
            column: _Walk(np.ascontiguousarray(near[:, place]), float(usual[place]))
            for place, column in enumerate(columns)
        }

    def _keep(self, walks: dict[int, _Walk]) -> None:
        with self._lock:
            for column, walk in walks.items():
                self._kept[column] = walk
                self._kept.move_to_end(column)
            while len(self._kept) > _KEPT_WALKS:
                self._kept.popitem(last=False)

    def _usual(self, columns: Sequence[int], mass: np.ndarray) -> np.ndarray:
        """The median mass of the passages joined to each seed, shape (seeds,); 1 where there is none."""
        incidence = self.graph.by_entity
        medians = []
        for place, column in enumerate(columns):
            joined = incidence.indices[incidence.indptr[column] : incidence.indptr[column + 1]]
            medians.append(float(np.median(mass[joined, place])) if joined.size else 0.0)
        return np.array([median or 1.0 for median in medians])

    @cached_property
    def coverage(self) -> Coverage:
        return Coverage(self.index)

    def search(self, query: Query, k: int) -> Ranking:
        if len(query.together) < 2:
            return super().search(query, k)
        check(query, k)
        found = super().search(query, max(k, DEPTH))
        hits, note = self.coverage(query, found.hits)
        return replace(found, hits=hits[:k], note=" ".join(filter(None, (found.note, note))))

    def score(self, query: Query) -> Scored:
        parts = self.parts(query)
        seeded = any(part.entity_ids for part in parts)
        return Scored(np.exp(together(parts)), "" if seeded else _UNSEEDED)


def together(parts: Sequence[Part]) -> np.ndarray:
    """The logarithm of the score: the weighted mean of the parts' log closeness, shape (passages,)."""
    logarithm = sum((part.weight * part.log_closeness for part in parts), 0.0)
    return logarithm / sum(part.weight for part in parts)


def _floored(closeness: np.ndarray, floor: float) -> np.ndarray:
    return np.log((closeness + floor) / (1 + floor))
