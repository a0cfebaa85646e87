"""What each part of the pipeline is worth: off, on, alone and left out.

    python benchmarks/ablation.py                      the filings and questions of ../shared/data
    python benchmarks/ablation.py --workspace DIR --questions FILE [--held-out] [--part cascade|pool]

The parts "cascade" and "hybrid" are the ablation of `aethel_core.evaluation.ablation`, its steps measured
over the one or the other: what each step, stage and factor adds in the default, alone and in the whole.
Then the sources of the pool, each left out, and the features of the embedded reranker, alone and left
out (weights learned anew each time). Every figure stands beside its difference with a paired 95 %
interval; a difference is marked * only where interval and permutation test agree. With
--held-out the reranker is learned without the company of each question, so the weights shipped, which
have seen the questions of ../shared/data, do not flatter the figures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "benchmarks"))

import train_reranker  # noqa: E402

from aethel_core import config, embedding, metrics  # noqa: E402
from aethel_core.errors import AethelError  # noqa: E402
from aethel_core.evaluation import ablation, datasets, tables  # noqa: E402
from aethel_core.evaluation.ablation import ROUTED, Pipelines  # noqa: E402
from aethel_core.evaluation.judgements import Judgements, judge  # noqa: E402
from aethel_core.evaluation.report import Report  # noqa: E402
from aethel_core.evaluation.runs import evaluate_each  # noqa: E402
from aethel_core.evaluation.statistics import difference  # noqa: E402
from aethel_core.prequery import Steps  # noqa: E402
from aethel_core.rerankers import cascade  # noqa: E402
from aethel_core.rerankers.cascade import Stage  # noqa: E402
from aethel_core.rerankers.features import FAST, NAMES  # noqa: E402
from aethel_core.rerankers.learned import Learned, Model, shipped, together  # noqa: E402
from aethel_core.rerankers.training import STRENGTH, held_out  # noqa: E402
from aethel_core.retrievers import Retriever  # noqa: E402
from aethel_core.search import POOLED, Search  # noqa: E402
from aethel_core.workspace import Workspace  # noqa: E402

SHOWN = ("HR@1", "HR@5", "Recall@5", "MRR", "nDCG@20")
DEPTH = 500  # passages asked for, so that 20 pages come of them
Run = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Row:
    """One way of searching; ``against`` names the row it is compared with, "" for none."""

    name: str
    run: Run
    against: str = ""


class Bench:
    """Searches all questions in one way after another. With ``learned`` the cascade's models are those
    learned without the company of each question."""

    def __init__(self, search: Search, judgements: Judgements, held_out_models: bool) -> None:
        self.search, self.judgements = search, judgements
        self.training = train_reranker.gather(search, judgements)
        self.models = self._learned() if held_out_models else [shipped()] * len(judgements.questions)

    def _learned(self) -> list[train_reranker.Models]:
        weights = {}
        for name, columns in (("fast", len(FAST)), ("full", len(NAMES))):
            weights[name] = train_reranker.left_out(self.training, self.training.on(columns), STRENGTH)
        return [
            train_reranker.Models(Model(NAMES[: len(FAST)], tuple(fast)), Model(NAMES, tuple(full)))
            for fast, full in zip(weights["fast"], weights["full"], strict=True)
        ]

    def asked(self, retriever: Callable[[int], Retriever], steps: Steps = ROUTED) -> Run:
        """:param retriever: for the question of that number."""
        run = {}
        for number, question in enumerate(self.judgements.questions):
            query = self.search.view(question.text, steps).query()
            ids = retriever(number).search(query, DEPTH).ids
            run[question.id] = list(dict.fromkeys(self.judgements.item_of(each) for each in ids))
        return run

    def stages(self, number: int) -> tuple[Stage, Stage]:
        """The cascade's, for the question of that number."""
        features, models = self.search.features(), self.models[number]
        return (
            Stage(Learned(features, models.fast, reads=False), cascade.FIRST),
            Stage(Learned(features, models.full, reads=True), cascade.SECOND),
        )

    def cascade(self, sources: Iterable[str]) -> Callable[[int], Retriever]:
        """Cascades of these sources, one per question where the models differ."""
        pipelines, names = Pipelines(self.search), tuple(sources)
        return lambda number: pipelines.cascade(names, self.stages(number))

    def report(self, over: str) -> Report:
        """Every way to search of the core's ablation."""
        shared = Pipelines(self.search)
        staged = {
            question.id: shared.staged(self.stages(number))
            for number, question in enumerate(self.judgements.questions)
        }
        names = [way.name for way in ablation.ways(over)]
        ask = ablation.searcher(lambda question: staged[question.id], over)
        return evaluate_each(ask, self.judgements, names, ks=ablation.KS, baseline=names[0])


