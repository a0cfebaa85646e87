"""Results: the verdict in words, then the figures behind it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from aethel_core.workspace import lab as lab_core
from pages._ui import html, state, theme, words
from pages._ui.evaluation import bench, charts, running, setup
from pages._ui.evaluation.bench import Bench
from pages._ui.html import Html, element

_CHANGED = {
    "corpus": "the documents",
    "settings": "the retrieval settings or the version of Aethel",
    "labels": "the labelled set",
}


def draw(on: Bench) -> None:
    report = on.report()
    busy = running.panel(on.workspace, "evaluation")
    if report is None:
        if not busy:
            st.html(
                element(
                    "p",
                    f"{words.count(len(on.questions), 'question')} can be measured. Choose what to compare.",
                    class_="ae-lead",
                )
            )
        setup.form(on)
        return
    _choose_run(on, report)
    stale(on, report)
    st.html(element("p", lab_core.verdict(report), class_="ae-verdict"))
    setup.form(on)
    metric = _choose_metric(report)
    _figures(report, metric)
    st.subheader("Every measure", anchor=False)
    st.html(table(report, shown_metrics(report)))
    st.caption("Mean over the questions, below it the 95 % interval (10,000 bootstrap resamples, seed 42).")
    if len(report.retrievers) > 1:
        _head_to_head(on, report, metric)
    st.html(element("p", _made_of(report), class_="ae-fine"))


def _choose_run(on: Bench, report: lab_core.Report) -> None:
    if len(on.reports) < 2:
        return
    by_name = {one.fingerprint: one for one in on.reports}
    st.selectbox(
        "Run",
        list(by_name),
        format_func=lambda fingerprint: bench.run_name(by_name[fingerprint]),
        key=state.controlled("evaluate.run.choice", report.fingerprint),
        on_change=lambda: state.remember("evaluate.run", state.typed("evaluate.run.choice")),
        width=460,
        label_visibility="collapsed",
    )


def stale(on: Bench, report: lab_core.Report) -> None:
    """Say so when the figures are not of what is here now."""
    changed = [_CHANGED[change] for change in on.changes(report)]
    if changed:
        listed = changed[0] if len(changed) == 1 else f"{', '.join(changed[:-1])} and {changed[-1]}"
        st.warning(
            f"Stale: since this run of {words.plain(words.when(report.made_at))} there were changes of "
            f"{listed}. Measure again to be current.",
            icon=":material/history:",
        )


def _choose_metric(report: lab_core.Report) -> str:
    names = lab_core.metric_names(report.ks)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        metric = st.selectbox(
            "Measure",
            names,
            index=names.index(bench.headline(report)),
            format_func=lambda name: f"{name}: {bench.meaning(name, report.level)}",
            key=f"evaluate.metric.{report.fingerprint}",
            width=560,
        )
    return metric


def _figures(report: lab_core.Report, metric: str) -> None:
    dark = bench.dark()
    grid = st.grid(2, min_column_width=380, gap="large")
    with grid.cell():
        st.html(_chart_title(metric, "with its 95 % interval"))
        st.plotly_chart(
            charts.bars(report, metric, dark),
            config=charts.CONFIG,
            key="evaluate.bars",
            alt=f"{metric} of each retriever with its 95 percent interval; the table below says the same",
        )
    with grid.cell():
        st.html(_chart_title("HR@k", "how deep one has to read"))
        st.plotly_chart(
            charts.depth(report, dark),
            config=charts.CONFIG,
            key="evaluate.depth",
            alt="Share of questions answered in the top k, for each k and retriever",
        )


def _chart_title(name: str, said: str) -> Html:
    return element("div", element("b", name), " ", element("span", said, class_="ae-quiet"))


def shown_metrics(report: lab_core.Report) -> tuple[str, ...]:
    """HR at each cutoff, the rest at one: all of them would not fit a line."""
    middle = bench.headline(report).partition("@")[2]
    last = report.ks[-1]
    return (
        *(f"HR@{k}" for k in report.ks),
        f"Recall@{middle}",
        f"all-gold@{middle}",
        "MRR",
        f"nDCG@{last}",
    )


def table(report: lab_core.Report, names: Sequence[str]) -> Html:
    best = {name: max(report.mean(r, name) for r in report.retrievers) for name in names}
    head = element(
        "tr",
        element("th", "Retriever"),
        *(element("th", name, class_="ae-num", title=bench.meaning(name, report.level)) for name in names),
        element("th", "per question", class_="ae-num", title="Mean time of one search on this machine"),
    )
    rows = []
    for retriever in theme.in_order(report.retrievers):
        found = [report.interval(retriever, name) for name in names]
        rows.append(
            element(
                "tr",
                element("th", _retriever(retriever, retriever == report.baseline)),
                *(_cell(one, one.mean == best[one.metric]) for one in found),
                element("td", words.seconds(report.seconds_per_query(retriever)), class_="ae-num"),
            )
        )
    return bench.table(head, rows)


def _cell(found: lab_core.Measured, best: bool) -> Html:
    shown = bench.value(found.mean, found.metric)
    low, high = (bench.value(end, found.metric).removesuffix(" %") for end in (found.low, found.high))
    return element(
        "td",
        element("b", shown) if best else shown,
        element("span", f"{low}–{high}", class_="ae-interval"),
        class_="ae-num",
    )


def _retriever(name: str, baseline: bool = False) -> Html:
    look = theme.look(name)
    return html.join(
        element("i", look.marker, class_="ae-marker", style=f"--in:{look.colour};--dark:{look.colour_dark}"),
        f" {look.label}",
        element("span", " baseline", class_="ae-quiet") if baseline else "",
    )


# --- head to head ---------------------------------------------------------------------------------


def _head_to_head(on: Bench, report: lab_core.Report, metric: str) -> None:
    st.subheader(f"Head to head on {metric}", anchor=False)
    found = state.measured(
        on.workspace, "pairs", (report.fingerprint, metric), lambda: report.head_to_head(metric)
    )
    st.html(matrix(report, metric, found))
    unit = "points" if bench.is_share(metric) else metric
    st.caption(
        f"Row minus column in {words.plain(unit)}; below it the 95 % interval, then questions won, tied and "
        "lost. ▲ and ▼ mark differences that may be claimed: the interval leaves out zero and a "
        "permutation test gives p below 0.05. The others these questions do not decide."
    )


def matrix(report: lab_core.Report, metric: str, found: Sequence[lab_core.Difference]) -> Html:
    pairs = {(one.a, one.b): one for one in found}
    names = theme.in_order(report.retrievers)
    head = element("tr", element("th"), *(element("th", _retriever(name), class_="ae-num") for name in names))
    rows = [
        element(
            "tr",
            element("th", _retriever(row)),
            *(_duel(pairs.get((row, column)), metric) for column in names),
        )
        for row in names
    ]
    return bench.table(head, rows, "ae-matrix")


def _duel(found: lab_core.Difference | None, metric: str) -> Html:
    if found is None:
        return element("td", "", class_="ae-num ae-self")
    mark = ("▲ " if found.mean > 0 else "▼ ") if found.clear else ""
    kind = (" ae-ahead" if found.mean > 0 else " ae-behind") if found.clear else ""
    low, high = bench.signed(found.low, metric), bench.signed(found.high, metric)
    return element(
        "td",
        element("b", f"{mark}{bench.signed(found.mean, metric)}"),
        element("span", f"{low} to {high}", class_="ae-interval"),
        element("span", f"{found.wins} · {found.ties} · {found.losses}", class_="ae-interval"),
        class_=f"ae-num{kind}",
        title=f"p = {found.p:.3f}; won {found.wins}, tied {found.ties}, lost {found.losses}",
    )


def _made_of(report: lab_core.Report) -> str:
    return (
        f"{bench.run_name(report)} · result {report.fingerprint[:10]} of corpus "
        f"{report.corpus_fingerprint[:10]}. The same marks, documents and settings give it again, to the bit."
    )
