"""Tuning: weights of RRF from one's own marks, with the figure to believe."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from aethel_core.errors import AethelError
from aethel_core.workspace import lab as lab_core
from pages._ui import state, theme, words
from pages._ui.evaluation import bench
from pages._ui.evaluation.bench import Bench
from pages._ui.html import Html, element

_MADE_OF_OTHERS = ("rrf", "hybrid", "cascade")


def draw(on: Bench) -> None:
    st.html(
        element(
            "p",
            "RRF adds up 1 / (60 + rank) of the lists it fuses. Here the weight of each list is chosen on "
            "four fifths of your questions and measured on the fifth left out, five times over: only that "
            "held-out figure says what to expect of new questions.",
            class_="ae-lead",
        )
    )
    report = on.report()
    parts = [n for n in theme.in_order(report.retrievers) if n not in _MADE_OF_OTHERS] if report else []
    if report is None or len(parts) < 2:
        st.info("Evaluate with two or more single retrievers first, such as BM25 and Dense.")
        return
    metrics = [n for n in lab_core.metric_names(report.ks) if n.startswith(("nDCG", "HR", "Recall", "MRR"))]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = st.pills(
            "Lists to fuse",
            parts,
            selection_mode="multi",
            default=parts,
            format_func=lambda name: words.plain(bench.label_of(name)),
            key=f"tuning.parts.{report.fingerprint}",
        )
        preferred = f"nDCG@{10 if 10 in report.ks else report.ks[-1]}"
        metric = st.selectbox(
            "Tuned for", metrics, index=metrics.index(preferred), key="tuning.metric", width=160
        )
    try:
        found = _tuned(on, report, tuple(chosen), metric)
    except AethelError as error:
        st.info(words.plain(str(error)))
        return
    _outcome(on, found)


def _tuned(on: Bench, report: lab_core.Report, chosen: tuple[str, ...], metric: str) -> lab_core.Tuning:
    key = (report.fingerprint, chosen, metric)
    return state.measured(on.workspace, "tuning", key, lambda: lab_core.tune(report, chosen, metric))


def _outcome(on: Bench, found: lab_core.Tuning) -> None:
    if found.warning:
        st.warning(words.plain(found.warning), icon=":material/warning:")
    st.html(facts(found))
    st.html(weights_table(found))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Use these weights in RRF", on_click=_use, args=(on, found), type="secondary")
        st.html(element("span", advice(found), class_="ae-quiet"), width="stretch")
    if state.remembered("tuning.saved"):
        st.toast("RRF now uses these weights; Settings can take them back.")
        state.remember("tuning.saved", False)


def facts(found: lab_core.Tuning) -> Html:
    gain = found.gain
    interval = f"{bench.signed(gain.low, found.metric)} to {bench.signed(gain.high, found.metric)}"
    shown = [
        (bench.value(found.held_out, found.metric), f"{found.metric}, tuned, held out"),
        (bench.value(found.equal, found.metric), "equal weights"),
        (bench.signed(gain.mean, found.metric), f"gain, interval {interval}"),
        (f"{found.questions:,}", "questions"),
    ]
    return element(
        "div", *(element("div", element("b", n), element("span", s)) for n, s in shown), class_="ae-facts"
    )


def advice(found: lab_core.Tuning) -> str:
    if found.gain.clear and found.gain.mean > 0:
        return "The gain is clear on questions the weights had not seen."
    return "No clear gain on questions the weights had not seen: equal weights are the safer choice."


def weights_table(found: lab_core.Tuning) -> Html:
    equal = 1 / len(found.retrievers)
    head = element(
        "tr",
        element("th", "List"),
        element("th", "Weight, best on all questions", class_="ae-num"),
        element("th", "Equal weights", class_="ae-num"),
    )
    rows = [
        element(
            "tr",
            element("th", bench.label_of(name)),
            element("td", f"{weight:.2f}", class_="ae-num"),
            element("td", f"{equal:.2f}", class_="ae-num"),
        )
        for name, weight in zip(found.retrievers, found.weights, strict=True)
    ]
    return bench.table(head, rows)


def _use(on: Bench, found: lab_core.Tuning) -> None:
    kept = {n: w for n, w in zip(found.retrievers, found.weights, strict=True) if w > 0}
    on.workspace.set_parameters(replace(on.workspace.parameters(), fused=tuple(kept), fusion_weights=kept))
    state.remember("tuning.saved", True)
