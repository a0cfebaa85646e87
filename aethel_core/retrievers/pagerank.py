"""Personalized PageRank over an entity graph: PPR-Regex, PPR-NER and BCT.

Source of the walk: `aethel_core.graph`; of its use for retrieval: seeds are the entities of the
question, passages are ranked by their mass. A passage the walk did not reach is not a hit.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from aethel_core import graph as solver
from aethel_core.graph import BipartiteGraph, PageRank, pagerank
from aethel_core.index import Index
from aethel_core.index.companies import company_keys
from aethel_core.index.entity_graph import EntityGraph, key_of
from aethel_core.retrievers.base import IndexRetriever, Scored, positive
from aethel_core.types import EntityKind, Query


@dataclass(frozen=True, slots=True)
class Seed:
    """Restart mass on one entity node; ``phrase`` and ``rule`` say what in the question led to it."""

    column: int
    mass: float
    phrase: str
    rule: str


@dataclass(frozen=True, slots=True)
class Seeds:
    """The personalization of a question: masses of ``entities`` and ``passages`` sum to 1, or all
    are empty and ``looked_for`` names the phrases that no entity answers to."""

    entities: tuple[Seed, ...] = ()
    passages: tuple[tuple[int, float], ...] = ()
    looked_for: tuple[str, ...] = ()

    def vectors(self, graph: BipartiteGraph) -> tuple[np.ndarray, np.ndarray]:
        """Columns of shape (entities, 1) and (passages, 1)."""
        on_entities, on_passages = np.zeros((graph.entities, 1)), np.zeros((graph.passages, 1))
        for seed in self.entities:
            on_entities[seed.column] += seed.mass
        for row, mass in self.passages:
            on_passages[row] += mass
        return on_entities, on_passages


def linked(graph: EntityGraph, query: Query) -> tuple[list[tuple[int, str, str]], tuple[str, ...]]:
    """(column, phrase, rule) of the name nodes a question names, then of those a person added,
    without those muted; and the phrases that were looked for."""
    result = graph.linker.link(query.text)
    found = {int(graph.name_columns[link.key]): (link.phrase, link.rule) for link in result.links}
    for entity in sorted(query.added):
        if entity in graph.position:
            found.setdefault(graph.position[entity], (graph.entities[graph.position[entity]].name, "added"))
    kept = [(c, *why) for c, why in found.items() if graph.entities[c].id not in query.muted]
    return kept, result.looked_for


def unmuted(graph: EntityGraph, incidence: BipartiteGraph, muted: frozenset[str]) -> BipartiteGraph:
    """The graph without the edges of muted entities."""
    columns = [graph.position[entity] for entity in muted if entity in graph.position]
    if not columns:
        return incidence
    kept = np.ones(incidence.entities)
    kept[columns] = 0.0
    matrix = (incidence.incidence * kept[None, :]).tocsr()
    matrix.eliminate_zeros()
    return BipartiteGraph(matrix)


class PersonalizedPageRank(IndexRetriever):
    """Passages by their mass in p ← α·s + (1−α)·W·p; see `aethel_core.graph.pagerank`."""

    def __init__(
        self,
        index: Index,
        *,
        teleport: float = solver.TELEPORT,
        iterations: int = solver.ITERATIONS,
        tolerance: float = solver.TOLERANCE,
    ) -> None:
        super().__init__(index)
        self.teleport, self.iterations, self.tolerance = teleport, iterations, tolerance

    @property
    @abstractmethod
    def graph(self) -> EntityGraph: ...

    def seeds(self, query: Query) -> Seeds:
        """Mass 1/|E_q| on each entity the question names."""
        found, looked_for = linked(self.graph, query)
        mass = 1 / len(found) if found else 0.0
        return Seeds(tuple(Seed(c, mass, phrase, rule) for c, phrase, rule in found), (), looked_for)

    def walk(self, query: Query, seeds: Seeds) -> PageRank:
        graph = unmuted(self.graph, self.graph.bipartite, query.muted)
        return pagerank(
            graph,
            *seeds.vectors(graph),
            teleport=self.teleport,
            iterations=self.iterations,
            tolerance=self.tolerance,
        )

    def walks(self, query: Query, seeds: Seeds) -> tuple[PageRank, np.ndarray]:
        """The walk, and the mass that each entity seed alone brings to each passage, shape
        (passages, seeds), in the order of ``seeds.entities``; they sum to the walk's."""
        graph = unmuted(self.graph, self.graph.bipartite, query.muted)
        alone = np.zeros((graph.entities, len(seeds.entities)))
        for place, seed in enumerate(seeds.entities):
            alone[seed.column, place] = seed.mass
        walk = self.walk(query, seeds)
        # As many steps as the walk itself took, so that the parts sum to the whole.
        parts = pagerank(graph, alone, teleport=self.teleport, iterations=walk.iterations, tolerance=0.0)
        return walk, parts.passages

    def score(self, query: Query) -> Scored:
        seeds = self.seeds(query)
        if not seeds.entities and not seeds.passages:
            return Scored(np.full(self.index.size, -np.inf), not_found(seeds.looked_for))
        walk = self.walk(query, seeds)
        return Scored(positive(walk.passages[: self.index.size, 0]), ended(walk))


