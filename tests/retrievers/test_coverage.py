"""Every statement that a question needs is among the first hits, and nothing else moves."""

from __future__ import annotations

from aethel_core.prequery import Steps
from aethel_core.retrievers.coverage import Coverage
from aethel_core.search import Search
from aethel_core.types import Filters, Hit, Query, Statement
from tests.corpora import document_of
from tests.rerankers.made import ACME, BOLT, corpus
from tests.standins import HashEmbedder

BALANCE, INCOME = f"{document_of(ACME)}:00003", f"{document_of(ACME)}:00004"
OTHERS = tuple(f"{document_of(ACME)}:0000{number}" for number in range(3))
BOLT_BALANCE = f"{document_of(BOLT)}:00001"
BOTH = (Statement.INCOME, Statement.BALANCE)
INDEX = corpus()


def hits(*ids: str) -> tuple[Hit, ...]:
    return tuple(Hit(each, 10.0 - place) for place, each in enumerate(ids))


def covered(*ids: str, together: tuple[Statement, ...] = BOTH) -> tuple[tuple[str, ...], str]:
    found, note = Coverage(INDEX)(Query("x", together=together), hits(*ids))
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    return tuple(hit.passage_id for hit in found), note


def test_the_missing_statement_moves_behind_the_first_hit() -> None:
    ids, note = covered(BALANCE, *OTHERS, INCOME)
    assert ids == (BALANCE, INCOME, *OTHERS)
    assert note == "Raised, because the question needs it, too: income statement."


def test_what_is_there_already_stays() -> None:
    for order in ((BALANCE, OTHERS[0], INCOME, OTHERS[1]), (OTHERS[0], BALANCE, INCOME), OTHERS):
        assert covered(*order) == (order, "")


def test_one_statement_asks_for_nothing() -> None:
    order = (BALANCE, *OTHERS, INCOME)
    assert covered(*order, together=(Statement.BALANCE,)) == (order, "")


def test_only_the_document_of_the_lead_counts() -> None:
    order = (BOLT_BALANCE, *OTHERS, INCOME)  # Bolt's income statement is not in the corpus
    assert covered(*order) == (order, "")


def test_questions_that_need_two_get_both_from_hybrid_and_cascade() -> None:
    search = Search(INDEX, HashEmbedder())
    question = "What is the return on equity of Acme Corp in FY2022: net income over total current assets?"
    view = search.view(question)
    assert [chip.label for chip in view.of("together")] == ["income statement and balance sheet"]
    query = view.query(Filters())
    assert set(query.together) == set(BOTH)
    for name in ("hybrid", "cascade"):
        assert {BALANCE, INCOME} <= set(search.search(query, name, 4).ids[:4])
        assert len(search.search(query, name, 1).hits) == 1
    assert search.view(question, Steps(together=False)).query().together == ()
    (balance,) = (chip.id for chip in view.of("routing") if chip.label == "balance sheet")
    assert view.switched({balance}).query().together == (Statement.INCOME,)
