"""Entities that draw in noise: they are everywhere, and much of the walk goes over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aethel_core.evidence.trace import Trace
from aethel_core.types import EntityKind

LEAST, LEAST_SHARE = 10, 0.01  # passages that an entity must be in to count as everywhere
GOVERNING = frozenset({EntityKind.COMPANY, EntityKind.PERIOD, EntityKind.STATEMENT})


@dataclass(frozen=True, slots=True)
class NoisyEntity:
    """``passages`` is the entity's degree, ``everywhere`` its share of all passages; ``flow`` is what
    the last step carried from it to passages, as a share of all that was carried to passages."""

    entity_id: str
    name: str
    kind: str
    passages: int
    everywhere: float
    flow: float
    seed: bool


def noisy(trace: Trace, *, limit: int = 10) -> tuple[NoisyEntity, ...]:
    """By degree × flow, highest first, of entities in at least `LEAST` passages and `LEAST_SHARE` of
    them all. Companies, periods and statements govern their passages by intent and are left out."""
    graph = trace.graph
    flow = np.zeros(len(graph.entities))
    for scale, walk in trace.walks:
        flow += scale * np.where(walk.graph.entity_strength > 0, walk.before[1], 0.0)
    total = float(flow.sum())
    if not total:
        return ()
    weights = graph.frequency * flow
    seeds = {seed.entity_id for seed in trace.seeds}
    found: dict[tuple[str, str], NoisyEntity] = {}
    for column in np.argsort(-weights, kind="stable").tolist():
        entity = graph.entities[column]
        if len(found) == limit or not weights[column]:
            break
        degree = int(graph.frequency[column])
        share = degree / max(graph.passages, 1)
        if entity.kind not in GOVERNING and degree >= LEAST and share >= LEAST_SHARE:
            made = NoisyEntity(
                entity.id,
                entity.name,
                entity.kind.value,
                degree,
                share,
                float(flow[column]) / total,
                entity.id in seeds,
            )
            found.setdefault((made.kind, made.name), made)  # forms of one name count as one
    return tuple(found.values())
