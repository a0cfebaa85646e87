"""The bipartite entity–passage graph and Personalized PageRank on it.

Source: Page, Brin, Motwani & Winograd 1999; personalised restart as in Haveliwala 2002.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from aethel_core.errors import InvalidInput

TELEPORT = 0.15
ITERATIONS = 20
TOLERANCE = 1e-6


@dataclass(frozen=True)
class BipartiteGraph:
    """Passage nodes 0…N−1 and entity nodes 0…M−1, joined where an entity occurs in a passage.

    ``incidence`` is the (N, M) matrix of edge weights (0/1, or positive weights); it is the upper
    right block of the adjacency A, whose other blocks are empty or its transpose. Never mutated.
    """

    incidence: sparse.csr_array

    @property
    def passages(self) -> int:
        return int(self.incidence.shape[0])

    @property
    def entities(self) -> int:
        return int(self.incidence.shape[1])

    @property
    def edges(self) -> int:
        return int(self.incidence.nnz)

    @cached_property
    def passage_strength(self) -> np.ndarray:
        """Column sums of A for the passage nodes, shape (N,)."""
        return np.asarray(self.incidence.sum(axis=1)).ravel()

    @cached_property
    def entity_strength(self) -> np.ndarray:
        """Column sums of A for the entity nodes, shape (M,)."""
        return np.asarray(self.incidence.sum(axis=0)).ravel()

    @cached_property
    def by_entity(self) -> sparse.csr_array:
        """The incidence, transposed: shape (M, N), rows with ascending indices."""
        return self.incidence.T.tocsr()

    @cached_property
    def to_passages(self) -> sparse.csr_array:
        """The block of W = A·D⁻¹ that carries mass from entities to passages, shape (N, M)."""
        return (self.incidence @ sparse.diags_array(_inverse(self.entity_strength))).tocsr()

    @cached_property
    def to_entities(self) -> sparse.csr_array:
        """The block of W = A·D⁻¹ that carries mass from passages to entities, shape (M, N)."""
        return (self.incidence.T @ sparse.diags_array(_inverse(self.passage_strength))).tocsr()


@dataclass(frozen=True, slots=True)
class PageRank:
    """Mass per node and query: ``passages`` (N, Q), ``entities`` (M, Q).

    ``residual`` is the last change in L1 norm, the largest over the queries; ``converged`` says
    that it fell below the tolerance before the iterations were used up. Stopping at t
    iterations leaves at most (1−α)^t of the mass misplaced.
    """

    passages: np.ndarray
    entities: np.ndarray
    iterations: int
    residual: float
    converged: bool

    @property
    def ended_by(self) -> str:
        return "convergence" if self.converged else "the limit of iterations"


def _inverse(strength: np.ndarray) -> np.ndarray:
    """1/strength where a node has edges; 0 where it has none, so its column of W stays zero."""
    return np.divide(1.0, strength, out=np.zeros_like(strength, dtype=np.float64), where=strength > 0)


def pagerank(
    graph: BipartiteGraph,
    entity_seeds: np.ndarray,
    passage_seeds: np.ndarray | None = None,
    *,
    teleport: float = TELEPORT,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
) -> PageRank:
    """p ← α·s + (1−α)·W·p from p = s, for Q queries at once as one sparse–dense product.

    :param entity_seeds: personalization on entities, shape (M, Q), non-negative.
    :param passage_seeds: personalization on passages, shape (N, Q); none by default. Each
        query's seeds should sum to 1 over both; a column of zeros gives zero mass.
    :param teleport: α in (0, 1].
    :param iterations: the most steps taken.
    :param tolerance: stop when every query's ‖p_{t+1} − p_t‖₁ is below this.
    :raises InvalidInput: shapes, signs or parameters that cannot be used.
    """
    if not 0 < teleport <= 1:
        raise InvalidInput(f"The teleport probability is {teleport}; it must lie above 0 and at most at 1.")
    if iterations < 1 or tolerance < 0:
        raise InvalidInput("PageRank needs at least one iteration and a tolerance that is not negative.")
    if entity_seeds.ndim != 2 or entity_seeds.shape[0] != graph.entities:
        raise InvalidInput(
            f"Entity seeds of shape {entity_seeds.shape} do not fit {graph.entities} entities."
        )
    if passage_seeds is None:
        passage_seeds = np.zeros((graph.passages, entity_seeds.shape[1]))
    if passage_seeds.shape != (graph.passages, entity_seeds.shape[1]):
        raise InvalidInput(
            f"Passage seeds of shape {passage_seeds.shape} do not fit the graph and the queries."
        )
    if (entity_seeds < 0).any() or (passage_seeds < 0).any():
        raise InvalidInput("Seeds carry probability mass; none may be negative.")
    mass_p, mass_e = passage_seeds.astype(np.float64), entity_seeds.astype(np.float64)
    restart_p, restart_e = teleport * mass_p, teleport * mass_e
    step, residual = 0, np.inf
    while step < iterations and residual >= tolerance:
        next_p = restart_p + (1 - teleport) * (graph.to_passages @ mass_e)
        next_e = restart_e + (1 - teleport) * (graph.to_entities @ mass_p)
        change = np.abs(next_p - mass_p).sum(axis=0) + np.abs(next_e - mass_e).sum(axis=0)
        residual = float(change.max(initial=0.0))
        mass_p, mass_e = next_p, next_e
        step += 1
    return PageRank(mass_p, mass_e, step, residual, residual < tolerance)
