"""Label while reading, judge, evaluate, and read the verdict on four documents of the sample deal."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from aethel_core.workspace import Workspace, sources_from_paths
from tests.standins import HashEmbedder, RegexNames

SAMPLE = Path(__file__).resolve().parents[2] / "sample_docs"
DOCUMENTS = (
    "NorthRiver-IV-LP-Letter-2022-Q1.pdf",
    "NorthRiver-IV-LP-Letter-2022-Q2.pdf",
    "NorthRiver-IV-LP-Letter-2022-Q4.pdf",
    "Project-Osprey-Credit-Agreement-Summary.pdf",
)
QUESTION = "Who bought the majority of Quillon Data Services?"
WORKSPACE = "Sample deal"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    paths = [SAMPLE / name for name in DOCUMENTS]
    if not all(path.is_file() for path in paths):
        pytest.skip("the sample documents have not been made; run sample_docs/make_sample_docs.py")
    with Workspace.open(tmp_path / WORKSPACE, embedder=HashEmbedder(), names=RegexNames()) as made:
        made.ingest(sources_from_paths(paths))
    return tmp_path


def grades(data: Path) -> list[int]:
    """The marks on the question, as they are stored."""
    with Workspace.open(data / WORKSPACE, embedder=HashEmbedder(), names=RegexNames()) as opened:
        return sorted(label.grade for label in opened.labels() if label.question == QUESTION)


def test_label_evaluate_and_read_the_verdict(serve: Callable[..., str], page: Page, data: Path) -> None:
    address = serve(data, models=False)
    page.goto(f"{address}/compare?q={QUESTION.replace(' ', '+')}&r=bm25,dense")
    hit = page.locator(".column[data-retriever=bm25] .hit").first
    pressed = hit.get_by_role("button", name="relevant", exact=True)

    # A mark by click, taken back by key; then by key, and changed in the page drawer.
    pressed.click()
    expect(pressed).to_have_attribute("aria-pressed", "true")
    assert grades(data) == [2]
    hit.focus()
    page.keyboard.press("u")
    expect(pressed).to_have_attribute("aria-pressed", "false")
    assert grades(data) == []
    hit.focus()
    page.keyboard.press("r")
    expect(pressed).to_have_attribute("aria-pressed", "true")
    hit.locator(".citation").click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_role("radio", name="Relevant")).to_be_checked()
    drawer.get_by_role("radio", name="Partly").click()
    expect(drawer.get_by_role("radio", name="Partly")).to_be_checked()
    assert grades(data) == [1]
    page.keyboard.press("Escape")
    expect(hit.get_by_role("button", name="partly")).to_have_attribute("aria-pressed", "true")

    page.get_by_role("link", name="Evaluate").click()
    expect(
        page.get_by_text("question that can be measured").or_(page.get_by_text("questions that can be"))
    ).to_be_visible()
    page.get_by_role("radio", name="Judge").click()
    expect(page.get_by_text(re.compile("1 of .* judged by Analyst"))).to_be_visible()
    page.get_by_role("button", name="Not").click()
    expect(page.get_by_text(re.compile("2 of .* judged by Analyst"))).to_be_visible()
    assert grades(data) == [0, 1]

    page.get_by_role("radio", name="Labelled set").click()
    page.get_by_role("button", name=re.compile("Import the sample deal's")).click()
    expect(page.get_by_text(re.compile("Imported .* marks as Sample deal"))).to_be_visible()
    page.get_by_role("radio", name="Results").click()
    page.get_by_role("button", name=re.compile("^Evaluate")).click()
    verdict = page.locator(".ae-verdict")
    expect(verdict).to_contain_text(re.compile(r"On your \d+ questions .* the right page in the top 5"))
    expect(page.get_by_text("Head to head on HR@5")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(2)

    # What was measured outlives the browser, and says so when the marks move on.
    said = verdict.inner_text()
    page.reload()
    expect(verdict).to_have_text(said)
    page.get_by_role("radio", name="Judge").click()
    page.get_by_role("button", name="Relevant").click()
    expect(page.get_by_text(re.compile("3 of .* judged by Analyst"))).to_be_visible()
    page.get_by_role("radio", name="Results").click()
    expect(page.get_by_text(re.compile("Stale: .* the labelled set"))).to_be_visible()
