"""Evidence in a real browser: a path over two documents, a muted entity, a page opened from the graph;
and names that would run as scripts if they were not drawn as text."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from aethel_core.evidence import drawing
from aethel_core.types import DocumentType, Metadata, Period
from aethel_core.workspace import Source, Workspace, sources_from_paths
from tests.standins import HashEmbedder, RegexNames, pdf

ROOT = Path(__file__).resolve().parents[2]
DEAL = "Deal"
QUESTION = "Which law firm wrote about the company behind Project Kestrel?"
FILES = (
    "NorthRiver-IV-LP-Letter-2022-Q2.pdf",
    "Project-Kestrel-Credit-Agreement-Summary.pdf",
    "Project-Osprey-Credit-Agreement-Summary.pdf",
)
PAYLOAD = "<img src=x onerror=\"document.title='stolen'\">"
GRAPH = """(act) => {
  const search = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.aethelGraph) return node;
      const found = node.shadowRoot && search(node.shadowRoot);
      if (found) return found;
    }
  };
  const root = search(document);
  root.querySelector(".canvas").scrollIntoView({ block: "center" });
  const frame = root.querySelector(".canvas").getBoundingClientRect();
  const at = root.aethelGraph.place(act);
  return { x: frame.x + at.x, y: frame.y + at.y };
}"""


def opened(folder: Path) -> Workspace:
    return Workspace.open(folder / DEAL, embedder=HashEmbedder(), names=RegexNames())


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evidence")
    with opened(folder) as workspace:
        workspace.ingest(sources_from_paths([ROOT / "sample_docs" / name for name in FILES]))
    return folder


def ask(page: Page, address: str, question: str) -> None:
    page.goto(f"{address}/evidence?ws={DEAL}&r=ppr-ner&q={quote(question)}")
    expect(page.locator(".canvas canvas")).to_be_visible()
    expect(page.locator("article.hit").first).to_be_visible()


def order(page: Page) -> list[str]:
    return page.locator("article.hit").evaluate_all("hits => hits.map(hit => hit.dataset.passage)")


def view(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).or_(
        page.get_by_role("button", name=name, exact=True)
    ).first.click()


def test_a_path_over_two_documents_a_mute_and_the_page_behind_a_node(
    serve: Callable[..., str], page: Page, data: Path
) -> None:
    address = serve(data, models=False)
    ask(page, address, QUESTION)
    ways = page.locator(".path").evaluate_all(
        "paths => paths.map(p => [...p.querySelectorAll('.passage, .here')].map(s => s.dataset.id))"
    )
    assert any(len({passage.partition(":")[0] for passage in way}) > 1 for way in ways)
    before = order(page)

    view(page, "What if")
    expect(page.get_by_text("The ranking stays as it is.")).to_be_visible()
    page.get_by_role("button", name="Project Kestrel", exact=True).click()
    expect(page.get_by_text("The ranking stays as it is.")).to_be_hidden()
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_text("The ranking stays as it is.")).to_be_visible()

    view(page, "Paths")
    expect(page.locator("article.hit").first).to_be_visible()
    page.locator("article.hit").last.locator(".path .entity").first.click()
    muted = page.locator("[role=dialog] .ae-citation").first.inner_text()
    page.get_by_role("button", name="Mute in this workspace").click()
    expect(page.get_by_role("button", name="Muted in this workspace")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("[role=dialog]")).to_be_hidden()
    deadline = time.monotonic() + 60
    while order(page) == before and time.monotonic() < deadline:
        page.wait_for_timeout(200)
    assert order(page) != before
    with opened(data) as workspace:
        assert muted in {entity.name for entity in workspace.evidence.corrections().muted}

    target = order(page)[0]
    place = page.evaluate(GRAPH, target)
    page.mouse.click(place["x"], place["y"])
    assert_highlighted(page, data, target)


def test_a_why_in_compare_leads_to_the_paths_of_the_same_hit(
    serve: Callable[..., str], page: Page, data: Path
) -> None:
    page.goto(f"{serve(data, models=False)}/compare?ws={DEAL}&r=bm25,ppr-ner&k=20&q={quote(QUESTION)}")
    column = page.locator("section.column[data-retriever=ppr-ner]")
    card = column.locator("article.hit").nth(10)
    target = card.get_attribute("data-passage")
    card.get_by_role("button", name="Why", exact=True).click()
    card.get_by_role("button", name="See the paths to it in Evidence").click()
    chosen = page.locator("article.hit.chosen")
    expect(chosen).to_have_attribute("data-passage", target)
    expect(chosen).to_be_in_viewport()
    expect(page.get_by_role("textbox", name="Question")).to_have_value(QUESTION)
    assert order(page)[10] == target

    page.goto(page.url.replace("/evidence", "/compare"))
    first = page.locator("section.column[data-retriever=bm25] article.hit").first
    first.get_by_role("button", name="Why", exact=True).click()
    expect(first.locator(".why-row").first).to_be_visible()
    assert first.get_by_role("button", name="See the paths").count() == 0


def assert_highlighted(page: Page, data: Path, passage_id: str) -> None:
    """The drawer shows the passage's page, with yellow where the passage is and nowhere else."""
    image = page.get_by_role("img", name="Page")
    expect(image).to_be_visible()
    with opened(data) as workspace:
        passage = workspace.passage(passage_id)
        sheet = workspace.page(passage.document_id, passage.page)
        expect(page.locator("[role=dialog]")).to_contain_text(f"p. {passage.page}")
    data_url = image.get_attribute("src")
    shown = np.asarray(Image.open(io.BytesIO(base64.b64decode(data_url.split(",", 1)[1]))).convert("RGB"))
    scale = shown.shape[1] / sheet.width
    yellow = (shown[..., 2].astype(int) < 200) & (shown[..., 0] > 230) & (shown[..., 1] > 200)
    inside = np.zeros(yellow.shape, dtype=bool)
    for rect in passage.rects:
        inside[
            int(rect.y0 * scale) : int(rect.y1 * scale) + 1, int(rect.x0 * scale) : int(rect.x1 * scale) + 1
        ] = True
    assert yellow[inside].mean() > 0.4
    assert yellow[~inside].mean() < 0.01


