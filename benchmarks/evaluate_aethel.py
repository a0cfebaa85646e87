"""Open corpus: real filings in one index, questions whose pages are known.

    python benchmarks/evaluate_aethel.py                        the filings of ../shared/data
    python benchmarks/evaluate_aethel.py --data DIR --retrievers bm25,dense,hybrid
    python benchmarks/evaluate_aethel.py --pdfs DIR --questions financebench_open_source.jsonl
    python benchmarks/evaluate_aethel.py --pdfs sample_docs --questions sample_docs/questions.jsonl
        --workspace benchmarks/results/sample --hops 2          the sample deal's multi-hop questions
    python benchmarks/evaluate_aethel.py --scale --robustness   also the scale curve, and changed questions

The filings are read once into a workspace under benchmarks/results/ (or --workspace); company,
period and type are what Aethel itself infers. Tables are Markdown, intervals 95 %; results are
kept and used again while nothing that shaped them has changed.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from aethel_core import config, embedding  # noqa: E402
from aethel_core.errors import AethelError, MissingData  # noqa: E402
from aethel_core.evaluation import cli, datasets, tables  # noqa: E402
from aethel_core.evaluation.base import LEVELS, listed  # noqa: E402
from aethel_core.evaluation.experiments import Plan, evaluate_workspace  # noqa: E402
from aethel_core.evaluation.judgements import judge  # noqa: E402
from aethel_core.evaluation.report import Report  # noqa: E402
from aethel_core.evaluation.robustness import robustness  # noqa: E402
from aethel_core.evaluation.scale import scale_curve  # noqa: E402
from aethel_core.evaluation.verdict import verdict  # noqa: E402
from aethel_core.search import Search  # noqa: E402
from aethel_core.workspace import Workspace, sources_from_paths  # noqa: E402

DATA = ROOT.parent / "shared" / "data"
RESULTS = ROOT / "benchmarks" / "results"
SHOWN = ("HR@1", "HR@5", "HR@10", "HR@20", "Recall@5", "all-gold@5", "all-gold@10", "MRR", "nDCG@20")
COMPARED = ("HR@1", "HR@5", "HR@20", "MRR")


def main() -> int:
    arguments = _arguments()
    try:
        file = arguments.questions or arguments.data / "financebench" / "questions.jsonl"
        questions = datasets.with_hops(datasets.read_questions(file), arguments.hops)
        questions = datasets.sample(questions, arguments.sample)
        with Workspace.open(arguments.workspace) as workspace:
            _fill(workspace, arguments.pdfs or arguments.data / "financebench" / "pdfs")
            counts, plan = workspace.counts(), cli.plan_of(arguments)
            corpus = f"{counts.documents} documents, {counts.pages:,} pages, {counts.passages:,} passages"
            print(f"## {corpus}; {len(questions)} questions, {arguments.level} level\n")
            report = evaluate_workspace(workspace, questions, plan, arguments.level)
            print(_tables(report))
            judgements = judge(questions, workspace, arguments.level)
            if arguments.robustness:
                companies = [document.metadata for document in workspace.documents()]
                rows = robustness(workspace.search, judgements, plan.retrievers, companies)
                print(f"\n### Changed questions\n\n{tables.robustness_table(rows)}")
            if arguments.scale:
                _scale(workspace, judgements, plan, arguments.metric)
    except AethelError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA, help="a folder laid out like ../shared/data")
    parser.add_argument("--pdfs", type=Path, help="the filings (default: DATA/financebench/pdfs)")
    parser.add_argument("--questions", type=Path, help="our question file, or FinanceBench's official one")
    parser.add_argument(
        "--workspace", type=Path, default=RESULTS / "filings", help="where the filings are read to"
    )
    parser.add_argument("--level", choices=LEVELS, default="page")
    parser.add_argument("--sample", type=int, help="only so many of the questions (seed 42)")
    parser.add_argument("--hops", type=int, default=1, help="only questions of at least so many hops")
    parser.add_argument(
        "--scale", action="store_true", help="also the scale curve, with and without gold kept"
    )
    parser.add_argument("--robustness", action="store_true", help="also typos, tickers and paraphrases")
    parser.add_argument("--metric", default="HR@5", help="of the scale curve (default: HR@5)")
    cli.add_measuring(parser)
    parser.set_defaults(results=RESULTS)
    return parser.parse_args()


def _fill(workspace: Workspace, pdfs: Path) -> None:
    """Add what is not there yet; files known by content cost only their reading."""
    if not pdfs.is_dir():
        raise MissingData(f"There is no folder {pdfs}. Get {datasets.SOURCES['FinanceBench']}.")
    sources = sources_from_paths([pdfs])
    present = {document.name for document in workspace.documents()}
    missing = [source for source in sources if source.name not in present]
    if not missing:
        return
    print(f"Reading {len(missing)} filings into {workspace.path} …", file=sys.stderr)
    began = time.perf_counter()
    report = workspace.ingest(missing)
    print(f"… {time.perf_counter() - began:.0f} s", file=sys.stderr)
    failed = [f"{o.name} ({o.message})" for o in report.outcomes if o.status in ("failed", "password")]
    if failed:
        raise MissingData(f"{len(failed)} filings could not be read: {listed(failed)}.")


def _tables(report: Report) -> str:
    measured = {entry.metric for entry in report.measured}
    parts = [tables.metrics_table(report, [name for name in SHOWN if name in measured])]
    compared = [name for name in COMPARED if name in measured]
    for opponent, title in (("dense", "Graph against Dense"), ("bm25", "Graph against BM25")):
        if opponent in report.retrievers and set(tables.GRAPH) & set(report.retrievers):
            parts += [f"### {title}", tables.against(report, opponent, compared)]
    return "\n\n".join([*parts, verdict(report)])


def _scale(workspace: Workspace, judgements, plan: Plan, metric: str) -> None:
    embedder = embedding.load(config.settings())
    engine = Search(workspace.index(), embedder)
    for kept, title in ((True, "gold kept"), (False, "gold drawn like any passage")):
        curve = scale_curve(
            workspace.index(),
            judgements,
            lambda index: engine.over(index).search,
            plan.retrievers,
            gold_kept=kept,
            ks=plan.ks,
            on_progress=plan.on_progress,
        )
        print(f"\n### Scale curve, {title}\n\n{tables.scale_table(curve, metric)}\n\n{curve.note}")


if __name__ == "__main__":
    sys.exit(main())
