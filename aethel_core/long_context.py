"""More evidence than a prompt should hold: split it, answer each half, fuse the answers.

Evidence above the limit (64,000 tokens unless set otherwise) is cut into two coherent halves:
passages of one document stay together and in reading order, the halves are of about equal size,
and only a document larger than a half is cut itself. Each half is answered by itself, with a
confidence. Then

    one definite answer      it is the answer
    two that agree           the one with the higher confidence
    two that differ          the one with the higher confidence; the conflict is shown
    none                     "unknown", said explicitly
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

from aethel_core import llm
from aethel_core.errors import InvalidInput, ModelUnavailable
from aethel_core.finance.numbers import Figure, find_figures, same_figure
from aethel_core.llm import UNTRUSTED, ChatModel, fenced
from aethel_core.text import match_form
from aethel_core.types import Passage

LIMIT = 64_000
UNKNOWN = "Unknown: the passages found do not answer the question."
Counter = Callable[[str], int]  # from a text to its tokens; `llm.tokens` estimates them


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What one half of the evidence says. ``text`` is "" where it does not answer."""

    text: str
    confidence: float = 0.0
    passage_ids: tuple[str, ...] = ()

    @property
    def definite(self) -> bool:
        return bool(self.text.strip())


@dataclass(frozen=True, slots=True)
class LongAnswer:
    """The fused answer. ``parts`` are those of the halves (one where nothing was split);
    ``conflict`` says how they differ; ``note`` what was left out or went wrong."""

    text: str
    confidence: float
    passage_ids: tuple[str, ...]
    parts: tuple[PartAnswer, ...]
    conflict: str = ""
    note: str = ""

    @property
    def known(self) -> bool:
        return any(part.definite for part in self.parts)

    @property
    def was_split(self) -> bool:
        return len(self.parts) > 1


class Reader(Protocol):
    """Answers from passages alone. :raises ModelUnavailable: it cannot."""

    def __call__(self, question: str, passages: Sequence[Passage]) -> PartAnswer: ...


def answer(
    question: str,
    passages: Sequence[Passage],
    read: Reader,
    *,
    limit: int = LIMIT,
    count: Counter = llm.tokens,
) -> LongAnswer:
    """:param passages: the evidence, best first.
    :param limit: tokens that one prompt may hold of it.
    :raises InvalidInput: the limit is not positive.
    :raises ModelUnavailable: no half could be read.
    """
    if limit < 1:
        raise InvalidInput(f"The limit is {limit} tokens; give at least one.")
    halves = split(passages, count) if total(passages, count) > limit else (tuple(passages),)
    fitted = [fit(half, passages, limit, count) for half in halves]
    left_out = sum(len(half) for half in halves) - sum(len(half) for half in fitted)
    parts, failures = [], []
    for half in fitted:
        try:
            parts.append(read(question, half) if half else PartAnswer(""))
        except ModelUnavailable as error:
            failures.append(error)
    if not parts:
        raise failures[0]
    notes = [f"{left_out} of {len(passages)} passages did not fit and were left out."] if left_out else []
    notes += [f"One half of the evidence could not be read: {error}" for error in failures]
    return replace(fuse(parts), note=" ".join(notes))


def total(passages: Sequence[Passage], count: Counter = llm.tokens) -> int:
    return sum(count(passage.text) for passage in passages)


def split(
    passages: Sequence[Passage], count: Counter = llm.tokens
) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
    """Two halves of about equal size, documents kept together, in reading order. The first holds the
    document of the best passage."""
    rank = {passage.id: place for place, passage in enumerate(passages)}
    groups: dict[str, list[Passage]] = {}
    for passage in passages:
        groups.setdefault(passage.document_id, []).append(passage)
    half = total(passages, count) / 2
    pieces = [
        piece
        for group in groups.values()
        for piece in _cut(sorted(group, key=lambda p: (p.page, p.start, p.id)), half, count)
    ]
    sides: tuple[list[list[Passage]], list[list[Passage]]] = ([], [])
    sizes = [0, 0]
    for piece in sorted(pieces, key=lambda p: (-total(p, count), min(rank[each.id] for each in p))):
        side = int(sizes[1] < sizes[0])
        sides[side].append(piece)
        sizes[side] += total(piece, count)
    order = {document: place for place, document in enumerate(groups)}
    first, second = sorted(
        (_in_reading_order(side, order) for side in sides),
        key=lambda side: min((rank[each.id] for each in side), default=len(rank)),
    )
    return first, second


