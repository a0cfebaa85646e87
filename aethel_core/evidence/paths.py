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

from aethel_core.evidence.candidates import Approaches, Breadth, Candidate, Finder, Target
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
    rows: Sequence[Sequence[int]],
    *,
    limit: int | None = 6,
    breadth: Breadth | None = None,
) -> tuple[tuple[Account, ...], ...]:
    """For each walk the accounts of passages, with at most ``limit`` paths each.

    :param walks: at least one, all on the kernel's graph and with as many iterations.
    :param rows: for each walk, the passages that are asked for.
    """
    approaches = Approaches(kernel)
    finders = [
        Finder(walk, approaches, asked, breadth or Breadth()) for walk, asked in zip(walks, rows, strict=True)
    ]
    approaches.prepare([target for finder in finders for target in finder.targets])
    found = [finder.found() for finder in finders]
    seeds = {c.seed for of_walk in found for candidates in of_walk for c in candidates}
    every = sorted({row for asked in rows for row in asked})
    series = _Series(walks, kernel, every, seeds)
    return tuple(
        tuple(
            _account(walk, series, target, candidates, limit)
            for target, candidates in zip(finder.targets, of_walk, strict=True)
        )
        for walk, finder, of_walk in zip(walks, finders, found, strict=True)
    )


def _account(
    walk: Walk, series: _Series, target: Target, candidates: Sequence[Candidate], limit: int | None
) -> Account:
    masses = series.masses(walk.lengths, target, candidates)
    order = sorted(range(len(masses)), key=lambda i: (-masses[i], candidates[i].order))
    chains = (Chain(candidates[i].seed, candidates[i].bridges, masses[i]) for i in order[:limit])
    return Account(target.row, float(walk.mass[0][target.row]), tuple(chains))


class _Series:
    """Generating functions by coefficient of z, of shape (…, order + 1)."""

    def __init__(
        self, walks: Sequence[Walk], kernel: Kernel, rows: Sequence[int], seeds: Iterable[int | None]
    ) -> None:
        self.kernel, self.graph, self.order = kernel, kernel.graph, walks[0].iterations // 2
        columns = sorted(seed for seed in seeds if seed is not None)
        self.rows = {row: place for place, row in enumerate(rows)}
        self.seeds = {column: place for place, column in enumerate(columns)}
        self._to_passage = passage_returns(self.graph, rows, self.order)  # g, (passages, …)
        known = {walk.start.entities[0][0]: walk.states for walk in walks if _of_one(walk)}
        self._home, self._reach = entity_returns(self.graph, columns, rows, self.order, known)
        self._begun: dict[tuple[int | None, int], np.ndarray] = {}

    def masses(self, lengths: np.ndarray, target: Target, candidates: Sequence[Candidate]) -> list[float]:
        """What all walks bring that reduce to each candidate."""
        if not candidates:
            return []
        product = np.stack([self._from(c.seed, target.row) for c in candidates], axis=1)
        for place in range(max(len(c.bridges) for c in candidates)):
            at = [number for number, c in enumerate(candidates) if len(c.bridges) > place]
            stays = self._stays(np.array([candidates[number].bridges[place] for number in at]), target)
            part = product[:, at]
            for n in range(1, self.order + 1):  # times 1 / (1 − bz)
                part[n] += stays * part[n - 1]
            product[:, at] = part
        steps = [2 * len(c.bridges) + (c.seed is not None) for c in candidates]
        straight = np.array([candidate.straight for candidate in candidates])
        return (straight * np.einsum("nc,nc->c", product, _by_steps(lengths, self.order)[:, steps])).tolist()

    def _from(self, seed: int | None, row: int) -> np.ndarray:
        """r(z) · g(z), or g(z) where the walk starts at passages."""
        if (seed, row) not in self._begun:
            product = self._to_passage[self.rows[row]]
            if seed is not None:
                product = self._product(product, self._avoiding(seed, row))
            self._begun[seed, row] = product
        return self._begun[seed, row]

    def _avoiding(self, seed: int, row: int) -> np.ndarray:
        """r(z)."""
        place, at = self.seeds[seed], self.rows[row]
        away = self._home[place].copy()
        strength = self.graph.passage_strength[row]
        if strength and self.order:
            there = self._reach[place, at]
            # A is symmetric, so the way back differs from the way there by the strengths.
            both = np.convolve(there, there)[: self.order] * (self.graph.entity_strength[seed] / strength)
            away[1:] = np.maximum(away[1:] - _divided(both, self._to_passage[at]), 0.0)
        return away

    def _stays(self, entities: np.ndarray, target: Target) -> np.ndarray:
        """b: the chance to come straight back to each entity over a passage that is not p."""
        stays = self.kernel.diagonal[entities] - target.joined[entities] ** 2 / target.strength
        return np.maximum(stays, 0.0) / self.graph.entity_strength[entities]

    def _product(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.convolve(one, other)[: self.order + 1]


def _of_one(walk: Walk) -> bool:
    """Whether its states are those of one entity."""
    return bool(walk.states) and [mass for _, mass in walk.start.entities] == [1.0]


def _by_steps(lengths: np.ndarray, order: int) -> np.ndarray:
    """c(s + 2n) by n and by the steps s of a straight walk, 0 beyond the longest; shape (order + 1, …)."""
    longest = 2 * BRIDGES + 2
    padded = np.append(lengths, np.zeros(2 * order + longest))
    return padded[2 * np.arange(order + 1)[:, None] + np.arange(longest)[None, :]]


def _divided(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """The quotient of two power series, the denominator beginning with 1, to as many coefficients as the
    numerator has."""
    quotient = np.zeros_like(numerator)
    for n in range(numerator.size):
        quotient[n] = numerator[n] - quotient[:n] @ denominator[n:0:-1]
    return quotient
