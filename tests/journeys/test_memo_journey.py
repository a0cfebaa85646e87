"""From the upload to a PDF on disk: a finding of one's own among the specialists', and its pages opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
from playwright.sync_api import Page, expect

from tests.pages.conftest import DEAL, fill

SAMPLE = Path(__file__).resolve().parents[2] / "sample_docs"
FILES = ("NorthRiver-IV-LP-Letter-2022-Q3.pdf", "NorthRiver-IV-LP-Letter-2022-Q4.pdf")
MINE = "The fund can still call capital from its limited partners"
READING = 240_000  # milliseconds: two letters on a busy machine


def test_from_the_upload_to_a_pdf(serve: Callable[..., str], page: Page, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    page.goto(f"{serve(data, models=False)}/library")
    page.locator("input[type=file]").first.set_input_files([SAMPLE / name for name in FILES])
    expect(page.get_by_text("2 added")).to_be_visible(timeout=READING)

    page.get_by_role("link", name="Compare").click()
    question = page.get_by_role("textbox", name="Question")
    question.fill("What are the unfunded commitments of North River Fund IV?")
    question.press("Enter")
    page.locator(".hit .citation").first.click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("button", name="Add to memo").click()
    claim = drawer.get_by_label("The finding, in your words")
    claim.fill(f"{MINE}.")
    drawer.get_by_label("Title of the new memo").fill("Committee")
    drawer.get_by_role("button", name="Add the finding").click()
    expect(drawer.get_by_text("under “Your own findings”")).to_be_visible()
    drawer.get_by_role("button", name="Open the memo").click()
    expect(page.get_by_text("Your own findings 1")).to_be_visible()
    page.reload()
    expect(page.get_by_text(MINE).first).to_be_visible()

    # The page is opened and closed, and the download taken at once: the two must not meet badly.
    page.locator("[class*=st-key-memo-open] button").first.click()
    expect(drawer.get_by_text("The passage as it was read")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="PDF", exact=True).click()
    save = page.get_by_role("button", name="Save PDF")
    expect(save).to_be_visible()
    with page.expect_download() as download:
        save.click()
    target = tmp_path / download.value.suggested_filename
    download.value.save_as(target)
    with pymupdf.open(target) as saved:
        text = " ".join(" ".join(page.get_text() for page in saved).split())
    assert target.name == "Committee.pdf" and MINE in text and FILES[0].removesuffix(".pdf")[:14] in text


def test_run_accept_draft_and_open(serve: Callable[..., str], page: Page, tmp_path: Path) -> None:
    fill(tmp_path / DEAL)
    page.goto(f"{serve(tmp_path, models=False)}/memo")
    page.get_by_role("button", name="Run the specialists").click()
    expect(page.get_by_text("findings accepted")).to_be_visible()
    left_out = page.locator(".ae-claim").first.inner_text()
    page.get_by_text("In the memo", exact=True).first.click()
    expect(page.locator(".ae-out")).to_have_count(1)
    page.get_by_text("Draft", exact=True).click()
    citation = page.locator("button.cite").first
    expect(citation).to_be_visible()
    assert left_out not in "".join(area.input_value() for area in page.locator("textarea").all())
    page.reload()
    page.get_by_text("Draft", exact=True).click()
    citation.click()
    expect(page.get_by_role("dialog").get_by_text("The passage as it was read")).to_be_visible()
