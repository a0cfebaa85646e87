"""BM25, the strong lexical baseline, from a precomputed sparse matrix.

Source: Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import sparse

from aethel_core.errors import InvalidInput
from aethel_core.index import Index
from aethel_core.index.lexical import LexicalField, bm25_weights
from aethel_core.retrievers.base import NO_WORD, IndexRetriever, Scored, positive, query_tokens
from aethel_core.types import Query

VARIANTS = ("lucene", "okapi")
CONTEXT_WEIGHT = 1.0
FORMS_WEIGHT = 0.3


class BM25(IndexRetriever):
    """Σ over the question's terms of their BM25 weight in the text plus ``context_weight`` times
    that in the context line (company, type, period, section), and where the query asks for it
    `FORMS_WEIGHT` times that in the passage's other forms; see `bm25_weights` for variants."""

    name = "bm25"

    def __init__(
        self,
        index: Index,
        *,
        k1: float = 1.2,
        b: float = 0.75,
        variant: str = "lucene",
        context_weight: float = CONTEXT_WEIGHT,
    ) -> None:
        super().__init__(index)
        if k1 < 0 or not 0 <= b <= 1:
            raise InvalidInput(f"BM25 needs k1 ≥ 0 and b from 0 to 1; these are {k1} and {b}.")
        if variant not in VARIANTS:
            raise InvalidInput(f"There is no BM25 variant {variant!r}. Choose one of: {', '.join(VARIANTS)}.")
        self.k1, self.b, self.variant, self.context_weight = k1, b, variant, context_weight

    def _weighted(self, field: LexicalField) -> sparse.csc_array:
        return bm25_weights(field, k1=self.k1, b=self.b, variant=self.variant)

    @cached_property
    def _body(self) -> sparse.csc_array:
        return self._weighted(self.index.body)

    @cached_property
    def _context(self) -> sparse.csc_array:
        return self._weighted(self.index.context) * self.context_weight

    @cached_property
    def _forms(self) -> sparse.csc_array:
        return self._weighted(self.index.forms) * FORMS_WEIGHT

    def contributions(self, query: Query) -> list[tuple[str, str, np.ndarray, np.ndarray]]:
        """(term, "text", "context" or "other forms", rows, what it adds to their score), in the order of the
        question; a term that the question repeats comes once per repetition."""
        tokens = query_tokens(query)
        fields = [("text", self.index.body, self._body)]
        if self.context_weight:
            fields.append(("context", self.index.context, self._context))
        if query.forms:
            fields.append(("other forms", self.index.forms, self._forms))
        found = []
        for where, field, weights in fields:
            for term, column in field.columns(tokens):
                part = slice(weights.indptr[column], weights.indptr[column + 1])
                found.append((term, where, weights.indices[part], weights.data[part]))
        return found

    def score(self, query: Query) -> Scored:
        scores = np.zeros(self.index.size)
        found = self.contributions(query)
        for _, _, rows, values in found:
            scores[rows] += values
        return Scored(positive(scores), "" if found else NO_WORD)
