"""How names are written: entities are known by normalised keys, people read what the documents spell."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from aethel_core.entities.coreference import variants
from aethel_core.index import Index
from aethel_core.index.entity_graph import EntityGraph
from aethel_core.text import match_form, words
from aethel_core.types import EntityKind


def as_written(index: Index, graph: EntityGraph, keys: Collection[str]) -> dict[str, str]:
    """Each key as it is written: as a recogniser read it, else as a part of the name of its node
    ("northriver iv" of "NorthRiver Capital Partners IV, L.P."), else as the metadata of a document
    has it. A key that is none of these stays as it is."""
    prefix = f"{EntityKind.NAME.value}:"
    wanted = {prefix + key: key for key in keys}
    found: dict[str, str] = {}
    for segment in index.segments:
        for table in segment.mentions.values():
            for entity in table.entities:
                if entity.id in wanted:
                    found.setdefault(wanted[entity.id], entity.name)
    for node, key in wanted.items():
        if key not in found and node in graph.position:
            found[key] = _part(graph.entities[graph.position[node]].name, key)
    for key, name in _of_metadata(index):
        if key in keys and not found.get(key):
            found[key] = name
    return {key: found.get(key) or key for key in keys}


def _of_metadata(index: Index) -> Iterator[tuple[str, str]]:
    for segment in index.segments:
        metadata = segment.metadata
        for name in (metadata.company, *metadata.aliases):
            for key in variants(name):
                yield key, _part(name, key)
        yield match_form(metadata.ticker).strip(), metadata.ticker


def _part(name: str, key: str) -> str:
    """The words of a name that make the key, "" if they do not."""
    wanted, taken = key.split(), []
    for word in name.split():
        tokens = words(word)
        if tokens and tokens == wanted[: len(tokens)]:
            taken.append(word)
            del wanted[: len(tokens)]
    return " ".join(taken).strip(" ,;:") if not wanted else ""
