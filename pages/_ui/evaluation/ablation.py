"""Ablation: which parts of the pipeline earn their place on these questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import streamlit as st

from aethel_core.workspace import lab as lab_core
from pages._ui import state, words
from pages._ui.evaluation import bench, results, running
from pages._ui.evaluation.bench import Bench
from pages._ui.html import Html, element

Worths = Mapping[tuple[str, lab_core.Place], lab_core.Difference]

_KINDS = {
    "step": "Before retrieval, measured with {over}",
    "factor": "Inside Hybrid, measured without the cascade",
    "stage": "Cascade",
}
_TITLES: dict[lab_core.Place, tuple[str, str]] = {
    "default": ("Adds to the default", "With the part minus without it, the rest as it is by default"),
    "alone": (
        "Adds alone",
        "A step with routing only, a stage over Hybrid without the other. A factor of Hybrid alone has "
        "nothing to be set against: its own figure is shown",
    ),
    "whole": ("Adds to all", "All steps on, minus all but this one"),
}


def draw(on: Bench) -> None:
    st.html(
        element(
            "p",
            "Each part of the pipeline is switched off, on, alone and left out of all, and every question is "
            "asked again: what a part adds is the difference, question by question.",
            class_="ae-lead",
        )
    )
    kept = state.measured(on.workspace, "ablations", (on.lab.ablations.stamp(),), on.lab.ablations.all)
    if not running.panel(on.workspace, "ablation"):
        _form(on, bool(kept))
    report = bench.chosen(kept, "ablation.run")
    if report is not None:
        bench.choose(kept, report, "ablation.run", _run_name)
        _outcome(on, report)


def _form(on: Bench, again: bool) -> None:
    with st.form("ablation"), st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            "Steps measured with",
            lab_core.OVER,
            default=lab_core.OVER[0],
            required=True,
            format_func=lab_core.OVER_LABELS.get,
            key="ablation.over",
            help="Hybrid alone is several times faster; the cascade is what reads best",
        )
        bench.whose(on, "ablation.whose")
        bench.measure(on, again, _start)
    if problem := state.remembered("ablation.problem"):
        st.error(words.plain(problem), icon=":material/error:")


def _start(on: Bench) -> None:
    questions, over = on.of(state.typed("ablation.whose")), state.typed("ablation.over")
    state.remember("ablation.problem", "" if questions else "This person has marked nothing relevant yet.")
    if questions:
        begin = lambda: on.lab.start_ablation(questions, "page", over)  # noqa: E731
        state.lab_runs().start(on.workspace.path, "ablation", begin)


def _run_name(report: lab_core.Report) -> str:
    over = lab_core.OVER_LABELS[lab_core.over_of(report)]
    return f"{words.when(report.made_at)} · {words.count(len(report.questions), 'question')} · {over}"


def _outcome(on: Bench, report: lab_core.Report) -> None:
    results.stale(on, report)
    metric = st.segmented_control(
        "Measure",
        lab_core.METRICS,
        default=lab_core.METRICS[0],
        required=True,
        key="ablation.metric",
        label_visibility="collapsed",
    )
    found: Worths = state.measured(
        on.workspace, "worths", (report.fingerprint, metric), lambda: lab_core.worths(report, metric)
    )
    st.html(element("p", lab_core.in_words(report, metric, found), class_="ae-verdict"))
    st.html(table(report, metric, found))
    unit = "points" if bench.is_share(metric) else metric
    st.caption(
        f"{words.plain(metric)}: {bench.meaning(metric, report.level)}. What a part adds is in "
        f"{words.plain(unit)}, below it the 95 % interval of the paired differences (10,000 bootstrap "
        "resamples, seed 42). ▲ and ▼ mark what may be claimed: the interval leaves out zero and a "
        "permutation test gives p below 0.05. Of twenty parts without any effect, one would pass by chance."
    )
    st.html(
        element(
            "p",
            f"{_run_name(report)} · result {report.fingerprint[:10]} of corpus "
            f"{report.corpus_fingerprint[:10]}.",
            class_="ae-fine",
        )
    )


def table(report: lab_core.Report, metric: str, found: Worths) -> Html:
    """A row per part; the figures of the default with and without it, then what it adds where."""
    columns = (
        ("By default", "Whether the part is switched on as Aethel comes"),
        ("Without", "The default, with this part off"),
        ("With", "The default, with this part on"),
        *_TITLES.values(),
    )
    head = element(
        "tr",
        element("th", "Part"),
        *(element("th", name, class_="ae-num", title=said) for name, said in columns),
    )
    return bench.table(head, list(_rows(report, metric, found)))


def _rows(report: lab_core.Report, metric: str, found: Worths) -> Iterator[Html]:
    over, kind = lab_core.over_of(report), ""
    for part in lab_core.parts(over):
        if part.kind != kind:
            kind = part.kind
            title = _KINDS[kind].format(over=lab_core.OVER_LABELS[over])
            yield element("tr", element("th", title, colspan="7", class_="ae-quiet ae-kind"))
        yield element(
            "tr",
            element("th", _capital(lab_core.LABELS[part.name])),
            element("td", "on" if part.on else "off", class_="ae-num" if part.on else "ae-num ae-quiet"),
            element("td", _mean(report, part.default.without, metric), class_="ae-num"),
            element("td", _mean(report, part.default.having, metric), class_="ae-num"),
            *(_cell(report, part, place, metric, found) for place in lab_core.PLACES),
        )


def _mean(report: lab_core.Report, way: lab_core.Way | None, metric: str) -> str:
    return bench.value(report.mean(way.name, metric), metric) if way else ""


def _cell(
    report: lab_core.Report, part: lab_core.Part, place: lab_core.Place, metric: str, found: Worths
) -> Html:
    contrast, one = part.contrast(place), found.get((part.name, place))
    if contrast is None:
        return element("td", "", class_="ae-num ae-self")
    if one is None:
        shown = _mean(report, contrast.having, metric)
        return element("td", shown, element("span", "by itself", class_="ae-interval"), class_="ae-num")
    if one.wins == one.losses == 0:
        return element("td", "0", element("span", "no question", class_="ae-interval"), class_="ae-num")
    mark = ("▲ " if one.mean > 0 else "▼ ") if one.clear else ""
    kind = (" ae-ahead" if one.mean > 0 else " ae-behind") if one.clear else ""
    low, high = bench.signed(one.low, metric), bench.signed(one.high, metric)
    return element(
        "td",
        element("b", f"{mark}{bench.signed(one.mean, metric)}"),
        element("span", f"{low} to {high}", class_="ae-interval"),
        class_=f"ae-num{kind}",
        title=f"p = {one.p:.3f}; better {one.wins}, the same {one.ties}, worse {one.losses}",
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
