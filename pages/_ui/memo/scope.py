"""What a new memo is about, and who works on it."""

from __future__ import annotations

import streamlit as st

from aethel_core import workspace as core
from aethel_core.workspace import memos
from pages._ui import frame, state, words
from pages._ui.html import Html, element
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
    documents = _documents(desk)
    grid = st.grid(2, min_column_width=340, gap="medium")
    with grid.cell():
        _about(desk)
    with grid.cell():
        chosen = _work(desk.workspace)
    model = _model(desk.workspace, chosen)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(
            "Run the specialists",
            type="primary",
            disabled=not (documents and chosen and desk.workspace.writable),
            on_click=_start,
            args=(desk, model),
        )
        _reads(desk, documents, chosen)
    with st.expander("The checklists: what the specialists ask"):
        checklists.draw(desk.workspace)


def _about(desk: frame.Desk) -> None:
    st.multiselect(
        "Entities of the deal",
        _companies(desk),
        key="memo.about",
        accept_new_options=True,
        placeholder="the whole workspace",
        help="Companies, funds or people. Only what concerns them is read; type other names.",
    )
    st.text_input("Title", key="memo.title", max_chars=120, placeholder="as the entities, or the workspace")


def template_box(key: str) -> str:
    """Choose the template of a memo; a secondary purchase at first."""
    known = memos.templates()
    return st.selectbox(
        "Template",
        list(known),
        format_func=lambda name: known[name].name,
        index=list(known).index("secondary"),
        key=key,
    )


def _work(workspace: core.Workspace) -> tuple[str, ...]:
    """The template, and the keys of the specialists that were chosen."""
    template = template_box("memo.template")
    sections = ", ".join(heading for heading, _ in memos.templates()[template].sections)
    st.html(element("div", f"Sections: {sections}", class_="ae-fine"))
    names = {key: checklists.name_of(workspace, key) for key in memos.KEYS}
    chosen = st.pills(
        "Specialists",
        list(memos.KEYS),
        selection_mode="multi",
        default=list(memos.KEYS),
        format_func=lambda key: words.plain(names[key]),
        key="memo.specialists",
        wrap=True,
    )
    return tuple(key for key in memos.KEYS if key in chosen)


def _documents(desk: frame.Desk) -> tuple[str, ...]:
    return tuple(document.id for document in desk.workspace.documents(state.view().filters))


def _reads(desk: frame.Desk, documents: tuple[str, ...], chosen: tuple[str, ...]) -> None:
    every = len(desk.documents)
    if not documents:
        st.caption("No document passes the filters at the left. Clear them to run.")
    elif not desk.workspace.writable:
        st.caption("This workspace can only be read, so no memo can be kept in it.")
    elif not chosen:
        st.caption("Choose at least one specialist.")
    elif len(documents) < every:
        st.caption(f"Reads {len(documents)} of {words.count(every, 'document')}, by the filters at the left.")
    else:
        everything = f"all {words.count(every, 'document')}" if every > 1 else "the one document"
        st.caption(f"Reads {everything}. Filters at the left narrow that.")


def _companies(desk: frame.Desk) -> list[str]:
    return sorted({d.metadata.company for d in desk.documents} - {""}, key=str.casefold)


def _model(workspace: core.Workspace, chosen: tuple[str, ...]) -> bool:
    """What a run with the model may take, before it does; whether there is one."""
    estimate = state.memo_desk(workspace).estimate(chosen or memos.KEYS)
    if estimate is None:
        return False
    settings = workspace.settings
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        budget = st.number_input(
            "Budget of this run, tokens",
            1000,
            100_000_000,
            settings.llm_budget,
            10_000,
            key="memo.budget",
            width=220,
        )
        st.html(_expected(settings.llm_model, estimate, int(budget)), width="stretch")
    return True


def _expected(model: str, estimate: memos.Estimate, budget: int) -> Html:
    cost = f", cost at most {words.money(estimate.cost)}" if estimate.cost else ""
    most = estimate.tokens_in + estimate.tokens_out
    told = (
        f"{model} is sent passages of the documents: at most {estimate.tokens_in:,} tokens in and "
        f"{estimate.tokens_out:,} out{cost}. What it answered before is not asked again."
    )
    if most <= budget:
        return element("div", told, class_="ae-fine")
    short = "That is more than the budget: once it is spent, the rest is extracted without the model."
    return element("div", told, element("div", short, class_="ae-flag"), class_="ae-fine")


def _start(desk: frame.Desk, model: bool) -> None:
    chosen = state.typed("memo.specialists")
    documents = _documents(desk)
    if not chosen or not documents:
        return
    state.remember("memo.problem", "")
    order = crew.Order(
        about=tuple(state.typed("memo.about")),
        template=state.typed("memo.template"),
        specialists=tuple(key for key in memos.KEYS if key in chosen),
        documents=documents if len(documents) < len(desk.documents) else (),
        title=state.typed("memo.title") or "",
        budget=int(state.typed("memo.budget")) if model else 0,
    )
    crew.start(desk.workspace, order)
