"""Library in a real browser over the real core: a folder, a stop and its resumption, a new version."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from aethel_core.workspace import Workspace, create_workspace
from tests.standins import letter, pdf

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
Q3, AGAIN = "NorthRiver-IV-LP-Letter-2022-Q3.pdf", "NorthRiver-IV-LP-Letter-2022-Q3-reissued.pdf"
READING = 180_000  # milliseconds: the models load first, on a busy machine


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    for name in ("Folder", "Stopped", "Versions"):
        create_workspace(folder, name)
    return folder


@pytest.fixture(scope="module")
def address(serve: Callable[..., str], data: Path) -> str:
    return serve(data, models=True)


def library(page: Page, address: str, workspace: str) -> None:
    page.goto(f"{address}/library?ws={quote(workspace)}")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()


def names(data: Path, workspace: str) -> list[str]:
    with Workspace.open(data / workspace, create=False) as opened:
        return sorted(document.name for document in opened.documents())


def test_a_folder_with_everything_below_it(address: str, page: Page, data: Path, tmp_path: Path) -> None:
    deal = tmp_path / "deal"
    (deal / "letters" / "2023").mkdir(parents=True)
    (deal / "letters" / "2023" / "q1.pdf").write_bytes(letter("NorthRiver IV LP", 1))
    (deal / "letters" / "q4.pdf").write_bytes(letter("NorthRiver IV LP", 4, year=2022))
    (deal / "terms.pdf").write_bytes(pdf("Terms of the fund.\n\nManagement fees are two percent a year."))
    (deal / "notes.txt").write_text("not a document")
    library(page, address, "Folder")
    page.locator("input[type=file][webkitdirectory]").set_input_files(deal)
    expect(page.get_by_text("3 added")).to_be_visible(timeout=READING)
    assert [name.rpartition("/")[2] for name in names(data, "Folder")] == ["q1.pdf", "q4.pdf", "terms.pdf"]


def test_stopped_in_the_middle_and_taken_up_again(address: str, page: Page, data: Path) -> None:
    lines = "The fund holds Halden Logistics {n}, which borrowed {n} million from Meridian Bank. " * 20
    long = pdf(*(lines.replace("{n}", str(n)) for n in range(16)), title="Holdings of the fund")
    files = [
        {"name": name, "mimeType": "application/pdf", "buffer": data}
        for name, data in (
            ("a.pdf", letter("NorthRiver IV LP", 1)),
            ("b.pdf", long),
            ("c.pdf", letter("Calder Growth Fund LP", 2)),
        )
    ]
    library(page, address, "Stopped")
    page.locator("input[type=file]").first.set_input_files(files)
    expect(page.get_by_text("Reading 2 of 3 files")).to_be_visible(timeout=READING)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("2 files wait to be read")).to_be_visible(timeout=READING)
    assert names(data, "Stopped") == ["a.pdf"]
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("2 added")).to_be_visible(timeout=READING)
    expect(page.get_by_text("wait to be read")).to_be_hidden()
    assert names(data, "Stopped") == ["a.pdf", "b.pdf", "c.pdf"]


def test_of_a_letter_and_its_re_issue_one_is_kept(address: str, page: Page, data: Path) -> None:
    library(page, address, "Versions")
    page.locator("input[type=file]").first.set_input_files([SAMPLES / Q3, SAMPLES / AGAIN])
    expect(page.get_by_text(f"It looks like a newer version of {Q3}")).to_be_visible(timeout=READING)
    assert len(names(data, "Versions")) == 2
    page.get_by_role("button", name="Delete the other").click()
    expect(page.get_by_role("button", name="Delete the other")).to_be_hidden()
    assert names(data, "Versions") == [AGAIN]
    with Workspace.open(data / "Versions", create=False) as opened:
        (document,) = opened.documents()
        assert document.version_of == ""
        assert opened.search("net asset value", "bm25", 3).hits
