"""What an answer is."""

from __future__ import annotations

from dataclasses import dataclass

from aethel_core.audit import SentenceCheck

NOT_FOUND = "Not found in these documents."


@dataclass(frozen=True, slots=True)
class Cited:
    text: str
    passage_ids: tuple[str, ...]
    check: SentenceCheck


@dataclass(frozen=True, slots=True)
class Answer:
    """``sentences`` is empty where nothing was found; ``note`` says what did not go as planned."""

    question: str
    sentences: tuple[Cited, ...] = ()
    note: str = ""

    @property
    def found(self) -> bool:
        return bool(self.sentences)
