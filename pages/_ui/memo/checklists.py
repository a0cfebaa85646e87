"""The specialists' checklists: shown question by question, and edited for this workspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from aethel_core.workspace import checklists
from aethel_core.workspace.checklists import Checklist, Question
from pages._ui import state, words
from pages._ui.html import Html, element, join

_SHOWN = 8  # phrases of a question, in the list
_MOST = 20


def name_of(workspace: core.Workspace, key: str) -> str:
    return checklists.opened(state.memo_desk(workspace), key).name


def length_of(workspace: core.Workspace, key: str) -> int:
    """How many questions it asks."""
    return len(checklists.opened(state.memo_desk(workspace), key).questions)


def draw(workspace: core.Workspace) -> None:
    """All checklists, one at a time, with what can be done to each question."""
    desk = state.memo_desk(workspace)
    st.caption("What each specialist asks of the documents in this workspace. The next run goes by it.")
    key = st.pills(
        "Checklist of",
        checklists.KEYS,
        default=checklists.KEYS[0],
        required=True,
        format_func=lambda each: words.plain(name_of(workspace, each)),
        key="checklists.of",
        label_visibility="collapsed",
    )
    checklist = checklists.opened(desk, key)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if st.button("Add a question", key="checklists.add", icon=":material/add:"):
            _edit(workspace, checklist, None)
        _reset(workspace, key, checklists.changed(desk, key))
    if problem := state.remembered("checklists.problem"):
        st.error(words.plain(problem), icon=":material/error:")
    section = ""
    for question in sorted(checklist.questions, key=_section_order(checklist)):
        if question.section != section:
            section = question.section
            st.html(element("div", section, class_="ae-rule"))
        _row(workspace, checklist, question)


def _section_order(checklist: Checklist) -> Callable[[Question], int]:
    order = {name: place for place, name in enumerate(checklists.sections(checklist))}
    return lambda question: order[question.section]


def _row(workspace: core.Workspace, checklist: Checklist, question: Question) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(_told(question), width="stretch")
        if st.button("Edit", key=f"checklists.edit.{checklist.key}.{question.id}", type="tertiary"):
            _edit(workspace, checklist, question)
        st.button(
            "Remove",
            key=f"checklists.remove.{checklist.key}.{question.id}",
            type="tertiary",
            on_click=_attempt,
            args=(lambda: checklists.remove(state.memo_desk(workspace), checklist.key, question.id),),
        )


def _told(question: Question) -> Html:
    names = checklists.items()
    known_by = [*(f"“{phrase}”" for phrase in question.phrases), *(names[item] for item in question.items)]
    shown = ", ".join(known_by[:_SHOWN]) + (", …" if len(known_by) > _SHOWN else "")
    lines = [
        f"A complete answer: {question.complete}" if question.complete else "",
        f"Known by: {shown}" + (f"; with a figure in {', '.join(question.units)}" if question.units else ""),
    ]
    fine = (element("div", line, class_="ae-fine") for line in lines if line)
    return element("div", join(question.question, *fine), class_="ae-question")


def _reset(workspace: core.Workspace, key: str, changed: bool) -> None:
    st.button(
        "Back to the one that comes with Aethel",
        key="checklists.reset",
        disabled=not changed,
        on_click=state.remember,
        args=("checklists.resetting", key),
    )
    if changed and state.remembered("checklists.resetting") == key:
        st.button(
            "Yes, drop the changes",
            key="checklists.reset.yes",
            type="primary",
            on_click=_attempt,
            args=(lambda: checklists.reset(state.memo_desk(workspace), key),),
        )


def _attempt(do: Callable[[], None]) -> None:
    """For callbacks; what goes wrong is shown above the questions."""
    state.remember("checklists.resetting", "")
    try:
        do()
        state.remember("checklists.problem", "")
    except AethelError as error:
        state.remember("checklists.problem", str(error))


# --- one question ------------------------------------------------------------------------------


def _edit(workspace: core.Workspace, checklist: Checklist, question: Question | None) -> None:
    @st.dialog("Edit a question" if question else "Add a question", width="large")
    def editor() -> None:
        _fields(workspace, checklist, question)

    editor()


def _fields(workspace: core.Workspace, checklist: Checklist, question: Question | None) -> None:
    names = checklists.items()
    now = question or Question("", "", checklist.questions[0].section, "")
    with st.form(f"checklists.form.{checklist.key}.{now.id}", border=False):
        asked = st.text_input("Question", now.question, max_chars=300)
        complete = st.text_input(
            "What a complete answer holds",
            now.complete,
            max_chars=300,
            help="Shown beside the question where the documents do not answer it",
        )
        places = checklists.sections(checklist)
        section = st.selectbox("Section of the memo", places, index=places.index(now.section))
        phrases = st.multiselect(
            "Words an answer contains",
            list(now.phrases),
            default=list(now.phrases),
            accept_new_options=True,
            placeholder="type a word or phrase, then Enter",
        )
        items = st.multiselect("Line items it speaks of", list(names), list(now.items), format_func=names.get)
        left, middle, right = st.columns(3, vertical_alignment="bottom")
        units = left.multiselect(
            "With a figure in", checklists.UNITS, list(now.units), placeholder="any or none"
        )
        most = middle.number_input("Findings at most", 1, _MOST, now.most)
        headline = right.checkbox("Belongs in the summary", now.headline)
        latest = right.checkbox("The latest documents first", now.latest)
        saved = st.form_submit_button("Save the question", type="primary")
    if not saved:
        return
    made = replace(
        now,
        question=asked,
        section=section,
        complete=" ".join(complete.split()),
        phrases=tuple(phrases),
        items=tuple(items),
        units=tuple(units),
        most=int(most),
        headline=headline,
        latest=latest,
    )
    try:
        checklists.put(state.memo_desk(workspace), checklist.key, made, question.id if question else None)
    except AethelError as error:
        st.error(words.plain(str(error)), icon=":material/error:")
        return
    state.remember("checklists.problem", "")
    st.rerun()
