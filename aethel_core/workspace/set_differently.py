"""What of the retrieval settings is not as it comes: it shapes answers, so results are named by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from aethel_core.rerankers import Plan
from aethel_core.retrievers import Parameters


def set_differently(
    parameters: Parameters,
    muted: Sequence[str] = (),
    plan: Plan = Plan(),  # noqa: B008 - immutable
) -> dict[str, object]:
    """The parameters that differ from the defaults, the entities taken out of every walk, and the stages
    of the cascade where they are not the embedded ones; as JSON keeps them."""
    usual = asdict(Parameters())
    chosen: dict[str, object] = {}
    for name, value in asdict(parameters).items():
        if _plain(value) != _plain(usual[name]):
            chosen[name] = _plain(value)
    if plan != Plan():
        chosen["cascade"] = plan.to_json()
    return chosen | ({"muted": sorted(muted)} if muted else {})


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
