"""Library: what do I have, and is it read right?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from aethel_core import workspace as core
from aethel_core.types import Document, DocumentType, Filters
from pages._ui import frame, html, reading, state, words, work

_ROW = 32
_EDITABLE = ("Select", "Company", "FY", "Quarter", "Type")


def main(desk: frame.Desk) -> None:
    known = {document.id: document for document in desk.documents}
    document = known.get(state.view().reading)
    if document is not None:
        reading.show(desk.workspace, document)
        return
    st.title("Library", anchor=False)
    if desk.workspace.writable:
        _add(desk)
    with st.container():  # a place of its own even when empty, so that nothing below changes places
        work.panel(desk.workspace)
    with st.container():
        _pending(desk.workspace)
    with st.container():
        outdated = work.outdated(desk.workspace)
    if desk.documents:
        _documents(desk, outdated)
    elif not state.jobs().busy(desk.workspace.path):
        st.html(
            html.element(
                "p",
                "Nothing here yet. Add PDFs above: filings, LP letters, capital account statements, scans "
                "too. Company, period and type are read from each document and can be corrected.",
                class_="ae-lead",
            )
        )


# --- documents in ---------------------------------------------------------------------------------


def _add(desk: frame.Desk) -> None:
    with st.expander("Add documents", expanded=not desk.documents):
        files, folder = st.columns(2)
        with files:
            _uploader(desk.workspace, "PDF files", True, "upload_files")
        with folder:
            _uploader(
                desk.workspace, "A folder of PDFs, with everything below it", "directory", "upload_folder"
            )


def _uploader(workspace: core.Workspace, label: str, several: Any, name: str) -> None:
    key = state.turn(name)

    def take() -> None:
        # On a busy machine the browser hands over some files, then those again with the rest.
        known = state.remembered("uploads.taken", frozenset())
        uploads = [upload for upload in state.typed(key) or [] if upload.file_id not in known]
        work.read(workspace, [core.Source(upload.name, upload.getvalue()) for upload in uploads])
        state.remember("uploads.taken", known | {upload.file_id for upload in uploads})
        state.renew(name)  # lets go of the uploaded bytes, and is ready for the next ones

    st.file_uploader(
        label,
        type="pdf" if several == "directory" else None,
        accept_multiple_files=several,
        key=key,
        on_change=take,
        max_upload_size=workspace.settings.max_file_mb,
    )


def _pending(workspace: core.Workspace) -> None:
    """Files that were handed over and not read: interrupted, stopped, or locked by a password."""
    if state.jobs().busy(workspace.path):
        return
    files = workspace.pending()
    locked = [file for file in files if file.reason]
    stopped = [file for file in files if not file.reason]
    if stopped:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="ae-pending"):
            st.html(_interrupted(stopped), width="stretch")
            st.button("Resume", type="primary", on_click=work.resume, args=(workspace, stopped))
            ids = [file.id for file in stopped]
            st.button("Discard", on_click=workspace.discard_pending, args=(ids,))
    for file in locked:
        _unlock(workspace, file)


def _interrupted(files: Sequence[core.PendingFile]) -> html.Html:
    names = ", ".join(file.name for file in files[:3])
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    wait = "waits" if len(files) == 1 else "wait"
    return html.element(
        "div",
        html.element("b", f"{words.count(len(files), 'file')} {wait} to be read: "),
        f"{names}{more}. Reading stopped before they were done; what was finished is here.",
    )


def _unlock(workspace: core.Workspace, file: core.PendingFile) -> None:
    key = f"password.{file.id}"

    def unlock() -> None:
        work.resume(workspace, [file], {file.id: state.typed(key) or ""})

    with st.form(f"unlock.{file.id}"):
        st.html(html.element("div", file.reason))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input("Password", type="password", key=key, autocomplete="off")
            st.form_submit_button("Unlock", type="primary", on_click=unlock)
            st.form_submit_button("Discard", on_click=workspace.discard_pending, args=([file.id],))
        st.caption(
            "The password is not kept. The document is: as a copy without its password, in this workspace's "
            "file and in backups of it. Whoever can read those can read it."
        )


# --- the documents ----------------------------------------------------------------------------------


def _documents(desk: frame.Desk, outdated: dict[str, str]) -> None:
    documents = desk.workspace.documents(state.view().filters)
    actions = st.container(horizontal=True, vertical_alignment="center", gap="small", key="ae-actions")
    if not documents:
        st.info("No document passes the filters on the left.", icon=":material/filter_alt_off:")
        return
    chosen = _table(desk.workspace, documents, outdated)
    with actions:
        _actions(desk, documents, chosen)


def _actions(desk: frame.Desk, documents: tuple[Document, ...], chosen: list[Document]) -> None:
    shown, everything = len(documents), len(desk.documents)
    said = (
        words.count(everything, "document") if shown == everything else f"{shown} of {everything} documents"
    )
    hint = f"{len(chosen)} of {shown} selected" if chosen else f"{said}. Tick rows to act on them."
    one = chosen[0] if len(chosen) == 1 else None
    busy = state.jobs().busy(desk.workspace.path)
    st.button(
        "See how it was read",
        disabled=one is None,
        on_click=lambda: state.change(reading=one.id, page=1),
        help="Page by page: the image beside the text and tables",
    )
    st.button(
        "Ask only these",
        disabled=not chosen,
        on_click=lambda: state.change(filters=Filters(documents=tuple(d.id for d in chosen))),
        help="Limits every screen to the selected documents",
    )
    st.button(
        "Re-index",
        disabled=not chosen or busy,
        on_click=work.reindex,
        args=(desk.workspace, chosen),
        help="Read the selected documents anew from their stored files",
    )
    if st.button("Delete", disabled=not chosen or busy):
        _confirm_delete(desk.workspace, chosen)
    st.html(html.element("span", hint, class_="ae-quiet"), width="content")


@st.dialog("Delete documents?")
def _confirm_delete(workspace: core.Workspace, chosen: list[Document]) -> None:
    st.html(html.element("ul", *(html.element("li", document.name) for document in chosen[:12])))
    if len(chosen) > 12:
        st.html(html.element("p", f"and {len(chosen) - 12} more", class_="ae-quiet"))
    st.html(
        html.element(
            "p",
            "They disappear from every ranking, with their marks. "
            "The files you uploaded from stay where they are.",
        )
    )
    if st.button(f"Delete {words.count(len(chosen), 'document')}", type="primary"):
        for document in chosen:
            workspace.delete(document.id)
        st.rerun()


def _table(
    workspace: core.Workspace, documents: tuple[Document, ...], outdated: dict[str, str]
) -> list[Document]:
    """The documents, editable in place; returns those that are ticked."""
    import pandas as pd

    key = f"documents.{hash(documents)}"
    rows = [_row(document, outdated.get(document.id, "")) for document in documents]
    shown = st.data_editor(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        disabled=[name for name in rows[0] if name not in _EDITABLE],
        column_config=_columns(),
        on_change=lambda: _edited(workspace, documents, state.typed(key)),
        height=min(_ROW * (len(rows) + 1) + 5, 700),
        row_height=_ROW,
        placeholder="",
    )
    return [document for document, ticked in zip(documents, shown["Select"], strict=True) if ticked]


def _row(document: Document, why_again: str) -> dict[str, Any]:
    metadata = document.metadata
    return {
        "Select": False,
        "Document": document.name,
        "Company": metadata.company,
        "FY": metadata.period.fiscal_year,
        "Quarter": metadata.period.quarter,
        "Type": metadata.type.value,
        "Notes": " ".join((why_again, *_notes(document))).strip(),
        "Pages": document.page_count,
        "Passages": document.passage_count,
        "Tables": document.table_count,
        "Entities": document.entity_count,
        "OCR": document.ocr_pages,
    }


def _notes(document: Document) -> list[str]:
    notes = [*document.warnings]
    if document.version_of:
        notes.append("Another version of a document here.")
    if document.edited:
        notes.append("Corrected by hand.")
    return notes


def _columns() -> dict[str, Any]:
    column = st.column_config
    counts = {
        name: column.NumberColumn(name, format="localized", width=width, help=said)
        for name, width, said in (
            ("Pages", 52, None),
            ("Passages", 68, "The pieces that are searched"),
            ("Tables", 54, "Passages that are tables"),
            ("Entities", 60, "Different names and terms found"),
            ("OCR", 48, "Pages without text, read by character recognition: check their figures"),
        )
    }
    return {
        "Select": column.CheckboxColumn("", width=36),
        "Document": column.TextColumn("Document", width=205),
        "Company": column.TextColumn("Company", width=170, max_chars=200, help="Edit in place"),
        "FY": column.NumberColumn("FY", format="%d", min_value=1900, max_value=2100, step=1, width=54),
        "Quarter": column.SelectboxColumn("Q", options=[1, 2, 3, 4], width=44),
        "Type": column.SelectboxColumn(
            "Type", options=[t.value for t in DocumentType], required=True, width=120
        ),
        "Notes": column.TextColumn("Notes", width=140),
        **counts,
    }


def _edited(workspace: core.Workspace, documents: tuple[Document, ...], editor: dict[str, Any]) -> None:
    """Hand corrections on; the editor repeats all edits at each change, so only new ones count."""
    sent = state.remembered("edits", {})
    for row, changes in editor["edited_rows"].items():
        document = documents[row]
        metadata = work.corrected(document.metadata, changes)
        if metadata not in (document.metadata, sent.get(document.id)):
            sent = {**sent, document.id: metadata}
            work.redescribe(workspace, document, metadata)
    state.remember("edits", sent)


main(frame.enter())
