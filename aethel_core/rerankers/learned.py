"""The embedded reranker: a weighted sum of interpretable features.

    score = Σ weight · feature,  weight ≥ 0, feature in [0, 1]

The weights are in ``data/ranker.json``, made by ``benchmarks/train_reranker.py``. There are two
models: "fast" over the features that need no reading, "full" over all of them.

The weights were learned on questions about filings. A question that says little of company, period,
statement and line items (`Features.ground` below `GROUND`) is none of these: its score is the feature
"together" alone, that is, the order of Hybrid stays.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from aethel_core.errors import InvalidInput, MissingData, UnknownPassage
from aethel_core.rerankers.base import PassageLookup, check_k, reordered
from aethel_core.rerankers.features import FAST, NAMES, READ, Features
from aethel_core.types import Query, Ranking

FORMAT = 1
GROUND = 0.75
SHIPPED = Path(__file__).parent / "data" / "ranker.json"


@dataclass(frozen=True, slots=True)
class Model:
    """``weights[i]`` belongs to ``features[i]``."""

    features: tuple[str, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.features) != len(self.weights):
            raise InvalidInput("A ranker needs one weight per feature.")
        if any(not math.isfinite(weight) or weight < 0 for weight in self.weights):
            raise InvalidInput("The weights of a ranker must be numbers that are not negative.")

    def aligned(self, names: Sequence[str]) -> np.ndarray:
        """The weights in the order of ``names``; 0 for features the model does not know.

        :raises InvalidInput: the model weighs a feature that is not among ``names``.
        """
        unknown = set(self.features) - set(names)
        if unknown:
            raise InvalidInput(
                f"The ranker weighs features that do not exist: {', '.join(sorted(unknown))}. Train it anew."
            )
        known = dict(zip(self.features, self.weights, strict=True))
        return np.array([known.get(name, 0.0) for name in names])


@dataclass(frozen=True, slots=True)
class Models:
    fast: Model
    full: Model

    def to_json(self, trained: Mapping[str, object]) -> str:
        """:param trained: how the weights were made and what they measured, for the reader."""
        data = {"format": FORMAT, "trained": dict(trained)}
        for name in ("fast", "full"):
            model: Model = getattr(self, name)
            data[name] = dict(zip(model.features, model.weights, strict=True))
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Models:
        """:raises MissingData: the text is not a ranker of this format."""
        try:
            data = json.loads(text)
            if data["format"] != FORMAT:
                raise MissingData(
                    f"The ranker file has format {data['format']}, not {FORMAT}. Train it anew."
                )
            models = [
                Model(tuple(data[n]), tuple(float(w) for w in data[n].values())) for n in ("fast", "full")
            ]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise MissingData("The ranker file is malformed. Train it anew.") from error
        return cls(*models)


@cache
def shipped() -> Models:
    """The weights that come with Aethel."""
    return Models.from_json(SHIPPED.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Contribution:
    """``value`` is the feature's, ``weight`` the model's; their product is what it adds to the score."""

    feature: str
    about: str
    value: float
    weight: float


def together(features: int) -> np.ndarray:
    """Weights, shape (features,), that keep the order of Hybrid."""
    weights = np.zeros(features)
    weights[NAMES.index("together")] = 1.0
    return weights


class Learned:
    """Scores by the features of one index; the text lookup is not needed."""

    def __init__(self, features: Features, model: Model, *, reads: bool) -> None:
        """:param reads: compute the features that read the text, too."""
        self.name = "learned ranker" if reads else "fast learned ranker"
        self.features, self.reads = features, reads
        self.weights = model.aligned(NAMES if reads else [feature.name for feature in FAST])

    def weights_for(self, query: Query) -> np.ndarray:
        """The weights that score the candidates of a question, shape (features,)."""
        return self.weights if self.features.ground(query) >= GROUND else together(self.weights.size)

    def matrix(self, query: Query, rows: np.ndarray) -> np.ndarray:
        return self.features.all(query, rows) if self.reads else self.features.fast(query, rows)

    def account(self, query: Query, passage_id: str) -> tuple[Contribution, ...]:
        """What each feature adds to the score of one passage; features the model ignores are left out.

        :raises UnknownPassage: the index does not hold it.
        """
        row = self.features.index.row
        if passage_id not in row:
            raise UnknownPassage(passage_id)
        values = self.matrix(query, np.array([row[passage_id]]))[0]
        known = (*FAST, *READ)[: values.size]
        weights = self.weights_for(query)
        return tuple(
            Contribution(feature.name, feature.about, float(value), float(weight))
            for feature, value, weight in zip(known, values, weights, strict=True)
            if weight > 0
        )

    def rerank(self, query: Query, ranking: Ranking, passages: PassageLookup, k: int) -> Ranking:
        check_k(k)
        row = self.features.index.row
        missing = next((passage for passage in ranking.ids if passage not in row), None)
        if missing is not None:
            raise UnknownPassage(missing)
        rows = np.array([row[passage] for passage in ranking.ids], dtype=np.int64)
        if not rows.size:
            return Ranking(self.name, ())
        return reordered(self.name, ranking, self.matrix(query, rows) @ self.weights_for(query), k)
