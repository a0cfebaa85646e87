"""Every screen by itself: it comes up, says what it should, and does what its controls say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from aethel_core.types import DocumentType, Metadata, Period
from aethel_core.workspace import Workspace, workspaces
from pages._ui import work
from tests.pages.conftest import DEAL, HOSTILE
from tests.standins import HashEmbedder, RegexNames

Open = Callable[..., AppTest]
SCREENS = ("home", "library", "compare", "settings")


def said(at: AppTest) -> str:
    return "\n".join(str(element.proto) for element in at.get("html"))


def board(at: AppTest) -> dict:
    found = [element.proto for element in at.get("bidi_component") if element.key == "board"]
    return json.loads(found[0].json)


def button(at: AppTest, label: str):
    return next(button for button in at.button if button.label == label)


def reopened(data: Path) -> Workspace:
    return Workspace.open(data / DEAL, embedder=HashEmbedder(), names=RegexNames())


@pytest.mark.parametrize("screen", SCREENS)
def test_comes_up_empty(app: Open, tmp_path: Path, screen: str) -> None:
    at = app(tmp_path, screen)
    assert not at.exception and not at.error
    assert "0 documents · 0 pages · 0 passages" in said(at)
    assert [info.name for info in workspaces(tmp_path)] == ["My first deal"]


@pytest.mark.parametrize("screen", SCREENS)
def test_comes_up_with_documents(app: Open, data_dir: Path, screen: str) -> None:
    at = app(data_dir, screen)
    assert not at.exception and not at.error
    assert "3 documents · 5 pages" in said(at)


def test_the_link_is_the_view(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "compare", q="unfunded commitments", r="bm25,tfidf", k="5", year="2023", kind="prose")
    assert at.text_input(key="question").value == "unfunded commitments"
    assert [column["name"] for column in board(at)["columns"]] == ["bm25", "tfidf"]
    assert at.multiselect(key="filter.years").value == [2023]
    assert all(len(column["hits"]) <= 5 for column in board(at)["columns"])
    assert at.query_params["ws"] in (DEAL, [DEAL])


def test_an_unknown_workspace_in_a_link_is_said(app: Open, data_dir: Path) -> None:
    at = app(data_dir, ws="gone")
    assert "gone" in at.warning[0].value and not at.exception


def test_filters_narrow_the_answer(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "compare", q="unfunded commitments", r="bm25")
    everything = {hit["id"] for hit in board(at)["columns"][0]["hits"]}
    at.multiselect(key="filter.years").set_value([2022]).run()
    narrowed = {hit["id"] for hit in board(at)["columns"][0]["hits"]}
    assert narrowed and narrowed < everything
    button(at, "Clear filters").click().run()
    assert {hit["id"] for hit in board(at)["columns"][0]["hits"]} == everything


def test_asking_is_remembered_and_survives_moving(app: Open, own_data_dir: Path) -> None:
    at = app(own_data_dir, "compare")
    at.text_input(key="question").set_value("  Who   sold Quillon? ")
    button(at, "Ask").click().run()
    assert board(at)["columns"]
    with reopened(own_data_dir) as deal:
        assert [entry.question for entry in deal.history()] == ["Who sold Quillon?"]
    at.switch_page("pages/home.py").run()
    assert any(button.label.startswith("Who sold Quillon") for button in at.button)
    at.switch_page("pages/compare.py").run()
    assert at.text_input(key="question").value == "Who sold Quillon?"


def test_a_question_without_words_is_answered_in_words(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "compare", q="???", r="bm25")
    assert not at.exception
    assert at.error or at.info


def test_no_retriever_chosen(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "compare", q="fund", r="nonesuch")
    assert "at least one retriever" in at.info[0].value


def test_names_are_shown_letter_by_letter(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "compare", q="$303.8 million <b>x</b>", r="bm25")
    hits = board(at)["columns"][0]["hits"]
    assert any(HOSTILE in hit["citation"][0] for hit in hits)
    home = app(data_dir)
    assert HOSTILE not in said(home) and "A*B* &lt;b&gt;$1$&lt;/b&gt;" in said(home)


def test_a_document_is_shown_page_by_page(app: Open, data_dir: Path) -> None:
    with reopened(data_dir) as deal:
        document = deal.document("north-q1.pdf")
    at = app(data_dir, "library", read=document.id, p="2")
    assert not at.exception
    assert "Outlook" in said(at) and at.number_input(key="reading.page").value == 2
    button(at, "Previous page").click().run()
    assert "Dear Limited Partners" in said(at)
    button(at, "Back to all documents").click().run()
    assert at.title[0].value == "Library"


def test_corrections_keep_what_was_not_touched() -> None:
    before = Metadata("Old", Period(2021, 3, "2021-09-30"), DocumentType.TEN_Q, "Title", "OLD", ("O",))
    after = work.corrected(before, {"Company": " New ", "FY": 2022})
    assert after == Metadata("New", Period(2022, 3, "2021-09-30"), DocumentType.TEN_Q, "Title", "OLD", ("O",))
    assert work.corrected(before, {"Quarter": None, "Type": "10-K"}).period == Period(
        2021, None, "2021-09-30"
    )


def test_defaults_and_parameters_are_kept(app: Open, own_data_dir: Path) -> None:
    at = app(own_data_dir, "settings")
    at.multiselect(key="default.retrievers").set_value(["bm25"])
    button(at, "Save defaults").click().run()
    at.number_input(key="set.bm25_k1").set_value(2.0)
    button(at, "Save parameters").click().run()
    assert not at.exception and not at.error
    with reopened(own_data_dir) as deal:
        assert deal.setting("retrievers") == ["bm25"] and deal.parameters().bm25_k1 == 2.0
    at.switch_page("pages/compare.py").run()
    at.text_input(key="question").set_value("fund")
    button(at, "Ask").click().run()
    assert [column["name"] for column in board(at)["columns"]] == ["bm25"]


def test_workspaces_are_made_and_renamed(app: Open, own_data_dir: Path) -> None:
    at = app(own_data_dir, "settings")
    at.text_input(key="new_workspace_name").set_value("Second")
    button(at, "Create").click().run()
    assert at.selectbox(key="workspace").value == "Second"
    at.text_input(key="rename").set_value("a/b")
    button(at, "Rename").click().run()
    assert "cannot contain" in at.error[0].value
    at.text_input(key="rename").set_value("Third")
    button(at, "Rename").click().run()
    assert not at.exception and at.selectbox(key="workspace").value == "Third"
    assert [info.name for info in workspaces(own_data_dir)] == [DEAL, "Third"]


def test_nothing_leaves_by_default(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "settings")
    assert "Nothing. Documents, questions and results stay here" in said(at)
