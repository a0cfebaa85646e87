"""Term counts of a field of the passages, and the sparse weightings made from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from aethel_core.text import tokenise


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Counts of one field of one document's passages, over the document's own vocabulary.

    ``counts`` has shape (passages, len(terms)).
    """

    terms: tuple[str, ...]
    counts: sparse.csr_array

    @classmethod
    def of(cls, texts: Sequence[str]) -> TermCounts:
        return cls.of_tokens([tokenise(text) for text in texts])

    @classmethod
    def of_tokens(cls, token_lists: Sequence[Sequence[str]]) -> TermCounts:
        columns: dict[str, int] = {}
        indices: list[int] = []
        values: list[int] = []
        pointers = [0]
        for tokens in token_lists:
            for term, count in Counter(tokens).items():
                indices.append(columns.setdefault(term, len(columns)))
                values.append(count)
            pointers.append(len(indices))
        matrix = sparse.csr_array(
            (
                np.array(values, dtype=np.float32),
                np.array(indices, dtype=np.int32),
                np.array(pointers, dtype=np.int32),
            ),
            shape=(len(token_lists), len(columns)),
        )
        matrix.sort_indices()
        return cls(tuple(columns), matrix)


@dataclass(frozen=True)
class LexicalField:
    """One field of all passages: ``vocabulary`` maps a term to its column of ``counts``,
    shape (passages, terms), float32. Never mutated."""

    vocabulary: dict[str, int]
    counts: sparse.csr_array

    @classmethod
    def joined(cls, parts: Sequence[TermCounts]) -> LexicalField:
        vocabulary: dict[str, int] = {}
        blocks: list[sparse.csr_array] = []
        for part in parts:
            columns = np.array(
                [vocabulary.setdefault(t, len(vocabulary)) for t in part.terms], dtype=np.int32
            )
            moved = columns[part.counts.indices] if part.counts.nnz else part.counts.indices
            blocks.append((part.counts.data, moved, np.diff(part.counts.indptr)))
        lengths = np.concatenate([b[2] for b in blocks]) if blocks else np.zeros(0, dtype=np.int32)
        matrix = sparse.csr_array(
            (
                np.concatenate([b[0] for b in blocks]) if blocks else np.zeros(0, dtype=np.float32),
                np.concatenate([b[1] for b in blocks]) if blocks else np.zeros(0, dtype=np.int32),
                np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            ),
            shape=(lengths.size, len(vocabulary)),
        )
        return cls(vocabulary, matrix)

    @property
    def size(self) -> int:
        return int(self.counts.shape[0])

    @cached_property
    def lengths(self) -> np.ndarray:
        """Tokens per passage, shape (passages,)."""
        return np.asarray(self.counts.sum(axis=1)).ravel()

    @cached_property
    def document_frequency(self) -> np.ndarray:
        """Passages that hold each term, shape (terms,)."""
        return np.bincount(self.counts.indices, minlength=len(self.vocabulary))

    def columns(self, terms: Sequence[str]) -> list[tuple[str, int]]:
        """The known ones of ``terms`` with their column, in the order given, repeats kept."""
        return [(term, self.vocabulary[term]) for term in terms if term in self.vocabulary]


def bm25_weights(field: LexicalField, *, k1: float, b: float, variant: str) -> sparse.csc_array:
    """BM25 weight of each (passage, term), shape (passages, terms), float64.

    idf(t) · tf·(k1+1) / (tf + k1·(1 − b + b·length/average)) with, by ``variant``,

    - "okapi": idf = ln((N − df + .5)/(df + .5)), negative values replaced by a quarter of the
      mean idf (the convention of the library rank-bm25);
    - "lucene": idf = ln(1 + (N − df + .5)/(df + .5)), and the factor (k1+1) left out.

    Source: Robertson & Zaragoza 2009; Kamphuis et al. 2020 for the variants.
    """
    counts = field.counts
    frequency = field.document_frequency.astype(np.float64)
    total = field.size
    odds = (total - frequency + 0.5) / (frequency + 0.5)
    if variant == "okapi":
        present = frequency > 0
        idf = np.where(present, np.log(odds), 0.0)
        floor = 0.25 * idf[present].mean() if present.any() else 0.0
        idf[idf < 0] = floor
        gain = k1 + 1
    else:
        idf, gain = np.log1p(odds), 1.0
    average = field.lengths.mean() if total else 1.0
    norm = k1 * (1 - b + b * field.lengths / (average or 1.0))
    rows = np.repeat(np.arange(total), np.diff(counts.indptr))
    tf = counts.data.astype(np.float64)
    data = idf[counts.indices] * tf * gain / (tf + norm[rows])
    return sparse.csr_array((data, counts.indices, counts.indptr), shape=counts.shape).tocsc()


def tfidf_weights(field: LexicalField) -> tuple[sparse.csc_array, np.ndarray]:
    """Unit-length TF-IDF rows and the idf, shapes (passages, terms) and (terms,).

    tf·(ln((1+N)/(1+df)) + 1), the smoothed form that scikit-learn's TfidfVectorizer uses.
    """
    counts = field.counts
    idf = np.log((1 + field.size) / (1 + field.document_frequency)) + 1
    rows = np.repeat(np.arange(field.size), np.diff(counts.indptr))
    data = counts.data.astype(np.float64) * idf[counts.indices]
    norms = np.sqrt(np.bincount(rows, weights=data**2, minlength=field.size))
    data /= np.where(norms > 0, norms, 1.0)[rows]
    return sparse.csr_array((data, counts.indices, counts.indptr), shape=counts.shape).tocsc(), idf
