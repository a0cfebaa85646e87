"""The stages of the cascade and what a prompt may hold, on the Settings screen."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from pages._ui import state, words

_STAGES = {"first": "Stage 1: the whole pool", "second": "Stage 2: what is left"}
_MOST_KEPT = 1000


def draw(workspace: core.Workspace) -> None:
    """Which model ranks in which stage of this workspace, what it keeps and how long it may take."""
    st.subheader("Reranking in this workspace", anchor=False)
    plan = _plan(workspace)
    kinds = [kind for kind in core.Kind if _usable(workspace.settings, kind, plan)]
    with st.form("cascade"):
        for stage, title in _STAGES.items():
            _stage(workspace.settings, stage, title, plan, kinds)
        with st.container(horizontal=True, gap="small"):
            st.number_input(
                "Seconds, both stages together",
                0.1,
                600.0,
                step=1.0,
                key=state.controlled("cascade.seconds", plan.seconds),
                help="What is ranked by then is kept, the rest follows in the order of the stage before",
            )
            st.number_input(
                "Tokens of documents in one prompt",
                1,
                10_000_000,
                step=1000,
                key=state.controlled("cascade.tokens", workspace.evidence_limit()),
                help="More evidence than this is read by the language model in two halves",
            )
        with st.container(horizontal=True, gap="small"):
            st.form_submit_button("Save stages", type="primary", on_click=_save, args=(workspace,))
            st.form_submit_button(
                "Back to the defaults", on_click=_attempt, args=(lambda: _reset(workspace),)
            )
    if problem := state.remembered("cascade.problem"):
        st.error(words.plain(problem), icon=":material/error:")


def _plan(workspace: core.Workspace) -> core.Plan:
    try:
        return workspace.cascade_plan()
    except AethelError as error:
        state.remember("cascade.problem", str(error))
        return core.Plan()


def _usable(settings: core.Settings, kind: core.Kind, plan: core.Plan) -> bool:
    """Whether the settings name what the kind needs; what is chosen already stays on offer."""
    named = {core.Kind.ENDPOINT: settings.rerank_url, core.Kind.JUDGE: settings.llm_model}
    return bool(named.get(kind, "always")) or kind in (plan.first.kind, plan.second.kind)


def _stage(settings: core.Settings, stage: str, title: str, plan: core.Plan, kinds: list[core.Kind]) -> None:
    choice: core.Choice = getattr(plan, stage)
    names = {
        core.Kind.EMBEDDED: "Embedded ranker, offline",
        core.Kind.CROSS_ENCODER: "Cross-encoder",
        core.Kind.ENDPOINT: f"Endpoint {settings.rerank_model or settings.rerank_url}",
        core.Kind.JUDGE: f"Language model {settings.llm_model} as judge",
    }
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            title,
            kinds,
            format_func=names.__getitem__,
            key=state.controlled(f"cascade.{stage}.kind", choice.kind),
        )
        st.text_input(
            "Cross-encoder",
            key=state.controlled(f"cascade.{stage}.model", choice.model),
            placeholder="BAAI/bge-reranker-v2-m3",
            max_chars=300,
            help="A folder is read as it is; a name is fetched from the model hub when it is first used",
        )
        st.number_input(
            "Keeps",
            1,
            _MOST_KEPT,
            key=state.controlled(f"cascade.{stage}.keep", getattr(plan, f"keep_{stage}")),
            width=110,
        )


def _save(workspace: core.Workspace) -> None:
    def do() -> None:
        workspace.set_cascade_plan(
            core.Plan(
                _choice("first"),
                _choice("second"),
                int(state.typed("cascade.first.keep")),
                int(state.typed("cascade.second.keep")),
                float(state.typed("cascade.seconds")),
            )
        )
        workspace.set_evidence_limit(int(state.typed("cascade.tokens")))
        state.remember("saved", True)

    _attempt(do)


def _choice(stage: str) -> core.Choice:
    kind = core.Kind(state.typed(f"cascade.{stage}.kind"))
    named = (state.typed(f"cascade.{stage}.model") or "").strip()
    return core.Choice(kind, named if kind is core.Kind.CROSS_ENCODER else "")


def _reset(workspace: core.Workspace) -> None:
    workspace.set_cascade_plan(None)
    workspace.set_evidence_limit(None)


def _attempt(do: Callable[[], None]) -> None:
    try:
        do()
        state.remember("cascade.problem", "")
    except AethelError as error:
        state.remember("cascade.problem", str(error))
