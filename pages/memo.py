"""Memo: what do I tell the committee?"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError, WorkspaceError
from aethel_core.workspace.recent import note_audit
from pages._ui import frame, state, words
from pages._ui.html import Html, element
from pages._ui.memo import crew, draft, findings, paper, questions, scope, shelf
from pages._ui.memo.paper import NEW, Paper

_VIEWS = {"Findings": findings.draw, "Open questions": questions.draw, "Draft": draft.draw}


def main(desk: frame.Desk) -> None:
    st.html(Path(paper.__file__).with_name("style.css"))
    st.title("Memo", anchor=False)
    if not desk.documents:
        _nothing_to_read()
        return
    if (finished := crew.take_finished(desk.workspace)) is not None:
        paper.show(desk.workspace, finished)
    names = state.memo_desk(desk.workspace).names()
    name = _open(desk.workspace, names)
    on, problem = None, state.remembered("memo.problem")
    if name != NEW:
        try:
            on = Paper(desk.workspace, desk.corpus, name, state.memo_desk(desk.workspace).current(name))
        except AethelError as error:
            problem = str(error)
    shelf.draw(desk.workspace, names, name)
    crew.panel(desk.workspace)
    if problem:
        st.error(words.plain(problem), icon=":material/error:")
    if name == NEW:
        if not crew.running(desk.workspace):
            scope.form(desk, first=not names)
        return
    if on is not None:
        _desk(on)


def _open(workspace: core.Workspace, names: tuple[str, ...]) -> str:
    chosen = paper.open_name(workspace)
    if chosen is None or (chosen != NEW and chosen not in names):
        return names[0] if names else NEW
    return chosen


def _desk(on: Paper) -> None:
    st.html(_facts(on))
    _notes(on)
    view = state.remembered("memo.view", "Findings")
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="ae-memo-bar"):
        st.segmented_control(
            "View",
            list(_VIEWS),
            required=True,
            label_visibility="collapsed",
            key=state.controlled("memo.view.choice", view),
            on_change=lambda: state.remember("memo.view", state.typed("memo.view.choice")),
            width="content",
        )
        shelf.downloads(on)
    _VIEWS[view](on)


def _notes(on: Paper) -> None:
    """What the run took, which is said last, and folded what did not go as planned."""
    if not on.memo.notes:
        return
    *folded, last = on.memo.notes
    st.caption(words.plain(last))
    if folded:
        with st.expander(f"What did not go as planned: {words.count(len(folded), 'note')}"):
            st.html(element("ul", *(element("li", note) for note in folded), class_="ae-list"))


def _facts(on: Paper) -> Html:
    audit = on.audit()
    with suppress(WorkspaceError):  # a workspace that cannot be written is still read
        note_audit(on.workspace, on.name, on.memo, audit)
    flagged = sum(each.check.flagged for each in audit)
    accepted, every = len(on.memo.accepted), len(on.memo.findings)
    asked = len(on.memo.open_questions)
    facts = [
        (f"{accepted:,} of {every:,}", "findings accepted" if every != 1 else "finding accepted"),
        (f"{asked:,}", "open questions" if asked != 1 else "open question"),
        (f"{len(audit):,}", "sentences in the draft" if len(audit) != 1 else "sentence in the draft"),
        (f"{flagged:,}", "flagged by the audit"),
    ]
    shown = (element("div", element("b", number), element("span", said)) for number, said in facts)
    return element("div", *shown, class_="ae-facts")


def _nothing_to_read() -> None:
    st.html(
        element(
            "p",
            "This workspace has no documents, so there is nothing to write about. Add filings or letters in "
            "the Library, or load the sample deal on the Home screen.",
            class_="ae-lead",
        )
    )
    if st.button("Go to the Library", type="primary"):
        frame.go("library")


main(frame.enter())
