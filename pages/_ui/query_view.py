"""What was made of the question, as chips and switches; what each part does, and how long each stage took."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from aethel_core import workspace as core
from aethel_core.types import Query
from pages._ui import state, theme, words
from pages._ui.html import element

_LONGEST = 90
_WHERE = (core.ChipKind.COMPANY, core.ChipKind.PERIOD, core.ChipKind.DOCUMENT_TYPE)
_CASCADE = "cascade"
_NOTHING = "nothing in this question"
_PARTS = {
    "spelling": ("Spelling", "Words that the corpus does not know are read as its nearest ones"),
    "normalise": ("Even writing", "Figures, periods and currencies written one way"),
    "forms": ("Forms in passages", "Long forms, full figures and periods of passages count, too"),
    "abbreviations": ("Abbreviations", "Their long forms are searched for, too"),
    "units": ("Units", "Figures with a scale are searched for as tables print them, too"),
    "keywords": ("Keywords", "The telling words of the question count twice, with names of metrics"),
    "paraphrases": ("Paraphrases", "Other words for the same are searched for, too"),
    "hypothesis": ("Hypothetical passage", "HyDE: the passage that would answer is searched for, too"),
    "routing": ("Routing", "Company, period, type, statement and line items raise what they govern"),
    "together": ("Statements together", "Every statement that the question needs is among the first hits"),
    "summaries": ("Summaries", "What long documents tell in short raises their passages in Hybrid"),
    "stage 1": ("Stage 1", "Scores the whole pool and hands on the best of it"),
    "stage 2": ("Stage 2", "Scores what stage 1 hands on"),
}


def asked(workspace: core.Workspace, corpus: str) -> Query:
    """The view's question as it is asked, for screens that do not show how."""
    return _prepared(workspace, corpus).query


def draw(workspace: core.Workspace, corpus: str) -> Query:
    """The chips of the view's question; returns the query that those switched on make."""
    found = _prepared(workspace, corpus)
    switches, view = state.view().switches, found.view
    shown = [chip for chip in view.chips if chip.on or chip.id in switches.removed]
    spare = [chip for chip in view.chips if not chip.on and chip.id not in switches.removed]
    name = f"{zlib.crc32(view.question.encode()):08x}"  # another question is another set of chips
    keys = (f"chips.read.{name}", f"chips.spare.{name}")

    def choose() -> None:
        on = {each for key in keys for each in state.typed(key) or ()}
        state.change(switches=state.view().switches.chosen(view, on))

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="ae-query-view"):
        on = [chip.id for chip in shown if chip.on]
        _pills("Read from the question", shown, on, keys[0], choose)
        if spare:
            with st.popover("Add to the query", icon=":material/add:"):
                st.caption("Parts that are switched off below; one of their words may help this question.")
                _pills("Words to search for, too", spare, [], keys[1], choose)
        if any(chip.kind in _WHERE for chip in shown):
            st.toggle(
                "Only these documents",
                key=state.controlled("switch.only", switches.only),
                on_change=_only,
                help="Search no others than those of the company, period and type read from the question. "
                "Otherwise those come first, and others can still be found.",
            )
    _notes(view)
    return found.query


def _prepared(workspace: core.Workspace, corpus: str) -> core.Prepared:
    view = state.view()
    return state.prepared(workspace, corpus, view.question, view.switches, view.filters)


def _only() -> None:
    state.change(switches=replace(state.view().switches, only=state.typed("switch.only")))


def _notes(view: core.QueryView) -> None:
    if view.notes:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            for note in view.notes:
                st.caption(words.plain(note), width="content")
            st.button("Ask the model again", key="writers.retry", type="tertiary", on_click=state.retry)


def _pills(
    label: str, chips: Sequence[core.Chip], on: list[str], key: str, choose: Callable[[], None]
) -> None:
    if not chips:
        return
    labels = {
        chip.id: f"{chip.kind.value}: {words.plain(words.clip(chip.label, _LONGEST))}" for chip in chips
    }
    st.pills(
        label,
        list(labels),
        selection_mode="multi",
        format_func=labels.__getitem__,
        key=state.controlled(key, on),
        on_change=choose,
        wrap=True,
        help="Switch one off and the question is asked without it.",
    )


# --- the parts of the pipeline -------------------------------------------------------------------


