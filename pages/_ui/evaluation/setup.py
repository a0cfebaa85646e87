"""What to measure: the form, and the start of the run in the background."""

from __future__ import annotations

import streamlit as st

from aethel_core.workspace import lab as lab_core
from pages._ui import frame, state, words
from pages._ui.evaluation import bench
from pages._ui.evaluation.bench import EVERYONE, Bench

_LEVELS = {"page": "Page", "passage": "Passage", "document": "Document"}
_CUTOFFS = (1, 3, 5, 10, 20, 50)
_BASELINE = "bm25"


def form(on: Bench) -> None:
    """Retrievers, level, cutoffs, whose marks."""
    busy = (now := state.lab_runs().following(on.workspace.path, "evaluation")) is not None and now.running
    usual = [name for name in on.retrievers if name in {*frame.default_retrievers(on.workspace), _BASELINE}]
    with (
        st.expander("Measure again" if on.reports else "Measure", expanded=not on.reports),
        st.form("evaluate", border=False),
    ):
        st.pills(
            "Retrievers",
            on.retrievers,
            selection_mode="multi",
            default=usual,
            format_func=lambda name: words.plain(bench.label_of(name)),
            key="evaluate.retrievers",
        )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            st.selectbox(
                "Whose marks",
                [EVERYONE, *on.labellers],
                format_func=lambda who: (
                    f"{who or 'Everyone, the median'} · {words.count(len(on.of(who)), 'question')}"
                ),
                key="evaluate.whose",
                width=260,
            )
            st.segmented_control(
                "A hit is the right",
                lab_core.LEVELS,
                default="page",
                required=True,
                format_func=_LEVELS.get,
                key="evaluate.level",
            )
            st.pills(
                "Cutoffs k",
                _CUTOFFS,
                selection_mode="multi",
                default=list(lab_core.KS),
                key="evaluate.ks",
            )
            st.selectbox(
                "Compared with",
                on.retrievers,
                index=on.retrievers.index(_BASELINE) if _BASELINE in on.retrievers else 0,
                format_func=bench.label_of,
                key="evaluate.baseline",
                width=160,
                help="The baseline: every other retriever's difference is to this one",
            )
        st.form_submit_button(
            f"Evaluate on {words.count(len(on.questions), 'question')}"
            if len(on.labellers) < 2
            else "Evaluate",
            type="primary",
            disabled=busy or not on.questions,
            on_click=_start,
            args=(on,),
        )
    if problem := state.remembered("evaluate.problem"):
        st.error(words.plain(problem), icon=":material/error:")


def _start(on: Bench) -> None:
    baseline = state.typed("evaluate.baseline")
    chosen = tuple(name for name in on.retrievers if name in {*state.typed("evaluate.retrievers"), baseline})
    cutoffs = tuple(sorted(state.typed("evaluate.ks"))) or lab_core.KS
    questions = on.of(state.typed("evaluate.whose"))
    level = state.typed("evaluate.level")
    if not questions:
        state.remember("evaluate.problem", "This person has marked nothing relevant yet. Choose another one.")
        return
    state.remember("evaluate.problem", "")
    state.lab_runs().start(
        on.workspace.path,
        "evaluation",
        lambda: on.lab.start(questions, chosen, level, cutoffs, baseline),
    )
