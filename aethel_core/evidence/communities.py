"""Groups of names that keep occurring together: a way into an unknown data room.

Names are joined by how a walk goes from one to the other over passages (K of `walk.Kernel`, see there);
the groups are those of the Leiden algorithm (Traag, Waltman & van Eck 2019) for modularity, from a
fixed seed. Only names that tell something take part (see `groups`). A passage belongs to the group to
which most of its names do, weighed by their rarity.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from aethel_core.audit.sentences import sentences
from aethel_core.evidence.groups import telling_names
from aethel_core.evidence.walk import Kernel
from aethel_core.graph import BipartiteGraph
from aethel_core.index import Index
from aethel_core.index.entity_graph import EntityGraph, key_of
from aethel_core.text import match_form

_MOST_NAMES = 3000
_EVERYWHERE = 0.1  # names in more than this share of many passages belong to no group
_FEW = 60
_SEED = 42
_MEMBERS, _LABEL, _PASSAGES = 12, 3, 40


@dataclass(frozen=True, slots=True)
class Member:
    """``weight`` is how strongly the name is tied to its group."""

    id: str
    name: str
    key: str
    passages: int
    rarity: float
    weight: float


@dataclass(frozen=True, slots=True)
class Community:
    """``size`` counts its names, ``passages`` those that belong to it; ``best`` are the passages that say
    most of it; ``documents``: (document id, passages), most first."""

    label: str
    size: int
    members: tuple[Member, ...]
    documents: tuple[tuple[str, int], ...]
    passages: int
    best: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SummarySentence:
    passage_id: str
    text: str


def communities(index: Index, graph: EntityGraph, *, limit: int = 12) -> tuple[Community, ...]:
    """The groups of at least 3 names, those with most passages first."""
    columns, grouped = telling_names(index, graph)
    frequency = np.bincount(grouped.indices, minlength=columns.size)
    ceiling = max(_EVERYWHERE * grouped.shape[0], _FEW)
    kept = np.flatnonzero((frequency >= 2) & (frequency <= ceiling))
    kept = np.sort(kept[np.argsort(-frequency[kept], kind="stable")][:_MOST_NAMES])
    if kept.size < 3:
        return ()
    matrix = grouped[:, kept].tocsr()
    rarity = np.log1p(grouped.shape[0] / frequency[kept])
    ties = Kernel(BipartiteGraph(matrix)).rows(range(kept.size)).tocoo()
    member_of = _leiden(kept.size, ties)
    belongs = _passages_of(matrix, rarity, member_of)
    strength = _inside(ties, member_of)
    made = []
    for number in range(int(member_of.max()) + 1):
        inside = np.flatnonzero(member_of == number)
        rows = np.flatnonzero(belongs == number)
        if inside.size >= 3 and rows.size:
            inside = inside[np.argsort(-strength[inside], kind="stable")]
            members = tuple(
                _member(graph, int(columns[kept[c]]), int(frequency[kept[c]]), rarity[c], strength[c])
                for c in inside[:_MEMBERS]
            )
            made.append(_community(index, members, inside, rows, matrix, rarity))
    made.sort(key=lambda community: (-community.passages, community.label))
    return tuple(made[:limit])


def _leiden(size: int, ties: sparse.coo_array) -> np.ndarray:
    """The group of each name."""
    import igraph

    upper = ties.coords[0] < ties.coords[1]
    edges = np.column_stack([ties.coords[0][upper], ties.coords[1][upper]])
    network = igraph.Graph(n=size, edges=edges)
    igraph.set_random_number_generator(random.Random(_SEED))
    try:
        found = network.community_leiden(
            objective_function="modularity", weights=ties.data[upper], n_iterations=8
        )
    finally:
        igraph.set_random_number_generator(random)
    return np.array(found.membership)


def _passages_of(matrix: sparse.csr_array, rarity: np.ndarray, member_of: np.ndarray) -> np.ndarray:
    """The group of each passage, −1 for passages without any of the names."""
    groups = sparse.csr_array(
        (rarity, (np.arange(member_of.size), member_of)), shape=(member_of.size, int(member_of.max()) + 1)
    )
    weights = (matrix @ groups).tocsr()
    found = np.full(matrix.shape[0], -1)
    for row in np.flatnonzero(np.diff(weights.indptr)):
        part = slice(weights.indptr[row], weights.indptr[row + 1])
        found[row] = min(zip(-weights.data[part], weights.indices[part], strict=True))[1]
    return found


def _inside(ties: sparse.coo_array, member_of: np.ndarray) -> np.ndarray:
    """The sum of each name's ties to its own group."""
    one, other = ties.coords
    same = (member_of[one] == member_of[other]) & (one != other)
    return np.bincount(one[same], weights=ties.data[same], minlength=member_of.size)


def _member(graph: EntityGraph, column: int, passages: int, rarity: float, weight: float) -> Member:
    entity = graph.entities[column]
    return Member(entity.id, entity.name, key_of(entity), passages, float(rarity), float(weight))


def _community(
    index: Index,
    members: tuple[Member, ...],
    inside: np.ndarray,
    rows: np.ndarray,
    matrix: sparse.csr_array,
    rarity: np.ndarray,
) -> Community:
    documents = Counter(index.document_of[rows].tolist())
    says = np.asarray(matrix[rows][:, inside] @ rarity[inside])
    best = rows[np.lexsort((rows, -says))][:_PASSAGES]
    return Community(
        ", ".join(member.name for member in members[:_LABEL]),
        int(inside.size),
        members,
        tuple((index.segments[d].document_id, n) for d, n in documents.most_common()),
        int(rows.size),
        tuple(index.ids[int(row)] for row in best),
    )


def summary(community: Community, texts: Mapping[str, str], *, limit: int = 2) -> tuple[SummarySentence, ...]:
    """The sentences that name most of the group's members, weighed by rarity; what was named already
    counts a quarter, so that the next sentence says something else. In the order of the passages.

    :param texts: passage id → text, of prose.
    """
    pool = [
        (passage, text[start:end], _named(text[start:end], community.members))
        for passage, text in texts.items()
        for start, end in sentences(text)
        if _reads_well(text[start:end])
    ]
    said: set[str] = set()
    chosen: list[tuple[str, str]] = []
    while pool and len(chosen) < limit:
        values = [
            sum(m.rarity * (0.25 if m.id in said else 1.0) for m in named) / (1 + len(sentence) / 200)
            for _, sentence, named in pool
        ]
        best = int(np.argmax(values))
        if not values[best]:
            break
        passage, sentence, named = pool.pop(best)
        said |= {member.id for member in named}
        chosen.append((passage, sentence))
    order = list(texts)
    chosen.sort(key=lambda pair: order.index(pair[0]))
    return tuple(SummarySentence(passage, " ".join(sentence.split())) for passage, sentence in chosen)


def _reads_well(sentence: str) -> bool:
    """Whether it is a sentence, not a letterhead, a signature, a line of a list or a piece of a table."""
    lower = sum(c.islower() for c in sentence)
    ends = sentence.rstrip("”\"')")[-1:] in (".", "!", "?")
    words = sentence.split()
    names = sum(word[:1].isupper() for word in words)
    return (
        40 <= len(sentence) <= 400
        and ends
        and lower >= 0.6 * len(sentence)
        and "\n\n" not in sentence
        and sentence.lstrip("“\"'(")[:1].isupper()  # no number of a list or an exhibit
        and names <= 0.7 * len(words)
    )


def _named(sentence: str, members: Sequence[Member]) -> list[Member]:
    text = match_form(sentence)
    return [member for member in members if f" {member.key} " in text]
