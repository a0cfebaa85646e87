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

from aethel_core.entities.reading import Reading
from aethel_core.graph import BipartiteGraph
from aethel_core.index.entity_graph import FACT_MARK, EntityGraph, Fact, name_graph
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
    columns: list[tuple[int, int]] = []
    for passage, reading in readings.items():
        said: dict[tuple[int, int], list[tuple[str, str, str]]] = {}
        for triple in reading.triples:
            ends = [
                graph.position[f"{EntityKind.NAME.value}:{key}"] for key in (triple.subject, triple.object)
            ]
            names = [graph.entities[column].name for column in ends]
            said.setdefault((min(ends), max(ends)), []).append((names[0], triple.relation, names[1]))
        for number, (pair, parts) in enumerate(said.items(), start=1):
            text = "; ".join(" ".join(part) for part in parts)
            relation = "; ".join(dict.fromkeys(relation for _, relation, _ in parts))
            facts.append(Fact(f"{passage}{FACT_MARK}{number}", text, relation))
            columns.append(pair)
    if not facts:
        return graph
    where = (np.repeat(np.arange(len(facts)), 2), np.array(columns, dtype=np.int64).ravel())
    joined = sparse.csr_array((np.ones(where[0].size), where), shape=(len(facts), len(graph.entities)))
    incidence = sparse.vstack([graph.bipartite.incidence, joined], format="csr")
    return replace(graph, bipartite=BipartiteGraph(incidence), facts=tuple(facts))
