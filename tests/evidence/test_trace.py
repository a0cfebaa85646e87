from __future__ import annotations

import pytest

from aethel_core.errors import InvalidInput, UnknownPassage
from aethel_core.evidence import trace
from aethel_core.retrievers.bm25 import BM25
from aethel_core.retrievers.hybrid import Hybrid
from aethel_core.retrievers.pagerank import Bct, PprNer, PprRegex
from aethel_core.types import Query
from tests.corpora import document_of

LENDER = Query("Which lender does NorthRiver IV depend on?")


def at(name: str, number: int) -> str:
    return f"{document_of(name)}:{number:05d}"


@pytest.mark.parametrize("kind", [PprNer, PprRegex, Bct])
def test_the_parts_account_for_the_score_of_every_hit(kind, deal) -> None:
    retriever = kind(deal)
    ranking = retriever.search(LENDER, 10)
    assert ranking.hits
    for hit, found in zip(ranking.hits, trace(retriever, LENDER).evidence(ranking.ids), strict=True):
        (part,) = found.parts
        assert part.mass == pytest.approx(hit.score, rel=1e-12)
        assert sum(path.mass for path in part.paths) <= part.mass * (1 + 1e-12)
        assert sum(path.share for path in part.paths) + part.other == pytest.approx(1.0)
        assert part.paths and all(path.passage_id == hit.passage_id for path in part.paths)


def test_a_path_leads_over_two_documents(deal) -> None:
    retriever = PprNer(deal)
    (found,) = trace(retriever, LENDER).evidence([at("notice", 0)])
    chain = ("name:northriver iv", "name:helios packaging", "name:calder bank")
    path = next(path for path in found.parts[0].paths if path.entities == chain)
    assert path.between[0].passages == (at("letter", 0),) and path.between[0].count == 1
    assert set(path.between[1].passages) == {at("filing", 0), at("filing", 2)}
    assert path.between[1].count == 2


def test_the_passage_itself_is_never_on_the_way_to_it(deal) -> None:
    traced = trace(PprNer(deal), LENDER)
    for found in traced.evidence(deal.ids):
        for path in found.parts[0].paths:
            assert found.passage_id not in [p for between in path.between for p in between.passages]
            assert len(set(path.entities)) == len(path.entities)


def test_walks_from_self_references_begin_at_their_passages(deal) -> None:
    traced = trace(Bct(deal), Query("What did NorthRiver IV do?"))
    (found,) = traced.evidence([at("letter", 1)])
    own = [path for path in found.parts[0].paths if path.origin]
    assert own and own[0].origin.passages == (at("letter", 1),)


def test_hybrid_gives_paths_per_seed(deal, vectors) -> None:
    retriever = Hybrid(deal, vectors)
    question = Query("What were the net sales of Helios Packaging in 2022?")
    traced = trace(retriever, question)
    (found,) = traced.evidence([at("filing", 1)])
    kinds = {part.kind: part for part in found.parts}
    assert {"company", "period", "statement", "line item"} <= kinds.keys()
    assert sum(part.share for part in found.parts) == pytest.approx(1.0)
    company = kinds["company"].paths[0]
    assert company.between == () and company.entities == kinds["company"].entity_ids
    assert {seed.kind for seed in traced.seeds} >= {"company", "period"}


def test_muted_entities_are_on_no_path(deal) -> None:
    query = Query(LENDER.text, muted=frozenset({"name:helios packaging"}))
    for retriever in (PprNer(deal), Bct(deal)):
        for found in trace(retriever, query).evidence(deal.ids):
            for path in found.parts[0].paths:
                assert "name:helios packaging" not in path.entities


def test_an_added_entity_is_a_seed(deal) -> None:
    query = Query(LENDER.text, added=frozenset({"name:orrin trust company"}))
    traced = trace(PprNer(deal), query)
    added = next(seed for seed in traced.seeds if seed.entity_id == "name:orrin trust company")
    assert added.rule == "added"
    (found,) = traced.evidence([at("notice", 1)])
    assert found.parts[0].paths[0].entities == ("name:orrin trust company",)


def test_a_question_without_a_known_entity_says_so(deal, vectors) -> None:
    question = Query("what is it about?")
    for retriever in (PprNer(deal), Hybrid(deal, vectors)):
        traced = trace(retriever, question)
        assert traced.note and not traced.seeds
        (found,) = traced.evidence([at("letter", 0)])
        assert found.parts == ()


def test_what_cannot_be_traced_is_refused(deal) -> None:
    with pytest.raises(InvalidInput, match="bm25 does not walk"):
        trace(BM25(deal), LENDER)
    with pytest.raises(UnknownPassage):
        trace(PprNer(deal), LENDER).evidence(["nowhere:00000"])
    assert trace(PprNer(deal), LENDER).evidence([]) == ()
