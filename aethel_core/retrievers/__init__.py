"""The retrievers, by name: one line in `_REGISTRY` and one file each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from aethel_core.errors import UnknownRetriever
from aethel_core.index import Index
from aethel_core.retrievers.base import IndexRetriever, Retriever
from aethel_core.retrievers.bm25 import BM25
from aethel_core.retrievers.dense import Dense, QueryVectors
from aethel_core.retrievers.fusion import ReciprocalRankFusion
from aethel_core.retrievers.hybrid import Hybrid
from aethel_core.retrievers.pagerank import Bct, PprNer, PprRegex
from aethel_core.retrievers.ppr_llm import PprLlm
from aethel_core.retrievers.tfidf import TfIdf


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a person may set. ``fused`` are the retrievers of RRF; a weight not given is 1."""

    bm25_k1: float = 1.2
    bm25_b: float = 0.75
    bm25_variant: str = "lucene"
    teleport: float = 0.15
    iterations: int = 20
    fused: Sequence[str] = ("bm25", "dense", "ppr-ner")
    fusion_weights: Mapping[str, float] = field(default_factory=dict)


def _walk(kind: Callable[..., IndexRetriever]):
    return lambda index, _, p: kind(index, teleport=p.teleport, iterations=p.iterations)


_REGISTRY: dict[str, Callable[[Index, QueryVectors, Parameters], Retriever]] = {
    "tfidf": lambda index, _, __: TfIdf(index),
    "bm25": lambda index, _, p: BM25(index, k1=p.bm25_k1, b=p.bm25_b, variant=p.bm25_variant),
    "dense": lambda index, vectors, _: Dense(index, vectors),
    "ppr-regex": _walk(PprRegex),
    "ppr-ner": _walk(PprNer),
    "bct": _walk(Bct),
    "ppr-llm": _walk(PprLlm),
    "rrf": lambda index, vectors, p: ReciprocalRankFusion(
        [build(name, index, vectors, p) for name in p.fused if name != "rrf"], p.fusion_weights
    ),
    "hybrid": lambda index, vectors, p: Hybrid(index, vectors, teleport=p.teleport, iterations=p.iterations),
}

NAMES = tuple(_REGISTRY)


def build(name: str, index: Index, vectors: QueryVectors, parameters: Parameters | None = None) -> Retriever:
    """The retriever called ``name`` over ``index``.

    :raises UnknownRetriever: there is none of that name.
    """
    if name not in _REGISTRY:
        raise UnknownRetriever(name, NAMES)
    return _REGISTRY[name](index, vectors, parameters or Parameters())
