"""Multi-hop questions whose paragraphs come with them: MuSiQue, 2WikiMultiHopQA, HotpotQA, TAT-QA.

    python benchmarks/public_benchmark.py                       both files of ../shared/data/multihop
    python benchmarks/public_benchmark.py musique_ans_v1.0_dev.jsonl --sample 200
    python benchmarks/public_benchmark.py FILE --pool open --retrievers bm25,dense,hybrid

Closed pool: each question's own paragraphs are indexed afresh. Open pool: all paragraphs of all
questions in one index. Tables are Markdown, intervals 95 %; results are kept under
benchmarks/results/ and used again while nothing that shaped them has changed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from aethel_core.errors import AethelError, MissingData  # noqa: E402
from aethel_core.evaluation import cli, datasets, tables  # noqa: E402
from aethel_core.evaluation.lab import POOLS, evaluate_paragraphs  # noqa: E402
from aethel_core.evaluation.report import Report  # noqa: E402
from aethel_core.evaluation.verdict import verdict  # noqa: E402

DATA = ROOT.parent / "shared" / "data" / "multihop"
SHOWN = ("HR@1", "HR@5", "Recall@5", "all-gold@5", "MRR", "nDCG@10")
COMPARED = ("HR@5", "Recall@5", "all-gold@5")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, help="paragraph files, official or our own format")
    parser.add_argument("--pool", choices=(*POOLS, "both"), default="both")
    parser.add_argument("--sample", type=int, default=200, help="questions of each file (default: 200)")
    parser.add_argument("--seed", type=int, default=datasets.SEED)
    cli.add_measuring(parser)
    parser.set_defaults(results=ROOT / "benchmarks" / "results")
    arguments = parser.parse_args()
    try:
        for file in arguments.files or _found(DATA):
            _measure(file, arguments)
    except AethelError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _found(folder: Path) -> list[Path]:
    files = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    if not files:
        places = "; ".join(f"{name}: {where}" for name, where in datasets.SOURCES.items())
        raise MissingData(f"There are no paragraph files in {folder}. Name some. {places}.")
    return files


def _measure(file: Path, arguments: argparse.Namespace) -> None:
    whole = datasets.read_paragraphs(file)
    dataset = cli.sampled(whole, arguments.sample, arguments.seed)
    parts = cli.engine()
    for pool in POOLS if arguments.pool == "both" else (arguments.pool,):
        report = evaluate_paragraphs(dataset, pool, cli.plan_of(arguments), *parts)
        sizes = f"{len(dataset.questions)} questions, {len(dataset.paragraphs):,} paragraphs"
        print(f"\n## {file.stem}, {pool} pool: {sizes}\n")
        print(_tables(report))


def _tables(report: Report) -> str:
    metrics = [name for name in SHOWN if any(entry.metric == name for entry in report.measured)]
    parts = [tables.metrics_table(report, metrics)]
    for opponent, title in (("dense", "Graph against Dense"), ("bm25", "Graph against BM25")):
        if opponent in report.retrievers:
            compared = [name for name in COMPARED if name in metrics]
            parts += [f"### {title}", tables.against(report, opponent, compared)]
    return "\n\n".join([*parts, verdict(report)])


if __name__ == "__main__":
    sys.exit(main())
