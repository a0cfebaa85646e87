"""What every view of the Evaluate screen works with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import MissingData
from aethel_core.types import Filters
from aethel_core.workspace import lab as lab_core
from pages._ui import frame, marks, state, theme, words
from pages._ui.html import Html, element

EVERYONE = ""
_PERCENT = ("HR", "Recall", "all-gold")
_MEANING = {
    "HR": "finds at least one right {item} in the top {k}",
    "Recall": "share of the right {item}s that are in the top {k}",
    "all-gold": "has every right {item} in the top {k}",
    "nDCG": "right {item}s high up in the top {k}, relevant ones counting more than partly",
    "MRR": "one divided by the rank of the first right {item}",
}


@dataclass(frozen=True, slots=True)
class Bench:
    """``questions`` are those with something marked relevant; ``reports`` the kept runs, newest first."""

    desk: frame.Desk
    labels: tuple[core.Label, ...]
    questions: tuple[lab_core.Question, ...]
    reports: tuple[lab_core.Report, ...]

    @property
    def workspace(self) -> core.Workspace:
        return self.desk.workspace

    @property
    def lab(self) -> lab_core.Lab:
        return self.desk.workspace.lab

    @property
    def labellers(self) -> tuple[str, ...]:
        return tuple(sorted({label.labeller for label in self.labels}))

    @property
    def retrievers(self) -> tuple[str, ...]:
        return theme.in_order(self.workspace.retriever_names())

    @property
    def me(self) -> str:
        return marks.labeller(self.workspace)

    def of(self, labeller: str) -> tuple[lab_core.Question, ...]:
        """The labelled set of one person, or of everyone."""
        return self.questions if labeller == EVERYONE else _questions(self.desk, self.labels, labeller)

    def report(self) -> lab_core.Report | None:
        """The run that is looked at: the one chosen, else the newest."""
        return chosen(self.reports, "evaluate.run")

    def changes(self, report: lab_core.Report) -> tuple[lab_core.Change, ...]:
        """What has changed since a run."""
        muted = hash(tuple(sorted(self.workspace.entity_edits().items())))
        key = (report.fingerprint, self.desk.corpus, hash(self.labels), muted)
        return state.measured(self.workspace, "changes", key, lambda: self.lab.changes(report))


def chosen(kept: Sequence[Any], remembered: str) -> Any | None:
    """Of kept results, newest first, the one a person chose or has just made; else the newest."""
    wanted = state.remembered(remembered)
    return next((one for one in kept if one.fingerprint == wanted), next(iter(kept), None))


def of(desk: frame.Desk) -> Bench:
    workspace, labels = desk.workspace, desk.workspace.labels()
    stamp = workspace.lab.results.stamp()
    reports = state.measured(workspace, "reports", (stamp,), workspace.lab.reports)
    return Bench(desk, labels, _questions(desk, labels, EVERYONE), reports)


def _questions(
    desk: frame.Desk, labels: tuple[core.Label, ...], labeller: str
) -> tuple[lab_core.Question, ...]:
    def make() -> tuple[lab_core.Question, ...]:
        try:
            return desk.workspace.lab.questions(labeller)
        except MissingData:
            return ()  # nothing is marked relevant yet

    return state.measured(desk.workspace, "questions", (desk.corpus, hash(labels), labeller), make)


# --- words ----------------------------------------------------------------------------------------


def value(share: float, metric: str) -> str:
    return f"{share * 100:.0f} %" if is_share(metric) else f"{share:.3f}"


def signed(share: float, metric: str) -> str:
    """A difference: in points of a hundred for shares."""
    said = f"{share * 100:+.0f}" if is_share(metric) else f"{share:+.3f}"
    return "0" if said in ("+0", "-0") else said.replace("-", "−")


def is_share(metric: str) -> bool:
    return metric.partition("@")[0] in _PERCENT


def meaning(metric: str, level: str) -> str:
    kind, _, k = metric.partition("@")
    return _MEANING[kind].format(item=level, k=k)


def headline(report: lab_core.Report) -> str:
    """The metric to look at first."""
    return f"HR@{5 if 5 in report.ks else report.ks[0]}"


def run_name(report: lab_core.Report) -> str:
    parts = [
        words.when(report.made_at),
        words.count(len(report.questions), "question"),
        words.count(len(report.retrievers), "retriever"),
        f"{report.level} level",
    ]
    return " · ".join(parts)


def label_of(name: str) -> str:
    return f"{theme.look(name).marker} {theme.look(name).label}"


def dark() -> bool:
    """Whether the browser shows the dark theme."""
    return st.context.theme.type == "dark"


def table(head: Html, rows: Sequence[Html], class_: str = "") -> Html:
    """Figures in rows, which scrolls sideways where it is too wide."""
    drawn = element("table", element("thead", head), element("tbody", *rows), class_=class_)
    return element("div", drawn, class_="ae-table ae-measures")


# --- moving on ------------------------------------------------------------------------------------


def show(view: str) -> None:
    """Go to another view of this screen. For callbacks."""
    state.remember("evaluate.view", view)


def compare(question: str, retrievers: Sequence[str]) -> None:
    """Open a question in Compare. Not for callbacks."""
    state.change(question=question, retrievers=tuple(retrievers), filters=Filters())
    frame.go("compare")


def several(on: Bench, key: str) -> None:
    """Choose the retrievers to measure; those that Compare shows at first."""
    st.multiselect(
        "Retrievers",
        on.retrievers,
        default=[n for n in on.retrievers if n in frame.default_retrievers(on.workspace)],
        format_func=label_of,
        key=key,
        width=340,
    )


def whose(on: Bench, key: str) -> None:
    """Choose whose marks count, each with how many questions they give."""
    st.selectbox(
        "Whose marks",
        [EVERYONE, *on.labellers],
        format_func=lambda who: (
            f"{who or 'Everyone, the median'} · {words.count(len(on.of(who)), 'question')}"
        ),
        key=key,
        width=260,
    )


def measure(on: Bench, again: bool, start: Callable[[Bench], None]) -> None:
    """The button of a form that starts a measurement."""
    st.form_submit_button(
        "Measure again" if again else "Measure",
        type="secondary" if again else "primary",
        on_click=start,
        args=(on,),
        disabled=not on.questions,
    )


def choose(kept: Sequence[Any], shown: Any, name: str, title: Callable[[Any], str]) -> None:
    """Choose among kept results; what is chosen is remembered under ``name``."""
    by_name = {one.fingerprint: one for one in kept}
    if len(by_name) > 1:
        st.selectbox(
            "Run",
            list(by_name),
            format_func=lambda each: title(by_name[each]),
            key=state.controlled(f"{name}.choice", shown.fingerprint),
            on_change=lambda: state.remember(name, state.typed(f"{name}.choice")),
            width=460,
            label_visibility="collapsed",
        )
