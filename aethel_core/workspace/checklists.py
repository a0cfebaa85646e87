"""The specialists' checklists as a person edits them in a workspace, question by question."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace

from aethel_core.agents import KEYS
from aethel_core.agents.checklist import FORMAT, UNITS, Checklist, Question, builtin, read
from aethel_core.errors import InvalidInput
from aethel_core.finance.line_items import line_items
from aethel_core.memo import templates
from aethel_core.workspace.memos import MemoDesk

__all__ = [
    "KEYS",
    "UNITS",
    "Checklist",
    "Question",
    "changed",
    "items",
    "opened",
    "put",
    "remove",
    "reset",
    "sections",
]
_LONGEST_ID = 40


def opened(desk: MemoDesk, key: str) -> Checklist:
    """The checklist that the next run uses."""
    return read(desk.checklist(key))


def changed(desk: MemoDesk, key: str) -> bool:
    """Whether it differs from the one that comes with Aethel."""
    return opened(desk, key) != builtin(key)


def items() -> dict[str, str]:
    """The line items that a question can ask for, by id, with their names."""
    return {id: item.name for id, item in line_items().items()}


def sections(checklist: Checklist) -> tuple[str, ...]:
    """Those of the checklist, then all others that some template of a memo has a place for."""
    own = [question.section for question in checklist.questions]
    taken = [name for made in templates().values() for _, takes in made.sections for name in takes]
    return tuple(dict.fromkeys([*own, *sorted(taken)]))


def put(desk: MemoDesk, key: str, question: Question, before: str | None = None) -> None:
    """Keep a question: in place of the one with the id ``before``, or behind the last.

    :raises InvalidInput: it cannot be one; the message says what it lacks.
    """
    text = " ".join(question.question.split())
    if not text:
        raise InvalidInput("The question is empty. Say what the specialist has to find out.")
    if not question.section.strip():
        raise InvalidInput("The question has no section. Say where in a memo its answer belongs.")
    phrases = tuple(dict.fromkeys(phrase for raw in question.phrases if (phrase := " ".join(raw.split()))))
    if not (phrases or question.items):
        raise InvalidInput(
            "An answer cannot be recognised. Give words it contains, or line items it speaks of."
        )
    made = replace(question, question=text, section=question.section.strip(), phrases=phrases)
    known = opened(desk, key)
    others = [q.id for q in known.questions if q.id != before]
    if any(q.question == text and q.id != before for q in known.questions):
        raise InvalidInput("The checklist asks this already.")
    if before is None:
        added = (*known.questions, replace(made, id=_id(text, others)))
        _keep(desk, replace(known, questions=added))
        return
    if all(q.id != before for q in known.questions):
        raise InvalidInput("The checklist no longer holds this question.")
    kept = replace(made, id=before)
    _keep(desk, replace(known, questions=tuple(kept if q.id == before else q for q in known.questions)))


def remove(desk: MemoDesk, key: str, question_id: str) -> None:
    """:raises InvalidInput: it is the last question; a specialist has to ask something."""
    known = opened(desk, key)
    left = tuple(question for question in known.questions if question.id != question_id)
    if not left:
        raise InvalidInput(
            "A checklist needs at least one question. Leave the specialist out of the run instead."
        )
    _keep(desk, replace(known, questions=left))


def reset(desk: MemoDesk, key: str) -> None:
    """Go back to the checklist that comes with Aethel."""
    desk.set_checklist(key, None)


def _keep(desk: MemoDesk, checklist: Checklist) -> None:
    desk.set_checklist(checklist.key, _text(checklist))


def _text(checklist: Checklist) -> str:
    data = {"format": FORMAT, **asdict(checklist)}
    return json.dumps(data, ensure_ascii=False, indent=1)


def _id(text: str, taken: Sequence[str]) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_LONGEST_ID].strip("-") or "question"
    number, made = 2, words
    while made in taken:
        number, made = number + 1, f"{words}-{number}"
    return made
