"""Settings: which models, which defaults, where is my data, and what leaves this machine?"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from pages._ui import cascade, extraction, frame, link, models, state, theme, words, work
from pages._ui.html import element

_LARGEST_BACKUP_MB = 8000
_FUSIONS = ("rrf", "hybrid", "cascade")  # made of the others


def main(desk: frame.Desk) -> None:
    st.title("Settings", anchor=False)
    grid = st.grid(2, min_column_width=460, gap="large")
    with grid.cell():
        models.draw()
        extraction.draw(desk)
        cascade.draw(desk.workspace)
        _defaults(desk.workspace)
        _tuning(desk.workspace)
    with grid.cell():
        _leaves()
        _data(desk)
        _restore()


def _defaults(workspace: core.Workspace) -> None:
    st.subheader("Defaults of this workspace", anchor=False)
    names = theme.in_order(workspace.retriever_names())
    with st.form("defaults"):
        st.multiselect(
            "Retrievers shown on Compare",
            names,
            key=state.controlled("default.retrievers", list(frame.default_retrievers(workspace))),
            format_func=lambda name: f"{theme.look(name).label}: {theme.look(name).about}",
        )
        st.segmented_control(
            "Hits per column",
            link.K_CHOICES,
            required=True,
            key=state.controlled("default.k", frame.default_k(workspace)),
        )
        st.form_submit_button("Save defaults", type="primary", on_click=_save_defaults, args=(workspace,))
    if state.remembered("saved"):
        st.toast("Saved.")
        state.remember("saved", False)


def _save_defaults(workspace: core.Workspace) -> None:
    chosen = theme.in_order(tuple(state.typed("default.retrievers")))
    workspace.set_setting("retrievers", list(chosen))
    workspace.set_setting("k", state.typed("default.k"))
    state.change(retrievers=(), k=0)
    state.remember("saved", True)


def _tuning(workspace: core.Workspace) -> None:
    """The parameters of the retrievers; `Parameters` says what each means."""
    now = workspace.parameters()
    names = theme.in_order(tuple(name for name in workspace.retriever_names() if name not in _FUSIONS))
    with st.expander("Retrieval parameters of this workspace"), st.form("tuning", border=False):
        left, right = st.columns(2)
        with left:
            _number("BM25 k1: how soon repetition stops counting", "bm25_k1", now.bm25_k1, 0.0, 5.0, 0.1)
            _number("BM25 b: how much long passages are held back", "bm25_b", now.bm25_b, 0.0, 1.0, 0.05)
        with right:
            _number("Teleport probability of the walk", "teleport", now.teleport, 0.01, 0.99, 0.05)
            st.number_input(
                "Iterations of the walk, at most",
                1,
                500,
                key=state.controlled("set.iterations", now.iterations),
            )
        st.multiselect(
            "Lists that RRF fuses",
            names,
            key=state.controlled("set.fused", list(now.fused)),
            format_func=lambda name: theme.look(name).label,
        )
        st.html(element("div", "Weight of each list in RRF", class_="ae-quiet"))
        for column, name in zip(st.columns(len(names)), names, strict=True):
            weight = float(now.fusion_weights.get(name, 1.0))
            with column:
                _number(theme.look(name).label, f"weight.{name}", weight, 0.0, 10.0, 0.5)
        st.form_submit_button(
            "Save parameters", type="primary", on_click=_save_tuning, args=(workspace, names)
        )
        st.form_submit_button("Back to the defaults", on_click=_attempt, args=(_reset(workspace), "tuning"))
    _problem("tuning")


def _number(label: str, name: str, value: float, low: float, high: float, step: float) -> None:
    key = state.controlled(f"set.{name}", float(value))
    st.number_input(words.plain(label), low, high, step=step, key=key, format="%.2f")


def _reset(workspace: core.Workspace) -> Callable[[], None]:
    return lambda: workspace.set_parameters(core.Parameters())


def _save_tuning(workspace: core.Workspace, names: tuple[str, ...]) -> None:
    weights = {name: float(state.typed(f"set.weight.{name}")) for name in names}
    wanted = replace(
        workspace.parameters(),
        bm25_k1=state.typed("set.bm25_k1"),
        bm25_b=state.typed("set.bm25_b"),
        teleport=state.typed("set.teleport"),
        iterations=int(state.typed("set.iterations")),
        fused=theme.in_order(tuple(state.typed("set.fused"))) or core.Parameters().fused,
        fusion_weights={name: weight for name, weight in weights.items() if weight != 1.0},
    )
    _attempt(lambda: workspace.set_parameters(wanted), "tuning")
    state.remember("saved", True)


# --- data --------------------------------------------------------------------------------------------


def _leaves() -> None:
    st.subheader("What leaves this machine", anchor=False)
    st.html(element("ul", *(element("li", said) for said in leaving()), class_="ae-list"))


def leaving() -> list[str]:
    """What is sent where, a sentence each."""
    settings = state.settings()
    said = []
    if settings.embedding_model.startswith("endpoint:"):
        said.append(f"Passages and questions go to {settings.embedding_base_url} to be embedded.")
    if settings.llm_model:
        said.append(
            f"Questions with the passages found for them go to {settings.llm_base_url or 'the model'}; every "
            "passage goes there when you let the model read names and facts."
        )
    if settings.rerank_url:
        said.append(f"Questions with candidate passages go to {settings.rerank_url} to be reranked.")
    if not said:
        said.append("Nothing. Documents, questions and results stay here; no model or service is called.")
    said.append("The Test buttons make one small call to the address in their fields, and only when pressed.")
    said.append("Usage statistics are switched off.")
    return said


def _data(desk: frame.Desk) -> None:
    workspace = desk.workspace
    st.subheader("This workspace", anchor=False)
    st.html(element("p", f"{workspace.name} is kept in ", element("code", str(workspace.path.resolve()))))
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Download a backup",
            lambda: backup(workspace),
            f"{words.file_part(workspace.name)}.aethel",
            "application/octet-stream",
            on_click="ignore",
            help="One file with every document, mark and question",
        )
        if st.button("Check the file"):
            _check(workspace)
        if st.button("Clear question history"):
            workspace.clear_history()
            st.toast("Question history cleared.")
    work.outdated(workspace)
    _rename(workspace)
    if st.button("Delete this workspace"):
        _confirm_delete(workspace)


def backup(workspace: core.Workspace) -> bytes:
    """A consistent copy of the workspace, also while documents are being added."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "backup"
        workspace.backup(target)
        return target.read_bytes()


