"""The lab of one workspace: its labelled set, its runs, and what they say.

    lab = Lab(workspace)
    run = lab.start(lab.questions(), ("bm25", "dense", "hybrid"))
    run.state            # progress, later the report; run.cancel() stops it
    lab.reports()        # every kept run, newest first; lab.stale(report) when the corpus moved on

Results are kept in the workspace's folder under "evaluation".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Protocol

from aethel_core import embedding
from aethel_core.embedding import Embedder
from aethel_core.errors import MissingData
from aethel_core.evaluation import datasets
from aethel_core.evaluation.ablation import ablate
from aethel_core.evaluation.agreement import Agreement, cohen_kappa
from aethel_core.evaluation.background import BackgroundRun
from aethel_core.evaluation.base import Level, Question, fingerprint
from aethel_core.evaluation.experiments import Plan, SearchableCorpus, evaluate_workspace, shaped_by
from aethel_core.evaluation.judgements import Judgements, judge
from aethel_core.evaluation.labels import (
    Label,
    labels_to_questions,
    marks_of,
    questions_to_labels,
)
from aethel_core.evaluation.pooling import DEPTH, Queue, judging_queue
from aethel_core.evaluation.report import Report
from aethel_core.evaluation.results import Results
from aethel_core.evaluation.robustness import RobustnessResult, examples_of, robustness
from aethel_core.evaluation.runs import KS, OnProgress, run_fingerprint
from aethel_core.evaluation.scale import SIZES, ScaleCurve, scale_curve
from aethel_core.search import Search
from aethel_core.types import Passage

RELEVANT = 2
Change = Literal["corpus", "settings", "labels"]


class LabelledCorpus(SearchableCorpus, Protocol):
    """The part of a workspace that the lab needs."""

    path: Path

    def passage(self, passage_id: str) -> Passage: ...

    def labels(self) -> Sequence[Label]: ...

    def label(self, question: str, passage_id: str, labeller: str, grade: int | None) -> None: ...


class Lab:
    def __init__(
        self,
        workspace: LabelledCorpus,
        embedder: Embedder | None = None,
        *,
        engine: Callable[[], Search] | None = None,
        settings: Callable[[], Mapping[str, object]] = dict,
    ) -> None:
        """
        :param embedder: the workspace's, where it is not the one its settings name.
        :param engine: what the workspace searches with, where that is more than embedder and index.
        :param settings: what is set differently from the defaults now, as in `Plan`.
        """
        self._workspace = workspace
        self._embedder = embedder
        self._engine = engine
        self._settings = settings
        self.results = Results(workspace.path / "evaluation")
        self.ablations = Results(workspace.path / "evaluation" / "ablations")
        self.curves = Results(workspace.path / "evaluation" / "curves", ScaleCurve)
        self.changed = Results(workspace.path / "evaluation" / "robustness", RobustnessResult)

    # The labelled set

    def labellers(self) -> tuple[str, ...]:
        return tuple(sorted({mark.labeller for mark in self._workspace.labels()}))

    def questions(self, labeller: str = "") -> tuple[Question, ...]:
        """The labelled set as questions: one person's marks, or everyone's together.

        :raises MissingData: nothing has been marked relevant.
        """
        names = {document.id: document.name for document in self._workspace.documents()}
        workspace = self._workspace
        return labels_to_questions(workspace.labels(), workspace.passage, names.__getitem__, labeller)

    def exported(self, labeller: str = "") -> str:
        """The labelled set as a question file."""
        return datasets.write_questions(self.questions(labeller))

    def imported(self, text: str, labeller: str) -> int:
        """Take the marks of a question file over as ``labeller``'s; how many there were.

        A file that grades nothing above 1 does not tell partly from relevant: all of it is relevant.

        :raises MissingData: the file is malformed, or its gold is not in this workspace.
        """
        marks = questions_to_labels(datasets.parse_questions(text), self._workspace)
        graded = any(mark.grade > 1 for mark in marks)
        for mark in marks:
            grade = min(mark.grade, RELEVANT) if graded else RELEVANT
            self._workspace.label(mark.question, mark.passage_id, labeller, grade)
        return len(marks)

    def agreement(self, a: str, b: str) -> Agreement:
        """:raises MissingData: the two judged nothing in common."""
        labels = self._workspace.labels()
        return cohen_kappa(marks_of(labels, a), marks_of(labels, b))

    def queue(self, question: str, retrievers: Sequence[str], labeller: str, depth: int = DEPTH) -> Queue:
        """What ``labeller`` has still to judge of what the retrievers find for the question."""
        rankings = [self._workspace.search(question, name, depth) for name in retrievers]
        judged = {
            passage for asked, passage in marks_of(self._workspace.labels(), labeller) if asked == question
        }
        return judging_queue(question, rankings, judged, depth)

    # Runs

    def start(
        self,
        questions: Sequence[Question],
        retrievers: Sequence[str],
        level: Level = "page",
        ks: Sequence[int] = KS,
        baseline: str = "bm25",
    ) -> BackgroundRun[Report]:
        """Evaluate in the background; the report is kept when it is done."""
        return BackgroundRun(
            lambda on_progress, cancelled: evaluate_workspace(
                self._workspace,
                questions,
                Plan(
                    tuple(retrievers),
                    tuple(ks),
                    baseline,
                    self.results,
                    on_progress,
                    cancelled,
                    self._settings(),
                ),
                level,
            )
        )

    def start_scale(
        self,
        questions: Sequence[Question],
        retrievers: Sequence[str],
        level: Level = "page",
        sizes: Sequence[int] = SIZES,
        gold_kept: bool = True,
    ) -> BackgroundRun[ScaleCurve]:
        """The scale curve on this corpus, in the background; kept when it is done."""
        engine, conditions = self._search_engine(), self._conditions()

        def work(on_progress: OnProgress, cancelled: Callable[[], bool]) -> ScaleCurve:
            judgements = judge(questions, self._workspace, level)
            shape = {"conditions": conditions, "sizes": sorted(set(sizes)), "gold kept": gold_kept}
            name = run_fingerprint(judgements, retrievers, KS, "", "", shape)

            def make() -> ScaleCurve:
                curve = scale_curve(
                    engine.index,
                    judgements,
                    lambda index: engine.over(index).search,
                    retrievers,
                    sizes=sizes,
                    gold_kept=gold_kept,
                    on_progress=on_progress,
                    cancelled=cancelled,
                )
                now = datetime.now(UTC).isoformat(timespec="seconds")
                return replace(curve, fingerprint=name, conditions=conditions, made_at=now)

            return self.curves.load_or_make(name, make)

        return BackgroundRun(work)

    def outdated(self, kept: ScaleCurve | RobustnessResult) -> bool:
        """Whether the corpus, the settings or Aethel have changed since it was measured."""
        return kept.conditions != self._conditions()

    def _conditions(self) -> str:
        settings = shaped_by(self._workspace, self._settings())
        return fingerprint(corpus=self._workspace.index().fingerprint, settings=settings)

    def start_ablation(
        self, questions: Sequence[Question], level: Level = "page", over: str = "cascade"
    ) -> BackgroundRun[Report]:
        """What each part of the pipeline is worth here, in the background; kept when it is done.

        :param over: what the steps before retrieval are measured with, "cascade" or "hybrid".
        """
        engine, settings = self._search_engine(), self._settings()
        muted = settings.get("muted")
        return BackgroundRun(
            lambda on_progress, cancelled: ablate(
                engine,
                judge(questions, self._workspace, level),
                over,
                muted=frozenset(muted if isinstance(muted, list) else ()),
                settings=shaped_by(self._workspace, settings),
                results=self.ablations,
                on_progress=on_progress,
                cancelled=cancelled,
            )
        )

    def start_robustness(
        self,
        questions: Sequence[Question],
        retrievers: Sequence[str],
        level: Level = "page",
        metric: str = "HR@5",
    ) -> BackgroundRun[RobustnessResult]:
        """Typos, tickers and paraphrases, in the background; kept when it is done."""
        conditions = self._conditions()

        def work(on_progress: OnProgress, cancelled: Callable[[], bool]) -> RobustnessResult:
            judgements = judge(questions, self._workspace, level)
            companies = [document.metadata for document in self._workspace.documents()]
            called = sorted({(m.company, m.ticker or "", *m.aliases) for m in companies})
            shape = {"conditions": conditions, "metric": metric, "companies": called}
            name = run_fingerprint(judgements, retrievers, KS, "", "", shape)

            def make() -> RobustnessResult:
                rows = robustness(
                    self._workspace.search,
                    judgements,
                    retrievers,
                    companies,
                    metric=metric,
                    on_progress=on_progress,
                    cancelled=cancelled,
                )
                now = datetime.now(UTC).isoformat(timespec="seconds")
                examples = examples_of(judgements.questions, companies)
                return RobustnessResult(
                    metric, len(judgements.questions), rows, examples, name, conditions, now
                )

            return self.changed.load_or_make(name, make)

        return BackgroundRun(work)

    def reports(self) -> tuple[Report, ...]:
        return self.results.all()

    def stale(self, report: Report) -> bool:
        """Whether the corpus has changed since that run."""
        return report.stale(self._workspace.index().fingerprint)

    def changes(self, report: Report) -> tuple[Change, ...]:
        """What has changed since that run. "settings" are those of retrieval and the version of
        Aethel; "labels" means that no one's marks, nor all together, give its questions any more."""
        changed: list[Change] = ["corpus"] if self.stale(report) else []
        asked = Judgements(report.level, report.questions, str)
        again = run_fingerprint(
            asked,
            report.retrievers,
            report.ks,
            report.baseline,
            report.corpus_fingerprint,
            shaped_by(self._workspace, self._settings()),
        )
        if again != report.fingerprint:
            changed.append("settings")
        if not self._still_asked(report):
            changed.append("labels")
        return tuple(changed)

    def _still_asked(self, report: Report) -> bool:
        kept = {(question.text, frozenset(question.relevant)) for question in report.questions}
        for labeller in ("", *self.labellers()):
            try:
                now = judge(self.questions(labeller), self._workspace, report.level)
            except MissingData:
                continue  # this one's marks alone are not enough to measure anything
            if {(question.text, frozenset(question.relevant)) for question in now.questions} == kept:
                return True
        return False

    def _search_engine(self) -> Search:
        if self._engine is not None:
            return self._engine()
        return Search(self._workspace.index(), self._embedder or embedding.load(self._workspace.settings))
