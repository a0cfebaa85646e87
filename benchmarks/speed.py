"""How fast: ingesting real filings, and answering questions on them.

    python benchmarks/speed.py [--data ../shared/data] [--workspace DIR]

Ingests the filings into a workspace (kept, so that a second call measures the answers only),
then prints pages per second of each stage and of the whole, peak memory, median and 95th
percentile of every retriever's latency, and the ratios to rank-bm25 and networkx in the same run.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import networkx as nx
import numpy as np
from rank_bm25 import BM25Okapi

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from aethel_core import chunking, parsing, statements  # noqa: E402
from aethel_core.config import Settings  # noqa: E402
from aethel_core.embedding import load  # noqa: E402
from aethel_core.entities import ner, regex  # noqa: E402
from aethel_core.graph import pagerank  # noqa: E402
from aethel_core.index import Index  # noqa: E402
from aethel_core.retrievers.bm25 import BM25  # noqa: E402
from aethel_core.text import tokenise  # noqa: E402
from aethel_core.types import Query  # noqa: E402
from aethel_core.workspace import Workspace, sources_from_paths  # noqa: E402

_STAGE_FILES = 3
_REFERENCE_QUERIES = 5


def timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def row(name: str, *values: str) -> None:
    print(f"{name:<34}" + "".join(f"{value:>16}" for value in values), flush=True)


def stages(files: Sequence[Path]) -> None:
    """Each stage by itself, one process, on the first few files."""
    data = [(path.name, path.read_bytes()) for path in files]
    started = time.perf_counter()
    documents = [parsing.parse_pdf(content, name) for name, content in data]
    parse = time.perf_counter() - started
    pages = sum(len(document.pages) for document in documents)
    started = time.perf_counter()
    passages = [
        passage
        for document in documents
        for passage in chunking.passages(document, statements=statements.recognise(document))
    ]
    cut = time.perf_counter() - started
    texts = [passage.text for passage in passages]
    recogniser, embedder = ner.Recogniser(), load(Settings())
    recogniser.extract(texts[:1]), embedder.embed(texts[:1])  # loaded before the clock starts
    entities = timed(lambda: (recogniser.extract(texts), [regex.extract(text) for text in texts]))
    vectors = timed(lambda: embedder.embed(texts))
    print(f"\nStages alone, {len(files)} files, {pages} pages, {len(passages)} passages")
    row("stage", "pages/s", "passages/s")
    for name, seconds in (("parse", parse), ("passages", cut), ("entities", entities), ("vectors", vectors)):
        row(name, f"{pages / seconds:.1f}", f"{len(passages) / seconds:.0f}")


def ingest(workspace: Workspace, files: Sequence[Path]) -> None:
    known = {document.name for document in workspace.documents()}
    fresh = [path for path in files if path.name not in known]
    if not fresh:
        return
    started = time.perf_counter()
    report = workspace.ingest(sources_from_paths(fresh))
    seconds = time.perf_counter() - started
    pages = workspace.counts().pages
    failed = [outcome.message for outcome in report.outcomes if outcome.status == "failed"]
    print(f"\nIngest of {len(fresh)} files: {seconds:.0f} s, {pages / seconds:.1f} pages/s")
    print("\n".join(failed))


def latencies(workspace: Workspace, questions: Sequence[str]) -> None:
    print(
        f"\nLatency over {len(questions)} questions, k = 20 (dense and hybrid include embedding the question)"
    )
    row("retriever", "median ms", "p95 ms")
    for name in workspace.retriever_names():
        workspace.search(Query(questions[0]), name, 20)
        times = [1000 * timed(lambda q=q, n=name: workspace.search(Query(q), n, 20)) for q in questions]
        row(name, f"{np.median(times):.1f}", f"{np.percentile(times, 95):.1f}")


def against_rank_bm25(index: Index, questions: Sequence[str]) -> None:
    tokens = [text.split() for segment in index.segments for text in segment.match_texts]
    reference = BM25Okapi(tokens)
    ours = BM25(index, context_weight=0)
    ours.search(Query(questions[0]), 20)
    few = questions[:_REFERENCE_QUERIES]
    slow = np.median([timed(lambda q=q: reference.get_scores(tokenise(q))) for q in few])
    fast = np.median([timed(lambda q=q: ours.search(Query(q), 20)) for q in few])
    print(
        f"\nBM25 against rank-bm25: {slow * 1000:.0f} ms to {fast * 1000:.2f} ms, "
        f"{slow / fast:.0f} times as fast"
    )


def against_networkx(index: Index) -> None:
    graph = index.ner_graph
    seed = int(np.argmax(graph.frequency))
    start = np.zeros((len(graph.entities), 1))
    start[seed, 0] = 1.0
    incidence = graph.bipartite.incidence.tocoo()
    reference = nx.Graph()
    reference.add_edges_from((("p", int(p)), ("e", int(e))) for p, e in zip(*incidence.coords, strict=True))
    pagerank(graph.bipartite, start)  # the blocks of W are made before the clock starts
    fast = timed(lambda: pagerank(graph.bipartite, start, iterations=200, tolerance=1e-6))
    slow = timed(
        lambda: nx.pagerank(reference, alpha=0.85, personalization={("e", seed): 1.0}, tol=1e-9, max_iter=200)
    )
    print(
        f"PageRank against networkx, {graph.bipartite.edges:,} edges, to convergence: "
        f"{slow * 1000:.0f} ms to {fast * 1000:.0f} ms, {slow / fast:.0f} times as fast"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--workspace", type=Path, default=ROOT / "benchmarks" / "results" / "filings")
    parser.add_argument("--skip-stages", action="store_true")
    arguments = parser.parse_args()
    files = sorted((arguments.data / "financebench" / "pdfs").glob("*.pdf"))
    if not files:
        sys.exit(f"No filings at {arguments.data}; give their folder with --data.")
    lines = (arguments.data / "financebench" / "questions.jsonl").read_text().splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    if not arguments.skip_stages:
        stages(files[:_STAGE_FILES])
    with Workspace.open(arguments.workspace) as workspace:
        ingest(workspace, files)
        load_seconds = timed(workspace.warm)
        counts = workspace.counts()
        print(
            f"\n{counts.documents} documents, {counts.pages:,} pages, {counts.passages:,} passages; "
            f"index loaded in {load_seconds:.1f} s"
        )
        latencies(workspace, questions)
        index = workspace.index()
        against_rank_bm25(index, questions)
        against_networkx(index)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"\nPeak memory: {peak:,.0f} MB here, {child:,.0f} MB in the reading process")


if __name__ == "__main__":
    main()