def test_names_that_would_run_as_scripts_are_drawn_as_text(
    serve: Callable[..., str], page: Page, tmp_path: Path
) -> None:
    sheet = f"{PAYLOAD}\n\nTessel Works Inc. sold {PAYLOAD} to Ostrander Mutual Holding Inc. in Ohio."
    with opened(tmp_path) as workspace:
        workspace.ingest([Source(f"{PAYLOAD}.pdf", pdf(sheet, sheet))])
        (document,) = workspace.documents()
        hostile = Metadata(PAYLOAD, Period(2022), DocumentType.OTHER, PAYLOAD, "", (PAYLOAD,))
        workspace.update_document(document.id, hostile)
    address = serve(tmp_path, models=False)
    ask(page, address, f"Tessel Works Inc. and {PAYLOAD}")
    expect(page.locator("article.hit").first).to_contain_text(PAYLOAD)
    target = order(page)[0]
    place = page.evaluate(GRAPH, target)
    page.mouse.move(place["x"], place["y"])
    expect(page.locator(".vis-tooltip")).to_contain_text("onerror")
    page.mouse.move(0, 0)
    for name in ("What if", "Two retrievers", "Entities", "Whole corpus"):
        view(page, name)
        page.wait_for_timeout(1500)
    assert page.title() != "stolen"
    assert page.locator("img[src=x]").count() == 0


def test_the_exported_page_works_without_a_network(browser: Browser, data: Path, tmp_path: Path) -> None:
    with opened(data) as workspace:
        traced = workspace.evidence.trace(QUESTION, "ppr-ner", 5)
    exported = tmp_path / "graph.html"
    exported.write_bytes(drawing.as_html(traced.figure, heading=PAYLOAD, about=PAYLOAD))
    context = browser.new_context(offline=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    page.goto(exported.as_uri())
    expect(page.locator("#graph canvas")).to_be_visible()
    page.locator("#find").fill("osprey")
    expect(page.locator("#found")).to_contain_text("found")
    assert page.locator("tbody tr").count() == len(traced.figure.strokes)
    assert page.title() == PAYLOAD and not complaints
    context.close()
