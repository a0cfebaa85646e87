"""``extract`` on the command line: the estimate, the go-ahead, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from aethel_core import cli, config
from aethel_core.workspace import Workspace
from tests.chat_server import Reply, Script, chat_server
from tests.standins import HashEmbedder, RegexNames
from tests.workspace.made import filled
from tests.workspace.test_extraction import read


@pytest.fixture(autouse=True)
def _standins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    real = Workspace.open.__func__

    def open_with_standins(cls, path, settings=None, *, create=True, **given):
        models = {"embedder": HashEmbedder(), "names": RegexNames()}
        return real(cls, path, settings, create=create, **(models | given))

    monkeypatch.setattr(Workspace, "open", classmethod(open_with_standins))
    yield
    config.settings.cache_clear()


@pytest.fixture
def space(tmp_path: Path) -> str:
    filled(tmp_path / "space").close()
    return str(tmp_path / "space")


def use(monkeypatch: pytest.MonkeyPatch, script: Script, **more: str) -> None:
    given = {"LLM_MODEL": "m", "LLM_BASE_URL": script.url, "LLM_PRICE_IN": "2", "LLM_PRICE_OUT": "10"}
    for name, value in (given | more).items():
        monkeypatch.setenv(f"AETHEL_{name}", value)
    config.settings.cache_clear()


def test_without_a_model_it_says_what_to_set(space: str, capsys: pytest.CaptureFixture[str]) -> None:
    config.settings.cache_clear()
    assert cli.main(["extract", "--workspace", space]) == 1
    assert "AETHEL_LLM_MODEL" in capsys.readouterr().err
    assert cli.main(["search", "Halden", "--workspace", space, "--retriever", "ppr-llm"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and f"aethel_core extract --workspace {space}" in err


def test_nothing_is_sent_before_yes(
    space: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(Reply(read)) as script:
        use(monkeypatch, script)
        assert cli.main(["extract", "--workspace", space]) == 0
        out, err = capsys.readouterr()
        assert f"To m at {script.url}: " in out and "tokens" in out and "at the prices set" in out
        assert "Nothing was sent. Add --yes" in err
        assert cli.main(["extract", "--workspace", space, "--json"]) == 0
        plan = json.loads(capsys.readouterr().out)
        assert plan["tokens"] == plan["tokens_in"] + plan["tokens_out"] > 0 and plan["cost"] > 0
        assert script.requests == []


def test_a_run_then_a_search_then_nothing_left(
    space: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(Reply(read)) as script:
        use(monkeypatch, script)
        assert cli.main(["extract", "--workspace", space, "--yes"]) == 0
        out, err = capsys.readouterr()
        assert "PPR-LLM covers" in out and "cost" in out and f"{len(script.requests)} calls" in out
        assert err.splitlines()[-1] == f"{len(script.requests)} of {len(script.requests)} passages"
        assert cli.main(["extract", "--workspace", space, "--yes"]) == 0
        assert "Nothing is left to read." in capsys.readouterr().out
    question = ["search", "Which bank lends to Halden Logistics?", "--workspace", space]
    assert cli.main([*question, "--retriever", "ppr-llm", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"]


def test_a_spent_budget_is_said_and_makes_1(
    space: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(Reply(read, usage=(500, 100))) as script:
        use(monkeypatch, script, LLM_BUDGET="3000")
        assert cli.main(["extract", "--workspace", space]) == 0
        assert "A run ends at 3,000 tokens" in capsys.readouterr().out
        assert cli.main(["extract", "--workspace", space, "--yes"]) == 1
        out = capsys.readouterr().out
        assert "The budget of 3,000 tokens is spent" in out and "What was read is kept" in out
        assert cli.main(["search", "Halden", "--workspace", space, "--retriever", "ppr-llm"]) == 0
        assert f"covers {len(script.requests)} of" in capsys.readouterr().err
        assert cli.main(["extract", "--workspace", space, "--yes", "--budget", "900000", "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
    assert report["ended"] == "" and report["coverage"]["read"] == report["coverage"]["passages"]


def test_questions_with_known_answers_measure_it(
    space: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = tmp_path / "questions.jsonl"
    gold = {"id": "1", "question": "Which bank lends to Halden Logistics?"}
    questions.write_text(json.dumps(gold | {"gold": [{"document": "halden.pdf", "page": 1}]}))
    measure = [
        "evaluate",
        "--workspace",
        space,
        "--questions",
        str(questions),
        "--retrievers",
        "ppr-llm,bm25",
    ]
    assert cli.main(measure) == 2
    assert "extract" in capsys.readouterr().err
    with chat_server(Reply(read)) as script:
        use(monkeypatch, script)
        assert cli.main(["extract", "--workspace", space, "--yes"]) == 0
    capsys.readouterr()
    assert cli.main(measure) == 0
    assert "| ppr-llm |" in capsys.readouterr().out
