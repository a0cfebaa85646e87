"""The one contract of rerankers, and what all of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from aethel_core.errors import InvalidInput, UnknownPassage
from aethel_core.types import Hit, Passage, Query, Ranking, ranked_pairs

PassageLookup = Callable[[Sequence[str]], Mapping[str, Passage]]


class Reranker(Protocol):
    """``rerank`` orders the hits of ``ranking`` anew and keeps the k best.

    Scores depend on the question and the passage alone, never on what else is in the ranking,
    so a cascade may hand over a ranking in parts.

    :raises InvalidInput: k is not positive.
    :raises ModelUnavailable: the model cannot be loaded or reached, or answers nonsense.
    :raises UnknownPassage: the lookup does not hold a passage of the ranking.
    """

    name: str

    def rerank(self, query: Query, ranking: Ranking, passages: PassageLookup, k: int) -> Ranking: ...


def check_k(k: int) -> None:
    if k < 1:
        raise InvalidInput(f"k is {k}; ask for at least one hit.")


def texts(ranking: Ranking, passages: PassageLookup) -> list[str]:
    """What a model reads of each hit: the section title and the text.

    :raises UnknownPassage: the lookup does not hold one of them.
    """
    found = passages(ranking.ids)
    missing = next((passage for passage in ranking.ids if passage not in found), None)
    if missing is not None:
        raise UnknownPassage(missing)
    chosen = (found[passage] for passage in ranking.ids)
    return [f"{passage.section}\n{passage.text}".strip() for passage in chosen]


def reordered(name: str, ranking: Ranking, scores: Sequence[float] | np.ndarray, k: int) -> Ranking:
    """The hits of ``ranking`` under new scores, best first."""
    pairs = zip(ranking.ids, (float(score) for score in scores), strict=True)
    return Ranking(name, ranked_pairs(pairs, k))


def below(first: Ranking, rest: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits of ``first`` and, under them in their own order, those of ``rest`` that it lacks.

    Scores of two models are not comparable: what comes below steps down from the last score by
    a constant that carries no meaning beyond the order.
    """
    known = set(first.ids)
    floor = first.hits[-1].score if first.hits else 0.0
    step = max(abs(floor), 1.0) * 1e-6
    others = [hit for hit in rest if hit.passage_id not in known]
    return (
        *first.hits,
        *(Hit(hit.passage_id, floor - step * place) for place, hit in enumerate(others, start=1)),
    )
