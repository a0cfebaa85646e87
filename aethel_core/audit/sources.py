"""What an audit reads: documents with their passages and facts, each read once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import Lock

from aethel_core.audit.facts import Fact, facts_of
from aethel_core.audit.spans import Calendar
from aethel_core.types import Document, Metadata, Passage, passage_id

_PLAIN = re.compile(r"\b[a-z]{2,}\b")


@dataclass(frozen=True, slots=True)
class Source:
    """A cited passage with its document and facts."""

    passage: Passage
    document: Document
    facts: tuple[Fact, ...]
    calendar: Calendar


class Sources:
    """Passages by id with everything an audit needs of them. Safe to share between threads.

    :param documents: all documents of the workspace.
    :param load: gives the passages of a document, in order, by its id.
    """

    def __init__(self, documents: Iterable[Document], load: Callable[[str], Sequence[Passage]]) -> None:
        self.documents = {document.id: document for document in documents}
        self._load = load
        self._read: dict[str, dict[str, Source]] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._lock = Lock()

    def text_before(self, source: Source) -> str:
        """The passage that the cited one goes on from: the one before it in its section of the page."""
        passage = source.passage
        there = self.of_document(passage.document_id)
        before = there.get(neighbour(passage.id, -1))
        if before is None or (before.passage.page, before.passage.section) != (passage.page, passage.section):
            return ""
        return before.passage.text

    def plain_words(self, document_id: str) -> frozenset[str]:
        """The words that a document writes in small letters somewhere."""
        if document_id not in self._words:
            texts = (source.passage.text for source in self.of_document(document_id).values())
            self._words[document_id] = frozenset(w for text in texts for w in _PLAIN.findall(text))
        return self._words[document_id]

    def of_document(self, document_id: str) -> dict[str, Source]:
        with self._lock:
            if document_id not in self._read:
                self._read[document_id] = self._sources(document_id)
            return self._read[document_id]

    def _sources(self, document_id: str) -> dict[str, Source]:
        document = self.documents.get(document_id)
        if document is None:
            return {}
        passages = tuple(self._load(document_id))
        facts = facts_of(passages)
        calendar = Calendar.of(document.metadata)
        return {p.id: Source(p, document, facts[p.id], calendar) for p in passages}

    def get(self, passage_id: str) -> Source | None:
        """None where there is no such passage."""
        return self.of_document(passage_id.partition(":")[0]).get(passage_id)

    def replaced_by(self, document_id: str) -> Document | None:
        """The newest document that re-issues this one, None where it is the newest itself."""
        current = None
        wanted = document_id
        seen = {document_id}
        while True:
            newer = next((d for d in self.documents.values() if d.version_of == wanted), None)
            if newer is None or newer.id in seen:
                return current
            current, wanted = newer, newer.id
            seen.add(newer.id)

    def companies(self) -> dict[str, frozenset[str]]:
        """Every name of a company in the workspace → the ids of the documents that are its own."""
        found: dict[str, set[str]] = {}
        for document in self.documents.values():
            for name in company_names(document.metadata):
                found.setdefault(name, set()).add(document.id)
        return {name: frozenset(ids) for name, ids in found.items()}


def neighbour(passage: str, step: int) -> str:
    """The id of the passage so many places on in its document; there may be none of that id."""
    document, _, ordinal = passage.partition(":")
    return passage_id(document, max(int(ordinal) + step, 0))


def company_names(metadata: Metadata) -> tuple[str, ...]:
    return tuple(name for name in (metadata.company, *metadata.aliases) if name)
