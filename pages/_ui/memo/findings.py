"""What the specialists found, each finding beside its evidence: accept, leave out, move."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from aethel_core.types import PassageKind
from aethel_core.workspace import memos
from pages._ui import drawer, state, words
from pages._ui.html import Html, element, join
from pages._ui.memo import paper
from pages._ui.memo.paper import Paper

_CONTRADICTIONS = "Contradictions"
_PER_PAGE = 12
_LONGEST = 420


def draw(on: Paper) -> None:
    groups = _groups(on.memo)
    if not groups:
        st.info(
            "The specialists found nothing in these documents. The open questions say what they asked.",
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
    """Contradictions first, then by specialist; each ordered by section as the sections first occur."""
    groups: dict[str, list[memos.Finding]] = {_CONTRADICTIONS: []}
    for finding in memo.findings:
        odd = finding.kind is memos.FindingKind.CONTRADICTION
        groups.setdefault(_CONTRADICTIONS if odd else finding.specialist, []).append(finding)
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
    with st.container(border=True, key=f"ae-finding-{finding.id.replace(':', '-')}"):
        grid = st.grid(2, min_column_width=340, gap="medium")
        with grid.cell():
            st.html(_claim(finding, check, accepted))
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                key = f"memo.accept.{finding.id}"
                st.toggle(
                    "In the memo",
                    key=state.controlled(key, accepted),
                    on_change=lambda: paper.accept(on, finding.id, bool(state.typed(key))),
                )
                _move(on, finding, above, "Up", ":material/arrow_upward:")
                _move(on, finding, below, "Down", ":material/arrow_downward:")
        with grid.cell():
            for passage in dict.fromkeys(finding.passage_ids):
                _evidence(on, finding, passage)


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
    flags = check.flags or ((check.verdict.value,) if check.flagged else ())
    if flags:
        parts += [element("div", f"⚑ {flag}", class_="ae-flag") for flag in flags]
    else:
        parts.append(element("div", "✓ The audit finds it in the passage", class_="ae-sound"))
    if finding.note:
        parts.append(element("div", finding.note, class_="ae-fine"))
    if finding.derivation is not None:
        parts.append(element("div", f"Computed: {finding.derivation.told}", class_="ae-fine"))
    if finding.figures:
        parts.append(_figures(finding.figures))
    if finding.path:
        parts.append(
            element("div", " → ".join(finding.path), class_="ae-fine", title="The way over the graph")
        )
    return join(*parts)


def _figures(figures: Sequence[memos.Reading]) -> Html:
    head = element("tr", *(element("th", name) for name in ("Figure", "Unit", "Period", "Read from")))
    rows = [
        element(
            "tr",
            element("td", figure.text, class_="ae-num"),
            element("td", _unit(figure)),
            element("td", figure.period or "not given"),
            element("td", figure.label or words.clip(figure.measure, 60)),
        )
        for figure in figures
    ]
    table = element("table", element("thead", head), element("tbody", *rows))
    return element("div", table, class_="ae-table ae-figures")


_SCALES = {1e3: "thousand", 1e6: "million", 1e9: "billion"}


def _unit(figure: memos.Reading) -> str:
    unit = figure.currency or figure.unit
    scale = _SCALES.get(figure.scale)
    return f"{unit} {scale}" if scale else unit


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
    if passage.kind is PassageKind.TABLE and passage.table is not None:
        told = " · ".join(part for part in (passage.table.title, passage.table.unit_line) if part)
        st.html(element("p", told or "A table", class_="ae-excerpt"))
    else:
        st.html(element("p", words.clip(passage.text, _LONGEST), class_="ae-excerpt"))
