"""Names that denote the same thing, as one: for overviews, where spelling variants would be noise."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from scipy import sparse

from aethel_core.index.entity_graph import EntityGraph
from aethel_core.types import EntityKind


def alike(graph: EntityGraph, entity_ids: Collection[str]) -> frozenset[str]:
    """The entities, and those that bear the same name and are of the same kind: the forms of a name with
    and without its legal suffix are nodes of their own."""
    wanted = {
        (graph.entities[graph.position[e]].kind, graph.entities[graph.position[e]].name)
        for e in entity_ids
        if e in graph.position
    }
    same = {entity.id for entity in graph.entities if (entity.kind, entity.name) in wanted}
    return frozenset(same | set(entity_ids))


def representatives(graph: EntityGraph) -> np.ndarray:
    """For every column the column that stands for its alias group: the most frequent of the group,
    the shortest name among equals; a column without aliases stands for itself."""
    stands = np.arange(len(graph.entities))
    prefix = f"{EntityKind.NAME.value}:"
    for group in graph.aliases.groups():
        columns = [graph.position[prefix + key] for key in group if prefix + key in graph.position]
        if len(columns) > 1:
            best = min(columns, key=lambda c: (-graph.frequency[c], len(graph.entities[c].name), c))
            stands[columns] = best
    return stands


def grouped_names(graph: EntityGraph) -> tuple[np.ndarray, sparse.csr_array]:
    """The columns that stand for a group of names, ascending, and the 0/1 matrix (passages, groups)."""
    stands = representatives(graph)
    names = graph.name_columns
    chosen = np.unique(stands[names])
    place = np.full(len(graph.entities), -1, dtype=np.int64)
    place[chosen] = np.arange(chosen.size)
    matrix = graph.bipartite.incidence[:, names].tocoo()
    columns = place[stands[names[matrix.coords[1]]]]
    shape = (graph.bipartite.passages, chosen.size)
    grouped = sparse.csr_array((np.ones(columns.size), (matrix.coords[0], columns)), shape=shape)
    grouped.data[:] = 1.0
    return chosen, grouped
