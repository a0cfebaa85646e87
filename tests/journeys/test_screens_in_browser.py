"""What only a browser shows: deep links, keys, hostile text, the drawer, the work panel."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from aethel_core.workspace import Workspace
from tests.pages.conftest import DEAL, HOSTILE, fill
from tests.standins import letter, pdf

ASKED = "compare?q=unfunded+commitments&r=bm25,dense,rrf"
SCREENS = ("Home", "Library", "Compare", "Evidence", "Evaluate", "Settings")


@pytest.fixture(scope="module")
def address(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    data = tmp_path_factory.mktemp("data")
    fill(data / DEAL)
    return serve(data, models=False)


@pytest.fixture
def asked(address: str, page: Page) -> Iterator[Page]:
    page.goto(f"{address}/{ASKED}")
    expect(page.locator(".hit").first).to_be_visible()
    yield page


@pytest.mark.parametrize("screen", ["library", "compare", "settings"])
def test_a_deep_link_on_a_fresh_server_has_the_whole_frame(
    serve: Callable[..., str], page: Page, tmp_path: Path, screen: str
) -> None:
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    address = serve(tmp_path, models=False)
    page.goto(f"{address}/{screen}?q=net+debt")
    for name in SCREENS:
        expect(page.get_by_role("link", name=name)).to_be_visible()
    expect(page.get_by_text("0 documents · 0 pages · 0 passages")).to_be_visible()
    expect(page).to_have_url(re.compile(f"/{screen}.*q=net"))
    page.wait_for_timeout(1000)
    elsewhere = [
        url for url in asked_for if not url.startswith((address, address.replace("http", "ws"), "data:"))
    ]
    assert not elsewhere


def test_every_screen_is_one_click_away_and_keeps_the_question(asked: Page) -> None:
    for name in ("Library", "Settings", "Home", "Compare"):
        asked.get_by_role("link", name=name).click()
        expect(asked).to_have_url(re.compile("q=unfunded"))
    expect(asked.locator(".hit").first).to_be_visible()


def test_chips_and_switches_go_along_and_into_the_link(address: str, page: Page, browser: Browser) -> None:
    page.goto(f"{address}/compare?q=unfunded+commitments+of+North+River+Fund+IV+in+FY2023&r=cascade,bm25")
    expect(page.locator(".hit").first).to_be_visible()
    page.get_by_role("button", name="period: FY2023").click()
    expect(page).to_have_url(re.compile("off=period%3Afy2023"))
    page.get_by_text("Pipeline: what each part does").click()
    page.get_by_text("Keywords", exact=True).click()
    expect(page).to_have_url(re.compile("turn=keywords"))
    expect(page.get_by_role("button", name="keyword: unfunded")).to_be_visible()
    page.get_by_text("Stage 2", exact=True).click()  # the parts are still unfolded
    expect(page).to_have_url(re.compile("turn=keywords%2Cstage"))
    page.get_by_role("link", name="Evidence").click()
    expect(page.get_by_text("As it is asked in Compare, with its chips and switches")).to_be_visible()
    page.get_by_role("link", name="Compare").click()
    expect(page).to_have_url(re.compile("off=period%3Afy2023"))
    shared = browser.new_page()
    shared.goto(page.url)
    expect(shared.get_by_role("button", name="keyword: unfunded")).to_be_visible()
    expect(shared.get_by_text("fast learned ranker")).to_be_visible()  # stage 1 of the cascade's line
    expect(shared.get_by_text(re.compile(r"Cascade:.* → .* → "))).to_have_count(0)
    shared.close()


def test_hostile_names_stay_text(address: str, page: Page) -> None:
    for path in (
        "",
        "library",
        f"compare?q={HOSTILE.replace(' ', '+').replace('<', '%3C')}&r=bm25",
        "settings",
    ):
        page.goto(f"{address}/{path}")
        expect(page.locator(".ae-corpus")).to_contain_text("3 documents")
        page.wait_for_timeout(800)
        main = page.get_by_test_id("stMain")
        assert main.locator("a[href*='example.com']").count() == 0
        assert main.locator("b:has-text('$1$')").count() == 0
        assert main.locator(".katex").count() == 0


def test_the_same_passage_lights_up_in_every_column(asked: Page) -> None:
    hit = asked.locator(".column[data-retriever=rrf] .hit").first
    passage = hit.get_attribute("data-passage")
    hit.hover()
    same = asked.locator(f".hit[data-passage='{passage}']")
    assert same.count() >= 2
    for number in range(same.count()):
        expect(same.nth(number)).to_have_class(re.compile("echo"))


def test_why_opens_in_place_and_closes(asked: Page) -> None:
    column = asked.locator(".column[data-retriever=bm25]")
    column.get_by_role("button", name="Why").first.click()
    expect(column.get_by_text("What each word added to the score")).to_be_visible()
    expect(column.locator(".why-row").first).to_contain_text("in the")
    column.get_by_role("button", name="Hide why").click()
    expect(column.locator(".why")).to_have_count(0)


def test_keys(asked: Page) -> None:
    asked.mouse.click(700, 5)
    asked.keyboard.press("j")
    expect(asked.locator(".hit").first).to_be_focused()
    asked.keyboard.press("j")
    expect(asked.locator(".hit").nth(1)).to_be_focused()
    asked.keyboard.press("k")
    asked.keyboard.press("w")
    expect(asked.locator(".why").first).to_be_visible()
    expect(asked.locator(".hit").first).to_be_focused()
    asked.keyboard.press("Enter")
    image = asked.get_by_role("img", name="Page")
    expect(image).to_be_visible()
    expect(asked.get_by_text("The passage as it was read")).to_be_visible()
    second = asked.get_by_text(re.compile(r"^2 of \d"))
    for _ in range(5):  # a key pressed while the drawer still slides in is not heard
        asked.keyboard.press("j")
        asked.wait_for_timeout(2000)
        if second.count():
            break
    expect(second).to_be_visible()
    asked.keyboard.press("Escape")
    expect(image).to_have_count(0)
    asked.keyboard.press("/")
    expect(asked.get_by_role("textbox", name="Question")).to_be_focused()
    asked.keyboard.type("1")
    expect(asked.locator(".column")).to_have_count(3)
    asked.keyboard.press("Escape")
    asked.locator(".hit .rank").first.click()
    asked.keyboard.press("1")
    expect(asked.locator(".column")).to_have_count(4)


def test_the_drawer_turns_pages_and_zooms(asked: Page) -> None:
    asked.locator(".hit", has_text="North River").locator(".citation").first.click()
    image = asked.get_by_role("img", name="Page")
    expect(image).to_be_visible()
    shown = image.get_attribute("alt")
    way = "Next page" if "Page 1 " in shown else "Previous page"
    asked.get_by_role("button", name=way).click()
    expect(asked.get_by_role("img", name="Page")).not_to_have_attribute("alt", shown)
    expect(asked.get_by_role("button", name="Back to p.")).to_be_visible()
    before = asked.get_by_role("img", name="Page").bounding_box()["width"]
    asked.get_by_role("button", name="200 %").click()
    assert asked.get_by_role("img", name="Page").bounding_box()["width"] > before


def test_movement_and_downloads(asked: Page) -> None:
    with asked.expect_download() as waiting:
        asked.get_by_role("button", name="XLSX").click()
    assert waiting.value.suggested_filename.endswith(".xlsx")
    asked.get_by_text("Rank movement").click()
    expect(asked.locator(".js-plotly-plot")).to_be_visible()


def test_a_filter_goes_into_the_link_and_back_out_of_it(asked: Page, browser: Browser) -> None:
    asked.get_by_role("radio", name="Tables").or_(asked.get_by_text("Tables", exact=True)).first.click()
    expect(asked).to_have_url(re.compile("kind=table"))
    other = browser.new_context().new_page()
    other.goto(asked.url)
    expect(other.get_by_text("Filters · 1 active")).to_be_visible()
    other.get_by_role("button", name="Clear filters", exact=True).click()
    expect(other.locator(".hit").first).to_be_visible()
    assert "kind=" not in other.url
    other.context.close()


def test_a_mixed_batch_is_read_and_told_file_by_file(address: str, page: Page, tmp_path: Path) -> None:
    files = {
        "new.pdf": letter("Calder Growth Fund", 3),
        "again.pdf": letter("North River Fund IV", 1),
        "empty.pdf": b"",
        "words.pdf": b"hello, not a PDF",
        "locked.pdf": pdf("The net asset value is secret.", password="sesame"),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    page.goto(f"{address}/library?ws={DEAL}")
    page.get_by_text("Add documents").click()
    page.locator("input[type=file]").first.set_input_files([tmp_path / name for name in files])
    summary = page.locator(".st-key-ae-work")
    expect(
        summary.get_by_text("1 added, 1 already here, 2 could not be read, 1 waiting for a password")
    ).to_be_visible()
    expect(summary.locator("table")).to_have_count(1)  # the queue gives way to the summary
    for name in ("again.pdf", "empty.pdf", "words.pdf", "locked.pdf"):
        expect(summary.get_by_role("cell", name=name, exact=True)).to_be_visible()

    page.get_by_role("textbox", name="Password").fill("wrong")
    page.get_by_role("button", name="Unlock").click()
    expect(summary.get_by_text("1 waiting for a password ·")).to_be_visible()
    expect(summary.get_by_text("wrong")).to_be_visible()
    page.get_by_role("textbox", name="Password").fill("sesame")
    page.get_by_role("button", name="Unlock").click()
    expect(summary.get_by_text(re.compile("^1 added ·"))).to_be_visible()
    expect(page.locator(".ae-corpus")).to_contain_text("5 documents")


def cell(page: Page, row: int, x: int) -> tuple[float, float]:
    """Where a cell of the document table is on screen; it is drawn on a canvas."""
    table = page.get_by_test_id("stDataFrame").bounding_box()
    return table["x"] + x, table["y"] + 32 * (row + 1) + 16


def test_documents_are_corrected_in_place_and_deleted(
    serve: Callable[..., str], page: Page, tmp_path: Path
) -> None:
    fill(tmp_path / DEAL)
    page.goto(f"{serve(tmp_path, models=False)}/library")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    page.wait_for_timeout(1500)
    page.mouse.dblclick(*cell(page, 0, 330))
    page.wait_for_timeout(1500)
    page.keyboard.press("Control+a")
    page.keyboard.type("Calder Fund II", delay=40)
    page.wait_for_timeout(500)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Updating finished")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    with Workspace.open(tmp_path / DEAL, create=False) as deal:
        corrected = deal.documents()[0]
        assert corrected.metadata.company == "Calder Fund II" and corrected.edited

    page.wait_for_timeout(1500)
    page.mouse.click(*cell(page, 0, 18))
    expect(page.get_by_text("1 of 3 selected")).to_be_visible()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete 1 document").click()
    expect(page.locator(".ae-corpus")).to_contain_text("2 documents")
    with Workspace.open(tmp_path / DEAL, create=False) as deal:
        assert corrected.id not in {document.id for document in deal.documents()}


def test_a_backup_can_be_restored(serve: Callable[..., str], page: Page, tmp_path: Path) -> None:
    fill(tmp_path / DEAL)
    page.goto(f"{serve(tmp_path, models=False)}/settings")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download a backup").click()
    kept = tmp_path / "kept.aethel"
    waiting.value.save_as(kept)
    page.get_by_role("textbox", name="Name of the workspace to make of it").fill("Deal again")
    page.locator("input[type=file]").set_input_files(kept)
    expect(page.get_by_text("kept.aethel")).to_be_visible()
    page.get_by_role("button", name="Restore", exact=True).click()
    expect(page.get_by_text("Deal again is kept in")).to_be_visible()
    expect(page.locator(".ae-corpus")).to_contain_text("3 documents")
