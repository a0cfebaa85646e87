"""The graph of what a language model read: names joined to passages, and triples that join names.

A name is joined to every passage that contains it on word boundaries, as the names of the recogniser
are, also to passages that no model has read yet. A triple joins its two names by an edge, which
holds the fact in its middle (`Fact`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy import sparse

from aethel_core.entities.coreference import variants
from aethel_core.entities.reading import Reading, Triple
from aethel_core.graph import BipartiteGraph
from aethel_core.index.entity_graph import FACT_MARK, EntityGraph, Fact, key_of, name_graph
from aethel_core.index.names import NameOccurrences, names_of
from aethel_core.index.segment import MentionTable, Segment
from aethel_core.types import EntityKind

_SOURCE = "model"


def model_graph(
    segments: Sequence[Segment], occurrences: NameOccurrences, readings: Mapping[str, Reading]
) -> EntityGraph:
    """:param readings: by passage id; those of passages that are not in ``segments`` do not count."""
    read = [_with_mentions(segment, readings) for segment in segments]
    keys = {key for segment in read for key in names_of(segment, (_SOURCE,))}
    named = name_graph(read, occurrences.knowing(segments, keys), (_SOURCE,))
    held = {passage: readings[passage] for s in segments for passage in s.passage_ids if passage in readings}
    return _with_facts(named, held)


def _with_mentions(segment: Segment, readings: Mapping[str, Reading]) -> Segment:
    found = [
        (row, entity)
        for row, passage in enumerate(segment.passage_ids)
        if passage in readings
        for entity in readings[passage].entities
    ]
    return replace(segment, mentions={_SOURCE: MentionTable.of(found)})


def _with_facts(graph: EntityGraph, readings: Mapping[str, Reading]) -> EntityGraph:
    """One fact for each pair of names that a passage joins, with all that it says of the pair."""
    facts: list[Fact] = []
    rows: list[int] = []
    columns: list[int] = []
    for passage, reading in readings.items():
        names = {key_of(entity): entity.name for entity in reading.entities}
        for number, ((one, other), said) in enumerate(_by_pair(reading).items(), start=1):
            text = "; ".join(f"{names[t.subject]} {t.relation} {names[t.object]}" for t in said)
            relation = "; ".join(dict.fromkeys(triple.relation for triple in said))
            ends = {*_forms(graph, one, names[one]), *_forms(graph, other, names[other])}
            rows += [len(facts)] * len(ends)
            columns += sorted(ends)
            facts.append(Fact(f"{passage}{FACT_MARK}{number}", text, relation))
    if not facts:
        return graph
    shape = (len(facts), len(graph.entities))
    joined = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    incidence = sparse.vstack([graph.bipartite.incidence, joined], format="csr")
    return replace(graph, bipartite=BipartiteGraph(incidence), facts=tuple(facts))


def _by_pair(reading: Reading) -> dict[tuple[str, str], list[Triple]]:
    said: dict[tuple[str, str], list[Triple]] = {}
    for triple in reading.triples:
        pair = (min(triple.subject, triple.object), max(triple.subject, triple.object))
        said.setdefault(pair, []).append(triple)
    return said


def _forms(graph: EntityGraph, key: str, name: str) -> set[int]:
    """The nodes of a name: a question may mean it by any of its forms, and a passage that holds the long
    one is joined to all of them, too."""
    ids = (f"{EntityKind.NAME.value}:{form}" for form in (key, *variants(name)))
    return {graph.position[each] for each in ids if each in graph.position}
