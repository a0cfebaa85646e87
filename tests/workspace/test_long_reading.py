"""The model's answer from what the cascade keeps: in one prompt, in two halves, and without the model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aethel_core.errors import ModelUnavailable
from aethel_core.types import Query
from aethel_core.workspace import Source, Workspace
from aethel_core.workspace.memos import MemoDesk
from tests.chat_server import Reply, Script, chat_server
from tests.standins import HashEmbedder, RegexNames, letter

ASK = Query("What notice do unfunded commitments of North River Fund IV need?")
FOUND = "Unfunded commitments can be called on ten business days' notice."


@pytest.fixture
def workspace(tmp_path: Path):
    with Workspace.open(tmp_path / "w", embedder=HashEmbedder(), names=RegexNames()) as opened:
        opened.ingest([Source(f"q{n}.pdf", letter("North River Fund IV", n)) for n in (1, 2)])
        yield opened


def desk(workspace: Workspace, script: Script, tmp_path: Path, limit: int) -> MemoDesk:
    workspace.settings = replace(
        workspace.settings, llm_model="small", llm_base_url=script.url, cache_dir=tmp_path / "cache"
    )
    workspace.set_evidence_limit(limit)
    return MemoDesk(workspace)


def half(answer: str, confidence: float) -> Reply:
    found = {"found": bool(answer), "answer": answer, "confidence": confidence, "passages": ["P1"]}
    return Reply(json.dumps(found))


def test_one_prompt_holds_it(workspace: Workspace, tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> str:
        if "sentences" in body["messages"][0]["content"]:
            shown = body["messages"][1]["content"]
            name = next(f"P{n}" for n in range(1, 9) if FOUND in shown.split(f'"P{n}:')[-1].split("</")[0])
            return json.dumps({"found": True, "sentences": [{"text": FOUND, "passages": [name]}]})
        return "no judgement"

    with chat_server(Reply(answer)) as script:
        reading = desk(workspace, script, tmp_path, 64_000).read(ASK)
    assert reading.long is None and not reading.load.halves
    assert [each.text for each in reading.answer.sentences] == [FOUND]
    assert reading.load.passages == workspace.counts().passages
    assert "estimated at 3.6 characters a token" in reading.load.counted


def test_two_halves_that_differ_show_their_conflict(workspace: Workspace, tmp_path: Path) -> None:
    with chat_server(half("Ten business days.", 0.9), half("Five business days.", 0.4)) as script:
        made = desk(workspace, script, tmp_path, 150)
        load, reading = made.load(ASK), made.read(ASK)
    assert len(script.requests) == 2
    assert load == reading.load and len(load.halves) == 2
    assert sum(tokens for _, tokens in load.halves) == load.tokens > load.limit == 150
    assert reading.answer.sentences[0].text == "Ten business days."
    assert "Five business days." in reading.long.conflict
    assert [part.confidence for part in reading.long.parts] == [0.9, 0.4]


def test_two_halves_without_an_answer_are_unknown(workspace: Workspace, tmp_path: Path) -> None:
    with chat_server(half("", 0.0)) as script:
        reading = desk(workspace, script, tmp_path, 150).read(ASK)
    assert not reading.answer.found and not reading.long.known and not reading.long.conflict


def test_without_the_model_there_are_sentences_of_the_documents(workspace: Workspace, tmp_path: Path) -> None:
    with chat_server(Reply(status=401)) as script:
        reading = desk(workspace, script, tmp_path, 150).read(ASK)
    assert reading.long is None
    assert "refuses the key" in reading.answer.note and "sentences of the documents" in reading.answer.note


def test_a_broken_tokenizer_leaves_the_estimate(workspace: Workspace, tmp_path: Path) -> None:
    workspace.settings = replace(workspace.settings, llm_tokenizer=str(tmp_path / "gone.json"))
    load = MemoDesk(workspace).load(ASK)
    assert load.tokens > 0 and "There is no tokenizer file gone.json" in load.counted
    with pytest.raises(ModelUnavailable, match="No language model"):
        MemoDesk(workspace).read(ASK)


def test_a_tokenizer_counts(workspace: Workspace, tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    words.save(str(tmp_path / "tokenizer.json"))
    workspace.settings = replace(workspace.settings, llm_tokenizer=str(tmp_path / "tokenizer.json"))
    load = MemoDesk(workspace).load(ASK)
    passages = [p for d in workspace.documents() for p in workspace.passages(d.id)]
    assert load.counted == "counted by the model's tokenizer"
    assert load.tokens == sum(len(passage.text.split()) for passage in passages)
