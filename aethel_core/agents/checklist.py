"""Checklists: what each specialist asks, kept as JSON that a person can read and change."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aethel_core.errors import InvalidInput, MissingData
from aethel_core.finance.line_items import line_items
from aethel_core.finance.metrics import metrics

_FOLDER = Path(__file__).parent / "data"
FORMAT = 1
WHOSE = ("", "fund", "company")
UNITS = ("currency", "percent", "bps", "multiple", "per share", "shares", "days", "months", "years", "count")


@dataclass(frozen=True, slots=True)
class Question:
    """``question`` goes to the retriever. An answer speaks of one of ``items`` (line items) or
    holds one of ``phrases``; with ``units`` it holds a figure in one of them. ``complete`` tells a
    reader what a complete answer holds. At most ``most`` findings are kept. ``of`` is "fund" or
    "company" where only the papers of such a one can answer, "" otherwise."""

    id: str
    question: str
    section: str
    complete: str
    phrases: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    most: int = 2
    headline: bool = False
    latest: bool = True
    of: str = ""


@dataclass(frozen=True, slots=True)
class Checklist:
    """``metrics`` are computed from the figures found, where all inputs are."""

    key: str
    name: str
    questions: tuple[Question, ...]
    metrics: tuple[str, ...] = ()


def builtin(key: str) -> Checklist:
    """:raises MissingData: the file that comes with Aethel is not there."""
    return read(builtin_text(key))


def builtin_text(key: str) -> str:
    try:
        return (_FOLDER / f"{key}.json").read_text(encoding="utf-8")
    except OSError as error:
        raise MissingData(
            f"The checklist {key}.json cannot be read ({error.strerror}). Reinstall Aethel."
        ) from error


def read(text: str) -> Checklist:
    """:raises InvalidInput: it is not a checklist; the message says where."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InvalidInput(f"The checklist is not JSON: {error}.") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidInput(f'The checklist must be an object with "format": {FORMAT}.')
    questions = tuple(_question(entry, n) for n, entry in enumerate(_list(data, "questions"), start=1))
    ids = [question.id for question in questions]
    if len(set(ids)) != len(ids):
        raise InvalidInput("Two questions of the checklist have the same id; give each its own.")
    chosen = tuple(str(m) for m in _list(data, "metrics"))
    unknown = [m for m in chosen if m not in metrics()]
    if unknown:
        raise InvalidInput(f"The checklist names the unknown metric {unknown[0]!r}.")
    return Checklist(_text(data, "key"), _text(data, "name"), questions, chosen)


def _question(entry: Any, number: int) -> Question:
    if not isinstance(entry, dict):
        raise InvalidInput(f"Question {number} of the checklist is not an object.")
    known = set(Question.__dataclass_fields__)
    extra = sorted(set(entry) - known)
    if extra:
        raise InvalidInput(f"Question {number} of the checklist has the unknown field {extra[0]!r}.")
    items = tuple(str(item) for item in _list(entry, "items"))
    units = tuple(str(unit) for unit in _list(entry, "units"))
    for value, allowed, what in ((items, line_items(), "line item"), (units, UNITS, "unit")):
        unknown = [v for v in value if v not in allowed]
        if unknown:
            raise InvalidInput(f"Question {number} of the checklist names the unknown {what} {unknown[0]!r}.")
    phrases = tuple(str(phrase) for phrase in _list(entry, "phrases"))
    if not (phrases or items):
        raise InvalidInput(f"Question {number} of the checklist needs phrases or items to know an answer by.")
    if entry.get("of", "") not in WHOSE:
        raise InvalidInput(f'Question {number} of the checklist: "of" is one of fund, company or empty.')
    most = entry.get("most", 2)
    if not isinstance(most, int) or not 1 <= most <= 20:
        raise InvalidInput(f'Question {number} of the checklist: "most" is a whole number from 1 to 20.')
    return Question(
        _text(entry, "id"),
        _text(entry, "question"),
        _text(entry, "section"),
        str(entry.get("complete", "")),
        phrases,
        items,
        units,
        most,
        bool(entry.get("headline", False)),
        bool(entry.get("latest", True)),
        str(entry.get("of", "")),
    )


def _text(entry: dict[str, Any], name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"The checklist lacks the text {name!r} where it needs one.")
    return value


def _list(entry: dict[str, Any], name: str) -> list[Any]:
    value = entry.get(name, [])
    if not isinstance(value, list):
        raise InvalidInput(f"{name!r} in the checklist must be a list.")
    return value
