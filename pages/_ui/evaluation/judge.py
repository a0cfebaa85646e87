"""Judge: what any retriever brought up for a question, one by one, without saying which one did."""

from __future__ import annotations

import streamlit as st

from aethel_core.errors import AethelError
from aethel_core.types import PassageKind
from aethel_core.workspace import lab as lab_core
from pages._ui import html, marks, state, tables, viewer, words
from pages._ui.evaluation import bench
from pages._ui.evaluation.bench import Bench
from pages._ui.html import element

_RECENT = 50
_KEYS = {2: "1", 1: "2", 0: "3"}  # left to right; Streamlit keeps "R" for itself


def draw(on: Bench) -> None:
    st.html(
        element(
            "p",
            "The ten best passages of every retriever are put together and shown in an order that says "
            "nothing of rank or finder, so that the labelled set favours none of them.",
            class_="ae-lead",
        )
    )
    question = _choose(on)
    if not question:
        st.info("Choose a question above, or type a new one and press Enter.", icon=":material/edit:")
        return
    try:
        with st.spinner("Asking every retriever …"):
            pool = _pool(on, question)
    except AethelError as error:
        st.error(words.plain(str(error)), icon=":material/error:")
        return
    if not pool.passages:
        st.info(
            "No retriever finds anything for this question. Try other words.", icon=":material/search_off:"
        )
        return
    _queue(on, question, pool)


def _choose(on: Bench) -> str:
    asked = dict.fromkeys(entry.question for entry in on.workspace.history(_RECENT))
    labelled = dict.fromkeys(label.question for label in on.labels)
    now = state.remembered("judge.question", "") or state.view().question
    options = list(dict.fromkeys([*([now] if now else []), *asked, *labelled]))
    st.selectbox(
        "Question",
        options,
        index=None,
        placeholder="Type a question, or choose one that was asked before",
        accept_new_options=True,
        key=state.controlled("judge.choice", now or None),
        on_change=_take,
    )
    return now


def _take() -> None:
    state.remember("judge.question", " ".join((state.typed("judge.choice") or "").split()))
    state.remember("judge.skipped", ())


def _pool(on: Bench, question: str) -> lab_core.Queue:
    """Everything pooled for the question, in hidden order, whoever judged it."""
    key = (on.desk.corpus, question, on.retrievers)
    return state.measured(
        on.workspace, "pool", key, lambda: on.lab.queue(question, on.retrievers, labeller="")
    )


def _queue(on: Bench, question: str, pool: lab_core.Queue) -> None:
    judged = marks.given(on.workspace, question)
    skipped = state.remembered("judge.skipped", ())
    left = [passage for passage in pool.passages if passage not in judged]
    left = [p for p in left if p not in skipped] + [p for p in skipped if p in left]
    done = len(pool.passages) - len(left)
    st.progress(
        done / len(pool.passages),
        text=f"{done} of {words.count(len(pool.passages), 'passage')} judged by {words.plain(on.me)}",
    )
    if left:
        _one(on, question, left[0])
    else:
        _finished(on, question, judged, pool)


def _finished(on: Bench, question: str, judged: dict[str, int], pool: lab_core.Queue) -> None:
    relevant = sum(judged[passage] > 0 for passage in pool.passages)
    said = f"All judged: {relevant} of {words.count(len(pool.passages), 'passage')} at least partly relevant."
    st.success(said, icon=":material/check:")
    with st.container(horizontal=True, gap="small"):
        st.button("See the results", type="primary", on_click=bench.show, args=("Results",))
        if st.button("Open in Compare", icon=":material/view_column:"):
            bench.compare(question, state.view().retrievers)
        marks.undo_button(on.workspace, "judge.undo", "U")


def _one(on: Bench, question: str, passage_id: str) -> None:
    passage = on.workspace.passage(passage_id)
    document = on.workspace.document(passage.document_id)
    grid = st.grid(2, gap="large", min_column_width=360)
    with grid.cell():
        _buttons(on, question, passage_id)
        st.html(
            html.join(
                element("div", on.workspace.citation(passage_id), class_="ae-citation"),
                element("div", document.name, class_="ae-quiet"),
            )
        )
        if passage.kind is PassageKind.TABLE and passage.table is not None and passage.table.rows:
            st.html(tables.full(passage.table))
        else:
            st.html(element("p", passage.text, class_="ae-passage"))
    with grid.cell():
        alt = f"Page {passage.page} of {document.name}"
        viewer.draw(on.workspace, document.id, passage.page, alt, passage.rects)


def _buttons(on: Bench, question: str, passage_id: str) -> None:
    with st.container(horizontal=True, gap="small", key="ae-judge"):
        for grade, name in marks.GRADES.items():
            st.button(
                name,
                key=f"judge.{grade}",
                shortcut=_KEYS[grade],
                type="primary" if grade == lab_core.RELEVANT else "secondary",
                on_click=marks.mark,
                args=(on.workspace, question, passage_id, grade),
            )
        st.button("Skip", key="judge.skip", shortcut="S", on_click=_skip, args=(passage_id,), type="tertiary")
        marks.undo_button(on.workspace, "judge.undo", "U")


def _skip(passage_id: str) -> None:
    """Put it at the end of the queue."""
    skipped = state.remembered("judge.skipped", ())
    state.remember("judge.skipped", (*(p for p in skipped if p != passage_id), passage_id))
