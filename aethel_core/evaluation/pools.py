"""Paragraph benchmarks: every paragraph is a document of one passage.

Closed pool: each question's own paragraphs are indexed afresh and only they can be found.
Open pool: all paragraphs of all questions are in one index; the same title and text brought by
two questions is one paragraph, and gold for a question only where that question says so.

A paragraph's title is its document's title and its section, so retrievers see it as they see the
heading of a filing's passage, and it is an entity of the graph, as the title of any document
without a company is. Wikipedia tells pages of one name apart by a qualifier in brackets, which
no text repeats: "Dune (film)" is the entity "Dune" too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from aethel_core.embedding import Embedder
from aethel_core.entities import ner, regex
from aethel_core.entities.filter import entity
from aethel_core.evaluation.base import Dataset, Paragraph, ParagraphQuestion
from aethel_core.evaluation.judgements import JudgedQuestion, Judgements
from aethel_core.evaluation.runs import QuestionSearcher, Searcher
from aethel_core.index import Index, Segment
from aethel_core.index.context import embedded_text
from aethel_core.types import (
    Entity,
    Mention,
    Metadata,
    Passage,
    PassageKind,
    Query,
    Ranking,
    document_id,
    passage_id,
)

_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")

SearcherOf = Callable[[Index], Searcher]


class NameReader(Protocol):
    """Reads names in texts. ``name`` identifies everything that shapes the result."""

    name: str

    def read(self, texts: Sequence[str]) -> list[tuple[tuple[Entity, str], ...]]:
        """For each text its entities, each with the recogniser that read it ("regex", "ner")."""
        ...


class Recognisers:
    """The regular expressions and the statistical recogniser."""

    name = f"regex + {ner.MODEL}"

    def read(self, texts: Sequence[str]) -> list[tuple[tuple[Entity, str], ...]]:
        statistical = ner.Recogniser().extract(texts)
        return [
            (*((found, "regex") for found in regex.extract(text)), *((found, "ner") for found in names))
            for text, names in zip(texts, statistical, strict=True)
        ]


def paragraph_id(paragraph: Paragraph) -> str:
    """The id of the paragraph's only passage."""
    return passage_id(document_id(paragraph.sha256), 0)


def paragraph_segments(
    paragraphs: Sequence[Paragraph], embedder: Embedder, names: NameReader
) -> dict[Paragraph, Segment]:
    """A segment for each different paragraph."""
    unique = tuple(dict.fromkeys(paragraphs))
    metadata = [Metadata(title=paragraph.title) for paragraph in unique]
    passages = [_passage(paragraph) for paragraph in unique]
    vectors = embedder.embed([embedded_text(m, p) for m, p in zip(metadata, passages, strict=True)])
    read = names.read([passage.text for passage in passages])
    return {
        paragraph: Segment.build(
            passage.document_id, about, [passage], vectors[row : row + 1], _mentions(passage, read[row])
        )
        for row, (paragraph, about, passage) in enumerate(zip(unique, metadata, passages, strict=True))
    }


def paragraph_index(paragraphs: Sequence[Paragraph], embedder: Embedder, names: NameReader) -> Index:
    return Index.empty().extended(paragraph_segments(paragraphs, embedder, names).values())


def pool_judgements(questions: Sequence[ParagraphQuestion]) -> Judgements:
    """The supporting paragraphs as relevant items, in either pool."""
    judged = tuple(
        JudgedQuestion(
            question.id,
            question.text,
            tuple(dict.fromkeys((paragraph_id(question.paragraphs[i]), 1) for i in question.supporting)),
            question.answer,
            question.hops,
        )
        for question in questions
    )
    return Judgements("paragraph", judged, lambda passage: passage)


def open_pool(dataset: Dataset, embedder: Embedder, names: NameReader, searcher_of: SearcherOf) -> Searcher:
    """Search in one index of every paragraph of the data set."""
    return searcher_of(paragraph_index(dataset.paragraphs, embedder, names))


def closed_pool(
    dataset: Dataset, embedder: Embedder, names: NameReader, searcher_of: SearcherOf
) -> QuestionSearcher:
    """Search in an index of the question's own paragraphs. Questions should come one after the
    other, as `runs.evaluate_each` asks them: only the last question's index is kept."""
    segments = paragraph_segments(dataset.paragraphs, embedder, names)
    own = {question.id: question.paragraphs for question in dataset.questions}
    return _ClosedPool(segments, own, searcher_of)


class _ClosedPool:
    def __init__(
        self,
        segments: Mapping[Paragraph, Segment],
        own: Mapping[str, Sequence[Paragraph]],
        searcher_of: SearcherOf,
    ) -> None:
        self._segments, self._own, self._searcher_of = segments, own, searcher_of
        self._current: tuple[str, Searcher] | None = None

    def __call__(self, question: JudgedQuestion, retriever: str, k: int) -> Ranking:
        if self._current is None or self._current[0] != question.id:
            segments = {p.sha256: self._segments[p] for p in self._own[question.id]}
            index = Index.empty().extended(segments.values())
            self._current = (question.id, self._searcher_of(index))
        return self._current[1](Query(question.text), retriever, k)


def _passage(paragraph: Paragraph) -> Passage:
    return Passage(
        paragraph_id(paragraph),
        document_id(paragraph.sha256),
        page=1,
        start=0,
        end=len(paragraph.text),
        rects=(),
        section=paragraph.title,
        kind=PassageKind.PROSE,
        text=paragraph.text,
    )


def _mentions(passage: Passage, read: Sequence[tuple[Entity, str]]) -> list[Mention]:
    """What was read, and the title without its qualifier; the full title is every document's."""
    bare = entity(_QUALIFIER.sub("", passage.section))
    named = [(bare, "title")] if bare else []
    return [Mention(passage.id, found, source) for found, source in (*read, *named)]
