"""The snapshot itself: segments in, lexical fields, vectors and entity graphs out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from aethel_core.entities.reading import Reading
from aethel_core.index.companies import companies_of
from aethel_core.index.edits import EntityEdits
from aethel_core.index.entity_graph import EntityGraph, mention_graph, name_graph, typed_graph
from aethel_core.index.lexical import LexicalField
from aethel_core.index.model_graph import model_graph
from aethel_core.index.names import NameOccurrences
from aethel_core.index.segment import FORMAT, Segment
from aethel_core.types import Entity, Filters

NAME_SOURCES = ("ner", "regex", "title")
_EDITED = ("regex_graph", "ner_graph", "typed_graph", "model_graph", "fingerprint")
_APART = ("companies", "_read_typed_graph")
_READ = ("model_graph", "_read_model_graph", "covered", "fingerprint")


@dataclass(frozen=True)
class Index:
    """Documents in ascending id, so passage ids ascend with their row and the same documents
    give the same bits whatever the order in which they came. Derived structures are made on
    first use and shared by all readers; nothing is ever mutated. ``readings`` is what a language
    model read, by passage id; it may hold passages that are not here. ``model`` names what made the
    vectors.
    """

    segments: tuple[Segment, ...] = ()
    names: NameOccurrences = field(default_factory=NameOccurrences)
    edits: EntityEdits = field(default_factory=EntityEdits)
    readings: Mapping[str, Reading] = field(default_factory=dict)
    model: str = ""

    @classmethod
    def empty(cls) -> Index:
        return cls()

    def extended(self, segments: Iterable[Segment]) -> Index:
        """With ``segments`` added; those of a document already here replace its segment."""
        new = {segment.document_id: segment for segment in segments}
        kept = self.without(new)
        names = kept.names.extended(kept.segments, tuple(new.values()), NAME_SOURCES)
        joined = sorted((*kept.segments, *new.values()), key=lambda segment: segment.document_id)
        return replace(self, segments=tuple(joined), names=names)

    def without(self, documents: Iterable[str]) -> Index:
        gone = set(documents)
        kept = tuple(segment for segment in self.segments if segment.document_id not in gone)
        if len(kept) == len(self.segments):
            return self
        return replace(self, segments=kept, names=self.names.without(gone))

    def edited(self, edits: EntityEdits) -> Index:
        """With other corrections of entities; everything that does not depend on them is shared."""
        if edits == self.edits:
            return self
        but = _EDITED if edits.apart == self.edits.apart else (*_EDITED, *_APART)
        return self._sharing(replace(self, edits=edits), but)

    def with_readings(self, readings: Mapping[str, Reading]) -> Index:
        """With what a language model read; everything that does not depend on it is shared."""
        if readings is self.readings:
            return self
        return self._sharing(replace(self, readings=readings), _READ)

    def _sharing(self, other: Index, but: tuple[str, ...]) -> Index:
        """``other`` with what was made here, but for the structures named."""
        made = {name: value for name, value in self.__dict__.items() if name not in but}
        other.__dict__.update(made | {"edits": other.edits, "readings": other.readings})
        return other

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Passage ids by row, ascending."""
        return tuple(passage for segment in self.segments for passage in segment.passage_ids)

    @cached_property
    def row(self) -> dict[str, int]:
        return {passage: row for row, passage in enumerate(self.ids)}

    @property
    def size(self) -> int:
        return len(self.ids)

    @cached_property
    def document_of(self) -> np.ndarray:
        """Position in ``segments`` of each row, shape (passages,)."""
        return np.repeat(np.arange(len(self.segments)), [len(s.passage_ids) for s in self.segments])

    @cached_property
    def body(self) -> LexicalField:
        return LexicalField.joined([segment.body for segment in self.segments])

    @cached_property
    def context(self) -> LexicalField:
        return LexicalField.joined([segment.context for segment in self.segments])

    @cached_property
    def forms(self) -> LexicalField:
        return LexicalField.joined([segment.forms for segment in self.segments])

    @cached_property
    def vectors(self) -> np.ndarray:
        """Unit rows, shape (passages, dimensions), float32."""
        if not self.segments:
            return np.zeros((0, 0), dtype=np.float32)
        return np.concatenate([segment.vectors for segment in self.segments])

    @cached_property
    def companies(self) -> tuple[Entity | None, ...]:
        """The company node of each segment."""
        return companies_of([segment.metadata for segment in self.segments], self.edits.apart)

    @cached_property
    def regex_graph(self) -> EntityGraph:
        """Entities of the regular expressions, joined where they were read."""
        return self.edits.applied(self._read_regex_graph)

    @cached_property
    def ner_graph(self) -> EntityGraph:
        """Entities of the name recogniser, joined wherever their name occurs."""
        return self.edits.applied(self._read_ner_graph)

    @cached_property
    def typed_graph(self) -> EntityGraph:
        """Names, companies, periods, statements, line items and defined terms."""
        return self.edits.applied(self._read_typed_graph)

    @cached_property
    def model_graph(self) -> EntityGraph:
        """Names and triples that a language model read; see `aethel_core.index.model_graph`."""
        return self.edits.applied(self._read_model_graph)

    @cached_property
    def covered(self) -> int:
        """How many passages a language model has read."""
        return sum(passage in self.readings for passage in self.ids)

    @cached_property
    def _read_regex_graph(self) -> EntityGraph:
        return mention_graph(self.segments, "regex")

    @cached_property
    def _read_ner_graph(self) -> EntityGraph:
        return name_graph(self.segments, self.names, ("ner",))

    @cached_property
    def _read_typed_graph(self) -> EntityGraph:
        return typed_graph(self.segments, self._read_name_graph, self.companies)

    @cached_property
    def _read_name_graph(self) -> EntityGraph:
        return name_graph(self.segments, self.names, NAME_SOURCES)

    @cached_property
    def _read_model_graph(self) -> EntityGraph:
        return model_graph(self.segments, self.names, self.readings)

    @cached_property
    def fingerprint(self) -> str:
        """Changes when anything changes that shapes a ranking: a document, its metadata, the words, names
        or vectors of its passages, the model that made these, a correction of entities, what a language
        model read."""
        parts = [FORMAT, self.model, *((s.document_id, s.digest()) for s in self.segments)]
        if not self.edits.empty:
            parts.append((self.edits.merged, sorted(self.edits.apart)))
        if self.covered:
            parts.append([(id, repr(self.readings[id])) for id in self.ids if id in self.readings])
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    def matching(self, filters: Filters) -> np.ndarray:
        """Which rows satisfy ``filters``, boolean, shape (passages,)."""
        allowed = np.ones(self.size, dtype=bool)
        if filters.empty:
            return allowed
        documents = np.array([_document_matches(segment, filters) for segment in self.segments], dtype=bool)
        allowed &= documents[self.document_of]
        if filters.sections:
            allowed &= np.array(
                [s in filters.sections for segment in self.segments for s in segment.sections]
            )
        if filters.kinds:
            allowed &= np.array([k in filters.kinds for segment in self.segments for k in segment.kinds])
        return allowed


def _document_matches(segment: Segment, filters: Filters) -> bool:
    metadata = segment.metadata
    return (
        (not filters.companies or metadata.company in filters.companies)
        and (not filters.years or metadata.period.fiscal_year in filters.years)
        and (not filters.types or metadata.type in filters.types)
        and (not filters.documents or segment.document_id in filters.documents)
    )
