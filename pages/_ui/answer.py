"""The plain answer to a question, with citations under the audit, or that there is none."""

from __future__ import annotations

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from aethel_core.types import Query
from aethel_core.workspace import memos
from pages._ui import cited, drawer, state, words
from pages._ui.html import element


@st.fragment
def draw(workspace: core.Workspace, corpus: str, query: Query) -> None:
    """A few sentences above the columns. A model is asked only when a person says so."""
    model = workspace.settings.llm_model
    asked = (corpus, query)
    if model and state.remembered("answer.asked") != asked:
        st.button(
            words.plain(f"Answer with {model}"),
            key="answer.ask",
            on_click=state.remember,
            args=("answer.asked", asked),
            help="Sends the passages found by Hybrid to the model; what it says is audited",
        )
        return
    try:
        found = state.answer(workspace, corpus, query)
    except AethelError as error:
        st.caption(words.plain(str(error)))
        return
    with st.container(key="ae-answer", gap="xxsmall"):
        if not found.found:
            st.html(element("div", memos.NOT_FOUND, class_="ae-quiet"))
        opened = (
            cited.draw([_said(workspace, each) for each in found.sentences], "answer")
            if found.found
            else None
        )
        if found.note:
            st.caption(words.plain(found.note))
    if opened:
        drawer.show(workspace, opened)


def _said(workspace: core.Workspace, each: memos.Cited) -> cited.Said:
    marks = tuple(cited.Mark(where, where, p) for p in each.passage_ids for where in (workspace.citation(p),))
    return cited.Said(each.text, marks, each.check.flags)
