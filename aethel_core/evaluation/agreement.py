"""Do two people who judged the same passages agree? Cohen's kappa.

kappa = (p_o - p_e) / (1 - p_e), where p_o is the share of items judged alike and p_e the share
that would be judged alike if both kept their own habits but judged blindly:
p_e = sum over grades g of share_a(g) * share_b(g)  (Cohen 1960). It is undefined (None) when
both gave one and the same grade to everything, since then p_e = 1.

With ``weighted`` a miss by one grade counts less than a miss by two: the disagreement of grades
i and j is |i - j| (linear weights, Cohen 1968), kappa = 1 - sum(w * seen) / sum(w * expected).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from aethel_core.errors import MissingData

Item = tuple[str, str]  # question id, passage id


@dataclass(frozen=True, slots=True)
class Disagreement:
    question: str
    item: str
    grade_a: int
    grade_b: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """``observed`` and ``expected`` are shares of the ``judged`` items both people graded."""

    judged: int
    observed: float
    expected: float
    kappa: float | None
    disagreements: tuple[Disagreement, ...]  # widest first

    @property
    def words(self) -> str:
        """The usual reading of kappa (Landis and Koch 1977)."""
        if self.kappa is None:
            return "not defined: both gave every item the same grade"
        bands = ((0.0, "none"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
        return next((word for limit, word in bands if self.kappa <= limit), "almost perfect")


def cohen_kappa(a: Mapping[Item, int], b: Mapping[Item, int], weighted: bool = False) -> Agreement:
    """Agreement over the items both people graded.

    :raises MissingData: there is no such item.
    """
    common = sorted(a.keys() & b.keys())
    if not common:
        raise MissingData("The two people judged no passage in common; let both judge some of the same ones.")
    n = len(common)
    marks_a, marks_b = Counter(a[item] for item in common), Counter(b[item] for item in common)
    observed = sum(a[item] == b[item] for item in common) / n
    expected = sum(marks_a[grade] * marks_b[grade] for grade in marks_a) / (n * n)
    seen_cost = sum(_cost(a[item], b[item], weighted) for item in common) / n
    blind_cost = sum(
        _cost(i, j, weighted) * count_i * count_j
        for i, count_i in marks_a.items()
        for j, count_j in marks_b.items()
    ) / (n * n)
    misses = [Disagreement(*item, a[item], b[item]) for item in common if a[item] != b[item]]
    misses.sort(key=lambda miss: -abs(miss.grade_a - miss.grade_b))
    kappa = 1 - seen_cost / blind_cost if blind_cost else None
    return Agreement(n, observed, expected, kappa, tuple(misses))


def _cost(i: int, j: int, weighted: bool) -> int:
    return abs(i - j) if weighted else int(i != j)
