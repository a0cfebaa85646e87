"""Dense retrieval: exact cosine between the question's vector and every passage's."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

import numpy as np

from aethel_core.embedding import Embedder
from aethel_core.errors import InvalidInput
from aethel_core.index import Index
from aethel_core.retrievers.base import IndexRetriever, Scored
from aethel_core.types import Query

_REMEMBERED = 256


class QueryVectors:
    """Vectors of the latest questions, so that retrievers asked side by side embed one once."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._known: OrderedDict[str, np.ndarray] = OrderedDict()
        self._lock = Lock()

    def __call__(self, text: str) -> np.ndarray:
        """The unit vector of ``text``, shape (dimensions,)."""
        with self._lock:
            if text in self._known:
                self._known.move_to_end(text)
                return self._known[text]
        vector = self.embedder.embed([text])[0]
        with self._lock:
            self._known[text] = vector
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return vector


class Dense(IndexRetriever):
    """cos(q, passage), in float32; every passage qualifies whose similarity is positive."""

    name = "dense"

    def __init__(self, index: Index, vectors: QueryVectors) -> None:
        super().__init__(index)
        self.vectors = vectors

    def similarities(self, query: Query) -> np.ndarray:
        """Cosine of the question with every passage, shape (passages,), float32.

        :raises InvalidInput: the passages were embedded by a model of another size.
        """
        vector = self.vectors(" ".join((query.text, *query.expansions)))
        if self.index.vectors.shape[1] != vector.size:
            raise InvalidInput(
                "The documents were embedded with another model than the one in the settings: "
                "re-index them or choose the former model."
            )
        return self.index.vectors @ vector

    def score(self, query: Query) -> Scored:
        similarities = self.similarities(query).astype(np.float64)
        return Scored(np.where(similarities > 0, similarities, -np.inf))
