"""Rerankers and the cascade of them: (question, ranking) → better ranking.

A new reranker is one file with the contract of `aethel_core.rerankers.base`; `configured` chooses by
the settings which one the last stage of the cascade uses.
"""

from __future__ import annotations

from aethel_core import llm
from aethel_core.config import Settings
from aethel_core.errors import InvalidInput, ModelUnavailable
from aethel_core.rerankers import llm_judge
from aethel_core.rerankers.base import PassageLookup, Reranker
from aethel_core.rerankers.cascade import Stage
from aethel_core.rerankers.cross_encoder import CrossEncoder
from aethel_core.rerankers.endpoint import Endpoint
from aethel_core.rerankers.llm_judge import LlmJudge
from aethel_core.types import Query, Ranking

JUDGE = "llm"
REMOTE_BATCH = 32


class Unusable:
    """Stands for a reranker that the settings ask for and that cannot be: it says so when it is used, so
    that a mistake in the settings costs one stage and not the search."""

    name = "reranker of the settings"

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def rerank(self, query: Query, ranking: Ranking, passages: PassageLookup, k: int) -> Ranking:
        raise ModelUnavailable(self.reason)


def configured(settings: Settings) -> Reranker | None:
    """The reranker that the settings name, None where they name none: then the embedded one is used.

    "llm" is the language model as judge; with an address it is the model behind that endpoint, else
    a cross-encoder by name or folder.
    """
    if settings.rerank_model == JUDGE and not settings.rerank_url:
        model = llm.load(settings)
        return LlmJudge(model) if model else Unusable("No language model is set, so none can judge passages.")
    if settings.rerank_url:
        try:
            return Endpoint(settings.rerank_url, settings.rerank_model, settings.rerank_api_key)
        except InvalidInput as error:
            return Unusable(str(error))
    return CrossEncoder(settings.rerank_model) if settings.rerank_model else None


def strong_stage(reranker: Reranker, keep: int) -> Stage:
    """The last stage for a model from outside: in batches, so that the time limit can stop it."""
    return Stage(reranker, keep, llm_judge.BATCH if isinstance(reranker, LlmJudge) else REMOTE_BATCH)
