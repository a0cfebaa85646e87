"""The chips under the question: shown, switched off, and what the cascade's stages took."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import DEAL

ASKED = {"ws": DEAL, "q": "Unfunded commitments of North River Fund IV in FY2023?", "r": "cascade,bm25"}
App = Callable[..., AppTest]


def pills(app: AppTest, label: str):
    return next(group for group in app.button_group if group.label == label)


def test_what_was_read_is_shown_and_on(app: App, data_dir: Path) -> None:
    at = app(data_dir, "compare", **ASKED)
    assert not at.exception
    read = pills(at, "Read from the question")
    assert "period:fy2023" in read.value
    assert any(option.startswith("company: North River Fund IV") for option in read.options)


def test_a_chip_switched_off_stays_off(app: App, data_dir: Path) -> None:
    at = app(data_dir, "compare", **ASKED)
    read = pills(at, "Read from the question")
    kept = [value for value in read.value if value != "period:fy2023"]
    read.set_value(kept)
    at.run()
    assert not at.exception
    assert pills(at, "Read from the question").value == kept


def test_the_stages_are_told_with_their_time(app: App, data_dir: Path) -> None:
    at = app(data_dir, "compare", **ASKED)
    (line,) = [caption.value for caption in at.caption if caption.value.startswith("Cascade")]
    assert "learned ranker" in line
    assert " ms" in line or " s" in line


def test_only_what_was_read(app: App, data_dir: Path) -> None:
    at = app(data_dir, "compare", **ASKED)
    (only,) = [toggle for toggle in at.toggle if toggle.label == "Nothing else"]
    only.set_value(True)
    at.run()
    assert not at.exception
