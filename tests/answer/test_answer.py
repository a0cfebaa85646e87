"""A plain answer: what a question asks for, which sentences hold it, and when nothing is said."""

from __future__ import annotations

import json

import pytest

from aethel_core.answer import Answer, answer
from aethel_core.answer.asked import Asked, Kind
from aethel_core.audit import Sources
from aethel_core.llm import ChatModel, Endpoint
from tests.chat_server import Answer as Scripted
from tests.chat_server import Reply, chat_server
from tests.deal import DOCUMENTS, PASSAGES, Q4, TENK, grid, sources
from tests.standins import HashEmbedder

NET_ASSETS, CALL, EVENT = f"{Q4}:00001", f"{Q4}:00000", f"{Q4}:00002"
EVERY = [passage.id for passages in PASSAGES.values() for passage in passages]


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Who bought the majority of Quillon, and on which day?", {Kind.NAME, Kind.DATE}),
        ("The person who stands in is the chair of which company?", {Kind.NAME}),
        ("When does the subscription line mature?", {Kind.DATE}),
        ("When Helios replaced its debt, how much did it borrow?", {Kind.AMOUNT}),
        ("By how much could the bill run over?", {Kind.AMOUNT}),
        ("What share of revenue did it bring?", {Kind.SHARE}),
        ("How many basis points did the margin rise?", {Kind.SHARE}),
        ("At what multiple of cost was it carried?", {Kind.MULTIPLE}),
        ("How many clinics did it run?", {Kind.NUMBER}),
        ("How long does the notice period last?", {Kind.DURATION}),
        ("Why is the fee lower?", {Kind.REASON}),
        ("Does the ratio lie within the range?", set()),
    ],
)
def test_what_is_asked_for(question: str, kinds: set[Kind]) -> None:
    assert set(Asked.read(question).kinds) == kinds


def given(question: str, *passages: str) -> Answer:
    return answer(question, passages or EVERY, sources(), embedder=HashEmbedder())


@pytest.mark.parametrize(
    ("question", "passage", "held"),
    [
        ("What was the net asset value at December 31, 2022?", NET_ASSETS, "$420.0 million"),
        ("How much were the Unfunded Commitments at September 30, 2022?", NET_ASSETS, "$122.5 million"),
        ("When did the Key Person Event occur?", EVENT, "January 16, 2023"),
        ("How large was Capital Call No. 7 as a share of commitments?", CALL, "2.5% of Commitments"),
        ("What share of net sales came from Grainfield in 2022?", f"{TENK}:00002", "14%"),
    ],
)
def test_the_sentence_or_row_that_holds_it(question: str, passage: str, held: str) -> None:
    found = given(question)
    best = found.sentences[0]
    assert passage in best.passage_ids and held in best.text
    assert all(not each.check.flagged for each in found.sentences)
    assert len(found.sentences) <= 3


def test_days_in_a_table_of_amounts_are_days() -> None:
    rows = [
        ("Inventories", ["2,904"]),
        ("Days payable outstanding (1)", ["52"]),
        ("Inventory turns", ["3.4"]),
    ]
    table = grid(TENK, 90, 34, [("December 31, 2022", "2022-12-31")], rows, unit="(in millions)", scale=1e6)
    given = Sources(DOCUMENTS, lambda document: [table] if document == TENK else PASSAGES[document])
    for question, held in (
        ("What was days payable outstanding in 2022?", "Days payable outstanding of Halden Freight"),
        ("How many days payable outstanding were there in 2022?", " was 52 days at December 31, 2022."),
        ("What were inventory turns in 2022?", "were 3.4x at December 31, 2022."),
    ):
        best = answer(question, [table.id], given, embedder=HashEmbedder()).sentences[0]
        assert held in best.text and "million" not in best.text and not best.check.flagged


def test_a_sentence_that_leans_on_the_one_before_comes_with_it() -> None:
    (said,) = given("How much did Capital Call No. 7 amount to?", CALL).sentences
    assert said.text.startswith("Capital Call No. 7 was issued") and "$12.5 million" in said.text


@pytest.mark.parametrize(
    "question",
    [
        "Who is the chief executive of Boeing?",
        "How many aircraft were delivered?",
        "Which vaccine sold best?",
        "?",
    ],
)
def test_what_the_documents_do_not_say(question: str) -> None:
    assert not given(question).found


def test_what_only_comes_close_is_not_called_an_answer() -> None:
    assert given("What was the net asset value at December 31, 2022?").sure
    close = given("Which fund had commitments, calls and a net asset value in its letter?")
    assert close.found and not close.sure


def test_another_account_is_not_the_one_asked_for() -> None:
    question = "What was the balance of account NR4-0142 at December 31, 2022?"
    asked = Asked.read(question)
    assert "0142" not in " ".join(asked.words)
    assert not any("NR4-0117" in each.text for each in given(question).sentences)


def test_without_an_embedder_the_words_count() -> None:
    found = answer("What was the net asset value at December 31, 2022?", EVERY, sources())
    assert "$420.0 million" in found.sentences[0].text


# With a model


def asked_model(*replies: str | Scripted) -> Answer:
    with chat_server(*(Reply(reply) for reply in replies)) as script:
        model = ChatModel(Endpoint("m", script.url, "k", timeout=5, retries=0))
        return answer("What was the net asset value at December 31, 2022?", [NET_ASSETS], sources(), model)


def part(text: str, *passages: str) -> str:
    return json.dumps({"found": True, "sentences": [{"text": text, "passages": list(passages)}]})


TRUE = "Net asset value was $420.0 million at December 31, 2022."
SUPPORTED = '{"verdict": "supported"}'


def test_a_supported_sentence_is_given() -> None:
    made = asked_model(part(TRUE, "P1"), SUPPORTED)
    assert [each.text for each in made.sentences] == [TRUE] and not made.note


@pytest.mark.parametrize(
    "reply",
    [part("Net asset value was $999 million.", "P1"), part(TRUE, "P9"), part(TRUE, "P1", "P9")],
    ids=["another figure", "a passage that is not there", "one of two"],
)
def test_what_the_passages_do_not_carry_is_dropped(reply: str) -> None:
    made = asked_model(reply, SUPPORTED)
    assert "1 sentence of the model was dropped" in made.note
    assert not any("999" in each.text for each in made.sentences)
    assert "$420.0 million" in made.sentences[0].text  # of the document


def test_a_sentence_that_the_model_itself_doubts_is_dropped() -> None:
    made = asked_model(part(TRUE, "P1"), '{"verdict": "not", "missing": "at December 31, 2022"}')
    assert "1 sentence of the model was dropped" in made.note


def test_a_model_that_finds_nothing() -> None:
    assert not asked_model('{"found": false, "sentences": []}').found


def test_a_model_that_fails_leaves_sentences_of_the_documents() -> None:
    made = asked_model("a poem")
    assert made.found and made.note.endswith("These are sentences of the documents.")
