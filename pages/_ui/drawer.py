"""The page drawer: the page a citation speaks of, with the passage highlighted."""

from __future__ import annotations

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from aethel_core.types import PassageKind, Table
from pages._ui import adding, html, marks, state, tables, viewer, words

_WIDTH = 820


def show(workspace: core.Workspace, passage_id: str, among: tuple[str, ...] = (), question: str = "") -> None:
    """Open the drawer on a passage; with `among`, a list of passages, one can step through them.
    Marks are for `question`, or else for the one that is being asked."""
    question = question or state.view().question
    state.remember("drawer", (passage_id, workspace.passage(passage_id).page))

    # Marks may have been set in it, which the screen behind shows too.
    @st.dialog("Source", width=_WIDTH, position="right", on_dismiss="rerun")
    def drawer() -> None:
        try:
            _content(workspace, among, question)
        except AethelError as error:
            st.error(words.plain(str(error)), icon=":material/error:")

    drawer()


def _content(workspace: core.Workspace, among: tuple[str, ...], question: str) -> None:
    passage_id, number = state.remembered("drawer")
    passage = workspace.passage(passage_id)
    document = workspace.document(passage.document_id)
    st.html(
        html.join(
            html.element("div", workspace.citation(passage_id), class_="ae-citation"),
            html.element("div", f"{document.name} · {passage.section}".rstrip(" ·"), class_="ae-quiet"),
        )
    )
    if question:
        marks.control(workspace, question, passage_id)
    adding.draw(workspace, passage_id, question)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _turn("Previous page", passage_id, number - 1, number > 1, "Left")
        st.html(
            html.element("span", f"p. {number} of {document.page_count:,}", class_="ae-page"), width="content"
        )
        _turn("Next page", passage_id, number + 1, number < document.page_count, "Right")
        if number != passage.page:
            _turn(f"Back to p. {passage.page}", passage_id, passage.page, True, None)
        _steps(workspace, passage_id, among)
    highlights = passage.rects if number == passage.page else ()
    viewer.draw(workspace, document.id, number, f"Page {number} of {document.name}", highlights)
    if number == passage.page:
        _text(passage.text, passage.table if passage.kind is PassageKind.TABLE else None)


def _turn(label: str, passage_id: str, page: int, possible: bool, shortcut: str | None) -> None:
    st.button(
        label,
        key=f"drawer.{label}",
        shortcut=shortcut,
        disabled=not possible,
        on_click=lambda: state.remember("drawer", (passage_id, page)),
    )


def _steps(workspace: core.Workspace, passage_id: str, among: tuple[str, ...]) -> None:
    """Walk through the hits of the column the drawer was opened from."""
    if passage_id not in among or len(among) < 2:
        return
    at = among.index(passage_id)

    def move(step: int) -> None:
        target = among[at + step]
        state.remember("drawer", (target, workspace.passage(target).page))

    st.space("stretch")
    st.button("Previous hit", shortcut="K", disabled=at == 0, on_click=move, args=(-1,))
    st.html(html.element("span", f"{at + 1} of {len(among)}", class_="ae-page"), width="content")
    st.button("Next hit", shortcut="J", disabled=at == len(among) - 1, on_click=move, args=(1,))


def _text(text: str, table: Table | None) -> None:
    st.html(html.element("div", "The passage as it was read", class_="ae-rule"))
    if table is not None and table.rows:
        st.html(tables.full(table))
    else:
        st.html(html.element("p", text, class_="ae-passage"))
