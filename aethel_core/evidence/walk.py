"""A finished Personalized PageRank, opened up: what flows along each edge, and how walks return.

After I iterations from p₀ = s the mass is a sum over walks by their number of steps t,

    p_I = Σ_t c(t) · Wᵗ s     with  c(t) = α(1−α)ᵗ for t < I  and  c(I) = (1−α)ᴵ.

So the mass at a node is the sum, over all walks of at most I steps from a seed to it, of the seed's
mass times the product of the entries of W along the walk times c(number of steps). The last steps
of these walks carry the **flow** (1−α)·W[v,u]·p_{I−1}[u] along the edge u → v: what flows into a node
is its mass, exactly, less the α·s[v] it gets as a seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from aethel_core.graph import TOLERANCE, BipartiteGraph, pagerank


@dataclass(frozen=True, slots=True)
class Start:
    """The personalization of one walk: (column, mass) of entities, (row, mass) of passages; none
    repeated."""

    entities: tuple[tuple[int, float], ...]
    passages: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Walk:
    """``before`` is the mass one iteration before the last, ``mass`` that after it, each as
    (passages (N,), entities (M,)). ``states`` are Wᵗ s for t = 0 … I − 1 where they were kept, on the
    entities for even t and on the passages for odd."""

    graph: BipartiteGraph
    start: Start
    teleport: float
    iterations: int
    before: tuple[np.ndarray, np.ndarray]
    mass: tuple[np.ndarray, np.ndarray]
    states: tuple[np.ndarray, ...] = ()

    @cached_property
    def lengths(self) -> np.ndarray:
        """c(t) for t = 0 … I, shape (I + 1,)."""
        steps = (1 - self.teleport) ** np.arange(self.iterations + 1)
        steps[:-1] *= self.teleport
        return steps

    @cached_property
    def top(self) -> float:
        """The largest mass it brings any passage."""
        return float(self.mass[0].max(initial=0.0))

    def into_passage(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Columns of the passage's entities, and the flow from each to the passage."""
        block = self.graph.to_passages
        part = slice(block.indptr[row], block.indptr[row + 1])
        columns = block.indices[part]
        return columns, (1 - self.teleport) * block.data[part] * self.before[1][columns]

    def into_entity(self, column: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the entity's passages, and the flow from each to the entity."""
        block = self.graph.to_entities
        part = slice(block.indptr[column], block.indptr[column + 1])
        rows = block.indices[part]
        return rows, (1 - self.teleport) * block.data[part] * self.before[0][rows]


def walks(
    graph: BipartiteGraph,
    starts: Sequence[Start],
    *,
    teleport: float,
    iterations: int,
    tolerance: float = TOLERANCE,
) -> tuple[Walk, ...]:
    """One walk per start, as one batch, of as many steps as `pagerank` takes with these settings."""
    entities, passages = np.zeros((graph.entities, len(starts))), np.zeros((graph.passages, len(starts)))
    for place, start in enumerate(starts):
        for column, mass in start.entities:
            entities[column, place] = mass
        for row, mass in start.passages:
            passages[row, place] = mass
    states: list[np.ndarray] = []
    if tolerance == 0 and iterations > 1 and not passages.any():
        taken, states = iterations, _states(graph, entities, iterations)
        before_p, before_e = _summed(states, (graph.passages, len(starts)), teleport)
    else:
        taken, before_p, before_e = _before(graph, entities, passages, teleport, iterations, tolerance)
    mass_p = teleport * passages + (1 - teleport) * (graph.to_passages @ before_e)
    mass_e = teleport * entities + (1 - teleport) * (graph.to_entities @ before_p)
    return tuple(
        Walk(
            graph,
            start,
            teleport,
            taken,
            (before_p[:, place], before_e[:, place]),
            (mass_p[:, place], mass_e[:, place]),
            tuple(state[:, place] for state in states),
        )
        for place, start in enumerate(starts)
    )


def _before(
    graph: BipartiteGraph,
    entities: np.ndarray,
    passages: np.ndarray,
    teleport: float,
    iterations: int,
    tolerance: float,
) -> tuple[int, np.ndarray, np.ndarray]:
    """How many steps the walks take, and their mass before the last of them."""
    if iterations == 1:
        return 1, passages, entities
    found = pagerank(
        graph, entities, passages, teleport=teleport, iterations=iterations - 1, tolerance=tolerance
    )
    if not found.converged:
        return iterations, found.passages, found.entities
    if found.iterations == 1:
        return 1, passages, entities
    # It ended early: once more, to one step before. A tolerance of 0 is never undercut.
    earlier = pagerank(
        graph, entities, passages, teleport=teleport, iterations=found.iterations - 1, tolerance=0.0
    )
    return found.iterations, earlier.passages, earlier.entities


def _states(graph: BipartiteGraph, entities: np.ndarray, iterations: int) -> list[np.ndarray]:
    """Wᵗ s for t = 0 … I − 1, from entities alone: the t-th step is on one side of the graph only, so one
    product makes it."""
    states = [entities]
    for step in range(1, iterations):
        states.append((graph.to_passages if step % 2 else graph.to_entities) @ states[-1])
    return states


def _summed(
    states: Sequence[np.ndarray], shape: tuple[int, int], teleport: float
) -> tuple[np.ndarray, np.ndarray]:
    """The mass of passages and entities one iteration before the last: Σ_t c(t) · Wᵗ s."""
    masses = [np.zeros(shape), teleport * states[0]]
    for step, state in enumerate(states[1:], start=1):
        last = step == len(states) - 1
        masses[(step + 1) % 2] += (1 - teleport) ** step * (1.0 if last else teleport) * state
    return masses[0], masses[1]


class Kernel:
    """What two steps do, seen from the entities: K[e, e'] = Σ_p A[p,e]·A[p,e'] / d(p).

    K is symmetric, and a walk goes from e over some passage to e' with probability K[e', e] / d(e),
    d being the strength of a node.
    """

    def __init__(self, graph: BipartiteGraph) -> None:
        self.graph = graph
        self._known: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def passages(self, column: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the entity's passages, and the chance of a walk from each to the entity."""
        part = slice(*self.graph.by_entity.indptr[column : column + 2])
        rows = self.graph.by_entity.indices[part]
        return rows, self.graph.by_entity.data[part] * self._inverse[rows]

    @cached_property
    def _inverse(self) -> np.ndarray:
        strength = self.graph.passage_strength
        return np.divide(1.0, strength, out=np.zeros_like(strength), where=strength > 0)

    @cached_property
    def diagonal(self) -> np.ndarray:
        incidence = self.graph.incidence
        rows = np.repeat(self._inverse, np.diff(incidence.indptr))
        return np.bincount(incidence.indices, weights=incidence.data**2 * rows, minlength=incidence.shape[1])

    def rows(self, columns: Sequence[int]) -> sparse.csr_array:
        """K[columns, :], shape (len(columns), M)."""
        part = self.graph.by_entity[np.asarray(columns, dtype=np.int64)]
        chances = (part.data * self._inverse[part.indices], part.indices, part.indptr)
        return (sparse.csr_array(chances, shape=part.shape) @ self.graph.incidence).tocsr()

    def near(self, columns: Iterable[int]) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        """K[e, :] of each e as (columns, values), remembered."""
        wanted = sorted(set(columns))
        missing = [column for column in wanted if column not in self._known]
        if missing:
            found = self.rows(missing)
            for place, column in enumerate(missing):
                part = slice(*found.indptr[place : place + 2])
                self._known[column] = (found.indices[part], found.data[part])
        return {column: self._known[column] for column in wanted}


def passage_returns(graph: BipartiteGraph, rows: Sequence[int], order: int) -> np.ndarray:
    """(W²ⁿ)[p, p] for n = 0 … ``order``, shape (len(rows), order + 1).

    W = A·D⁻¹ with a symmetric A, hence (W²ⁿ)[p,p] = d(p) · Σ_x (Wⁿ)[x,p]² / d(x): half of the steps do.
    """
    state = np.zeros((graph.passages, len(rows)))
    state[list(rows), np.arange(len(rows))] = 1.0
    strength = graph.passage_strength[list(rows)]
    found = np.ones((len(rows), order + 1))
    for step in range(1, order + 1):
        state = (graph.to_entities if step % 2 else graph.to_passages) @ state
        at = graph.entity_strength if step % 2 else graph.passage_strength
        found[:, step] = strength * np.einsum("xp,xp,x->p", state, state, 1 / np.maximum(at, 1e-300))
    return found


def entity_returns(
    graph: BipartiteGraph,
    columns: Sequence[int],
    rows: Sequence[int],
    order: int,
    known: Mapping[int, Sequence[np.ndarray]],
) -> tuple[np.ndarray, np.ndarray]:
    """(W²ⁿ)[e, e], n = 0 … ``order``, shape (entities, order + 1), and (W²ⁿ⁺¹)[p, e], n = 0 … order − 1,
    shape (entities, passages, order), for e in ``columns``, p in ``rows``.

    :param known: for some of the entities Wᵗ e, t = 0 … 2 · order − 1, which need not be walked again.
    """
    rows = list(rows)
    home = np.zeros((len(columns), order + 1))
    reach = np.zeros((len(columns), len(rows), order))
    places = {column: place for place, column in enumerate(columns)}
    for column in known.keys() & places.keys() if order else ():
        states, place = known[column], places.pop(column)
        for n in range(order):
            home[place, n] = states[2 * n][column]
            reach[place, :, n] = states[2 * n + 1][rows]
        part = slice(*graph.to_entities.indptr[column : column + 2])
        last = states[2 * order - 1][graph.to_entities.indices[part]]
        home[place, order] = graph.to_entities.data[part] @ last
    left, at = list(places), list(places.values())
    state = np.zeros((graph.entities, len(left)))
    state[left, np.arange(len(left))] = 1.0
    for n in range(order if left else 0):
        home[at, n] = state[left, np.arange(len(left))]
        passages = graph.to_passages @ state
        reach[at, :, n] = passages[rows].T
        state = graph.to_entities @ passages
    home[at, order] = state[left, np.arange(len(left))]
    return home, reach
