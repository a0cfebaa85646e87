"""Settings: an endpoint is tried, kept and used; its key is never shown and never written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.chat_server import Reply, chat_server

Open = Callable[..., AppTest]
KEY = "sk-very-secret-123"


def said(at: AppTest) -> str:
    return "\n".join(str(element.proto) for element in at.get("html"))


def press(at: AppTest, label: str, form: str) -> AppTest:
    return next(b for b in at.button if b.label == label and form in (b.proto.form_id or "")).click().run()


def fill(at: AppTest, url: str, key: str = KEY) -> None:
    at.text_input(key="models.llm_base_url").set_value(url)
    at.text_input(key="models.llm_model").set_value("local-model")
    at.text_input(key="llm_api_key.0").set_value(key)


def test_an_endpoint_is_tried_kept_and_used(app: Open, own_data_dir: Path) -> None:
    at = app(own_data_dir, "settings")
    assert "Offline. Nothing leaves this machine." in said(at)
    with chat_server(Reply("ready")) as script:
        fill(at, script.url)
        press(at, "Test", "Writing")
        assert "answered “ready”" in at.success[0].value.replace("\\", "")
        assert script.keys == [f"Bearer {KEY}"]
        press(at, "Save", "Writing")
        assert "Uses local-model" in said(at) and script.url.removeprefix("http://") in said(at)
        assert at.text_input(key="llm_api_key.1").value == ""
        again = app(own_data_dir, "memo")
        assert "local-model is sent passages" in said(again)
    files = [path for path in own_data_dir.rglob("*") if path.is_file()]
    assert all(KEY.encode() not in path.read_bytes() for path in files)
    back = app(own_data_dir, "settings")
    press(back, "As the environment says", "Writing")
    assert "Offline. Nothing leaves this machine." in said(back) and not back.exception


@pytest.mark.parametrize(
    ("reply", "told"), [(Reply(status=401), "refuses the key"), (Reply(silent=True), "no answer")]
)
def test_what_is_wrong_is_said_in_a_sentence(app: Open, data_dir: Path, reply: Reply, told: str) -> None:
    at = app(data_dir, "settings")
    with chat_server(reply) as script:
        fill(at, script.url)
        press(at, "Test", "Writing")
    assert told in at.error[0].value and KEY not in at.error[0].value
    assert not at.exception and not (data_dir / "models.json").exists()


def test_an_address_that_is_none_is_not_kept(app: Open, data_dir: Path) -> None:
    at = app(data_dir, "settings")
    fill(at, "localhost")
    press(at, "Save", "Writing")
    assert "is not an address" in at.error[0].value and not (data_dir / "models.json").exists()


def test_a_damaged_choice_is_said(app: Open, own_data_dir: Path) -> None:
    (own_data_dir / "models.json").write_text("{")
    at = app(own_data_dir, "settings")
    assert "as the environment says" in at.warning[0].value and not at.exception
