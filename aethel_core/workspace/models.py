"""The models a person chose on the screen, and one small call to see whether an endpoint answers.

What is chosen is kept in the data folder, beside the workspaces, and stands before what the
environment says. Keys are never among it: they come from the environment or stay in memory.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from urllib.parse import urlsplit

from aethel_core import embedding, llm
from aethel_core.config import EMBEDDED_MODEL, Settings
from aethel_core.errors import AethelError, InvalidInput, WorkspaceError
from aethel_core.rerankers.endpoint import Endpoint as RerankEndpoint
from aethel_core.types import Hit, Passage, PassageKind, Query, Ranking

__all__ = ["CHAT", "EMBEDDED_MODEL", "EMBEDDING", "KEYS", "RERANK", "Tested", "choose", "chosen", "try_out"]

CHAT = (
    "llm_model",
    "llm_base_url",
    "llm_price_in",
    "llm_price_out",
    "llm_timeout",
    "llm_concurrency",
    "llm_budget",
)
EMBEDDING = ("embedding_model", "embedding_base_url")
RERANK = ("rerank_model", "rerank_url")
KEYS = {CHAT: "llm_api_key", EMBEDDING: "embedding_api_key", RERANK: "rerank_api_key"}
_FIELDS = (*CHAT, *EMBEDDING, *RERANK)
_ADDRESSES = ("llm_base_url", "embedding_base_url", "rerank_url")
_FILE = "models.json"
_ENDPOINT = "endpoint:"
_PATIENCE = 20.0  # seconds that a test waits at most


@dataclass(frozen=True, slots=True)
class Tested:
    ok: bool
    said: str


def chosen(settings: Settings, keys: Mapping[str, str] | None = None) -> Settings:
    """The settings with what was chosen on the screen, and with keys that are held in memory.

    :raises InvalidInput: the file that keeps the choice is damaged.
    """
    known = {name: key for name, key in (keys or {}).items() if name in KEYS.values()}
    return replace(settings, **_read(settings), **known)


def choose(settings: Settings, fields: tuple[str, ...], values: Mapping[str, object] | None) -> None:
    """Keep values for some of the fields, or with None go back to what the environment says.

    :raises InvalidInput: an address or a number cannot be used.
    :raises WorkspaceError: the data folder cannot be written.
    """
    try:
        kept = _read(settings)
    except InvalidInput:
        kept = {}  # a damaged choice is replaced by the new one
    kept = {name: value for name, value in kept.items() if name not in fields}
    if values is not None:
        kept |= {name: values[name] for name in fields}
        _check(replace(settings, **kept))
    target = settings.data_dir / _FILE
    draft = target.with_name(f".{_FILE}.partial")
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        os.replace(draft, target)
    except OSError as error:
        raise WorkspaceError(f"The choice cannot be kept in {target} ({error.strerror}).") from error


def _read(settings: Settings) -> dict[str, object]:
    file = settings.data_dir / _FILE
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{file} cannot be read, so models are as the environment says.") from error
    usual = asdict(settings)
    fits = isinstance(data, dict) and all(
        name in _FIELDS and _same_kind(value, usual[name]) for name, value in data.items()
    )
    if not fits:
        raise InvalidInput(f"{file} holds something else than models, so they are as the environment says.")
    return data


def _same_kind(value: object, usual: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(usual, float):
        return number
    return isinstance(value, type(usual)) and not isinstance(value, bool)


def _check(settings: Settings) -> None:
    for name in _ADDRESSES:
        address = getattr(settings, name)
        if address:
            _check_address(address)
    if settings.embedding_model.startswith(_ENDPOINT) and not (
        settings.embedding_model.removeprefix(_ENDPOINT) and settings.embedding_base_url
    ):
        raise InvalidInput("An embedding endpoint needs an address and a model.")
    if settings.llm_base_url and not settings.llm_model:
        raise InvalidInput("Name the model that the endpoint is to use.")
    if min(settings.llm_price_in, settings.llm_price_out) < 0:
        raise InvalidInput("A price cannot be negative.")
    if min(settings.llm_timeout, settings.llm_concurrency, settings.llm_budget) < 1:
        raise InvalidInput("Time limit, calls at once and budget must be at least 1.")


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        usable = bool(parts.hostname) and parts.scheme in ("http", "https")
    except ValueError:
        usable = False
    if not usable:
        raise InvalidInput(f"{address!r} is not an address. It begins with http:// or https://.")
    if parts.username or parts.password:
        raise InvalidInput("The address holds a name or password. Put the key in its own field instead.")


# --- trying an endpoint --------------------------------------------------------------------------


def try_out(settings: Settings, fields: tuple[str, ...]) -> Tested:
    """One small call to the chat, embedding or rerank model of the settings, and what came of it."""
    tried = {CHAT: _try_chat, EMBEDDING: _try_embedding, RERANK: _try_rerank}[fields]
    try:
        _check(settings)
        began = time.monotonic()
        said = tried(settings)
    except AethelError as error:
        return Tested(False, str(error))
    return Tested(True, f"{said} It took {time.monotonic() - began:.1f} s.")


def _try_chat(settings: Settings) -> str:
    endpoint = llm.Endpoint.of(settings)
    if endpoint is None:
        raise InvalidInput("No model is named, so there is nothing to test.")
    model = llm.ChatModel(
        replace(endpoint, timeout=min(endpoint.timeout, _PATIENCE), retries=0, max_tokens=64)
    )
    answer = " ".join(model.text("Answer with one word.", "Say: ready").split())
    spent = model.spent
    cost = f", cost {spent.cost:.6f}" if spent.cost else ""
    said = f"answered “{answer[:60]}”" if answer else "answered, without a word"
    return f"{endpoint.name} {said}: {spent.tokens_in} tokens in, {spent.tokens_out} out{cost}."


def _try_embedding(settings: Settings) -> str:
    model = embedding.load(settings)
    vectors = model.embed(["Net asset value at the end of the quarter"])
    if not vectors.any():
        raise InvalidInput(f"{model.name} answered a vector of zeros, which can find nothing.")
    return f"{model.name} answered a vector of {vectors.shape[1]} numbers."


def _try_rerank(settings: Settings) -> str:
    if not settings.rerank_url:
        raise InvalidInput("No address is given, so there is nothing to test.")
    texts = ("The canteen is closed on Monday.", "Net asset value was $412.2 million.")
    passages = {
        f"test:{n:05d}": Passage(f"test:{n:05d}", "test", 1, 0, len(text), (), "", PassageKind.PROSE, text)
        for n, text in enumerate(texts)
    }
    endpoint = RerankEndpoint(
        settings.rerank_url, settings.rerank_model, settings.rerank_api_key, timeout=_PATIENCE
    )
    given = Ranking("test", tuple(Hit(id, 1.0) for id in passages))
    ranked = endpoint.rerank(
        Query("What was net asset value?"), given, lambda ids: {id: passages[id] for id in ids}, 2
    )
    if ranked.ids[0] != "test:00001":
        raise InvalidInput(f"{endpoint.name} answered, but put the wrong one of two passages first.")
    return f"{endpoint.name} put the right one of two passages first."
