"""Files that were handed over and are not documents yet.

They are written, with their bytes, before the first of them is read, and each leaves in the
transaction that stores its document. So whatever ends an ingest leaves the rest here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aethel_core.errors import InvalidInput, WorkspaceError
from aethel_core.store.clock import now
from aethel_core.store.database import Database, in_words
from aethel_core.types import document_id

_COLUMNS = "pending.id, name, pending.sha256, size, added_at, reason"


@dataclass(frozen=True, slots=True)
class PendingFile:
    """``id`` is the one its document will have; ``reason`` is the sentence that says why it is not a
    document yet, where that is known."""

    id: str
    name: str
    sha256: str
    size: int
    added_at: str
    reason: str = ""


class Queue:
    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, files: Iterable[tuple[str, str, bytes]]) -> tuple[PendingFile, ...]:
        """Queue (name, sha256, bytes) of each file, all or none; one that waits already keeps its place."""
        queued: list[str] = []
        with self._database.write() as connection:
            last = connection.execute("SELECT coalesce(max(position), 0) FROM pending").fetchone()[0]
            for position, (name, sha256, data) in enumerate(files, start=last + 1):
                connection.execute("INSERT OR IGNORE INTO files VALUES (?, ?, ?)", (sha256, len(data), data))
                connection.execute(
                    "INSERT INTO pending (id, name, sha256, added_at, position) VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT (sha256) DO UPDATE SET name = excluded.name, reason = ''",
                    (document_id(sha256), name, sha256, now(), position),
                )
                queued.append(document_id(sha256))
        return tuple(self.get(pending_id) for pending_id in queued)

    def all(self) -> tuple[PendingFile, ...]:
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM pending JOIN files USING (sha256) ORDER BY position"
            )
            return tuple(PendingFile(*row) for row in rows)

    def get(self, pending_id: str) -> PendingFile:
        """:raises InvalidInput: no such file is waiting."""
        with self._database.read() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM pending JOIN files USING (sha256) WHERE pending.id = ?",
                (pending_id,),
            ).fetchone()
        if row is None:
            raise InvalidInput(f"No file {pending_id!r} is waiting in this workspace.")
        return PendingFile(*row)

    def data(self, pending_id: str) -> bytes:
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT data FROM files JOIN pending USING (sha256) WHERE pending.id = ?", (pending_id,)
            ).fetchone()
        if row is None:
            raise InvalidInput(f"No file {pending_id!r} is waiting in this workspace.")
        return row[0]

    def keep(self, pending_id: str, reason: str) -> None:
        """Leave the file waiting, and say why."""
        with self._database.write() as connection:
            connection.execute("UPDATE pending SET reason = ? WHERE id = ?", (reason, pending_id))

    def discard(self, pending_ids: Sequence[str]) -> None:
        """Forget files and their bytes; those that are not waiting any more are passed over."""
        with self._database.write() as connection:
            for pending_id in pending_ids:
                row = connection.execute("SELECT sha256 FROM pending WHERE id = ?", (pending_id,)).fetchone()
                if row is None:
                    continue
                connection.execute("DELETE FROM pending WHERE id = ?", (pending_id,))
                connection.execute(
                    "DELETE FROM files WHERE sha256 = ? AND sha256 NOT IN (SELECT sha256 FROM documents)", row
                )


class Turn:
    """The right to add documents to a workspace: one holder at a time, over all processes.

    It is an exclusive lock on a little SQLite file beside the workspace: SQLite locks files on
    every platform, and the operating system drops the lock when its holder dies, so a killed
    ingest never leaves one behind.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def take(self) -> bool:
        """Whether the turn was free; then it is this object's until `release`."""
        with in_words(self._path):
            connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
            try:
                connection.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                connection.close()
                if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                    return False
                raise
        self._connection = connection
        return True

    def release(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def free(self) -> bool:
        """Whether nobody adds documents just now; where no lock can be made, nobody can."""
        probe = Turn(self._path)
        try:
            taken = probe.take()
        except WorkspaceError:
            return True
        probe.release()
        return taken
