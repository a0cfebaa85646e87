"""Weights of a reciprocal rank fusion from a person's own labels, by cross-validation.

Candidate weights are the points of a simplex grid: non-negative, summing to 1, in steps of a
quarter. The questions are split into five folds (seed 42); for each fold the weights that do
best on the others are used on it, so the held-out figure is of questions the weights did not
see. Ties go to the weights nearest to equal ones. The weights returned are those best on all
questions; their own figure is optimistic, the held-out one is the one to believe.

Items are fused by their ranks in the kept answers: sum of w / (60 + rank).
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from aethel_core import metrics
from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation.report import Report
from aethel_core.evaluation.statistics import Difference, difference

SEED = 42
FOLDS = 5
STEPS = 4
FEW = 30
_CONSTANT = 60

Weights = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Tuning:
    """``held_out`` and ``equal`` are means of the metric over all questions; ``gain`` is their
    difference, question by question. ``warning`` is "" with enough questions."""

    retrievers: tuple[str, ...]
    weights: Weights
    metric: str
    questions: int
    held_out: float
    equal: float
    gain: Difference
    warning: str


def tune(report: Report, retrievers: Sequence[str], metric: str = "nDCG@10", seed: int = SEED) -> Tuning:
    """Tune the fusion of some retrievers of a kept run.

    :raises InvalidInput: fewer than two retrievers, or one that is not in the run.
    :raises MissingData: fewer questions than folds.
    """
    names = tuple(dict.fromkeys(retrievers))
    absent = [name for name in names if name not in report.retrievers]
    if absent or len(names) < 2:
        raise InvalidInput(f"Tuning needs two or more retrievers of the run: {', '.join(report.retrievers)}.")
    ids = [question.id for question in report.questions]
    if len(ids) < FOLDS:
        raise MissingData(f"Tuning needs at least {FOLDS} questions; there are {len(ids)}. Label more.")
    equal_weights = (1 / len(names),) * len(names)
    candidates = sorted({equal_weights, *_simplex(len(names))}, key=lambda w: (_unevenness(w), w))
    scores = {weights: _scores(report, names, weights, metric) for weights in candidates}
    held_out = dict.fromkeys(ids, 0.0)
    for fold in _folds(ids, seed):
        best = _best(candidates, scores, [question for question in ids if question not in fold])
        held_out |= {question: scores[best][question] for question in fold}
    ours = [held_out[question] for question in ids]
    equal = [scores[equal_weights][question] for question in ids]
    return Tuning(
        names,
        _best(candidates, scores, ids),
        metric,
        len(ids),
        metrics.mean(ours),
        metrics.mean(equal),
        difference("tuned", "equal weights", metric, ours, equal),
        _warning(len(ids)),
    )


def _warning(count: int) -> str:
    if count >= FEW:
        return ""
    return (
        f"Only {count} questions: weights tuned on fewer than {FEW} mostly follow chance. Keep equal weights."
    )


def _scores(report: Report, names: Sequence[str], weights: Weights, metric: str) -> dict[str, float]:
    lists: dict[str, dict[str, tuple[str, ...]]] = {}
    for answer in report.answers:
        lists.setdefault(answer.question, {})[answer.retriever] = answer.items
    weight = dict(zip(names, weights, strict=True))
    run = {question: _fused(found, weight) for question, found in lists.items()}
    qrels = {question.id: dict(question.relevant) for question in report.questions}
    return metrics.measure(metric, qrels, run)


def _fused(lists: Mapping[str, Sequence[str]], weights: Mapping[str, float]) -> list[str]:
    scores: dict[str, float] = {}
    for name, weight in weights.items():
        if weight > 0:
            for rank, item in enumerate(lists[name], 1):
                scores[item] = scores.get(item, 0.0) + weight / (_CONSTANT + rank)
    return sorted(scores, key=lambda item: (-scores[item], item))


def _best(
    candidates: Sequence[Weights], scores: Mapping[Weights, Mapping[str, float]], ids: Sequence[str]
) -> Weights:
    # max() keeps the first of equals, and the candidates come nearest to equal weights first.
    return max(candidates, key=lambda weights: metrics.mean(scores[weights][question] for question in ids))


def _folds(ids: Sequence[str], seed: int) -> list[set[str]]:
    shuffled = random.Random(seed).sample(list(ids), len(ids))
    return [set(shuffled[start::FOLDS]) for start in range(FOLDS)]


def _simplex(parts: int) -> Iterator[Weights]:
    for cuts in itertools.combinations(range(STEPS + parts - 1), parts - 1):
        edges = (-1, *cuts, STEPS + parts - 1)
        yield tuple((after - before - 1) / STEPS for before, after in itertools.pairwise(edges))


def _unevenness(weights: Weights) -> float:
    return sum((weight - 1 / len(weights)) ** 2 for weight in weights)
