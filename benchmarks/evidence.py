"""How long explanations take on a large graph, beyond the search itself.

    python benchmarks/evidence.py [--passages 30000] [--edges 100000] [--rounds 7] [--out results.json]

The graph is random with names as unequally frequent as in filings (Zipf, exponent 0.9; the most
frequent name is in thousands of passages), from a fixed seed. Timed are the search, then what is done
for its first 10 hits: the paths, the subgraph of at most 150 nodes, and its picture. "several walks" is
what Hybrid does: one walk per seed. Times are of the processor (everything runs on one thread), so that
other work on the machine does not count; "wall" is beside them.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy import sparse

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from aethel_core.evidence import drawing, noisy, subgraph
from aethel_core.evidence.trace import Part, SeedNode, Trace
from aethel_core.evidence.walk import Start, walks
from aethel_core.graph import TOLERANCE, BipartiteGraph, pagerank
from aethel_core.index.entity_graph import EntityGraph
from aethel_core.types import Entity, EntityKind

HITS = 10


@dataclass(frozen=True)
class Corpus:
    graph: EntityGraph
    ids: tuple[str, ...]

    @cached_property
    def rows(self) -> dict[str, int]:
        return {passage: row for row, passage in enumerate(self.ids)}


def corpus(passages: int, edges: int) -> Corpus:
    random = np.random.default_rng(42)
    names = int(0.4 * passages)
    frequency = np.arange(1, names + 1) ** -0.9
    columns = random.choice(names, size=2 * edges, p=frequency / frequency.sum())
    rows = random.integers(0, passages, size=2 * edges)
    pairs = np.unique(np.stack([rows, columns]), axis=1)
    pairs = pairs[:, np.sort(random.permutation(pairs.shape[1])[:edges])]
    incidence = sparse.csr_array((np.ones(edges), (pairs[0], pairs[1])), shape=(passages, names))
    entities = tuple(Entity.of(EntityKind.NAME, f"name {n:06d}", f"Name {n:06d}") for n in range(names))
    return Corpus(
        EntityGraph(entities, BipartiteGraph(incidence)), tuple(f"doc:{n:06d}" for n in range(passages))
    )


def made_trace(made: Corpus, seeds: list[int], *, apart: bool) -> Trace:
    """One walk from all seeds, or one from each."""
    share = 1 / len(seeds)
    starts = [Start(((c, 1.0),)) for c in seeds] if apart else [Start(tuple((c, share) for c in seeds))]
    # Hybrid's own walks take all their steps.
    tolerance = 0.0 if apart else TOLERANCE
    taken = walks(made.graph.bipartite, starts, teleport=0.15, iterations=20, tolerance=tolerance)
    entities = made.graph.entities
    nodes = tuple(SeedNode(entities[c].id, entities[c].name, "name", "", "name") for c in seeds)
    if apart:
        parts = tuple(
            Part(entities[c].name, "name", "", share, (c,), (walk,))
            for c, walk in zip(seeds, taken, strict=True)
        )
    else:
        parts = (Part("", "walk", "", 1.0, tuple(seeds), taken),)
    return Trace(made.graph, made.graph.bipartite, made.ids, made.rows, parts, nodes, "")


def best(made: Corpus, seeds: list[int]) -> list[str]:
    start = np.zeros((made.graph.bipartite.entities, 1))
    start[seeds] = 1 / len(seeds)
    mass = pagerank(made.graph.bipartite, start).passages[:, 0]
    return [made.ids[int(row)] for row in np.argsort(-mass, kind="stable")[:HITS]]


@dataclass(frozen=True)
class Spent:
    """Medians in milliseconds."""

    processor: float
    wall: float


def timed(rounds: int, work: Callable[[], object]) -> tuple[Spent, object]:
    """What the work takes, and what the last round gave."""
    work()
    processor, wall, result = [], [], None
    for _ in range(rounds):
        began = time.process_time(), time.perf_counter()
        result = work()
        processor.append((time.process_time() - began[0]) * 1000)
        wall.append((time.perf_counter() - began[1]) * 1000)
    return Spent(round(statistics.median(processor), 1), round(statistics.median(wall), 1)), result


def measured(made: Corpus, seeds: list[int], rounds: int, *, apart: bool) -> dict[str, object]:
    search, ids = timed(rounds, lambda: best(made, seeds))

    def explain() -> tuple:
        trace = made_trace(made, seeds, apart=apart)
        hits = trace.evidence(ids)
        return trace, hits, subgraph(trace, hits), noisy(trace)

    explained, (_, hits, graph, _) = timed(rounds, explain)
    drawn, _ = timed(rounds, lambda: drawing.data(drawing.figure(graph, {})))
    listed = [1 - part.other for hit in hits for part in hit.parts if part.paths]
    return {
        "search ms": asdict(search),
        "explanation ms": asdict(explained),
        "picture ms": asdict(drawn),
        "nodes": len(graph.nodes),
        "edges": len(graph.edges),
        "mass accounted for by the listed paths, mean": round(statistics.mean(listed), 4),
        "the least": round(min(listed), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--passages", type=int, default=30_000)
    parser.add_argument("--edges", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    made = corpus(options.passages, options.edges)
    names = made.graph.bipartite.entities
    cases = {
        "two rare seeds": ([names // 2, names // 3], False),
        "five seeds": ([3, 40, 500, 3000, names // 2], False),
        "the most frequent name": ([0, 700], False),
        "several walks": ([3, 40, 500, 3000, names // 2], True),
        "forty aliases": (list(range(100, 140)), False),
    }
    results = {
        "passages": options.passages,
        "edges": made.graph.bipartite.edges,
        "entities": names,
        "degree of the most frequent": int(made.graph.frequency.max()),
        "python": platform.python_version(),
        "cases": {
            case: measured(made, seeds, options.rounds, apart=apart) for case, (seeds, apart) in cases.items()
        },
    }
    text = json.dumps(results, indent=2)
    print(text)
    if options.out:
        options.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
