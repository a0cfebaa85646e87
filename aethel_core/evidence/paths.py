"""Which paths led to a passage, and how much of its mass came by each: exact, and never twice.

The mass of a passage is a sum over walks (see `walk`). A walk wanders; what it says about the passage
is left when its circles are cut out. Every walk from a seed e₀ to the passage p is **reduced** so:

1. what follows its first arrival at p is cut off (circles from p back to p);
2. of the rest, what precedes its last visit to e₀ is cut off (circles at the seed);
3. a step to some passage and straight back to the same entity is cut out (a stay).

What remains is a **path** e₀ → (some passage) → e₁ → … → eₖ → p. It is known by its entities, so
paths that differ only in the passage between the same two entities are one path. The **mass of a
path** is the sum of the contributions of all walks that reduce to it. Each walk reduces to one path,
so the masses of all paths sum to the mass of p. A walk that starts at a passage (BCT's self
references) is reduced in the same way but for step 2; all starting passages count as one start.

Listed are paths with at most `BRIDGES` entities between the seed and p; the rest, and what was not
worth listing, is ``other``. With r(z) the generating function of returns to e₀ that avoid p, g(z) that
of returns to p, bᵢ the chance of a stay at eᵢ and B the transition over one passage, both avoiding
p, the walks of a path have the generating function

    s(e₀) · r(z) · Π B[eᵢ, eᵢ₋₁] / (1 − bᵢz) · W[p, eₖ] · g(z),   z standing for two steps,

whose coefficients are weighed by c(t). r comes from the returns R to e₀ and the walks M from e₀ to p
and M′ back: r = R − z·M·M′/g. Which candidates are tried is bounded (`candidates`); the mass of
each is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from aethel_core.evidence.candidates import Breadth, Candidate, Finder, Target
from aethel_core.evidence.walk import Kernel, Walk, entity_returns, passage_returns

BRIDGES = 2


@dataclass(frozen=True, slots=True)
class Chain:
    """A path: its seed (None where walks start at passages), the entities between, its mass."""

    seed: int | None
    bridges: tuple[int, ...]
    mass: float


@dataclass(frozen=True, slots=True)
class Account:
    """The mass of a passage (row) by path, most mass first; ``other`` is the mass of all further paths."""

    row: int
    mass: float
    chains: tuple[Chain, ...]

    @property
    def other(self) -> float:
        return max(self.mass - sum(path.mass for path in self.chains), 0.0)


def accounts(
    walks: Sequence[Walk],
    kernel: Kernel,
    rows: Sequence[int],
    *,
    limit: int | None = 6,
    breadth: Breadth | None = None,
) -> tuple[tuple[Account, ...], ...]:
    """For each walk the accounts of the passages ``rows``, with at most ``limit`` paths each.

    :param walks: at least one, all on the kernel's graph and with as many iterations.
    """
    finders = [Finder(walk, kernel, rows, breadth or Breadth()) for walk in walks]
    found = [finder.found() for finder in finders]
    seeds = {c.seed for of_walk in found for candidates in of_walk for c in candidates}
    series = _Series(kernel, rows, seeds, walks[0].iterations)
    return tuple(
        tuple(
            _account(walk, series, target, place, candidates, limit)
            for place, (target, candidates) in enumerate(zip(finder.targets, of_walk, strict=True))
        )
        for walk, finder, of_walk in zip(walks, finders, found, strict=True)
    )


def _account(
    walk: Walk,
    series: _Series,
    target: Target,
    place: int,
    candidates: Sequence[Candidate],
    limit: int | None,
) -> Account:
    masses = [c.straight * series.weight(walk.lengths, target, place, c) for c in candidates]
    order = sorted(range(len(masses)), key=lambda i: (-masses[i], candidates[i].order))
    chains = (Chain(candidates[i].seed, candidates[i].bridges, masses[i]) for i in order[:limit])
    return Account(target.row, float(walk.mass[0][target.row]), tuple(chains))


class _Series:
    """Generating functions by coefficient of z, of shape (…, order + 1)."""

    def __init__(
        self, kernel: Kernel, rows: Sequence[int], seeds: Iterable[int | None], iterations: int
    ) -> None:
        self.kernel, self.graph, self.order = kernel, kernel.graph, iterations // 2
        columns = sorted(seed for seed in seeds if seed is not None)
        self.seeds = {column: place for place, column in enumerate(columns)}
        self.to_passage = passage_returns(self.graph, rows, self.order)  # g, (passages, …)
        self.to_seed = self._avoiding(columns, rows)  # r, (seeds, passages, …)

    def _avoiding(self, columns: Sequence[int], rows: Sequence[int]) -> np.ndarray:
        graph = self.graph
        returns, reach = entity_returns(graph, columns, rows, self.order)
        away = np.repeat(returns[:, None, :], len(rows), axis=1)
        for s, column in enumerate(columns):
            for p, row in enumerate(rows):
                if graph.passage_strength[row]:
                    # A is symmetric, so the way back differs from the way there by the strengths.
                    back = reach[s, p] * (graph.entity_strength[column] / graph.passage_strength[row])
                    over_p = _divided(self._product(reach[s, p], back), self.to_passage[p])
                    away[s, p, 1:] = np.maximum(away[s, p, 1:] - over_p[:-1], 0.0)
        return away

    def weight(self, lengths: np.ndarray, target: Target, place: int, candidate: Candidate) -> float:
        """All walks that reduce to the candidate, as a multiple of its straight walk without c(t)."""
        series = self.to_passage[place]
        if candidate.seed is not None:
            series = self._product(series, self.to_seed[self.seeds[candidate.seed], place])
        for entity in candidate.bridges:
            stay = self.kernel.diagonal[entity] - target.joined[entity] ** 2 / target.strength
            chance = max(stay, 0.0) / self.graph.entity_strength[entity]
            series = self._product(series, chance ** np.arange(self.order + 1))
        steps = 2 * len(candidate.bridges) + (candidate.seed is not None)
        counted = lengths[steps::2]
        return float(series[: counted.size] @ counted)

    def _product(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.convolve(one, other)[: self.order + 1]


def _divided(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """The quotient of two power series, the denominator beginning with 1."""
    quotient = np.zeros_like(numerator)
    for n in range(numerator.size):
        quotient[n] = numerator[n] - quotient[:n] @ denominator[n:0:-1]
    return quotient
