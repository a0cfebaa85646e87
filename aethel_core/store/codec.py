"""Values to bytes and back. JSON throughout, compressed where it is large; never a pickle.

Every function pair is exact: what is decoded equals what was encoded. ASCII-only JSON is used
for text of documents because it also survives lone surrogates.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from aethel_core.types import (
    Block,
    DocumentType,
    Entity,
    EntityKind,
    Filters,
    Line,
    Mention,
    Metadata,
    Page,
    Passage,
    PassageKind,
    Period,
    Rect,
    Statement,
    Table,
)

_LEVEL = 3  # of zlib: a tenth larger than level 6, three times as fast


def pack(value: Any) -> bytes:
    """JSON-able ``value`` as compressed bytes."""
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode("ascii"), _LEVEL)


def unpack(data: bytes) -> Any:
    return json.loads(zlib.decompress(data))


def encode_rects(rects: Sequence[Rect]) -> str:
    return json.dumps([[r.x0, r.y0, r.x1, r.y1] for r in rects], separators=(",", ":"))


def decode_rects(text: str) -> tuple[Rect, ...]:
    return tuple(Rect(*values) for values in json.loads(text))


def encode_page(page: Page) -> bytes:
    return pack(
        {
            "number": page.number,
            "text": page.text,
            "width": page.width,
            "height": page.height,
            "rotation": page.rotation,
            "source": page.source,
            "warnings": page.warnings,
            "blocks": [_block_to_json(block, page.text) for block in page.blocks],
        }
    )


def decode_page(data: bytes) -> Page:
    value = unpack(data)
    text = value["text"]
    return Page(
        **{
            **value,
            "blocks": tuple(_block_from_json(block, text) for block in value["blocks"]),
            "warnings": tuple(value["warnings"]),
        }
    )


def _block_to_json(block: Block, text: str) -> list[Any]:
    lines = []
    for line in block.lines:
        rect = line.rect
        entry: list[Any] = [line.start, line.end, rect.x0, rect.y0, rect.x1, rect.y1]
        if text[line.start : line.end] != line.text:  # nearly always equal: then it is not kept twice
            entry.append(line.text)
        lines.append(entry)
    return [block.kind, block.level, lines, block.table.to_json() if block.table else None]


def _block_from_json(value: list[Any], text: str) -> Block:
    kind, level, entries, table = value
    lines = tuple(
        Line(entry[6] if len(entry) > 6 else text[entry[0] : entry[1]], entry[0], entry[1], Rect(*entry[2:6]))
        for entry in entries
    )
    return Block(kind, lines, Table.from_json(table) if table else None, level)


def encode_passage(passage: Passage) -> tuple:
    """The passage's fields in their order, each as SQLite keeps it."""
    return (
        passage.id,
        passage.document_id,
        passage.page,
        passage.start,
        passage.end,
        encode_rects(passage.rects),
        passage.section,
        passage.kind.value,
        passage.text,
        pack(passage.table.to_json()) if passage.table else None,
        json.dumps(passage.statements),
    )


def decode_passage(row: Sequence) -> Passage:
    identity, document_id, page, start, end, rects, section, kind, text, table, statements = row
    return Passage(
        identity,
        document_id,
        page,
        start,
        end,
        decode_rects(rects),
        section,
        PassageKind(kind),
        text,
        Table.from_json(unpack(table)) if table else None,
        tuple(Statement(s) for s in json.loads(statements)),
    )


def encode_passages(passages: Sequence[Passage]) -> bytes:
    """Many passages in one piece, for the way between two processes."""
    bare = [encode_passage(replace(passage, table=None)) for passage in passages]
    return pack([bare, [p.table.to_json() if p.table else None for p in passages]])


def decode_passages(data: bytes) -> tuple[Passage, ...]:
    bare, tables = unpack(data)
    return tuple(
        replace(decode_passage(row), table=Table.from_json(table) if table else None)
        for row, table in zip(bare, tables, strict=True)
    )


def encode_metadata(metadata: Metadata) -> str:
    return json.dumps(asdict(metadata), separators=(",", ":"))


def decode_metadata(text: str) -> Metadata:
    value = json.loads(text)
    return Metadata(
        **{
            **value,
            "period": Period(**value["period"]),
            "type": DocumentType(value["type"]),
            "aliases": tuple(value["aliases"]),
        }
    )


def encode_filters(filters: Filters) -> str:
    return json.dumps({name: values for name, values in asdict(filters).items() if values})


def decode_filters(text: str) -> Filters:
    value = {name: tuple(values) for name, values in json.loads(text).items()}
    if "types" in value:
        value["types"] = tuple(DocumentType(t) for t in value["types"])
    if "kinds" in value:
        value["kinds"] = tuple(PassageKind(k) for k in value["kinds"])
    return Filters(**value)


def encode_mentions(mentions: Sequence[Mention]) -> bytes:
    """Each entity once, then (passage, entity number, source) for each mention."""
    numbers: dict[Entity, int] = {}
    rows = [[m.passage_id, numbers.setdefault(m.entity, len(numbers)), m.source] for m in mentions]
    return pack({"entities": [[e.id, e.kind.value, e.name] for e in numbers], "mentions": rows})


def decode_mentions(data: bytes) -> tuple[Mention, ...]:
    value = unpack(data)
    entities = [Entity(identity, EntityKind(kind), name) for identity, kind, name in value["entities"]]
    return tuple(Mention(passage, entities[number], source) for passage, number, source in value["mentions"])


def encode_vectors(vectors: np.ndarray) -> bytes:
    return np.ascontiguousarray(vectors, dtype="<f4").tobytes()


def decode_vectors(data: bytes, dimensions: int) -> np.ndarray:
    """Rows of ``dimensions`` float32 values, read-only."""
    return np.frombuffer(data, dtype="<f4").reshape(-1, dimensions)
