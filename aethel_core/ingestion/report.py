"""What an ingest says while it runs, and at its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from aethel_core.ingestion.prepare import Stage

Status = Literal["added", "duplicate", "copy", "new version", "failed", "cancelled", "password"]
STORED: tuple[Status, ...] = ("added", "copy", "new version")


@dataclass(frozen=True, slots=True)
class Progress:
    """``file_number`` is 1-based; ``done`` of ``total`` counts what the stage goes by: pages,
    passages for the entities and vectors."""

    file: str
    file_number: int
    files: int
    stage: Stage
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file. ``document_id`` is the stored document: the new one, or the one
    of which it is a "duplicate", byte for byte; "" if there is none. A "copy" was stored too: its text is
    that of another document, but the file is not. ``version_of`` is the id of the other version.
    A file that ended as "password" or "cancelled" waits, and can be resumed."""

    name: str
    status: Status
    document_id: str = ""
    message: str = ""
    seconds: float = field(default=0.0, compare=False)
    version_of: str = ""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """One outcome per file, in the order in which the files were given."""

    outcomes: tuple[Outcome, ...]

    def of(self, *statuses: Status) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in self.outcomes if outcome.status in statuses)

    @property
    def complete(self) -> bool:
        """Whether every file is in the workspace now."""
        return not self.of("failed", "cancelled", "password")
