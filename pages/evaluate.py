"""Evaluate: which retriever should I trust on my documents?"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages._ui import frame, marks, state
from pages._ui.evaluation import (
    ablation,
    bench,
    judge,
    labelled,
    questions,
    results,
    robustness,
    running,
    runs,
    scale,
    tuning,
)
from pages._ui.evaluation.bench import Bench
from pages._ui.html import Html, element
from pages._ui.lab_runs import Kind

_VIEWS = {
    "Results": results.draw,
    "Questions": questions.draw,
    "Judge": judge.draw,
    "Labelled set": labelled.draw,
    "Scale curve": scale.draw,
    "Robustness": robustness.draw,
    "Ablation": ablation.draw,
    "Tuning": tuning.draw,
    "Runs": runs.draw,
}
_NEED_LABELS = ("Results", "Questions", "Scale curve", "Robustness", "Ablation", "Tuning", "Runs")
_SHOWN: dict[Kind, str] = {
    "evaluation": "evaluate.run",
    "scale": "scale.run",
    "robustness": "robustness.run",
    "ablation": "ablation.run",
}
_STEPS = (
    (
        "Mark what is relevant",
        "Wherever you read a hit, in Compare or on its page, say relevant, partly or not. Or judge a "
        "question here, without seeing who found what.",
    ),
    (
        "Evaluate",
        "Every retriever is asked all your questions. You see how often each finds the right page, with the "
        "interval that so few or so many questions allow.",
    ),
    (
        "Read the verdict",
        "In words: which one to trust on these documents, or that there are too few questions to say and "
        "how many more would do.",
    ),
)


def main(desk: frame.Desk) -> None:
    st.html(Path(results.__file__).with_name("style.css"))
    st.title("Evaluate", anchor=False)
    if not desk.documents:
        _nothing_to_measure()
        return
    _take_finished(desk)
    on = bench.of(desk)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.html(_facts(on), width="stretch")
        _name(on)
    view = _choose_view()
    if not on.questions and not on.reports and view in _NEED_LABELS:
        _first_steps(on)
    else:
        _VIEWS[view](on)


def _take_finished(desk: frame.Desk) -> None:
    """A run that has ended shows its result."""
    path = desk.workspace.path
    for kind, shown in _SHOWN.items():
        now = state.lab_runs().following(path, kind)
        if now is not None and now.state.result is not None:
            state.remember(shown, now.state.result.fingerprint)
            state.lab_runs().dismiss(path, kind)


def _facts(on: Bench) -> Html:
    facts = [
        (f"{len(on.questions):,}", f"question{'s' * (len(on.questions) != 1)} that can be measured"),
        (f"{len(on.labels):,}", "marks" if len(on.labels) != 1 else "mark"),
        (f"{len(on.labellers):,}", "people" if len(on.labellers) != 1 else "person"),
        (f"{len(on.reports):,}", "kept runs" if len(on.reports) != 1 else "kept run"),
    ]
    shown = (element("div", element("b", number), element("span", name)) for number, name in facts)
    return element("div", *shown, class_="ae-facts")


def _name(on: Bench) -> None:
    st.text_input(
        "You mark as",
        key=state.controlled("labeller.name", on.me),
        max_chars=60,
        on_change=lambda: marks.be(on.workspace, state.typed("labeller.name") or ""),
        width=180,
        help="Marks are kept by name, so that two people can be compared",
    )


def _choose_view() -> str:
    now = state.remembered("evaluate.view", "Results")
    st.segmented_control(
        "View",
        list(_VIEWS),
        required=True,
        label_visibility="collapsed",
        key=state.controlled("evaluate.view.choice", now),
        on_change=lambda: bench.show(state.typed("evaluate.view.choice")),
        wrap=True,
    )
    return now


def _nothing_to_measure() -> None:
    st.html(
        element(
            "p",
            "This workspace has no documents, so there is nothing to measure. Add filings or letters in the "
            "Library, or load the sample deal on the Home screen.",
            class_="ae-lead",
        )
    )
    if st.button("Go to the Library", type="primary"):
        frame.go("library")


def _first_steps(on: Bench) -> None:
    running.panel(on.workspace, "evaluation")
    st.html(
        element(
            "p",
            "So far nothing is marked relevant, so nothing can be measured."
            if on.labels
            else "Which retriever finds the right page on these documents? Measure it on your own questions.",
            class_="ae-lead",
        )
    )
    steps = (
        element("li", element("b", f"{number}. {title}"), element("p", said))
        for number, (title, said) in enumerate(_STEPS, start=1)
    )
    st.html(element("ol", *steps, class_="ae-steps"))
    with st.container(horizontal=True, gap="small"):
        st.button("Judge a question", type="primary", on_click=bench.show, args=("Judge",))
        labelled.sample_button(on)
        st.button("Import a question file", on_click=bench.show, args=("Labelled set",))
    labelled.told(on)


main(frame.enter())
