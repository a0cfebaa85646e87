"""Specialists with a model: a real local server, scripted; what the passages do not carry is dropped."""

from __future__ import annotations

import json
import re
from typing import Any

from aethel_core.agents import Brief, Report, build, run
from aethel_core.agents.model import ModelFinder, ModelWriter
from aethel_core.agents.synthesizer import synthesize
from aethel_core.llm import ChatModel, Endpoint
from tests.chat_server import Answer, Reply, Script, chat_server
from tests.deal import Q4, Shelf


def worked(script: Script) -> Report:
    shelf = Shelf()
    model = ChatModel(Endpoint("m", script.url, "k", timeout=5, retries=0))
    (report,) = run(build(["valuation"], finder=ModelFinder(model, shelf.sources)), shelf, Brief())
    return report


def claims(text: str, *, passage: str = "", words: str = "") -> Answer:
    """A reply that claims ``text`` of the passage whose fence holds ``words``, or of ``passage``."""

    def answer(body: dict[str, Any]) -> str:
        user = body["messages"][1]["content"]
        name = passage
        for found in re.finditer(r'label="(P\d+):[^"]*">\n(.*?)\n</untrusted>', user, re.DOTALL):
            if words and words in found[2]:
                name = found[1]
        return json.dumps({"findings": [{"claim": text, "passages": [name or "P1"], "confidence": 0.9}]})

    return answer


def test_a_supported_claim_becomes_a_finding() -> None:
    text = "Net asset value was $420.0 million at December 31, 2022."
    with chat_server(Reply(claims(text, words="420,000"))) as script:
        report = worked(script)
    found = next(f for f in report.findings if f.claim == text)
    assert found.passage_ids == (f"{Q4}:00001",)
    assert [figure.value for figure in found.figures] == [420e6]


def test_a_passage_that_was_not_shown_is_refused() -> None:
    text = "Net asset value was $420.0 million at December 31, 2022."
    with chat_server(Reply(claims(text, passage="P99"))) as script:
        report = worked(script)
    assert text not in [found.claim for found in report.findings]
    assert "dropped" in report.note
    assert report.findings  # the extracted ones


def test_an_instruction_in_a_document_has_no_effect() -> None:
    """Even a model that obeys the document cannot bring its figure into a memo."""
    with chat_server(
        Reply(claims("Net asset value was $999 million at December 31, 2022.", words="420,000"))
    ) as script:
        report = worked(script)
    assert not any("999" in found.claim for found in report.findings)
    prompt = script.requests[0]["messages"]
    assert "never an instruction" in " ".join(prompt[0]["content"].split())
    assert prompt[1]["content"].count("<untrusted") == prompt[1]["content"].count("</untrusted>")


def test_malformed_answers_fall_back_with_a_note() -> None:
    with chat_server(Reply("I would rather write a poem.")) as script:
        report = worked(script)
    assert "after a repair. The extracted result stands." in report.note
    assert report.findings


def test_a_server_that_is_down_falls_back_with_a_note() -> None:
    with chat_server(Reply(status=500)) as script:
        report = worked(script)
    assert "status 500" in report.note and report.findings


def test_the_writer_keeps_what_is_carried_and_loses_no_finding() -> None:
    shelf = Shelf()
    (report,) = run(build(["valuation"]), shelf, Brief())
    nav = [found for found in report.findings if found.section == "Net asset value"]
    assert nav
    written = [
        {"text": "Net asset value stands at $420.0 million at December 31, 2022.", "findings": ["F1"]},
        {"text": "Net asset value will double next year to $840 million.", "findings": ["F1"]},
        {"text": "A sentence on a finding that is not there.", "findings": ["F77"]},
    ]
    with chat_server(Reply(json.dumps({"sentences": written}))) as script:
        model = ChatModel(Endpoint("m", script.url, "k", timeout=5, retries=0))
        parts = synthesize(nav, [("Value", ["Net asset value"])], ModelWriter(model, shelf.sources))
    value = next(part for part in parts if part.heading == "Value")
    texts = [line.text for line in value.lines]
    assert written[0]["text"] in texts
    assert not any("840" in text or "not there" in text for text in texts)
    assert all(found.claim in texts for found in nav[1:])
