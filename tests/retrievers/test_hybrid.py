from __future__ import annotations

import pytest

from aethel_core.retrievers.hybrid import Group, Hybrid, Weights
from aethel_core.types import Query
from tests.corpora import document_of


def parts(hybrid: Hybrid, question: str, **how) -> dict[str, str]:
    return {part.kind: part.label for part in hybrid.parts(Query(question, **how))}


def test_the_question_becomes_typed_seeds(deal, vectors) -> None:
    found = parts(Hybrid(deal, vectors), "What was the FY2022 inventory turnover ratio of Helios?")
    assert found["company"] == "Helios Packaging, Inc."
    assert found["period"] == "FY2022"
    assert found["statement"] == "income statement or balance sheet"
    assert "Inventories" in found["line item"]
    assert found["dense"] == "similarity of meaning"


def test_the_right_company_year_and_statement_come_first(deal, vectors) -> None:
    walk_alone = Weights(dense=0.0, lexical=Group(0.0, 0.1))
    hybrid = Hybrid(deal, vectors, weights=walk_alone)
    for short in ("Helios", "Meridian"):
        for year in (2021, 2022):
            ranking = hybrid.search(Query(f"What were the total assets of {short} in FY{year}?"), 1)
            assert ranking.ids == (f"{document_of(f'{short}-{year}')}:00002",)


def test_a_muted_node_no_longer_counts(deal, vectors) -> None:
    question = "What were the total assets of Helios in FY2022?"
    hybrid = Hybrid(deal, vectors)
    assert "period" not in parts(hybrid, question, muted=frozenset({"period:fy2022"}))
    company = next(p.entity_ids[0] for p in hybrid.parts(Query(question)) if p.kind == "company")
    assert "company" not in parts(hybrid, question, muted=frozenset({company}))


def test_names_share_their_weight_by_rarity(deal, vectors) -> None:
    found = [p for p in Hybrid(deal, vectors).parts(Query("Calder Bank or Orrin Bank?")) if p.kind == "name"]
    assert len(found) == 2
    # Calder Bank is in 2 of 19 passages, Orrin Bank in 3: the rarer weighs more.
    assert found[0].phrase == "calder bank" and found[0].weight > found[1].weight


def test_scores_lie_between_zero_and_one(deal, vectors) -> None:
    ranking = Hybrid(deal, vectors).search(Query("Helios total assets FY2022"), 100)
    assert all(0 < hit.score <= 1 + 1e-9 for hit in ranking.hits)


def test_a_question_that_names_nothing_rests_on_meaning(deal, vectors) -> None:
    ranking = Hybrid(deal, vectors).search(Query("cardboard prices"), 3)
    assert ranking.hits and "meaning and wording alone" in ranking.note


@pytest.mark.parametrize("spelling", ["Helios", "HELIOS", "helios", "Helios'", "Helios Packaging Inc"])
def test_a_company_is_known_however_it_is_written(deal, vectors, spelling) -> None:
    assert parts(Hybrid(deal, vectors), f"total assets of {spelling}")["company"] == "Helios Packaging, Inc."
