"""Small corpora made on the spot, indexed through the real code."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from aethel_core.entities import regex
from aethel_core.index import Index, Segment
from aethel_core.index.context import embedded_text
from aethel_core.types import (
    Mention,
    Metadata,
    Passage,
    PassageKind,
    Rect,
    Statement,
    Table,
    TableCell,
    TableColumn,
    TableRow,
    document_id,
    passage_id,
)
from tests.standins import HashEmbedder


def document_of(name: str) -> str:
    return document_id(hashlib.sha256(name.encode()).hexdigest())


def passages_of(name: str, texts: Sequence[str | Passage]) -> list[Passage]:
    """One passage per text, one page each."""
    document = document_of(name)
    return [
        text
        if isinstance(text, Passage)
        else Passage(
            passage_id(document, number),
            document,
            number + 1,
            0,
            len(text),
            (Rect(72, 72, 540, 90),),
            "",
            PassageKind.PROSE,
            text,
        )
        for number, text in enumerate(texts)
    ]


def segment(name: str, metadata: Metadata, texts: Sequence[str | Passage]) -> Segment:
    passages = passages_of(name, texts)
    vectors = HashEmbedder().embed([embedded_text(metadata, passage) for passage in passages])
    mentions = [
        Mention(passage.id, entity, source)
        for passage in passages
        for entity in regex.extract(passage.text)
        for source in ("regex", "ner")
    ]
    return Segment.build(document_of(name), metadata, passages, vectors, mentions)


def index(*segments: Segment) -> Index:
    return Index.empty().extended(segments)


def statement_passage(
    name: str, number: int, statement: Statement, rows: Sequence[tuple[str, float]], period: str
) -> Passage:
    """A table passage of a financial statement with one column."""
    document = document_of(name)
    table = Table(
        title=statement.value,
        columns=(TableColumn(period, period),),
        rows=tuple(TableRow(header, (TableCell(f"{value:,.0f}", value),)) for header, value in rows),
    )
    text = "\n".join([statement.value, *(f"{header} | {value:,.0f}" for header, value in rows)])
    return Passage(
        passage_id(document, number),
        document,
        number + 1,
        0,
        len(text),
        (),
        "Item 8",
        PassageKind.TABLE,
        text,
        table,
        (statement,),
    )
