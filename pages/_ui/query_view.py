"""What was made of the question, as chips to switch on and off, and how long each stage took."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import streamlit as st

from aethel_core import workspace as core
from aethel_core.types import Filters, Query
from pages._ui import words

_LONGEST = 90


def draw(workspace: core.Workspace, question: str, filters: Filters) -> Query:
    """The chips of a question; returns the query that those switched on make."""
    view = workspace.query_view(question)
    read = [chip for chip in view.chips if chip.on]
    spare = [chip for chip in view.chips if not chip.on]
    name = f"{zlib.crc32(question.encode()):08x}"  # another question is another set of switches
    only = False
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="ae-query-view"):
        kept = _pills("Read from the question", read, [chip.id for chip in read], f"chips.read.{name}")
        if spare:
            with st.popover("Add to the query", icon=":material/add:"):
                st.caption("Measured on filings, these do not help by themselves; for one question they may.")
                kept |= _pills("Words to search for, too", spare, [], f"chips.spare.{name}")
        if any(chip.kind in _ROUTING for chip in read):
            only = st.toggle(
                "Nothing else",
                key=f"chips.only.{name}",
                help="Search only documents of the company, year and type read from the question. Otherwise "
                "those come first, and others can still be found.",
            )
    for note in view.notes:
        st.caption(words.plain(note))
    view = view.switched({chip.id for chip in view.chips if chip.on != (chip.id in kept)})
    return view.query(view.as_filters(filters, workspace.index()) if only else filters)


_ROUTING = (core.ChipKind.COMPANY, core.ChipKind.PERIOD, core.ChipKind.DOCUMENT_TYPE)


def _pills(label: str, chips: Sequence[core.Chip], on: list[str], key: str) -> set[str]:
    """Ids of the chips that are switched on."""
    if not chips:
        return set()
    labels = {
        chip.id: f"{chip.kind.value}: {words.plain(words.clip(chip.label, _LONGEST))}" for chip in chips
    }
    return set(
        st.pills(
            label,
            list(labels),
            selection_mode="multi",
            default=on,
            format_func=labels.__getitem__,
            key=key,
            help="Switch one off and the question is asked without it.",
        )
    )


def stages(workspace: core.Workspace, query: Query, k: int) -> None:
    """One line: what each stage of the cascade kept, and how long it took."""
    reports = workspace.stages(query, k)
    parts = [
        f"{report.name} {report.given:,} → {report.kept:,} in {words.seconds(report.seconds)}"
        if number
        else f"{words.count(report.kept, 'candidate')} in {words.seconds(report.seconds)}"
        for number, report in enumerate(reports)
    ]
    st.caption(words.plain("Cascade: " + " · ".join(parts)))
