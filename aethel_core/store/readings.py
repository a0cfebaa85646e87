"""What language models read in passages: kept as it comes in, by the passage's text.

A reading belongs to a document and goes with it. It is known by the digest of the text, so it holds
for every passage of the document with that text, also after the document was indexed anew.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from aethel_core.store.database import Database


@dataclass(frozen=True, slots=True)
class Unread:
    """A text that was not read, and the documents that hold it."""

    digest: str
    text: str
    documents: tuple[str, ...]


class Readings:
    def __init__(self, database: Database) -> None:
        self._database = database

    def stamp(self) -> int:
        """Moves on with every reading that is kept; 0 where there never was one."""
        with self._database.read() as connection:
            row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'readings'").fetchone()
            return row[0] if row else 0

    def by_passage(self) -> dict[str, str]:
        """The newest reading of every passage that was read, by passage id, as it was kept."""
        found: dict[str, str] = {}
        with self._database.read() as connection:
            kept = connection.execute("SELECT document_id, digest, data FROM readings ORDER BY number")
            newest = {(document, digest): data for document, digest, data in kept}
            documents = dict.fromkeys(document for document, _ in newest)
            for document in documents:
                for passage, text in _texts(connection, document):
                    data = newest.get((document, _digest(text)))
                    if data is not None:
                        found[passage] = data
        return found

    def unread(self, made_by: str) -> tuple[Unread, ...]:
        """The texts of passages that were not read like this in any document, each once, in the order of
        their documents."""
        holders: dict[str, tuple[str, dict[str, None]]] = {}
        with self._database.read() as connection:
            rows = connection.execute("SELECT digest FROM readings WHERE made_by = ?", (made_by,))
            known = {row[0] for row in rows}
            for document in _documents(connection):
                for _, text in _texts(connection, document):
                    digest = _digest(text)
                    if digest not in known:
                        holders.setdefault(digest, (text, {}))[1][document] = None
        return tuple(Unread(digest, text, tuple(held)) for digest, (text, held) in holders.items())

    def keep(self, read: Iterable[tuple[Unread, str]], made_by: str) -> None:
        """Keep readings in one transaction, for each document that still is there."""
        with self._database.write() as connection:
            for unread, data in read:
                for document in unread.documents:
                    _insert(connection, document, unread.digest, made_by, data)

    def share(self, made_by: str) -> int:
        """Give passages the reading that the same text has in another document; how many were given."""
        given = 0
        with self._database.write() as connection:
            rows = connection.execute(
                "SELECT document_id, digest, data FROM readings WHERE made_by = ?", (made_by,)
            )
            kept = [(document, digest, data) for document, digest, data in rows]
            have = {(document, digest) for document, digest, _ in kept}
            data_of = {digest: data for _, digest, data in kept}
            for document in _documents(connection) if kept else ():
                for digest in dict.fromkeys(_digest(text) for _, text in _texts(connection, document)):
                    if digest in data_of and (document, digest) not in have:
                        _insert(connection, document, digest, made_by, data_of[digest])
                        given += 1
        return given


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _insert(connection: sqlite3.Connection, document: str, digest: str, made_by: str, data: str) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO readings (document_id, digest, made_by, data) "
        "SELECT id, ?, ?, ? FROM documents WHERE id = ?",
        (digest, made_by, data, document),
    )


def _documents(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT id FROM documents ORDER BY added_at, id")]


def _texts(connection: sqlite3.Connection, document: str) -> Iterator[tuple[str, str]]:
    rows = connection.execute("SELECT id, text FROM passages WHERE document_id = ? ORDER BY id", (document,))
    yield from rows
