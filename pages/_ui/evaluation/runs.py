"""Kept runs: two side by side, and deleting them."""

from __future__ import annotations

import streamlit as st

from aethel_core.errors import MissingData
from aethel_core.workspace import lab as lab_core
from pages._ui import state, theme, words
from pages._ui.evaluation import bench
from pages._ui.evaluation.bench import Bench
from pages._ui.html import Html, element

_ROW = 32


def draw(on: Bench) -> None:
    if not on.reports:
        st.info("No run has been kept yet. Every evaluation is, until you delete it.")
        return
    chosen = _table(on)
    if len(chosen) == 2:
        _side_by_side(*sorted(chosen, key=lambda report: report.made_at))


def _table(on: Bench) -> list[lab_core.Report]:
    metric = "HR@5"
    columns = {
        "When": [words.when(report.made_at) for report in on.reports],
        "State": ["stale" if on.changes(report) else "current" for report in on.reports],
        "Questions": [len(report.questions) for report in on.reports],
        "Level": [report.level for report in on.reports],
        "Retrievers": [", ".join(theme.look(n).label for n in r.retrievers) for r in on.reports],
        f"Best {metric}": [_best(report, bench.headline(report)) for report in on.reports],
        "Result": [report.fingerprint[:10] for report in on.reports],
    }
    event = st.dataframe(
        columns,
        hide_index=True,
        column_config={"Retrievers": st.column_config.TextColumn(width="large")},
        on_select="rerun",
        selection_mode="multi-row",
        selection_default={"selection": {"rows": [0, 1] if len(on.reports) > 1 else [0]}},
        key=state.turn("runs"),
        row_height=_ROW,
        height=min(320, _ROW * (len(on.reports) + 1) + 4),
    )
    chosen = [on.reports[row] for row in event.selection.rows if row < len(on.reports)]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        hint = (
            "Tick two runs to compare them." if len(chosen) != 2 else "The later one minus the earlier one:"
        )
        st.html(element("span", hint, class_="ae-quiet"), width="stretch")
        st.button("Look at it", disabled=len(chosen) != 1, on_click=_look, args=(chosen,))
        st.button(
            f"Delete {words.count(len(chosen), 'run')}" if chosen else "Delete",
            disabled=not chosen,
            on_click=_delete,
            args=(on, chosen),
        )
    return chosen


def _best(report: lab_core.Report, metric: str) -> str:
    best = max(report.retrievers, key=lambda name: report.mean(name, metric))
    return f"{theme.look(best).label} {bench.value(report.mean(best, metric), metric)}"


def _look(chosen: list[lab_core.Report]) -> None:
    state.remember("evaluate.run", chosen[0].fingerprint)
    bench.show("Results")


def _delete(on: Bench, chosen: list[lab_core.Report]) -> None:
    for report in chosen:
        on.lab.results.delete(report.fingerprint)
    state.renew("runs")


def _side_by_side(first: lab_core.Report, second: lab_core.Report) -> None:
    shared = [n for n in lab_core.metric_names(first.ks) if n in lab_core.metric_names(second.ks)]
    if not shared:
        st.info("These two runs have no measure in common: their cutoffs differ.")
        return
    usual = bench.headline(first)
    metric = st.selectbox(
        "Measure",
        shared,
        index=shared.index(usual) if usual in shared else 0,
        format_func=lambda name: f"{name}: {bench.meaning(name, second.level)}",
        key="runs.metric",
        width=560,
    )
    if first.level != second.level:
        st.warning(
            f"One run counts a {first.level} as the hit, the other a {second.level}: the figures do not "
            "measure the same.",
            icon=":material/warning:",
        )
    try:
        found = lab_core.compare_runs(first, second, metric)
    except MissingData as error:
        st.info(words.plain(str(error)))
        return
    st.html(table(first, second, metric, found))
    st.caption(
        f"Over the questions both runs have. Earlier: {words.plain(bench.run_name(first))}. "
        f"Later: {words.plain(bench.run_name(second))}. The means are each run's own."
    )


def table(
    first: lab_core.Report, second: lab_core.Report, metric: str, found: tuple[lab_core.Difference, ...]
) -> Html:
    shared = [name for name in first.retrievers if name in second.retrievers]
    titles = ("Earlier", "Later", "Difference", "95 % interval", "Won · tied · lost", "p")
    head = element(
        "tr", element("th", "Retriever"), *(element("th", title, class_="ae-num") for title in titles)
    )
    rows = []
    for name, one in zip(shared, found, strict=True):
        mark = ("▲ " if one.mean > 0 else "▼ ") if one.clear else ""
        cells = (
            bench.value(first.mean(name, metric), metric),
            bench.value(second.mean(name, metric), metric),
            f"{mark}{bench.signed(one.mean, metric)}",
            f"{bench.signed(one.low, metric)} to {bench.signed(one.high, metric)}",
            f"{one.wins} · {one.ties} · {one.losses}",
            f"{one.p:.3f}",
        )
        rows.append(
            element(
                "tr",
                element("th", theme.look(name).label),
                *(element("td", cell, class_="ae-num") for cell in cells),
            )
        )
    return bench.table(head, rows)
