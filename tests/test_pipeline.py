"""Switches: what they turn, what they leave, and what each part does to the first hits."""

from __future__ import annotations

import pytest

from aethel_core.errors import ModelUnavailable
from aethel_core.pipeline import PARTS, STAGES, Effect, Switches, effects, prepare
from aethel_core.prequery import ChipKind, Steps
from aethel_core.search import Search
from aethel_core.types import DocumentType, Filters
from tests.rerankers.made import corpus
from tests.standins import HashEmbedder

ASK = "What is the working capital of Acme Corp in FY2022, per 10-K?"
SEARCH = Search(corpus(), HashEmbedder())


def asked(switches: Switches = Switches(), question: str = ASK):  # noqa: B008 - immutable
    return prepare(SEARCH, question, switches, Filters())


def test_the_defaults_are_those_of_the_steps() -> None:
    assert Switches().steps == Steps() and Switches().skipped == frozenset()
    assert all(Switches().on(stage) for stage in STAGES)


def test_turning_twice_is_as_before() -> None:
    for part in PARTS:
        once = Switches().turned(part, not Switches().on(part))
        assert once.on(part) != Switches().on(part)
        assert once.turned(part, Switches().on(part)) == Switches()
        assert once.turned(part, once.on(part)) == once


def test_a_chip_taken_away_stays_away_when_its_step_is_turned() -> None:
    way = Switches().turned("keywords", True)
    view = asked(way).view
    (gone, *kept) = [chip.id for chip in view.of("keywords")]
    chosen = way.chosen(view, {chip.id for chip in view.chips if chip.on} - {gone})
    assert chosen.removed == (gone,) and chosen.added == ()
    chips = {chip.id: chip.on for chip in asked(chosen).view.of("keywords")}
    assert chips == {gone: False, **dict.fromkeys(kept, True)}
    assert not any(chip.on for chip in asked(chosen.turned("keywords", False)).view.of("keywords"))


def test_a_spare_chip_is_added() -> None:
    view = asked().view
    spare = view.of("keywords")[0]
    chosen = Switches().chosen(view, {chip.id for chip in view.chips if chip.on} | {spare.id})
    assert chosen.added == (spare.id,)
    assert spare.words[0] in asked(chosen).query.expansions
    assert chosen.for_another_question() == Switches()


def test_routing_as_a_hard_filter() -> None:
    found = asked(Switches(only=True))
    assert found.narrowed
    assert found.query.filters == Filters(("Acme Corp",), (2022,), (DocumentType.TEN_K,))
    assert not asked(Switches(only=True), "anvils").narrowed
    off = asked(Switches(only=True).turned("routing", False))
    assert not off.narrowed and off.query.filters.empty


def test_stages_are_skipped() -> None:
    query = asked(Switches().turned("stage 1", False)).query
    assert [stage.name for stage in SEARCH.stages(query, 5)] == ["pool", "learned ranker"]
    none = asked(Switches().turned("stage 1", False).turned("stage 2", False)).query
    assert SEARCH.search(none, "cascade", 5).ids == SEARCH.search(none, "hybrid", 5).ids
    best = SEARCH.search(none, "hybrid", 1).hits[0]
    assert SEARCH.explain(none, "cascade", best.passage_id, "").score == pytest.approx(best.score)


def test_a_model_writes_only_what_is_left_to_it() -> None:
    writers = {
        "keywords": lambda question: "inventory turns",
        "paraphrases": lambda question: pytest.fail("nobody asked for it"),
    }
    way = Switches().turned("keywords", True).turned("paraphrases", True).written("keywords", True)
    view = prepare(SEARCH, ASK, way, Filters(), writers).view
    assert [chip.label for chip in view.of("keywords")] == ["inventory turns"]

    def away(question: str) -> str:
        raise ModelUnavailable("The model is away.")

    view = prepare(SEARCH, ASK, way, Filters(), {"keywords": away}).view
    assert view.notes == ("Keywords made without the model this time: The model is away.",)
    assert view.of("keywords") and all(chip.on for chip in view.of("keywords"))


def test_effects_are_those_of_asking_twice() -> None:
    found = {each.part: each for each in effects(SEARCH, ASK, Switches(), Filters(), "hybrid", 3)}
    assert set(found) == set(PARTS) - set(STAGES)
    assert found["spelling"] == Effect("spelling", 3, idle=True)  # there is nothing to correct
    having = SEARCH.search(asked().query, "hybrid", 3).ids
    without = SEARCH.search(asked(Switches().turned("routing", False)).query, "hybrid", 3).ids
    routing = found["routing"]
    assert routing.entered == len(set(having) - set(without))
    assert routing.first == (having[0] != without[0])
    moved = sum(p in without and without.index(p) != rank for rank, p in enumerate(having))
    assert routing.moved == moved
    cascade = effects(SEARCH, ASK, Switches(), Filters(), "cascade", 3)
    assert [each.part for each in cascade] == list(PARTS)


def test_summaries_are_no_chip_without_a_long_document() -> None:
    view = asked(Switches().turned("summaries", True)).view
    assert not any(chip.kind is ChipKind.SUMMARIES for chip in view.chips)
