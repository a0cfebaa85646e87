"""How well a document answers a question as a whole: a prior for its passages.

    s(d) = BM25 of the question in what d is told by, as a share of the best

A long document is told by what it is (company, type, period, title) and its summary
(`aethel_core.summaries`), which keeps indicators and results; any other by that and its whole text. A
passage takes the value of its document.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

import numpy as np
from scipy import sparse

from aethel_core.index import Index, Segment
from aethel_core.index.lexical import LexicalField, TermCounts, bm25_weights
from aethel_core.retrievers.base import query_tokens
from aethel_core.text import tokenise
from aethel_core.types import Metadata, Query

_K1, _B = 1.2, 0.75


class SummaryPrior:
    """Safe to share between threads."""

    def __init__(self, index: Index) -> None:
        self.index = index

    @cached_property
    def _field(self) -> LexicalField:
        return LexicalField.joined([_told(segment) for segment in self.index.segments])

    @cached_property
    def _weights(self) -> sparse.csc_array:
        return bm25_weights(self._field, k1=_K1, b=_B, variant="lucene")

    def of_documents(self, query: Query) -> np.ndarray:
        """From 0 to 1, in the order of the index' segments, shape (documents,)."""
        scores = np.zeros(len(self.index.segments))
        weights = self._weights
        for _, column in self._field.columns(query_tokens(query)):
            part = slice(weights.indptr[column], weights.indptr[column + 1])
            scores[weights.indices[part]] += weights.data[part]
        best = scores.max(initial=0.0)
        return scores / best if best > 0 else scores

    def of_passages(self, query: Query) -> np.ndarray:
        """The same for each passage, shape (passages,)."""
        return self.of_documents(query)[self.index.document_of]


def _told(segment: Segment) -> TermCounts:
    """The one row of counts that stands for a document."""
    said = Counter(tokenise(_title(segment.metadata)))
    if segment.summary.sentences:
        said.update(tokenise(segment.summary.text))
    else:
        whole = np.asarray(segment.body.counts.sum(axis=0)).ravel()
        said.update({term: int(count) for term, count in zip(segment.body.terms, whole, strict=True)})
    return TermCounts.of_tokens([list(said.elements())])


def _title(metadata: Metadata) -> str:
    return " ".join([metadata.company, metadata.type.value, metadata.period.label, metadata.title])