def _in_reading_order(pieces: list[list[Passage]], order: dict[str, int]) -> tuple[Passage, ...]:
    every = (passage for piece in pieces for passage in piece)
    return tuple(sorted(every, key=lambda p: (order[p.document_id], p.page, p.start, p.id)))


def _cut(group: list[Passage], half: float, count: Counter) -> list[list[Passage]]:
    """A document larger than a half is cut where that comes nearest to the half; others stay whole."""
    sizes = [count(passage.text) for passage in group]
    if sum(sizes) <= half or len(group) < 2:
        return [group]
    reached, best = 0, (float("inf"), 1)
    for place, size in enumerate(sizes[:-1], start=1):
        reached += size
        best = min(best, (abs(reached - half), place))
    return [group[: best[1]], group[best[1] :]]


def fit(
    half: Sequence[Passage], ranked: Sequence[Passage], limit: int, count: Counter = llm.tokens
) -> tuple[Passage, ...]:
    """The best-ranked passages of a half that the limit allows, in the half's own order."""
    inside = {passage.id for passage in half}
    kept, size = set(), 0
    for passage in ranked:
        if passage.id in inside and size + count(passage.text) <= limit:
            kept.add(passage.id)
            size += count(passage.text)
    return tuple(passage for passage in half if passage.id in kept)


def fuse(parts: Sequence[PartAnswer]) -> LongAnswer:
    """One answer of the answers of the halves, by the rules above."""
    definite = sorted((part for part in parts if part.definite), key=lambda part: -part.confidence)
    if not definite:
        return LongAnswer(UNKNOWN, 0.0, (), tuple(parts))
    best = definite[0]
    conflict = ""
    if len(definite) > 1 and not agree(best.text, definite[1].text):
        conflict = (
            f"The halves of the evidence differ. Taken: “{best.text}” (confidence {best.confidence:.0%}). "
            f"Also found: “{definite[1].text}” (confidence {definite[1].confidence:.0%})."
        )
    return LongAnswer(best.text, best.confidence, best.passage_ids, tuple(parts), conflict)


def agree(one: str, other: str) -> bool:
    """The same figures, where both have figures; else the same words."""
    left, right = find_figures(one), find_figures(other)
    if left and right:
        return _within(left, right) or _within(right, left)
    return match_form(one) == match_form(other)


def _within(few: Sequence[Figure], many: Sequence[Figure]) -> bool:
    """Every figure of ``few`` is one of ``many``: a longer answer may say more."""
    return all(any(same_figure(figure, each) for each in many) for figure in few)


def counter(tokenizer: Path | None = None) -> Counter:
    """Counts by a tokenizer file (``tokenizer.json``) of the model in use; without one, the estimate.

    :raises ModelUnavailable: the file is none.
    """
    if tokenizer is None:
        return llm.tokens
    from tokenizers import Tokenizer

    if not tokenizer.is_file():
        raise ModelUnavailable(f"There is no tokenizer file {tokenizer.name}: check the settings.")
    try:
        text = tokenizer.read_text(encoding="utf-8")
        known = "model" in json.loads(text)
    except (OSError, ValueError, TypeError):
        known = False
    if not known:
        raise ModelUnavailable(f"The file {tokenizer.name} is no tokenizer: check the settings.")
    loaded = Tokenizer.from_str(text)
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)


# --- reading with a model ----------------------------------------------------------------------

_SYSTEM = (
    "You answer an analyst's question from the passages alone, with every figure and period as the passage "
    "gives it. If they do not answer it, say found = false. Give your confidence from 0 to 1 that the answer "
    "is right and complete, and the labels of the passages it stands on. " + UNTRUSTED
)


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")
    found: bool
    answer: str = Field(max_length=2000)
    confidence: float = Field(ge=0, le=1)
    passages: list[str] = Field(max_length=20)


class ModelReader:
    """Reads by a language model. Labels it made up are dropped; an answer on none is none."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model

    def __call__(self, question: str, passages: Sequence[Passage]) -> PartAnswer:
        shown = {f"P{number}": passage for number, passage in enumerate(passages, start=1)}
        text = "\n\n".join(
            fenced(f"{label}, page {passage.page}", passage.text) for label, passage in shown.items()
        )
        reply = self.model.structured(_SYSTEM, f"Question: {question}\n\nPassages:\n\n{text}", _Reply)
        ids = tuple(dict.fromkeys(shown[label].id for label in reply.passages if label in shown))
        if not reply.found or not ids:
            return PartAnswer("")
        return PartAnswer(" ".join(reply.answer.split()), reply.confidence, ids)
