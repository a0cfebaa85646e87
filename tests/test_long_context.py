"""Evidence above the limit: coherent halves, and the rules by which their answers become one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aethel_core.errors import InvalidInput, ModelUnavailable
from aethel_core.llm import ChatModel, Endpoint
from aethel_core.long_context import (
    UNKNOWN,
    ModelReader,
    PartAnswer,
    agree,
    answer,
    counter,
    fit,
    fuse,
    split,
    total,
)
from aethel_core.types import Passage, PassageKind


def passage(document: str, page: int, words: int = 10) -> Passage:
    text = " ".join([f"{document}{page}"] * words)
    return Passage(f"{document}:{page:05d}", document, page, 0, len(text), (), "", PassageKind.PROSE, text)


def words(text: str) -> int:
    return len(text.split())


def ids(passages) -> list[str]:
    return [f"{each.document_id}{each.page}" for each in passages]


RANKED = [
    passage("b", 9),
    passage("a", 4),
    passage("b", 2),
    passage("a", 1),
    passage("c", 1),
    passage("d", 1),
]


def test_documents_stay_together_in_reading_order() -> None:
    first, second = split(RANKED, words)
    assert ids(first) == ["b2", "b9", "c1"]
    assert ids(second) == ["a1", "a4", "d1"]


def test_a_large_document_is_cut_near_the_half() -> None:
    first, second = split([passage("a", page) for page in (3, 1, 2, 4)] + [passage("b", 1)], words)
    # Of fifty words a has forty; after two pages (20) and three (30) the cut is as near to 25: the first.
    assert ids(first) == ["a3", "a4", "b1"]
    assert ids(second) == ["a1", "a2"]


def test_nothing_is_lost_or_doubled_and_the_halves_are_even() -> None:
    ranked = [passage("abc"[i % 3], i, words=5 + 7 * i % 11) for i in range(20)]
    first, second = split(ranked, words)
    assert sorted([*ids(first), *ids(second)]) == sorted(ids(ranked))
    assert abs(total(first, words) - total(second, words)) < total(ranked, words) / 3


def test_the_best_ranked_fit() -> None:
    half = (RANKED[3], RANKED[1])
    assert ids(fit(half, RANKED, 15, words)) == ["a4"]
    assert ids(fit(half, RANKED, 20, words)) == ["a1", "a4"]
    assert fit(half, RANKED, 5, words) == ()


def test_one_definite_answer_is_taken() -> None:
    found = fuse([PartAnswer(""), PartAnswer("$5 million", 0.4, ("x",))])
    assert (found.text, found.confidence, found.passage_ids, found.conflict) == (
        "$5 million",
        0.4,
        ("x",),
        "",
    )
    assert found.known
    assert found.was_split


def test_of_two_the_more_confident_and_the_conflict_is_shown() -> None:
    found = fuse([PartAnswer("$5 million", 0.4, ("x",)), PartAnswer("$7 million", 0.9, ("y",))])
    assert found.text == "$7 million"
    assert "$5 million" in found.conflict
    assert "40%" in found.conflict


def test_two_that_agree_are_no_conflict() -> None:
    found = fuse([PartAnswer("It was $5 million.", 0.9), PartAnswer("$5,000,000", 0.5)])
    assert found.text == "It was $5 million."
    assert found.conflict == ""


def test_none_is_said() -> None:
    found = fuse([PartAnswer(""), PartAnswer("  ")])
    assert (found.text, found.confidence, found.known) == (UNKNOWN, 0.0, False)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("$5 million", "5,000,000 dollars in all", True),
        ("$5 million", "$6 million", False),
        ("$5 million in 2022", "$5 million, of which $2 million was debt", True),
        ("Acme Corp.", "acme corp", True),
        ("Acme", "Bolt", False),
    ],
)
def test_agreement(one: str, other: str, same: bool) -> None:
    assert agree(one, other) is same
    assert agree(other, one) is same


def test_below_the_limit_all_is_read_at_once() -> None:
    read: list[list[str]] = []

    def reader(question, passages):
        read.append(ids(passages))
        return PartAnswer("yes", 1.0)

    found = answer("q", RANKED, reader, limit=60, count=words)
    assert read == [ids(RANKED)]
    assert not found.was_split


def test_above_the_limit_both_halves_are_read() -> None:
    read: list[list[str]] = []

    def reader(question, passages):
        read.append(ids(passages))
        return PartAnswer("in d" if "d1" in read[-1] else "", 0.8)

    found = answer("q", RANKED, reader, limit=59, count=words)
    assert read == [["b2", "b9", "c1"], ["a1", "a4", "d1"]]
    assert found.text == "in d"


def test_what_does_not_fit_is_said() -> None:
    found = answer("q", RANKED, lambda q, p: PartAnswer("yes", 1.0), limit=20, count=words)
    assert found.note == "2 of 6 passages did not fit and were left out."


def test_one_half_that_cannot_be_read() -> None:
    def reader(question, passages):
        if "d1" in ids(passages):
            raise ModelUnavailable("The model is away.")
        return PartAnswer("yes", 0.5)

    found = answer("q", RANKED, reader, limit=59, count=words)
    assert found.text == "yes"
    assert found.note == "One half of the evidence could not be read: The model is away."


def test_no_half_can_be_read() -> None:
    def reader(question, passages):
        raise ModelUnavailable("The model is away.")

    with pytest.raises(ModelUnavailable):
        answer("q", RANKED, reader, limit=59, count=words)
    with pytest.raises(InvalidInput):
        answer("q", RANKED, reader, limit=0)


def test_no_evidence_is_unknown() -> None:
    assert answer("q", [], lambda q, p: PartAnswer("made up", 1.0)).text == UNKNOWN


def test_tokens_by_a_tokenizer_file(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    made = Tokenizer(models.WordLevel({"a": 0, "b": 1, "[UNK]": 2}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.save(str(tmp_path / "tokenizer.json"))
    assert counter(tmp_path / "tokenizer.json")("a b a!") == 4
    with pytest.raises(ModelUnavailable):
        counter(tmp_path / "none.json")
    assert counter()("x" * 36) == 10  # the estimate: 3.6 characters a token


class _Model(ChatModel):
    """Answers with what it is given, through the real checks of shape."""

    def __init__(self, reply: object) -> None:
        super().__init__(Endpoint("stand-in"))
        self.reply, self.asked = json.dumps(reply), ""

    def _ask(self, messages, on_text) -> str:
        self.asked = messages[-1]["content"]
        return self.reply


def test_a_model_reads_what_is_fenced() -> None:
    model = _Model({"found": True, "answer": "9 of  b", "confidence": 0.7, "passages": ["P1", "P9", "P1"]})
    hostile = passage("b", 9)
    found = ModelReader(model)("what?", [hostile])
    assert found == PartAnswer("9 of b", 0.7, (hostile.id,))
    assert '<untrusted label="P1, page 9">' in model.asked


@pytest.mark.parametrize(
    "reply",
    [
        {"found": False, "answer": "x", "confidence": 0.9, "passages": ["P1"]},
        {"found": True, "answer": "x", "confidence": 0.9, "passages": ["P7"]},
    ],
)
def test_an_answer_on_nothing_is_none(reply: dict) -> None:
    assert not ModelReader(_Model(reply))("what?", [passage("b", 9)]).definite
