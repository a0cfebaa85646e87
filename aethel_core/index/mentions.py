"""Reading the entities of one document's passages: what every graph is built from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from aethel_core.entities import regex
from aethel_core.entities.filter import entity
from aethel_core.finance.line_items import line_item, match_row
from aethel_core.types import Entity, EntityKind, Mention, Metadata, Passage, Table


class Recogniser(Protocol):
    """Reads names: `aethel_core.entities.ner.Recogniser`, or another model's adapter."""

    def extract(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]: ...


def read(passages: Sequence[Passage], metadata: Metadata, recogniser: Recogniser) -> tuple[Mention, ...]:
    """Mentions by source: "ner" (the recogniser), "regex", "line item" (the rows of tables that the
    dictionary of line items knows) and "title" (the subject a document without a company is about,
    joined to all its passages)."""
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
    mentions += [
        Mention(passage.id, found, "line item")
        for passage in passages
        if passage.table is not None
        for found in line_item_entities(passage.table)
    ]
    title = entity(metadata.title) if metadata.title and not metadata.company else None
    if title is not None:
        mentions += [Mention(passage.id, title, "title") for passage in passages]
    return tuple(mentions)


def line_item_entities(table: Table) -> tuple[Entity, ...]:
    """The line items that the rows of a table name, without repetition, in row order."""
    known = dict.fromkeys(match_row(row.header) for row in table.rows)
    return tuple(line_item_entity(item) for item in known if item is not None)


def line_item_entity(item: str) -> Entity:
    """The node of a line item of the dictionary, by the item's id."""
    return Entity.of(EntityKind.LINE_ITEM, item, line_item(item).name)
