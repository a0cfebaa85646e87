"""What a language model writes for a question, over a real endpoint that answers well and badly."""

from __future__ import annotations

import json

import pytest

from aethel_core.errors import ModelUnavailable
from aethel_core.llm import ChatModel, Endpoint
from aethel_core.writers import WRITTEN, writers
from tests.chat_server import Reply, chat_server

ASK = "What was capex in FY2022?"


def write(step: str, *replies: Reply) -> str:
    with chat_server(*replies) as script:
        return writers(ChatModel(Endpoint("small", script.url, retries=0)))[step](ASK)


def test_each_step_has_its_writer() -> None:
    assert set(writers(ChatModel(Endpoint("small")))) == set(WRITTEN)


def test_keywords_are_short_lines() -> None:
    lines = ["capital  expenditures", "x" * 200, " ", "purchases of property"]
    assert (
        write("keywords", Reply(json.dumps({"lines": lines})))
        == "capital expenditures\npurchases of property"
    )


def test_at_most_three_paraphrases() -> None:
    assert write("paraphrases", Reply(json.dumps({"lines": ["a", "b", "c", "d"]}))) == "a\nb\nc"


def test_a_passage_is_taken_as_written() -> None:
    assert write("hypothesis", Reply(" Capital expenditures were [figure]. ")) == (
        "Capital expenditures were [figure]."
    )


@pytest.mark.parametrize("step", WRITTEN)
@pytest.mark.parametrize("reply", [Reply(status=500), Reply(garbage=True), Reply("")])
def test_whatever_goes_wrong_is_said(step: str, reply: Reply) -> None:
    with pytest.raises(ModelUnavailable):
        write(step, reply)


def test_nothing_of_use_is_a_failure() -> None:
    with pytest.raises(ModelUnavailable, match="wrote nothing"):
        write("keywords", Reply(json.dumps({"lines": [" "]})))
