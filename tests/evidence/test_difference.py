from __future__ import annotations

import pytest

from aethel_core.evidence import difference
from aethel_core.retrievers.bm25 import BM25
from aethel_core.retrievers.dense import Dense
from aethel_core.retrievers.fusion import ReciprocalRankFusion
from aethel_core.retrievers.hybrid import Hybrid
from aethel_core.retrievers.pagerank import PprNer
from aethel_core.retrievers.tfidf import TfIdf
from aethel_core.types import Filters, Query
from tests.corpora import document_of

LENDER = Query("Which lender does NorthRiver IV depend on?")


def at(name: str, number: int) -> str:
    return f"{document_of(name)}:{number:05d}"


def test_a_passage_without_a_common_word_is_found_by_the_graph_alone(deal) -> None:
    found = difference(PprNer(deal), BM25(deal), LENDER, 10)
    alone = {missed.passage_id: missed for missed in found.only_first}
    notice = alone[at("notice", 0)]
    assert notice.other_rank is None and notice.reason == "It shares no word with the question."
    assert not set(alone) & set(found.both)


def test_a_passage_no_walk_reaches_is_found_by_words_alone(deal) -> None:
    question = Query("NorthRiver IV and the weather")
    found = difference(BM25(deal), PprNer(deal), question, 10)
    weather = next(m for m in found.only_first if m.passage_id == at("letter", 3))
    assert weather.other_rank is None
    assert weather.reason == "No path of at most 20 steps leads to it from a seed."


def test_without_seeds_the_retriever_s_own_words_are_given(deal) -> None:
    found = difference(BM25(deal), PprNer(deal), Query("weather"), 5)
    assert found.only_first[0].reason.startswith(("No entity", "The question names no entity"))


@pytest.mark.parametrize("k", [1, 2])
def test_ranks_and_reasons_of_what_is_below_the_cutoff(deal, vectors, k: int) -> None:
    kinds = {
        "bm25": BM25(deal),
        "tfidf": TfIdf(deal),
        "dense": Dense(deal, vectors),
        "hybrid": Hybrid(deal, vectors),
        "ppr-ner": PprNer(deal),
    }
    question = Query("Calder Bank and Helios Packaging")
    for judge in kinds.values():
        order = judge.search(question, 100).ids
        for finder in kinds.values():
            if finder is judge:
                continue
            for missed in difference(finder, judge, question, k).only_first:
                assert missed.reason.endswith(".")
                if missed.other_rank is not None:
                    assert missed.other_rank > k and order[missed.other_rank - 1] == missed.passage_id


def test_hybrid_names_the_factor_by_which_a_passage_falls_behind(deal, vectors) -> None:
    hybrid, question = Hybrid(deal, vectors), Query("Calder Bank and Helios Packaging")
    last = deal.row[hybrid.search(question, 1).ids[-1]]
    missed = [m for m in difference(BM25(deal), hybrid, question, 1).only_first if m.other_rank]
    missed += difference(Dense(deal, vectors), hybrid, question, 1).only_first
    assert missed
    for one in missed:
        row = deal.row[one.passage_id]
        losses = {
            part.label: part.weight * (part.log_closeness[last] - part.log_closeness[row])
            for part in hybrid.parts(question)
        }
        assert max(losses, key=losses.get) in one.reason and "at rank 1" in one.reason


def test_lists_of_a_fusion_are_named(deal) -> None:
    fusion = ReciprocalRankFusion([BM25(deal), TfIdf(deal)])
    found = difference(PprNer(deal), fusion, LENDER, 10)
    reasons = {missed.passage_id: missed.reason for missed in found.only_first}
    assert reasons[at("notice", 0)] == "Of its lists, bm25 does not hold it; tfidf does not hold it."


def test_a_filter_is_a_reason_too(deal) -> None:
    class Unfiltered(PprNer):
        def search(self, query, k):
            return super().search(Query(query.text), k)

    query = Query(LENDER.text, Filters(documents=(document_of("letter"),)))
    found = difference(Unfiltered(deal), BM25(deal), query, 10)
    reasons = {missed.passage_id: missed.reason for missed in found.only_first}
    assert reasons[at("filing", 0)] == "The filters leave it out."
