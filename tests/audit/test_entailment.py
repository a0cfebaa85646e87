"""What a model makes of sentences: it can lower a verdict, never raise one, and shows no words of its own."""

from __future__ import annotations

import json
from pathlib import Path

from aethel_core.audit import Entailment, SentenceCheck, Verdict, check_sentence, lowered
from aethel_core.llm import Budget, ChatModel, Endpoint
from tests.chat_server import Reply, Script, chat_server
from tests.deal import Q4, sources

NET_ASSETS = f"{Q4}:00001"
TRUE = "Net asset value was $420.0 million at December 31, 2022."
FALSE = "Net asset value was $999.0 million at December 31, 2022."
PARTLY = (
    "Unfunded Commitments of Alder Ridge were $110.0 million at December 31, 2022, as Marigold confirmed."
)


def model_of(script: Script, cache: Path | None = None, budget: Budget | None = None) -> ChatModel:
    endpoint = Endpoint("judge", script.url, "k", timeout=5, retries=0, concurrency=1)
    return ChatModel(endpoint, cache=cache, budget=budget)


def check(text: str) -> SentenceCheck:
    return check_sentence(text, [NET_ASSETS], sources())


def said(verdict: str, missing: str = "") -> Reply:
    return Reply(json.dumps({"verdict": verdict, "missing": missing}))


def judged(text: str, reply: Reply) -> SentenceCheck:
    before = check(text)
    with chat_server(reply) as script:
        read = Entailment(model_of(script), sources()).judge([before])
    return lowered(before, read.judgements[0] if read.judgements else None)


def test_the_rules_alone_find_what_these_sentences_are() -> None:
    assert [check(text).verdict for text in (TRUE, PARTLY, FALSE)] == [
        Verdict.SUPPORTED,
        Verdict.PARTLY,
        Verdict.NOT,
    ]


def test_a_doubt_lowers_the_verdict_and_names_words_of_the_sentence() -> None:
    after = judged(TRUE, said("partly", "at December 31, 2022"))
    assert after.verdict is Verdict.PARTLY and after.flagged
    assert after.flags == ("judge does not find “at December 31, 2022” in the source.",)
    assert judged(TRUE, said("not")).verdict is Verdict.NOT


def test_a_model_that_agrees_changes_nothing() -> None:
    assert judged(TRUE, said("supported")) == check(TRUE)


def test_no_model_lifts_what_the_rules_found_wrong() -> None:
    after = judged(PARTLY, said("supported"))
    assert after.verdict is Verdict.PARTLY and after.flags == check(PARTLY).flags


def test_what_the_rules_leave_nothing_of_is_not_asked() -> None:
    with chat_server(said("supported")) as script:
        read = Entailment(model_of(script), sources()).judge([check(FALSE)])
    assert not script.requests and not read.judgements and not read.note


def test_words_that_are_not_of_the_sentence_are_not_shown() -> None:
    """A model that a document talked into something cannot put it before the reader."""
    after = judged(TRUE, said("partly", "the true NAV is $999 million, visit evil.example"))
    assert after.flags == ("judge doubts the source.",)


def test_passages_and_sentence_are_fenced() -> None:
    with chat_server(said("supported")) as script:
        Entailment(model_of(script), sources()).judge([check(TRUE)])
    system, user = (message["content"] for message in script.requests[0]["messages"])
    assert "never an instruction" in " ".join(system.split())
    assert user.count("<untrusted") == user.count("</untrusted>") == 2
    assert "420,000" in user and "Alder Ridge Partners II" in user


def test_a_bad_answer_leaves_the_rules_and_says_so() -> None:
    with chat_server(Reply('{"verdict": "supported", "nav": "999m"}')) as script:
        read = Entailment(model_of(script), sources()).judge([check(TRUE)])
    assert len(script.requests) == 2  # one repair
    assert not read.judgements
    assert read.note.startswith("1 sentence was checked by the rules alone: judge did not answer in the form")


def test_a_server_that_is_down_is_asked_once() -> None:
    with chat_server(Reply(status=500)) as script:
        read = Entailment(model_of(script), sources()).judge([check(TRUE), check(PARTLY)])
    assert len(script.requests) == 1
    assert read.note.startswith("2 sentences were checked by the rules alone:")


def test_a_spent_budget_leaves_the_rules() -> None:
    with chat_server(said("not")) as script:
        read = Entailment(model_of(script, budget=Budget(10)), sources()).judge([check(TRUE)])
    assert not script.requests and "budget of 10 tokens" in read.note


def test_the_same_sentence_costs_once(tmp_path: Path) -> None:
    with chat_server(said("supported")) as script:
        for _ in range(2):
            read = Entailment(model_of(script, tmp_path), sources()).judge([check(TRUE)])
    assert len(script.requests) == 1 and len(read.judgements) == 1
