"""What a language model read in one passage, kept only as far as the passage carries it.

A name stays if it stands in the passage letter by letter (up to case, accents and punctuation: in
`match_form`, on word boundaries) and passes the filter that all names pass. A triple stays if its
subject and its object are names that stayed; its relation is the model's word for what joins them.
So nothing a model invents, and nothing a passage talks it into, becomes a node that is not there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from aethel_core.entities import filter as names
from aethel_core.errors import WorkspaceError
from aethel_core.text import match_form
from aethel_core.types import Entity, EntityKind

RELATION = 60  # characters that are kept of a relation


@dataclass(frozen=True, slots=True)
class Triple:
    """``subject`` and ``object`` are keys of names; ``relation`` is shown, and means nothing else."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The names and triples of a passage. ``dropped`` counts the names that do not stand in it."""

    entities: tuple[Entity, ...] = ()
    triples: tuple[Triple, ...] = ()
    dropped: int = 0

    def to_json(self) -> str:
        """Triples by the places of their names: how a name is normalised may change."""
        place = {key: number for number, key in enumerate(self._keys)}
        value = {
            "names": [entity.name for entity in self.entities],
            "triples": [[place[t.subject], t.relation, place[t.object]] for t in self.triples],
            "dropped": self.dropped,
        }
        return json.dumps(value, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Reading:
        """:raises WorkspaceError: it is damaged."""
        try:
            value = json.loads(text)
            bare = cls(tuple(_entity(name) for name in value["names"]), (), value["dropped"])
            keys = bare._keys
            triples = tuple(Triple(keys[one], said, keys[other]) for one, said, other in value["triples"])
            return replace(bare, triples=triples)
        except (ValueError, LookupError, TypeError) as error:
            raise WorkspaceError(
                "What a model read in a passage is damaged in the workspace's file: restore a backup."
            ) from error

    @property
    def _keys(self) -> list[str]:
        return [entity.id.partition(":")[2] for entity in self.entities]


def grounded(said: Iterable[str], facts: Iterable[tuple[str, str, str]], text: str) -> Reading:
    """:param said: the names as a model wrote them.
    :param facts: its (subject, relation, object).
    :param text: the passage.
    """
    held = match_form(text)
    kept: dict[str, Entity] = {}
    keys: dict[str, str] = {}  # of what the model wrote → of the name it became
    dropped = 0
    for name in dict.fromkeys(said):
        key = names.key_of(name)
        if not key or f" {key} " not in held:
            dropped += 1
            continue
        entity = names.entity(name)
        if entity is not None:
            keys[key] = entity.id.partition(":")[2]
            kept.setdefault(keys[key], entity)
    triples = {}
    for subject, relation, object in facts:
        one, other = keys.get(names.key_of(subject)), keys.get(names.key_of(object))
        if one and other and one != other:
            plain = " ".join("".join(c if c.isprintable() else " " for c in relation).split())[:RELATION]
            triples[one, plain, other] = Triple(one, plain, other)
    return Reading(tuple(kept.values()), tuple(triples.values()), dropped)


@lru_cache(maxsize=100_000)
def _entity(name: str) -> Entity:
    return Entity.of(EntityKind.NAME, names.key_of(name), name)
