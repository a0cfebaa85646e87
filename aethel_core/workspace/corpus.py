"""The index of what is stored, brought up to date when it is asked for.

The store counts its changes. When the count has moved on, the documents whose revision differs
from the one indexed are taken out of the snapshot or put into it; nothing else is touched. So a
document added by another process is found by the next question, and nothing is ever rebuilt
because something was added.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from threading import Lock

from aethel_core.errors import UnknownDocument, WorkspaceError
from aethel_core.index import Index, Segment
from aethel_core.index.segment import FORMAT
from aethel_core.store import Documents
from aethel_core.summaries import Summary

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _State:
    revision: int = -1
    revisions: dict[str, int] = field(default_factory=dict)
    index: Index = field(default_factory=Index.empty)


class Corpus:
    def __init__(self, documents: Documents, model: str, recogniser: str) -> None:
        """:param model: the embedder's name; only vectors it made can be searched together."""
        self._documents = documents
        self._model = model
        self._fingerprint = f"format {FORMAT}; {model}; {recogniser}"
        self._state = _State(index=Index(model=model))
        self._lock = Lock()

    def index(self) -> Index:
        """The snapshot of all that is stored now.

        :raises WorkspaceError: some documents were embedded with another model.
        """
        with self._lock:
            if self._documents.revision() != self._state.revision:
                self._state = self._moved_on(self._state)
            return self._state.index

    def summary(self, document_id: str) -> Summary:
        return self._segment(document_id)[1].summary

    def derive(self, document_id: str) -> None:
        """Make a document's segment and keep it, so that no question has to wait for that."""
        self._segment(document_id)

    def _moved_on(self, state: _State) -> _State:
        self._refuse_other_models()
        revision, current = self._documents.revisions()
        segments: list[Segment] = []
        revisions = {d: r for d, r in state.revisions.items() if current.get(d) == r}
        for document_id in sorted(current.keys() - revisions.keys()):
            try:
                revisions[document_id], segment = self._segment(document_id)
            except UnknownDocument:
                continue  # deleted since; the next question sees the new count
            segments.append(segment)
        index = state.index.without(state.revisions.keys() - revisions.keys())
        return _State(revision, revisions, index.extended(segments) if segments else index)

    def _refuse_other_models(self) -> None:
        others = {made.model for made in self._documents.made().values()} - {self._model}
        if others:
            raise WorkspaceError(
                f"Some documents were indexed with the embedding model {', '.join(sorted(others))}, "
                f"the settings say {self._model}. Re-index them, or go back to the former model."
            )

    def _segment(self, document_id: str) -> tuple[int, Segment]:
        kept = self._documents.segment(document_id, self._fingerprint)
        if kept is not None:
            try:
                return kept[0], Segment.from_bytes(kept[1])
            except WorkspaceError:
                _LOG.warning("the stored segment of %s is damaged and is made anew", document_id)
        truth = self._documents.indexable(document_id)
        segment = Segment.build(document_id, truth.metadata, truth.passages, truth.vectors, truth.mentions)
        try:
            self._documents.keep_segment(document_id, truth.revision, self._fingerprint, segment.to_bytes())
        except WorkspaceError as error:  # it can be made again: a full disk must not stop a search
            _LOG.warning("the segment of %s was not kept: %s", document_id, error)
        return truth.revision, segment
