"""What surrounds every screen: navigation, workspace, corpus line, filters, models, running work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitAPIException

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from aethel_core.types import Document, Filters, PassageKind
from pages._ui import html, link, state, words

_DEFAULT_RETRIEVERS = ("hybrid", "bm25", "dense")
DEFAULT_WORKSPACE = "My first deal"
_ICON = Path(__file__).with_name("icon.svg")
_KINDS = {PassageKind.PROSE: "Prose", PassageKind.TABLE: "Tables"}


@dataclass(frozen=True, slots=True)
class Desk:
    """What every screen works with: the open workspace and what is in it."""

    workspace: core.Workspace
    documents: tuple[Document, ...]
    corpus: str  # changes whenever an answer could


@dataclass(frozen=True, slots=True)
class _Screen:
    path: str
    url: str
    title: str
    icon: str


SCREENS = (
    _Screen("pages/home.py", "", "Home", ":material/home:"),
    _Screen("pages/library.py", "library", "Library", ":material/folder_open:"),
    _Screen("pages/compare.py", "compare", "Compare", ":material/view_column:"),
    _Screen("pages/evidence.py", "evidence", "Evidence", ":material/route:"),
    _Screen("pages/memo.py", "memo", "Memo", ":material/article:"),
    _Screen("pages/evaluate.py", "evaluate", "Evaluate", ":material/analytics:"),
    _Screen("pages/settings.py", "settings", "Settings", ":material/tune:"),
)


def _navigation() -> st.Page:
    pages = [
        st.Page(screen.path, title=screen.title, url_path=screen.url or None, default=not screen.url)
        for screen in SCREENS
    ]
    return st.navigation(pages, position="hidden")


def run() -> None:
    """Draw the frame and run the screen the URL names. Called by app.py only."""
    st.set_page_config(page_title="Aethel", layout="wide", page_icon=str(_ICON), initial_sidebar_state=290)
    page = _navigation()
    st.html(Path(__file__).with_name("style.css"))
    state.adopt_url()
    try:
        desk = _sidebar()
        state.publish_url()
        if desk is not None:
            state.remember("desk", desk)
            with state.framed():
                page.run()
    except AethelError as error:
        st.error(words.plain(str(error)), icon=":material/error:")


def enter() -> Desk:
    """The first line of every screen.

    On a fresh server Streamlit runs a deep-linked script of pages/ by itself, without app.py
    and so without the frame. Declaring the navigation ends that mode; the run that follows is
    the regular one.
    """
    if not state.is_framed():
        _navigation()
        st.rerun()
    return state.remembered("desk")


def redraw() -> None:
    """Draw the fragment again, or the whole screen where the whole screen is being drawn: a key pressed
    meanwhile arrives there."""
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:
        st.rerun()


def go(url: str) -> None:
    """Move to another screen; the view goes along."""
    screen = next(screen for screen in SCREENS if screen.url == url)
    st.switch_page(screen.path, query_params=link.to_parameters(state.view()))


def reopen(entry: core.HistoryEntry) -> None:
    """Show an earlier question again, as it was asked. For callbacks."""
    state.change(question=entry.question, filters=entry.filters, retrievers=entry.retrievers, k=entry.k)


def default_retrievers(workspace: core.Workspace) -> tuple[str, ...]:
    return tuple(workspace.setting("retrievers", list(_DEFAULT_RETRIEVERS)))


def default_k(workspace: core.Workspace) -> int:
    return int(workspace.setting("k", link.DEFAULT_K))


# --- the sidebar ---------------------------------------------------------------------------------


def _sidebar() -> Desk | None:
    with st.sidebar:
        st.html(html.element("div", "Aethel", class_="ae-brand"))
        for screen in SCREENS:
            st.page_link(
                screen.path,
                label=screen.title,
                icon=screen.icon,
                width="stretch",
                query_params=link.to_parameters(state.view()),
            )
        workspace = _workspace_switch()
        if workspace is None:
            return None
        documents = workspace.documents()
        counts = workspace.counts()
        _corpus_line(counts)
        if not workspace.writable:
            said = "This workspace can only be read. Searching works; nothing is stored."
            st.html(html.element("p", said, class_="ae-corpus ae-warn"))
        with st.container():
            _work_line(workspace)
        if documents:
            _filters(workspace)
        _models()
    made = (
        workspace.parameters(),
        workspace.cascade_plan(),
        workspace.evidence.fingerprint(),
        workspace.extraction.version(),
        state.jobs().ended(workspace.path),
    )
    corpus = f"{hash(documents)}.{made}"
    return Desk(workspace, documents, corpus)


def _workspace_switch() -> core.Workspace | None:
    data = core.settings().data_dir
    if not core.workspaces(data):
        core.create_workspace(data, DEFAULT_WORKSPACE)
    existing = {info.name: info for info in core.workspaces(data)}
    wanted = state.view().workspace
    if wanted not in existing:
        if wanted:
            st.warning(f"There is no workspace called {words.plain(wanted)}.", icon=":material/warning:")
        wanted = _latest(existing)
        state.change(workspace=wanted)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="ae-workspace"):
        st.selectbox(
            "Workspace",
            list(existing),
            key=state.controlled("workspace", wanted),
            on_change=lambda: switch(state.typed("workspace")),
        )
        with st.popover("New", help="Start a new workspace"):
            with st.form("new_workspace", border=False, clear_on_submit=True):
                st.text_input("Name of the new workspace", key="new_workspace_name", max_chars=80)
                st.form_submit_button("Create", on_click=_create_workspace, type="primary")
            if problem := state.remembered("workspace_problem"):
                st.error(words.plain(problem))
    if existing[wanted].problem:
        st.error(words.plain(existing[wanted].problem), icon=":material/error:")
        return None
    return state.opened(existing[wanted].path)


def _latest(existing: dict[str, core.WorkspaceInfo]) -> str:
    """The workspace a person who names none most likely wants: the fullest one."""
    return max(existing.values(), key=lambda info: (info.documents, info.name)).name


def switch(name: str) -> None:
    """Go to another workspace; the question stays, filters of the old one do not. For callbacks."""
    state.change(workspace=name, filters=Filters(), reading="", page=0)


def _create_workspace() -> None:
    name = (state.typed("new_workspace_name") or "").strip()
    try:
        switch(core.create_workspace(core.settings().data_dir, name).name)
        state.remember("workspace_problem", "")
    except AethelError as error:
        state.remember("workspace_problem", str(error))


def _corpus_line(counts: core.Counts) -> None:
    parts = [
        words.count(counts.documents, "document"),
        words.count(counts.pages, "page"),
        words.count(counts.passages, "passage"),
    ]
    st.html(html.element("p", " · ".join(parts), class_="ae-corpus"))


def _work_line(workspace: core.Workspace) -> None:
    """A line that follows a running ingest on every screen, and redraws all when it ends."""
    if not state.jobs().busy(workspace.path):
        return

    @st.fragment(run_every=1.0)
    def follow() -> None:
        now = state.jobs().state(workspace.path)
        if now is None or not now.running:
            st.rerun()
        done = f"{now.finished} of {words.count(now.files, 'file')}"
        st.progress(now.fraction, text=f"{now.verb}: {done} done")

    follow()


def _filters(workspace: core.Workspace) -> None:
    chosen = state.view().filters
    fields = (chosen.companies, chosen.years, chosen.types, chosen.sections, chosen.kinds, chosen.documents)
    active = sum(map(bool, fields))
    st.html(html.element("div", f"Filters · {active} active" if active else "Filters", class_="ae-rule"))
    if chosen.documents:
        only = f"Only {words.count(len(chosen.documents), 'chosen document')}"
        st.html(html.element("div", only, class_="ae-quiet"))
    facets = workspace.facets()
    _filter("Company", "companies", facets.companies)
    _filter("Fiscal year", "years", facets.years)
    _filter("Type", "types", facets.types)
    _filter("Section", "sections", facets.sections)
    st.segmented_control(
        "Prose or tables",
        list(PassageKind),
        format_func=_KINDS.get,
        selection_mode="multi",
        key=state.controlled("filter.kinds", list(chosen.kinds)),
        on_change=lambda: state.change_filters(kinds=tuple(state.typed("filter.kinds"))),
        width="stretch",
    )
    if active:
        st.button("Clear filters", on_click=lambda: state.change(filters=Filters()), width="stretch")


def _filter(label: str, field: str, options: tuple) -> None:
    """One multiselect over a field of `Filters`; a value from a link that is not on offer stays visible."""
    chosen = list(getattr(state.view().filters, field))
    key = f"filter.{field}"
    st.multiselect(
        label,
        [*options, *(value for value in chosen if value not in options)],
        key=state.controlled(key, chosen),
        format_func=lambda value: str(getattr(value, "value", value)),
        placeholder="any",
        on_change=lambda: state.change_filters(**{field: tuple(state.typed(key))}),
    )


def _models() -> None:
    st.html(html.element("p", model_state(), class_="ae-models"))


def model_state() -> str:
    """Where text of documents may go, in one line."""
    settings = state.settings()
    outside = [
        name
        for name, used in (
            (settings.llm_model, settings.llm_model),
            (settings.embedding_model, settings.embedding_model.startswith("endpoint:")),
            (settings.rerank_model, settings.rerank_url),
        )
        if used
    ]
    return "Uses " + ", ".join(outside) if outside else "Offline. Nothing leaves this machine."
