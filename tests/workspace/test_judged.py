"""A memo that a model has read: its doubts stay with the sentences, and with the memo that is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aethel_core import config
from aethel_core.audit import Verdict
from aethel_core.errors import ModelUnavailable
from aethel_core.memo import from_json, to_json
from aethel_core.workspace import Source, Workspace
from aethel_core.workspace.memos import FORMATS, Memo, MemoDesk, Section, with_body
from tests.chat_server import Reply, Script, chat_server
from tests.standins import HashEmbedder, RegexNames, pdf

TRUE = "Halden Logistics drew $40 million under its credit facility with Meridian Bank."
DOUBTED = "The leverage covenant is tested each quarter."
TEXT = f"Halden Logistics. {TRUE} {DOUBTED}"


def doubting(body: dict[str, Any]) -> str:
    """It doubts what is said of the covenant, and nothing else."""
    sentence = body["messages"][1]["content"].partition("</untrusted>")[0]
    doubt = "covenant" in sentence
    return json.dumps(
        {"verdict": "partly" if doubt else "supported", "missing": "each quarter" if doubt else ""}
    )


@pytest.fixture
def script() -> Iterator[Script]:
    with chat_server(Reply(doubting)) as running:
        yield running


@pytest.fixture
def desk(script: Script, tmp_path: Path) -> Iterator[MemoDesk]:
    settings = replace(
        config.settings(),
        llm_model="m",
        llm_base_url=script.url,
        llm_api_key="k",
        cache_dir=tmp_path / "cache",
    )
    with Workspace.open(tmp_path / "w", settings, embedder=HashEmbedder(), names=RegexNames()) as opened:
        opened.ingest([Source("halden.pdf", pdf(TEXT))])
        yield MemoDesk(opened)


def memo(desk: MemoDesk) -> Memo:
    (document,) = desk.library().documents()
    passage = next(iter(desk.library().sources.of_document(document.id)))
    return Memo(
        "M",
        "credit",
        sections=(Section("S", f"- {TRUE} [1]\n- {DOUBTED} [1]"),),
        sources=(passage,),
        date="2023",
    )


def verdicts(desk: MemoDesk, made: Memo) -> list[Verdict]:
    return [each.check.verdict for each in desk.audit(made)]


def test_doubts_are_kept_and_nothing_is_asked_twice(desk: MemoDesk, script: Script) -> None:
    made = memo(desk)
    assert verdicts(desk, made) == [Verdict.SUPPORTED, Verdict.SUPPORTED]
    read = desk.judge(made)
    assert verdicts(desk, read) == [Verdict.SUPPORTED, Verdict.PARTLY]
    assert desk.audit(read)[1].check.flags == ("m does not find “each quarter” in the source.",)
    assert from_json(to_json(read)) == read
    assert len(script.requests) == 2
    assert desk.judge(read).judgements == read.judgements and len(script.requests) == 2
    assert "The model took 2 calls" in read.notes[-1]
    text = desk.export(read, "md").decode()
    assert "Checked by rules, and 2 of 2 by m." in text and "does not find “each quarter”" in text


def test_an_edited_sentence_is_on_its_own_until_it_is_read(desk: MemoDesk, script: Script) -> None:
    read = desk.judge(memo(desk))
    edited = with_body(read, 0, f"- {TRUE} [1]\n- The leverage covenant is tested quarterly. [1]")
    assert verdicts(desk, edited)[1] is not Verdict.PARTLY
    assert len(script.requests) == 2  # an audit asks nobody
    assert verdicts(desk, desk.judge(edited))[1] is Verdict.PARTLY
    assert len(script.requests) == 3


def test_a_run_reads_what_it_wrote(desk: MemoDesk) -> None:
    made = desk.run(specialists=["liquidity"])
    assert {each.text for each in made.judgements} == {each.check.text for each in desk.audit(made)} != set()
    assert desk.estimate(["liquidity"])


def test_without_a_model(tmp_path: Path) -> None:
    settings = replace(config.settings(), llm_model="")
    with (
        Workspace.open(tmp_path / "w", settings, embedder=HashEmbedder(), names=RegexNames()) as opened,
        pytest.raises(ModelUnavailable, match="No language model"),
    ):
        MemoDesk(opened).judge(Memo("M", "credit"))


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_memo_exports_to_the_same_bytes_with_its_pictures(desk: MemoDesk, form: str) -> None:
    made = memo(desk)
    again = MemoDesk(desk._workspace)
    assert desk.export(made, form) == again.export(made, form)
