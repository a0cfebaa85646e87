"""A small corpus, a lookup into it, and rerankers that do as they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aethel_core.errors import ModelUnavailable
from aethel_core.index import Index
from aethel_core.rerankers.base import PassageLookup, reordered
from aethel_core.types import (
    DocumentType,
    Hit,
    Metadata,
    Passage,
    Period,
    Query,
    Ranking,
    Statement,
)
from tests.corpora import index, passages_of, segment, statement_passage

ACME, BOLT = "acme.pdf", "bolt.pdf"
ACME_TEXTS = (
    "Acme Corp sells anvils to coyotes in the desert.",
    "Selling expenses rose in 2022, primarily due to higher freight driven by fuel.",
    "We expect anvil demand to grow next year.",
    statement_passage(
        ACME,
        3,
        Statement.BALANCE,
        [("Total current assets", 900.0), ("Total current liabilities", 300.0)],
        "FY2022",
    ),
    statement_passage(ACME, 4, Statement.INCOME, [("Revenue", 5000.0), ("Net income", 400.0)], "FY2022"),
)
BOLT_TEXTS = (
    "Bolt Industries makes fasteners.",
    statement_passage(BOLT, 1, Statement.BALANCE, [("Total current assets", 70.0)], "FY2021"),
)


def corpus() -> Index:
    return index(
        segment(ACME, Metadata("Acme Corp", Period(2022), DocumentType.TEN_K, ticker="ACM"), ACME_TEXTS),
        segment(BOLT, Metadata("Bolt Industries", Period(2021, 2), DocumentType.TEN_Q), BOLT_TEXTS),
    )


def lookup(ids: Sequence[str]) -> Mapping[str, Passage]:
    every = [*passages_of(ACME, ACME_TEXTS), *passages_of(BOLT, BOLT_TEXTS)]
    return {passage.id: passage for passage in every if passage.id in set(ids)}


def ranking(*ids: str) -> Ranking:
    """Hits in that order, with scores that fall from 1."""
    return Ranking("made", tuple(Hit(each, 1 - place / 100) for place, each in enumerate(ids)))


class Fixed:
    """A retriever that always finds the same."""

    def __init__(self, *ids: str, name: str = "fixed") -> None:
        self.name, self.found = name, ranking(*ids)

    def search(self, query: Query, k: int) -> Ranking:
        return Ranking(self.name, self.found.hits[:k])


class Broken:
    """A retriever and reranker whose model is away."""

    name = "broken"

    def search(self, query: Query, k: int) -> Ranking:
        raise ModelUnavailable("The model is away.")

    def rerank(self, query: Query, ranking: Ranking, passages: PassageLookup, k: int) -> Ranking:
        raise ModelUnavailable("The model is away.")


class ByNumber:
    """Scores a passage by the number in its id, and remembers what it was given."""

    name = "by number"

    def __init__(self, failing_after: int | None = None) -> None:
        self.batches: list[tuple[str, ...]] = []
        self.failing_after = failing_after

    def rerank(self, query: Query, ranking: Ranking, passages: PassageLookup, k: int) -> Ranking:
        if self.failing_after is not None and len(self.batches) >= self.failing_after:
            raise ModelUnavailable("The model is away.")
        self.batches.append(ranking.ids)
        return reordered(self.name, ranking, [float(each.lstrip("p")) for each in ranking.ids], k)
