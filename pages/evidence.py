"""Evidence: why this passage? The paths from the question to each hit, and what changes them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from aethel_core.types import Query
from pages._ui import (
    drawer,
    entities,
    frame,
    html,
    link,
    overview,
    paths,
    query_view,
    state,
    theme,
    whatif,
    words,
)
from pages._ui.html import element

_VIEWS = ("Paths", "What if", "Two retrievers", "Entities", "Whole corpus")
_ASKING = _VIEWS[:3]
_NODES, _PER_HIT = 150, 3
_READ_BY_MODEL = "ppr-llm"
_STYLE = Path(__file__).parent / "_ui" / "evidence.css"


def main(desk: frame.Desk) -> None:
    st.html(_STYLE)
    if not desk.documents:
        _empty()
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        view = st.segmented_control(
            "View",
            _VIEWS,
            required=True,
            key=state.controlled("evidence.view", state.remembered("evidence.view") or _VIEWS[0]),
            on_change=lambda: state.remember("evidence.view", state.typed("evidence.view")),
            label_visibility="collapsed",
        )
    try:
        if view in _ASKING:
            _asking(desk, view)
        elif view == _VIEWS[3]:
            with st.container(key="evidence-columns"):
                entities.finder(desk.workspace, desk.corpus, lambda p: drawer.show(desk.workspace, p))
        else:
            overview.draw(
                desk.workspace,
                desk.corpus,
                lambda e: entities.show(desk.workspace, desk.corpus, e),
                lambda p: drawer.show(desk.workspace, p),
            )
            _follow(desk)
    except AethelError as error:
        st.error(words.plain(str(error)), icon=":material/error:")


def _empty() -> None:
    st.subheader("No evidence yet", anchor=False)
    said = "This workspace has no documents. Add some in the Library, or load the sample deal on Home."
    st.html(element("p", said, class_="ae-lead"))
    if st.button("Go to the Library", type="primary"):
        frame.go("library")


def _follow(desk: frame.Desk) -> None:
    """Open the page of a passage chosen in the drawer of an entity."""
    passage = entities.chosen_passage()
    if passage:
        drawer.show(desk.workspace, passage)


# --- the question -----------------------------------------------------------------------------------


def _asking(desk: frame.Desk, view: str) -> None:
    _question(desk)
    question = state.view().question
    if not question:
        said = "Ask a question to see how its names lead to the passages. Questions that need two documents"
        st.html(element("p", f"{said} show most.", class_="ae-lead"))
        return
    handed = state.handed_over()
    asked = query_view.asked(desk.workspace, desk.corpus)
    query, hit = handed or (asked, "")
    if query != asked:
        st.caption("As it was asked in Compare then. Ask again for its switches as they are now.")
    elif state.view().switches != core.Switches():
        st.caption("As it is asked in Compare, with its chips and switches.")
    if view == _VIEWS[2]:
        _two(desk, query)
        return
    if view == _VIEWS[1]:
        _what_if(desk, query)
    else:
        _paths(desk, query, hit)


def _question(desk: frame.Desk) -> None:
    with (
        st.form("evidence.ask", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(
            "Question",
            key=state.controlled("evidence.question", state.view().question),
            placeholder="Which bank lends to the company behind Project Kestrel?",
            max_chars=2000,
        )
        st.form_submit_button("Ask", type="primary", on_click=_ask, args=(desk,))


def _ask(desk: frame.Desk) -> None:
    question = " ".join((state.typed("evidence.question") or "").split())
    state.change(question=question)
    state.remember("evidence.from", None)
    if question:
        desk.workspace.remember(question, (_walker(desk.workspace),), _k(), state.view().filters)


def _walker(workspace: core.Workspace) -> str:
    """The graph retriever in use: the one chosen here, else the first one chosen for the comparison."""
    names = workspace.evidence.retriever_names()
    wanted = (state.remembered("evidence.retriever", ""), *state.view().retrievers)
    return next((name for name in wanted if name in names), theme.in_order(names)[0])


def _k() -> int:
    return state.remembered("evidence.k", link.DEFAULT_K)


def _controls(desk: frame.Desk, retriever: str, k: int) -> None:
    names = theme.in_order(desk.workspace.evidence.retriever_names())
    st.segmented_control(
        "Retriever",
        names,
        format_func=lambda name: f"{theme.look(name).marker} {words.plain(theme.look(name).label)}",
        key=state.controlled("evidence.retriever", retriever),
        required=True,
        on_change=lambda: state.remember("evidence.retriever", state.typed("evidence.retriever")),
        help=" · ".join(f"{theme.look(n).label}: {theme.look(n).about}" for n in names),
    )
    st.segmented_control(
        "Hits",
        link.K_CHOICES,
        key=state.controlled("evidence.k", k),
        required=True,
        on_change=lambda: state.remember("evidence.k", state.typed("evidence.k")),
    )


# --- paths ------------------------------------------------------------------------------------------


@st.fragment
def _paths(desk: frame.Desk, query: Query, hit: str) -> None:
    """``hit`` is the one that was asked for elsewhere, if any."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        retriever, k = _walker(desk.workspace), _k()
        _controls(desk, retriever, k)
        nodes, per_hit = _graph_size()
        st.space("stretch")
        traced = state.traced(desk.workspace, desk.corpus, query, retriever, k, nodes, per_hit)
        _downloads(traced)
    _coverage(desk.workspace, retriever)
    if not traced.ranking.hits:
        st.info(words.plain(traced.note or traced.ranking.note or "No passage was reached."))
        return
    st.html(_summary(traced))
    citations = {passage: desk.workspace.citation(passage) for passage in traced.ranking.ids}
    if hit and hit not in citations:
        said = f"{desk.workspace.citation(hit)} is not among the first {k} of {theme.look(retriever).label}."
        st.caption(words.plain(said))
    act = paths.draw(paths.content(traced, citations, hit))
    _table(traced)
    passage = entities.chosen_passage()
    if act is not None and act.what == "open":
        drawer.show(desk.workspace, core.passage_of(act.id), traced.ranking.ids)
    elif act is not None:
        entities.show(desk.workspace, desk.corpus, act.id)
    elif passage:
        drawer.show(desk.workspace, passage)


