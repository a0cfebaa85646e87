"""Which names of the corpus occur in which passages, kept up to date as documents come and go.

An entity is joined to every passage that contains its name on word boundaries, not only to the
passage in which a recogniser read it. Adding documents costs one pass of the new names over the
old texts and one of all names over the new texts; removing documents costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from aethel_core.entities.coreference import variants
from aethel_core.entities.matcher import Matcher
from aethel_core.index.segment import Segment
from aethel_core.types import EntityKind


def names_of(segment: Segment, sources: Sequence[str]) -> dict[str, str]:
    """Key → display name of the names that ``sources`` read in a document, with the forms
    that legal suffixes give them ("NorthRiver IV LP" also as "northriver iv")."""
    found: dict[str, str] = {}
    for source in sources:
        table = segment.mentions.get(source)
        for entity in table.entities if table else ():
            if entity.kind is EntityKind.NAME:
                key = entity.id.partition(":")[2]
                for form in (key, *variants(entity.name)):
                    found.setdefault(form, entity.name)
    return found


@dataclass(frozen=True)
class NameOccurrences:
    """``numbers`` gives every name ever seen a number; ``rows[d]`` and ``columns[d]`` are the
    coordinates (passage ordinal, name number) in document d. Never mutated."""

    numbers: Mapping[str, int] = field(default_factory=dict)
    rows: Mapping[str, np.ndarray] = field(default_factory=dict)
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)

    def extended(
        self, old: Sequence[Segment], new: Sequence[Segment], sources: Sequence[str]
    ) -> NameOccurrences:
        fresh = {key for segment in new for key in names_of(segment, sources)}
        known = self.knowing(old, fresh)
        rows, columns, matcher = dict(known.rows), dict(known.columns), Matcher(list(known.numbers))
        for segment in new:
            found = matcher.incidence(segment.match_texts)
            rows[segment.document_id], columns[segment.document_id] = found.rows, found.cols
        return NameOccurrences(known.numbers, rows, columns)

    def knowing(self, segments: Sequence[Segment], keys: Iterable[str]) -> NameOccurrences:
        """Also of these names; those that are new are looked for in the texts of ``segments``."""
        fresh = sorted(set(keys) - self.numbers.keys())
        if not fresh:
            return self
        first = len(self.numbers)
        numbers = {**self.numbers, **{key: first + place for place, key in enumerate(fresh)}}
        rows, columns, matcher = dict(self.rows), dict(self.columns), Matcher(fresh)
        for segment in segments:
            found, document = matcher.incidence(segment.match_texts), segment.document_id
            rows[document] = np.concatenate([self.rows[document], found.rows])
            columns[document] = np.concatenate([self.columns[document], found.cols + first])
        return NameOccurrences(numbers, rows, columns)

    def without(self, documents: Iterable[str]) -> NameOccurrences:
        gone = set(documents)
        return NameOccurrences(
            self.numbers,
            {document: a for document, a in self.rows.items() if document not in gone},
            {document: a for document, a in self.columns.items() if document not in gone},
        )

    def incidence(self, segments: Sequence[Segment], keys: Sequence[str]) -> sparse.csr_array:
        """0/1 matrix of shape (passages of ``segments``, len(keys)), float64."""
        position = np.full(len(self.numbers), -1, dtype=np.int64)
        position[[self.numbers[key] for key in keys]] = np.arange(len(keys))
        rows, columns, first = [], [], 0
        for segment in segments:
            places = position[self.columns[segment.document_id]]
            rows.append(self.rows[segment.document_id][places >= 0] + np.int64(first))
            columns.append(places[places >= 0])
            first += len(segment.passage_ids)
        where = (
            (np.concatenate(rows), np.concatenate(columns)) if rows else (np.zeros(0, int), np.zeros(0, int))
        )
        return sparse.csr_array((np.ones(where[0].size), where), shape=(first, len(keys)))
