"""Paths that may bring a passage much mass, found backwards from the passage.

The straight walk of a path visits each of its entities once. Its weight, the product of the seed's
mass and the entries of W along it, ranks the candidates; walks that touch the passage before their end
do not count (see `paths`). The search is bounded: from a passage to those of its entities that bring
most flow, from there to the entities before, and from there to the seeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from scipy import sparse

from aethel_core.evidence.walk import Kernel, Walk

_NOISE = 1e-12  # relative: what rounding leaves of two equal numbers
_TINY = 1e-300
_FEW_SOURCES = 32  # so few are looked up much faster as full rows


@dataclass(frozen=True, slots=True)
class Breadth:
    """How many candidates are tried: last entities per passage, entities before each of them,
    candidates per passage, and seeds over all passages. None tries all."""

    last: int | None = 8
    before: int | None = 6
    paths: int | None = 24
    seeds: int | None = 12


ALL = Breadth(None, None, None, None)


@dataclass(frozen=True, slots=True)
class Candidate:
    """``seed`` is None where the walk starts at passages; ``straight`` is the weight, without c(t)."""

    seed: int | None
    bridges: tuple[int, ...]
    straight: float

    @property
    def order(self) -> tuple[float, int, tuple[int, ...], int]:
        return (-self.straight, len(self.bridges), self.bridges, -1 if self.seed is None else self.seed)


@dataclass(frozen=True)
class Target:
    """A passage p: its strength d(p), ``joined`` = A[p, ·] of shape (M,), and the entities that bring
    most flow which did not just come from p, best first."""

    row: int
    strength: float
    joined: np.ndarray
    last: np.ndarray

    @classmethod
    def of(cls, walk: Walk, row: int, width: int | None) -> Target:
        incidence = walk.graph.incidence
        part = slice(incidence.indptr[row], incidence.indptr[row + 1])
        joined = np.zeros(walk.graph.entities)
        joined[incidence.indices[part]] = incidence.data[part]
        strength = float(joined.sum())
        columns, flows = walk.into_passage(row)
        # What an entity only sends back is on no path: a name of this passage alone brings it nothing.
        back = (1 - walk.teleport) * joined[columns] / max(strength, _TINY) * float(walk.before[0][row])
        brought = flows * np.maximum(1 - back / np.maximum(walk.before[1][columns], _TINY), _NOISE)
        reached = columns[np.argsort(-brought, kind="stable")][: int((flows > 0).sum())]
        return cls(row, strength, joined, reached[:width].astype(np.int64))


@dataclass(frozen=True)
class _Sources:
    """Row i of ``arrivals`` is the mass that comes from source i to each other entity by one passage.

    The sources are the seeds; None stands for all starting passages together. ``masses`` is the
    restart mass of each seed over its strength; 1 for the passages.
    """

    seeds: tuple[int | None, ...]
    masses: np.ndarray
    arrivals: sparse.csc_array

    @classmethod
    def of(cls, walk: Walk, kernel: Kernel) -> _Sources:
        start = walk.start
        columns = np.array([column for column, _ in start.entities], dtype=np.int64)
        shares = np.array([mass for _, mass in start.entities])
        masses = shares / np.maximum(walk.graph.entity_strength[columns], _TINY)
        block = (kernel.rows(columns) * masses[:, None]).tocsr()
        block.data[block.indices == np.repeat(columns, np.diff(block.indptr))] = 0.0
        seeds: list[int | None] = columns.tolist()
        if not start.passages:
            return cls(tuple(seeds), masses, block.tocsc())
        rows = [row for row, _ in start.passages]
        first = walk.graph.to_entities[:, rows] @ np.array([mass for _, mass in start.passages])
        both = sparse.vstack([block, sparse.csr_array(first[None, :])], format="csc")
        return cls((*seeds, None), np.append(masses, 1.0), both)

    def only(self, kept: set[int | None]) -> _Sources:
        places = [place for place, seed in enumerate(self.seeds) if seed in kept]
        seeds = tuple(self.seeds[place] for place in places)
        return _Sources(seeds, self.masses[places], self.arrivals.tocsr()[places].tocsc())

    def through(self, walk: Walk, target: Target) -> np.ndarray:
        """What comes from each source over p to an entity, per unit of A[p, ·]; shape (sources,)."""
        own = dict(walk.start.passages).get(target.row, 0.0)
        sent = [
            own if seed is None else mass * target.joined[seed]
            for seed, mass in zip(self.seeds, self.masses, strict=True)
        ]
        return np.array(sent) / max(target.strength, _TINY)

    def avoiding(self, columns: np.ndarray, target: Target, through: np.ndarray) -> np.ndarray:
        """``arrivals[:, columns]`` less what comes over p; shape (sources, len(columns))."""
        kept = less(self._arrivals_at(columns), np.outer(through, target.joined[columns]))
        for place, seed in enumerate(self.seeds):
            kept[place, columns == seed] = 0.0
        return kept

    def _arrivals_at(self, columns: np.ndarray) -> np.ndarray:
        if len(self.seeds) > _FEW_SOURCES:
            return self.arrivals[:, columns].toarray()
        return self._dense[:, columns]

    @cached_property
    def _dense(self) -> np.ndarray:
        return self.arrivals.toarray()

    def total(self, target: Target, through: np.ndarray) -> np.ndarray:
        """`avoiding` for every entity, summed over the sources; shape (M,)."""
        over_p = through.sum() * target.joined
        for seed, sent in zip(self.seeds, through, strict=True):
            if seed is not None:  # arrivals hold nothing that comes back to its own source
                over_p[seed] -= sent * target.joined[seed]
        return less(self._every, over_p)

    @cached_property
    def _every(self) -> np.ndarray:
        return np.asarray(self.arrivals.sum(axis=0)).ravel()


class Approaches:
    """How walks come to a passage p over a last entity: whatever they start from, hence remembered."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._known: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}

    def prepare(self, targets: Sequence[Target]) -> None:
        """All last entities at once, which costs less than one by one."""
        self.kernel.near(int(column) for target in targets for column in target.last)

    def before(self, target: Target, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Entities from which a walk goes over one passage, not p, to ``last``, and their chances of it."""
        if (target.row, last) not in self._known:
            columns, shared = self.kernel.near([last])[last]
            kept = less(shared, target.joined[last] / target.strength * target.joined[columns])
            kept[columns == last] = 0.0
            chances = kept / self.kernel.graph.entity_strength[columns]
            possible = chances > 0
            self._known[target.row, last] = columns[possible], chances[possible]
        return self._known[target.row, last]


class Finder:
    """The candidates of several passages at once, so that what they share is computed once."""

    def __init__(self, walk: Walk, approaches: Approaches, rows: Sequence[int], breadth: Breadth) -> None:
        self.walk, self.breadth = walk, breadth
        self.targets = [Target.of(walk, row, breadth.last) for row in rows]
        self._sources = _Sources.of(walk, approaches.kernel)
        self._approaches = approaches

    def found(self) -> list[list[Candidate]]:
        """Per passage, the heaviest first."""
        short = [[*self._direct(target), *self._over_one(target)] for target in self.targets]
        kept = self._best_seeds(short)
        sources = self._sources.only(kept)
        found = []
        for target, candidates in zip(self.targets, short, strict=True):
            every = [candidate for candidate in candidates if candidate.seed in kept]
            every += self._over_two(target, sources)
            found.append(sorted(every, key=lambda candidate: candidate.order)[: self.breadth.paths])
        return found

    def _out(self, target: Target, columns: np.ndarray) -> np.ndarray:
        """W[p, columns]."""
        return target.joined[columns] / np.maximum(self.walk.graph.entity_strength[columns], _TINY)

    def _direct(self, target: Target) -> Iterator[Candidate]:
        for row, mass in self.walk.start.passages:
            if row == target.row:
                yield Candidate(None, (), mass)
        for column, mass in self.walk.start.entities:
            if target.joined[column]:
                yield Candidate(column, (), mass * float(self._out(target, np.array([column]))[0]))

    def _over_one(self, target: Target) -> Iterator[Candidate]:
        """source → e₁ → p."""
        through = self._sources.through(self.walk, target)
        arrived = self._sources.avoiding(target.last, target, through) * self._out(target, target.last)
        for s, e in _largest(arrived, self.breadth.paths):
            yield Candidate(self._sources.seeds[s], (int(target.last[e]),), float(arrived[s, e]))

    def _over_two(self, target: Target, sources: _Sources) -> Iterator[Candidate]:
        """source → e₁ → e₂ → p, for each last entity e₂ and the best e₁ before it."""
        through = sources.through(self.walk, target)
        total = sources.total(target, through)
        for last, out in zip(target.last.tolist(), self._out(target, target.last), strict=True):
            columns, chances = self._approaches.before(target, last)
            best = _best(total[columns] * chances, self.breadth.before)
            arrived = sources.avoiding(columns[best], target, through) * (chances[best] * out)
            for s, e in _largest(arrived, self.breadth.paths):
                if sources.seeds[s] != last:
                    yield Candidate(sources.seeds[s], (int(columns[best[e]]), last), float(arrived[s, e]))

    def _best_seeds(self, found: list[list[Candidate]]) -> set[int | None]:
        """The sources that bring most, and the best of each passage: each costs a walk of its own."""
        best = {min(candidates, key=lambda c: c.order).seed for candidates in found if candidates}
        weights: dict[int | None, float] = dict.fromkeys(self._sources.seeds, 0.0)
        for candidate in chain.from_iterable(found):
            weights[candidate.seed] += candidate.straight
        ordered = sorted(weights, key=lambda seed: (-weights[seed], -1 if seed is None else seed))
        return best.union(ordered[: self.breadth.seeds])


def less(full: np.ndarray, part: np.ndarray) -> np.ndarray:
    """full − part, where part ≤ full but for rounding."""
    rest = full - part
    rest[rest <= _NOISE * full] = 0.0
    return rest


def _best(weights: np.ndarray, count: int | None) -> np.ndarray:
    """Places of the largest positive weights, the largest first, the earlier of equals first."""
    least = 0.0
    if count is not None and weights.size > count:
        least = np.partition(weights, weights.size - count)[weights.size - count]
    places = np.flatnonzero(weights >= least if least > 0 else weights > 0)
    return places[np.argsort(-weights[places], kind="stable")][:count]


def _largest(values: np.ndarray, count: int | None) -> Iterator[tuple[int, int]]:
    """Places of the largest positive values of a matrix; of all of them without ``count``."""
    flat = np.flatnonzero(values)
    if count is not None and flat.size > count:
        flat = flat[np.argpartition(-values.ravel()[flat], count - 1)[:count]]
    for place in flat.tolist():
        yield divmod(place, values.shape[1])
