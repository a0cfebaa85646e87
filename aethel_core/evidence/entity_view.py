"""One entity: its other names and the rules that joined them, where it occurs, and with whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from aethel_core.errors import InvalidInput
from aethel_core.evidence.groups import telling_names
from aethel_core.evidence.spelling import as_written
from aethel_core.evidence.walk import Kernel
from aethel_core.index import Index
from aethel_core.index.companies import company_joins
from aethel_core.index.entity_graph import EntityGraph, key_of
from aethel_core.text import match_form
from aethel_core.types import Entity, EntityKind

NEIGHBOURS = 15
_EVERYWHERE = (EntityKind.PERIOD, EntityKind.STATEMENT)  # they govern whole documents: no news as neighbours


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity of the corpus, for lists to choose from."""

    id: str
    name: str
    kind: str
    passages: int


@dataclass(frozen=True, slots=True)
class AliasPair:
    """Two names (keys, and as they are written) and the rule that joins them; ``near`` is nearness only,
    not sameness."""

    one: str
    other: str
    rule: str
    near: bool
    one_name: str
    other_name: str


@dataclass(frozen=True, slots=True)
class Neighbour:
    """``shared`` passages hold both; ``chance`` is that of a walk from the entity to this one."""

    id: str
    name: str
    kind: str
    shared: int
    chance: float


@dataclass(frozen=True, slots=True)
class EntityView:
    """``passages`` in the order of their documents and pages. ``documents``: (document id, passages);
    ``periods``: (label of the fiscal period, passages), oldest first, "" where it is not known."""

    id: str
    name: str
    kind: str
    key: str
    pairs: tuple[AliasPair, ...]
    documents: tuple[tuple[str, int], ...]
    periods: tuple[tuple[str, int], ...]
    passages: tuple[str, ...]
    neighbours: tuple[Neighbour, ...]


def suggest(graph: EntityGraph, text: str, *, limit: int = 12) -> tuple[KnownEntity, ...]:
    """Entities whose name begins with, has a word that begins with, or contains ``text``, in this
    order; the more frequent first. Without any letter in ``text``: the most frequent of all."""
    wanted = match_form(text).strip()
    ranked = []
    for column, entity in enumerate(graph.entities):
        key = match_form(entity.name).strip() or key_of(entity)
        at = f" {key}".find(f" {wanted}")
        closeness = 0 if at == 0 else 1 if at > 0 else 2 if wanted in key else 3
        if closeness < 3:
            ranked.append((closeness, -int(graph.frequency[column]), entity.id, column))
    found: dict[tuple[str, str], KnownEntity] = {}
    for *_, column in sorted(ranked):
        entity = known(graph, column)
        found.setdefault((entity.kind, entity.name), entity)  # forms of one name count as one
        if len(found) == limit:
            break
    return tuple(found.values())


def most_named(index: Index, graph: EntityGraph, *, limit: int = 14) -> tuple[KnownEntity, ...]:
    """The names in most passages, of those that tell something (see `groups`)."""
    columns, grouped = telling_names(index, graph)
    passages = np.bincount(grouped.indices, minlength=columns.size)
    best = np.argsort(-passages, kind="stable")[:limit]
    return tuple(replace(known(graph, int(columns[c])), passages=int(passages[c])) for c in best)


def known(graph: EntityGraph, column: int) -> KnownEntity:
    entity = graph.entities[column]
    return KnownEntity(entity.id, entity.name, entity.kind.value, int(graph.frequency[column]))


def entity_view(index: Index, graph: EntityGraph, entity_id: str) -> EntityView:
    """:raises InvalidInput: the graph holds no such entity."""
    if entity_id not in graph.position:
        raise InvalidInput(f"There is no entity {entity_id!r} in these documents.")
    column = graph.position[entity_id]
    entity = graph.entities[column]
    kernel = Kernel(graph.bipartite)
    rows = np.sort(kernel.passages(column)[0])
    documents = Counter(index.document_of[rows].tolist())
    return EntityView(
        entity.id,
        entity.name,
        entity.kind.value,
        key_of(entity),
        _pairs(index, graph, entity),
        tuple((index.segments[d].document_id, n) for d, n in sorted(documents.items())),
        _periods(index, documents),
        tuple(index.ids[int(row)] for row in rows),
        _neighbours(graph, kernel, column),
    )


def _pairs(index: Index, graph: EntityGraph, entity: Entity) -> tuple[AliasPair, ...]:
    """What makes the entity one: of names the joins of their group, then the names that overlap with its
    own; of a company its registrants with the name they share."""
    if entity.kind is EntityKind.NAME:
        pairs = _name_pairs(graph, key_of(entity))
    elif entity.kind is EntityKind.COMPANY:
        pairs = _company_pairs(index, graph, entity)
    else:
        pairs = []
    written = as_written(index, graph, {key for one, other, *_ in pairs for key in (one, other)})
    return tuple(AliasPair(*pair, written[pair[0]], written[pair[1]]) for pair in pairs)


def _company_pairs(index: Index, graph: EntityGraph, entity: Entity) -> list[tuple[str, str, str, bool]]:
    own = [
        segment.metadata
        for segment, company in zip(index.segments, index.companies, strict=True)
        if company is not None and company.id == entity.id
    ]
    joins = company_joins(own, index.edits.apart)
    written = as_written(index, graph, {join.shared for join in joins})
    return [
        (join.one, join.other, f"documents of both give the name “{written[join.shared]}”", False)
        for join in joins
    ]


def _name_pairs(graph: EntityGraph, key: str) -> list[tuple[str, str, str, bool]]:
    table = graph.aliases
    group = {key, *(alias.key for alias in table.aliases(key))}
    joins = [join for join in table.joins if join.long in group and join.short in group]
    joined = {frozenset((join.long, join.short)) for join in joins}
    pairs = [(join.long, join.short, join.rule.value, False) for join in joins]
    pairs += [
        (key, alias.key, alias.rule.value, True)
        for alias in table.overlaps(key)
        if frozenset((key, alias.key)) not in joined
    ]
    return pairs


def _periods(index: Index, documents: Counter[int]) -> tuple[tuple[str, int], ...]:
    counted: Counter[tuple[int, int, str]] = Counter()
    for document, passages in documents.items():
        period = index.segments[document].metadata.period
        counted[period.fiscal_year or 0, period.quarter or 5, period.label] += passages
    return tuple((label, passages) for (_, _, label), passages in sorted(counted.items()))


def _neighbours(graph: EntityGraph, kernel: Kernel, column: int) -> tuple[Neighbour, ...]:
    columns, weights = kernel.near([column])[column]
    rows = kernel.passages(column)[0]
    both = np.bincount(graph.bipartite.incidence[rows].indices, minlength=len(graph.entities))
    order = np.argsort(-weights, kind="stable")
    strength = graph.bipartite.entity_strength[column]
    seen = {(graph.entities[column].kind, graph.entities[column].name)}
    best = []
    for place in order.tolist():
        entity = graph.entities[columns[place]]
        if entity.kind not in _EVERYWHERE and (entity.kind, entity.name) not in seen:
            seen.add((entity.kind, entity.name))
            best.append(place)
    best = best[:NEIGHBOURS]
    return tuple(
        Neighbour(
            graph.entities[columns[place]].id,
            graph.entities[columns[place]].name,
            graph.entities[columns[place]].kind.value,
            int(both[columns[place]]),
            float(weights[place] / strength),
        )
        for place in best
    )
