"""Memo: from the scope to the draft, and nothing lost on the way."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from aethel_core.workspace import Workspace
from aethel_core.workspace.memos import FORMATS, MemoDesk
from tests.chat_server import Reply, chat_server
from tests.pages.conftest import DEAL
from tests.standins import HashEmbedder, RegexNames

Open = Callable[..., AppTest]


def said(at: AppTest) -> str:
    return "\n".join(str(element.proto) for element in at.get("html"))


def button(at: AppTest, label: str):
    return next(button for button in at.button if button.label.startswith(label))


def desk(data: Path) -> MemoDesk:
    return MemoDesk(Workspace.open(data / DEAL, embedder=HashEmbedder(), names=RegexNames()))


def finished(at: AppTest) -> AppTest:
    """Run the specialists, and come back until the memo is there."""
    button(at, "Run the specialists").click().run()
    for _ in range(100):
        if "findings accepted" in said(at):
            return at
        time.sleep(0.1)
        at.run()
    raise AssertionError(said(at))


def go(at: AppTest, view: str) -> AppTest:
    return at.segmented_control(key="memo.view.choice").set_value(view).run()


@pytest.fixture
def written(app: Open, own_data_dir: Path) -> AppTest:
    return finished(app(own_data_dir, "memo"))


def test_without_documents_it_says_what_to_do(app: Open, tmp_path: Path) -> None:
    at = app(tmp_path, "memo")
    assert not at.exception and not at.error
    assert "nothing to write about" in said(at) and button(at, "Go to the Library")


def test_the_filters_narrow_what_is_read(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "memo")
    assert any("Reads all 3 documents" in caption.value for caption in at.caption)
    at = app(data_dir, "memo", year="2022")
    assert any("Reads 1 of 3 documents" in caption.value for caption in at.caption)
    assert not at.exception and not at.error


def test_a_run_is_kept_with_its_findings_beside_their_evidence(written: AppTest, own_data_dir: Path) -> None:
    assert not written.exception and not written.error
    assert desk(own_data_dir).names() == (DEAL,)
    memo = desk(own_data_dir).current(DEAL)
    assert memo.findings and memo.open_questions
    assert "The audit finds it in the passage" in said(written)
    shown = go(written, "Open questions")
    assert memo.open_questions[0].text in said(shown) and not shown.exception


def test_the_draft_follows_the_findings_until_it_is_edited(written: AppTest, own_data_dir: Path) -> None:
    before = desk(own_data_dir).current(DEAL)
    toggle = written.toggle[0]
    finding = toggle.key.removeprefix("memo.accept.")
    claim = next(found.claim for found in before.findings if found.id == finding)
    toggle.set_value(False).run()
    after = desk(own_data_dir).current(DEAL)
    assert after.rejected == (finding,)
    assert all(claim not in section.body for section in after.sections)
    at = go(written, "Draft")
    at.text_area[0].set_value("- Mine.").run()
    at = go(at, "Findings")
    at.toggle(key=toggle.key).set_value(True).run()
    edited = desk(own_data_dir).current(DEAL)
    assert edited.rejected == () and edited.sections[0].body == "- Mine."
    button(at, "Draft from the accepted findings").click().run()
    assert not at.exception
    assert any(claim in section.body for section in desk(own_data_dir).current(DEAL).sections)
    assert len(desk(own_data_dir).versions(DEAL)) == 2  # the one that was edited stays


def test_an_edit_is_audited_saved_and_can_be_taken_back(
    written: AppTest, app: Open, own_data_dir: Path
) -> None:
    at = go(written, "Draft")
    original = at.text_area[0].value
    at.text_area[0].set_value("- The net asset value was $999 million. [1]").run()
    assert not at.exception and "1 flagged" in said(at)
    reopened = go(app(own_data_dir, "memo"), "Draft")
    assert reopened.text_area[0].value == "- The net asset value was $999 million. [1]"
    button(reopened, "Keep as a version").click().run()
    assert len(desk(own_data_dir).versions(DEAL)) == 2
    button(reopened, "Go back to version 1").click().run()
    assert reopened.text_area[0].value == original and not reopened.exception


def test_every_download_can_be_made(written: AppTest, own_data_dir: Path) -> None:
    for label in ("PDF", "DOCX", "Markdown", "XLSX"):
        button(written, label).click().run()
    saves = [element.proto.label.split(",")[0] for element in written.get("download_button")]
    assert saves == ["Save PDF", "Save DOCX", "Save Markdown", "Save XLSX"] and not written.exception
    written.toggle[0].set_value(False).run()
    assert not written.get("download_button")  # they would be of the memo as it was
    kept = desk(own_data_dir)
    memo = kept.current(DEAL)
    starts = {"pdf": b"%PDF", "docx": b"PK", "xlsx": b"PK", "md": b"#"}
    assert all(kept.export(memo, form).startswith(starts[form]) for form in FORMATS)


def test_compare_answers_or_says_that_the_documents_do_not(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "compare", q="What is the largest holding of North River Fund IV?")
    assert not at.exception and not at.error
    assert [element.key for element in at.get("bidi_component")].count("answer") == 1
    at = app(data_dir, "compare", q="Who audits the pension scheme in Luxembourg?")
    assert "Not found in these documents" in said(at) and not at.exception


def test_a_run_with_a_model_says_what_it_may_take_and_took(
    app: Open, own_data_dir: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AETHEL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("AETHEL_LLM_MODEL", "m")
    monkeypatch.setenv("AETHEL_LLM_PRICE_IN", "10")
    monkeypatch.setenv("AETHEL_LLM_BUDGET", "5000")
    with chat_server(Reply('{"findings": []}', usage=(900, 100))) as script:
        monkeypatch.setenv("AETHEL_LLM_BASE_URL", script.url)
        at = app(own_data_dir, "memo")
        assert at.number_input(key="memo.budget").value == 5000
        assert "cost at most" in said(at) and "more than the budget" in said(at)
        at = finished(at)
        told = next(c.value for c in at.caption if "The model took" in c.value).replace("\\", "")
        assert "tokens in" in told and "cost" in told and "The budget of 5,000 tokens was reached" in told
        asked = len(script.requests)
        assert 0 < asked <= 5
        at = go(at, "Draft")
        assert any(b.label.startswith("Let m check") for b in at.button) and not at.exception
