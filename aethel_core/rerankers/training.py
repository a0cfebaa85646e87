"""Learning the weights of the embedded reranker from questions with known pages.

For each question the pages of its candidates compete; a page scores as its best passage does. The
loss is that of a choice: for every right page g, −log( e^s(g) / (e^s(g) + Σ over wrong pages e^s) ),
averaged over the right pages of a question and over questions, plus λ‖w‖². Weights cannot become
negative, so every feature keeps the sense in which it was meant. Solved by L-BFGS-B (Byrd et al.
1995). The best passage of a page changes with the weights, so the loss is not convex; it starts
from equal weights and is deterministic.

Cross-validation leaves out all questions of one group (a company) at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from aethel_core.errors import MissingData

STRENGTH = 0.001
_START = 0.5
_ROUNDS = 300


@dataclass(frozen=True, slots=True)
class Example:
    """The candidates of one question: ``matrix`` has shape (passages, features), ``pages[i]`` is the
    page of passage i, ascending, ``right`` the pages that answer; ``group`` is left out together."""

    matrix: np.ndarray
    pages: np.ndarray
    right: frozenset[int]
    group: str

    @classmethod
    def of(cls, matrix: np.ndarray, pages: np.ndarray, right: Collection[int], group: str) -> Example:
        order = np.argsort(pages, kind="stable")
        return cls(matrix[order], pages[order], frozenset(right), group)

    def narrowed(self, size: int) -> Example:
        """The passages of the right pages and the ``size`` others with the largest sum of features."""
        keep = np.isin(self.pages, list(self.right))
        keep[np.argsort(-self.matrix.sum(axis=1), kind="stable")[:size]] = True
        return Example(self.matrix[keep], self.pages[keep], self.right, self.group)


def fit(examples: Sequence[Example], strength: float = STRENGTH) -> np.ndarray:
    """The weights, shape (features,), none negative.

    :raises MissingData: no question has a right page among its candidates.
    """
    useful = [_Pages.of(example) for example in examples if example.right & set(example.pages.tolist())]
    if not useful:
        raise MissingData("No question has a right page among its candidates; there is nothing to learn.")
    size = examples[0].matrix.shape[1]
    found = minimize(
        _loss,
        np.full(size, _START),
        args=(useful, strength),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None)] * size,
        options={"maxiter": _ROUNDS},
    )
    return found.x


def held_out(examples: Sequence[Example], strength: float = STRENGTH) -> tuple[np.ndarray, ...]:
    """For each example its weights learned without its group.

    :raises MissingData: there is only one group.
    """
    groups = sorted({example.group for example in examples})
    if len(groups) < 2:
        raise MissingData("Cross-validation needs questions about two companies at least.")
    weights = {
        group: fit([example for example in examples if example.group != group], strength) for group in groups
    }
    return tuple(weights[example.group] for example in examples)


def ranked_pages(example: Example, weights: np.ndarray) -> tuple[int, ...]:
    """The pages of an example, best first."""
    pages = _Pages.of(example)
    scores, _ = pages.best(weights)
    return tuple(int(page) for page in pages.numbers[np.argsort(-scores, kind="stable")])


@dataclass(frozen=True, slots=True)
class _Pages:
    """An example by page: page i is rows ``starts[i]:starts[i+1]`` of the matrix."""

    matrix: np.ndarray
    numbers: np.ndarray
    starts: np.ndarray
    place: np.ndarray  # page position of each row
    right: np.ndarray

    @classmethod
    def of(cls, example: Example) -> _Pages:
        numbers, starts, place = np.unique(example.pages, return_index=True, return_inverse=True)
        return cls(example.matrix, numbers, starts, place, np.isin(numbers, list(example.right)))

    def best(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Per page its score and the row that gives it."""
        scores = self.matrix @ weights
        best = np.maximum.reduceat(scores, self.starts)
        rows = np.flatnonzero(scores == best[self.place])
        first = np.unique(self.place[rows], return_index=True)[1]
        return best, rows[first]


def _loss(weights: np.ndarray, examples: Sequence[_Pages], strength: float) -> tuple[float, np.ndarray]:
    value, slope = 0.0, np.zeros_like(weights)
    for pages in examples:
        scores, rows = pages.best(weights)
        mass = np.exp(scores - scores.max())
        wrong = np.where(pages.right, 0.0, mass)
        share = 1.0 / pages.right.sum()
        for page in np.flatnonzero(pages.right):
            total = wrong.sum() + mass[page]
            value -= share * np.log(mass[page] / total)
            pulled = (wrong / total) @ pages.matrix[rows]
            slope += share * (pulled - pages.matrix[rows[page]] * (1 - mass[page] / total))
    count = len(examples)
    return (
        value / count + strength * float(weights @ weights),
        slope / count + 2 * strength * weights,
    )
