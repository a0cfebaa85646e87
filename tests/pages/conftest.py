"""A small deal for the screens: real ingest and storage, stand-ins for the models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from aethel_core import config
from aethel_core.types import DocumentType, Metadata, Period
from aethel_core.workspace import Source, Workspace, facade
from tests.standins import HashEmbedder, RegexNames, letter, pdf

ROOT = Path(__file__).resolve().parents[2]
DEAL = "Deal"
HOSTILE = "A*B* <b>$1$</b> [x](http://example.com) :red[y]"


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one workspace of three letters; do not change it."""
    folder = tmp_path_factory.mktemp("data")
    fill(folder / DEAL)
    return folder


@pytest.fixture
def own_data_dir(tmp_path: Path) -> Path:
    """The same for one test to change."""
    fill(tmp_path / DEAL)
    return tmp_path


def fill(path: Path) -> None:
    sources = [
        Source("north-q1.pdf", letter("North River Fund IV", 1)),
        Source("north-q2.pdf", letter("North River Fund IV", 2, "The fund sold Quillon Data.")),
        Source("hostile.pdf", pdf(f"{HOSTILE}\n\nUnfunded commitments of the fund are $303.8 million.")),
    ]
    fund = Metadata("North River Fund IV, L.P.", Period(2023, 1), DocumentType.LP_LETTER)
    with Workspace.open(path, embedder=HashEmbedder(), names=RegexNames()) as made:
        made.ingest(sources)
        told = {
            "north-q1.pdf": fund,
            "north-q2.pdf": replace(fund, period=Period(2023, 2)),
            "hostile.pdf": Metadata(HOSTILE, Period(2022)),
        }
        for name, metadata in told.items():
            made.update_document(made.document(name).id, metadata)


@pytest.fixture
def deal(data_dir: Path) -> Iterator[Workspace]:
    with Workspace.open(data_dir / DEAL, embedder=HashEmbedder(), names=RegexNames()) as opened:
        yield opened


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., AppTest]]:
    """Open the app at a screen, as a browser with that address would."""
    monkeypatch.setattr(facade.embedding, "load", lambda settings: HashEmbedder())
    monkeypatch.chdir(ROOT)

    def at(data: Path, screen: str = "", **query: str) -> AppTest:
        monkeypatch.setenv("AETHEL_DATA_DIR", str(data))
        config.settings.cache_clear()
        test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        for name, value in query.items():
            test.query_params[name] = value
        if screen:
            test.switch_page(f"pages/{screen}.py")
        return test.run()

    st.cache_resource.clear()
    yield at
    st.cache_resource.clear()
    config.settings.cache_clear()
