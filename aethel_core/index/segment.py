"""Everything an index needs of one document: the unit that is added, removed and stored.

A segment depends on its document alone. What depends on the whole corpus (document
frequencies, which names of other documents occur here) is made when segments are joined in an
`aethel_core.index.Index`.
"""

from __future__ import annotations

import hashlib
import io
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from zipfile import BadZipFile

import numpy as np
from scipy import sparse

from aethel_core.entities.coreference import Join, Rule, document_joins, self_terms
from aethel_core.errors import WorkspaceError
from aethel_core.finance.normalise import extra_terms
from aethel_core.index.context import header
from aethel_core.index.lexical import TermCounts
from aethel_core.index.mentions import implied
from aethel_core.summaries import Summary, SummarySentence, summarise
from aethel_core.text import match_form, tokenise
from aethel_core.types import (
    DocumentType,
    Entity,
    EntityKind,
    Mention,
    Metadata,
    Passage,
    PassageKind,
    Period,
    Statement,
)

FORMAT = 5
_FIELDS = ("body", "context", "forms")
_NO_SUMMARY = Summary("", 0, ())


@dataclass(frozen=True, slots=True)
class MentionTable:
    """Which ``entities`` one recogniser read in which passages: (rows[i], columns[i])."""

    entities: tuple[Entity, ...]
    rows: np.ndarray  # int32, passage ordinals of the document
    columns: np.ndarray  # int32, positions in ``entities``

    @classmethod
    def of(cls, mentions: Sequence[tuple[int, Entity]]) -> MentionTable:
        entities = {entity.id: entity for _, entity in reversed(mentions)}
        ordered = tuple(entities[key] for key in sorted(entities))
        position = {entity.id: i for i, entity in enumerate(ordered)}
        pairs = sorted({(row, position[entity.id]) for row, entity in mentions})
        return cls(
            ordered,
            np.array([row for row, _ in pairs], dtype=np.int32),
            np.array([column for _, column in pairs], dtype=np.int32),
        )


