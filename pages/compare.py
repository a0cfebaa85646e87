"""Compare: who finds what? One question, the retrievers side by side."""

from __future__ import annotations

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from aethel_core.types import Filters, Query
from pages._ui import (
    answer,
    board,
    charts,
    drawer,
    export,
    frame,
    html,
    link,
    marks,
    query_view,
    sample,
    state,
    theme,
    words,
)

_VIEWS = ("Side by side", "Rank movement")
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_HINTS = (
    (0.6, "the retrievers see the same evidence, a hint of confidence."),
    (0.3, "they overlap in part; read the passages they share first."),
    (0.0, "they point to different places; read before you trust any of them."),
)


def main(desk: frame.Desk) -> None:
    names = theme.in_order(desk.workspace.retriever_names())
    chosen, k = choice(desk.workspace, names)
    _question(desk)
    _controls(names, chosen, k)
    question = state.view().question
    if not desk.documents:
        _empty()
    elif not question:
        _unasked(desk)
    elif not chosen:
        st.info("Choose at least one retriever above.", icon=":material/view_column:")
    else:
        query = query_view.draw(desk.workspace, desk.corpus)
        parts = st.container()  # filled last: what each part does takes several searches
        _answer(desk, query, names, chosen, k)
        with parts:
            query_view.pipeline(desk.workspace, desk.corpus, query, chosen, k)