def _coverage(workspace: core.Workspace, retriever: str) -> None:
    if retriever == _READ_BY_MODEL and not (covered := workspace.extraction.in_use()).whole:
        st.caption(f"PPR-LLM covers {covered}: the model has not read the others.")


def _graph_size() -> tuple[int, int]:
    with st.popover("Graph", icon=":material/account_tree:"):
        nodes = st.slider("Nodes at most", 20, 300, state.remembered("evidence.nodes", _NODES), 10)
        per_hit = st.slider("Paths per hit", 1, 6, state.remembered("evidence.per_hit", _PER_HIT))
    state.remember("evidence.nodes", nodes)
    state.remember("evidence.per_hit", per_hit)
    return nodes, per_hit


def _downloads(traced: core.Traced) -> None:
    name = f"aethel evidence {words.file_part(traced.query.text)}"
    about = f"{theme.look(traced.ranking.retriever).label}, the first {len(traced.ranking.hits)} hits"
    with st.popover("Export", icon=":material/download:", disabled=not traced.ranking.hits):
        st.download_button(
            "Page with the graph (HTML)",
            lambda: core.drawing.as_html(traced.figure, heading=traced.query.text, about=about),
            f"{name}.html",
            "text/html",
            on_click="ignore",
            width="stretch",
        )
        st.download_button(
            "Picture (SVG)",
            lambda: core.drawing.as_svg(traced.figure, heading=traced.query.text),
            f"{name}.svg",
            "image/svg+xml",
            on_click="ignore",
            width="stretch",
        )
        st.download_button(
            "Graph for other tools (GraphML)",
            lambda: core.drawing.as_graphml(traced.figure),
            f"{name}.graphml",
            "application/graphml+xml",
            on_click="ignore",
            width="stretch",
        )


