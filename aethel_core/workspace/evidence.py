"""The evidence part of the façade: paths, overviews, and what people correct about entities."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from aethel_core import evidence, retrievers
from aethel_core.entities.coreference import Rule
from aethel_core.errors import InvalidInput
from aethel_core.evidence import (
    Community,
    CorpusMap,
    Difference,
    EntityView,
    KnownEntity,
    NoisyEntity,
    PassageEvidence,
    SeedNode,
    Subgraph,
    SummarySentence,
    drawing,
)
from aethel_core.evidence.drawing import Figure, Place
from aethel_core.evidence.subgraph import PASSAGE
from aethel_core.index import companies
from aethel_core.index.edits import EntityEdits
from aethel_core.index.entity_graph import EntityGraph, Fact, passage_of
from aethel_core.retrievers.hybrid import Hybrid
from aethel_core.retrievers.pagerank import PersonalizedPageRank
from aethel_core.retrievers.ppr_llm import PprLlm
from aethel_core.search import Search
from aethel_core.store import Documents, Journal
from aethel_core.types import EntityKind, PassageKind, Query, Ranking
from aethel_core.workspace.citation import parts, section

JOINED_BY_HAND = Rule.PERSON.value  # the rule of an `AliasPair` that a person made
_GRAPH = "hybrid"  # its graph holds every kind of entity
_COMMUNITIES = 12


@dataclass(frozen=True, slots=True)
class Traced:
    """A ranking with the evidence of its hits (in its order), the part of the graph that matters, and
    the entities that draw in noise. ``seeds`` are where the walks start; ``note`` says why nowhere.
    ``names`` and ``places`` have every entity and passage that is spoken of, by id; ``figure`` is the
    graph as drawn."""

    query: Query
    ranking: Ranking
    seeds: tuple[SeedNode, ...]
    hits: tuple[PassageEvidence, ...]
    graph: Subgraph
    figure: Figure
    noise: tuple[NoisyEntity, ...]
    names: dict[str, KnownEntity]
    places: dict[str, Place]
    note: str
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class DescribedCommunity:
    community: Community
    summary: tuple[SummarySentence, ...]


@dataclass(frozen=True, slots=True)
class Corrections:
    """What people of this workspace said about entities: muted ones, (entity, the one it is part of),
    and pairs of names (keys) that do not denote the same. ``written`` has these keys as they are
    written."""

    muted: tuple[KnownEntity, ...]
    merged: tuple[tuple[KnownEntity, KnownEntity], ...]
    apart: tuple[tuple[str, str], ...]
    written: dict[str, str]


class Evidence:
    """Reached as ``workspace.evidence``."""

    def __init__(
        self,
        engine: Callable[[], Search],
        asked: Callable[[str | Query], Query],
        journal: Journal,
        documents: Documents,
    ) -> None:
        self._engine, self._asked = engine, asked
        self._journal, self._documents = journal, documents

    # Why a passage

    def retriever_names(self) -> tuple[str, ...]:
        """Those that walk a graph, so that there are paths to show."""
        engine = self._engine()
        walkers = (Hybrid, PersonalizedPageRank)
        names = [name for name in retrievers.NAMES if engine.index.covered or name != PprLlm.name]
        return tuple(name for name in names if isinstance(engine.retriever(name), walkers))

    def trace(
        self,
        question: str | Query,
        retriever: str = "hybrid",
        k: int = 10,
        *,
        nodes: int = 150,
        paths_per_hit: int = 3,
        paths: int = 6,
    ) -> Traced:
        """Search, and show the way to every hit.

        :param nodes: the most that the subgraph holds.
        :raises InvalidInput: the retriever does not walk a graph.
        """
        engine, query = self._engine(), self._asked(question)
        ranking = engine.search(query, retriever, k)
        began = time.perf_counter()
        made = evidence.trace(engine.retriever(retriever), query)
        hits = made.evidence(ranking.ids, paths=paths)
        graph = evidence.subgraph(made, hits, nodes=nodes, paths_per_hit=paths_per_hit)
        noise = evidence.noisy(made)
        seconds = time.perf_counter() - began
        names = _named(made.graph, hits, graph, noise, made.seeds)
        places = self.places(_spoken_of(hits, graph))
        figure = drawing.figure(graph, places)
        return Traced(
            query, ranking, made.seeds, hits, graph, figure, noise, names, places, made.note, seconds
        )

    def places(self, passage_ids: Collection[str]) -> dict[str, Place]:
        """Where passages stand, in words, and where facts are stated; those that are no more are left out."""
        stated = {row: passage_of(row) for row in passage_ids}
        passages = self._documents.passages_by_id(sorted(set(stated.values())))
        documents = {document.id: document for document in self._documents.all()}
        held = {
            passage.id: Place(
                passage.document_id,
                *parts(documents[passage.document_id]),
                passage.page,
                section(passage),
                passage.text,
            )
            for passage in passages.values()
            if passage.document_id in documents
        }
        facts = self._facts([row for row, passage in stated.items() if row != passage])
        return {
            row: replace(held[passage], section=f"fact: {facts[row].relation}", text=facts[row].text)
            if row in facts
            else held[passage]
            for row, passage in stated.items()
            if passage in held
        }

    def _facts(self, ids: Collection[str]) -> dict[str, Fact]:
        wanted = set(ids)
        if not wanted:
            return {}
        return {fact.id: fact for fact in self._graph(PprLlm.name).facts if fact.id in wanted}

    def difference(self, question: str | Query, first: str, second: str, k: int = 10) -> Difference:
        """What each of two retrievers finds alone among its first k, and why the other does not.

        :raises InvalidInput: they are the same.
        """
        if first == second:
            raise InvalidInput("Choose two different retrievers to compare.")
        engine = self._engine()
        return evidence.difference(
            engine.retriever(first), engine.retriever(second), self._asked(question), k
        )

    def documents(self) -> dict[str, Place]:
        """How documents are called, by id; as places without a page."""
        return {
            document.id: Place(document.id, *parts(document), 0, "", "") for document in self._documents.all()
        }

    # Entities

    def suggest(self, text: str, *, limit: int = 12, retriever: str = _GRAPH) -> tuple[KnownEntity, ...]:
        """Entities of the corpus whose name fits what was typed so far."""
        return evidence.suggest(self._graph(retriever), text, limit=limit)

    def most_named(self, *, limit: int = 14) -> tuple[KnownEntity, ...]:
        """The names in most passages, without those that tell nothing."""
        return evidence.most_named(self._engine().index, self._graph(_GRAPH), limit=limit)

    def entity(self, entity_id: str) -> EntityView:
        """:raises InvalidInput: there is none of that id."""
        return evidence.entity_view(self._engine().index, self._graph_of(entity_id), entity_id)

    def corpus_map(self, *, entities: int = 40) -> CorpusMap:
        return evidence.corpus_map(self._engine().index, self._graph(_GRAPH), entities=entities)

    def communities(self) -> tuple[DescribedCommunity, ...]:
        """Groups of names that keep occurring together, with a summary in sentences of the documents."""
        found = evidence.communities(self._engine().index, self._graph(_GRAPH), limit=_COMMUNITIES)
        described = []
        for community in found:
            passages = self._documents.passages_by_id(community.best)
            texts = {
                passage: passages[passage].text
                for passage in community.best
                if passage in passages and passages[passage].kind is PassageKind.PROSE
            }
            described.append(DescribedCommunity(community, evidence.summary(community, texts)))
        return tuple(described)

    # Corrections

    def mute(self, entity_id: str) -> None:
        """Take an entity, in all forms of its name, out of every walk of this workspace."""
        self._known(entity_id)
        for form in self.alike([entity_id]):
            self._journal.edit_entity(form, "")

    def merge(self, entity_id: str, into: str) -> None:
        """Say that an entity is the same as another one.

        :raises InvalidInput: one of them is not there, or they are one.
        """
        one, other = self._known(entity_id), self._known(into)
        if one.id == other.id:
            raise InvalidInput("An entity cannot be joined with itself. Choose another one.")
        if EntityKind(one.kind) is not EntityKind(other.kind):
            raise InvalidInput(f"{one.name} is a {one.kind}, {other.name} a {other.kind}; these stay apart.")
        self._journal.edit_entity(entity_id, into)

    def alike(self, entity_ids: Collection[str]) -> frozenset[str]:
        """The entities with all that bear their names: other forms of a name are nodes of their own."""
        found = evidence.alike(self._graph(_GRAPH), entity_ids)
        return evidence.alike(self._graph(PprLlm.name), found) if self._engine().index.covered else found

    def undo(self, entity_id: str) -> None:
        """Take a mute or a merge back."""
        muted = self._journal.entity_edits().get(entity_id) == ""
        for form in self.alike([entity_id]) if muted else (entity_id,):
            self._journal.edit_entity(form, None)

    def keep_apart(self, one: str, other: str, apart: bool = True) -> None:
        """Say that two names (keys) do not denote the same, or take that back."""
        self._journal.keep_apart(one, other, apart)

    def company(self, registrant: str) -> str:
        """The id of the company node of documents of that registrant (key); "" if there are none."""
        index = self._engine().index
        of = zip(index.segments, index.companies, strict=True)
        found = (c.id for s, c in of if c is not None and companies.registrant(s.metadata) == registrant)
        return next(found, "")

    def corrections(self) -> Corrections:
        edits = self._journal.entity_edits()
        merged = [(self._lookup(a), self._lookup(b)) for a, b in edits.items() if b]
        muted: dict[tuple[str, str], KnownEntity] = {}
        for entity in (self._lookup(entity) for entity, target in edits.items() if not target):
            muted.setdefault((entity.kind, entity.name), entity)
        apart = tuple(sorted(self._journal.names_apart()))
        index, graph = self._engine().index, self._graph(_GRAPH)
        written = evidence.as_written(index, graph, {key for pair in apart for key in pair})
        return Corrections(tuple(muted.values()), tuple(merged), apart, written)

    def fingerprint(self) -> str:
        """Changes with every correction; nothing has to be loaded for it."""
        edits = (sorted(self._journal.entity_edits().items()), sorted(self._journal.names_apart()))
        return hashlib.sha256(json.dumps(edits).encode()).hexdigest()[:12]

    def _known(self, entity_id: str) -> KnownEntity:
        if entity_id not in self._graph_of(entity_id).position:
            raise InvalidInput(f"There is no entity {entity_id!r} in these documents.")
        return self._lookup(entity_id)

    def _lookup(self, entity_id: str) -> KnownEntity:
        """Also of an entity that is in no document any more, or part of another one."""
        graph = self._graph_of(entity_id)
        if entity_id in graph.position:
            return evidence.known(graph, graph.position[entity_id])
        kind, _, key = entity_id.partition(":")
        return KnownEntity(entity_id, key, kind, 0)

    def _graph_of(self, entity_id: str) -> EntityGraph:
        """The graph that has every kind of entity, or for a name that only a language model read, its."""
        graph = self._graph(_GRAPH)
        if entity_id in graph.position or not self._engine().index.covered:
            return graph
        return self._graph(PprLlm.name).without_facts

    def _graph(self, retriever: str) -> EntityGraph:
        found = self._engine().retriever(retriever)
        if not isinstance(found, Hybrid | PersonalizedPageRank):
            raise InvalidInput(f"{retriever} does not walk a graph, so it knows no entities.")
        return found.graph


def edits_of(journal: Journal) -> EntityEdits:
    """The corrections that shape the graphs; mutes belong to the questions instead."""
    edits = journal.entity_edits()
    return EntityEdits(
        tuple((entity, target) for entity, target in edits.items() if target), journal.names_apart()
    )


def with_mutes(query: Query, journal: Journal) -> Query:
    """The question with the workspace's muted entities, but for those it adds itself."""
    muted = frozenset(entity for entity, target in journal.entity_edits().items() if not target)
    muted = query.muted | (muted - query.added)
    return query if muted == query.muted else replace(query, muted=muted)


def _spoken_of(hits: tuple[PassageEvidence, ...], drawn: Subgraph) -> set[str]:
    paths = [path for hit in hits for part in hit.parts for path in part.paths]
    between = [passages for path in paths for passages in (*path.between, path.origin) if passages]
    found = {passage for passages in between for passage in passages.passages}
    return (
        found | {hit.passage_id for hit in hits} | {node.id for node in drawn.nodes if node.kind == PASSAGE}
    )


def _named(
    graph: EntityGraph,
    hits: tuple[PassageEvidence, ...],
    drawn: Subgraph,
    noise: tuple[NoisyEntity, ...],
    seeds: tuple[SeedNode, ...],
) -> dict[str, KnownEntity]:
    ids = {seed.entity_id for seed in seeds} | {entity.entity_id for entity in noise}
    ids |= {node.id for node in drawn.nodes if node.id in graph.position}
    for hit in hits:
        for part in hit.parts:
            ids.update(part.entity_ids, *(path.entities for path in part.paths))
    return {entity: evidence.known(graph, graph.position[entity]) for entity in sorted(ids)}
