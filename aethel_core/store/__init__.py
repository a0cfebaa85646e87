"""The durable workspace: one SQLite file, the only truth; everything else derives from it."""

from __future__ import annotations

from pathlib import Path

from aethel_core.store.database import Database
from aethel_core.store.documents import Content, Counts, Documents, Indexable, Made
from aethel_core.store.journal import HistoryEntry, Journal, Label, MemoVersion
from aethel_core.store.queue import PendingFile, Queue, Turn
from aethel_core.store.readings import Readings, Unread

__all__ = [
    "FILE_NAME",
    "LOCK_NAME",
    "READING_LOCK_NAME",
    "Content",
    "Counts",
    "Documents",
    "HistoryEntry",
    "Indexable",
    "Journal",
    "Label",
    "Made",
    "MemoVersion",
    "PendingFile",
    "Queue",
    "Readings",
    "Store",
    "Turn",
    "Unread",
]

FILE_NAME = "workspace.sqlite"
LOCK_NAME = "ingest.lock"
READING_LOCK_NAME = "reading.lock"


class Store:
    """The file of one workspace folder, by what it holds."""

    def __init__(self, folder: Path, *, create: bool = True) -> None:
        """:raises WorkspaceError: see `Database`."""
        self.database = Database(folder / FILE_NAME, create=create)
        self.documents = Documents(self.database)
        self.queue = Queue(self.database)
        self.journal = Journal(self.database)
        self.readings = Readings(self.database)
        self._folder = folder

    def turn(self) -> Turn:
        """A claim on the right to add documents, not taken yet."""
        return Turn(self._folder / LOCK_NAME)

    def reading_turn(self) -> Turn:
        """A claim on the right to let a model read the passages, not taken yet."""
        return Turn(self._folder / READING_LOCK_NAME)

    def close(self) -> None:
        self.database.close()
