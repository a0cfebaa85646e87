from __future__ import annotations

import pytest

from aethel_core.retrievers.pagerank import Bct, PprNer
from aethel_core.types import Query
from tests.corpora import document_of


def test_mass_is_shared_evenly_by_the_entities_of_the_question(deal) -> None:
    seeds = PprNer(deal).seeds(Query("Did Calder Bank lend to Helios Packaging?"))
    assert [seed.mass for seed in seeds.entities] == pytest.approx([0.5, 0.5])
    assert {seed.phrase for seed in seeds.entities} == {"calder bank", "helios packaging"}


def test_a_question_without_known_entity_says_what_it_looked_for(deal) -> None:
    ranking = PprNer(deal).search(Query("What did Zephyr Holdings pay?"), 5)
    assert ranking.hits == ()
    assert "zephyr" in ranking.note.lower()


def test_a_passage_the_walk_did_not_reach_is_no_hit(deal) -> None:
    ranking = PprNer(deal).search(Query("NorthRiver IV"), 100)
    assert f"{document_of('letter')}:00000" in ranking.ids
    assert f"{document_of('letter')}:00002" not in ranking.ids  # names nothing


def test_muting_an_entity_removes_its_edges_and_its_seed(deal) -> None:
    plain = Query("Calder Bank and Orrin Bank")
    muted = Query(plain.text, muted=frozenset({"name:calder bank"}))
    assert [seed.phrase for seed in PprNer(deal).seeds(muted).entities] == ["orrin bank"]
    before, after = (PprNer(deal).search(query, 100).ids for query in (plain, muted))
    lent = f"{document_of('Helios-2021')}:00000"
    assert lent in before and (lent not in after or after.index(lent) > before.index(lent))


def test_an_added_entity_is_a_seed(deal) -> None:
    query = Query("What is owned?", added=frozenset({"name:helios packaging", "name:unknown"}))
    (seed,) = PprNer(deal).seeds(query).entities
    assert (seed.rule, seed.mass) == ("added", 1.0)


def test_bct_widens_seeds_with_what_denotes_the_same(deal) -> None:
    query = Query("What did Helios borrow?")
    narrow, wide = PprNer(deal).seeds(query), Bct(deal).seeds(query)
    assert {seed.column for seed in narrow.entities} < {seed.column for seed in wide.entities}
    # "The Company" in the filings of Helios, and in no other.
    assert {deal.ids[row] for row, _ in wide.passages} == {
        f"{document_of(f'Helios-{year}')}:00000" for year in (2021, 2022)
    }
    total = sum(s.mass for s in wide.entities) + sum(mass for _, mass in wide.passages)
    assert total == pytest.approx(1)


def test_bct_reaches_at_least_what_ppr_ner_reaches(deal) -> None:
    query = Query("What did Helios borrow?")
    assert set(PprNer(deal).search(query, 100).ids) <= set(Bct(deal).search(query, 100).ids)


def test_the_note_says_how_the_walk_ended(deal) -> None:
    query = Query("Calder Bank")
    assert "limit of iterations after 20 steps" in PprNer(deal).search(query, 3).note
    assert "convergence" in PprNer(deal, iterations=500).search(query, 3).note
