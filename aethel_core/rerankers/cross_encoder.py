"""Any sentence-transformers CrossEncoder, by hub name or folder.

The model reads question and passage together and gives one score. It is loaded on first use; a
folder is never looked for on the network, and code that comes with a model is never run.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from aethel_core.errors import ModelUnavailable
from aethel_core.rerankers.base import PassageLookup, check_k, reordered, texts
from aethel_core.types import Query, Ranking

BATCH = 16


class CrossEncoder:
    def __init__(self, model: str, *, batch: int = BATCH) -> None:
        self._model, self._batch = model, batch
        self._lock = Lock()
        self.name = f"cross-encoder {Path(model).name}"

    @cached_property
    def _encoder(self) -> Any:
        try:
            from sentence_transformers import CrossEncoder as Encoder
        except ImportError:
            raise ModelUnavailable(
                "Cross-encoders need the package sentence-transformers: install it, or use another reranker."
            ) from None
        folder = Path(self._model).expanduser()
        try:
            if folder.is_dir():
                return Encoder(str(folder), local_files_only=True)
            return Encoder(self._model)
        except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
            raise ModelUnavailable(
                f"The cross-encoder {folder.name} cannot be loaded ({type(error).__name__}): check its name "
                "or folder in the settings."
            ) from error

    def rerank(self, query: Query, ranking: Ranking, passages: PassageLookup, k: int) -> Ranking:
        check_k(k)
        if not ranking.hits:
            return Ranking(self.name, ())
        pairs = [(query.text, text) for text in texts(ranking, passages)]
        with self._lock:  # one load, and one forward pass at a time: more would only compete
            try:
                scores = self._encoder.predict(pairs, batch_size=self._batch, show_progress_bar=False)
            except RuntimeError as error:
                raise ModelUnavailable(
                    f"The {self.name} failed ({type(error).__name__}): it may need more memory."
                ) from error
        scores = np.asarray(scores, dtype=np.float64)
        if scores.shape != (len(pairs),) or not np.isfinite(scores).all():
            raise ModelUnavailable(f"The {self.name} does not give one score per passage; choose a reranker.")
        return reordered(self.name, ranking, scores, k)
