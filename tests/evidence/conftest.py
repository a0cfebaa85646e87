"""A small deal: a fund, its company, a lender that only a second document connects, and tables."""

from __future__ import annotations

import pytest

from aethel_core.index import Index
from aethel_core.retrievers.dense import QueryVectors
from aethel_core.types import DocumentType, Metadata, Period, Statement
from tests.corpora import index, segment, statement_passage
from tests.standins import HashEmbedder

NORTH = Metadata("NorthRiver Capital Partners IV, L.P.", Period(2022, 2), DocumentType.LP_LETTER)
HELIOS = Metadata("Helios Packaging, Inc.", Period(2022), DocumentType.TEN_K, aliases=("Helios",))


@pytest.fixture(scope="session")
def vectors() -> QueryVectors:
    return QueryVectors(HashEmbedder())


@pytest.fixture(scope="session")
def deal() -> Index:
    return index(
        segment(
            "letter",
            NORTH,
            [
                "NorthRiver IV owns sixty percent of Helios Packaging.",
                "In June the Fund drew on its line, as the Fund may, and the Fund waits.",
                "NorthRiver IV sold Tessel Works to Ostrander Mutual Holding.",
                "The weather was fine.",
            ],
        ),
        segment(
            "filing",
            HELIOS,
            [
                "Helios Packaging borrowed from Calder Bank in 2021.",
                statement_passage("filing", 1, Statement.INCOME, [("Net sales", 812)], "FY2022"),
                "Calder Bank and Helios Packaging agreed on a covenant with Orrin Trust Company.",
                "Helios Packaging sells boxes in Ohio.",
            ],
        ),
        segment(
            "notice",
            Metadata(title="Notice of assignment"),
            ["Calder Bank assigned its loan to Meridian Credit Fund.", "Orrin Trust Company resigned."],
        ),
    )