def pool_rows(bench: Bench) -> Iterator[Row]:
    """The sources of the pool, each left out."""
    yield Row("whole pool", bench.asked(bench.cascade(POOLED)))
    for left in POOLED:
        run = bench.asked(bench.cascade(name for name in POOLED if name != left))
        yield Row(f"pool without {left}", run, "whole pool")


def feature_rows(bench: Bench) -> Iterator[Row]:
    """Each feature left out and alone, always learned without the company of the question; questions that
    the learned weights are not used for keep Hybrid's order."""
    every = list(range(len(NAMES)))
    yield Row("all features", _learned_run(bench, every))
    for column, name in enumerate(NAMES):
        rest = [other for other in every if other != column]
        yield Row(f"all but {name}", _learned_run(bench, rest), "all features")
    for column, name in enumerate(NAMES):
        yield Row(f"{name} alone", _learned_run(bench, [column]), "all features")


def _learned_run(bench: Bench, columns: list[int]) -> Run:
    training = bench.training
    some = [replace(e, matrix=e.matrix[:, columns]) for e in training.examples]
    learned = held_out([example.narrowed(train_reranker.NARROWED) for example in some], STRENGTH)
    weights = []
    for each, used in zip(learned, training.grounded, strict=True):
        row = np.zeros(len(NAMES))
        row[columns] = each
        weights.append(row if used else together(len(NAMES)))
    return train_reranker.run_of(training, training.examples, weights)


def table(rows: Iterable[Row], judgements: Judgements) -> None:
    """Print rows as they come, each measure with its difference to the reference."""
    print(f"| | {' | '.join(SHOWN)} |\n|---|{'---|' * len(SHOWN)}")
    known: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        values = {name: list(metrics.measure(name, judgements.qrels, row.run).values()) for name in SHOWN}
        known[row.name] = values
        cells = [_cell(row, name, values[name], known.get(row.against)) for name in SHOWN]
        print(f"| {row.name} | {' | '.join(cells)} |", flush=True)


def _cell(row: Row, metric: str, values: list[float], reference: dict[str, list[float]] | None) -> str:
    mean = f"{metrics.mean(values):.3f}"
    if reference is None:
        return mean
    gap = difference(row.name, row.against, metric, values, reference[metric])
    return f"{mean} ({gap.mean:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]{'*' if gap.clear else ''})"


ROWS = {"pool": pool_rows, "features": feature_rows}
PARTS = (*ablation.OVER, *ROWS)


def run(search: Search, judgements: Judgements, parts: Iterable[str], held_out_models: bool) -> None:
    bench = Bench(search, judgements, held_out_models)
    for part in parts:
        print(f"\n### {part.capitalize()}\n")
        if part in ROWS:
            table(ROWS[part](bench), judgements)
        else:
            print(tables.ablation_table(bench.report(part)), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workspace", type=Path, default=ROOT / "benchmarks" / "results" / "filings",
                        help="as filled by evaluate_aethel.py")  # fmt: skip
    data = train_reranker.DATA / "financebench" / "questions.jsonl"
    parser.add_argument("--questions", type=Path, default=data)
    parser.add_argument("--held-out", action="store_true", help="learn without the question's company")
    parser.add_argument("--part", choices=PARTS, action="append", help="default: all")
    arguments = parser.parse_args()
    try:
        questions = datasets.read_questions(arguments.questions)
        with Workspace.open(arguments.workspace, create=False) as workspace:
            search = Search(workspace.index(), embedding.load(config.settings()))
            judgements = judge(questions, workspace, "page")
            run(search, judgements, arguments.part or PARTS, arguments.held_out)
    except AethelError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
