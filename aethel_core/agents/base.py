"""What specialists read and what they return: the one contract of this package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from aethel_core.audit import Derivation, Sources
from aethel_core.types import Document, Passage, Query, Ranking

Cancelled = Callable[[], bool]


class FindingKind(StrEnum):
    STATED = "stated"  # a passage says it
    DERIVED = "derived"  # computed from figures of passages
    CONTRADICTION = "contradiction"  # two passages disagree
    OWN = "own"  # a person put it in


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure of a finding: as written, what it is worth and what it measures.

    ``value`` has ``scale`` applied. ``label`` says which row and column of which table, or that
    it stands in prose; ``period`` is in words as the source puts it, "" where it says none;
    ``shown`` is how it is told, "" as written.
    """

    text: str
    value: float
    unit: str
    scale: float
    currency: str
    period: str
    measure: str
    passage_id: str
    label: str = ""
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim that at least one passage supports. ``confidence`` is between 0 and 1; ``path`` are
    the steps from the entities of the deal to the first passage; ``question`` is the id of the
    checklist question that asked for it, ``headline`` that it belongs in a summary."""

    id: str
    specialist: str
    claim: str
    passage_ids: tuple[str, ...]
    figures: tuple[Reading, ...] = ()
    confidence: float = 1.0
    kind: FindingKind = FindingKind.STATED
    question: str = ""
    section: str = ""
    derivation: Derivation | None = None
    path: tuple[str, ...] = ()
    note: str = ""
    headline: bool = False

    def __post_init__(self) -> None:
        if not self.passage_ids:
            raise ValueError(f"the finding {self.claim!r} names no passage")


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """What the checklist asked and the documents do not say."""

    specialist: str
    question: str
    text: str
    complete: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """``note`` says what did not go as planned (a model that failed, a cancel, an error)."""

    specialist: str
    findings: tuple[Finding, ...] = ()
    open_questions: tuple[OpenQuestion, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Brief:
    """The task. ``about`` are names of the deal's entities, in the person's words; ``documents``
    restricts the run to those ids, empty means all; ``retriever`` is the one that is asked."""

    about: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    retriever: str = "hybrid"
    k: int = 12


class Library(Protocol):
    """The documents as specialists see them."""

    sources: Sources

    def search(self, query: Query, retriever: str, k: int) -> Ranking: ...

    def documents(self) -> Sequence[Document]: ...

    def passages(self, passage_ids: Sequence[str]) -> dict[str, Passage]: ...

    def path(self, about: Sequence[str], passage_id: str) -> tuple[str, ...]:
        """The shortest way over the graph from the entities named to a passage, in words."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` questions of one specialist."""

    specialist: str
    done: int
    total: int
    doing: str = field(default="", compare=False)


OnProgress = Callable[[Progress], None]


class Specialist(Protocol):
    """``name`` is shown, ``key`` names its checklist and stands in ids."""

    key: str
    name: str

    def run(self, library: Library, brief: Brief, *, on_progress: OnProgress, cancelled: Cancelled) -> Report:
        """:raises Cancelled: it was asked to stop."""
        ...
