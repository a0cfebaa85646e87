"""Stages by choice: what a plan makes of the settings, and that each kind really ranks or is said to fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aethel_core.config import Settings
from aethel_core.errors import InvalidInput
from aethel_core.rerankers import Choice, Kind, Plan, Stages, configured
from aethel_core.rerankers.cascade import Cascade, Trace
from aethel_core.rerankers.llm_judge import LlmJudge
from aethel_core.types import Query
from tests.chat_server import Reply, chat_server
from tests.corpora import document_of
from tests.rerank_server import rerank_server
from tests.rerankers.made import ACME, ByNumber, Fixed, lookup

IDS = tuple(f"{document_of(ACME)}:{number:05d}" for number in (2, 1, 0))
ASK = Query("anvils in the desert")


def run(settings: Settings, plan: Plan | None = None) -> Trace:
    """The second stage of the plan over three passages."""
    stages = configured(settings, plan)
    stage = stages.stage(2, ByNumber())
    return Cascade([Fixed(*IDS)], [stage], lookup, seconds=stages.seconds).trace(ASK, 3)


def test_the_settings_alone_make_a_plan() -> None:
    assert Plan.of(Settings()) == Plan()
    assert Plan.of(Settings(rerank_url="http://h/rerank", rerank_model="m")).second == Choice(Kind.ENDPOINT)
    assert Plan.of(Settings(rerank_model="llm")).second == Choice(Kind.JUDGE)
    assert Plan.of(Settings(rerank_model="some/model")).second == Choice(Kind.CROSS_ENCODER, "some/model")
    assert configured(Settings()) == Stages()


def test_a_plan_survives_json() -> None:
    plan = Plan(Choice(Kind.CROSS_ENCODER, "a/b"), Choice(Kind.JUDGE), 50, 5, 2.5)
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan


@pytest.mark.parametrize(
    "kept",
    [
        {"first": {"kind": "magic", "model": ""}},
        {"first": {"kind": "embedded"}},
        {"second": "judge"},
        {"keep_first": "many"},
        {"seconds": None},
        {"first": {"kind": "cross-encoder", "model": " "}},
    ],
)
def test_a_damaged_plan_is_refused(kept: dict) -> None:
    with pytest.raises(InvalidInput):
        Plan.from_json(kept)


@pytest.mark.parametrize("wrong", [{"keep_first": 5, "keep_second": 6}, {"keep_second": 0}, {"seconds": 0}])
def test_what_cannot_be(wrong: dict) -> None:
    with pytest.raises(InvalidInput):
        Plan(**wrong)


def test_one_model_in_memory_for_two_equal_stages() -> None:
    same = Choice(Kind.CROSS_ENCODER, "a/b")
    stages = configured(Settings(), Plan(same, same))
    assert stages.first is stages.second is not None


def test_an_endpoint_ranks() -> None:
    with rerank_server() as server:
        found = run(Settings(rerank_url=server.url, rerank_model="rank-1"))
    assert found.ranking.ids[0] == IDS[2]  # the passage that holds both words
    assert found.stages[-1].name == "reranker rank-1" and found.stages[-1].scored == 3
    assert found.ranking.note == ""


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("500", "answered with an error (status 500)"),
        ('{"data": []}', "another shape"),
        ('{"results": [{"index": 0, "relevance_score": 1.0}]}', "scored 1 of 3"),
        ("not json", "did not answer with JSON"),
    ],
)
def test_an_endpoint_that_fails_costs_its_stage_only(mode: str, says: str) -> None:
    with rerank_server(mode) as server:
        found = run(Settings(rerank_url=server.url, rerank_model="rank-1"))
    assert found.ranking.ids == IDS  # the order before
    assert says in found.ranking.note and found.stages[-1].scored == 0


def test_an_endpoint_slower_than_the_time_limit() -> None:
    with rerank_server("slow") as server:
        plan = Plan(second=Choice(Kind.ENDPOINT), seconds=0.1)
        found = run(Settings(rerank_url=server.url, rerank_model="rank-1"), plan)
    assert found.ranking.ids == IDS
    assert "did not answer within 0.1 s" in found.ranking.note
    assert found.stages[-1].seconds < 0.45  # it was not waited for


def test_a_judge_has_no_more_time_than_the_stage() -> None:
    with chat_server(Reply("{}", pause=0.5)) as script:
        settings = Settings(llm_model="small", llm_base_url=script.url)
        found = run(settings, Plan(second=Choice(Kind.JUDGE), seconds=0.1))
    assert found.ranking.ids == IDS
    assert "did not answer in 0.1 s" in found.ranking.note


def test_a_judge_without_a_model_is_said() -> None:
    found = run(Settings(), Plan(second=Choice(Kind.JUDGE)))
    assert found.ranking.ids == IDS and "No language model is set" in found.ranking.note


def test_the_judge_of_the_settings() -> None:
    assert isinstance(configured(Settings(llm_model="m"), Plan(Choice(Kind.JUDGE))).first, LlmJudge)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_a_cross_encoder_in_a_folder_ranks(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    from tests.tiny_cross_encoder import made

    folder = made(tmp_path / "tiny")
    found = run(Settings(), Plan(second=Choice(Kind.CROSS_ENCODER, folder)))
    assert sorted(found.ranking.ids) == sorted(IDS)
    assert found.stages[-1].name == "cross-encoder tiny" and found.stages[-1].scored == 3
    assert found.ranking.note == ""
