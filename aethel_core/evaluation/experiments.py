"""The two experiments people run: questions on a workspace, and paragraph files.

Both name the run by everything that shaped it (questions, corpus, retrievers and cutoffs, pool,
models, and the code itself) and, given a `Results`, take a kept one instead of asking again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from aethel_core.config import Settings
from aethel_core.embedding import Embedder
from aethel_core.errors import InvalidInput
from aethel_core.evaluation.base import Dataset, Level, Question, fingerprint
from aethel_core.evaluation.judgements import Corpus, judge
from aethel_core.evaluation.pools import NameReader, SearcherOf, closed_pool, open_pool, pool_judgements
from aethel_core.evaluation.report import Report
from aethel_core.evaluation.results import Results, code_fingerprint
from aethel_core.evaluation.runs import KS, OnProgress, by_query, evaluate, evaluate_each, run_fingerprint
from aethel_core.index import Index
from aethel_core.types import Query, Ranking

POOLS = ("closed", "open")


class SearchableCorpus(Corpus, Protocol):
    """The part of a workspace that an evaluation needs."""

    settings: Settings

    def index(self) -> Index: ...

    def search(self, question: str | Query, retriever: str = ..., k: int = ...) -> Ranking: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure and how to be told of it. ``settings`` is whatever was set differently from
    the defaults, JSON-able: it becomes part of the run's fingerprint."""

    retrievers: tuple[str, ...]
    ks: tuple[int, ...] = KS
    baseline: str = "bm25"
    results: Results | None = None
    on_progress: OnProgress | None = None
    cancelled: Callable[[], bool] | None = None
    settings: Mapping[str, object] = field(default_factory=dict)


def evaluate_workspace(
    workspace: SearchableCorpus, questions: Sequence[Question], plan: Plan, level: Level = "page"
) -> Report:
    """:raises MissingData: as `judgements.judge`.
    :raises Cancelled: the plan's ``cancelled`` said so.
    """
    judgements = judge(questions, workspace, level)
    corpus = workspace.index().fingerprint
    settings = shaped_by(workspace, plan.settings)

    def make() -> Report:
        return evaluate(
            workspace.search,
            judgements,
            plan.retrievers,
            ks=plan.ks,
            baseline=plan.baseline,
            corpus_fingerprint=corpus,
            settings=settings,
            on_progress=plan.on_progress,
            cancelled=plan.cancelled,
        )

    name = run_fingerprint(judgements, plan.retrievers, plan.ks, plan.baseline, corpus, settings)
    return plan.results.load_or_make(name, make) if plan.results else make()


def shaped_by(workspace: SearchableCorpus, settings: Mapping[str, object]) -> dict[str, object]:
    """All but the corpus that shapes an answer: what was set, the code, and the model."""
    return {**settings, "code": code_fingerprint(), "embedder": workspace.settings.embedding_model}


def evaluate_paragraphs(
    dataset: Dataset,
    pool: str,
    plan: Plan,
    embedder: Embedder,
    names: NameReader,
    searcher_of: SearcherOf,
) -> Report:
    """:raises InvalidInput: there is no such pool.
    :raises Cancelled: the plan's ``cancelled`` said so.
    """
    if pool not in POOLS:
        raise InvalidInput(f"There is no pool {pool!r}. Choose one of: {', '.join(POOLS)}.")
    judgements = pool_judgements(dataset.questions)
    corpus = fingerprint(paragraphs=[[p.sha256 for p in q.paragraphs] for q in dataset.questions])
    settings = {
        **plan.settings,
        "pool": pool,
        "code": code_fingerprint(),
        "embedder": embedder.name,
        "names": names.name,
    }

    def make() -> Report:
        if pool == "closed":
            search = closed_pool(dataset, embedder, names, searcher_of)
        else:
            search = by_query(open_pool(dataset, embedder, names, searcher_of))
        return evaluate_each(
            search,
            judgements,
            plan.retrievers,
            ks=plan.ks,
            baseline=plan.baseline,
            corpus_fingerprint=corpus,
            settings=settings,
            on_progress=plan.on_progress,
            cancelled=plan.cancelled,
        )

    name = run_fingerprint(judgements, plan.retrievers, plan.ks, plan.baseline, corpus, settings)
    return plan.results.load_or_make(name, make) if plan.results else make()
