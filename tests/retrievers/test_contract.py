"""What every retriever of the registry owes, whichever it is."""

from __future__ import annotations

import numpy as np
import pytest

from aethel_core.errors import EmptyQuery, InvalidInput, UnknownRetriever
from aethel_core.evidence import (
    DenseExplanation,
    FusionExplanation,
    GraphExplanation,
    HybridExplanation,
    LexicalExplanation,
    explain,
)
from aethel_core.index import Index
from aethel_core.retrievers import NAMES, build
from aethel_core.types import DocumentType, Filters, Query
from tests.corpora import document_of

QUESTIONS = (
    "Who lent to Helios in 2021?",
    "What were Meridian Foods' total assets at the end of FY2022?",
    "northriver iv helios packaging",
    "inventories",
)

every = pytest.mark.parametrize("name", NAMES)


@every
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("k", [1, 4, 1000])
def test_at_most_k_hits_best_first_without_repetition(name, question, k, deal, vectors) -> None:
    ranking = build(name, deal, vectors).search(Query(question), k)
    scores = [hit.score for hit in ranking.hits]
    assert len(scores) <= k and len(set(ranking.ids)) == len(scores)
    assert all(np.isfinite(score) and score > 0 for score in scores)
    pairs = [(-hit.score, hit.passage_id) for hit in ranking.hits]
    assert pairs == sorted(pairs)
    assert set(ranking.ids) <= set(deal.ids)


@every
def test_the_same_question_gives_the_same_bits(name, deal, vectors) -> None:
    first, second = (build(name, deal, vectors).search(Query(QUESTIONS[0]), 10) for _ in range(2))
    assert first == second


@every
def test_a_smaller_k_is_the_head_of_a_larger(name, deal, vectors) -> None:
    retriever = build(name, deal, vectors)
    assert retriever.search(Query(QUESTIONS[1]), 2).ids == retriever.search(Query(QUESTIONS[1]), 9).ids[:2]


@every
def test_filters_hold(name, deal, vectors) -> None:
    query = Query(QUESTIONS[0], Filters(types=(DocumentType.LP_LETTER,)))
    ranking = build(name, deal, vectors).search(query, 50)
    assert all(passage.startswith(document_of("letter")) for passage in ranking.ids)


@every
def test_an_empty_corpus_is_no_error(name, vectors) -> None:
    ranking = build(name, Index.empty(), vectors).search(Query("anything"), 5)
    assert ranking.hits == ()


@every
@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_an_empty_question_is_refused(name, text, deal, vectors) -> None:
    with pytest.raises(EmptyQuery):
        build(name, deal, vectors).search(Query(text), 5)


@every
def test_k_must_be_positive(name, deal, vectors) -> None:
    for k in (0, -1, 2.5, "3"):
        with pytest.raises(InvalidInput, match=rf"k is {k}; .*at least one"):
            build(name, deal, vectors).search(Query("fund"), k)


@every
def test_filters_that_nothing_passes_are_said(name, deal, vectors) -> None:
    ranking = build(name, deal, vectors).search(Query(QUESTIONS[0], Filters(years=(1900,))), 5)
    assert ranking.hits == ()
    assert "No passage passes the filters" in ranking.note


@pytest.mark.parametrize("name", ["tfidf", "bm25"])
def test_words_that_no_document_has_are_said(name, deal, vectors) -> None:
    ranking = build(name, deal, vectors).search(Query("xylophone"), 5)
    assert ranking.hits == ()
    assert "No word of the question" in ranking.note


@every
@pytest.mark.parametrize(
    "text", ["\x00", "🙂🙂", "<script>alert(1)</script>", "؟ صندوق", "a" * 20_000, "%s {} \\", "the of and"]
)
def test_strange_questions_do_no_harm(name, text, deal, vectors) -> None:
    build(name, deal, vectors).search(Query(text), 5)


@every
def test_every_score_is_accounted_for(name, deal, vectors) -> None:
    query = Query("How much did Helios borrow from Calder Bank in FY2021?")
    retriever = build(name, deal, vectors)
    ranking = retriever.search(query, 5)
    assert ranking.hits
    for hit in ranking.hits:
        found = explain(retriever, query, hit.passage_id, "One sentence. Another one.")
        assert found.score == pytest.approx(hit.score, rel=1e-6)
        match found:
            case LexicalExplanation(terms=terms):
                assert sum(part.contribution for part in terms) == pytest.approx(hit.score)
            case FusionExplanation(lists=lists):
                assert sum(part.contribution for part in lists) == pytest.approx(hit.score)
            case GraphExplanation(seeds=seeds, from_passages=rest):
                assert sum(part.mass for part in seeds) + rest == pytest.approx(hit.score)
            case HybridExplanation(factors=factors):
                assert sum(part.share for part in factors) == pytest.approx(1)
                product = np.prod([part.closeness**part.share for part in factors])
                assert product == pytest.approx(hit.score)
            case DenseExplanation(sentence=sentence):
                assert sentence in ("One sentence.", "Another one.")


def test_an_unknown_name_lists_the_known(deal, vectors) -> None:
    with pytest.raises(UnknownRetriever, match=r"bm52.*bm25"):
        build("bm52", deal, vectors)
