from dataclasses import dataclass

import pytest

from aethel_core.errors import MissingData
from aethel_core.evaluation.agreement import cohen_kappa
from aethel_core.evaluation.base import Gold
from aethel_core.evaluation.datasets import parse_questions, write_questions
from aethel_core.evaluation.labels import (
    Mark,
    labels_to_questions,
    marks_of,
    merged,
    question_id,
    questions_to_labels,
)
from aethel_core.evaluation.pooling import judging_queue
from aethel_core.types import Hit, Ranking
from tests.evaluation.fakes import FakeCorpus


@dataclass(frozen=True)
class Label:
    question: str
    passage_id: str
    labeller: str
    grade: int


CORPUS = FakeCorpus(
    {"aa": "LP.pdf"}, {"aa": [(1, "First."), (2, "Net asset value is 12."), (2, "Third one.")]}
)
LABELS = [
    Label("What is the NAV?", "aa:00001", "ann", 2),
    Label("What is the NAV?", "aa:00001", "bob", 1),
    Label("What is the NAV?", "aa:00002", "ann", 0),
    Label("Who signs?", "aa:00000", "bob", 0),
]


def passage_of(identity):
    return next(p for p in CORPUS.passages("aa") if p.id == identity)


def test_labels_become_questions_and_marks_again():
    questions = labels_to_questions(LABELS, passage_of, CORPUS.names.__getitem__, "ann")
    assert [(q.text, q.gold) for q in questions] == [
        ("What is the NAV?", (Gold("LP.pdf", 2, "Net asset value is 12.", 2),))
    ]
    read = parse_questions(write_questions(questions))
    assert questions_to_labels(read, CORPUS) == (Mark("What is the NAV?", "aa:00001", 2),)


def test_several_people_are_merged_by_the_lower_median():
    assert merged(LABELS)["What is the NAV?", "aa:00001"] == 1
    three = [*LABELS, Label("What is the NAV?", "aa:00001", "cyd", 2)]
    assert merged(three)["What is the NAV?", "aa:00001"] == 2


def test_agreement_of_two_people():
    found = cohen_kappa(marks_of(LABELS, "ann"), marks_of(LABELS, "bob"))
    assert found.judged == 1
    assert len(found.disagreements) == 1


def test_nothing_relevant_is_said():
    with pytest.raises(MissingData, match="No passage has been marked"):
        labels_to_questions(LABELS[2:], passage_of, CORPUS.names.__getitem__)


def test_question_ids_ignore_spacing():
    assert question_id("What  is\nit?") == question_id("What is it?") != question_id("What is that?")


def _ranking(name, *ids):
    return Ranking(name, tuple(Hit(i, 1.0) for i in ids))


def test_the_queue_is_the_union_without_what_is_judged():
    rankings = [_ranking("bm25", "p1", "p2", "p3"), _ranking("dense", "p3", "p4", "p5")]
    queue = judging_queue("q", rankings, judged={"p4"}, depth=2)
    assert set(queue.passages) == {"p1", "p2", "p3"}
    assert queue.pooled == 4


def test_the_order_of_the_queue_hides_retriever_and_rank():
    ids = [f"p{n}" for n in range(10)]
    forward = judging_queue("q", [_ranking("bm25", *ids), _ranking("dense", *ids[::-1])])
    backward = judging_queue("q", [_ranking("dense", *ids), _ranking("bm25", *ids[::-1])])
    assert forward == backward
    assert list(forward.passages) != ids
    assert forward.passages != judging_queue("another", [_ranking("bm25", *ids)]).passages
