"""The models on the Settings screen: which ones, at which address, and whether they answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from aethel_core.workspace import models
from aethel_core.workspace.models import CHAT, EMBEDDED_MODEL, EMBEDDING, KEYS, RERANK
from pages._ui import state, words
from pages._ui.html import Html, element

_ENDPOINT = "endpoint:"
_KEY_HELP = (
    "Sent to the address above and never shown again. A key typed here stays in memory until Aethel stops. "
    "To keep one, set AETHEL_{} in the environment or in .streamlit/secrets.toml."
)
Fields = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """``off`` are the values that mean: no model of this kind beyond the machine."""

    fields: Fields
    name: str
    about: str
    off: dict[str, Any]
    off_label: str


_GROUPS = (
    _Group(
        CHAT,
        "Writing and reading",
        "Any server that speaks the OpenAI chat protocol: OpenAI, Azure, Ollama, vLLM, LM Studio. Without "
        "one, findings and answers are extracted from the documents.",
        {"llm_model": "", "llm_base_url": ""},
        "Use no language model",
    ),
    _Group(
        EMBEDDING,
        "Meaning (dense retrieval)",
        "An OpenAI-compatible embedding endpoint instead of the model on this machine. Documents have to be "
        "re-indexed after a change.",
        {"embedding_model": EMBEDDED_MODEL, "embedding_base_url": ""},
        "Use the model on this machine",
    ),
    _Group(
        RERANK,
        "Reranking",
        "A /rerank endpoint as Jina, Cohere, vLLM or Text Embeddings Inference offer it; the last needs no "
        "model name. Without one, reranking stays on this machine.",
        {"rerank_model": "", "rerank_url": ""},
        "Use no rerank endpoint",
    ),
)


def draw() -> None:
    """What is in use, and a form for each kind of model."""
    st.subheader("Models", anchor=False)
    st.html(_table(state.settings()))
    try:
        models.chosen(core.settings())
    except AethelError as error:
        st.warning(words.plain(str(error)), icon=":material/warning:")
    for group in _GROUPS:
        asked = bool(state.remembered(f"models.open {group.name}"))
        with st.expander(f"{group.name}: endpoint", expanded=asked):
            st.caption(group.about)
            _form(group)


def _table(settings: core.Settings) -> Html:
    at = settings.embedding_base_url if _is_endpoint(settings) else "on this machine"
    rows = [
        (_GROUPS[0].name, settings.llm_model or "none", _place(settings.llm_model, settings.llm_base_url)),
        (_GROUPS[1].name, settings.embedding_model.removeprefix(_ENDPOINT), at),
        (
            _GROUPS[2].name,
            settings.rerank_model or ("" if settings.rerank_url else "none"),
            settings.rerank_url,
        ),
    ]
    head = element("tr", *(element("th", name) for name in ("For", "Model", "Where", "Set")))
    body = (
        element("tr", *(element("td", cell) for cell in (*row, _set_by(group))))
        for row, group in zip(rows, _GROUPS, strict=True)
    )
    return element("table", element("thead", head), element("tbody", *body), class_="ae-queue")


def _place(model: str, address: str) -> str:
    return (address or "api.openai.com") if model else ""


def _is_endpoint(settings: core.Settings) -> bool:
    return settings.embedding_model.startswith(_ENDPOINT)


def _set_by(group: _Group) -> str:
    here, outside = state.settings(), core.settings()
    if any(getattr(here, name) != getattr(outside, name) for name in group.fields):
        return "here"
    usual = core.Settings()
    same = all(getattr(outside, name) == getattr(usual, name) for name in group.fields)
    return "by default" if same else "by the environment"


# --- one form -------------------------------------------------------------------------------------


def _form(group: _Group) -> None:
    settings = state.settings()
    with st.form(f"models {group.name}", border=False):
        _FIELDS[group.fields](settings)
        st.text_input(
            "Key",
            type="password",
            key=state.turn(KEYS[group.fields]),
            autocomplete="off",
            placeholder=_key_state(group.fields),
            help=_KEY_HELP.format(KEYS[group.fields].upper()),
        )
        with st.container(horizontal=True, gap="small"):
            st.form_submit_button("Save", type="primary", on_click=_save, args=(group,))
            st.form_submit_button(
                "Test",
                on_click=_ask_for_test,
                args=(group,),
                help="Makes one small call with what stands in the fields, saved or not",
            )
            st.form_submit_button(group.off_label, on_click=_off, args=(group,))
            if _set_by(group) == "here":
                st.form_submit_button("As the environment says", on_click=_back, args=(group,))
            if KEYS[group.fields] in state.model_keys():
                st.form_submit_button("Forget the key", on_click=_forget, args=(group,))
    _said(group)


def _key_state(fields: Fields) -> str:
    if KEYS[fields] in state.model_keys():
        return "a key is held in memory; type to replace it"
    if getattr(core.settings(), KEYS[fields]):
        return "a key is set outside; type to use another"
    return "none; local servers mostly need none"


def _chat_fields(now: core.Settings) -> None:
    _text(
        "Address", "llm_base_url", now.llm_base_url, "of the API, mostly ending in /v1; empty is OpenAI's own"
    )
    _text("Model", "llm_model", now.llm_model, "as the server calls it")
    left, right = st.columns(2)
    with left:
        _price("Price per million tokens in", "llm_price_in", now.llm_price_in)
        _whole("Time limit of a call, seconds", "llm_timeout", now.llm_timeout, 600)
    with right:
        _price("Price per million tokens out", "llm_price_out", now.llm_price_out)
        _whole("Calls at once, at most", "llm_concurrency", now.llm_concurrency, 64)
    _whole("Budget of a run, tokens", "llm_budget", now.llm_budget, 100_000_000, 10_000)


def _embedding_fields(now: core.Settings) -> None:
    _text("Address", "embedding_base_url", now.embedding_base_url, "of the API, mostly ending in /v1")
    model = now.embedding_model.removeprefix(_ENDPOINT) if _is_endpoint(now) else ""
    _text("Model", "embedding_model", model, "as the server calls it")


def _rerank_fields(now: core.Settings) -> None:
    _text("Address", "rerank_url", now.rerank_url, "the whole of it, mostly ending in /rerank")
    _text("Model", "rerank_model", now.rerank_model, "empty where the server has only one")


_FIELDS: dict[Fields, Callable[[core.Settings], None]] = {
    CHAT: _chat_fields,
    EMBEDDING: _embedding_fields,
    RERANK: _rerank_fields,
}


def _text(label: str, name: str, value: str, placeholder: str) -> None:
    st.text_input(
        label,
        key=state.controlled(_key(name), value),
        placeholder=placeholder,
        max_chars=300,
        autocomplete="off",
    )


def _price(label: str, name: str, value: float) -> None:
    key = state.controlled(_key(name), float(value))
    st.number_input(label, 0.0, 1e6, step=0.1, key=key, format="%.3f")


def _whole(label: str, name: str, value: int, most: int, step: int = 1) -> None:
    st.number_input(label, 1, most, step=step, key=state.controlled(_key(name), min(int(value), most)))


def _key(name: str) -> str:
    return f"models.{name}"


# --- what its buttons do ---------------------------------------------------------------------------


def _typed(group: _Group) -> dict[str, Any]:
    values = {name: state.typed(_key(name)) for name in group.fields}
    values = {n: " ".join((v or "").split()) if isinstance(v, str | None) else v for n, v in values.items()}
    if group.fields == EMBEDDING:
        model = values["embedding_model"]
        if model or values["embedding_base_url"]:
            values["embedding_model"] = f"{_ENDPOINT}{model}"
        else:
            kept = state.settings()
            values["embedding_model"] = EMBEDDED_MODEL if _is_endpoint(kept) else kept.embedding_model
    return values


def _typed_key(group: _Group) -> str:
    return (state.typed(state.turn(KEYS[group.fields])) or "").strip()


def _save(group: _Group) -> None:
    if _choose(group, _typed(group)) and (key := _typed_key(group)):
        state.model_keys()[KEYS[group.fields]] = key
        state.renew(KEYS[group.fields])


def _off(group: _Group) -> None:
    kept = {name: getattr(state.settings(), name) for name in group.fields}
    _choose(group, kept | group.off)


def _back(group: _Group) -> None:
    _choose(group, None)


def _forget(group: _Group) -> None:
    state.model_keys().pop(KEYS[group.fields], None)
    state.forget_workspaces()
    _tell(group, True, "The key is forgotten.")


def _choose(group: _Group, values: dict[str, Any] | None) -> bool:
    """Keep the choice and open workspaces anew, so that all of them go by it."""
    try:
        models.choose(core.settings(), group.fields, values)
    except AethelError as error:
        _tell(group, False, str(error))
        return False
    state.forget_workspaces()
    _tell(group, True, "Saved.")
    return True


def _tell(group: _Group, well: bool, said: str) -> None:
    state.remember(f"models.open {group.name}", True)
    state.remember(f"models.said {group.name}", models.Tested(well, said))


def _ask_for_test(group: _Group) -> None:
    """What is to be called, key included; the call itself is made where its wait can be shown."""
    given = replace(state.settings(), **_typed(group))
    if key := _typed_key(group):
        given = replace(given, **{KEYS[group.fields]: key})
    state.remember(f"models.open {group.name}", True)
    state.remember(f"models.said {group.name}", given)


def _said(group: _Group) -> None:
    said = state.remembered(f"models.said {group.name}")
    if isinstance(said, core.Settings):
        with st.spinner("Making one small call …"):
            said = models.try_out(said, group.fields)
        state.remember(f"models.said {group.name}", said)
    if said is None:
        return
    if said.ok:
        st.success(words.plain(said.said), icon=":material/check:")
    else:
        st.error(words.plain(said.said), icon=":material/error:")
