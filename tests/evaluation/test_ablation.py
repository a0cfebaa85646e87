"""Each part's contrasts differ in that part alone, and what they say is worked out by hand."""

import dataclasses

import pytest

from aethel_core.errors import Cancelled, InvalidInput
from aethel_core.evaluation import ablation, tables
from aethel_core.evaluation.ablation import EVERYTHING, NOTHING, PLACES, Pipelines, ablate, parts, ways
from aethel_core.evaluation.ablation_words import LABELS, in_words
from aethel_core.evaluation.judgements import JudgedQuestion, Judgements
from aethel_core.evaluation.results import Results
from aethel_core.evaluation.runs import evaluate
from aethel_core.prequery import Steps
from aethel_core.search import Search
from aethel_core.types import Query
from tests.corpora import document_of
from tests.evaluation.fakes import contest
from tests.rerankers.made import ACME, BOLT, corpus
from tests.standins import HashEmbedder


@pytest.fixture(scope="module")
def search():
    return Search(corpus(), HashEmbedder())


@pytest.fixture(scope="module")
def judgements():
    questions = (
        ("a", "What is the working capital of Acme Corp in FY2022?", f"{document_of(ACME)}:00003"),
        ("b", "What are total current assets of Bolt Industries in FY2021?", f"{document_of(BOLT)}:00001"),
    )
    judged = tuple(JudgedQuestion(key, text, ((gold, 1),)) for key, text, gold in questions)
    return Judgements("passage", judged, lambda passage: passage)


@pytest.mark.parametrize("over", ablation.OVER)
def test_a_contrast_differs_in_the_part_alone(over):
    for part in parts(over):
        if part.kind != "step":
            continue
        for place in PLACES:
            contrast = part.contrast(place)
            having = dataclasses.asdict(contrast.having.steps)
            without = dataclasses.asdict(contrast.without.steps)
            changed = {name for name in having if having[name] != without[name]}
            assert changed == {part.name} and having[part.name]
            assert contrast.having.pipeline == contrast.without.pipeline == over


def test_ways_are_named_apart_and_begin_with_the_default():
    every = ways("cascade")
    assert every[0].name == "cascade, default"
    assert len({way.name for way in every}) == len(every)
    names = [way.name for way in every]
    assert "cascade, default but spelling" in names and "cascade, default and keywords" in names
    assert "cascade, routing only and keywords" in names and "cascade, all steps but hypothesis" in names
    assert {part.name for part in parts()} == set(LABELS)
    with pytest.raises(InvalidInput, match="not over 'bm25'"):
        ways("bm25")


def test_no_step_mutes_what_routing_reads(search):
    pipelines = Pipelines(search, frozenset({"name:x"}))
    routed = pipelines.query("What is the working capital of Acme Corp in FY2022?", Steps())
    bare = pipelines.query("What is the working capital of Acme Corp in FY2022?", NOTHING)
    assert routed.muted == {"name:x"} and len(bare.muted) > 1
    whole = pipelines.query("What is the working capital of Acme Corp in FY2022?", EVERYTHING)
    assert whole.expansions and not bare.expansions


def test_factors_alone_rank_as_the_retriever_of_that_kind(search):
    query = Query("What are total current assets of Bolt Industries in FY2021?")
    pipelines = Pipelines(search)
    assert pipelines.retriever("meaning only").search(query, 3).ids == search.search(query, "dense", 3).ids
    best = search.search(query, "bm25", 1).ids
    assert pipelines.retriever("wording only").search(query, 1).ids == best
    assert pipelines.retriever("walk only").search(query, 3).hits
    assert not pipelines.retriever("walk only").search(Query("how much?"), 3).hits


def test_an_ablation_is_kept_and_found_again(search, judgements, tmp_path):
    kept, told = Results(tmp_path), []
    report = ablate(search, judgements, "hybrid", results=kept, on_progress=lambda *far: told.append(far))
    assert told[-1] == (len(ways("hybrid")) * 2,) * 2
    assert report.baseline == "hybrid, default" and ablation.over_of(report) == "hybrid"
    assert kept.all() == (report,)
    again = ablate(search, judgements, "hybrid", results=kept, cancelled=lambda: True)
    assert again == report
    with pytest.raises(Cancelled):
        ablate(search, judgements, "cascade", results=kept, cancelled=lambda: True)
    lines = tables.ablation_table(report).splitlines()
    assert lines[2].startswith("| spelling | on | default |") and lines[2].count("[") == 4
    assert any(line.startswith("| walk | on | alone |") and "[" not in line for line in lines)


def made(**outcomes):
    """A report in which every way finds the first half of ten questions, but for those told."""
    found = dict.fromkeys((way.name for way in ways("hybrid")), "1111100000")
    found |= {name.replace("_", " "): marks for name, marks in outcomes.items()}
    judgements, searcher = contest(found)
    return evaluate(searcher, judgements, tuple(found), ks=ablation.KS, baseline="hybrid, default")


def test_worth_is_what_the_part_adds():
    report = made(
        **{"hybrid, default but routing": "0000000000", "hybrid, default and keywords": "0000010000"}
    )
    found = ablation.worths(report, "HR@5")
    # Routing: 5 of 10 with, 0 without. Keywords: 1 of 10 with, 5 without.
    assert found["routing", "default"].mean == pytest.approx(0.5)
    assert found["keywords", "default"].mean == pytest.approx(-0.4)
    assert found["units", "whole"].mean == 0.0
    assert ("walk", "alone") not in found and ("stage 1", "whole") not in found


def test_in_words():
    report = made(
        **{
            "hybrid, default but routing": "0000000000",
            "hybrid, default but units": "1111111111",
            "hybrid, default and keywords": "1111111111",
            "hybrid, default but spelling": "1111000000",
            "hybrid without wording": "0000000000",
        }
    )
    text = in_words(report, "HR@5")
    # Five questions of one sign give p = 2 / 2^5 = 0.06: not clear, however sure the bootstrap is.
    assert text.startswith("On your 10 questions, by HR@5, no part can be said to earn its place.")
    assert "do not decide about spelling, units, keywords, routing and wording (lexical)." in text
    assert "Nothing changes for any question with or without even writing, forms in passages" in text
    assert text.endswith("With fewer than 30 questions every figure here is rough.")


def test_in_words_of_clear_figures():
    found = dict.fromkeys((way.name for way in ways("hybrid")), "1" * 20 + "0" * 20)
    found["hybrid, default but routing"] = "0" * 40
    found["hybrid without walk"] = "0" * 40
    found["hybrid, default but units"] = "1" * 40
    found["hybrid, default and keywords"] = "1" * 40
    found["hybrid, default and hypothesis"] = "0" * 40
    judgements, searcher = contest(found)
    report = evaluate(searcher, judgements, tuple(found), ks=ablation.KS, baseline="hybrid, default")
    text = in_words(report, "HR@5")
    assert text.startswith("On your 40 questions, by HR@5, routing and graph walk earn their place.")
    assert "Better switched off: units." in text
    assert "Off now, but would clearly help: keywords." in text
    assert "Rightly off, because it would clearly harm: HyDE template." in text
    assert "rough" not in text
