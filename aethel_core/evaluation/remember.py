"""An embedder that remembers on disk what it embedded: benchmarks embed the same texts often."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from aethel_core.embedding import Embedder

_FORMAT = 1


class RememberingEmbedder:
    """Vectors are kept per model in one .npz under ``folder``, keyed by the SHA-256 of the text;
    a file that is damaged or of another format is made anew. Single texts (questions) are
    remembered in memory only, so that asking costs no writing."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self.name = embedder.name
        digest = hashlib.sha256(embedder.name.encode()).hexdigest()[:16]
        self._path = folder / f"vectors-{digest}.npz"
        self._known: dict[str, np.ndarray] | None = None

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if self._known is None:
            self._known = self._load()
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        missing = dict.fromkeys((k, t) for k, t in zip(keys, texts, strict=True) if k not in self._known)
        if missing:
            vectors = self._embedder.embed([text for _, text in missing])
            self._known.update(zip((key for key, _ in missing), vectors, strict=True))
            if len(missing) > 1:
                self._save(self._known)
        if not keys:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([self._known[key] for key in keys])

    def _load(self) -> dict[str, np.ndarray]:
        try:
            with np.load(self._path, allow_pickle=False) as arrays:
                if int(arrays["format"]) != _FORMAT:
                    return {}
                return dict(zip(arrays["keys"].tolist(), arrays["vectors"], strict=True))
        except (OSError, ValueError, KeyError):
            return {}

    def _save(self, known: dict[str, np.ndarray]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_suffix(f".{os.getpid()}.part")
        with draft.open("wb") as file:
            keys, vectors = np.array(list(known)), np.stack(list(known.values()))
            np.savez(file, format=np.array(_FORMAT), keys=keys, vectors=vectors)
        draft.replace(self._path)
