"""Long work on a workspace, as the screens start it and show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from aethel_core import workspace as core
from aethel_core.types import Document, DocumentType, Metadata
from pages._ui import html, jobs, state, words
from pages._ui.html import Html, element
from pages._ui.jobs import FileState, JobState, Task

_HEADS = {
    "pages": "Pages",
    "passages": "Passages",
    "entities": "Entities",
    "vectors": "Vectors",
    "saving": "Saved",
}
_SHOWN = 8


# --- starting ----------------------------------------------------------------------------------


def read(workspace: core.Workspace, sources: Sequence[core.Source]) -> None:
    """Read files into the workspace, in the background."""
    if not sources:
        return

    def run(on_progress: jobs.OnProgress, cancelled: jobs.Cancelled) -> Sequence[core.Outcome]:
        return workspace.ingest(sources, on_progress=on_progress, cancelled=cancelled).outcomes

    names = tuple(source.name for source in sources)
    state.jobs().start(workspace.path, Task("Reading", names, run))


def resume(
    workspace: core.Workspace, files: Sequence[core.PendingFile], passwords: dict[str, str] | None = None
) -> None:
    ids = [file.id for file in files]

    def run(on_progress: jobs.OnProgress, cancelled: jobs.Cancelled) -> Sequence[core.Outcome]:
        return workspace.resume(
            ids, passwords=passwords, on_progress=on_progress, cancelled=cancelled
        ).outcomes

    state.jobs().start(workspace.path, Task("Reading", tuple(file.name for file in files), run))


def reindex(workspace: core.Workspace, documents: Sequence[Document]) -> None:
    for document in documents:

        def run(
            on_progress: jobs.OnProgress, cancelled: jobs.Cancelled, of: str = document.id
        ) -> Sequence[core.Outcome]:
            return [_done(workspace.reindex(of, on_progress=on_progress, cancelled=cancelled))]

        state.jobs().start(workspace.path, Task("Re-indexing", (document.name,), run))


def outdated(workspace: core.Workspace) -> dict[str, str]:
    """Say which documents should be read again, and offer to read them all; document id → why."""
    whys = workspace.outdated()
    if not whys or state.jobs().busy(workspace.path):
        return whys
    found = Counter(whys.values())
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="ae-outdated"):
        said = [
            f"{words.count(number, 'document')}: {why[:1].lower()}{why[1:]}"
            for why, number in sorted(found.items())
        ]
        rest = "Until they are read again, what is found in them may be missing or less exact."
        st.html(element("div", element("b", " ".join(said)), f" {rest}"), width="stretch")
        documents = [document for document in workspace.documents() if document.id in whys]
        st.button(
            "Read again" if len(documents) == 1 else f"Read all {len(documents)} again",
            type="primary",
            on_click=reindex,
            args=(workspace, documents),
        )
    return whys


def redescribe(workspace: core.Workspace, document: Document, metadata: Metadata) -> None:
    """Correct a document's company, period or type. It takes a while: passages are embedded with them."""

    def run(on_progress: jobs.OnProgress, cancelled: jobs.Cancelled) -> Sequence[core.Outcome]:
        changed = workspace.update_document(
            document.id, metadata, on_progress=on_progress, cancelled=cancelled
        )
        return [_done(changed)]

    state.jobs().start(workspace.path, Task("Updating", (document.name,), run))


def corrected(metadata: Metadata, changes: Mapping[str, Any]) -> Metadata:
    """`metadata` with what was changed in the row of a table: its Company, FY, Quarter and Type."""
    period = metadata.period
    if "FY" in changes:
        period = replace(period, fiscal_year=None if changes["FY"] is None else int(changes["FY"]))
    if "Quarter" in changes:
        period = replace(period, quarter=None if changes["Quarter"] is None else int(changes["Quarter"]))
    return replace(
        metadata,
        company=(changes.get("Company", metadata.company) or "").strip(),
        type=DocumentType(changes.get("Type", metadata.type.value)),
        period=period,
    )


def _done(document: Document) -> core.Outcome:
    said = f"{words.count(document.passage_count, 'passage')} up to date."
    return core.Outcome(document.name, "added", document.id, said)


# --- showing -----------------------------------------------------------------------------------


def panel(workspace: core.Workspace) -> None:
    """What is being done, how far it is, and how to stop it; afterwards, what came of it."""
    now = state.jobs().state(workspace.path)
    if now is None:
        return
    with st.container(border=True, key="ae-work"):
        if now.running:
            _follow(workspace)
        else:
            _summary(workspace, now)


@st.fragment(run_every=0.7)
def _follow(workspace: core.Workspace) -> None:
    now = state.jobs().state(workspace.path)
    if now is None or not now.running:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(_headline(now), width="stretch")
        st.button(
            "Stopping …" if now.cancelling else "Stop",
            key="stop_work",
            disabled=now.cancelling,
            on_click=state.jobs().cancel,
            args=(workspace.path,),
            help="Files finished so far are kept; the rest waits and can be resumed.",
        )
    st.progress(min(now.fraction, 1.0))
    st.html(_queue(now))


