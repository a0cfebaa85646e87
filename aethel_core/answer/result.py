"""What an answer is."""

from __future__ import annotations

from dataclasses import dataclass

from aethel_core.audit import SentenceCheck

NOT_FOUND = "Not found in these documents."
CLOSEST = "These sentences come closest to the question; they may not answer it."


@dataclass(frozen=True, slots=True)
class Cited:
    text: str
    passage_ids: tuple[str, ...]
    check: SentenceCheck


@dataclass(frozen=True, slots=True)
class Answer:
    """``sentences`` is empty where nothing was found; ``note`` says what did not go as planned.
    ``sure`` is False where they may only come close to what was asked."""

    question: str
    sentences: tuple[Cited, ...] = ()
    note: str = ""
    sure: bool = True

    @property
    def found(self) -> bool:
        return bool(self.sentences)
