"""Entity graphs over the passages of an index, one per notion of "entity"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from aethel_core.entities.coreference import AliasTable, Join
from aethel_core.entities.filter import common_word
from aethel_core.entities.linker import Linker
from aethel_core.entities.matcher import Matcher
from aethel_core.graph import BipartiteGraph
from aethel_core.index.companies import registrant
from aethel_core.index.names import NameOccurrences, names_of
from aethel_core.index.segment import Segment
from aethel_core.types import Entity, EntityKind, Period, Statement

FACT_MARK = "#"  # between a passage's id and the number of a fact it states


def key_of(entity: Entity) -> str:
    """The normalised name in an entity's id."""
    return entity.id.partition(":")[2]


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple that a passage states, as an edge between two entities: a node of its own in the middle
    keeps the graph bipartite and the edge in sight. ``id`` is the passage's with a number."""

    id: str
    text: str
    relation: str

    @property
    def passage_id(self) -> str:
        return passage_of(self.id)


def passage_of(row_id: str) -> str:
    """The passage that a row of a graph stands for: itself, or the one that states a fact."""
    return row_id.partition(FACT_MARK)[0]


@dataclass(frozen=True)
class EntityGraph:
    """``entities[j]`` is column j of ``bipartite.incidence``; ids ascend; ``joins`` are the aliases
    that the documents state, ``apart`` the pairs of keys that a person said are none. The rows of the
    incidence are the passages of the index and, after them, the ``facts``; ``companies`` are the keys of
    the companies of the documents. Never mutated."""

    entities: tuple[Entity, ...]
    bipartite: BipartiteGraph
    joins: tuple[Join, ...] = ()
    apart: frozenset[tuple[str, str]] = frozenset()
    facts: tuple[Fact, ...] = ()
    companies: tuple[str, ...] = ()

    @property
    def passages(self) -> int:
        return self.bipartite.passages - len(self.facts)

    @cached_property
    def without_facts(self) -> EntityGraph:
        """The same entities and passages, and only the edges between these."""
        if not self.facts:
            return self
        alone = BipartiteGraph(self.bipartite.incidence[: self.passages].tocsr())
        return replace(self, bipartite=alone, facts=())

    @cached_property
    def position(self) -> dict[str, int]:
        return {entity.id: column for column, entity in enumerate(self.entities)}

    @cached_property
    def frequency(self) -> np.ndarray:
        """Passages joined to each entity, shape (entities,)."""
        incidence = self.without_facts.bipartite.incidence
        return np.bincount(incidence.indices, minlength=incidence.shape[1])

    @cached_property
    def by_entity(self) -> sparse.csc_array:
        """The edges by column: the passages of entity j are one slice of the indices."""
        return self.bipartite.incidence.tocsc()

    @cached_property
    def rarity(self) -> np.ndarray:
        """Inverse document frequency ln(1 + N/df), shape (entities,)."""
        return np.log1p(self.passages / np.maximum(self.frequency, 1))

    @cached_property
    def weighted(self) -> BipartiteGraph:
        """The same edges, each weighted by the rarity of its entity: the walk leaves a passage
        rather through what is special about it."""
        return BipartiteGraph((self.bipartite.incidence * self.rarity[None, :]).tocsr())

    @cached_property
    def name_columns(self) -> np.ndarray:
        """Columns of the name nodes, ascending; the linker's key i is column ``name_columns[i]``."""
        return np.array([c for c, e in enumerate(self.entities) if e.kind is EntityKind.NAME], dtype=np.int64)

    @cached_property
    def aliases(self) -> AliasTable:
        keys = [key_of(self.entities[c]) for c in self.name_columns]
        return AliasTable(keys, self.joins, self.apart, self.companies)

    @cached_property
    def linker(self) -> Linker:
        """From a question to name nodes."""
        return Linker(Matcher([key_of(self.entities[c]) for c in self.name_columns]), self.aliases)


def mention_graph(segments: Sequence[Segment], *sources: str) -> EntityGraph:
    """Entities joined only to the passages in which ``sources`` read them."""
    names: dict[str, Entity] = {}
    rows: list[np.ndarray] = []
    ids: list[str] = []
    first = 0
    for segment in segments:
        for table in (segment.mentions[source] for source in sources if source in segment.mentions):
            for entity in table.entities:
                names.setdefault(entity.id, entity)
            rows.append(table.rows.astype(np.int64) + first)
            ids.extend(table.entities[column].id for column in table.columns)
        first += len(segment.passage_ids)
    ordered = sorted(names)
    position = {key: column for column, key in enumerate(ordered)}
    where = (
        np.concatenate(rows) if rows else np.zeros(0, int),
        np.array([position[key] for key in ids], int),
    )
    incidence = sparse.csr_array((np.ones(len(ids)), where), shape=(first, len(ordered)))
    incidence.data[:] = 1.0
    entities = tuple(names[key] for key in ordered)
    return _of_documents(segments, entities, BipartiteGraph(incidence))


