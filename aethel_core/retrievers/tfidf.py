"""TF-IDF with cosine similarity: the sparse lexical baseline (Salton & Buckley 1988)."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

import numpy as np
from scipy import sparse

from aethel_core.index import Index
from aethel_core.index.lexical import LexicalField, tfidf_weights
from aethel_core.retrievers.base import NO_WORD, IndexRetriever, Scored, positive, query_tokens
from aethel_core.types import Query


class TfIdf(IndexRetriever):
    """cos(q, d) over tf·idf vectors of a passage's text and its context line together."""

    name = "tfidf"

    @cached_property
    def _field(self) -> LexicalField:
        return both_fields(self.index)

    @cached_property
    def _weights(self) -> tuple[sparse.csc_array, np.ndarray]:
        return tfidf_weights(self._field)

    def contributions(self, query: Query) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """(term, rows, what it adds to the cosine of those rows), in the order of the question."""
        counts = Counter(query_tokens(query))
        columns = self._field.columns(list(counts))
        weights, idf = self._weights
        values = {term: counts[term] * idf[column] for term, column in columns}
        norm = float(np.sqrt(sum(v**2 for v in values.values()))) or 1.0
        found = []
        for term, column in columns:
            part = slice(weights.indptr[column], weights.indptr[column + 1])
            found.append((term, weights.indices[part], weights.data[part] * (values[term] / norm)))
        return found

    def score(self, query: Query) -> Scored:
        scores = np.zeros(self.index.size)
        found = self.contributions(query)
        for _, rows, values in found:
            scores[rows] += values
        return Scored(positive(scores), "" if found else NO_WORD)


def both_fields(index: Index) -> LexicalField:
    """The text and the context line of each passage as one field."""
    body, context = index.body, index.context
    vocabulary = dict(body.vocabulary)
    columns = np.array(
        [vocabulary.setdefault(t, len(vocabulary)) for t in context.vocabulary], dtype=np.int64
    )
    wide = sparse.csr_array(
        (body.counts.data, body.counts.indices, body.counts.indptr), shape=(index.size, len(vocabulary))
    )
    moved = sparse.csr_array(
        (
            context.counts.data,
            columns[context.counts.indices] if columns.size else context.counts.indices,
            context.counts.indptr,
        ),
        shape=wide.shape,
    )
    return LexicalField(vocabulary, (wide + moved).tocsr())
