"""Reciprocal rank fusion (Cormack, Clarke & Büttcher 2009)."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence

from aethel_core.errors import InvalidInput
from aethel_core.retrievers.base import Retriever, check
from aethel_core.types import Query, Ranking, ranked_pairs

CONSTANT = 60
DEPTH = 1000


class ReciprocalRankFusion:
    """Σ over the rankings of weight / (60 + rank), rank from 1; a passage a ranking does not
    hold gets nothing from it. Each ranking is taken to ``depth`` hits."""

    name = "rrf"

    def __init__(
        self, parts: Sequence[Retriever], weights: Mapping[str, float] | None = None, *, depth: int = DEPTH
    ) -> None:
        if not parts:
            raise InvalidInput("A fusion needs at least one retriever; choose some.")
        self.parts = tuple(parts)
        self.weights = {part.name: 1.0 for part in parts} | dict(weights or {})
        self.depth = depth
        if any(not math.isfinite(w) or w < 0 for w in self.weights.values()):
            raise InvalidInput("The weights of a fusion must be numbers that are not negative.")

    def rankings(self, query: Query, k: int) -> tuple[Ranking, ...]:
        return tuple(part.search(query, max(k, self.depth)) for part in self.parts)

    def search(self, query: Query, k: int) -> Ranking:
        check(query, k)
        started = time.perf_counter()
        rankings = self.rankings(query, k)
        hits = fuse(rankings, self.weights, k)
        reasons = () if hits else dict.fromkeys(ranking.note for ranking in rankings if ranking.note)
        return Ranking(self.name, hits, " ".join(reasons), time.perf_counter() - started)


def fuse(rankings: Sequence[Ranking], weights: Mapping[str, float], k: int):
    """The fused hits, best first."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        weight = weights.get(ranking.retriever, 1.0)
        for rank, hit in enumerate(ranking.hits, start=1):
            if weight > 0:
                scores[hit.passage_id] = scores.get(hit.passage_id, 0.0) + weight / (CONSTANT + rank)
    return ranked_pairs(scores.items(), k)