def _of_documents(
    segments: Sequence[Segment], entities: tuple[Entity, ...], bipartite: BipartiteGraph
) -> EntityGraph:
    """With what the documents say about names."""
    joins = tuple(join for segment in segments for join in segment.joins)
    companies = dict.fromkeys(registrant(segment.metadata) for segment in segments)
    return EntityGraph(entities, bipartite, joins, companies=tuple(key for key in companies if key))


def name_graph(
    segments: Sequence[Segment], occurrences: NameOccurrences, sources: Sequence[str]
) -> EntityGraph:
    """Names that ``sources`` read anywhere, joined to every passage that contains them.

    A name that is one common word ("Target", "Block") is joined only where it was read as a name.
    """
    display: dict[str, str] = {}
    for segment in segments:
        for key, name in names_of(segment, sources).items():
            display.setdefault(key, name)
    keys = [key for key in sorted(display) if not common_word(key)]
    entities = tuple(Entity.of(EntityKind.NAME, key, display[key]) for key in keys)
    spelt = EntityGraph(entities, BipartiteGraph(occurrences.incidence(segments, keys)))
    read = mention_graph(segments, *sources)
    common = [column for column, entity in enumerate(read.entities) if common_word(key_of(entity))]
    marked = EntityGraph(
        tuple(read.entities[column] for column in common),
        BipartiteGraph(read.bipartite.incidence[:, common].tocsr()),
    )
    return _side_by_side(segments, spelt, marked)


def typed_graph(
    segments: Sequence[Segment], named: EntityGraph, companies: Sequence[Entity | None]
) -> EntityGraph:
    """A `name_graph` with the nodes that govern passages: company, period and statement are joined
    to every passage of the filing, year or table they govern, line items to the rows they name.

    :param companies: the company of each segment, see `aethel_core.index.companies`.
    """
    governing = _governing(segments, companies)
    return _side_by_side(segments, named, governing, mention_graph(segments, "line item"))


def _side_by_side(segments: Sequence[Segment], *parts: EntityGraph) -> EntityGraph:
    """One graph of several over the same passages and different entities."""
    entities = tuple(entity for part in parts for entity in part.entities)
    order = sorted(range(len(entities)), key=lambda column: entities[column].id)
    incidence = sparse.hstack([part.bipartite.incidence for part in parts], format="csc")[:, order]
    ordered = tuple(entities[column] for column in order)
    return _of_documents(segments, ordered, BipartiteGraph(incidence.tocsr()))


def _governing(segments: Sequence[Segment], companies: Sequence[Entity | None]) -> EntityGraph:
    """Company and period nodes of each document, statement nodes of each passage."""
    nodes: dict[str, Entity] = {}
    rows: dict[str, list[np.ndarray]] = {}
    first = 0
    for segment, company in zip(segments, companies, strict=True):
        every = np.arange(first, first + len(segment.passage_ids))
        first += every.size
        joined = [
            (entity, every) for entity in (company, *period_entities(segment.metadata.period)) if entity
        ]
        for statement in Statement:
            held = [statement in found for found in segment.statements]
            joined.append((Entity.of(EntityKind.STATEMENT, statement.value, statement.value), every[held]))
        for entity, where in joined:
            if where.size:
                nodes.setdefault(entity.id, entity)
                rows.setdefault(entity.id, []).append(where)
    ordered = sorted(nodes)
    lists = [np.concatenate(rows[key]) for key in ordered]
    columns = np.repeat(np.arange(len(ordered)), [each.size for each in lists])
    where = (np.concatenate(lists) if lists else np.zeros(0, int), columns)
    incidence = sparse.csr_array((np.ones(columns.size), where), shape=(first, len(ordered)))
    return EntityGraph(tuple(nodes[key] for key in ordered), BipartiteGraph(incidence))


def period_entities(period: Period) -> tuple[Entity, ...]:
    """The nodes of a document's period: its fiscal year, its quarter when it has one, and the year in
    which it ended where that is another (a year to January 2023 is fiscal 2022 to one retailer and
    fiscal 2023 to the next, and to whoever asks)."""
    if period.fiscal_year is None:
        return ()
    labels = [Period(period.fiscal_year).label, period.label]
    if period.end:
        labels.append(Period(int(period.end[:4])).label)
    return tuple(Entity.of(EntityKind.PERIOD, label.lower(), label) for label in dict.fromkeys(labels))