def choice(workspace: core.Workspace, names: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """The retrievers and the k in use: the link's, else the workspace's defaults."""
    view = state.view()
    wanted = view.retrievers or frame.default_retrievers(workspace)
    return tuple(name for name in names if name in wanted), view.k or frame.default_k(workspace)


def _question(desk: frame.Desk) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with (
            st.form("ask", border=False),
            st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
        ):
            st.text_input(
                "Question",
                key=state.controlled("question", state.view().question),
                placeholder="What was total revenue in fiscal 2022, and what drove the change?",
                max_chars=2000,
                disabled=not desk.documents,
            )
            st.form_submit_button(
                "Ask", type="primary", on_click=_ask, args=(desk,), disabled=not desk.documents
            )
        _history(desk.workspace)


def _ask(desk: frame.Desk) -> None:
    question = " ".join((state.typed("question") or "").split())
    state.change(question=question)
    if question:
        _remember(desk, question)


def _remember(desk: frame.Desk, question: str) -> None:
    names = theme.in_order(desk.workspace.retriever_names())
    chosen, k = choice(desk.workspace, names)
    desk.workspace.remember(question, chosen, k, state.view().filters)


def _controls(names: tuple[str, ...], chosen: tuple[str, ...], k: int) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.pills(
            "Retrievers",
            names,
            selection_mode="multi",
            format_func=lambda name: f"{theme.look(name).marker} {words.plain(theme.look(name).label)}",
            key=state.controlled("retrievers", list(chosen)),
            on_change=lambda: state.change(retrievers=theme.in_order(tuple(state.typed("retrievers")))),
            width="content",
            wrap=True,
            help=" · ".join(f"{theme.look(n).label}: {theme.look(n).about}" for n in names),
        )
        st.segmented_control(
            "Hits per column",
            link.K_CHOICES,
            key=state.controlled("k", k),
            required=True,
            on_change=lambda: state.change(k=state.typed("k")),
        )


def _history(workspace: core.Workspace) -> None:
    with st.popover("Earlier questions", icon=":material/history:"):
        entries = workspace.history(30)
        if not entries:
            st.caption("Questions asked in this workspace will be listed here.")
        for entry in entries:
            st.button(
                words.plain(words.clip(entry.question, 90)),
                key=f"history.{entry.id}",
                type="tertiary",
                help=f"{words.when(entry.at)}, {words.count(len(entry.retrievers), 'retriever')}",
                on_click=frame.reopen,
                args=(entry,),
            )


# --- the states without an answer -----------------------------------------------------------------


def _empty() -> None:
    st.subheader("Nothing to ask yet")
    st.html(
        html.element(
            "p",
            "This workspace has no documents. Add filings or letters in the Library, or load the "
            "sample deal on the Home screen.",
            class_="ae-lead",
        )
    )
    if st.button("Go to the Library", type="primary"):
        frame.go("library")


def _unasked(desk: frame.Desk) -> None:
    st.html(
        html.element(
            "p",
            f"Ask about the {words.count(len(desk.documents), 'document')} in this workspace. Every "
            "retriever answers in its own column; a passage that several of them find is marked in each.",
            class_="ae-lead",
        )
    )
    with st.container(gap="xxsmall"):
        for number, question in enumerate(sample.questions(desk.documents)):
            st.button(
                words.plain(question),
                key=f"try.{number}",
                type="tertiary",
                on_click=_try,
                args=(desk, question),
            )


def _try(desk: frame.Desk, question: str) -> None:
    state.change(question=question)
    _remember(desk, question)


# --- the answer ------------------------------------------------------------------------------------


def _answer(desk: frame.Desk, query: Query, names: tuple[str, ...], chosen: tuple[str, ...], k: int) -> None:
    try:
        with st.spinner(f"Asking {words.count(len(chosen), 'retriever')} …"):
            found = state.comparison(desk.workspace, desk.corpus, query, chosen, k)
    except AethelError as error:
        st.error(words.plain(str(error)), icon=":material/error:")
        return
    answer.draw(desk.workspace, desk.corpus, query)
    shown = _summary(desk, found)
    if "cascade" in chosen:
        query_view.stages(desk.workspace, query, k)
    if not any(ranking.hits for ranking in found.rankings):
        _nothing(query)
    if shown == _VIEWS[1]:
        _movement(desk, found, k)
    else:
        _board(desk, query, names, found)


def _summary(desk: frame.Desk, found: core.Comparison) -> str:
    """The line above the board; returns which of the views is chosen."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="ae-summary"):
        st.html(_agreement(found), width="content")
        st.space("stretch")
        shown = st.segmented_control(
            "View", _VIEWS, default=_VIEWS[0], required=True, label_visibility="collapsed", key="compare.view"
        )
        name = f"aethel comparison {words.file_part(found.query.text)}"
        st.download_button(
            "CSV", lambda: export.as_csv(desk.workspace, found), f"{name}.csv", "text/csv", on_click="ignore"
        )
        st.download_button(
            "XLSX", lambda: export.as_xlsx(desk.workspace, found), f"{name}.xlsx", _XLSX, on_click="ignore"
        )
    return shown


def _agreement(found: core.Comparison) -> html.Html:
    timing = html.element("span", f"Answered in {words.seconds(found.seconds)}.", class_="ae-quiet")
    if sum(bool(ranking.hits) for ranking in found.rankings) < 2:
        return html.element("div", timing)
    share = found.agreement
    hint = next(text for floor, text in _HINTS if share >= floor)
    return html.element(
        "div",
        html.element("b", f"Top 5 agree {share:.0%}"),
        f": {hint} ",
        timing,
        title="The mean share of passages that two retrievers have in common in their first five",
    )


def _nothing(query: Query) -> None:
    if query.filters.empty:
        st.info("No retriever found a passage. Try other words.", icon=":material/search_off:")
    else:
        st.info("No retriever found a passage within these filters.", icon=":material/search_off:")
        st.button("Clear filters and ask again", on_click=lambda: state.change(filters=Filters()))


def _movement(desk: frame.Desk, found: core.Comparison, k: int) -> None:
    if len(found.rankings) < 2:
        st.info("Choose two or more retrievers to see how passages move between them.")
        return
    figure = charts.movement(found.rankings, k, desk.workspace.citation)
    st.plotly_chart(figure, config={"displayModeBar": False}, key="movement")
    notes = (
        "Each line is a passage; thicker lines were found by more retrievers, dotted stretches skip those "
    )
    notes += "that missed it. Small marks were found by one retriever only."
    if k > charts.DEEPEST:
        notes += f" The chart stops at rank {charts.DEEPEST}."
    st.caption(notes)


@st.fragment
def _board(desk: frame.Desk, query: Query, names: tuple[str, ...], found: core.Comparison) -> None:
    """The columns. A fragment, so that opening a page or a "why" redraws nothing else."""
    asked = (desk.corpus, query)
    why = state.remembered("why", {})
    opened = (why.get("for") == asked and why["open"]) or ()
    explained = {
        (retriever, passage): state.explanation(desk.workspace, desk.corpus, query, retriever, passage)
        for retriever, passage in opened
    }
    marked = marks.given(desk.workspace, query.text)
    act = board.draw(board.content(desk.workspace, found, explained, marked))
    if act is None:
        return
    if act.what == "why":
        pair = (act.retriever, act.passage)
        kept = tuple(other for other in opened if other != pair)
        state.remember("why", {"for": asked, "open": kept if pair in opened else (*kept, pair)})
        frame.redraw()
    elif act.what in ("mark", "undo"):
        if act.what == "mark":
            marks.mark(desk.workspace, query.text, act.passage, act.grade)
        else:
            marks.undo(desk.workspace)
        frame.redraw()
    elif act.what == "toggle" and act.number <= len(names):
        state.change(retrievers=_toggled(names, found, names[act.number - 1]))
        st.rerun()
    elif act.what == "evidence":
        ranking = next(r for r in found.rankings if r.retriever == act.retriever)
        state.hand_over(query, act.retriever, act.passage, len(ranking.ids))
        frame.go("evidence")
    elif act.what == "open":
        ids = next((r.ids for r in found.rankings if r.retriever == act.retriever), ())
        drawer.show(desk.workspace, act.passage, ids)


def _toggled(names: tuple[str, ...], found: core.Comparison, name: str) -> tuple[str, ...]:
    shown = {ranking.retriever for ranking in found.rankings} ^ {name}
    return tuple(other for other in names if other in shown)


main(frame.enter())
