"""Reranking on the screens: stages in Settings, a model at work in Compare, a summary in Library."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from aethel_core.workspace import Choice, Kind, Plan, Source, Workspace
from tests.chat_server import Reply, chat_server
from tests.pages.conftest import DEAL
from tests.standins import HashEmbedder, RegexNames, pdf

ASKED = {"ws": DEAL, "q": "Unfunded commitments of North River Fund IV in FY2023?", "r": "cascade,bm25"}
App = Callable[..., AppTest]


def at_label(elements, label: str):
    return next(each for each in elements if each.label == label)


def captions(at: AppTest) -> str:
    return " ".join(caption.value.replace("\\", "") for caption in at.caption)


def opened(at: AppTest) -> AppTest:
    at.session_state["pipeline.open"] = True
    return at.run()


def with_model(monkeypatch: pytest.MonkeyPatch, url: str, tmp_path: Path, **more: str) -> None:
    values = {"LLM_MODEL": "small-1", "LLM_BASE_URL": url, "CACHE_DIR": str(tmp_path / "cache"), **more}
    for name, value in values.items():
        monkeypatch.setenv(f"AETHEL_{name}", value)


def test_stages_are_chosen_in_settings_and_used(app: App, own_data_dir: Path) -> None:
    at = app(own_data_dir, "settings", ws=DEAL)
    kinds = at_label(at.selectbox, "Stage 2: what is left")
    assert len(kinds.options) == 2  # neither an endpoint nor a model is set
    kinds.set_value(Kind.CROSS_ENCODER)
    at_label(at.button, "Save stages").click().run()
    assert "needs its name or the folder" in at.error[0].value.replace("\\", "")
    at.text_input(key="cascade.second.model").set_value("/nowhere/tiny")
    at.number_input(key="cascade.second.keep").set_value(7)
    at.number_input(key="cascade.tokens").set_value(900)
    at_label(at.button, "Save stages").click().run()
    assert not at.exception and not at.error
    with Workspace.open(own_data_dir / DEAL, embedder=HashEmbedder(), names=RegexNames()) as kept:
        chosen = Choice(Kind.CROSS_ENCODER, "/nowhere/tiny")
        assert kept.cascade_plan() == Plan(second=chosen, keep_second=7)
        assert kept.evidence_limit() == 900
    at_label(at.button, "Back to the defaults").click().run()
    assert not at.exception


def test_a_model_writes_keywords_only_when_asked(
    app: App, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with chat_server(Reply(json.dumps({"lines": ["capital calls"]}))) as script:
        with_model(monkeypatch, script.url, tmp_path)
        at = opened(app(data_dir, "compare", **ASKED, turn="keywords"))
        assert not at.exception and not script.requests
        at_label(at.checkbox, "by small\\-1").set_value(True)
        opened(at)
        assert not at.exception and len(script.requests) == 1
        read = at_label(at.button_group, "Read from the question")
        assert "keyword: capital calls" in read.options
        assert at.query_params["by"] == "keywords"


def test_a_model_that_is_away_is_said_and_asked_again(
    app: App, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with chat_server(Reply(status=401), Reply(json.dumps({"lines": ["capital calls"]}))) as script:
        with_model(monkeypatch, script.url, tmp_path)
        at = app(data_dir, "compare", **ASKED, turn="keywords", by="keywords")
        assert not at.exception
        assert "Keywords made without the model this time" in captions(at)
        at_label(at.button, "Ask the model again").click().run()
        assert "without the model" not in captions(at)


def test_an_answer_in_two_halves_shows_their_conflict(
    app: App, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = iter((("Ten days.", 0.9), ("$303.8 million.", 0.5)))

    def half(body: dict[str, Any]) -> str:
        answer, confidence = next(said)
        return json.dumps({"found": True, "answer": answer, "confidence": confidence, "passages": ["P1"]})

    with chat_server(Reply(half)) as script:
        with_model(monkeypatch, script.url, tmp_path, EVIDENCE_TOKENS="120")
        at = app(data_dir, "compare", **ASKED)
        assert "more than the 120 of one prompt, so two halves" in captions(at)
        assert not script.requests
        at_label(at.button, "Answer with small\\-1").click().run()
        assert not at.exception and len(script.requests) == 2
        assert "The halves of the evidence differ" in at.warning[0].value


def test_a_long_document_is_told_in_short(app: App, own_data_dir: Path) -> None:
    dull = "The weather was fine and nobody in the room said anything that was worth noting about it. " * 30
    told = "Gross margin of the fund's holdings increased to 41.5% in 2022 from 38.2% on lower freight costs."
    with Workspace.open(own_data_dir / DEAL, embedder=HashEmbedder(), names=RegexNames()) as made:
        made.ingest([Source("long.pdf", pdf(*[f"Page {n}. {dull}" for n in range(18)], told))])
        document = made.document("long.pdf").id
    at = app(own_data_dir, "library", ws=DEAL, read=document)
    assert not at.exception
    assert any(each.label.startswith("In short: 1 sentence or row of 1") for each in at.expander)
    at.session_state["reading.summary"] = True
    at.run()
    assert not at.exception and "it stands in the document" in captions(at)
    short = app(own_data_dir, "library", ws=DEAL, read=next(iter(_short(own_data_dir))))
    assert not any(each.label.startswith("In short") for each in short.expander)


def _short(data: Path) -> list[str]:
    with Workspace.open(data / DEAL, embedder=HashEmbedder(), names=RegexNames()) as made:
        return [document.id for document in made.documents() if document.name != "long.pdf"]
