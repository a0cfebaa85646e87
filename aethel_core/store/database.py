"""One SQLite file: opening it safely, transactions, and its errors in words.

The file is in WAL mode, so readers see the last committed state and never wait for a writer;
``synchronous=FULL`` makes a commit survive a killed process and a power cut. Connections are
borrowed from a small pool rather than kept per thread, because a web server makes a new thread
for every run of a page. Writers of one process queue on a lock; those of another process wait in
SQLite for at most `BUSY_SECONDS`.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, RLock

from aethel_core.errors import WorkspaceError
from aethel_core.store.schema import APPLICATION_ID, MIGRATIONS

BUSY_SECONDS = 30
_IDLE_CONNECTIONS = 4

_SENTENCES = {
    "SQLITE_FULL": "The disk is full, so nothing was saved to {path}. Free some space and try again.",
    "SQLITE_READONLY": "{path} cannot be written. Check its permissions, or choose another folder.",
    "SQLITE_CANTOPEN": "{path} cannot be opened. Check that its folder exists and may be written.",
    "SQLITE_PERM": "{path} cannot be opened. Check its permissions.",
    "SQLITE_BUSY": "{path} is being written by another program. Try again when that has finished.",
    "SQLITE_LOCKED": "{path} is being written by another program. Try again when that has finished.",
    "SQLITE_CORRUPT": "{path} is damaged. Restore it from a backup.",
    "SQLITE_NOTADB": "{path} is not a workspace, or it is damaged. Restore it from a backup.",
    "SQLITE_IOERR": "{path} could not be read or written: the disk reports an error.",
    "SQLITE_TOOBIG": "The file is too large to be kept in a workspace.",
}


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn what SQLite says about the file, the disk or a lock into a `WorkspaceError`.

    Everything else (a wrong statement, a broken constraint) is a fault of the program and passes.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "")
        family = "_".join(name.split("_")[:2])  # SQLITE_IOERR_WRITE -> SQLITE_IOERR
        sentence = _SENTENCES.get(family)
        if sentence is None:
            raise
        raise WorkspaceError(sentence.format(path=path)) from error


class Database:
    """A workspace's file. Safe to share between threads."""

    def __init__(
        self,
        path: Path,
        *,
        create: bool = True,
        migrations: Sequence[str] = MIGRATIONS,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        """Open ``path``, create it if asked to, and bring it to the newest version. A file that may
        only be read is read; ``writable`` says so.

        :raises WorkspaceError: it is not there, not a workspace, newer than this program,
            damaged, or cannot be written although it has to be made or brought up to date.
        """
        self.path = path
        self._busy_seconds = busy_seconds
        self._idle: list[sqlite3.Connection] = []
        self._idle_lock = Lock()
        self._write_lock = RLock()
        self._writer: sqlite3.Connection | None = None
        self._closed = False
        _make_sure_of(path, create)
        self.writable = _may_write(path)
        self._sealed = not self.writable and not _may_write(path.parent) and not _has_log(path)
        with in_words(path):
            self._writer = self._connect()
            try:
                self._migrate(self._writer, migrations)
            except BaseException:
                self.close()
                raise

    def _connect(self) -> sqlite3.Connection:
        # Where no log can be made beside the file, nobody can write it either, and it is read as it is.
        sealed = f"{self.path.absolute().as_uri()}?immutable=1"
        connection = sqlite3.connect(
            sealed if self._sealed else self.path,
            timeout=self._busy_seconds,
            isolation_level=None,
            check_same_thread=False,
            uri=self._sealed,
        )
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # a deleted document leaves no text behind
        connection.execute("PRAGMA cache_size = -16000")
        return connection

    def _migrate(self, connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
        self._refuse_foreign(connection, len(migrations))
        if self.writable and _pragma(connection, "journal_mode") != "wal":
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only heeded before the first table
            connection.execute("PRAGMA journal_mode = WAL")
        if _pragma(connection, "user_version") == len(migrations):
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have done it while this one waited for the lock.
            version = self._refuse_foreign(connection, len(migrations))
            for script in migrations[version:]:
                for statement in _statements(script):
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(migrations)}")
            connection.execute("COMMIT")
        except BaseException:
            _roll_back(connection)
            raise

    def _refuse_foreign(self, connection: sqlite3.Connection, known: int) -> int:
        """The file's version; it is refused if it is newer, or not a workspace at all."""
        version = _pragma(connection, "user_version")
        owner = _pragma(connection, "application_id")
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if (tables or owner) and owner != APPLICATION_ID:
            raise WorkspaceError(f"{self.path} is a database of another program, not a workspace.")
        if version > known:
            raise WorkspaceError(
                f"{self.path} was written by a newer Aethel (format {version}; this one knows up to "
                f"{known}). Update Aethel to open it."
            )
        return version

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one committed state from its first statement to its last."""
        with in_words(self.path):
            connection = self._borrow()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                _roll_back(connection)
                self._give_back(connection)

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it is on disk when the block ends, or none of it if it raises."""
        with self._write_lock, in_words(self.path):
            if self._closed or self._writer is None:
                raise WorkspaceError(f"{self.path} was closed.")
            connection = self._writer
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise

    def shrink(self) -> None:
        """Give the space of deleted content back and empty the log, so that nothing of it stays."""
        with self._write_lock, in_words(self.path):
            if self._writer is not None:
                self._writer.execute("PRAGMA incremental_vacuum").fetchall()
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def problems(self) -> tuple[str, ...]:
        """What SQLite's full check finds wrong with the file; empty when it is sound."""
        with self.read() as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
        return tuple(text for text in found if text != "ok") + tuple(f"{row[0]}: orphan" for row in orphans)

    def backup(self, target: Path) -> None:
        """Write a consistent copy to ``target``, also while others read and write."""
        with in_words(target):
            copy = sqlite3.connect(target)
            try:
                with self.read() as source:
                    source.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # a backup is one file
            finally:
                copy.close()

    def close(self) -> None:
        with self._write_lock, self._idle_lock:
            self._closed = True
            for connection in (*self._idle, self._writer):
                if connection is not None:
                    connection.close()
            self._idle.clear()
            self._writer = None

    def _borrow(self) -> sqlite3.Connection:
        with self._idle_lock:
            if self._closed:
                raise WorkspaceError(f"{self.path} was closed.")
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._idle_lock:
            if not self._closed and len(self._idle) < _IDLE_CONNECTIONS:
                self._idle.append(connection)
                return
        connection.close()


def _make_sure_of(path: Path, create: bool) -> None:
    try:
        if path.is_file():
            return
    except OSError as error:
        raise WorkspaceError(
            f"The folder {path.parent} cannot be read ({error.strerror}). Check its permissions."
        ) from error
    if not create:
        raise WorkspaceError(f"There is no workspace in {path.parent}. Create it by adding documents to it.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(
            f"The folder {path.parent} cannot be created ({error.strerror}). Choose another one."
        ) from error


def _may_write(path: Path) -> bool:
    """Whether this user may write a file, or in a folder; one that is not there may be made."""
    effective = os.access in os.supports_effective_ids
    return not path.exists() or os.access(path, os.W_OK, effective_ids=effective)


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.is_file() and log.stat().st_size > 0


def _pragma(connection: sqlite3.Connection, name: str) -> int | str:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:  # SQLite ends some failed transactions (a full disk) by itself
        connection.execute("ROLLBACK")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one; ``executescript`` would commit before it starts."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