def pipeline(workspace: core.Workspace, corpus: str, query: Query, chosen: Sequence[str], k: int) -> None:
    """A switch for each part, what it made of the question, and what it does to the ranking."""
    switches = state.view().switches
    named = theme.in_order(tuple(chosen))
    by = next((name for name in (_CASCADE, "hybrid") if name in named), named[0])
    parts = [part for part in core.PARTS if part not in core.STAGES or _CASCADE in named]
    title = "Pipeline: what each part does"
    with st.expander(title, key="pipeline.open", on_change="rerun", type="compact") as opened:
        if not opened.open:
            return
        with st.spinner("Asking once with and once without each part …"):
            found = state.effects(
                workspace, corpus, state.view().question, switches, state.view().filters, by, k
            )
        effects = {effect.part: effect for effect in found}
        reports = _reports(workspace, query, k, switches) if _CASCADE in named else {}
        view = _prepared(workspace, corpus).view
        with st.container(gap="xxsmall"):
            _head(theme.look(by).label, k)
            for part in parts:
                made = reports.get(part, "") if part in core.STAGES else _made(view, part)
                _row(part, switches, made, effects.get(part), workspace.settings.llm_model)


def _head(label: str, k: int) -> None:
    for column, text in zip(
        _columns(), ("Part", "What it made", f"In the first {k} of {label}"), strict=True
    ):
        with column:
            st.html(element("div", text, class_="ae-rule"))


def _columns() -> list:
    return st.columns((4, 7, 4), gap="small", vertical_alignment="center")


def _row(part: str, switches: core.Switches, made: str, effect: core.Effect | None, model: str) -> None:
    label, about = _PARTS[part]
    key, by_model = f"switch.{part}", f"switch.{part}.model"
    on = switches.on(part)
    left, middle, right = _columns()
    with left, st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.toggle(
            label,
            key=state.controlled(key, on),
            wrap=True,
            on_change=lambda: _turn(part, key),
        )
        if model and part in core.WRITTEN and on:
            st.checkbox(
                words.plain(f"by {model}"),
                key=state.controlled(by_model, part in switches.modelled),
                help="Written by the model instead of from the corpus and a thesaurus; the question is sent",
                on_change=lambda: _write(part, by_model),
            )
    with middle:
        st.html(element("div", made, title=about, class_="ae-part" if on else "ae-part ae-quiet"))
    with right:
        st.html(element("div", _done(effect, on), class_="ae-part ae-quiet"))


def _turn(part: str, key: str) -> None:
    # The switches of now: those the row was drawn with are old when two are turned in a row.
    state.change(switches=state.view().switches.turned(part, state.typed(key)))


def _write(part: str, key: str) -> None:
    state.change(switches=state.view().switches.written(part, state.typed(key)))


def _made(view: core.QueryView, part: str) -> str:
    """The chips of a part, the removed ones left out where it is on."""
    chips = view.of(part)
    kept = [chip for chip in chips if chip.on] or chips
    if part in ("normalise", "hypothesis", "summaries"):  # a text of its own
        return " ".join(chip.label for chip in kept) or _NOTHING
    added = part == "paraphrases"  # the rest of them is the question again
    said = "; ".join(words.clip(" ".join(chip.words) if added else chip.label, _LONGEST) for chip in kept)
    return said or _NOTHING


def _reports(workspace: core.Workspace, query: Query, k: int, switches: core.Switches) -> dict[str, str]:
    """What each stage that was asked did."""
    asked = [stage for stage in core.STAGES if switches.on(stage)]
    told = zip(asked, workspace.stages(query, k)[1:], strict=False)
    return {stage: f"{_stage(report)}{f'. {report.note}' if report.note else ''}" for stage, report in told}


def _done(effect: core.Effect | None, on: bool) -> str:
    if effect is None or effect.idle:
        return ""
    moved = effect.moved
    if not effect.entered and not moved:
        return "changes no hit" if on else "would change no hit"
    parts = [
        f"{'brings' if on else 'would bring'} {effect.entered} new" if effect.entered else "",
        f"{'moves' if on else 'would move'} {moved}" if moved else "",
        "another first hit" if effect.first else "",
    ]
    return ", ".join(filter(None, parts))


def stages(workspace: core.Workspace, query: Query, k: int) -> None:
    """One line: what each stage of the cascade kept, and how long it took."""
    pool, *reports = workspace.stages(query, k)
    said = [f"{words.count(pool.kept, 'candidate')} in {words.seconds(pool.seconds)}", *map(_stage, reports)]
    st.caption(words.plain("Cascade: " + " · ".join(said)))


def _stage(report: core.StageReport) -> str:
    partly = f", {report.scored:,} scored," if report.scored < report.given else ""
    return f"{report.name} {report.given:,} → {report.kept:,}{partly} in {words.seconds(report.seconds)}"
