"""``python -m aethel_core evaluate``: measure retrievers on questions with known answers.

evaluate --workspace DIR --questions FILE [--level page|passage|document]
evaluate --paragraphs FILE [--pool closed|open]
         [--retrievers a,b,c] [--k 1,3,5,10,20] [--baseline bm25] [--hops N] [--sample N] [--seed 42]
         [--results DIR] [--json]
evaluate --workspace DIR --questions FILE --ablation [--over cascade|hybrid] [--level ...]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

from aethel_core import config, embedding
from aethel_core.errors import InvalidInput
from aethel_core.evaluation import ablation, datasets, tables
from aethel_core.evaluation.ablation_words import in_words
from aethel_core.evaluation.base import LEVELS, Dataset, Question
from aethel_core.evaluation.experiments import (
    POOLS,
    Plan,
    SearchableCorpus,
    evaluate_paragraphs,
    evaluate_workspace,
    shaped_by,
)
from aethel_core.evaluation.judgements import judge
from aethel_core.evaluation.pools import Recognisers, SearcherOf
from aethel_core.evaluation.remember import RememberingEmbedder
from aethel_core.evaluation.report import Report
from aethel_core.evaluation.results import Results
from aethel_core.evaluation.runs import KS
from aethel_core.evaluation.verdict import verdict
from aethel_core.index import Index

OpenWorkspace = Callable[[Path], AbstractContextManager[SearchableCorpus]]


def register(subparsers: Any, open_workspace: OpenWorkspace) -> None:
    """Add the subcommand; its ``run`` takes the parsed arguments and gives the exit code.

    :param open_workspace: opens an existing workspace by its folder.
    """
    parser = subparsers.add_parser(
        "evaluate",
        help="measure retrievers on questions with known answers",
        description="Measure retrievers on questions with known answers.",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--workspace", type=Path, metavar="DIR", help="ask the documents of this workspace")
    what.add_argument(
        "--paragraphs", type=Path, metavar="FILE", help="a file whose questions bring paragraphs"
    )
    parser.add_argument("--questions", type=Path, metavar="FILE", help="the question file, for --workspace")
    parser.add_argument(
        "--level", choices=LEVELS, default="page", help="what counts as found (default: page)"
    )
    parser.add_argument("--pool", choices=POOLS, default="closed", help="for --paragraphs (default: closed)")
    parser.add_argument("--baseline", help="compare with this one (default: bm25, else the first)")
    parser.add_argument("--hops", type=int, default=1, metavar="N", help="only questions of N or more hops")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of the questions, drawn at random")
    parser.add_argument("--seed", type=int, default=datasets.SEED, help="of the sample (default: 42)")
    add_measuring(parser)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--ablation", action="store_true", help="what each part of the pipeline is worth, for --workspace"
    )
    parser.add_argument(
        "--over", choices=ablation.OVER, default=ablation.OVER[0], help="what its steps are measured with"
    )
    parser.set_defaults(run=partial(_run, open_workspace))


def add_measuring(parser: argparse.ArgumentParser) -> None:
    """The arguments that every experiment has."""
    parser.add_argument("--retrievers", help="names, separated by commas (default: all without a model)")
    parser.add_argument("--k", default=",".join(map(str, KS)), help="cutoffs (default: 1,3,5,10,20)")
    parser.add_argument("--results", type=Path, metavar="DIR", help="keep results here and use kept ones")


def plan_of(arguments: argparse.Namespace, baseline: str | None = None) -> Plan:
    """:raises InvalidInput: the cutoffs are not whole numbers."""
    names = _split(arguments.retrievers) or default_retrievers()
    if not all(part.isdecimal() for part in _split(arguments.k)):
        raise InvalidInput(f"--k is {arguments.k!r}; give whole numbers separated by commas, as 1,3,5,10,20.")
    return Plan(
        names,
        tuple(int(part) for part in _split(arguments.k)),
        baseline or ("bm25" if "bm25" in names else names[0]),
        Results(arguments.results) if arguments.results else None,
        _show if sys.stderr.isatty() else None,
    )


def default_retrievers() -> tuple[str, ...]:
    from aethel_core import search

    return tuple(name for name in search.NAMES if name != "ppr-llm")


def engine() -> tuple[RememberingEmbedder, Recognisers, SearcherOf]:
    """What paragraph experiments search with: the product's own parts, at their defaults."""
    from aethel_core.search import Search

    settings = config.settings()
    embedder = RememberingEmbedder(embedding.load(settings), settings.cache_dir / "evaluation")

    def searcher_of(index: Index) -> Callable:
        return Search(index, embedder).search

    return embedder, Recognisers(), searcher_of


