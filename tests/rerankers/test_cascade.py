"""The cascade: what each stage keeps, and what remains when one fails or runs out of time."""

from __future__ import annotations

import pytest

from aethel_core.errors import EmptyQuery, InvalidInput, ModelUnavailable
from aethel_core.rerankers import cascade
from aethel_core.rerankers.base import below, reordered
from aethel_core.rerankers.cascade import Cascade, Stage
from aethel_core.types import Hit, Query, Ranking
from tests.rerankers.made import Broken, ByNumber, Fixed, lookup, ranking

ASK = Query("anvils")


def made(*stages: Stage, sources=(), **options) -> Cascade:
    return Cascade(sources or [Fixed("p1", "p2", "p3", "p4")], stages, lookup, **options)


def test_stages_narrow_and_nothing_found_is_lost() -> None:
    found = made(Stage(ByNumber(), 3), Stage(ByNumber(), 1)).trace(ASK, 10)
    assert found.ranking.ids == ("p4", "p3", "p2", "p1")
    assert [(s.name, s.given, s.scored, s.kept) for s in found.stages] == [
        ("pool", 4, 4, 4),
        ("by number", 4, 4, 3),
        ("by number", 3, 3, 1),
    ]
    assert found.ranking.note == ""


def test_scores_fall_all_the_way_down() -> None:
    scores = [hit.score for hit in made(Stage(ByNumber(), 2)).search(ASK, 10).hits]
    assert scores == sorted(scores, reverse=True)
    assert scores[:2] == [4.0, 3.0]


def test_the_pool_is_the_union_in_the_order_of_the_first() -> None:
    sources = [Fixed("p1", "p2"), Fixed("p9", "p2", name="other")]
    assert made(sources=sources).search(ASK, 10).ids == ("p1", "p2", "p9")


def test_at_most_k() -> None:
    assert made(Stage(ByNumber(), 3)).search(ASK, 2).ids == ("p4", "p3")


def test_batches_have_the_size_asked_for() -> None:
    reranker = ByNumber()
    made(Stage(reranker, 4, batch=3)).search(ASK, 4)
    assert reranker.batches == [("p1", "p2", "p3"), ("p4",)]


def test_a_failing_stage_leaves_the_order_before() -> None:
    found = made(Stage(ByNumber(), 3), Stage(Broken(), 2)).search(ASK, 10)
    assert found.ids == ("p4", "p3", "p2", "p1")
    assert [hit.score for hit in found.hits[:2]] == [4.0, 3.0]  # and the scores before
    assert "scored 0 of 3" in found.note
    assert "The model is away." in found.note


def test_a_stage_that_fails_half_way_keeps_what_it_scored_on_top() -> None:
    found = made(Stage(ByNumber(failing_after=1), 4, batch=2)).search(ASK, 10)
    assert found.ids == ("p2", "p1", "p3", "p4")
    assert "scored 2 of 4" in found.note


def test_the_time_limit_keeps_the_partial_result_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(1000))
    monkeypatch.setattr(cascade.time, "perf_counter", lambda: float(next(ticks)))
    # The clock steps by one second per look; the second batch would begin after the limit.
    found = made(Stage(ByNumber(), 4, batch=2), seconds=2.5).search(ASK, 10)
    assert found.ids == ("p2", "p1", "p3", "p4")
    assert found.note == "The time limit of 2.5 s ended the by number after 2 of 4 passages."


def test_a_retriever_that_is_away_is_said_and_the_others_answer() -> None:
    found = made(sources=[Broken(), Fixed("p1")]).search(ASK, 10)
    assert found.ids == ("p1",)
    assert found.note == "Without 1 of 2 retrievers: The model is away."


def test_without_any_retriever_there_is_no_answer() -> None:
    with pytest.raises(ModelUnavailable):
        made(sources=[Broken()]).search(ASK, 10)


def test_an_answer_with_a_failure_is_not_remembered() -> None:
    reranker = ByNumber(failing_after=0)
    tried = made(Stage(reranker, 4))
    assert tried.search(ASK, 10).note
    reranker.failing_after = None
    assert tried.search(ASK, 10).note == ""
    again = tried.trace(ASK, 10)
    assert again is tried.trace(ASK, 10)


def test_an_empty_pool_is_an_empty_ranking() -> None:
    assert made(Stage(ByNumber(), 4), sources=[Fixed()]).search(ASK, 10).hits == ()


def test_bad_arguments() -> None:
    with pytest.raises(EmptyQuery):
        made().search(Query("  "), 3)
    with pytest.raises(InvalidInput):
        made().search(ASK, 0)
    with pytest.raises(InvalidInput):
        Cascade([], (), lookup)
    with pytest.raises(InvalidInput):
        Stage(ByNumber(), 0)
    with pytest.raises(InvalidInput):
        made(seconds=0)
    with pytest.raises(InvalidInput):
        made(depth=0)


def test_below_adds_only_what_is_missing() -> None:
    first = Ranking("x", (Hit("a", 2.0), Hit("b", -1.0)))
    hits = below(first, [Hit("b", 9.0), Hit("c", 9.0), Hit("d", 8.0)])
    assert [hit.passage_id for hit in hits] == ["a", "b", "c", "d"]
    assert hits[1].score > hits[2].score > hits[3].score


def test_reordered_breaks_ties_by_id() -> None:
    assert reordered("x", ranking("b", "a", "c"), [1.0, 1.0, 2.0], 3).ids == ("c", "a", "b")
