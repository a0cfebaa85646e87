"""The tables of a workspace, as the migrations that lead to them.

``MIGRATIONS[n]`` takes a workspace from version n to n + 1; the file's ``user_version`` says how
many have been applied. A migration that was released is never edited: append another.

Everything that belongs to one document hangs on ``documents`` by ``ON DELETE CASCADE``, so that
one statement removes a document from every table. ``documents.revision`` is the value the
workspace's counter had when the document last changed: an index that remembers the revisions it
was made of can tell what to add and what to drop.
"""

from __future__ import annotations

APPLICATION_ID = 0x41455448  # "AETH", so that another program's database is not taken for ours

_FIRST = """
CREATE TABLE files (
    sha256 TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL UNIQUE REFERENCES files,
    metadata TEXT NOT NULL,
    page_count INTEGER NOT NULL,
    passage_count INTEGER NOT NULL,
    table_count INTEGER NOT NULL,
    entity_count INTEGER NOT NULL,
    ocr_pages INTEGER NOT NULL,
    size INTEGER NOT NULL,
    added_at TEXT NOT NULL,
    warnings TEXT NOT NULL,
    version_of TEXT NOT NULL,
    edited INTEGER NOT NULL,
    revision INTEGER NOT NULL
);
CREATE TABLE pages (
    document_id TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
    number INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (document_id, number)
);
CREATE TABLE passages (
    id TEXT PRIMARY KEY,
    document_id TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
    page INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    rects TEXT NOT NULL,
    section TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    "table" BLOB,
    statements TEXT NOT NULL
);
CREATE INDEX passages_of_page ON passages (document_id, page);
CREATE INDEX passages_of_section ON passages (section, document_id);
CREATE TABLE mentions (
    document_id TEXT PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    recogniser TEXT NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE vectors (
    document_id TEXT PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    model TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE segments (
    document_id TEXT PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE pending (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL UNIQUE REFERENCES files,
    added_at TEXT NOT NULL,
    position INTEGER NOT NULL,
    reason TEXT NOT NULL DEFAULT ''
);
CREATE TABLE labels (
    question TEXT NOT NULL,
    passage_id TEXT NOT NULL,
    document_id TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
    labeller TEXT NOT NULL,
    grade INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (question, passage_id, labeller)
);
CREATE INDEX labels_of_document ON labels (document_id);
CREATE TABLE history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    question TEXT NOT NULL,
    filters TEXT NOT NULL,
    retrievers TEXT NOT NULL,
    k INTEGER NOT NULL,
    at TEXT NOT NULL
);
CREATE TABLE memos (
    memo TEXT NOT NULL,
    version INTEGER NOT NULL,
    data TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (memo, version)
);
CREATE TABLE entity_edits (
    entity_id TEXT PRIMARY KEY,
    target TEXT NOT NULL
);
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE counter (
    revision INTEGER NOT NULL
);
INSERT INTO counter VALUES (0);
"""

# Pairs of names (ascending) that a person said do not denote the same.
_SECOND = """
CREATE TABLE names_apart (
    one TEXT NOT NULL,
    other TEXT NOT NULL,
    PRIMARY KEY (one, other)
);
"""

# What language models read in passages, by the digest of the passage's text, so that it outlives a
# document's being indexed anew. ``made_by`` names the prompt and the model.
_THIRD = """
CREATE TABLE readings (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
    digest TEXT NOT NULL,
    made_by TEXT NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (document_id, digest, made_by)
);
"""

# What read a document (`aethel_core.formats.reader`); "" of those that were read before that was kept.
_FOURTH = """
ALTER TABLE documents ADD COLUMN reader TEXT NOT NULL DEFAULT '';
"""

MIGRATIONS: tuple[str, ...] = (_FIRST, _SECOND, _THIRD, _FOURTH)
