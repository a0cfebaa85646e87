"""What was found, each finding beside its evidence: accept, leave out, word differently, move."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from aethel_core.types import Passage, PassageKind
from aethel_core.workspace import findings, memos
from pages._ui import drawer, state, tables, words
from pages._ui.html import Html, element, join
from pages._ui.memo import figures, paper
from pages._ui.memo.paper import OWN, Paper

_CONTRADICTIONS = "Contradictions"
_PER_PAGE = 12
_LONGEST, _ROWS = 420, 6  # characters of prose and rows of a table that are shown as evidence


def draw(on: Paper) -> None:
    groups = _groups(on.memo)
    if not groups:
        st.info(
            "There is no finding yet. The open questions say what was asked; “Add to memo” on any page that "
            "you open in Compare or Evidence makes a finding of your own.",
            icon=":material/search_off:",
        )
        return
    chosen = state.remembered("memo.group")
    chosen = chosen if chosen in groups else next(iter(groups))
    st.pills(
        "Found by",
        list(groups),
        required=True,
        format_func=lambda name: words.plain(f"{name} {len(groups[name])}"),
        label_visibility="collapsed",
        key=state.controlled("memo.group.choice", chosen),
        on_change=lambda: _turn(state.typed("memo.group.choice"), 0),
    )
    _redraft(on)
    found = groups[chosen]
    pages = -(-len(found) // _PER_PAGE)
    at = min(state.remembered("memo.group.page", 0), pages - 1)
    checks = on.checks()
    section = None
    for place in range(at * _PER_PAGE, min((at + 1) * _PER_PAGE, len(found))):
        finding = found[place]
        if finding.section != section:
            section = finding.section
            st.html(element("div", section or "Further findings", class_="ae-rule"))
        _one(on, finding, checks[finding.id], _beside(found, place, -1), _beside(found, place, 1))
    if pages > 1:
        _pager(chosen, at, pages, len(found))


def _groups(memo: memos.Memo) -> dict[str, list[memos.Finding]]:
    """Contradictions first, then a person's own, then by specialist; each ordered by section as the
    sections first occur."""
    groups: dict[str, list[memos.Finding]] = {_CONTRADICTIONS: [], OWN: []}
    special = {memos.FindingKind.CONTRADICTION: _CONTRADICTIONS, memos.FindingKind.OWN: OWN}
    for finding in memo.findings:
        groups.setdefault(special.get(finding.kind, finding.specialist), []).append(finding)
    for found in groups.values():
        first: dict[str, int] = {}
        for finding in found:
            first.setdefault(finding.section, len(first))
        found.sort(key=lambda finding: first[finding.section])
    return {name: found for name, found in groups.items() if found}


def _beside(found: Sequence[memos.Finding], place: int, step: int) -> str | None:
    """The neighbour in the same section, with which a finding can change places."""
    other = place + step
    if 0 <= other < len(found) and found[other].section == found[place].section:
        return found[other].id
    return None


def _turn(group: str, page: int) -> None:
    state.remember("memo.group", group)
    state.remember("memo.group.page", page)


def _pager(group: str, at: int, pages: int, count: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Previous", key="memo.before", disabled=at == 0, on_click=_turn, args=(group, at - 1))
        last = min((at + 1) * _PER_PAGE, count)
        st.html(
            element("span", f"{at * _PER_PAGE + 1} to {last} of {count}", class_="ae-page"), width="content"
        )
        st.button("Next", key="memo.after", disabled=at == pages - 1, on_click=_turn, args=(group, at + 1))


def _redraft(on: Paper) -> None:
    """The way from the findings to the draft, when it does not follow them."""
    if on.redrafted().sections == on.memo.sections:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Draft from the accepted findings", key="memo.redraft", on_click=_draft, args=(on,))
        st.caption("The draft differs from them. It is kept as a version before it is written anew.")


def _draft(on: Paper) -> None:
    paper.redraft(on)
    state.remember("memo.view", "Draft")


def _one(
    on: Paper, finding: memos.Finding, check: memos.SentenceCheck, above: str | None, below: str | None
) -> None:
    accepted = finding.id not in on.memo.rejected
    untold = finding.id in {found.id for found in on.memo.untold}
    with st.container(border=True, key=f"ae-finding-{finding.id.replace(':', '-')}"):
        grid = st.grid(2, min_column_width=340, gap="medium")
        with grid.cell():
            if state.remembered("memo.editing") == (on.name, finding.id):
                _editor(on, finding)
            else:
                st.html(_claim(finding, check, accepted))
                _controls(on, finding, accepted, untold, above, below)
        with grid.cell():
            for passage in dict.fromkeys(finding.passage_ids):
                with st.container(gap="xxsmall"):
                    _evidence(on, finding, passage)


def _controls(
    on: Paper, finding: memos.Finding, accepted: bool, untold: bool, above: str | None, below: str | None
) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        key = f"memo.accept.{finding.id}"
        st.toggle(
            "In the memo",
            key=state.controlled(key, accepted),
            on_change=lambda: paper.accept(on, finding.id, bool(state.typed(key))),
        )
        if untold:
            st.button(
                "Into the draft",
                key=f"memo.tell.{finding.id}",
                icon=":material/playlist_add:",
                type="tertiary",
                on_click=paper.tell,
                args=(on, finding.id),
                help="The draft leaves it to the appendix; this adds it to the section it belongs in",
            )
        st.button(
            "Edit",
            key=f"memo.edit.{finding.id}",
            icon=":material/edit:",
            type="tertiary",
            on_click=_edit,
            args=(on.name, finding.id),
        )
        _move(on, finding, above, "Up", ":material/arrow_upward:")
        _move(on, finding, below, "Down", ":material/arrow_downward:")
        if finding.kind is memos.FindingKind.OWN:
            st.button(
                "Remove",
                key=f"memo.remove.{finding.id}",
                icon=":material/delete:",
                type="tertiary",
                on_click=paper.remove,
                args=(on, finding.id),
            )


def _edit(name: str, finding: str) -> None:
    state.remember("memo.editing", (name, finding))


def _editor(on: Paper, finding: memos.Finding) -> None:
    own = finding.kind is memos.FindingKind.OWN
    claim, section = f"memo.claim.{finding.id}", f"memo.section.{finding.id}"

    def save() -> None:
        place = state.typed(section) if own else None
        if paper.reword(on, finding.id, state.typed(claim) or "", place):
            _edit("", "")

    with st.form(f"memo.form.{finding.id}", border=False):
        st.text_area(
            "The finding",
            key=state.controlled(claim, finding.claim),
            max_chars=findings.LONGEST,
            height=110,
            help="Its figures are read from the passage anew, and the audit checks it again",
        )
        if own:
            places = findings.sections(on.memo.template)
            here = finding.section if finding.section in places else ""
            st.selectbox(
                "Section of the memo",
                list(places),
                format_func=places.get,
                key=state.controlled(section, here),
            )
        with st.container(horizontal=True, gap="small"):
            st.form_submit_button("Save", type="primary", on_click=save)
            st.form_submit_button("Cancel", on_click=_edit, args=("", ""))


def _move(on: Paper, finding: memos.Finding, other: str | None, label: str, icon: str) -> None:
    st.button(
        label,
        key=f"memo.{label}.{finding.id}",
        icon=icon,
        type="tertiary",
        disabled=other is None,
        on_click=paper.swap,
        args=(on, finding.id, other),
        help=f"{label} within its section",
    )


def _claim(finding: memos.Finding, check: memos.SentenceCheck, accepted: bool) -> Html:
    parts: list[Html] = [element("p", finding.claim, class_="ae-claim" if accepted else "ae-claim ae-out")]
    parts.append(figures.verdict(check))
    if finding.note:
        parts.append(element("div", finding.note, class_="ae-fine"))
    if finding.derivation is not None:
        parts.append(element("div", f"Computed: {finding.derivation.told}", class_="ae-fine"))
    if finding.figures:
        parts.append(figures.table(finding.figures))
    if finding.path:
        parts.append(
            element("div", " → ".join(finding.path), class_="ae-fine", title="The way over the graph")
        )
    return join(*parts)


def _evidence(on: Paper, finding: memos.Finding, passage_id: str) -> None:
    where = paper.citation(on.workspace, passage_id)
    if not where:
        st.html(element("div", "This passage is no longer in the workspace.", class_="ae-flag"))
        return
    if st.button(
        words.plain(where),
        key=f"memo.open.{finding.id}.{passage_id}",
        type="tertiary",
        icon=":material/description:",
        help="Open the page",
    ):
        drawer.show(on.workspace, passage_id, finding.passage_ids)
    passage = on.workspace.passage(passage_id)
    # Two issues of one letter have the same citation; the file's name tells them apart.
    st.html(element("div", on.workspace.document(passage.document_id).name, class_="ae-fine"))
    st.html(_excerpt(passage, finding))


def _excerpt(passage: Passage, finding: memos.Finding) -> Html:
    """Of a table the rows that the figures were read from, of prose its beginning."""
    table = passage.table
    if passage.kind is not PassageKind.TABLE or table is None:
        return element("p", words.clip(passage.text, _LONGEST), class_="ae-excerpt")
    read = [figure.measure for figure in finding.figures if figure.passage_id == passage.id]
    rows = [row.header for row in table.rows if row.header in read][:_ROWS]
    if rows:
        return tables.full(table, only=rows)
    told = " · ".join(part for part in (table.title, table.unit_line) if part)
    return element("p", told or "A table", class_="ae-excerpt")