def sampled(dataset: Dataset, size: int | None, seed: int) -> Dataset:
    return Dataset(dataset.name, datasets.sample(dataset.questions, size, seed), dataset.skipped)


def _run(open_workspace: OpenWorkspace, arguments: argparse.Namespace) -> int:
    plan = plan_of(arguments, arguments.baseline)
    if arguments.ablation:
        found = _ablation(open_workspace, arguments, plan)
        print(found.summary_json() if arguments.json else _ablation_text(found))
        return 0
    report = (
        _of_paragraphs(arguments, plan)
        if arguments.paragraphs
        else _of_workspace(open_workspace, arguments, plan)
    )
    print(report.summary_json() if arguments.json else _text(report))
    return 0


def _of_workspace(open_workspace: OpenWorkspace, arguments: argparse.Namespace, plan: Plan) -> Report:
    questions = _questions(arguments)
    with open_workspace(arguments.workspace) as workspace:
        return evaluate_workspace(workspace, questions, plan, arguments.level)


def _questions(arguments: argparse.Namespace) -> tuple[Question, ...]:
    if arguments.questions is None:
        raise InvalidInput("--workspace needs --questions FILE, with one question a line.")
    questions = datasets.with_hops(datasets.read_questions(arguments.questions), arguments.hops)
    return datasets.sample(questions, arguments.sample, arguments.seed)


def _ablation(open_workspace: OpenWorkspace, arguments: argparse.Namespace, plan: Plan) -> Report:
    from aethel_core.search import Search

    if arguments.workspace is None:
        raise InvalidInput("--ablation needs --workspace DIR: paragraphs have no pages to route to.")
    questions = _questions(arguments)
    with open_workspace(arguments.workspace) as workspace:
        return ablation.ablate(
            Search(workspace.index(), embedding.load(workspace.settings)),
            judge(questions, workspace, arguments.level),
            arguments.over,
            settings=shaped_by(workspace, {}),
            results=plan.results,
            on_progress=plan.on_progress,
        )


def _ablation_text(report: Report) -> str:
    said = in_words(report, ablation.METRICS[0])
    return "\n\n".join([_count(len(report.questions)), tables.ablation_table(report), said])


def _of_paragraphs(arguments: argparse.Namespace, plan: Plan) -> Report:
    if arguments.questions is not None:
        raise InvalidInput("--questions goes with --workspace DIR; the file of --paragraphs brings its own.")
    whole = datasets.read_paragraphs(arguments.paragraphs)
    multihop = Dataset(whole.name, datasets.with_hops(whole.questions, arguments.hops), whole.skipped)
    dataset = sampled(multihop, arguments.sample, arguments.seed)
    if dataset.skipped:
        print(
            f"Left out for want of a supporting paragraph: {_count(len(dataset.skipped))}.", file=sys.stderr
        )
    return evaluate_paragraphs(dataset, arguments.pool, plan, *engine())


def _text(report: Report) -> str:
    chosen = {f"{name}@{k}" for name in ("HR", "Recall") for k in report.ks if k in (1, 5)} | {"MRR"}
    differences = [found for found in report.differences if found.metric in chosen]
    parts = [f"{_count(len(report.questions))}, {report.level} level", tables.metrics_table(report)]
    parts += [tables.differences_table(differences)] if differences else []
    return "\n\n".join([*parts, verdict(report)])


def _count(questions: int) -> str:
    return f"{questions} question{'s' if questions != 1 else ''}"


def _split(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def _show(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\r{done} of {total} searches", end=end, file=sys.stderr, flush=True)
