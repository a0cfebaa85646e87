"""Settings: what letting a model read takes, the go-ahead, and PPR-LLM on the screens afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import state
from tests.chat_server import Reply, Script, chat_server
from tests.pages.conftest import DEAL
from tests.workspace.test_extraction import read

Open = Callable[..., AppTest]
TITLE, PILL = "Names and facts for PPR-LLM", "► PPR\\-LLM"


def said(at: AppTest) -> str:
    return "\n".join(str(element.proto) for element in at.get("html"))


def button(at: AppTest, label: str):
    return next(button for button in at.button if button.label.startswith(label))


def use(monkeypatch: pytest.MonkeyPatch, script: Script, **more: str) -> None:
    given = {"LLM_MODEL": "reader", "LLM_BASE_URL": script.url, "LLM_PRICE_IN": "2", "LLM_PRICE_OUT": "10"}
    for name, value in (given | more).items():
        monkeypatch.setenv(f"AETHEL_{name}", value)


def finished(data: Path) -> None:
    for _ in range(400):
        now = state.lab_runs().following(data / DEAL, "extraction")
        if now is not None and not now.running:
            return
        time.sleep(0.05)
    raise AssertionError("the run does not end")


def test_without_a_model_it_is_not_on_the_screen(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "settings")
    assert not at.exception and TITLE not in [head.value for head in at.subheader]
    assert PILL not in app(data_dir, "compare").get("button_group")[0].options


def test_from_the_estimate_to_a_column_in_compare(
    app: Open, own_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with chat_server(Reply(read)) as script:
        use(monkeypatch, script)
        at = app(own_data_dir, "settings")
        assert TITLE in [head.value for head in at.subheader]
        assert "at the prices set" in said(at) and "every passage goes there" in said(at)
        button(at, "Let the model read").click().run()
        assert not at.exception and f"reader at {script.url}" in said(at) and not script.requests
        button(at, "Send ").click().run()
        assert not at.exception and not at.error
        finished(own_data_dir)
        at.run()
        assert "PPR-LLM covers" in at.success[0].value.replace("\\", "")
        assert not [b for b in at.button if b.label.startswith(("Let the model", "Go on"))]
        button(at, "Close").click().run()
        assert not at.success and "PPR-LLM covers" in said(at)
    at = app(own_data_dir, "compare", q="North River Fund IV", r="ppr-llm,bm25")
    assert not at.exception and not at.error
    assert PILL in at.get("button_group")[0].options
    at = app(own_data_dir, "evidence", q="North River Fund IV", r="ppr-llm")
    assert not at.exception and not at.error and "The walks start at" in said(at)
    drawn = "".join(str(element.proto) for element in at.get("bidi_component"))
    assert "fact: deals with" in drawn and " deals with " in drawn


def test_a_run_that_ends_early_is_said_and_goes_on(
    app: Open, own_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with chat_server(Reply(read), Reply(status=401), Reply(read)) as script:
        use(monkeypatch, script, LLM_CONCURRENCY="1")
        at = app(own_data_dir, "settings")
        button(at, "Let the model read").click().run()
        button(at, "Send ").click().run()
        finished(own_data_dir)
        at.run()
        assert "refuses the key" in at.warning[0].value and "What was read is kept" in at.warning[0].value
        partly = app(own_data_dir, "evidence", q="North River Fund IV", r="ppr-llm")
        assert not partly.error
        assert any("PPR-LLM covers 1 of 5 passages" in caption.value for caption in partly.caption)
        at = app(own_data_dir, "settings")
        button(at, "Go on reading").click().run()
        button(at, "Send ").click().run()
        finished(own_data_dir)
        at.run()
        assert at.success and not any("refuses" in warning.value for warning in at.warning)
