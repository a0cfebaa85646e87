from __future__ import annotations

import pytest

from aethel_core.entities.reading import Reading, Triple
from aethel_core.index import Index
from aethel_core.retrievers.dense import QueryVectors
from aethel_core.types import DocumentType, Metadata, Period, Statement
from tests.corpora import index, segment, statement_passage
from tests.standins import HashEmbedder


@pytest.fixture(scope="session")
def vectors() -> QueryVectors:
    return QueryVectors(HashEmbedder())


@pytest.fixture(scope="session")
def deal() -> Index:
    """Two companies with two years of filings each, and a fund that owns one of them."""
    parts = []
    for company, short, bank in (
        ("Helios Packaging, Inc.", "Helios", "Calder Bank"),
        ("Meridian Foods Corp.", "Meridian", "Orrin Bank"),
    ):
        for year in (2021, 2022):
            name = f"{short}-{year}"
            sales = [("Net sales", 800 + year), ("Net income", 40)]
            assets = [("Inventories", 90), ("Total assets", 700 + year)]
            parts.append(
                segment(
                    name,
                    Metadata(company, Period(year), DocumentType.TEN_K, aliases=(short,)),
                    [
                        f"{company} (the “Company”) makes goods. The Company borrowed from {bank} in {year}.",
                        statement_passage(name, 1, Statement.INCOME, sales, f"FY{year}"),
                        statement_passage(name, 2, Statement.BALANCE, assets, f"FY{year}"),
                        f"Inventories of {short} rose because cardboard prices rose.",
                    ],
                )
            )
    parts.append(
        segment(
            "letter",
            Metadata("NorthRiver Capital Partners IV, L.P.", Period(2022, 3), DocumentType.LP_LETTER),
            [
                "NorthRiver IV owns sixty percent of Helios Packaging.",
                "The Fund's credit line with Orrin Bank was drawn. "
                "Fee-Related Earnings (FRE) of the manager rose.",
                "The weather was fine.",
            ],
        )
    )
    made = index(*parts)
    return made.with_readings(readings(made))


def readings(made: Index) -> dict[str, Reading]:
    """As a model might have read it: the names, and that the first of a passage deals with each other."""
    found = {}
    for segment_ in made.segments:
        rows = dict.fromkeys(range(len(segment_.passage_ids)), ())
        table = segment_.mentions["regex"]
        for row, column in zip(table.rows.tolist(), table.columns.tolist(), strict=True):
            rows[row] = (*rows[row], table.entities[column])
        for row, names in rows.items():
            keys = [entity.id.partition(":")[2] for entity in names]
            triples = tuple(Triple(keys[0], "deals with", other) for other in keys[1:])
            found[segment_.passage_ids[row]] = Reading(names, triples)
    return found
