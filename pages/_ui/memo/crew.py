"""The specialists at work in the background, watched one by one; what they wrote is kept at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import Cancelled
from aethel_core.workspace import memos
from aethel_core.workspace.lab import BackgroundRun
from pages._ui import state, words
from pages._ui.html import Html, element
from pages._ui.memo import checklists


@dataclass(frozen=True, slots=True)
class Order:
    """What a run is to do. Without ``title`` the memo is named for what it is about; without
    ``budget`` it is that of the settings."""

    about: tuple[str, ...]
    template: str
    specialists: tuple[str, ...]
    documents: tuple[str, ...]
    title: str
    budget: int = 0


class Crew:
    """One run: how far each specialist is, by name."""

    def __init__(self, workspace: core.Workspace, order: Order) -> None:
        self.progress: dict[str, memos.Progress] = {}
        for key in order.specialists:
            name = checklists.name_of(workspace, key)
            self.progress[name] = memos.Progress(name, 0, checklists.length_of(workspace, key) + 1)
        self._desk, self._order = state.memo_desk(workspace), order

    def begin(self) -> BackgroundRun[str]:
        return BackgroundRun(self._work)

    def _work(self, on_progress: Callable[[int, int], None], cancelled: Callable[[], bool]) -> str:
        """The name of the memo that was kept."""

        def follow(now: memos.Progress) -> None:
            self.progress[now.specialist] = now
            all_of = list(self.progress.values())
            on_progress(sum(p.done for p in all_of), sum(p.total for p in all_of))

        order = self._order
        memo = self._desk.run(
            order.about,
            template_key=order.template,
            specialists=order.specialists,
            documents=order.documents,
            title=order.title,
            budget=order.budget,
            on_progress=follow,
            cancelled=cancelled,
        )
        if cancelled() and not memo.findings:
            raise Cancelled("Stopped before a specialist had finished.")
        if self._desk.edited(memo.title):
            # What was being edited under that name stays, as a version of its own.
            self._desk.keep(memo.title, self._desk.current(memo.title))
        self._desk.keep(memo.title, memo)
        return memo.title


def start(workspace: core.Workspace, order: Order) -> None:
    """Begin, unless specialists are at work in this workspace. For callbacks."""

    def begin() -> BackgroundRun[str]:
        crew = Crew(workspace, order)
        state.crews()[workspace.path] = crew
        return crew.begin()

    state.lab_runs().start(workspace.path, "memo", begin)


def running(workspace: core.Workspace) -> bool:
    now = state.lab_runs().following(workspace.path, "memo")
    return now is not None and now.running


def take_finished(workspace: core.Workspace) -> str | None:
    """The name of the memo that has just been finished, once."""
    now = state.lab_runs().following(workspace.path, "memo")
    if now is None or now.state.result is None:
        return None
    state.lab_runs().dismiss(workspace.path, "memo")
    return now.state.result


def panel(workspace: core.Workspace) -> None:
    """Who is how far, and how to stop it; afterwards what went wrong, if anything did."""
    now = state.lab_runs().following(workspace.path, "memo")
    if now is None or now.state.status == "done":
        return
    if now.running:
        with st.container(border=True, key="ae-crew"):
            _follow(workspace)
        return
    with st.container(horizontal=True, vertical_alignment="center", key="ae-crew-ended"):
        said = words.plain(f"{now.state.message} Nothing kept earlier was touched.")
        if now.state.status == "cancelled":
            st.info(said, icon=":material/block:")
        else:
            st.error(said, icon=":material/error:")
        st.button("Close", key="memo.close", on_click=state.lab_runs().dismiss, args=(workspace.path, "memo"))


@st.fragment(run_every=0.7)
def _follow(workspace: core.Workspace) -> None:
    now = state.lab_runs().following(workspace.path, "memo")
    if now is None or not now.running:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(
            element(
                "div",
                element("b", "The specialists are reading"),
                element("span", f" · {words.seconds(now.elapsed)} so far", class_="ae-quiet"),
            ),
            width="stretch",
        )
        st.button(
            "Stopping …" if now.cancelling else "Stop",
            key="memo.stop",
            disabled=now.cancelling,
            on_click=state.lab_runs().cancel,
            args=(workspace.path, "memo"),
            help="Ends after the question under way. What finished specialists found is kept.",
        )
    st.progress(min(now.fraction, 1.0))
    st.html(_table(state.crews()[workspace.path]))
    st.caption("It goes on while you read elsewhere.")


def _table(crew: Crew) -> Html:
    rows = []
    for now in list(crew.progress.values()):
        if now.done >= now.total:
            far, doing, look = "done", "", "ae-done"
        else:
            far, doing = f"{now.done} of {now.total}", now.doing or "waits"
            look = "ae-now" if now.doing else "ae-done"
        rows.append(
            element(
                "tr",
                element("td", now.specialist),
                element("td", far, class_=look),
                element("td", doing, class_="ae-quiet"),
            )
        )
    return element("table", element("tbody", *rows), class_="ae-queue")
