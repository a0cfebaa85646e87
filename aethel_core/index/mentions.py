"""Reading the entities of one document's passages: what every graph is built from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from aethel_core.entities import regex
from aethel_core.entities.filter import entity
from aethel_core.types import Entity, Mention, Metadata, Passage


class Recogniser(Protocol):
    """Reads names: `aethel_core.entities.ner.Recogniser`, or another model's adapter."""

    def extract(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]: ...


def read(passages: Sequence[Passage], metadata: Metadata, recogniser: Recogniser) -> tuple[Mention, ...]:
    """Mentions by source: "ner" (the recogniser), "regex", and "title" (the subject a document
    without a company is about, joined to all its passages)."""
    texts = [passage.text for passage in passages]
    mentions = [
        Mention(passage.id, found, "ner")
        for passage, entities in zip(passages, recogniser.extract(texts), strict=True)
        for found in entities
    ]
    mentions += [
        Mention(passage.id, found, "regex")
        for passage, text in zip(passages, texts, strict=True)
        for found in regex.extract(text)
    ]
    title = entity(metadata.title) if metadata.title and not metadata.company else None
    if title is not None:
        mentions += [Mention(passage.id, title, "title") for passage in passages]
    return tuple(mentions)
