"""Run the specialists, leave a finding out, draft, and open a source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.pages.conftest import DEAL, fill


def test_run_accept_draft_and_open(serve: Callable[..., str], page: Page, tmp_path: Path) -> None:
    fill(tmp_path / DEAL)
    page.goto(f"{serve(tmp_path, models=False)}/memo")
    page.get_by_role("button", name="Run the specialists").click()
    expect(page.get_by_text("findings accepted")).to_be_visible()
    page.get_by_text("In the memo", exact=True).first.click()
    page.get_by_role("button", name="Draft from the accepted findings").click()
    citation = page.locator("button.cite").first
    expect(citation).to_be_visible()
    page.reload()
    page.get_by_text("Draft", exact=True).click()
    citation.click()
    expect(page.get_by_role("dialog").get_by_text("The passage as it was read")).to_be_visible()
