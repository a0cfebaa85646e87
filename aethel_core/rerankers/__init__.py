"""Rerankers and the cascade of them: (question, ranking) → better ranking.

A new reranker is one file with the contract of `aethel_core.rerankers.base`; `configured` chooses by
the settings which one the last stage of the cascade uses.
"""

from __future__ import annotations

from aethel_core.config import Settings
from aethel_core.rerankers.base import Reranker
from aethel_core.rerankers.cascade import Stage
from aethel_core.rerankers.cross_encoder import CrossEncoder
from aethel_core.rerankers.endpoint import Endpoint

REMOTE_BATCH = 32


def configured(settings: Settings) -> Reranker | None:
    """The reranker that the settings name, None where they name none: then the embedded one is used.

    With an address it is the model behind that endpoint, else a cross-encoder by name or folder.

    :raises InvalidInput: the address cannot be one.
    """
    if settings.rerank_url:
        return Endpoint(settings.rerank_url, settings.rerank_model, settings.rerank_api_key)
    return CrossEncoder(settings.rerank_model) if settings.rerank_model else None


def strong_stage(reranker: Reranker, keep: int) -> Stage:
    """The last stage for a model from outside: in batches, so that the time limit can stop it."""
    return Stage(reranker, keep, REMOTE_BATCH)
