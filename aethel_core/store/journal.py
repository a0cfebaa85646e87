"""What people leave in a workspace besides documents: questions asked, marks, memos, choices."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aethel_core.errors import InvalidInput, UnknownPassage
from aethel_core.store import codec
from aethel_core.store.clock import now
from aethel_core.store.database import Database
from aethel_core.types import Filters


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    id: int
    question: str
    filters: Filters
    retrievers: tuple[str, ...]
    k: int
    at: str


@dataclass(frozen=True, slots=True)
class Label:
    """``labeller`` marked a passage for a question: grade 0 is "not relevant", higher is better."""

    question: str
    passage_id: str
    labeller: str
    grade: int
    at: str


@dataclass(frozen=True, slots=True)
class MemoVersion:
    """One saved state of a memo; ``data`` is its JSON."""

    memo: str
    version: int
    data: str
    at: str


class Journal:
    def __init__(self, database: Database) -> None:
        self._database = database

    def remember(self, question: str, filters: Filters, retrievers: Sequence[str], k: int) -> HistoryEntry:
        at = now()
        with self._database.write() as connection:
            number = connection.execute(
                "INSERT INTO history (question, filters, retrievers, k, at) VALUES (?, ?, ?, ?, ?)",
                (question, codec.encode_filters(filters), json.dumps(list(retrievers)), k, at),
            ).lastrowid
        return HistoryEntry(number, question, filters, tuple(retrievers), k, at)

    def history(self, limit: int) -> tuple[HistoryEntry, ...]:
        """The latest questions, newest first."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT id, question, filters, retrievers, k, at FROM history ORDER BY id DESC LIMIT ?",
                (limit,),
            )
            return tuple(
                HistoryEntry(i, q, codec.decode_filters(f), tuple(json.loads(r)), k, at)
                for i, q, f, r, k, at in rows
            )

    def forget(self) -> None:
        """Empty the question history."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM history")

    def label(self, question: str, passage_id: str, labeller: str, grade: int | None) -> None:
        """Set, change or (with None) take back one mark.

        :raises InvalidInput: the grade is negative.
        :raises UnknownPassage: the passage is not there.
        """
        if grade is not None and grade < 0:
            raise InvalidInput(f"A grade is 0 or more, not {grade}.")
        with self._database.write() as connection:
            row = connection.execute(
                "SELECT document_id FROM passages WHERE id = ?", (passage_id,)
            ).fetchone()
            if row is None:
                raise UnknownPassage(passage_id)
            if grade is None:
                connection.execute(
                    "DELETE FROM labels WHERE question = ? AND passage_id = ? AND labeller = ?",
                    (question, passage_id, labeller),
                )
            else:
                connection.execute(
                    "INSERT OR REPLACE INTO labels VALUES (?, ?, ?, ?, ?, ?)",
                    (question, passage_id, row[0], labeller, grade, now()),
                )

    def labels(self) -> tuple[Label, ...]:
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT question, passage_id, labeller, grade, at FROM labels "
                "ORDER BY question, passage_id, labeller"
            )
            return tuple(Label(*row) for row in rows)

    def save_memo(self, memo: str, data: str) -> MemoVersion:
        """Add a version; earlier ones stay."""
        at = now()
        with self._database.write() as connection:
            version = connection.execute(
                "SELECT coalesce(max(version), 0) + 1 FROM memos WHERE memo = ?", (memo,)
            ).fetchone()[0]
            connection.execute("INSERT INTO memos VALUES (?, ?, ?, ?)", (memo, version, data, at))
        return MemoVersion(memo, version, data, at)

    def memos(self) -> tuple[MemoVersion, ...]:
        """Every version of every memo, newest first."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT memo, version, data, at FROM memos ORDER BY at DESC, version DESC"
            )
            return tuple(MemoVersion(*row) for row in rows)

    def delete_memo(self, memo: str) -> None:
        with self._database.write() as connection:
            connection.execute("DELETE FROM memos WHERE memo = ?", (memo,))

    def edit_entity(self, entity_id: str, target: str | None) -> None:
        """Mute an entity (``target`` ""), merge it into another (its id), or undo either (None)."""
        with self._database.write() as connection:
            if target is None:
                connection.execute("DELETE FROM entity_edits WHERE entity_id = ?", (entity_id,))
            else:
                connection.execute("INSERT OR REPLACE INTO entity_edits VALUES (?, ?)", (entity_id, target))

    def entity_edits(self) -> dict[str, str]:
        """Entity id → "" where it is muted, or the id it is merged into."""
        with self._database.read() as connection:
            return dict(connection.execute("SELECT entity_id, target FROM entity_edits ORDER BY entity_id"))

    def keep_apart(self, one: str, other: str, apart: bool) -> None:
        """Say that two names (their keys) do not denote the same, or take that back.

        :raises InvalidInput: they are one name.
        """
        if one == other:
            raise InvalidInput("A name cannot be kept apart from itself.")
        pair = (min(one, other), max(one, other))
        with self._database.write() as connection:
            if apart:
                connection.execute("INSERT OR IGNORE INTO names_apart VALUES (?, ?)", pair)
            else:
                connection.execute("DELETE FROM names_apart WHERE one = ? AND other = ?", pair)

    def names_apart(self) -> frozenset[tuple[str, str]]:
        """Pairs of keys, each ascending."""
        with self._database.read() as connection:
            return frozenset(connection.execute("SELECT one, other FROM names_apart"))

    def setting(self, name: str, default: Any = None) -> Any:
        with self._database.read() as connection:
            row = connection.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
        return json.loads(row[0]) if row else default

    def set_setting(self, name: str, value: Any) -> None:
        """:raises InvalidInput: the value is not JSON."""
        try:
            text = json.dumps(value)
        except (TypeError, ValueError) as error:
            raise InvalidInput(f"The setting {name!r} cannot be stored: {error}.") from error
        with self._database.write() as connection:
            connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, text))
