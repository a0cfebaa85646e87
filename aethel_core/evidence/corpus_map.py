"""Which documents speak of the same names: documents as rows, the names that connect them as columns.

Only names that tell something are taken; see `groups`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from aethel_core.evidence.groups import telling_names
from aethel_core.index import Index
from aethel_core.index.entity_graph import EntityGraph

_EVERYWHERE = 0.8  # a name in more than this share of many documents connects nothing in particular
_FEW = 6
_SHARED = 6


@dataclass(frozen=True, slots=True)
class MapEntity:
    id: str
    name: str
    documents: int
    passages: int


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """Two documents; ``weight`` is the sum of the rarity of the names they share, ``shared`` the
    names that count most in it (entity ids)."""

    one: str
    other: str
    weight: float
    names: int
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CorpusMap:
    """``counts[d][e]``: passages of document d that hold entity e. Documents by company and period,
    entities by the place of their documents, so that what belongs together stands together."""

    documents: tuple[str, ...]
    entities: tuple[MapEntity, ...]
    counts: tuple[tuple[int, ...], ...]
    links: tuple[DocumentLink, ...]


def corpus_map(index: Index, graph: EntityGraph, *, entities: int = 40) -> CorpusMap:
    """The names in at least two documents that tell most: by Σ ln(1 + passages) times the rarity of
    the name among documents, ln(1 + documents / documents with it)."""
    order = _document_order(index)
    columns, grouped = telling_names(index, graph)
    every = _per_document(index, grouped)[order]
    held = (every > 0).sum(axis=0)
    size = len(order)
    connecting = (held >= 2) & ((held <= _EVERYWHERE * size) | (size <= _FEW))
    rarity = np.log1p(size / np.maximum(held, 1))
    weight = np.where(connecting, np.log1p(every).sum(axis=0) * rarity, 0.0)
    best = np.argsort(-weight, kind="stable")[:entities]
    best = best[weight[best] > 0]
    places = (every[:, best] * np.arange(size)[:, None]).sum(axis=0) / every[:, best].sum(axis=0)
    best = best[np.argsort(places, kind="stable")]
    ids = [index.segments[d].document_id for d in order]
    names = tuple(
        MapEntity(
            graph.entities[columns[c]].id,
            graph.entities[columns[c]].name,
            int(held[c]),
            int(every[:, c].sum()),
        )
        for c in best
    )
    links = _links(ids, every, np.where(connecting, rarity, 0.0), [graph.entities[c].id for c in columns])
    return CorpusMap(tuple(ids), names, tuple(tuple(map(int, row)) for row in every[:, best]), links)


def _document_order(index: Index) -> list[int]:
    def key(place: int) -> tuple:
        metadata = index.segments[place].metadata
        period = metadata.period
        name = metadata.company or metadata.title
        return (not name, name.casefold(), period.fiscal_year or 0, period.quarter or 5, place)

    return sorted(range(len(index.segments)), key=key)


def _per_document(index: Index, grouped: sparse.csr_array) -> np.ndarray:
    """Passages per (document, group of names)."""
    rows = np.arange(index.size)
    member = sparse.csr_array(
        (np.ones(index.size), (index.document_of, rows)), shape=(len(index.segments), index.size)
    )
    return (member @ grouped).toarray().astype(np.int64)


def _links(
    ids: list[str], every: np.ndarray, rarity: np.ndarray, names: list[str]
) -> tuple[DocumentLink, ...]:
    """Every pair of documents that shares a connecting name, the closest first."""
    present = (every > 0) & (rarity > 0)
    found = []
    for a in range(len(ids)):
        both = present[a] & present[a + 1 :]
        for offset in np.flatnonzero(both.any(axis=1)):
            shared = np.flatnonzero(both[offset])
            best = shared[np.argsort(-rarity[shared], kind="stable")][:_SHARED]
            weight = float(rarity[shared].sum())
            other = ids[a + 1 + int(offset)]
            found.append(DocumentLink(ids[a], other, weight, int(shared.size), tuple(names[c] for c in best)))
    return tuple(sorted(found, key=lambda link: (-link.weight, link.one, link.other)))
