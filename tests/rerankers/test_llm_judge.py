"""The judge: passages fenced, grades checked, and what the settings choose."""

from __future__ import annotations

import json

import pytest

from aethel_core.config import Settings
from aethel_core.errors import InvalidInput, ModelUnavailable
from aethel_core.llm import BadAnswer, ChatModel, Endpoint
from aethel_core.rerankers import configured
from aethel_core.rerankers.cascade import Cascade
from aethel_core.rerankers.llm_judge import BATCH, LlmJudge
from aethel_core.types import Query
from tests.corpora import document_of
from tests.rerankers.made import ACME, Fixed, lookup, ranking

IDS = tuple(f"{document_of(ACME)}:{number:05d}" for number in range(3))
ASK = Query("anvils")


class _Model(ChatModel):
    def __init__(self, reply: object) -> None:
        super().__init__(Endpoint("stand-in"))
        self.reply, self.asked = json.dumps(reply), ""

    def _ask(self, messages, on_text) -> str:
        self.asked = messages[-1]["content"]
        return self.reply


def graded(*grades: tuple[str, float]) -> _Model:
    return _Model({"grades": [{"passage": label, "grade": grade} for label, grade in grades]})


def test_the_grades_make_the_order() -> None:
    model = graded(("P2", 9), ("P1", 2.5), ("P3", 4))
    found = LlmJudge(model).rerank(ASK, ranking(*IDS), lookup, 2)
    assert [(hit.passage_id, hit.score) for hit in found.hits] == [(IDS[1], 9.0), (IDS[2], 4.0)]
    assert 'untrusted label="P1">\nAcme Corp sells anvils' in model.asked


@pytest.mark.parametrize(
    "grades",
    [[("P1", 1)], [("P1", 1), ("P2", 1), ("P2", 2)], [("P1", 1), ("P2", 1), ("P9", 1)]],
)
def test_every_passage_must_be_graded_once(grades: list) -> None:
    with pytest.raises(ModelUnavailable, match="every passage once"):
        LlmJudge(graded(*grades)).rerank(ASK, ranking(*IDS), lookup, 3)


def test_grades_out_of_range_are_no_answer() -> None:
    with pytest.raises(BadAnswer):
        LlmJudge(graded(("P1", 11), ("P2", 1), ("P3", 1))).rerank(ASK, ranking(*IDS), lookup, 3)


def test_nothing_to_judge() -> None:
    judge = LlmJudge(graded())
    assert judge.rerank(ASK, ranking(), lookup, 3).hits == ()
    with pytest.raises(InvalidInput):
        judge.rerank(ASK, ranking(*IDS), lookup, 0)


def test_the_settings_choose_the_judge() -> None:
    stages = configured(Settings(rerank_model="llm", llm_model="small"))
    assert isinstance(stages.second, LlmJudge)
    assert stages.second.name == "judge small"
    assert stages.stage(2, stages.second).batch == BATCH


@pytest.mark.parametrize("settings", [Settings(rerank_model="llm"), Settings(rerank_url="nowhere")])
def test_settings_that_cannot_be_cost_one_stage_not_the_search(settings: Settings) -> None:
    stages = configured(settings)
    assert stages.second is not None
    found = Cascade([Fixed(*IDS)], [stages.stage(2, stages.second)], lookup).search(ASK, 5)
    assert found.ids == IDS
    assert "keep the order" in found.note
