"""The names of a corpus for its overviews: what denotes the same as one, and only what tells something.

A name **tells** something unless it is one of these, which every filing is full of:

1. a *heading*: its first word is one of `lexicon.NUMBERED_FURNITURE` and its second a number, a roman
   numeral or a single letter ("Item 9A. Controls and Procedures", "Note 12 – Postretirement Benefit
   Plans", "Level 2 Inputs"), or it begins as one of `_OPENINGS` ("Table of Contents …", "Form of …");
2. *boilerplate*: every word of it, singular or plural, is one of `lexicon.BOILERPLATE_WORDS` or of the
   lists that name nothing either (accounting words, months and dates, quantities, money, grammar, page
   furniture), or a number;
3. a *common phrase*: less than `READ_AS_A_NAME` of the passages that spell it are such in which a
   recogniser read it as a name ("foreign currency", "useful lives"), so it is mostly written small, or
   only a part of longer names ("York", "Grand"). Of an ordinary word ("Target", "Space") those passages
   count in which its term occurs.

The graph keeps them all: a walk may well go over them, and a person may mute them.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from scipy import sparse

from aethel_core.entities.coreference import Rule
from aethel_core.entities.filter import common_word, is_number
from aethel_core.entities.lexicon import (
    BOILERPLATE_WORDS,
    DATE_WORDS,
    FUNCTION_WORDS,
    GENERIC_WORDS,
    MONEY_WORDS,
    NUMBER_WORDS,
    NUMBERED_FURNITURE,
    ROMAN_NUMERALS,
)
from aethel_core.index import Index
from aethel_core.index.entity_graph import EntityGraph, key_of, mention_graph
from aethel_core.index.index import NAME_SOURCES
from aethel_core.text import stem
from aethel_core.types import EntityKind

READ_AS_A_NAME = 0.2
_OPENINGS = ("table of contents", "form of", "forms of", "exhibit index", "part of", "number of")
_BOILERPLATE = frozenset(
    stem(word)
    for words in (
        BOILERPLATE_WORDS,
        GENERIC_WORDS,
        DATE_WORDS,
        NUMBER_WORDS,
        MONEY_WORDS,
        FUNCTION_WORDS,
        NUMBERED_FURNITURE,
        ROMAN_NUMERALS,
    )
    for word in words
)


def alike(graph: EntityGraph, entity_ids: Collection[str]) -> frozenset[str]:
    """The entities, and those that bear the same name and are of the same kind: the forms of a name with
    and without its legal suffix are nodes of their own."""
    wanted = {
        (graph.entities[graph.position[e]].kind, graph.entities[graph.position[e]].name)
        for e in entity_ids
        if e in graph.position
    }
    same = {entity.id for entity in graph.entities if (entity.kind, entity.name) in wanted}
    return frozenset(same | set(entity_ids))


def representatives(graph: EntityGraph) -> np.ndarray:
    """For every column the column that stands for its alias group: the most frequent of the group,
    the shortest name among equals; a column without aliases stands for itself."""
    stands = np.arange(len(graph.entities))
    prefix = f"{EntityKind.NAME.value}:"
    for group in graph.aliases.groups():
        columns = [graph.position[prefix + key] for key in group if prefix + key in graph.position]
        if len(columns) > 1:
            best = min(columns, key=lambda c: (-graph.frequency[c], len(graph.entities[c].name), c))
            stands[columns] = best
    return stands


def grouped_names(graph: EntityGraph) -> tuple[np.ndarray, sparse.csr_array]:
    """The columns that stand for a group of names, ascending, and the 0/1 matrix (passages, groups)."""
    stands = representatives(graph)
    names = graph.name_columns
    chosen = np.unique(stands[names])
    place = np.full(len(graph.entities), -1, dtype=np.int64)
    place[chosen] = np.arange(chosen.size)
    matrix = graph.bipartite.incidence[:, names].tocoo()
    columns = place[stands[names[matrix.coords[1]]]]
    shape = (graph.bipartite.passages, chosen.size)
    grouped = sparse.csr_array((np.ones(columns.size), (matrix.coords[0], columns)), shape=shape)
    grouped.data[:] = 1.0
    return chosen, grouped


def telling_names(index: Index, graph: EntityGraph) -> tuple[np.ndarray, sparse.csr_array]:
    """`grouped_names` of those that tell something; see above."""
    columns, grouped = grouped_names(graph)
    keys = [key_of(graph.entities[column]) for column in columns]
    spelt = np.bincount(grouped.indices, minlength=columns.size).astype(float)
    for place, key in enumerate(keys):
        if common_word(key):
            spelt[place] = max(spelt[place], _passages_with(index, key))
    named = _read(index, graph, columns, grouped.shape) >= READ_AS_A_NAME * spelt
    kept = np.array([place for place, key in enumerate(keys) if named[place] and not boilerplate(key)], int)
    return columns[kept], grouped[:, kept].tocsr()


def boilerplate(key: str) -> bool:
    """Whether a name is a heading or boilerplate by its words; see above."""
    first, *rest = key.split()
    numbered = bool(rest) and (is_number(rest[0]) or len(rest[0]) == 1 or rest[0] in ROMAN_NUMERALS)
    return (
        (first in NUMBERED_FURNITURE and numbered)
        or any(key == opening or key.startswith(f"{opening} ") for opening in _OPENINGS)
        or all(stem(word) in _BOILERPLATE or is_number(word) for word in (first, *rest))
    )


def _passages_with(index: Index, word: str) -> int:
    """How many passages have the word; none where it is no term of an index."""
    column = index.body.vocabulary.get(stem(word))
    return 0 if column is None else int(index.body.document_frequency[column])


def _read(index: Index, graph: EntityGraph, columns: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """In how many passages recognisers read each group as a name, in any of its forms."""
    read = mention_graph(index.segments, *NAME_SOURCES)
    place = np.full(len(graph.entities), -1, dtype=np.int64)
    place[columns] = np.arange(columns.size)
    stands = representatives(graph)
    group = np.full(len(read.entities), -1, dtype=np.int64)
    part_of = _merged(graph)
    for number, entity in enumerate(read.entities):
        node = part_of.get(entity.id, entity.id)
        if node in graph.position:
            group[number] = place[stands[graph.position[node]]]
    matrix = read.bipartite.incidence.tocoo()
    where = group[matrix.coords[1]]
    found = where >= 0
    pairs = (np.ones(int(found.sum())), (matrix.coords[0][found], where[found]))
    joined = sparse.csr_array(pairs, shape=shape)  # passages in which several forms stand count once
    return np.bincount(joined.indices, minlength=columns.size)


def _merged(graph: EntityGraph) -> dict[str, str]:
    """The nodes that a person said are part of another one."""
    prefix = f"{EntityKind.NAME.value}:"
    return {prefix + join.short: prefix + join.long for join in graph.joins if join.rule is Rule.PERSON}
