"""From the upload of two real 10-Ks to an opened page with the evidence highlighted."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pymupdf
from PIL import Image
from playwright.sync_api import Page, expect

from aethel_core.workspace import Workspace

QUESTION = "What were Netflix's total revenues in 2017?"
READING = 400_000  # milliseconds: two filings of 70 pages on a busy machine


def shortest(filings: Path, number: int) -> list[Path]:
    """The 10-Ks with the fewest pages."""
    listed = map(json.loads, (filings / "documents.jsonl").read_text("utf-8").splitlines())
    paths = [filings / "pdfs" / item["document"] for item in listed if item["type"] == "10k"]

    def pages(path: Path) -> int:
        with pymupdf.open(path) as document:
            return document.page_count

    return sorted(paths, key=lambda path: (pages(path), path.name))[:number]


def test_two_filings_to_a_highlighted_page(
    serve: Callable[..., str], page: Page, tmp_path: Path, shared_data: Path
) -> None:
    address = serve(tmp_path, models=True)
    page.goto(f"{address}/library")
    files = shortest(shared_data / "financebench", 2)
    page.locator("input[type=file]").first.set_input_files(files)
    expect(page.get_by_text("Vectors", exact=True)).to_be_visible()
    expect(page.get_by_text("2 added")).to_be_visible(timeout=READING)

    page.get_by_role("link", name="Compare").click()
    question = page.get_by_role("textbox", name="Question")
    question.fill(QUESTION)
    question.press("Enter")
    first = page.locator(".column[data-retriever=hybrid] .hit").first
    expect(first).to_be_visible()
    expect(first.locator(".citation")).to_contain_text("10-K")
    assert "q=What" in page.url and "ws=" in page.url

    passage_id = first.get_attribute("data-passage")
    first.locator(".citation").click()
    image = page.get_by_role("img", name="Page")
    expect(image).to_be_visible()
    with Workspace.open(tmp_path / "My first deal", create=False) as workspace:
        passage = workspace.passage(passage_id)
        width = workspace.page(passage.document_id, passage.page).width
    shown = Image.open(io.BytesIO(base64.b64decode(image.get_attribute("src").split(",", 1)[1]))).convert(
        "RGB"
    )
    rect, scale = passage.rects[0], shown.width / width
    inside = shown.crop(tuple(int(scale * side) for side in (rect.x0, rect.y0, rect.x1, rect.y1)))
    red_over_blue = np.asarray(inside, dtype=int)[..., 0] - np.asarray(inside, dtype=int)[..., 2]
    assert (red_over_blue > 30).mean() > 0.5
    expect(page.get_by_text("The passage as it was read")).to_be_visible()
