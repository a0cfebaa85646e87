"""Mentions that follow from a document itself, beside the names that recognisers read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aethel_core.entities.filter import entity
from aethel_core.finance.line_items import line_item, match_row
from aethel_core.types import Entity, EntityKind, Mention, Metadata, Passage, Table

_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")


def implied(passages: Sequence[Passage], metadata: Metadata) -> Iterator[Mention]:
    """Mentions by source: "line item" (the rows of tables that the dictionary of line items knows)
    and "title" (the subject of a document without a company, joined to all its passages)."""
    titles = () if metadata.company else _titles(metadata.title)
    for passage in passages:
        for title in titles:
            yield Mention(passage.id, title, "title")
        for found in line_item_entities(passage.table) if passage.table else ():
            yield Mention(passage.id, found, "line item")


def _titles(title: str) -> tuple[Entity, ...]:
    """The subject a title names, also without what tells it from its namesakes ("Dune (film)")."""
    bare = _QUALIFIER.sub("", title)
    found = (entity(name) for name in dict.fromkeys((title, bare)) if name)
    return tuple(node for node in found if node is not None)


def line_item_entities(table: Table) -> tuple[Entity, ...]:
    """The line items that the rows of a table name, without repetition, in row order."""
    known = dict.fromkeys(match_row(row.header) for row in table.rows)
    return tuple(line_item_entity(item) for item in known if item is not None)


def line_item_entity(item: str) -> Entity:
    """The node of a line item of the dictionary, by the item's id."""
    return Entity.of(EntityKind.LINE_ITEM, item, line_item(item).name)