@dataclass(frozen=True, slots=True)
class Segment:
    """``vectors`` has shape (passages, dimensions), float32, unit rows; ``match_texts`` are
    the passages in `match_form`; ``forms`` are what they say in other forms (`normalise.extra_terms`),
    beside ``body``, their text; ``mentions`` is one table per recogniser; ``joins`` are the aliases
    the document states, ``self_references`` the ordinals of passages that call its company "the
    Company", "we" and the like; ``summary`` is without sentences where the document is not long."""

    document_id: str
    metadata: Metadata
    passage_ids: tuple[str, ...]
    pages: tuple[int, ...]
    sections: tuple[str, ...]
    kinds: tuple[PassageKind, ...]
    statements: tuple[tuple[Statement, ...], ...]
    match_texts: tuple[str, ...]
    body: TermCounts
    context: TermCounts
    forms: TermCounts
    vectors: np.ndarray
    mentions: Mapping[str, MentionTable]
    joins: tuple[Join, ...] = ()
    self_references: tuple[int, ...] = ()
    summary: Summary = _NO_SUMMARY

    @classmethod
    def build(
        cls,
        document_id: str,
        metadata: Metadata,
        passages: Sequence[Passage],
        vectors: np.ndarray,
        mentions: Sequence[Mention],
    ) -> Segment:
        """:param vectors: one row per passage, of `context.embedded_text`.
        :param mentions: the names that recognisers read, by source ("ner", "regex")."""
        rows = {passage.id: row for row, passage in enumerate(passages)}
        by_source: dict[str, list[tuple[int, Entity]]] = {}
        for mention in (*mentions, *implied(passages, metadata)):
            by_source.setdefault(mention.source, []).append((rows[mention.passage_id], mention.entity))
        texts = [passage.text for passage in passages]
        match_texts = tuple(match_form(f"{passage.section}\n{passage.text}") for passage in passages)
        self_words = [f" {key} " for key in sorted(self_terms(texts, metadata))]
        return cls(
            document_id,
            metadata,
            tuple(passage.id for passage in passages),
            tuple(passage.page for passage in passages),
            tuple(passage.section for passage in passages),
            tuple(passage.kind for passage in passages),
            tuple(passage.statements for passage in passages),
            match_texts,
            TermCounts.of_tokens([tokenise(text) for text in texts]),
            TermCounts.of_tokens([tokenise(header(metadata, passage)) for passage in passages]),
            TermCounts.of_tokens([tokenise(" ".join(extra_terms(text))) for text in texts]),
            np.asarray(vectors, dtype=np.float32),
            {source: MentionTable.of(pairs) for source, pairs in sorted(by_source.items())},
            document_joins(texts, metadata),
            tuple(row for row, text in enumerate(match_texts) if any(word in text for word in self_words)),
            summarise(passages),
        )

    def digest(self) -> str:
        """Of all that it holds, vectors included."""
        found = hashlib.blake2b(digest_size=16)
        texts = (
            self.metadata,
            self.passage_ids,
            self.pages,
            self.sections,
            self.kinds,
            self.statements,
            self.match_texts,
            self.body.terms,
            self.context.terms,
            [(source, table.entities) for source, table in self.mentions.items()],
            self.joins,
            self.self_references,
            self.summary,
        )
        found.update(repr(texts).encode("utf-8", "replace"))
        for array in (self.vectors, *(m for t in self.mentions.values() for m in (t.rows, t.columns))):
            found.update(np.ascontiguousarray(array).data)
        return found.hexdigest()

    def to_bytes(self) -> bytes:
        texts = {
            "format": FORMAT,
            "document_id": self.document_id,
            "metadata": asdict(self.metadata),
            "passage_ids": self.passage_ids,
            "sections": self.sections,
            "kinds": self.kinds,
            "statements": self.statements,
            "match_texts": self.match_texts,
            "joins": [(join.long, join.short, join.rule) for join in self.joins],
            "self_references": self.self_references,
            "summary": asdict(self.summary),
            "terms": {name: getattr(self, name).terms for name in _FIELDS},
            "entities": {
                source: [(entity.id, entity.kind, entity.name) for entity in table.entities]
                for source, table in self.mentions.items()
            },
        }
        arrays = {"pages": np.array(self.pages, dtype=np.int32), "vectors": self.vectors}
        for name in _FIELDS:
            field: TermCounts = getattr(self, name)
            arrays[f"{name}.data"] = field.counts.data
            arrays[f"{name}.indices"] = field.counts.indices
            arrays[f"{name}.indptr"] = field.counts.indptr
        for source, table in self.mentions.items():
            arrays[f"rows.{source}"], arrays[f"columns.{source}"] = table.rows, table.columns
        encoded = zlib.compress(json.dumps(texts, ensure_ascii=False).encode(), 1)
        arrays["texts"] = np.frombuffer(encoded, dtype=np.uint8)
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Segment:
        """:raises WorkspaceError: the bytes are of another format or damaged."""
        try:
            arrays = np.load(io.BytesIO(data), allow_pickle=False)
            texts = json.loads(zlib.decompress(arrays["texts"].tobytes()))
        except (ValueError, KeyError, EOFError, OSError, BadZipFile, zlib.error) as error:
            raise WorkspaceError("A stored index segment is damaged: re-index the document.") from error
        if texts.get("format") != FORMAT:
            raise WorkspaceError("A stored index segment is of another version: re-index the document.")
        ids = tuple(texts["passage_ids"])

        def counts(name: str) -> TermCounts:
            terms = tuple(texts["terms"][name])
            parts = (arrays[f"{name}.data"], arrays[f"{name}.indices"], arrays[f"{name}.indptr"])
            return TermCounts(terms, sparse.csr_array(parts, shape=(len(ids), len(terms))))

        return cls(
            texts["document_id"],
            _metadata(texts["metadata"]),
            ids,
            tuple(int(page) for page in arrays["pages"]),
            tuple(texts["sections"]),
            tuple(PassageKind(kind) for kind in texts["kinds"]),
            tuple(tuple(Statement(s) for s in found) for found in texts["statements"]),
            tuple(texts["match_texts"]),
            *map(counts, _FIELDS),
            arrays["vectors"],
            {
                source: MentionTable(
                    tuple(Entity(key, EntityKind(kind), name) for key, kind, name in rows),
                    arrays[f"rows.{source}"],
                    arrays[f"columns.{source}"],
                )
                for source, rows in texts["entities"].items()
            },
            tuple(Join(long, short, Rule(rule)) for long, short, rule in texts["joins"]),
            tuple(texts["self_references"]),
            _summary(texts["summary"]),
        )


def _summary(data: dict) -> Summary:
    sentences = (
        SummarySentence(**{**sentence, "about": tuple(sentence["about"])}) for sentence in data["sentences"]
    )
    return Summary(data["document_id"], data["tokens"], tuple(sentences))


def _metadata(data: dict) -> Metadata:
    return Metadata(
        **{
            **data,
            "period": Period(**data["period"]),
            "type": DocumentType(data["type"]),
            "aliases": tuple(data["aliases"]),
        }
    )
