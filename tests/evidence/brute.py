"""Every walk of a small graph, one by one: what the exact account has to agree with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from scipy import sparse

from aethel_core.evidence.walk import Start
from aethel_core.graph import BipartiteGraph

Node = tuple[str, int]  # ("e", column) or ("p", row)


def random_graph(seed: int, passages: int = 5, entities: int = 4, *, weighted: bool = True) -> BipartiteGraph:
    random = np.random.default_rng(seed)
    matrix = (random.random((passages, entities)) < 0.5).astype(float)
    if weighted:
        matrix *= random.uniform(0.5, 2.0, (1, entities))
    return BipartiteGraph(sparse.csr_array(matrix))


def transitions(graph: BipartiteGraph) -> dict[Node, list[tuple[Node, float]]]:
    """W as a list of (neighbour, probability) per node, straight from the definition."""
    matrix = graph.incidence.toarray()
    steps: dict[Node, list[tuple[Node, float]]] = {}
    for row, weights in enumerate(matrix):
        steps["p", row] = [
            (("e", int(c)), float(weights[c] / weights.sum())) for c in np.flatnonzero(weights)
        ]
    for column, weights in enumerate(matrix.T):
        steps["e", column] = [
            (("p", int(r)), float(weights[r] / weights.sum())) for r in np.flatnonzero(weights)
        ]
    return steps


def walks(
    graph: BipartiteGraph, start: Start, teleport: float, iterations: int
) -> Iterator[tuple[list[Node], float]]:
    """Every walk of at most ``iterations`` steps from a seed, with its contribution to its last node."""
    steps = transitions(graph)
    stack = [([("e", c)], m) for c, m in start.entities] + [([("p", r)], m) for r, m in start.passages]
    while stack:
        walk, mass = stack.pop()
        t = len(walk) - 1
        yield walk, mass * (1 - teleport) ** t * (teleport if t < iterations else 1.0)
        if t < iterations:
            stack += [([*walk, node], mass * chance) for node, chance in steps[walk[-1]]]


def reduced(walk: list[Node]) -> tuple[int | None, tuple[int, ...]]:
    """(seed, bridges) of a walk to a passage, by the three steps of the definition."""
    target = walk[-1]
    walk = walk[: walk.index(target)]
    seed = None
    if walk and walk[0][0] == "e":
        seed = walk[0][1]
        last = max(place for place, node in enumerate(walk) if node == walk[0])
        walk = walk[last + 1 :]
    entities: list[int] = []
    for kind, number in walk:
        if kind == "e" and entities[-1:] != [number]:
            entities.append(number)
    return seed, tuple(entities)


def by_path(
    graph: BipartiteGraph, start: Start, teleport: float, iterations: int, row: int
) -> dict[tuple[int | None, tuple[int, ...]], float]:
    masses: dict[tuple[int | None, tuple[int, ...]], float] = defaultdict(float)
    for walk, contribution in walks(graph, start, teleport, iterations):
        if walk[-1] == ("p", row):
            masses[reduced(walk)] += contribution
    return masses
