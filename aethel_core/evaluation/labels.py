"""The marks people leave while reading, as a question file, as judgements, and back.

A mark says how relevant a passage is to a question: 0 not, 1 partly, 2 relevant. Where several
people marked the same passage and no one of them is asked for, the median counts, the lower of
the two middle ones when they are even in number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from aethel_core.errors import MissingData
from aethel_core.evaluation.agreement import Item
from aethel_core.evaluation.base import Gold, Question
from aethel_core.evaluation.judgements import Corpus, judge
from aethel_core.types import Passage


class Label(Protocol):
    """A mark as the store keeps it."""

    @property
    def question(self) -> str: ...
    @property
    def passage_id(self) -> str: ...
    @property
    def labeller(self) -> str: ...
    @property
    def grade(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark to be set, from an imported question file."""

    question: str
    passage_id: str
    grade: int


def question_id(text: str) -> str:
    """The same question text is the same question of the labelled set."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]


def marks_of(labels: Sequence[Label], labeller: str) -> dict[Item, int]:
    """One person's marks, for `agreement.cohen_kappa`."""
    return {(mark.question, mark.passage_id): mark.grade for mark in labels if mark.labeller == labeller}


def merged(labels: Sequence[Label], labeller: str = "") -> dict[Item, int]:
    """The grade that counts for each marked passage: one person's, or everyone's median."""
    grades: dict[Item, list[int]] = {}
    for mark in labels:
        if not labeller or mark.labeller == labeller:
            grades.setdefault((mark.question, mark.passage_id), []).append(mark.grade)
    return {item: sorted(given)[(len(given) - 1) // 2] for item, given in grades.items()}


def labels_to_questions(
    labels: Sequence[Label],
    passage: Callable[[str], Passage],
    document_name: Callable[[str], str],
    labeller: str = "",
) -> tuple[Question, ...]:
    """The labelled set: each question with the passages marked above 0 as gold, their text as the
    quote. Questions on which nothing was found relevant are left out: nothing can be measured.

    :raises MissingData: no passage has been marked relevant.
    """
    gold: dict[str, list[Gold]] = {}
    for (question, passage_id), grade in merged(labels, labeller).items():
        if grade > 0:
            found = passage(passage_id)
            place = Gold(document_name(found.document_id), found.page, found.text, grade)
            gold.setdefault(question, []).append(place)
    if not gold:
        raise MissingData("No passage has been marked relevant yet; mark some while reading.")
    return tuple(Question(question_id(text), text, tuple(places)) for text, places in gold.items())


def questions_to_labels(questions: Sequence[Question], corpus: Corpus) -> tuple[Mark, ...]:
    """The marks that an imported question file amounts to in this corpus.

    :raises MissingData: as `judgements.judge` at passage level.
    """
    judged = judge(questions, corpus, "passage")
    return tuple(
        Mark(question.text, passage, grade)
        for question in judged.questions
        for passage, grade in question.relevant
    )
