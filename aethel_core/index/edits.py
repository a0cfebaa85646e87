"""What people corrected about entities, applied to a graph: two that are one, aliases that are not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from scipy import sparse

from aethel_core.entities.coreference import Join, Rule
from aethel_core.graph import BipartiteGraph
from aethel_core.index.entity_graph import EntityGraph, key_of


@dataclass(frozen=True, slots=True)
class EntityEdits:
    """``merged``: (entity id, id of the one it is part of). ``apart``: pairs of names' keys, each pair
    ascending, that do not denote the same whatever the documents say."""

    merged: tuple[tuple[str, str], ...] = ()
    apart: frozenset[tuple[str, str]] = field(default_factory=frozenset)

    @property
    def empty(self) -> bool:
        return not self.merged and not self.apart

    def applied(self, graph: EntityGraph) -> EntityGraph:
        """The graph with merged entities as one node, which has the passages of all; edits of
        entities it does not hold change nothing."""
        target = _targets(graph, self.merged)
        if not target:
            return replace(graph, apart=self.apart) if self.apart else graph
        kept = np.array([c for c in range(len(graph.entities)) if c not in target], dtype=np.int64)
        place = {int(column): new for new, column in enumerate(kept)}
        matrix = graph.bipartite.incidence.tocoo()
        columns = np.array([place[target.get(c, c)] for c in range(len(graph.entities))], dtype=np.int64)
        where = (matrix.coords[0], columns[matrix.coords[1]])
        joined = sparse.csr_array((matrix.data, where), shape=(matrix.shape[0], kept.size))
        joined.data[:] = np.minimum(joined.data, 1.0)  # a passage of both is joined once
        joins = (
            Join(*(key_of(graph.entities[c]) for c in (into, column)), Rule.PERSON)
            for column, into in sorted(target.items())
        )
        entities = tuple(graph.entities[column] for column in kept)
        return replace(
            graph,
            entities=entities,
            bipartite=BipartiteGraph(joined),
            joins=(*graph.joins, *joins),
            apart=self.apart,
        )


def _targets(graph: EntityGraph, merged: tuple[tuple[str, str], ...]) -> dict[int, int]:
    """Column → the column it goes into at last; chains are followed, circles are left alone."""
    into = {a: b for a, b in merged if a in graph.position and b in graph.position and a != b}
    found: dict[int, int] = {}
    for start in into:
        seen, at = {start}, into[start]
        while at in into and at not in seen:
            seen.add(at)
            at = into[at]
        if at not in seen:
            found[graph.position[start]] = graph.position[at]
    return found
