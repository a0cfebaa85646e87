"""Add to memo: a passage becomes a finding of the analyst's own, from wherever it is being read."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from aethel_core.workspace import findings, memos
from pages._ui import frame, state, words
from pages._ui.html import element, join
from pages._ui.memo import figures, paper, scope

_NEW = ""  # the name of no memo


def draw(workspace: core.Workspace, passage_id: str, question: str) -> None:
    """A button, and once it is pressed the form; afterwards where the finding is."""
    if state.remembered("adding") == passage_id:
        with st.container(border=True, key="ae-adding"):
            _form(workspace, passage_id, question)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Add to memo",
            key="adding.open",
            icon=":material/note_add:",
            on_click=_open,
            args=(passage_id,),
            disabled=not workspace.writable,
            help="Makes a finding of your own of this passage",
        )
        passage, name = state.remembered("adding.done", ("", ""))
        if passage == passage_id:
            st.html(
                element("span", f"✓ In “{name}”, under “Your own findings”.", class_="ae-quiet"),
                width="content",
            )
            if st.button("Open the memo", key="adding.go", type="tertiary"):
                paper.show_own(workspace, name)
                frame.go("memo")


def _open(passage_id: str) -> None:
    state.remember("adding", passage_id)
    state.remember("adding.problem", "")
    state.remember("adding.done", ("", ""))


def _close() -> None:
    state.remember("adding", "")


def _form(workspace: core.Workspace, passage_id: str, question: str) -> None:
    st.html(Path(paper.__file__).with_name("style.css"))
    desk = state.memo_desk(workspace)
    name, template = _memo(workspace, desk)
    said = findings.said_by(desk, passage_id, question)
    start = said[0] if said else ""
    if len(said) > 1:
        chosen = st.selectbox(
            "Start from", said, key=f"adding.start.{passage_id}", help="Sentences or rows of the passage"
        )
        start = chosen or start
    key = f"adding.claim.{passage_id}"
    claim = st.text_area(
        "The finding, in your words",
        key=state.controlled(key, start),
        max_chars=findings.LONGEST,
        height=90,
    )
    if claim.strip():
        check = findings.check(desk, claim, passage_id)
        read = findings.figures(desk, claim, (passage_id,))
        st.html(join(figures.verdict(check), figures.table(read) if read else ""))
    places = findings.sections(template)
    st.selectbox(
        "Section of the memo",
        list(places),
        format_func=places.get,
        key=state.controlled("adding.section", findings.place(desk, start, template)),
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Add the finding",
            key="adding.add",
            type="primary",
            on_click=_add,
            args=(workspace, name, template, passage_id, key),
        )
        st.button("Cancel", key="adding.cancel", on_click=_close)
    if problem := state.remembered("adding.problem"):
        st.error(words.plain(problem), icon=":material/error:")


def _memo(workspace: core.Workspace, desk: memos.MemoDesk) -> tuple[str, str]:
    """The name of the memo that was chosen, `_NEW` for a new one, and its template."""
    names = desk.names()
    opened = paper.open_name(workspace)
    first = opened if opened in names else (names[0] if names else _NEW)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.selectbox(
            "Memo",
            [*names, _NEW],
            format_func=lambda each: each or "A new memo",
            key=state.controlled("adding.memo", first),
        )
        if name != _NEW:
            return name, desk.current(name).template
        st.text_input("Title of the new memo", key="adding.title", max_chars=120)
        template = scope.template_box("adding.template")
    return _NEW, template


def _add(workspace: core.Workspace, name: str, template: str, passage_id: str, key: str) -> None:
    desk = state.memo_desk(workspace)
    claim, section = state.typed(key) or "", state.typed("adding.section") or ""
    try:
        if name == _NEW:
            findings.checked(desk, claim, passage_id)
            name = findings.begin(desk, state.typed("adding.title") or "", template)
        findings.add(desk, name, claim, passage_id, section)
    except AethelError as error:
        state.remember("adding.problem", str(error))
        return
    paper.show(workspace, name)
    state.remember("adding", "")
    state.remember("adding.done", (passage_id, name))
