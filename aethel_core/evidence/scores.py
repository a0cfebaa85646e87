"""Why a passage was found: what each part of a retriever's score contributed, exactly."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from aethel_core.errors import InvalidInput, UnknownPassage
from aethel_core.rerankers.cascade import Cascade
from aethel_core.rerankers.learned import Contribution, Learned
from aethel_core.retrievers.base import IndexRetriever, Retriever
from aethel_core.retrievers.bm25 import BM25
from aethel_core.retrievers.dense import Dense
from aethel_core.retrievers.fusion import CONSTANT, ReciprocalRankFusion
from aethel_core.retrievers.hybrid import Hybrid
from aethel_core.retrievers.pagerank import PersonalizedPageRank
from aethel_core.retrievers.tfidf import TfIdf
from aethel_core.types import Query

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?")


@dataclass(frozen=True, slots=True)
class TermPart:
    """``contribution`` is what a term adds to the score; ``where`` is "text" or "context"."""

    term: str
    contribution: float
    where: str


@dataclass(frozen=True, slots=True)
class LexicalExplanation:
    """The parts sum to the score."""

    score: float
    terms: tuple[TermPart, ...]


@dataclass(frozen=True, slots=True)
class DenseExplanation:
    """Cosine of the question with the passage, and the sentence that is closest to the question."""

    score: float
    sentence: str
    sentence_similarity: float


@dataclass(frozen=True, slots=True)
class ListPart:
    """``rank`` is None when the list does not hold the passage."""

    retriever: str
    rank: int | None
    weight: float
    contribution: float


@dataclass(frozen=True, slots=True)
class FusionExplanation:
    """The parts sum to the score."""

    score: float
    lists: tuple[ListPart, ...]


@dataclass(frozen=True, slots=True)
class SeedPart:
    """``mass`` is how much of the passage's score started at this seed; the parts of a
    PageRank explanation sum to the score."""

    entity_id: str
    name: str
    phrase: str
    rule: str
    mass: float


@dataclass(frozen=True, slots=True)
class GraphExplanation:
    score: float
    seeds: tuple[SeedPart, ...]
    from_passages: float  # mass that started at passages (self references)
    note: str


@dataclass(frozen=True, slots=True)
class FactorPart:
    """One factor of a hybrid score: closeness (0, 1] to the power of ``share``, the factor's weight
    as a share of all weights. The product of closeness^share over the parts is the score."""

    label: str
    kind: str
    phrase: str
    entity_ids: tuple[str, ...]
    closeness: float
    share: float


@dataclass(frozen=True, slots=True)
class HybridExplanation:
    score: float
    factors: tuple[FactorPart, ...]


@dataclass(frozen=True, slots=True)
class RerankExplanation:
    """What the last reranker of a cascade made of a passage. The contributions (value × weight) sum to
    the score; there are none where a model from outside gave it."""

    score: float
    model: str
    parts: tuple[Contribution, ...]


Explanation = (
    LexicalExplanation
    | DenseExplanation
    | FusionExplanation
    | GraphExplanation
    | HybridExplanation
    | RerankExplanation
)


def explain(retriever: Retriever, query: Query, passage_id: str, text: str) -> Explanation:
    """The exact account of one passage's score.

    :raises UnknownPassage: the index does not hold it.
    :raises InvalidInput: the retriever has no account to give.
    """
    if isinstance(retriever, ReciprocalRankFusion):
        return _fusion(retriever, query, passage_id)
    if isinstance(retriever, Cascade):
        if not retriever.asked(query):  # then the order is that of the pool
            return explain(retriever.sources[0], query, passage_id, text)
        return _reranked(retriever, query, passage_id)
    if isinstance(retriever, IndexRetriever):
        if passage_id not in retriever.index.row:
            raise UnknownPassage(passage_id)
        row = retriever.index.row[passage_id]
        if isinstance(retriever, BM25):
            return _lexical(row, retriever.contributions(query))
        if isinstance(retriever, TfIdf):
            return _lexical(row, [(t, "text", rows, v) for t, rows, v in retriever.contributions(query)])
        if isinstance(retriever, Dense):
            return _dense(retriever, query, row, text)
        if isinstance(retriever, PersonalizedPageRank):
            return _pagerank(retriever, query, row)
        if isinstance(retriever, Hybrid):
            return _hybrid(retriever, query, row)
    raise InvalidInput(f"{retriever.name} does not explain its scores.")


def _reranked(cascade: Cascade, query: Query, passage_id: str) -> RerankExplanation:
    last = cascade.asked(query)[-1].reranker
    if isinstance(last, Learned):
        parts = last.account(query, passage_id)
        return RerankExplanation(sum(part.value * part.weight for part in parts), last.name, parts)
    found = cascade.search(query, cascade.depth)
    score = next((hit.score for hit in found.hits if hit.passage_id == passage_id), None)
    if score is None:
        raise UnknownPassage(passage_id)
    return RerankExplanation(score, last.name, ())


def _lexical(row: int, contributions: list[tuple[str, str, np.ndarray, np.ndarray]]) -> LexicalExplanation:
    parts: dict[tuple[str, str], float] = {}
    for term, where, rows, values in contributions:
        place = int(np.searchsorted(rows, row))
        if place < rows.size and rows[place] == row:
            parts[term, where] = parts.get((term, where), 0.0) + float(values[place])
    terms = [TermPart(term, value, where) for (term, where), value in parts.items()]
    terms.sort(key=lambda part: (-part.contribution, part.term, part.where))
    return LexicalExplanation(sum(part.contribution for part in terms), tuple(terms))


def sentences(text: str) -> tuple[str, ...]:
    """Sentences of prose, or the lines of a table."""
    return tuple(found.strip() for found in _SENTENCE.findall(text) if found.strip())


def _dense(retriever: Dense, query: Query, row: int, text: str) -> DenseExplanation:
    score = float(retriever.similarities(query)[row])
    parts = sentences(text)
    if not parts:
        return DenseExplanation(score, "", 0.0)
    vectors = retriever.vectors.embedder.embed(list(parts))
    similarities = vectors @ retriever.vectors(query.text)
    best = int(np.argmax(similarities))
    return DenseExplanation(score, parts[best], float(similarities[best]))


def _fusion(retriever: ReciprocalRankFusion, query: Query, passage_id: str) -> FusionExplanation:
    parts = []
    for ranking in retriever.rankings(query, 1):
        weight = retriever.weights[ranking.retriever]
        rank = ranking.ids.index(passage_id) + 1 if passage_id in ranking.ids else None
        contribution = weight / (CONSTANT + rank) if rank else 0.0
        parts.append(ListPart(ranking.retriever, rank, weight, contribution))
    return FusionExplanation(sum(part.contribution for part in parts), tuple(parts))


def _pagerank(retriever: PersonalizedPageRank, query: Query, row: int) -> GraphExplanation:
    """PageRank is linear in its seeds, so the walk of each seed alone gives its part of the mass."""
    seeds = retriever.seeds(query)
    walk, alone = retriever.walks(query, seeds)
    entities = retriever.graph.entities
    parts = [
        SeedPart(entities[seed.column].id, entities[seed.column].name, seed.phrase, seed.rule, float(mass))
        for seed, mass in zip(seeds.entities, alone[row], strict=True)
    ]
    score = float(walk.passages[row, 0])
    rest = max(score - sum(part.mass for part in parts), 0.0) if seeds.passages else 0.0
    parts.sort(key=lambda part: (-part.mass, part.entity_id))
    return GraphExplanation(score, tuple(parts), rest, "")


def _hybrid(retriever: Hybrid, query: Query, row: int) -> HybridExplanation:
    parts = retriever.parts(query)
    total = sum(part.weight for part in parts)
    factors = tuple(
        FactorPart(
            part.label,
            part.kind,
            part.phrase,
            part.entity_ids,
            math.exp(float(part.log_closeness[row])),
            part.weight / total,
        )
        for part in parts
    )
    return HybridExplanation(math.prod(f.closeness**f.share for f in factors), factors)
