"""The scale curve: how the retrievers bear a growing corpus."""

from __future__ import annotations

import streamlit as st

from aethel_core.workspace import lab as lab_core
from pages._ui import state, theme, words
from pages._ui.evaluation import bench, charts, running
from pages._ui.evaluation.bench import Bench
from pages._ui.html import Html, element

_WAYS = {True: "Keep the answers in every cut", False: "Treat them like any passage"}
_SMALL, _BETWEEN = 1000, (200, 300, 400)
_NEARLY = 0.9
_METRICS = ("HR@1", "HR@5", "HR@10", "Recall@5", "MRR")


def draw(on: Bench) -> None:
    st.html(
        element(
            "p",
            "The corpus is cut down to fewer passages, indexed anew and asked all questions; five random "
            "cuts for each size. A retriever whose line falls is one that more documents will confuse.",
            class_="ae-lead",
        )
    )
    if not running.panel(on.workspace, "scale"):
        _form(on)
    kept = state.measured(on.workspace, "curves", (on.lab.curves.stamp(),), on.lab.curves.all)
    curve = bench.chosen(kept, "scale.run")
    if curve is not None:
        _curve(on, curve)


def _form(on: Bench) -> None:
    with st.form("scale"), st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bench.several(on, "scale.retrievers")
        st.segmented_control(
            "The passages with the answers",
            list(_WAYS),
            default=True,
            required=True,
            format_func=_WAYS.get,
            key="scale.kept",
        )
        st.form_submit_button(
            "Measure", type="primary", on_click=_start, args=(on,), disabled=not on.questions
        )


def _start(on: Bench) -> None:
    chosen, kept, questions = (
        tuple(state.typed("scale.retrievers")),
        bool(state.typed("scale.kept")),
        on.questions,
    )
    if chosen:
        sizes = _sizes(on)
        state.lab_runs().start(
            on.workspace.path,
            "scale",
            lambda: on.lab.start_scale(questions, chosen, "page", sizes, kept),
        )


def _sizes(on: Bench) -> tuple[int, ...]:
    """The usual sizes, and on a small corpus some between; none that is nearly the whole of it."""
    whole = on.workspace.counts().passages
    wanted = {*lab_core.SIZES, *(_BETWEEN if whole <= _SMALL else ())}
    return tuple(sorted(size for size in wanted if not _NEARLY * whole < size < whole))


def _curve(on: Bench, curve: lab_core.ScaleCurve) -> None:
    if on.lab.outdated(curve):
        st.warning(
            "Stale: the documents, the settings or Aethel itself have changed since.",
            icon=":material/history:",
        )
    metric = st.segmented_control(
        "Measure", _METRICS, default="HR@5", required=True, key="scale.metric", label_visibility="collapsed"
    )
    points = [point for point in curve.points if point.metric == metric]
    st.plotly_chart(
        charts.scale(points, metric, bench.dark()),
        config=charts.CONFIG,
        key="scale.chart",
        alt=f"{metric} against the number of passages; the table below says the same",
    )
    if curve.note:
        st.html(element("p", curve.note, class_="ae-note"))
    st.html(table(points, metric))
    st.caption(
        f"Mean ± standard deviation over five cuts, seed 42; {curve.full_size:,} is all there is. Measured "
        f"{words.plain(words.when(curve.made_at))}."
    )


def table(points: list[lab_core.ScalePoint], metric: str) -> Html:
    sizes = sorted({point.size for point in points})
    cell = {
        (p.retriever, p.size): f"{bench.value(p.mean, metric)} ± {bench.value(p.sigma, metric)}"
        for p in points
    }
    head = element(
        "tr",
        element("th", "Retriever"),
        *(element("th", words.count(size, "passage"), class_="ae-num") for size in sizes),
    )
    rows = [
        element(
            "tr",
            element("th", theme.look(name).label),
            *(element("td", cell[name, size], class_="ae-num") for size in sizes),
        )
        for name in theme.in_order(tuple(dict.fromkeys(point.retriever for point in points)))
    ]
    return bench.table(head, rows)
