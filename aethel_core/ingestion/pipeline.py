"""Files in, documents stored: the order of the work, its progress, its stop and its failures.

Every file is first written to the queue of the workspace, all in one transaction; each leaves it
in the transaction that stores its document. While the dense model works on one file, the next is
already being read. A file that cannot be read is reported and the rest goes on; what would fail
for every file (the model is unreachable, the disk is full) stops the batch, and what was not
reached stays queued.
"""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from aethel_core import formats
from aethel_core.embedding import Embedder
from aethel_core.errors import (
    Cancelled,
    DuplicateDocument,
    ModelUnavailable,
    PasswordRequired,
    UnreadableDocument,
    WorkspaceError,
)
from aethel_core.index.context import embedded_text, header
from aethel_core.ingestion.preparation import Preparation
from aethel_core.ingestion.prepare import Failed, Job, Named, Read, Stage, Tick
from aethel_core.ingestion.report import Outcome, Progress
from aethel_core.ingestion.sources import Source
from aethel_core.ingestion.versions import Relation, Version, version_of
from aethel_core.parsing.clean import display_name
from aethel_core.store import Content, PendingFile, Store
from aethel_core.store.clock import now
from aethel_core.text import counted
from aethel_core.types import Document, Metadata, Passage, PassageKind, document_id

_PASSAGES_AT_ONCE = 32  # between two looks at the cancel button
_AHEAD = 2  # files read while an earlier one is embedded: bounds what is held in memory
_PAUSE = 0.05  # seconds between two looks at the cancel button while nothing happens
_BREATH = 0.001  # seconds in which others may use the dense model

_Event = TypeVar("_Event", Read, Named)


