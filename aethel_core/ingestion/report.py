"""What an ingest says while it runs, and at its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from aethel_core.ingestion.prepare import Stage

Status = Literal["added", "duplicate", "new version", "failed", "cancelled", "password"]


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
    that is a duplicate; "" if there is none. ``version_of`` is the id of the older version.
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
