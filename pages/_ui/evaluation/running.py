"""A measurement under way: how far, how long, stop; afterwards what went wrong, if anything did."""

from __future__ import annotations

import streamlit as st

from aethel_core import workspace as core
from pages._ui import state, words
from pages._ui.html import element
from pages._ui.lab_runs import Following, Kind

_DOING = {
    "evaluation": "Evaluating",
    "scale": "Measuring the scale curve",
    "robustness": "Asking changed questions",
    "ablation": "Switching parts off and on",
}


def panel(workspace: core.Workspace, kind: Kind) -> bool:
    """Draw it, if there is any; returns whether it is still running."""
    now = state.lab_runs().following(workspace.path, kind)
    if now is None or now.state.status == "done":
        return False
    if now.running:
        with st.container(border=True, key=f"ae-running-{kind}"):
            _follow(workspace, kind)
        return True
    with st.container(horizontal=True, vertical_alignment="center", key=f"ae-ended-{kind}"):
        if now.state.status == "cancelled":
            st.info(words.plain(now.state.message), icon=":material/block:")
        else:
            st.error(words.plain(f"{now.state.message} Nothing was lost."), icon=":material/error:")
        st.button(
            "Close",
            key=f"close.{kind}",
            on_click=state.lab_runs().dismiss,
            args=(workspace.path, kind),
        )
    return False


@st.fragment(run_every=0.7)
def _follow(workspace: core.Workspace, kind: Kind) -> None:
    now = state.lab_runs().following(workspace.path, kind)
    if now is None or not now.running:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(
            element(
                "div",
                element("b", _DOING[kind]),
                element("span", f" · {_far(now)}", class_="ae-quiet"),
            ),
            width="stretch",
        )
        st.button(
            "Stopping …" if now.cancelling else "Stop",
            key=f"stop.{kind}",
            disabled=now.cancelling,
            on_click=state.lab_runs().cancel,
            args=(workspace.path, kind),
            help="Ends after the search under way. Results kept earlier stay.",
        )
    st.progress(min(now.fraction, 1.0))
    st.caption("It goes on while you read elsewhere.")


def _far(now: Following) -> str:
    if not now.state.total:
        return f"getting ready, {words.seconds(now.elapsed)} so far"
    left = now.seconds_left
    said = f"{now.state.done:,} of {now.state.total:,} searches, {words.seconds(now.elapsed)} so far"
    return said + (f", {words.remaining(left)} left" if left is not None else "")
