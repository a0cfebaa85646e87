"""What a run of the lab leaves: a value that can be kept, compared and drawn.

A report holds the ranked items themselves, so that every metric of every question can be
recomputed from it, and the fingerprint of all that shaped it. ``seconds`` and ``made_at`` are
the only parts that differ between two runs of the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations

from aethel_core import metrics
from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation.judgements import JudgedQuestion
from aethel_core.evaluation.statistics import Difference, difference

FORMAT = 1  # raise it when the same inputs would give another report
DEEPEST_RANK = 100


@dataclass(frozen=True, slots=True)
class Answer:
    """What one retriever answered to one question.

    ``items`` are the best, as many as the deepest cutoff; ``ranks`` are those of the question's
    relevant items, in their order, 0 when it was not among the first `DEEPEST_RANK` retrieved.
    """

    question: str
    retriever: str
    items: tuple[str, ...]
    ranks: tuple[int, ...]
    note: str = ""
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Measured:
    """A mean over the questions with its 95 % interval."""

    retriever: str
    metric: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Report:
    level: str
    ks: tuple[int, ...]
    retrievers: tuple[str, ...]
    baseline: str
    questions: tuple[JudgedQuestion, ...]
    answers: tuple[Answer, ...]
    measured: tuple[Measured, ...]
    differences: tuple[Difference, ...]  # each retriever minus the baseline
    fingerprint: str
    corpus_fingerprint: str
    made_at: str = field(default="", compare=False)

    def mean(self, retriever: str, metric: str) -> float:
        return self.interval(retriever, metric).mean

    def interval(self, retriever: str, metric: str) -> Measured:
        """:raises InvalidInput: that was not measured."""
        for entry in self.measured:
            if (entry.retriever, entry.metric) == (retriever, metric):
                return entry
        raise InvalidInput(f"{metric} of {retriever} was not measured in this run.")

    def values(self, retriever: str, metric: str) -> tuple[float, ...]:
        """One value per question, in the order of ``questions``."""
        return values_of(self.questions, [a for a in self.answers if a.retriever == retriever], metric)

    def difference(self, a: str, b: str, metric: str) -> Difference:
        """Any two retrievers of the run, for the head-to-head matrix."""
        return difference(a, b, metric, self.values(a, metric), self.values(b, metric))

    def head_to_head(self, metric: str) -> tuple[Difference, ...]:
        """Every retriever against every other, both ways round."""
        found = [self.difference(a, b, metric) for a, b in combinations(self.retrievers, 2)]
        return (*found, *(one.reversed for one in found))

    def answers_to(self, question: str) -> tuple[Answer, ...]:
        return tuple(answer for answer in self.answers if answer.question == question)

    def seconds_per_query(self, retriever: str) -> float:
        return metrics.mean(answer.seconds for answer in self.answers if answer.retriever == retriever)

    def stale(self, corpus_fingerprint: str) -> bool:
        """Whether the corpus has changed since."""
        return self.corpus_fingerprint != corpus_fingerprint

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Report:
        """:raises MissingData: the text is not a report of this version."""
        try:
            data = json.loads(text)
            if data.pop("format") != FORMAT:
                raise MissingData("This result was kept by another version of Aethel; run it again.")
            return cls(**{name: _restore(name, value) for name, value in data.items()})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise MissingData("This is not a kept result, or it is damaged; run it again.") from error

    def summary_json(self) -> str:
        """The short form that the command line prints."""
        names = metric_names(self.ks)
        table = {r: {name: self.mean(r, name) for name in names} for r in self.retrievers}
        keys = ("a", "b", "metric", "mean", "low", "high", "p")
        differences = [{key: getattr(entry, key) for key in keys} for entry in self.differences]
        short = {"questions": len(self.questions), "retrievers": table, "differences": differences}
        return json.dumps(short, indent=1)


def metric_names(ks: Sequence[int]) -> tuple[str, ...]:
    """Every metric of a report. MRR looks at the first `DEEPEST_RANK` items, whatever the cutoffs."""
    per_k = [f"{name}@{k}" for name in ("HR", "Recall", "nDCG", "all-gold") for k in ks]
    return (*per_k, "MRR")


def values_of(
    questions: Sequence[JudgedQuestion], answers: Sequence[Answer], metric: str
) -> tuple[float, ...]:
    """The metric of each question, in their order, from one retriever's answers.

    :raises InvalidInput: there is no such metric.
    """
    if metric == "MRR":
        first = {a.question: min((rank for rank in a.ranks if rank), default=0) for a in answers}
        return tuple(1 / first[q.id] if first.get(q.id) else 0.0 for q in questions)
    qrels = {question.id: dict(question.relevant) for question in questions}
    return tuple(metrics.measure(metric, qrels, {a.question: a.items for a in answers}).values())


def compare_runs(first: Report, second: Report, metric: str) -> tuple[Difference, ...]:
    """Two kept runs side by side: second minus first for each retriever both have, over the
    questions both have (same id, same text), question by question.

    :raises MissingData: no question or no retriever is in both.
    """
    both = {(q.id, q.text) for q in first.questions} & {(q.id, q.text) for q in second.questions}
    shared = [name for name in first.retrievers if name in second.retrievers]
    if not both or not shared:
        raise MissingData("The two runs have no question or no retriever in common.")
    return tuple(
        difference(
            f"{name} (second)",
            f"{name} (first)",
            metric,
            *(_common(report, name, metric, sorted(both)) for report in (second, first)),
        )
        for name in shared
    )


def _common(report: Report, retriever: str, metric: str, keys: Sequence[tuple[str, str]]) -> list[float]:
    values = report.values(retriever, metric)
    by_key = {(q.id, q.text): value for q, value in zip(report.questions, values, strict=True)}
    return [by_key[key] for key in keys]


def _restore(name: str, value: object) -> object:
    if not isinstance(value, list):
        return value
    kinds = {"answers": Answer, "measured": Measured, "differences": Difference, "questions": JudgedQuestion}
    if name not in kinds:
        return tuple(value)
    return tuple(kinds[name](**{key: _tuples(v) for key, v in entry.items()}) for entry in value)


def _tuples(value: object) -> object:
    return tuple(_tuples(entry) for entry in value) if isinstance(value, list) else value
