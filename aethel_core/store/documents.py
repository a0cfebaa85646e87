"""Documents and everything made of them: pages, passages, mentions, vectors, segments."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from aethel_core.errors import DuplicateDocument, InvalidInput, UnknownDocument, UnknownPassage
from aethel_core.store import codec
from aethel_core.store.database import Database
from aethel_core.types import (
    Document,
    Mention,
    Metadata,
    Page,
    Passage,
)

_DOCUMENT = (
    "id, name, sha256, metadata, page_count, passage_count, table_count, entity_count, ocr_pages, "
    "size, added_at, warnings, version_of, edited"
)
_PASSAGE = 'id, document_id, page, start, "end", rects, section, kind, text, "table", statements'


@dataclass(frozen=True, slots=True)
class Content:
    """All that is kept of one document, written and replaced in one transaction.

    ``pages`` are `codec.encode_page` of each page, first to last. ``vectors`` has one row per
    passage, made by ``model``; ``mentions`` were read by ``recogniser``, all else by ``reader``. These
    names are fingerprints: when the program or the settings make another one, the document is out of
    date. ``file`` replaces the stored file (a decrypted copy), None keeps it.
    """

    document: Document
    pages: tuple[bytes, ...]
    passages: tuple[Passage, ...]
    mentions: tuple[Mention, ...]
    recogniser: str
    vectors: np.ndarray
    model: str
    reader: str
    file: bytes | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    documents: int
    pages: int
    passages: int


@dataclass(frozen=True, slots=True)
class Made:
    """What read a document, and which recogniser and embedding model its mentions and vectors came from."""

    reader: str
    recogniser: str
    model: str


@dataclass(frozen=True, slots=True)
class Indexable:
    """What an index is derived from, of one document as it was at ``revision``."""

    revision: int
    metadata: Metadata
    passages: tuple[Passage, ...]
    mentions: tuple[Mention, ...]
    vectors: np.ndarray


class Documents:
    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> tuple[Document, ...]:
        """Every document, in the order in which they were added."""
        with self._database.read() as connection:
            rows = connection.execute(f"SELECT {_DOCUMENT} FROM documents ORDER BY added_at, id")
            return tuple(_document(row) for row in rows)

    def get(self, document_id: str) -> Document:
        with self._database.read() as connection:
            return _get(connection, document_id)

    def with_sha256(self, sha256: str) -> Document | None:
        with self._database.read() as connection:
            row = connection.execute(
                f"SELECT {_DOCUMENT} FROM documents WHERE sha256 = ?", (sha256,)
            ).fetchone()
            return _document(row) if row else None

    def counts(self) -> Counts:
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT count(*), coalesce(sum(page_count), 0), coalesce(sum(passage_count), 0) "
                "FROM documents"
            ).fetchone()
            return Counts(*row)

    def revisions(self) -> tuple[int, dict[str, int]]:
        """The workspace's revision, and the one at which each document last changed."""
        with self._database.read() as connection:
            revision = connection.execute("SELECT revision FROM counter").fetchone()[0]
            return revision, dict(connection.execute("SELECT id, revision FROM documents"))

    def revision(self) -> int:
        with self._database.read() as connection:
            return connection.execute("SELECT revision FROM counter").fetchone()[0]

    def add(self, content: Content) -> None:
        """Store a new document and take it off the queue of pending files, or do neither.

        :raises DuplicateDocument: its content was stored meanwhile.
        """
        document = content.document
        with self._database.write() as connection:
            if connection.execute("SELECT 1 FROM documents WHERE id = ?", (document.id,)).fetchone():
                raise DuplicateDocument(f"{document.name} is already in the workspace.", document.id)
            _write_file(connection, content)
            columns = _DOCUMENT + ", reader, revision"
            marks = ", ".join("?" * (columns.count(",") + 1))
            connection.execute(
                f"INSERT INTO documents ({columns}) VALUES ({marks})",
                (*_document_values(document), content.reader, _next_revision(connection)),
            )
            _write_content(connection, content)
            connection.execute("DELETE FROM pending WHERE sha256 = ?", (document.sha256,))

    def replace(self, content: Content) -> None:
        """Store a document's content anew. Labels follow their passages where the text is the same.

        :raises UnknownDocument: it was deleted meanwhile.
        """
        document = content.document
        with self._database.write() as connection:
            _get(connection, document.id)
            labels = _labels_by_text(connection, document.id)
            for table in ("pages", "passages", "mentions", "vectors", "segments"):
                connection.execute(f"DELETE FROM {table} WHERE document_id = ?", (document.id,))
            _write_file(connection, content)
            assignments = ", ".join(f"{name} = ?" for name in _DOCUMENT.split(", "))
            connection.execute(
                f"UPDATE documents SET {assignments}, reader = ?, revision = ? WHERE id = ?",
                (*_document_values(document), content.reader, _next_revision(connection), document.id),
            )
            _write_content(connection, content)
            _move_labels(connection, document.id, labels, content.passages)

    def update(self, document: Document, vectors: np.ndarray | None = None, model: str = "") -> None:
        """Change what is said about a document and, where its context changed, its vectors.

        :raises UnknownDocument: it was deleted meanwhile.
        """
        with self._database.write() as connection:
            _get(connection, document.id)
            connection.execute(
                "UPDATE documents SET name = ?, metadata = ?, version_of = ?, edited = ?, revision = ? "
                "WHERE id = ?",
                (
                    document.name,
                    codec.encode_metadata(document.metadata),
                    document.version_of,
                    document.edited,
                    _next_revision(connection),
                    document.id,
                ),
            )
            connection.execute("DELETE FROM segments WHERE document_id = ?", (document.id,))
            if vectors is not None:
                _write_vectors(connection, document.id, vectors, model)

    def delete(self, document_ids: Sequence[str]) -> None:
        """Remove documents from every table.

        :raises UnknownDocument: one of them is not there; then nothing is removed.
        """
        with self._database.write() as connection:
            for document_id in document_ids:
                sha256 = _get(connection, document_id).sha256
                connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
                connection.execute(
                    "UPDATE documents SET version_of = '' WHERE version_of = ?", (document_id,)
                )
                connection.execute(
                    "DELETE FROM files WHERE sha256 = ? AND sha256 NOT IN (SELECT sha256 FROM pending)",
                    (sha256,),
                )
            _next_revision(connection)
        self._database.shrink()

    def file(self, document_id: str) -> bytes:
        """The PDF: as it was added, or its decrypted copy if it needed a password."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT data FROM files JOIN documents USING (sha256) WHERE id = ?", (document_id,)
            ).fetchone()
        if row is None:
            raise UnknownDocument(document_id)
        return row[0]

    def page(self, document_id: str, number: int) -> Page:
        """:raises InvalidInput: the document has no page of that number."""
        with self._database.read() as connection:
            document = _get(connection, document_id)
            row = connection.execute(
                "SELECT data FROM pages WHERE document_id = ? AND number = ?", (document_id, number)
            ).fetchone()
        if row is None:
            raise InvalidInput(
                f"{document.name} has pages 1 to {document.page_count}; {number} is none of them."
            )
        return codec.decode_page(row[0])

    def pages(self, document_id: str) -> tuple[Page, ...]:
        with self._database.read() as connection:
            _get(connection, document_id)
            rows = connection.execute(
                "SELECT data FROM pages WHERE document_id = ? ORDER BY number", (document_id,)
            )
            return tuple(codec.decode_page(row[0]) for row in rows)

    def passages(self, document_id: str, page: int | None = None) -> tuple[Passage, ...]:
        """The document's passages, or those of one page, in the order of their ids."""
        with self._database.read() as connection:
            _get(connection, document_id)
            rows = connection.execute(
                f"SELECT {_PASSAGE} FROM passages "
                "WHERE document_id = ? AND page = coalesce(?, page) ORDER BY id",
                (document_id, page),
            )
            return tuple(codec.decode_passage(row) for row in rows)

    def passages_by_id(self, passage_ids: Iterable[str]) -> dict[str, Passage]:
        """:raises UnknownPassage: one of them is not there."""
        found: dict[str, Passage] = {}
        with self._database.read() as connection:
            for passage_id in passage_ids:
                row = connection.execute(
                    f"SELECT {_PASSAGE} FROM passages WHERE id = ?", (passage_id,)
                ).fetchone()
                if row is None:
                    raise UnknownPassage(passage_id)
                found[passage_id] = codec.decode_passage(row)
        return found

    def texts(self, document_id: str) -> tuple[str, ...]:
        """The text of each passage of a document, without the cost of the rest."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT text FROM passages WHERE document_id = ? ORDER BY id", (document_id,)
            )
            return tuple(row[0] for row in rows)

    def sections(self) -> dict[str, frozenset[str]]:
        """Each section title, and the documents that have a passage in it."""
        found: dict[str, set[str]] = {}
        with self._database.read() as connection:
            for section, document_id in connection.execute(
                "SELECT DISTINCT section, document_id FROM passages"
            ):
                found.setdefault(section, set()).add(document_id)
        return {section: frozenset(documents) for section, documents in sorted(found.items())}

    def mentions(self, document_id: str) -> tuple[Mention, ...]:
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT data FROM mentions WHERE document_id = ?", (document_id,)
            ).fetchone()
        if row is None:
            raise UnknownDocument(document_id)
        return codec.decode_mentions(row[0])

    def vectors(self, document_id: str) -> np.ndarray:
        """float32, one row per passage in the order of their ids."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT data, dimensions FROM vectors WHERE document_id = ?", (document_id,)
            ).fetchone()
        if row is None:
            raise UnknownDocument(document_id)
        return codec.decode_vectors(*row)

    def indexable(self, document_id: str) -> Indexable:
        """One consistent view, also while the document is being replaced."""
        with self._database.read() as connection:
            document = _get(connection, document_id)
            revision, mentions, vectors, dimensions = connection.execute(
                "SELECT revision, mentions.data, vectors.data, dimensions FROM documents "
                "JOIN mentions ON mentions.document_id = id JOIN vectors ON vectors.document_id = id "
                "WHERE id = ?",
                (document_id,),
            ).fetchone()
            rows = connection.execute(
                f"SELECT {_PASSAGE} FROM passages WHERE document_id = ? ORDER BY id", (document_id,)
            )
            passages = tuple(codec.decode_passage(row) for row in rows)
        return Indexable(
            revision,
            document.metadata,
            passages,
            codec.decode_mentions(mentions),
            codec.decode_vectors(vectors, dimensions),
        )

    def made(self) -> dict[str, Made]:
        """For every document, what it was read and made with."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT id, reader, recogniser, model FROM documents "
                "JOIN mentions ON mentions.document_id = id JOIN vectors ON vectors.document_id = id"
            )
            return {document_id: Made(*made) for document_id, *made in rows}

    def segment(self, document_id: str, fingerprint: str) -> tuple[int, bytes] | None:
        """The document's revision and what an index derived from it, if made under ``fingerprint``."""
        with self._database.read() as connection:
            return connection.execute(
                "SELECT revision, data FROM segments JOIN documents ON id = document_id "
                "WHERE document_id = ? AND fingerprint = ?",
                (document_id, fingerprint),
            ).fetchone()

    def keep_segment(self, document_id: str, revision: int, fingerprint: str, data: bytes) -> None:
        """Keep a derived segment, unless the document changed since ``revision``."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO segments "
                "SELECT id, ?, ? FROM documents WHERE id = ? AND revision = ?",
                (fingerprint, data, document_id, revision),
            )


def _get(connection: sqlite3.Connection, document_id: str) -> Document:
    row = connection.execute(f"SELECT {_DOCUMENT} FROM documents WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        raise UnknownDocument(document_id)
    return _document(row)


def _next_revision(connection: sqlite3.Connection) -> int:
    connection.execute("UPDATE counter SET revision = revision + 1")
    return connection.execute("SELECT revision FROM counter").fetchone()[0]


def _document(row: Sequence) -> Document:
    values = list(row)
    values[3] = codec.decode_metadata(values[3])
    values[11] = tuple(json.loads(values[11]))
    values[13] = bool(values[13])
    return Document(*values)


def _document_values(document: Document) -> tuple:
    return (
        document.id,
        document.name,
        document.sha256,
        codec.encode_metadata(document.metadata),
        document.page_count,
        document.passage_count,
        document.table_count,
        document.entity_count,
        document.ocr_pages,
        document.size,
        document.added_at,
        json.dumps(document.warnings),
        document.version_of,
        document.edited,
    )


def _write_file(connection: sqlite3.Connection, content: Content) -> None:
    if content.file is not None:
        connection.execute(
            "INSERT INTO files VALUES (?, ?, ?) ON CONFLICT (sha256) DO UPDATE SET data = excluded.data",
            (content.document.sha256, content.document.size, content.file),
        )


def _write_content(connection: sqlite3.Connection, content: Content) -> None:
    document_id = content.document.id
    connection.executemany(
        "INSERT INTO pages VALUES (?, ?, ?)",
        ((document_id, number, data) for number, data in enumerate(content.pages, start=1)),
    )
    connection.executemany(
        f"INSERT INTO passages ({_PASSAGE}) VALUES ({', '.join('?' * 11)})",
        (codec.encode_passage(passage) for passage in content.passages),
    )
    connection.execute(
        "INSERT INTO mentions VALUES (?, ?, ?)",
        (document_id, content.recogniser, codec.encode_mentions(content.mentions)),
    )
    _write_vectors(connection, document_id, content.vectors, content.model)


def _write_vectors(connection: sqlite3.Connection, document_id: str, vectors: np.ndarray, model: str) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)",
        (document_id, model, vectors.shape[1], codec.encode_vectors(vectors)),
    )


def _labels_by_text(connection: sqlite3.Connection, document_id: str) -> list[tuple]:
    return connection.execute(
        "SELECT question, passages.text, labeller, grade, at FROM labels "
        "JOIN passages ON passages.id = labels.passage_id WHERE labels.document_id = ?",
        (document_id,),
    ).fetchall()


def _move_labels(
    connection: sqlite3.Connection, document_id: str, labels: list[tuple], passages: Sequence[Passage]
) -> None:
    ids = {passage.text: passage.id for passage in reversed(passages)}
    connection.execute("DELETE FROM labels WHERE document_id = ?", (document_id,))
    connection.executemany(
        "INSERT OR REPLACE INTO labels VALUES (?, ?, ?, ?, ?, ?)",
        (
            (question, ids[text], document_id, labeller, grade, at)
            for question, text, labeller, grade, at in labels
            if text in ids
        ),
    )