def _headline(now: JobState) -> Html:
    left = now.seconds_left
    timing = f"{words.seconds(now.elapsed)} so far"
    timing += f", {words.remaining(left)} left" if left is not None else ""
    return element(
        "div",
        element("b", f"{now.verb} {now.finished + 1 if now.finished < now.files else now.files} of "),
        element("b", words.count(now.files, "file")),
        element("span", f" · {timing}", class_="ae-quiet"),
    )


def _queue(now: JobState) -> Html:
    """The file under way with its stages, then what waits; finished files are only counted."""
    begun = [file for file in now.begun if not file.over]
    head = element("tr", element("th", "File"), *(element("th", name) for name in _HEADS.values()))
    rows = [element("tr", element("td", file.name, class_="ae-file"), *_stages(file)) for file in begun]
    for name in now.waiting[:_SHOWN]:
        rows.append(element("tr", element("td", name, class_="ae-file"), element("td", "waits", colspan="5")))
    more = len(now.waiting) - _SHOWN
    if more > 0:
        rows.append(element("tr", element("td", f"and {words.count(more, 'more file')}", colspan="6")))
    return element("table", element("thead", head), element("tbody", *rows), class_="ae-queue")


def _stages(file: FileState) -> list[Html]:
    cells = []
    for at in file.stages:
        if at is None:
            cells.append(element("td", "–", class_="ae-quiet"))
        elif at[0] >= at[1]:
            cells.append(element("td", "done", class_="ae-done"))
        else:
            said = f"{at[0]:,} of {at[1]:,}" if at[1] > 1 else "now"
            cells.append(element("td", said, class_="ae-now"))
    return cells


def _summary(workspace: core.Workspace, now: JobState) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(
            element(
                "div",
                element("b", _counted(now)),
                element("span", f" · {words.seconds(now.elapsed)}", class_="ae-quiet"),
            ),
            width="stretch",
        )
        st.button("Close", key="close_work", on_click=state.jobs().dismiss, args=(workspace.path,))
    if now.problem:
        st.error(words.plain(now.problem), icon=":material/error:")
    outcomes = settled(now.outcomes)
    told = [outcome for outcome in outcomes if outcome.status not in ("added", "new version")]
    if told:
        st.html(_outcomes(told))
    for outcome in outcomes:
        if outcome.status == "new version":
            version(workspace, outcome.document_id, f"{outcome.name}: {outcome.message}")


_STATUS = {
    "added": "added",
    "new version": "added as another version",
    "copy": "added, but its text was here",
    "duplicate": "already here",
    "failed": "could not be read",
    "cancelled": "stopped",
    "password": "waiting for a password",
}


def settled(outcomes: Sequence[core.Outcome]) -> tuple[core.Outcome, ...]:
    """The outcomes without those of files that waited and were read later in the same job."""
    later = Counter(outcome.name for outcome in outcomes)
    kept = []
    for outcome in outcomes:
        later[outcome.name] -= 1
        if outcome.status not in ("password", "cancelled") or not later[outcome.name]:
            kept.append(outcome)
    return tuple(kept)


def _counted(now: JobState) -> str:
    if now.verb != "Reading":
        return f"{now.verb} finished" if not now.problem else f"{now.verb} did not finish"
    counted = [
        f"{number} {said}"
        for status, said in _STATUS.items()
        if (number := sum(outcome.status == status for outcome in settled(now.outcomes)))
    ]
    return ", ".join(counted) or "Nothing was added"


def _outcomes(told: Sequence[core.Outcome]) -> Html:
    rows = [
        element(
            "tr",
            element("td", outcome.name, class_="ae-file"),
            element("td", _STATUS[outcome.status]),
            element("td", outcome.message),
        )
        for outcome in told
    ]
    head = element("tr", *(element("th", name) for name in ("File", "What happened", "What to do")))
    return element("table", element("thead", head), element("tbody", *rows), class_="ae-queue")


def version(workspace: core.Workspace, document_id: str, said: str) -> None:
    """Offer what to do with another version of a document that is there already."""
    current = {document.id: document for document in workspace.documents()}
    document = current.get(document_id)
    if document is None or document.version_of not in current:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(html.element("div", said), width="stretch")
        st.button(
            "Keep both",
            key=f"keep.{document_id}",
            on_click=workspace.keep_versions,
            args=(document_id,),
        )
        st.button(
            "Delete the other",
            key=f"replace.{document_id}",
            help=words.plain(f"Deletes {current[document.version_of].name}"),
            on_click=workspace.replace_version,
            args=(document_id,),
        )