class Pipeline:
    """One run over queued files, with everything it needs. Made anew for each run."""

    def __init__(
        self,
        store: Store,
        preparation: Preparation,
        embedder: Embedder,
        recogniser: str,
        *,
        max_pages: int,
        on_progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """:param recogniser: the fingerprint of what reads the names in ``preparation``."""
        self._store = store
        self._preparation = preparation
        self._embedder = embedder
        self._recogniser = recogniser
        self._max_pages = max_pages
        self._on_progress = on_progress or (lambda progress: None)
        self._cancelled = cancelled or (lambda: False)
        self._inbox: dict[str, deque[Read | Named | Failed]] = defaultdict(deque)
        self._ahead: dict[str, dict[Stage, Tick]] = defaultdict(dict)
        self._current = Progress("", 0, 0, "pages", 0, 0)
        self._current_id = ""

    def run(self, files: Sequence[PendingFile], passwords: Mapping[str, str]) -> Iterator[Outcome]:
        """One outcome per file, in order, each as soon as it is known."""
        stopped: Outcome | None = None
        for number, file in enumerate(files, start=1):
            if stopped is not None:
                yield replace(stopped, name=file.name)
                continue
            began = time.perf_counter()
            ahead = files[number - 1 : number + _AHEAD] if number == 1 else files[number + _AHEAD - 1 :][:1]
            try:
                for coming in ahead:
                    self._submit(coming, passwords.get(coming.id))
                self._begin(file.id, Progress(file.name, number, len(files), "pages", 0, 0))
                outcome = self._add(file)
            except (Cancelled, ModelUnavailable, WorkspaceError) as error:
                stopped = _stop(file, error)
                outcome = stopped
            except (UnreadableDocument, DuplicateDocument) as error:
                outcome = self._refused(file, error)
            yield replace(outcome, seconds=time.perf_counter() - began)

    def rebuild(self, document: Document) -> None:
        """Read a stored document again; metadata that a person edited stays.

        :raises AethelError: it cannot be read any more, or the run was stopped. Nothing changed.
        """
        data = self._store.documents.file(document.id)
        self._preparation.submit(Job(document.sha256, document.name, data, None, self._max_pages))
        self._begin(document.id, Progress(document.name, 1, 1, "pages", 0, 0))
        read = self._await(Read)
        if not document.edited:
            document = replace(document, metadata=read.metadata)
        vectors = self._vectors(document.metadata, read.passages)
        named = self._await(Named)
        self._tick("saving", 0, 1)
        self._store.documents.replace(self._content(document, read, named, vectors))
        self._tick("saving", 1, 1)

    def reembed(self, document: Document) -> None:
        """Store a document whose metadata changed; its vectors are made anew if their context did."""
        documents = self._store.documents
        self._begin(document.id, Progress(document.name, 1, 1, "vectors", 0, 0))
        passages = documents.passages(document.id)
        before = documents.get(document.id).metadata
        if [header(before, p) for p in passages] == [header(document.metadata, p) for p in passages]:
            documents.update(document)
        else:
            vectors = self._vectors(document.metadata, passages)
            documents.update(document, vectors, self._embedder.name)

    def _begin(self, file_id: str, progress: Progress) -> None:
        """Turn to the next file, and tell how far it was read already."""
        self._current, self._current_id = progress, file_id
        for tick in self._ahead.pop(file_id, {}).values():
            self._tick(tick.stage, tick.done, tick.total)

    def _submit(self, file: PendingFile, password: str | None) -> None:
        data = self._store.queue.data(file.id)
        self._preparation.submit(Job(file.sha256, file.name, data, password, self._max_pages))

    def _add(self, file: PendingFile) -> Outcome:
        read = self._await(Read)
        vectors = self._vectors(read.metadata, read.passages)
        named = self._await(Named)
        self._tick("saving", 0, 1)
        texts = [passage.text for passage in read.passages]
        version = version_of(self._store.documents, file.name, read.metadata, read.first_page, texts)
        document = Document(
            file.id,
            file.name,
            file.sha256,
            read.metadata,
            0,
            0,
            size=file.size,
            added_at=now(),
            version_of=version.of.id if version and version.relation is Relation.NEWER else "",
        )
        content = self._content(document, read, named, vectors)
        self._store.documents.add(content)
        if version and version.relation is Relation.OLDER:  # the amendment came in before what it amends
            self._store.documents.update(replace(version.of, version_of=document.id))
        self._tick("saving", 1, 1)
        return _added(content.document, version)

    def _content(self, document: Document, read: Read, named: Named, vectors: np.ndarray) -> Content:
        counted = replace(
            document,
            page_count=len(read.pages),
            passage_count=len(read.passages),
            table_count=sum(passage.kind is PassageKind.TABLE for passage in read.passages),
            entity_count=len({mention.entity.id for mention in named.mentions}),
            ocr_pages=read.ocr_pages,
            warnings=read.warnings,
        )
        return Content(
            counted,
            read.pages,
            read.passages,
            named.mentions,
            self._recogniser,
            vectors,
            self._embedder.name,
            formats.reader(),
            read.file,
        )

    def _refused(self, file: PendingFile, error: UnreadableDocument | DuplicateDocument) -> Outcome:
        if isinstance(error, PasswordRequired):
            self._store.queue.keep(file.id, str(error))
            return Outcome(file.name, "password", message=str(error))
        self._store.queue.discard([file.id])
        if isinstance(error, DuplicateDocument):
            return Outcome(file.name, "duplicate", error.existing, str(error))
        return Outcome(file.name, "failed", message=str(error))

    def _vectors(self, metadata: Metadata, passages: Sequence[Passage]) -> np.ndarray:
        """Batches hold passages of this document only, in an order of its own: the same document
        has the same vectors, bit for bit, whatever else is being added."""
        texts = [embedded_text(metadata, passage) for passage in passages]
        order = sorted(range(len(texts)), key=lambda i: (-len(texts[i]), i))
        vectors = np.zeros((len(texts), self._embedder.dimensions), dtype=np.float32)
        for start in range(0, len(order), _PASSAGES_AT_ONCE):
            self._tick("vectors", start, len(order))
            rows = order[start : start + _PASSAGES_AT_ONCE]
            vectors[rows] = self._embedder.embed([texts[row] for row in rows])
            # Also lets a question that waits for the model have its turn.
            while self._receive(_BREATH):
                pass
        self._tick("vectors", len(order), len(order))
        return vectors

    def _await(self, kind: type[_Event]) -> _Event:
        """The current file's event of that kind; its failure is raised."""
        while True:
            arrived = self._inbox.get(self._current_id)
            if arrived:
                event = arrived.popleft()
                if isinstance(event, Failed):
                    raise event.error
                if isinstance(event, kind):
                    return event
            self._check()
            self._receive(_PAUSE)

    def _receive(self, seconds: float) -> bool:
        """Take in one event, whichever file it is about; whether there was one."""
        happened = self._preparation.next(seconds)
        if happened is None:
            return False
        job_id, event = happened
        if not isinstance(event, Tick):
            self._inbox[job_id].append(event)
        elif job_id == self._current_id:
            self._tick(event.stage, event.done, event.total)
        else:
            self._ahead[job_id][event.stage] = event
        return True

    def _tick(self, stage: Stage, done: int, total: int) -> None:
        self._check()
        self._on_progress(replace(self._current, stage=stage, done=done, total=total))

    def _check(self) -> None:
        if self._cancelled():
            raise Cancelled


def admit(
    store: Store, sources: Iterable[Source], max_megabytes: int
) -> tuple[tuple[Outcome | PendingFile, ...], dict[str, str]]:
    """Queue what is new, in one transaction, and say at once what cannot be or is there already.

    :return: one entry per source, in order, and the passwords by the id of the queued file.
    """
    entries: list[Outcome | str] = []
    passwords: dict[str, str] = {}
    seen: dict[str, str] = {}

    def fresh() -> Iterator[tuple[str, str, bytes]]:
        for source in sources:
            name = display_name(source.name)
            try:
                data = source.read(max_megabytes)
            except UnreadableDocument as error:
                entries.append(Outcome(name, "failed", message=str(error)))
                continue
            sha256 = hashlib.sha256(data).hexdigest()
            stored = store.documents.with_sha256(sha256)
            if stored is not None:
                entries.append(Outcome(name, "duplicate", stored.id, _same_as(name, stored.name)))
            elif sha256 in seen:
                twin = f"The same content as {seen[sha256]}, which is being added too."
                entries.append(Outcome(name, "duplicate", document_id(sha256), twin))
            else:
                seen[sha256] = name
                entries.append(document_id(sha256))
                if source.password is not None:
                    passwords[document_id(sha256)] = source.password
                yield name, sha256, data

    queued = {file.id: file for file in store.queue.add(fresh())}
    return tuple(queued[e] if isinstance(e, str) else e for e in entries), passwords


def _same_as(name: str, stored: str) -> str:
    if name == stored:
        return "It is already in the workspace, with the same content."
    return f"The same content is already in the workspace as {stored}."


def _stop(file: PendingFile, error: Cancelled | ModelUnavailable | WorkspaceError) -> Outcome:
    status = "cancelled" if isinstance(error, Cancelled) else "failed"
    return Outcome(file.name, status, message=f"{error} This file waits and can be resumed.")


def _added(document: Document, version: Version | None) -> Outcome:
    pages, passages = counted(document.page_count, "page"), counted(document.passage_count, "passage")
    said = [f"{pages}, {passages}.", *document.warnings]
    if version is None:
        return Outcome(document.name, "added", document.id, " ".join(said))
    if version.relation is Relation.COPY:
        said.append(f"{_copied(version)} Both are kept; delete the one that should not count.")
        return Outcome(document.name, "copy", document.id, " ".join(said))
    relation = "a newer version" if version.relation is Relation.NEWER else "an earlier version"
    said.append(
        f"It looks like {relation} of {version.of.name}. Both are kept; delete the one that no longer counts."
    )
    return Outcome(document.name, "new version", document.id, " ".join(said), version_of=version.of.id)


def _copied(version: Version) -> str:
    """In what a copy agrees with the stored document."""
    name = version.of.name
    if version.shared == version.own == version.other:
        return f"It has the same text as {name}."
    if version.shared == version.own:
        return f"All its text is in {name}, which has more: this may be a damaged or shortened copy."
    if version.shared == version.other:
        return f"It has all the text of {name} and more: that may be a damaged or shortened copy."
    return (
        f"Of its {counted(version.own, 'passage')} {version.shared:,} are in {name} too, "
        "and neither says that it replaces the other."
    )
