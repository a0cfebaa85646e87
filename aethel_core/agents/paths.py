"""The shortest way over the entity graph from the deal's entities to a passage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aethel_core.index import Index
from aethel_core.text import match_form
from aethel_core.types import EntityKind, Passage

# Kinds that join nearly everything say little about why a passage was reached.
_BRIDGES = (EntityKind.NAME, EntityKind.COMPANY, EntityKind.DEFINED_TERM)


class Paths:
    """Paths over one snapshot. ``text`` of a step is the name of an entity or "passage"."""

    def __init__(self, index: Index) -> None:
        self._graph = index.typed_graph
        self._rows = index.row

    def seeds(self, about: Sequence[str]) -> np.ndarray:
        """Columns of the entities that the names denote: those whose name holds theirs, or is held."""
        wanted = [match_form(name) for name in about if match_form(name)]
        found = []
        for column, entity in enumerate(self._graph.entities):
            if entity.kind in _BRIDGES:
                form = match_form(entity.name)
                if form and any(form in want or want in form for want in wanted):
                    found.append(column)
        return np.array(found, dtype=np.int64)

    def path(self, about: Sequence[str], passage: Passage) -> tuple[str, ...]:
        """() where the passage is not reached in two steps, or the deal names no entity."""
        row = self._rows.get(passage.id)
        seeds = self.seeds(about)
        if row is None or not seeds.size:
            return ()
        incidence = self._graph.bipartite.incidence
        here = incidence.indices[incidence.indptr[row] : incidence.indptr[row + 1]]
        direct = np.intersect1d(here, seeds)
        if direct.size:
            return (self._graph.entities[int(direct[0])].name, "passage")
        near = self._near(seeds)
        bridges = [c for c in here if self._graph.entities[int(c)].kind in _BRIDGES and near[c]]
        if not bridges:
            return ()
        best = min(bridges, key=lambda c: (self._graph.frequency[c], self._graph.entities[int(c)].id))
        seed = self._graph.entities[int(near[best]) - 1].name
        return (seed, "passage", self._graph.entities[int(best)].name, "passage")

    def _near(self, seeds: np.ndarray) -> np.ndarray:
        """For each entity 1 + the column of a seed that shares a passage with it, 0 for none."""
        near = np.zeros(len(self._graph.entities), dtype=np.int64)
        incidence, by_entity = self._graph.bipartite.incidence, self._graph.by_entity
        for seed in seeds[::-1]:
            rows = by_entity.indices[by_entity.indptr[seed] : by_entity.indptr[seed + 1]]
            for row in rows[:500]:
                near[incidence.indices[incidence.indptr[row] : incidence.indptr[row + 1]]] = seed + 1
        return near
