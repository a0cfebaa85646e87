"""Which models the two stages of the cascade use, how many passages they keep, and how long they may take.

A plan names models, the settings say where they are and hold the keys: what leaves the machine is decided
where Aethel is started, never by a workspace.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any, Self

from aethel_core import llm
from aethel_core.config import Settings
from aethel_core.errors import InvalidInput, ModelUnavailable
from aethel_core.rerankers import llm_judge
from aethel_core.rerankers.base import PassageLookup, Reranker
from aethel_core.rerankers.cascade import FIRST, SECOND, SECONDS, Stage
from aethel_core.rerankers.cross_encoder import CrossEncoder
from aethel_core.rerankers.endpoint import TIMEOUT, Endpoint
from aethel_core.rerankers.llm_judge import LlmJudge
from aethel_core.types import Query, Ranking

REMOTE_BATCH = 32
_JUDGE = "llm"  # as a model's name in the settings
_JUDGE_SECONDS = 60.0


class Kind(StrEnum):
    EMBEDDED = "embedded"
    CROSS_ENCODER = "cross-encoder"
    ENDPOINT = "endpoint"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Choice:
    """``model`` is the name or folder of a cross-encoder; the others are named by the settings."""

    kind: Kind = Kind.EMBEDDED
    model: str = ""

    def __post_init__(self) -> None:
        if self.kind is Kind.CROSS_ENCODER and not self.model.strip():
            raise InvalidInput("A cross-encoder needs its name or the folder it is kept in.")


@dataclass(frozen=True, slots=True)
class Plan:
    """``keep_first`` and ``keep_second`` are what the stages hand on, ``seconds`` what both may take."""

    first: Choice = Choice()
    second: Choice = Choice()
    keep_first: int = FIRST
    keep_second: int = SECOND
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        if not 1 <= self.keep_second <= self.keep_first:
            raise InvalidInput("Stage 2 keeps at least one passage, and at most as many as stage 1.")
        if not self.seconds > 0:
            raise InvalidInput("The time limit of the cascade must be above zero.")

    @classmethod
    def of(cls, settings: Settings) -> Plan:
        """What the settings say by themselves: their reranker is the second stage."""
        if settings.rerank_url:
            return cls(second=Choice(Kind.ENDPOINT))
        if settings.rerank_model == _JUDGE:
            return cls(second=Choice(Kind.JUDGE))
        if settings.rerank_model:
            return cls(second=Choice(Kind.CROSS_ENCODER, settings.rerank_model))
        return cls()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """:raises InvalidInput: it is no plan."""
        try:
            known = {field.name: data[field.name] for field in fields(cls) if field.name in data}
            for stage in ("first", "second"):
                if stage in known:
                    known[stage] = Choice(Kind(known[stage]["kind"]), str(known[stage]["model"]))
            return cls(**known)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput("The stages of this workspace cannot be read. Choose them anew.") from error


@dataclass(frozen=True, slots=True)
class Stages:
    """The rerankers of a plan; None stands for the embedded one of that stage."""

    first: Reranker | None = None
    second: Reranker | None = None
    keep_first: int = FIRST
    keep_second: int = SECOND
    seconds: float = SECONDS

    def stage(self, number: int, embedded: Reranker) -> Stage:
        """The stage of that number, with ``embedded`` where no other is chosen."""
        chosen, keep = ((self.first, self.keep_first), (self.second, self.keep_second))[number - 1]
        return Stage(embedded, keep) if chosen is None else Stage(chosen, keep, _batch(chosen))


class Unusable:
    """Stands for a reranker that was asked for and that cannot be: it says so when it is used, so that
    a mistake in the settings costs one stage and not the search."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason

    def rerank(self, query: Query, ranking: Ranking, passages: PassageLookup, k: int) -> Ranking:
        raise ModelUnavailable(self.reason)


def configured(settings: Settings, plan: Plan | None = None) -> Stages:
    """The rerankers of a plan, without one of the plan that the settings give by themselves. Nothing is
    loaded or asked yet."""
    plan = plan or Plan.of(settings)
    first = reranker(plan.first, settings, plan.seconds)
    # One model in memory is enough where both stages use the same.
    second = first if plan.first == plan.second else reranker(plan.second, settings, plan.seconds)
    return Stages(first, second, plan.keep_first, plan.keep_second, plan.seconds)


def reranker(choice: Choice, settings: Settings, seconds: float = SECONDS) -> Reranker | None:
    """None for the embedded one.

    :param seconds: what one request may take at most; models that are not asked over a network ignore it.
    """
    if choice.kind is Kind.CROSS_ENCODER:
        return CrossEncoder(choice.model)
    if choice.kind is Kind.ENDPOINT:
        try:
            return Endpoint(
                settings.rerank_url,
                settings.rerank_model,
                settings.rerank_api_key,
                timeout=min(TIMEOUT, seconds),
            )
        except InvalidInput as error:
            return Unusable("reranker of the settings", str(error))
    if choice.kind is Kind.JUDGE:
        endpoint = llm.Endpoint.of(settings)
        if endpoint is None:
            return Unusable("judge", "No language model is set, so none can judge passages.")
        quick = replace(endpoint, timeout=min(_JUDGE_SECONDS, seconds), retries=0)
        return LlmJudge(llm.ChatModel(quick, cache=settings.cache_dir / "llm"))
    return None


def _batch(chosen: Reranker) -> int:
    """Small enough that the time limit can stop a model from outside between two batches."""
    return llm_judge.BATCH if isinstance(chosen, LlmJudge) else REMOTE_BATCH
