"""What a new memo is about, and who works on it."""

from __future__ import annotations

import streamlit as st

from aethel_core import workspace as core
from aethel_core.workspace import memos
from pages._ui import frame, state, words
from pages._ui.html import element
from pages._ui.memo import checklists, crew


def form(desk: frame.Desk, first: bool) -> None:
    """Scope, template and specialists; starts the run."""
    if first:
        st.html(
            element(
                "p",
                "Four specialists read the documents with their checklists. What they find stands beside its "
                "evidence, every figure is checked against its source, and what the documents do not say "
                "stays an open question.",
                class_="ae-lead",
            )
        )
    names = {key: checklists.name_of(desk.workspace, key) for key in memos.KEYS}
    documents = _documents(desk)
    with st.form("memo", border=False):
        grid = st.grid(2, min_column_width=340, gap="medium")
        with grid.cell():
            st.multiselect(
                "Entities of the deal",
                _companies(desk),
                key="memo.about",
                accept_new_options=True,
                placeholder="the whole workspace",
                help="Companies, funds or people. Only what concerns them is read; type other names.",
            )
            st.text_input(
                "Title", key="memo.title", max_chars=120, placeholder="as the entities, or the workspace"
            )
        with grid.cell():
            st.selectbox(
                "Template",
                list(memos.templates()),
                format_func=lambda key: memos.templates()[key].name,
                index=list(memos.templates()).index("secondary"),
                key="memo.template",
            )
            st.pills(
                "Specialists",
                list(memos.KEYS),
                selection_mode="multi",
                default=list(memos.KEYS),
                format_func=lambda key: words.plain(names[key]),
                key="memo.specialists",
            )
        model = _model(desk.workspace)
        st.form_submit_button(
            "Run the specialists",
            type="primary",
            disabled=not documents,
            on_click=_start,
            args=(desk, model),
        )
    _reads(desk, documents)
    with st.expander("The checklists: what the specialists ask"):
        checklists.draw(desk.workspace)


def _documents(desk: frame.Desk) -> tuple[str, ...]:
    return tuple(document.id for document in desk.workspace.documents(state.view().filters))


def _reads(desk: frame.Desk, documents: tuple[str, ...]) -> None:
    every = len(desk.documents)
    if not documents:
        st.warning(
            "No document passes the filters at the left. Clear them to run.", icon=":material/filter_alt:"
        )
    elif len(documents) < every:
        st.caption(f"Reads {len(documents)} of {words.count(every, 'document')}, by the filters at the left.")
    else:
        st.caption(f"Reads all of {words.count(every, 'document')}. Filters at the left narrow that.")


def _companies(desk: frame.Desk) -> list[str]:
    return sorted({d.metadata.company for d in desk.documents} - {""}, key=str.casefold)


def _model(workspace: core.Workspace) -> bool:
    """What a run with the model may take, before it does; whether there is one."""
    estimate = state.memo_desk(workspace).estimate()
    if estimate is None:
        return False
    cost = f", cost {estimate.cost:.2f}" if estimate.cost else ""
    st.number_input("Most tokens the run may take", 1000, 10_000_000, memos.BUDGET, 10_000, key="memo.budget")
    st.caption(
        words.plain(
            f"The model is sent passages of the documents: at most {estimate.tokens_in:,} tokens in and "
            f"{estimate.tokens_out:,} out{cost}, with all specialists."
        )
    )
    return True


def _start(desk: frame.Desk, model: bool) -> None:
    chosen = state.typed("memo.specialists")
    documents = _documents(desk)
    if not chosen or not documents:
        state.remember("memo.problem", "Choose at least one specialist.")
        return
    state.remember("memo.problem", "")
    order = crew.Order(
        about=tuple(state.typed("memo.about")),
        template=state.typed("memo.template"),
        specialists=tuple(key for key in memos.KEYS if key in chosen),
        documents=documents if len(documents) < len(desk.documents) else (),
        title=state.typed("memo.title") or "",
        budget=int(state.typed("memo.budget")) if model else memos.BUDGET,
    )
    crew.start(desk.workspace, order)
