"""Multi-hop questions whose paragraphs come with them: MuSiQue, 2WikiMultiHopQA, HotpotQA, TAT-QA.

    python benchmarks/public_benchmark.py                       both files of ../shared/data/multihop
    python benchmarks/public_benchmark.py musique_ans_v1.0_dev.jsonl --sample 200
    python benchmarks/public_benchmark.py FILE --pool open --retrievers bm25,dense,hybrid --scale

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

from aethel_core.embedding import Embedder  # noqa: E402
from aethel_core.errors import AethelError, MissingData  # noqa: E402
from aethel_core.evaluation import cli, datasets, tables  # noqa: E402
from aethel_core.evaluation.base import Dataset  # noqa: E402
from aethel_core.evaluation.experiments import POOLS, Plan, evaluate_paragraphs  # noqa: E402
from aethel_core.evaluation.overlap import overlap  # noqa: E402
from aethel_core.evaluation.pools import (  # noqa: E402
    NameReader,
    SearcherOf,
    paragraph_id,
    paragraph_index,
    pool_judgements,
)
from aethel_core.evaluation.report import Report  # noqa: E402
from aethel_core.evaluation.scale import scale_curve  # noqa: E402
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
    parser.add_argument("--scale", action="store_true", help="also the scale curve of the open pool")
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
    dataset = cli.sampled(datasets.read_paragraphs(file), arguments.sample, arguments.seed)
    texts = {paragraph_id(paragraph): paragraph.text for paragraph in dataset.paragraphs}
    plan, parts = cli.plan_of(arguments), cli.engine()
    sizes = f"{len(dataset.questions)} questions, {len(dataset.paragraphs):,} paragraphs"
    for pool in POOLS if arguments.pool == "both" else (arguments.pool,):
        report = evaluate_paragraphs(dataset, pool, plan, *parts)
        print(f"\n## {file.stem}, {pool} pool: {sizes}\n\n{_tables(report)}")
        overlaps = (f"{found.retriever} {found.mean:.3f}" for found in overlap(report, texts.__getitem__))
        print(f"\nRTO@5 (decides nothing, see aethel_core/evaluation/overlap.py): {', '.join(overlaps)}.")
    if arguments.scale:
        _scale(dataset, plan, *parts)


def _tables(report: Report) -> str:
    metrics = [name for name in SHOWN if any(entry.metric == name for entry in report.measured)]
    parts = [tables.metrics_table(report, metrics)]
    for opponent, title in (("dense", "Graph against Dense"), ("bm25", "Graph against BM25")):
        if opponent in report.retrievers and set(tables.GRAPH) & set(report.retrievers):
            compared = [name for name in COMPARED if name in metrics]
            parts += [f"### {title}", tables.against(report, opponent, compared)]
    return "\n\n".join([*parts, verdict(report)])


def _scale(
    dataset: Dataset, plan: Plan, embedder: Embedder, names: NameReader, searcher_of: SearcherOf
) -> None:
    index = paragraph_index(dataset.paragraphs, embedder, names)
    for kept, title in ((True, "gold kept"), (False, "gold drawn like any paragraph")):
        curve = scale_curve(
            index,
            pool_judgements(dataset.questions),
            searcher_of,
            plan.retrievers,
            gold_kept=kept,
            ks=(5,),
            on_progress=plan.on_progress,
        )
        print(f"\n### Scale curve, {title}\n\n{tables.scale_table(curve, 'Recall@5')}\n\n{curve.note}")


if __name__ == "__main__":
    sys.exit(main())
