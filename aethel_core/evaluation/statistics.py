"""How sure a mean or a difference of two retrievers is, over the same questions.

Interval: the percentile bootstrap. The n per-question values are drawn n times with
replacement, 10,000 times, from ``numpy.random.default_rng(42)``; the interval is the 2.5th and
97.5th percentile of the resampled means (Efron 1979). For a difference the values are the
paired differences a_i - b_i, so what both retrievers find hard cancels out.

p-value: the paired sign-flip permutation test, two-sided. If the retrievers were alike, each
a_i - b_i could as well have had the other sign; p is the share of sign patterns whose mean is at
least as far from zero as the one seen. All patterns are tried when there are at most 10,000,
else 10,000 random ones (seed 42), the seen one counted with them.

Power: `questions_needed` is the usual normal approximation, n = ((1.96 + 0.84) * sd / mean)^2,
for which a true difference as large as the one seen would be detected four times out of five at
the 5 % level; never below 6, because fewer than six differing questions cannot give p < 0.05.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from aethel_core.errors import InvalidInput, MissingData

RESAMPLES = 10_000
SEED = 42
LEVEL = 0.05
_CELLS = 2_000_000  # values resampled at once; bounds the memory, and fixed so that results repeat
_TINY = 1e-12  # sums of thirds and sevenths are not exact
_QUANTILE_TWO_SIDED = 1.959964
_QUANTILE_POWER = 0.841621
_FEWEST = 6


@dataclass(frozen=True, slots=True)
class Interval:
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """``mean`` is a - b in units of the metric, with its 95 % interval and permutation p."""

    a: str
    b: str
    metric: str
    mean: float
    low: float
    high: float
    p: float
    wins: int  # questions on which a is ahead
    ties: int
    losses: int

    @property
    def clear(self) -> bool:
        """May be claimed: the interval leaves out zero and the permutation test agrees. The second
        condition matters for a handful of questions, where the bootstrap is too sure."""
        return (self.low > _TINY or self.high < -_TINY) and self.p < LEVEL

    @property
    def reversed(self) -> Difference:
        """The same, seen from the other side: b - a."""
        ends = (-self.mean, -self.high, -self.low)
        return Difference(self.b, self.a, self.metric, *ends, self.p, self.losses, self.ties, self.wins)


def bootstrap(values: Sequence[float], resamples: int = RESAMPLES, seed: int = SEED) -> Interval:
    """The mean of the values and its 95 % percentile interval.

    :raises MissingData: there are no values.
    """
    data = _array(values)
    rng = np.random.default_rng(seed)
    rows = max(1, _CELLS // data.size)
    means = np.empty(resamples)
    for start in range(0, resamples, rows):
        stop = min(start + rows, resamples)
        means[start:stop] = data[rng.integers(0, data.size, size=(stop - start, data.size))].mean(axis=1)
    low, high = np.quantile(means, [LEVEL / 2, 1 - LEVEL / 2])
    return Interval(math.fsum(data) / data.size, float(low), float(high))


def permutation_p(differences: Sequence[float], resamples: int = RESAMPLES, seed: int = SEED) -> float:
    """Two-sided p of the paired sign-flip test; 1.0 when no question differs.

    :raises MissingData: there are no values.
    """
    data = _array(differences)
    data = data[np.abs(data) > _TINY]
    if data.size == 0:
        return 1.0
    seen = abs(math.fsum(data)) - _TINY
    patterns = 2**data.size
    if patterns <= resamples:
        bits = (np.arange(patterns)[:, None] >> np.arange(data.size)) & 1
        return int(np.count_nonzero(np.abs((bits * 2 - 1) @ data) >= seen)) / patterns
    rng = np.random.default_rng(seed)
    rows = max(1, _CELLS // data.size)
    count = 0
    for start in range(0, resamples, rows):
        size = (min(rows, resamples - start), data.size)
        signs = rng.integers(0, 2, size=size) * 2 - 1
        count += int(np.count_nonzero(np.abs(signs @ data) >= seen))
    return (count + 1) / (resamples + 1)


def difference(
    a: str, b: str, metric: str, values_a: Sequence[float], values_b: Sequence[float]
) -> Difference:
    """Compare two retrievers question by question; the values must be in the same order.

    :raises InvalidInput: the two do not have equally many values.
    :raises MissingData: there are no values.
    """
    if len(values_a) != len(values_b):
        raise InvalidInput(
            f"{a} has {len(values_a)} values and {b} has {len(values_b)}; measure the same questions."
        )
    gaps = _array(values_a) - _array(values_b)
    interval = bootstrap(gaps)
    wins = int(np.count_nonzero(gaps > _TINY))
    losses = int(np.count_nonzero(gaps < -_TINY))
    return Difference(
        a,
        b,
        metric,
        interval.mean,
        interval.low,
        interval.high,
        permutation_p(gaps),
        wins,
        len(gaps) - wins - losses,
        losses,
    )


def questions_needed(differences: Sequence[float]) -> int | None:
    """About how many questions would show a difference like this one; None when there is none.

    :raises MissingData: there are no values.
    """
    data = _array(differences)
    gap = abs(math.fsum(data) / data.size)
    if gap <= _TINY:
        return None
    spread = float(data.std(ddof=1)) if data.size > 1 else 0.0
    share = np.count_nonzero(np.abs(data) > _TINY) / data.size
    wanted = ((_QUANTILE_TWO_SIDED + _QUANTILE_POWER) * spread / gap) ** 2
    return math.ceil(max(wanted, _FEWEST / share))


def detectable(differences: Sequence[float]) -> float:
    """The smallest true mean difference that this many questions, as scattered as these, would
    show four times out of five."""
    data = _array(differences)
    spread = float(data.std(ddof=1)) if data.size > 1 else 0.0
    return (_QUANTILE_TWO_SIDED + _QUANTILE_POWER) * spread / math.sqrt(data.size)


def _array(values: Sequence[float]) -> np.ndarray:
    data = np.asarray(values, dtype=float)
    if data.size == 0:
        raise MissingData("There is nothing to compare: no question was measured.")
    return data