def _check(workspace: core.Workspace) -> None:
    with st.spinner("Checking every page of the workspace's file …"):
        problems = workspace.problems()
    for problem in problems:
        st.error(words.plain(problem), icon=":material/error:")
    if not problems:
        st.success("The file is sound.", icon=":material/check:")


def _rename(workspace: core.Workspace) -> None:
    with (
        st.form("rename_form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input("Name", key=state.controlled("rename", workspace.name), max_chars=80)
        st.form_submit_button("Rename", on_click=_renamed, args=(workspace.name,))
    _problem("rename_problem")


def _renamed(name: str) -> None:
    def do() -> None:
        path = core.rename_workspace(core.settings().data_dir, name, state.typed("rename") or "")
        state.forget_workspaces()
        frame.switch(path.name)

    _attempt(do, "rename_problem")


@st.dialog("Delete the workspace?")
def _confirm_delete(workspace: core.Workspace) -> None:
    counts = workspace.counts()
    st.html(
        element(
            "p",
            element("b", workspace.name),
            f" with {words.count(counts.documents, 'document')}, every question and every mark will be gone. "
            "Download a backup first if you may need it again.",
        )
    )
    if st.button("Delete it for good", type="primary"):
        workspace.close()
        core.delete_workspace(core.settings().data_dir, workspace.name)
        state.forget_workspaces()
        state.change(workspace="")
        st.rerun()


def _restore() -> None:
    st.subheader("Restore a backup", anchor=False)
    with st.form("restore", clear_on_submit=True):
        st.file_uploader("Backup file", key="restore_file", type="aethel", max_upload_size=_LARGEST_BACKUP_MB)
        st.text_input("Name of the workspace to make of it", key="restore_name", max_chars=80)
        st.form_submit_button("Restore", on_click=_restored)
    _problem("restore_problem")


def _restored() -> None:
    def do() -> None:
        upload = state.typed("restore_file")
        with tempfile.TemporaryDirectory() as folder:
            backup_file = Path(folder) / "backup"
            backup_file.write_bytes(upload.getvalue() if upload is not None else b"")
            name = state.typed("restore_name") or ""
            frame.switch(core.restore_workspace(core.settings().data_dir, name, backup_file).name)

    _attempt(do, "restore_problem")


def _attempt(do: Callable[[], None], name: str) -> None:
    """Do something in a callback; what goes wrong is shown by `_problem` in the run that follows."""
    try:
        do()
        state.remember(name, "")
    except AethelError as error:
        state.remember(name, str(error))


def _problem(name: str) -> None:
    if problem := state.remembered(name):
        st.error(words.plain(problem), icon=":material/error:")


main(frame.enter())
