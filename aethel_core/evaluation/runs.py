"""Ask every retriever every question, and measure.

Rankings are of passages; at page and document level an item stands where its best passage
stands. Looked at are the first 100 items (or as many as the deepest cutoff), for which ten times
as many passages are asked for, and four times more while that does not fill the deepest cutoff
although there are more. A question counts 0 where nothing was retrieved. Intervals and
differences: `aethel_core.evaluation.statistics`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from time import perf_counter

from aethel_core.errors import Cancelled, InvalidInput, MissingData
from aethel_core.evaluation.base import fingerprint
from aethel_core.evaluation.judgements import JudgedQuestion, Judgements
from aethel_core.evaluation.report import (
    DEEPEST_RANK,
    FORMAT,
    Answer,
    Measured,
    Report,
    metric_names,
    values_of,
)
from aethel_core.evaluation.statistics import Difference, bootstrap, difference
from aethel_core.types import Query, Ranking

KS = (1, 3, 5, 10, 20)
_DEPTH = 10  # passages asked for per page or document wanted
_DEEPER = 4
_DEEPEST = 16 * _DEPTH

Searcher = Callable[[Query, str, int], Ranking]
QuestionSearcher = Callable[[JudgedQuestion, str, int], Ranking]
OnProgress = Callable[[int, int], None]


def evaluate(
    searcher: Searcher,
    judgements: Judgements,
    retrievers: Sequence[str],
    *,
    ks: Sequence[int] = KS,
    baseline: str = "bm25",
    corpus_fingerprint: str = "",
    settings: Mapping[str, object] | None = None,
    on_progress: OnProgress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Report:
    """Measure the retrievers on the judged questions.

    :param searcher: (query, retriever name, k) -> ranking, for instance ``workspace.search``.
    :param settings: whatever else shaped the rankings, JSON-able; part of the fingerprint.
    :param on_progress: (searches done, searches in all), after each search.
    :raises Cancelled: ``cancelled`` said so between two searches.
    :raises InvalidInput: the cutoffs, the retrievers or the baseline cannot be used.
    :raises MissingData: there are no questions.
    """
    return evaluate_each(
        by_query(searcher),
        judgements,
        retrievers,
        ks=ks,
        baseline=baseline,
        corpus_fingerprint=corpus_fingerprint,
        settings=settings,
        on_progress=on_progress,
        cancelled=cancelled,
    )


def by_query(searcher: Searcher) -> QuestionSearcher:
    """Ask by the question's text alone."""
    return lambda question, name, k: searcher(Query(question.text), name, k)


def evaluate_each(
    searcher: QuestionSearcher,
    judgements: Judgements,
    retrievers: Sequence[str],
    *,
    ks: Sequence[int] = KS,
    baseline: str = "bm25",
    corpus_fingerprint: str = "",
    settings: Mapping[str, object] | None = None,
    on_progress: OnProgress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Report:
    """`evaluate` where a search depends on the question itself, as in closed pools."""
    names, cutoffs = tuple(dict.fromkeys(retrievers)), tuple(sorted(set(ks)))
    _check(judgements, names, cutoffs, baseline)
    identity = run_fingerprint(judgements, names, cutoffs, baseline, corpus_fingerprint, settings)
    answers = collect(searcher, judgements, names, max(cutoffs), on_progress, cancelled)
    measured, differences = _measure(judgements, answers, names, cutoffs, baseline)
    return Report(
        judgements.level,
        cutoffs,
        names,
        baseline,
        judgements.questions,
        answers,
        measured,
        differences,
        identity,
        corpus_fingerprint,
        datetime.now(UTC).isoformat(timespec="seconds"),
    )


def collect(
    searcher: QuestionSearcher,
    judgements: Judgements,
    retrievers: Sequence[str],
    want: int,
    on_progress: OnProgress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> tuple[Answer, ...]:
    """Ask only: ``want`` items of each retriever for each question, question after question."""
    total = len(judgements.questions) * len(retrievers)
    answers: list[Answer] = []
    for question in judgements.questions:
        for name in retrievers:
            if cancelled is not None and cancelled():
                raise Cancelled("The evaluation was stopped; results kept earlier are still there.")
            answers.append(_answer(searcher, question, name, judgements, want))
            if on_progress is not None:
                on_progress(len(answers), total)
    return tuple(answers)


def offset(on_progress: OnProgress | None, before: int, total: int) -> OnProgress | None:
    """Progress of a part of some larger work, told as progress of the whole."""
    if on_progress is None:
        return None
    return lambda done, _: on_progress(before + done, total)


def per_question(
    answers: Sequence[Answer], judgements: Judgements, retriever: str, metric: str
) -> tuple[float, ...]:
    """The metric of each question, in the order of the judgements."""
    return values_of(judgements.questions, [a for a in answers if a.retriever == retriever], metric)


def run_fingerprint(
    judgements: Judgements,
    retrievers: Sequence[str],
    ks: Sequence[int],
    baseline: str,
    corpus_fingerprint: str,
    settings: Mapping[str, object] | None = None,
) -> str:
    """Names a result before it is made, so that a kept one can be found."""
    return fingerprint(
        format=FORMAT,
        level=judgements.level,
        questions=[asdict(question) for question in judgements.questions],
        retrievers=list(dict.fromkeys(retrievers)),
        ks=sorted(set(ks)),
        baseline=baseline,
        corpus=corpus_fingerprint,
        settings=dict(settings or {}),
    )


def _check(judgements: Judgements, names: Sequence[str], ks: Sequence[int], baseline: str) -> None:
    if not judgements.questions:
        raise MissingData("There are no questions to evaluate.")
    if not names:
        raise InvalidInput("No retriever was chosen; name at least one.")
    if baseline not in names:
        raise InvalidInput(f"The baseline {baseline!r} is not among the retrievers: {', '.join(names)}.")
    if not ks or min(ks) < 1:
        raise InvalidInput("Cutoffs are whole numbers of at least 1, such as 1,3,5,10,20.")


def _answer(
    searcher: QuestionSearcher, question: JudgedQuestion, name: str, judgements: Judgements, want: int
) -> Answer:
    looked_at = max(want, DEEPEST_RANK)
    depth = looked_at if judgements.level in ("passage", "paragraph") else looked_at * _DEPTH
    seconds = 0.0
    while True:
        started = perf_counter()
        ranking = searcher(question, name, depth)
        seconds += perf_counter() - started
        items = tuple(dict.fromkeys(judgements.item_of(passage) for passage in ranking.ids))
        if len(items) >= want or len(ranking.hits) < depth or depth >= looked_at * _DEEPEST:
            break
        depth *= _DEEPER
    ranks = {item: rank for rank, item in enumerate(items[:looked_at], 1)}
    found = tuple(ranks.get(item, 0) for item, _ in question.relevant)
    return Answer(question.id, name, items[:want], found, ranking.note, seconds)


def _measure(
    judgements: Judgements, answers: Sequence[Answer], names: Sequence[str], ks: Sequence[int], baseline: str
) -> tuple[tuple[Measured, ...], tuple[Difference, ...]]:
    values: dict[tuple[str, str], tuple[float, ...]] = {}
    measured = []
    for name in names:
        for metric in metric_names(ks):
            found = per_question(answers, judgements, name, metric)
            values[name, metric] = found
            interval = bootstrap(found)
            measured.append(Measured(name, metric, interval.mean, interval.low, interval.high))
    differences = tuple(
        difference(name, baseline, metric, values[name, metric], values[baseline, metric])
        for name in names
        if name != baseline
        for metric in metric_names(ks)
    )
    return tuple(measured), differences
