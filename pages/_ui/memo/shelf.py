"""The memos that are kept: choose one, go back to a version, take it along."""

from __future__ import annotations

import streamlit as st

from aethel_core import workspace as core
from aethel_core.errors import AethelError
from pages._ui import state, words
from pages._ui.memo import crew, paper
from pages._ui.memo.paper import NEW, Paper

_TYPES = {
    "pdf": ("PDF", "application/pdf"),
    "docx": ("DOCX", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    "md": ("Markdown", "text/markdown"),
    "xlsx": ("XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
_VERSIONS = 20  # that are offered; all are kept


def draw(workspace: core.Workspace, names: tuple[str, ...], name: str) -> None:
    """Which memo is on the desk, which version, or a new one."""
    if not names:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            "Memo",
            [*names, NEW] if name == NEW else names,
            format_func=lambda each: each or "New memo",
            key=state.controlled("memo.chosen", name),
            on_change=lambda: paper.show(workspace, state.typed("memo.chosen")),
            width=380,
            label_visibility="collapsed",
        )
        if name != NEW:
            _versions(workspace, name)
            st.button(
                "New memo",
                icon=":material/add:",
                on_click=paper.show,
                args=(workspace, NEW),
                disabled=crew.running(workspace),
            )


def _versions(workspace: core.Workspace, name: str) -> None:
    desk = state.memo_desk(workspace)
    kept = desk.versions(name)
    edited = desk.edited(name)
    newest = kept[0]
    label = f"Version {newest.version}, edited since" if edited else f"Version {newest.version}"
    with st.popover(label, icon=":material/history:"):
        st.caption("Every change is saved as you make it. A version is a state to come back to.")
        st.button(
            "Keep as a version",
            key="memo.keep",
            disabled=not edited,
            on_click=paper.keep,
            args=(workspace, name),
        )
        for version in kept[:_VERSIONS]:
            st.button(
                f"Go back to version {version.version} · {words.when(version.at)}",
                key=f"memo.version.{version.version}",
                type="tertiary",
                disabled=version is newest and not edited,
                on_click=paper.restore,
                args=(workspace, name, version.version),
            )
        st.button(
            "Delete this memo", key="memo.delete", type="tertiary", on_click=_ask_to_delete, args=(name,)
        )
        if state.remembered("memo.deleting") == name:
            st.button(
                f"Yes, delete all {words.count(len(kept), 'version')}",
                key="memo.deleted",
                type="primary",
                on_click=_delete,
                args=(workspace, name),
            )


def _ask_to_delete(name: str) -> None:
    state.remember("memo.deleting", name)


def _delete(workspace: core.Workspace, name: str) -> None:
    state.remember("memo.deleting", None)
    state.memo_desk(workspace).delete(name)


@st.fragment
def downloads(on: Paper) -> None:
    """Exports in two steps: the file is made while a person sees that, then its bytes are there to be
    saved. That outlives a page drawn anew meanwhile, which a download made on the fly does not."""
    with st.container(horizontal=True, gap="small", width="content", key="ae-memo-downloads"):
        problems = [_download(on, form, label, kind) for form, (label, kind) in _TYPES.items()]
    for said in filter(None, problems):
        st.error(words.plain(said), icon=":material/error:")


def _download(on: Paper, form: str, label: str, kind: str) -> str:
    """What went wrong, if anything did."""
    slot, now, name = st.empty(), (on.corpus, on.memo), f"memo.made.{form}"
    of, made = state.remembered(name, (None, b""))
    if of != now:
        slot.button(
            label,
            key=f"memo.make.{form}",
            on_click=state.remember,
            args=(name, (now, b"")),
            help="Makes the file from the memo as it is now; then it can be saved",
        )
        return ""
    if not made:
        with slot, st.spinner(f"Making the {label} …", width="content"):
            try:
                made = on.memos.export(on.memo, form)
            except AethelError as error:
                state.remember(name, (None, b""))
                return str(error)
        state.remember(name, (now, made))
    slot.download_button(
        f"Save {label}, {words.size(len(made))}",
        made,
        f"{words.file_part(on.memo.title, 60)}.{form}",
        kind,
        key=f"memo.download.{form}",
        on_click="ignore",
        icon=":material/download:",
        type="primary",
    )
    return ""