def not_found(looked_for: Sequence[str]) -> str:
    if not looked_for:
        return (
            "The question names no entity, so there is nowhere to start from: name a company, person or fund."
        )
    phrases = ", ".join(f"“{phrase}”" for phrase in looked_for)
    return f"No entity of these documents was recognised; looked for {phrases}."


def ended(walk: PageRank) -> str:
    return (
        f"The walk ended by {walk.ended_by} after {walk.iterations} steps; "
        f"its last step moved {walk.residual:.2g} of the mass."
    )


class PprRegex(PersonalizedPageRank):
    """Over entities that regular expressions read, joined only where they were read."""

    name = "ppr-regex"

    @property
    def graph(self) -> EntityGraph:
        return self.index.regex_graph


class PprNer(PersonalizedPageRank):
    """Over names of the recogniser after the filter, joined wherever their words occur."""

    name = "ppr-ner"

    @property
    def graph(self) -> EntityGraph:
        return self.index.ner_graph


class Bct(PprNer):
    """Bipartite coreference teleportation: PPR-NER with seeds widened by what denotes the same.

    Each entity the question names is a group with an equal share of the restart mass. The group
    holds the entity, its aliases (legal-suffix forms, tickers, acronyms and short names defined in
    the text), the names that contain its words or are contained in them, and, where it is the
    company of a document, one more member: that document's passages which say "the Company", "the
    Fund" or "we". The share is split evenly over the members. Reaches more passages than PPR-NER,
    at the cost of the first rank.
    """

    name = "bct"

    @cached_property
    def _own_passages(self) -> dict[str, np.ndarray]:
        """Rows that refer to a document's own company, by every key of that company."""
        rows: dict[str, list[int]] = {}
        first = 0
        for segment in self.index.segments:
            for key in company_keys(segment.metadata):
                rows.setdefault(key, []).extend(first + row for row in segment.self_references)
            first += len(segment.passage_ids)
        return {key: np.array(found) for key, found in rows.items() if found}

    def seeds(self, query: Query) -> Seeds:
        graph = self.graph
        found, looked_for = linked(graph, query)
        entities: list[Seed] = []
        passages: list[tuple[int, float]] = []
        for column, phrase, rule in found:
            members = {column: rule}
            key = key_of(graph.entities[column])
            for alias in (*graph.aliases.aliases(key), *graph.aliases.overlaps(key)):
                node = f"{EntityKind.NAME.value}:{alias.key}"
                if node in graph.position and node not in query.muted:
                    members.setdefault(graph.position[node], alias.rule.value)
            own = self._own_passages.get(key, np.zeros(0, dtype=np.int64))
            share = 1 / len(found) / (len(members) + bool(own.size))
            entities += [Seed(member, share, phrase, why) for member, why in members.items()]
            passages += [(int(row), share / own.size) for row in own]
        return Seeds(tuple(entities), tuple(passages), looked_for)
