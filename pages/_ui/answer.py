"""The plain answer to a question, with citations under the audit, or that there is none."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from aethel_core.types import Query
from aethel_core.workspace import memos
from pages._ui import cited, drawer, state, words
from pages._ui.html import element

_HALVES = ("First half", "Second half")


@st.fragment
def draw(workspace: core.Workspace, corpus: str, query: Query) -> None:
    """A few sentences above the columns. A model is asked only when a person says so."""
    model = workspace.settings.llm_model
    try:
        if not model:
            _open(workspace, _answer(workspace, state.answer(workspace, corpus, query)))
        elif state.remembered("answer.asked") == (corpus, query):
            _read(workspace, corpus, query)
        else:
            _offer(workspace, corpus, query)
    except AethelError as error:
        st.caption(words.plain(str(error)))


def _offer(workspace: core.Workspace, corpus: str, query: Query) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            words.plain(f"Answer with {workspace.settings.llm_model}"),
            key="answer.ask",
            on_click=state.remember,
            args=("answer.asked", (corpus, query)),
            help="Sends the passages that the cascade keeps to the model; what it says is audited",
        )
        st.caption(words.plain(_load(state.load(workspace, corpus, query))), width="content")


def _read(workspace: core.Workspace, corpus: str, query: Query) -> None:
    with st.spinner(f"Asking {words.plain(workspace.settings.llm_model)} …"):
        read = state.read(workspace, corpus, query)
    opened = _answer(workspace, read.answer)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(words.plain(_load(read.load)), width="content")
        st.button("Ask again", key="answer.again", type="tertiary", on_click=state.retry)
    if read.long is not None:
        opened = _parts(workspace, read) or opened
    _open(workspace, opened)


def _open(workspace: core.Workspace, passage: str | None) -> None:
    if passage:
        drawer.show(workspace, passage)


def _answer(workspace: core.Workspace, found: memos.Answer) -> str | None:
    """The passage of a citation that was clicked, if one was."""
    with st.container(key="ae-answer", gap="xxsmall"):
        if not found.found:
            st.html(element("div", memos.NOT_FOUND, class_="ae-quiet"))
        elif not found.sure:
            st.html(element("div", memos.CLOSEST, class_="ae-quiet"))
        said = [_said(workspace, each.text, each.passage_ids, each.check.flags) for each in found.sentences]
        opened = cited.draw(said, "answer") if said else None
        if found.note:
            st.caption(words.plain(found.note))
    return opened


def _parts(workspace: core.Workspace, read: memos.Read) -> str | None:
    """What each half of the evidence says, and whether they differ."""
    if read.long.conflict:
        st.warning(words.plain(read.long.conflict), icon=":material/compare_arrows:")
    said = []
    for number, part in enumerate(read.long.parts):
        name = _HALVES[number] if len(read.long.parts) > 1 else "The half that could be read"
        text = f"{name}, {part.confidence:.0%} sure: {part.text}" if part.definite else f"{name}: no answer."
        said.append(replace(_said(workspace, text, part.passage_ids), block=number))
    return cited.draw(said, "answer.parts")


def _load(load: memos.Load) -> str:
    """“20 passages, 6,120 tokens (estimated …; limit 64,000).”"""
    size = f"{words.count(load.passages, 'passage')}, {load.tokens:,} tokens"
    if not load.halves:
        return f"{size} ({load.counted}; one prompt may hold {load.limit:,})."
    halves = " and ".join(f"{passages:,} ({tokens:,} tokens)" for passages, tokens in load.halves)
    return (
        f"{size}, {load.counted}: more than the {load.limit:,} of one prompt, so two halves of {halves} are "
        "answered apart and fused."
    )


def _said(
    workspace: core.Workspace, text: str, passages: tuple[str, ...], flags: tuple[str, ...] = ()
) -> cited.Said:
    marks = tuple(cited.Mark(where, where, p) for p in passages for where in (workspace.citation(p),))
    return cited.Said(text, marks, flags)
