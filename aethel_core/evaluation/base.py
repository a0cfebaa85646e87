"""What every part of the lab shares: questions with their gold, paragraphs, data sets."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Level = Literal["page", "passage", "document"]
LEVELS: tuple[Level, ...] = ("page", "passage", "document")


@dataclass(frozen=True, slots=True)
class Gold:
    """Where an answer stands. ``page`` is 1-based; a grade above 1 is "more relevant"."""

    document: str
    page: int | None = None
    quote: str = ""
    grade: int = 1


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    gold: tuple[Gold, ...]
    answer: str = ""
    hops: int | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    title: str
    text: str

    @property
    def sha256(self) -> str:
        """The same title and text is the same paragraph, whichever question brought it."""
        return hashlib.sha256(f"{self.title}\0{self.text}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ParagraphQuestion:
    """A question with its own paragraphs; ``supporting`` are positions in ``paragraphs``."""

    id: str
    text: str
    paragraphs: tuple[Paragraph, ...]
    supporting: tuple[int, ...]
    answer: str = ""
    hops: int | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """The questions of a paragraph file; ``skipped`` are ids that cannot be measured because
    the file says they have no supporting paragraph."""

    name: str
    questions: tuple[ParagraphQuestion, ...]
    skipped: tuple[str, ...] = ()

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """Every different paragraph once, in order of first appearance."""
        return tuple(dict.fromkeys(p for question in self.questions for p in question.paragraphs))


def fingerprint(**shaped_by: object) -> str:
    """SHA-256 of the canonical JSON of everything that shaped a result."""
    text = json.dumps(shaped_by, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def listed(names: Sequence[str], most: int = 5) -> str:
    """A few names for a message: "a, b, c and 4 more"."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
