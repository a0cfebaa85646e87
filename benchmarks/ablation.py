"""What each part of the pipeline is worth: off, on, alone and left out.

    python benchmarks/ablation.py                      the filings and questions of ../shared/data
    python benchmarks/ablation.py --workspace DIR --questions FILE [--held-out] [--part query|cascade]

The first table is of the steps before retrieval, each alone on top of none, and each left out of all;
the second of the cascade's stages; the third of the features of the embedded reranker, alone and left
out (weights learned anew each time). Every row stands beside the difference to its reference with a
paired 95 % interval; a difference is marked * only where interval and permutation test agree. With
--held-out the reranker is learned without the company of each question, so the weights shipped, which
have seen the questions of ../shared/data, do not flatter the figures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "benchmarks"))

import train_reranker  # noqa: E402

from aethel_core import config, embedding, metrics  # noqa: E402
from aethel_core.errors import AethelError  # noqa: E402
from aethel_core.evaluation import datasets  # noqa: E402
from aethel_core.evaluation.judgements import Judgements, judge  # noqa: E402
from aethel_core.evaluation.statistics import difference  # noqa: E402
from aethel_core.prequery import Steps  # noqa: E402
from aethel_core.rerankers import cascade  # noqa: E402
from aethel_core.rerankers.cascade import Cascade, Stage  # noqa: E402
from aethel_core.rerankers.features import FAST, NAMES  # noqa: E402
from aethel_core.rerankers.learned import Learned, Model, shipped  # noqa: E402
from aethel_core.rerankers.training import STRENGTH, Example, held_out  # noqa: E402
from aethel_core.retrievers import Retriever  # noqa: E402
from aethel_core.search import POOLED, Search  # noqa: E402
from aethel_core.types import Query  # noqa: E402
from aethel_core.workspace import Workspace  # noqa: E402

SHOWN = ("HR@1", "HR@5", "Recall@5", "MRR", "nDCG@20")
DEPTH = 500  # passages asked for, so that 20 pages come of them
ROUTED = Steps(**{field.name: field.name == "routing" for field in fields(Steps)})
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
            narrow = [each.narrowed(train_reranker.NARROWED) for each in self.training.on(columns)]
            weights[name] = held_out(narrow, STRENGTH)
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

    def cascade(self, sources: Iterable[str], stages: Iterable[str]) -> Callable[[int], Retriever]:
        """Cascades of these sources and stages, one per question where the models differ."""
        retrievers = [self.search.retriever(name) for name in sources]
        features, wanted = self.search.features(), tuple(stages)

        def made(number: int) -> Retriever:
            models = self.models[number]
            known = {
                "fast": Stage(Learned(features, models.fast, reads=False), cascade.FIRST),
                "full": Stage(Learned(features, models.full, reads=True), cascade.SECOND),
            }
            return Cascade(retrievers, [known[name] for name in wanted], _nothing)

        return made


def _nothing(ids: object) -> dict:
    return {}


def query_rows(bench: Bench) -> Iterator[Row]:
    """The steps before retrieval, over hybrid and over the cascade."""
    every = Steps(**{field.name: True for field in fields(Steps)})
    for name, retriever in (
        ("hybrid", lambda _: bench.search.retriever("hybrid")),
        ("cascade", bench.cascade(POOLED, ("fast", "full"))),
    ):
        none, whole = f"{name}, no step", f"{name}, all steps"
        yield Row(none, bench.asked(retriever, ROUTED))
        yield Row(f"{name}, defaults", bench.asked(retriever, Steps()), none)
        yield Row(whole, bench.asked(retriever, every), none)
        for field in fields(Steps):
            if field.name == "routing":
                yield Row(f"{name}, without routing", _unrouted(bench, retriever), none)
                continue
            alone = replace(ROUTED, **{field.name: True})
            yield Row(f"{name}, {field.name} alone", bench.asked(retriever, alone), none)
            left = replace(every, **{field.name: False})
            yield Row(f"{name}, all but {field.name}", bench.asked(retriever, left), whole)


def _unrouted(bench: Bench, retriever: Callable[[int], Retriever]) -> Run:
    """With every node that was read from the question switched off."""
    run = {}
    for number, question in enumerate(bench.judgements.questions):
        view = bench.search.view(question.text, ROUTED)
        query = view.switched({chip.id for chip in view.chips if chip.on}).query()
        ids = retriever(number).search(Query(question.text, muted=query.muted), DEPTH).ids
        run[question.id] = list(dict.fromkeys(bench.judgements.item_of(each) for each in ids))
    return run


def cascade_rows(bench: Bench) -> Iterator[Row]:
    """The stages, and the sources of the pool."""
    yield Row("hybrid alone", bench.asked(lambda _: bench.search.retriever("hybrid")))
    for name, stages in (
        ("stage 1 only", ["fast"]),
        ("stage 2 only", ["full"]),
        ("both stages", ["fast", "full"]),
    ):
        yield Row(name, bench.asked(bench.cascade(POOLED, stages)), "hybrid alone")
    for left in POOLED:
        sources = [name for name in POOLED if name != left]
        run = bench.asked(bench.cascade(sources, ("fast", "full")))
        yield Row(f"pool without {left}", run, "both stages")


def feature_rows(bench: Bench) -> Iterator[Row]:
    """Each feature left out and alone, always learned without the company of the question."""
    every = list(range(len(NAMES)))
    yield Row("all features", _learned_run(bench, every))
    for column, name in enumerate(NAMES):
        rest = [other for other in every if other != column]
        yield Row(f"all but {name}", _learned_run(bench, rest), "all features")
    for column, name in enumerate(NAMES):
        yield Row(f"{name} alone", _learned_run(bench, [column]), "all features")


def _learned_run(bench: Bench, columns: list[int]) -> Run:
    examples = [Example(e.matrix[:, columns], e.pages, e.right, e.group) for e in bench.training.examples]
    narrow = [example.narrowed(train_reranker.NARROWED) for example in examples]
    weights: tuple[np.ndarray, ...] = held_out(narrow, STRENGTH)
    return train_reranker.run_of(bench.training, examples, weights)


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


PARTS = {"query": query_rows, "cascade": cascade_rows, "features": feature_rows}


def run(search: Search, judgements: Judgements, parts: Iterable[str], held_out_models: bool) -> None:
    bench = Bench(search, judgements, held_out_models)
    for part in parts:
        print(f"\n### {part.capitalize()}\n")
        table(PARTS[part](bench), judgements)


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