def _summary(traced: core.Traced) -> html.Html:
    seeds = [
        words.clip(seed.name, 40) + (f" ({seed.kind})" if seed.kind != "name" else "")
        for seed in traced.seeds
    ]
    shown = ", ".join(seeds[:4])
    if len(seeds) > 4:
        shown += f" and {words.count(len(seeds) - 4, 'more', 'more')}"
    timing = " Percentages are shares of a passage's mass; with “other paths” they sum to 100 %."
    timing += f" Traced in {words.seconds(traced.seconds)}."
    if traced.graph.left_out:
        timing += f" {words.count(traced.graph.left_out, 'path')} left out of the graph for want of room."
    if not seeds:
        return element("div", traced.note, " ", element("span", timing, class_="ae-quiet"))
    return element(
        "div", "The walks start at ", element("b", shown), ".", element("span", timing, class_="ae-quiet")
    )


def _table(traced: core.Traced) -> None:
    with st.expander("The graph as a table"):
        import pandas

        words_of = {mark.id: " · ".join(mark.lines) for mark in traced.figure.marks}
        st.dataframe(
            pandas.DataFrame(
                {
                    "From": [words_of[stroke.source] for stroke in traced.figure.strokes],
                    "To": [words_of[stroke.target] for stroke in traced.figure.strokes],
                    "What comes along": [stroke.title for stroke in traced.figure.strokes],
                    "Flow": [stroke.flow for stroke in traced.figure.strokes],
                }
            ),
            hide_index=True,
            column_config={"Flow": st.column_config.NumberColumn(format="%.3g")},
        )


# --- what if, two retrievers --------------------------------------------------------------------------


@st.fragment
def _what_if(desk: frame.Desk, query: Query) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        retriever, k = _walker(desk.workspace), _k()
        _controls(desk, retriever, k)
    with st.container(key="evidence-columns"):
        whatif.draw(desk.workspace, desk.corpus, query, retriever, k)


@st.fragment
def _two(desk: frame.Desk, query: Query) -> None:
    names = theme.in_order(desk.workspace.retriever_names())
    walker = _walker(desk.workspace)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        first = _pick("What does", names, walker, "evidence.first")
        other = next(name for name in ("bm25", "dense", *names) if name in names and name != first)
        second = _pick("find that another does not", names, other, "evidence.second")
        k = st.segmented_control(
            "Hits", link.K_CHOICES, default=link.DEFAULT_K, required=True, key="evidence.two.k"
        )
    if first == second:
        st.info("Choose two different retrievers.")
        return
    found = state.difference(desk.workspace, desk.corpus, query, first, second, k)
    st.html(element("div", f"{words.count(len(found.both), 'passage')} in common.", class_="ae-quiet"))
    with st.container(key="evidence-columns"):
        columns = st.columns(2, gap="large")
    for column, missed, by, why in (
        (columns[0], found.only_first, first, second),
        (columns[1], found.only_second, second, first),
    ):
        with column:
            _alone(desk, missed, by, why, some=bool(found.both))


def _pick(label: str, names: tuple[str, ...], wanted: str, key: str) -> str:
    kept = state.remembered(key, wanted)
    return st.selectbox(
        label,
        names,
        index=names.index(kept) if kept in names else 0,
        format_func=lambda name: f"{theme.look(name).marker} {theme.look(name).label}",
        key=f"{key}.box",
        width=240,
    )


def _alone(desk: frame.Desk, missed: tuple[core.Missed, ...], by: str, other: str, *, some: bool) -> None:
    """``some``: they have hits in common."""
    finder, judge = theme.look(by), theme.look(other)
    st.html(element("div", f"{finder.marker} Only {finder.label} ({len(missed)})", class_="ae-rule"))
    if not missed:
        said = f"{judge.label} has all of them too." if some else f"{finder.label} finds nothing."
        st.html(element("p", said, class_="ae-quiet"))
    for item in missed:
        citation = desk.workspace.citation(item.passage_id)
        if st.button(
            words.plain(f"{item.rank}. {citation}"), key=f"alone.{by}.{item.passage_id}", type="tertiary"
        ):
            drawer.show(desk.workspace, item.passage_id, tuple(m.passage_id for m in missed))
        place = (
            f"{judge.label} ranks it {item.other_rank:,}. "
            if item.other_rank
            else f"No hit of {judge.label}. "
        )
        st.html(element("div", place, element("span", item.reason, class_="ae-quiet"), class_="ae-why"))


main(frame.enter())
