"""The chips under the question and the switches of the pipeline: shown, turned, part of the link."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import DEAL

ASKED = {"ws": DEAL, "q": "Unfunded commitments of North River Fund IV in FY2023?", "r": "cascade,bm25"}
App = Callable[..., AppTest]


def pills(app: AppTest, label: str):
    return next(group for group in app.button_group if group.label == label)


def toggle(app: AppTest, label: str):
    return next(toggle for toggle in app.toggle if toggle.label == label)


def opened(app: AppTest) -> AppTest:
    """With the pipeline unfolded."""
    app.session_state["pipeline.open"] = True
    return app.run()


def test_what_was_read_is_shown_and_on(app: App, data_dir: Path) -> None:
    at = app(data_dir, "compare", **ASKED)
    assert not at.exception
    read = pills(at, "Read from the question")
    assert "period:fy2023" in read.value
    assert any(option.startswith("company: North River Fund IV") for option in read.options)


def test_a_chip_switched_off_stays_off_and_is_in_the_link(app: App, data_dir: Path) -> None:
    at = app(data_dir, "compare", **ASKED)
    read = pills(at, "Read from the question")
    kept = [value for value in read.value if value != "period:fy2023"]
    read.set_value(kept)
    at.run()
    assert not at.exception
    assert pills(at, "Read from the question").value == kept
    assert at.query_params["off"] == "period:fy2023"
    again = app(data_dir, "compare", **ASKED, off="period:fy2023")
    assert pills(again, "Read from the question").value == kept
    again.text_input[0].set_value("Unfunded commitments in FY2023?")
    next(button for button in again.button if button.label == "Ask").click().run()
    assert "period:fy2023" in pills(again, "Read from the question").value


def test_a_spare_chip_is_added(app: App, data_dir: Path) -> None:
    at = app(data_dir, "compare", **ASKED)
    spare = pills(at, "Words to search for, too")
    chip = next(option for option in spare.options if option.startswith("keyword"))
    spare.set_value([spare.options[spare.options.index(chip)]])
    at.run()
    assert not at.exception
    assert chip in pills(at, "Read from the question").options


def test_the_stages_are_told_with_their_time(app: App, data_dir: Path) -> None:
    at = app(data_dir, "compare", **ASKED)
    (line,) = [caption.value for caption in at.caption if caption.value.startswith("Cascade")]
    assert "learned ranker" in line
    assert " ms" in line or " s" in line


def test_only_what_was_read(app: App, data_dir: Path) -> None:
    at = app(data_dir, "compare", **ASKED)
    toggle(at, "Only these documents").set_value(True)
    at.run()
    assert not at.exception
    assert at.query_params["only"] == "1"


def test_parts_are_switched_and_tell_what_they_do(app: App, data_dir: Path) -> None:
    at = opened(app(data_dir, "compare", **ASKED))
    assert not at.exception
    labels = [toggle.label for toggle in at.toggle]
    assert {"Spelling", "Paraphrases", "Hypothetical passage", "Summaries", "Stage 1", "Stage 2"} <= set(
        labels
    )
    assert not any("by " in box.label for box in at.checkbox)  # no model is set
    toggle(at, "Keywords").set_value(True)
    opened(at)  # what a browser would do by itself
    toggle(at, "Stage 2").set_value(False)
    at.run()
    assert not at.exception
    assert at.query_params["turn"] == "keywords,stage 2"
    (line,) = [caption.value for caption in at.caption if caption.value.startswith("Cascade")]
    assert line.count("→") == 1  # one stage is left
    assert any(option.startswith("keyword") for option in pills(at, "Read from the question").options)
