"""The cascade: fast rerankers see many candidates, strong ones see few.

    pool      union of the retrievers' rankings, each to ``depth`` hits
    stage 1   scores the whole pool and hands on its best 100
    stage 2   scores those and hands on its best 20

A stage that fails, or that the time limit stops before its first batch, leaves the order of the
stage before. One that is stopped between two batches leaves what it has scored on top and the rest
below in the order of the stage before. Either is said in the ranking's note, and nothing that a
stage before had found is ever lost: below what a stage keeps follow the others, so a person who
asks for more hits than the last stage keeps gets them. A stage that the query skips is left out; without any
the order is that of the pool.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

from aethel_core.errors import InvalidInput, ModelUnavailable, UnknownPassage
from aethel_core.rerankers.base import PassageLookup, Reranker, below
from aethel_core.retrievers.base import Retriever, check
from aethel_core.retrievers.coverage import Coverage
from aethel_core.types import Hit, Query, Ranking, ranked_pairs

POOL = 1000
FIRST = 100
SECOND = 20
SECONDS = 10.0
_REMEMBERED = 32
_FAILURES = (ModelUnavailable, UnknownPassage, InvalidInput)


@dataclass(frozen=True, slots=True)
class Stage:
    """``reranker`` scores what it is given, ``batch`` hits at a time (0: all at once), and keeps ``keep``."""

    reranker: Reranker
    keep: int
    batch: int = 0

    def __post_init__(self) -> None:
        if self.keep < 1 or self.batch < 0:
            raise InvalidInput("A stage keeps at least one hit, and its batches are not negative.")


@dataclass(frozen=True, slots=True)
class StageReport:
    """What one stage did: of ``given`` candidates it scored ``scored`` and kept ``kept``. ``note`` says
    what went wrong, "" if nothing did. The pool is reported as the first stage."""

    name: str
    given: int
    scored: int
    kept: int
    seconds: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    ranking: Ranking
    stages: tuple[StageReport, ...]


class Cascade:
    """A retriever. Safe to share between threads."""

    name = "cascade"

    def __init__(
        self,
        sources: Sequence[Retriever],
        stages: Sequence[Stage],
        passages: PassageLookup,
        *,
        depth: int = POOL,
        seconds: float = SECONDS,
        coverage: Coverage | None = None,
    ) -> None:
        """:param sources: the retrievers of the pool; the order of the first is the one the first
            stage falls back to, and what only others found comes below it.
        :param depth: hits taken of each.
        :param seconds: what the stages may take together; a batch that has begun is finished.
        :param coverage: sees to it that the first hits show every statement the query needs.
        """
        if not sources:
            raise InvalidInput("A cascade needs at least one retriever; choose some.")
        if depth < 1 or not seconds > 0:
            raise InvalidInput("A cascade needs a pool of at least one hit and a time limit above zero.")
        self.sources, self.stages, self.passages = tuple(sources), tuple(stages), passages
        self.depth, self.seconds, self.coverage = depth, seconds, coverage
        self._known: OrderedDict[tuple[Query, int], Trace] = OrderedDict()
        self._lock = Lock()

    def search(self, query: Query, k: int) -> Ranking:
        return self.trace(query, k).ranking

    def asked(self, query: Query) -> tuple[Stage, ...]:
        """The stages that the query does not skip."""
        return tuple(
            stage for number, stage in enumerate(self.stages, start=1) if number not in query.skipped
        )

    def trace(self, query: Query, k: int) -> Trace:
        """The ranking and what each stage did; of a question just asked, what was found then."""
        check(query, k)
        with self._lock:
            if (query, k) in self._known:
                return self._known[query, k]
        made = self._run(query, k)
        # A failure may be over by the next time the question is asked.
        if not any(stage.note for stage in made.stages):
            with self._lock:
                self._known[query, k] = made
                if len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
        return made

    def _run(self, query: Query, k: int) -> Trace:
        began = time.perf_counter()
        ranking, pooled = self._pool(query, k)
        reports, tail, until = [pooled], (), time.perf_counter() + self.seconds
        for stage in self.asked(query):
            if not ranking.hits:
                break
            kept, rest, report = self._stage(stage, query, ranking, until)
            ranking, tail = kept, (*rest, *tail)
            reports.append(report)
        hits = below(ranking, tail)
        notes = [report.note for report in reports if report.note]
        if self.coverage is not None:
            hits, raised = self.coverage(query, hits)
            notes += [raised] if raised else []
        hits = hits[:k]
        if ranking.note and not hits:
            notes.append(ranking.note)
        seconds = time.perf_counter() - began
        return Trace(Ranking(self.name, hits, " ".join(dict.fromkeys(notes)), seconds), tuple(reports))

    def _pool(self, query: Query, k: int) -> tuple[Ranking, StageReport]:
        began, found, failures = time.perf_counter(), [], []
        for source in self.sources:
            try:
                found.append(source.search(query, max(self.depth, k)))
            except ModelUnavailable as error:
                failures.append(error)
        if not found:
            raise failures[0]
        union = found[0]
        for other in found[1:]:
            union = replace(union, hits=below(union, other.hits))
        note = f"Without {len(failures)} of {len(self.sources)} retrievers: {failures[0]}" if failures else ""
        size = len(union.hits)
        report = StageReport("pool", size, size, size, time.perf_counter() - began, note)
        return union, report

    def _stage(
        self, stage: Stage, query: Query, ranking: Ranking, until: float
    ) -> tuple[Ranking, tuple[Hit, ...], StageReport]:
        """What the stage keeps, what it leaves, and its report."""
        began = time.perf_counter()
        scored, note = self._scored(stage, query, ranking, until)
        best = Ranking(stage.reranker.name, ranked_pairs(scored, len(scored)))
        ordered = below(best, ranking.hits) if scored else ranking.hits
        kept, rest = ordered[: stage.keep], ordered[stage.keep :]
        report = StageReport(
            stage.reranker.name,
            len(ranking.hits),
            len(scored),
            len(kept),
            time.perf_counter() - began,
            note,
        )
        return Ranking(stage.reranker.name, kept), rest, report

    def _scored(
        self, stage: Stage, query: Query, ranking: Ranking, until: float
    ) -> tuple[list[tuple[str, float]], str]:
        """(passage id, score) of what could be scored, and why not all of it."""
        hits, pairs = ranking.hits, []
        size = stage.batch or len(hits)
        name = stage.reranker.name
        for start in range(0, len(hits), size):
            if time.perf_counter() > until:
                return pairs, (
                    f"The time limit of {self.seconds:g} s ended the {name} after {len(pairs)} of "
                    f"{len(hits)} passages."
                )
            part = Ranking(ranking.retriever, hits[start : start + size])
            try:
                done = stage.reranker.rerank(query, part, self.passages, len(part.hits))
            except _FAILURES as error:
                return pairs, (
                    f"The {name} scored {len(pairs)} of {len(hits)} passages, the rest keep the order "
                    f"of the stage before: {error}"
                )
            pairs.extend((hit.passage_id, hit.score) for hit in done.hits)
        return pairs, ""
