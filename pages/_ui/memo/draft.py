"""The draft: its text at the left, how it reads and what the audit says of it at the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from aethel_core.errors import AethelError
from aethel_core.workspace import memos
from pages._ui import cited, drawer, state, words
from pages._ui.html import Html, element
from pages._ui.memo import paper
from pages._ui.memo.paper import Paper

_LINE, _SMALLEST, _LARGEST = 76, 90, 620  # characters of a line; heights in pixels


def draw(on: Paper) -> None:
    st.text_input(
        "Title",
        key=state.controlled("memo.heading", on.memo.title),
        max_chars=160,
        on_change=lambda: _retitle(on),
        width=620,
    )
    st.html(_help())
    if not on.memo.sections:
        st.info("The draft is empty: no finding is accepted.", icon=":material/edit_off:")
    audit = on.audit()
    _read_by_model(on, audit)
    for number, section in enumerate(on.memo.sections):
        _section(on, number, section, [each for each in audit if each.sentence.section == number])
    _sources(on)


def _read_by_model(on: Paper, audit: Sequence[memos.Audited]) -> None:
    """Sentences that no model has read since they were worded, where there is one to read them."""
    model = on.workspace.settings.llm_model
    known = {(each.text, each.passage_ids) for each in on.memo.judgements}
    unread = sum((each.check.text, each.check.passage_ids) not in known for each in audit)
    if not model or not unread:
        return
    asked = state.remembered("memo.judging") == on.name
    st.button(
        words.plain(f"Let {model} check {words.count(unread, 'sentence')}"),
        key="memo.judge",
        disabled=asked,
        on_click=state.remember,
        args=("memo.judging", on.name),
        help="Sends each sentence with the passages it cites; a doubt lowers what the rules of the audit say",
    )
    if not asked:
        return
    state.remember("memo.judging", "")
    try:
        with st.spinner(words.plain(f"{model} is reading {words.count(unread, 'sentence')} …")):
            paper.change(on, on.memos.judge(on.memo))
    except AethelError as error:
        paper.problem(str(error))
    st.rerun()


def _sources(on: Paper) -> None:
    """What the marks name, to be cited by their number."""
    if not on.memo.sources:
        return
    with st.expander(f"The {words.count(len(on.memo.sources), 'source')} by number"):
        marks = [
            paper.mark(on.workspace, passage, f"[{number}]")
            for number, passage in enumerate(on.memo.sources, start=1)
        ]
        said = [cited.Said(mark.title, (mark,), block=place) for place, mark in enumerate(marks)]
        opened = cited.draw(said, "memo.sources")
    if opened:
        drawer.show(on.workspace, opened)


def _help() -> Html:
    return element(
        "p",
        "Saved as you leave a field. A line that begins with “- ” is a bullet; [3] names the third source, "
        "behind the sentence that stands on it. The audit reads every sentence anew.",
        class_="ae-fine",
    )


def _retitle(on: Paper) -> None:
    title = " ".join((state.typed("memo.heading") or "").split())
    if title:
        paper.change(on, replace(on.memo, title=title))


def _section(on: Paper, number: int, section: memos.Section, audit: list[memos.Audited]) -> None:
    flagged = sum(each.check.flagged for each in audit)
    told = f"{words.count(len(audit), 'sentence')}, " + (f"{flagged} flagged" if flagged else "none flagged")
    st.html(
        element(
            "div",
            element("b", section.heading),
            element("span", f" · {told}", class_="ae-flag" if flagged else "ae-quiet"),
            class_="ae-section",
        )
    )
    grid = st.grid(2, min_column_width=340, gap="medium")
    key = f"memo.body.{number}"
    with grid.cell():
        st.text_area(
            words.plain(section.heading),
            key=state.controlled(key, section.body),
            height=_height(section.body),
            label_visibility="collapsed",
            on_change=lambda: _rewrite(on, number, state.typed(key)),
        )
    with grid.cell():
        opened = cited.draw([_said(on, each) for each in audit], f"memo.preview.{number}")
    if opened:
        drawer.show(on.workspace, opened)


def _rewrite(on: Paper, number: int, body: str) -> None:
    paper.change(on, memos.with_body(on.memo, number, body))


def _height(body: str) -> int:
    lines = sum(1 + len(line) // _LINE for line in body.splitlines())
    return min(_LARGEST, max(_SMALLEST, 17 * lines + 45))


def _said(on: Paper, each: memos.Audited) -> cited.Said:
    sentence, check = each.sentence, each.check
    flags = check.flags or ((check.verdict.value,) if check.flagged else ())
    marks = tuple(
        paper.mark(on.workspace, passage, f"[{number}]")
        for number, passage in zip(sentence.marks, check.passage_ids, strict=True)
    )
    return cited.Said(sentence.text, marks, tuple(flags), sentence.paragraph, sentence.bullet)
