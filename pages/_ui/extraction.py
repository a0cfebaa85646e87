"""Names and facts by the language model, for PPR-LLM: what it takes, the go-ahead, how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from aethel_core import workspace as core
from aethel_core.workspace import extraction
from aethel_core.workspace.lab import BackgroundRun
from pages._ui import frame, html, state, words
from pages._ui.html import element

_KIND = "extraction"
_ASKED, _BUDGET = "extraction.asked", "extraction.budget"


def draw(desk: frame.Desk) -> None:
    """Nothing where there is neither a model nor anything a model has read."""
    workspace = desk.workspace
    now = state.lab_runs().following(workspace.path, _KIND)
    if not (workspace.extraction.model or workspace.extraction.readings() or now):
        return
    st.subheader("Names and facts for PPR-LLM", anchor=False)
    if now is not None and now.running:
        with st.container(border=True, key="ae-extraction"):
            _follow(workspace)
        return
    if now is not None:
        _ended(workspace, now.state)
    if desk.documents:
        _offer(desk)
    else:
        st.html(element("p", "There are no documents to read yet.", class_="ae-quiet"))


# --- before -----------------------------------------------------------------------------------------


def _offer(desk: frame.Desk) -> None:
    with st.spinner("Working out what is left to read …"):
        plan = _plan(desk)
    coverage = plan.coverage if plan else desk.workspace.extraction.coverage()
    st.caption(
        "A language model reads every passage once and says which names it holds and what joins them; "
        "names that do not stand in the passage are dropped. PPR-LLM walks over them."
    )
    st.html(element("p", *_far(plan, coverage)))
    if plan and plan.texts:
        if state.remembered(_ASKED):
            with st.container(border=True, key="ae-extraction-confirm"):
                _confirm(desk.workspace, plan)
        else:
            st.button(
                "Go on reading …" if coverage.read else "Let the model read …",
                icon=":material/menu_book:",
                on_click=state.remember,
                args=(_ASKED, True),
                help="Nothing is sent before you say so in the next step",
            )


def _far(plan: core.ExtractionPlan | None, coverage: core.Coverage) -> list[html.Html | str]:
    """How far it is, and what is left."""
    said: list[html.Html | str] = []
    if coverage.read:
        said += ["PPR-LLM covers ", element("b", str(coverage)), ". "]
    if plan is None:
        said.append("To read more, name a language model above.")
    elif plan.texts:
        said += ["Left to read: " if coverage.read else "To read: ", extraction.most(plan)]
    return said


def _plan(desk: frame.Desk) -> core.ExtractionPlan | None:
    """Worked out anew only when the documents, what was read of them or the model changed."""
    workspace, settings = desk.workspace, desk.workspace.settings
    key = (
        hash(desk.documents),
        workspace.extraction.version(),
        settings.llm_model,
        settings.llm_base_url,
        settings.llm_price_in,
        settings.llm_price_out,
        settings.llm_budget,
    )
    return state.measured(workspace, "extraction plan", key, workspace.extraction.plan)


def _confirm(workspace: core.Workspace, plan: core.ExtractionPlan) -> None:
    st.html(
        element(
            "div",
            f"The text of {words.count(plan.texts, 'passage')} goes to ",
            element("b", plan.model),
            ".",
        )
    )
    budget = st.number_input(
        "End the run at this many tokens",
        1000,
        1_000_000_000,
        step=10_000,
        key=state.controlled(_BUDGET, plan.budget),
        help="What is read by then is kept, and another run goes on from there",
    )
    if budget < plan.tokens:
        st.caption("The run may end before all is read. What is read is kept; another run goes on.")
    with st.container(horizontal=True, gap="small"):
        st.button(
            f"Send {words.count(plan.texts, 'passage')}",
            type="primary",
            on_click=_start,
            args=(workspace,),
        )
        st.button("Not now", on_click=state.remember, args=(_ASKED, False))


def _start(workspace: core.Workspace) -> None:
    budget = int(state.typed(_BUDGET))
    state.remember(_ASKED, False)

    def work(on_progress: Callable[[int, int], None], cancelled: Callable[[], bool]) -> Any:
        return workspace.extraction.run(budget, on_progress=on_progress, cancelled=cancelled)

    state.lab_runs().dismiss(workspace.path, _KIND)
    state.lab_runs().start(workspace.path, _KIND, lambda: BackgroundRun(work))


# --- while and after ----------------------------------------------------------------------------------


@st.fragment(run_every=0.7)
def _follow(workspace: core.Workspace) -> None:
    now = state.lab_runs().following(workspace.path, _KIND)
    if now is None or not now.running:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        left = now.seconds_left
        timing = f"{words.seconds(now.elapsed)} so far"
        timing += f", {words.remaining(left)} left" if left is not None else ""
        st.html(
            element(
                "div",
                element("b", _so_far(now.state)),
                element("span", f" · {timing}", class_="ae-quiet"),
            ),
            width="stretch",
        )
        st.button(
            "Stopping …" if now.cancelling else "Stop",
            key="extraction.stop",
            disabled=now.cancelling,
            on_click=state.lab_runs().cancel,
            args=(workspace.path, _KIND),
            help="Ends after the calls under way. What was read is kept.",
        )
    st.progress(min(now.fraction, 1.0))
    st.caption("It goes on while you work elsewhere.")


def _so_far(run: Any) -> str:
    if not run.total:
        return "The model begins to read"
    return f"The model has read {run.done:,} of {words.count(run.total, 'passage')}"


def _ended(workspace: core.Workspace, run: Any) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="ae-extraction-ended"):
        if run.result is None:
            st.error(words.plain(run.message), icon=":material/error:")
        else:
            said = words.plain(" ".join(extraction.in_words(run.result)))
            if run.result.complete:
                st.success(said, icon=":material/check:")
            else:
                st.warning(said, icon=":material/info:")
        st.button(
            "Close",
            key="extraction.close",
            on_click=state.lab_runs().dismiss,
            args=(workspace.path, _KIND),
        )
