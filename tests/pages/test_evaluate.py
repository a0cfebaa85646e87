"""Evaluate: from the first mark to the verdict, and every state on the way."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.testing.v1 import AppTest

from aethel_core.workspace import Workspace
from aethel_core.workspace.lab import BackgroundRun
from pages._ui import board, frame, sample
from pages._ui.evaluation import bench
from pages._ui.lab_runs import LabRuns
from tests.pages.conftest import DEAL
from tests.standins import HashEmbedder, RegexNames

Open = Callable[..., AppTest]
ASKED = ("unfunded commitments of North River", "Who sold Quillon Data?", "What is the largest holding?")
HOSTILE = "<b>*who*</b> :red[sold] $1?"


def said(at: AppTest) -> str:
    return "\n".join(str(element.proto) for element in at.get("html"))


def button(at: AppTest, label: str):
    return next(button for button in at.button if button.label.startswith(label))


def reopened(data: Path) -> Workspace:
    return Workspace.open(data / DEAL, embedder=HashEmbedder(), names=RegexNames())


def go(at: AppTest, view: str) -> AppTest:
    return at.segmented_control(key="evaluate.view.choice").set_value(view).run()


@pytest.fixture
def labelled(own_data_dir: Path) -> Path:
    """Three questions, each with the first hit of BM25 marked relevant by Ann and another passage not."""
    with reopened(own_data_dir) as deal:
        every = [passage.id for document in deal.documents() for passage in deal.passages(document.id)]
        for question in ASKED:
            first = deal.search(question, "bm25", 1).ids[0]
            second = next(other for other in every if other != first)
            deal.label(question, first, "Ann", 2)
            deal.label(question, second, "Ann", 0)
    return own_data_dir


def evaluated(at: AppTest, questions: int = 3) -> AppTest:
    """Start the run, and come back until its verdict is there."""
    button(at, "Evaluate").click().run()
    for _ in range(100):
        if f"On your {questions} questions" in said(at):
            return at
        time.sleep(0.1)
        at.run()
    raise AssertionError(said(at))


def test_without_documents_it_says_what_to_do(app: Open, tmp_path: Path) -> None:
    at = app(tmp_path, "evaluate")
    assert not at.exception and not at.error
    assert "no documents" in said(at) and button(at, "Go to the Library")


def test_without_marks_it_shows_the_first_steps(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "evaluate")
    assert not at.exception and not at.error
    assert "1. Mark what is relevant" in said(at)
    button(at, "Judge a question").click().run()
    assert "favours none of them" in said(at) and not at.exception


def test_evaluate_and_read_the_verdict(app: Open, labelled: Path) -> None:
    at = app(labelled, "evaluate")
    assert "3 questions can be measured" in said(at)
    at = evaluated(at)
    assert not at.exception and not at.error and not at.warning
    assert "On your 3 questions" in said(at) and "fewer than 30 questions" in said(at)
    # Every gold page is the first of BM25 by construction.
    assert "100 %" in said(at) and "Head to head on HR@5" in [head.value for head in at.subheader]
    assert len(at.get("plotly_chart")) == 2
    with reopened(labelled) as deal:
        (report,) = deal.lab.reports()
        assert report.mean("bm25", "HR@1") == 1.0 and report.retrievers == ("hybrid", "bm25", "dense")


def test_a_result_is_stale_when_the_corpus_or_the_marks_change(app: Open, labelled: Path) -> None:
    at = evaluated(app(labelled, "evaluate"))
    with reopened(labelled) as deal:
        deal.label("Another one?", deal.search("fund", "bm25", 1).ids[0], "Ann", 2)
    at.run()
    assert "changes of the labelled set" in at.warning[0].value
    with reopened(labelled) as deal:
        deal.delete(deal.document("hostile.pdf").id)
    at.run()
    assert "changes of the documents" in at.warning[0].value
    at = go(at, "Runs")
    assert at.dataframe[0].value["State"].tolist() == ["stale"]


def test_every_question_with_the_rank_each_retriever_gave(app: Open, labelled: Path) -> None:
    at = go(evaluated(app(labelled, "evaluate")), "Questions")
    shown = at.dataframe[0].value
    assert sorted(shown["Question"]) == sorted(ASKED)
    assert shown["■ BM25"].tolist() == [1, 1, 1]
    assert "north-q" in said(at) and button(at, "Open in Compare")
    at.segmented_control(key="evaluate.which").set_value("All miss").run()
    assert "No question is missed" in at.success[0].value


def test_judging_hides_who_found_it_and_can_be_undone(app: Open, own_data_dir: Path) -> None:
    at = go(app(own_data_dir, "evaluate", q=ASKED[0]), "Judge")
    assert "0 of" in at.get("progress")[0].proto.text
    assert not any(name in said(at) for name in ("BM25", "Dense", "Hybrid"))
    button(at, "Relevant").click().run()
    button(at, "Not").click().run()
    with reopened(own_data_dir) as deal:
        assert sorted(label.grade for label in deal.labels()) == [0, 2]
        assert {(label.question, label.labeller) for label in deal.labels()} == {(ASKED[0], "Analyst")}
    button(at, "Undo").click().run()
    with reopened(own_data_dir) as deal:
        assert [label.grade for label in deal.labels()] == [2]
    while not at.success:
        button(at, "Not").click().run()
    assert "All judged: 1 of" in at.success[0].value


def test_two_people_are_compared(app: Open, labelled: Path) -> None:
    with reopened(labelled) as deal:
        for label in deal.labels():
            if label.question == ASKED[0]:
                deal.label(ASKED[0], label.passage_id, "Bob", 2 if label.grade == 2 else 1)
    at = go(app(labelled, "evaluate"), "Labelled set")
    # Both judged two passages and agree on one: observed 1/2, expected 1/4, kappa 1/3.
    assert "0.33" in said(at) and "fair" in said(at) and "1 disagreement" in said(at)
    assert "Ann: not · Bob: partly" in said(at)


def test_names_and_questions_are_shown_letter_by_letter(app: Open, own_data_dir: Path) -> None:
    with reopened(own_data_dir) as deal:
        passage = deal.search("fund", "bm25", 1).ids[0]
        deal.label(HOSTILE, passage, "<i>Ann</i>", 2)
        deal.label(HOSTILE, passage, "Bob", 0)
    at = go(app(own_data_dir, "evaluate"), "Labelled set")
    assert "<i>" not in said(at) and "&lt;i&gt;Ann" in said(at)
    assert "<b>*who" not in said(at) and "&lt;b&gt;*who" in said(at)
    assert not at.exception


def test_marking_under_a_name_of_ones_own(app: Open, own_data_dir: Path) -> None:
    at = app(own_data_dir, "evaluate", q=ASKED[0])
    at.text_input(key="labeller.name").set_value("  Cyd ").run()
    button(go(at, "Judge"), "Partly").click().run()
    with reopened(own_data_dir) as deal:
        assert [(label.labeller, label.grade) for label in deal.labels()] == [("Cyd", 1)]


def test_weights_are_tuned_with_a_held_out_figure(app: Open, labelled: Path) -> None:
    at = go(evaluated(app(labelled, "evaluate")), "Tuning")
    assert "at least 5 questions" in at.info[0].value
    with reopened(labelled) as deal:
        for number in range(3):
            question = f"north river fund {number}"
            deal.label(question, deal.search(question, "dense", 1).ids[0], "Ann", 2)
    at = evaluated(go(at, "Results"), questions=6)
    at = go(at, "Tuning")
    assert "tuned, held out" in said(at) and "fewer than 30" in at.warning[0].value
    button(at, "Use these weights").click().run()
    with reopened(labelled) as deal:
        assert set(deal.parameters().fused) <= {"bm25", "dense"}
    at = go(at, "Runs")
    assert len(at.dataframe[0].value) == 2 and "stale" in set(at.dataframe[0].value["State"])


def test_the_scale_curve_says_what_keeping_the_answers_means(app: Open, labelled: Path) -> None:
    at = go(app(labelled, "evaluate"), "Scale curve")
    at.multiselect(key="scale.retrievers").set_value(["bm25"])
    button(at, "Measure").click().run()
    for _ in range(100):
        if at.get("plotly_chart"):
            break
        time.sleep(0.1)
        at.run()
    assert "measures tolerance to distractors" in said(at) and not at.exception
    # Kept: there after the server was started anew.
    st.cache_resource.clear()
    at = go(app(labelled, "evaluate"), "Scale curve")
    assert at.get("plotly_chart") and not at.warning


def test_changed_questions_say_what_they_cost(app: Open, labelled: Path) -> None:
    at = go(app(labelled, "evaluate"), "Robustness")
    assert not at.exception and "Better · same · worse" not in said(at)
    at.multiselect(key="robustness.retrievers").set_value(["bm25", "dense"])
    button(at, "Measure").click().run()
    for _ in range(100):
        if "Better · same · worse" in said(at):
            break
        time.sleep(0.1)
        at.run()
    assert not at.exception and not at.error and not at.warning
    assert "On your 3 questions, by HR@5" in said(at) and "fewer than 30 questions" in said(at)
    assert "Typos · " in said(at) and "Paraphrases · " in said(at)
    # Kept: there after the server was started anew, and stale once a document is gone.
    st.cache_resource.clear()
    at = go(app(labelled, "evaluate"), "Robustness")
    assert "Better · same · worse" in said(at) and not at.warning
    with reopened(labelled) as deal:
        deal.delete(deal.document("hostile.pdf").id)
    at.run()
    assert "Stale" in at.warning[0].value


def test_an_ablation_says_which_parts_earn_their_place(app: Open, labelled: Path) -> None:
    at = go(app(labelled, "evaluate"), "Ablation")
    assert not at.exception and "Adds to the default" not in said(at)
    at.segmented_control(key="ablation.over").set_value("hybrid")
    button(at, "Measure").click().run()
    for _ in range(200):
        if "Adds to the default" in said(at):
            break
        time.sleep(0.1)
        at.run()
    assert not at.exception and not at.error and not at.warning
    assert "On your 3 questions, by nDCG@20, no part can be said to earn its place" in said(at)
    for shown in ("Routing", "HyDE template", "Meaning (dense)", "Graph walk", "Stage 1 (fast)", "by itself"):
        assert shown in said(at)
    at.segmented_control(key="ablation.metric").set_value("HR@5").run()
    assert "by HR@5" in said(at) and not at.exception
    with reopened(labelled) as deal:
        (report,) = deal.lab.ablations.all()
        assert deal.lab.reports() == () and report.baseline == "hybrid, default"
        deal.delete(deal.document("hostile.pdf").id)
    at.run()
    assert "changes of the documents" in at.warning[0].value


def test_marks_of_the_board(deal: Workspace) -> None:
    found = deal.compare(ASKED[0], ("bm25",), 3)
    first = found.rankings[0].ids[0]
    assert board.content(deal, found, {}, {first: 2, "elsewhere": 1})["marks"] == {first: 2}


def test_a_mark_made_while_the_screen_is_being_drawn_redraws_all_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def rerun(scope: str = "app") -> None:
        asked.append(scope)
        if scope == "fragment":
            raise StreamlitAPIException("only during fragment reruns")

    monkeypatch.setattr(frame.st, "rerun", rerun)
    frame.redraw()
    assert asked == ["fragment", "app"]


def test_only_questions_whose_documents_are_here_are_offered(deal: Workspace) -> None:
    assert sample.answerable(deal.documents()) == ("", 0)


def test_at_most_one_run_of_a_kind(tmp_path: Path) -> None:
    runs, gate, begun = LabRuns(), threading.Event(), []

    def begin() -> BackgroundRun:
        begun.append(1)
        return BackgroundRun(lambda progress, cancelled: gate.wait(20))

    runs.start(tmp_path, "scale", begin)
    runs.start(tmp_path, "scale", begin, "later")
    assert len(begun) == 1 and runs.following(tmp_path, "scale").running
    runs.cancel(tmp_path, "scale")
    runs.dismiss(tmp_path, "scale")
    assert runs.following(tmp_path, "scale").cancelling  # what runs is not forgotten
    assert runs.following(tmp_path, "evaluation") is None
    gate.set()
    while runs.following(tmp_path, "scale").running:
        time.sleep(0.01)
    runs.dismiss(tmp_path, "scale")
    assert runs.following(tmp_path, "scale") is None


def test_figures_in_words() -> None:
    assert bench.value(0.824, "HR@5") == "82 %" and bench.value(0.824, "MRR") == "0.824"
    assert bench.signed(-0.14, "HR@5") == "−14" and bench.signed(0.001, "Recall@5") == "0"
    assert bench.signed(0.0141, "nDCG@10") == "+0.014"
    assert bench.meaning("HR@5", "page") == "finds at least one right page in the top 5"


def test_the_sample_file_is_of_the_lines_that_can_be_answered() -> None:
    names = [path.name for path in sample.files()]
    if not names:
        pytest.skip("the sample documents have not been made")
    text, number = sample.answerable([SimpleNamespace(name=name) for name in names])
    lines = [json.loads(line) for line in text.splitlines()]
    assert number == len(lines) > 0
    text, fewer = sample.answerable([SimpleNamespace(name=name) for name in names[:3]])
    assert 0 < fewer < number
    assert {place["document"] for line in text.splitlines() for place in json.loads(line)["gold"]} <= set(
        names[:3]
    )
