"""Robustness: how the retrievers bear typos, paraphrases and companies named by ticker."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from aethel_core.workspace import lab as lab_core
from pages._ui import state, theme, words
from pages._ui.evaluation import bench, running
from pages._ui.evaluation.bench import Bench
from pages._ui.html import Html, element

_METRICS = ("HR@5", "HR@1", "Recall@5", "MRR", "nDCG@10")
_COLUMNS = (
    ("As asked", "On the questions that the change touches, as they were asked"),
    ("Changed", "On the same questions, changed"),
    ("Difference", "Changed minus as asked, question by question"),
    ("Better · same · worse", "Questions on which the change helps, does nothing and harms"),
)


def draw(on: Bench) -> None:
    st.html(
        element(
            "p",
            "Every question is asked again with typos, in other words, and with the company’s ticker or "
            "short name. A retriever whose figure falls is one that depends on how you put it.",
            class_="ae-lead",
        )
    )
    kept = state.measured(on.workspace, "robustness", (on.lab.changed.stamp(),), on.lab.changed.all)
    if not running.panel(on.workspace, "robustness"):
        _form(on, bool(kept))
    result = bench.chosen(kept, "robustness.run")
    if result is not None:
        bench.choose(kept, result, "robustness.run", _run_name)
        _outcome(on, result)


def _form(on: Bench, again: bool) -> None:
    with st.form("robustness"), st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bench.several(on, "robustness.retrievers")
        st.selectbox("Measure", _METRICS, key="robustness.metric", width=130)
        bench.whose(on, "robustness.whose")
        bench.measure(on, again, _start)
    if problem := state.remembered("robustness.problem"):
        st.error(words.plain(problem), icon=":material/error:")


def _start(on: Bench) -> None:
    chosen, metric = tuple(state.typed("robustness.retrievers")), state.typed("robustness.metric")
    questions = on.of(state.typed("robustness.whose"))
    problem = "" if questions else "This person has marked nothing relevant yet."
    state.remember("robustness.problem", problem if chosen else "Choose at least one retriever.")
    if chosen and questions:
        begin = lambda: on.lab.start_robustness(questions, chosen, "page", metric)  # noqa: E731
        state.lab_runs().start(on.workspace.path, "robustness", begin)


def _run_name(result: lab_core.RobustnessResult) -> str:
    asked = words.count(result.questions, "question")
    return f"{words.when(result.made_at)} · {asked} · {result.metric}"


def _outcome(on: Bench, result: lab_core.RobustnessResult) -> None:
    if on.lab.outdated(result):
        st.warning(
            "Stale: the documents, the settings or Aethel itself have changed since.",
            icon=":material/history:",
        )
    st.html(element("p", lab_core.robustness_in_words(result), class_="ae-verdict"))
    if result.rows:
        st.html(table(result))
    st.caption(
        f"{words.plain(result.metric)}: {bench.meaning(result.metric, 'page')}. Below a difference its 95 % "
        "interval (10,000 bootstrap resamples, seed 42). ▲ and ▼ mark what may be claimed: the interval "
        "leaves out zero and a permutation test gives p below 0.05. Names and numbers are never misspelt; "
        "paraphrases follow fixed rules, so that they repeat."
    )
    st.html(element("p", f"{_run_name(result)} · result {result.fingerprint[:10]}.", class_="ae-fine"))


def table(result: lab_core.RobustnessResult) -> Html:
    """The kinds of change one below the other, each with an example and a row per retriever."""
    head = element(
        "tr",
        element("th", "Retriever"),
        *(element("th", name, class_="ae-num", title=said) for name, said in _COLUMNS),
    )
    return bench.table(head, list(_rows(result)))


def _rows(result: lab_core.RobustnessResult) -> Iterator[Html]:
    examples = {example.kind: example for example in result.examples}
    for kind in lab_core.KINDS:
        rows = {row.retriever: row for row in result.rows if row.kind == kind}
        if not rows:
            continue
        touched = next(iter(rows.values())).touched
        title = f"{lab_core.KIND_LABELS[kind]} · {words.count(touched, 'question')}"
        shown = element("span", f"“{examples[kind].changed}”", class_="ae-interval ae-example")
        yield element("tr", element("th", title, shown, colspan="5", class_="ae-quiet ae-kind"))
        for name in theme.in_order(tuple(rows)):
            yield _row(rows[name])


def _row(row: lab_core.Robustness) -> Html:
    found, metric = row.difference, row.metric
    mark = ("▲ " if found.mean > 0 else "▼ ") if found.clear else ""
    kind = (" ae-ahead" if found.mean > 0 else " ae-behind") if found.clear else ""
    low, high = bench.signed(found.low, metric), bench.signed(found.high, metric)
    return element(
        "tr",
        element("th", theme.look(row.retriever).label),
        element("td", bench.value(row.original, metric), class_="ae-num"),
        element("td", bench.value(row.changed, metric), class_="ae-num"),
        element(
            "td",
            element("b", f"{mark}{bench.signed(found.mean, metric)}"),
            element("span", f"{low} to {high}", class_="ae-interval"),
            class_=f"ae-num{kind}",
            title=f"p = {found.p:.3f}",
        ),
        element("td", f"{found.wins} · {found.ties} · {found.losses}", class_="ae-num"),
    )
