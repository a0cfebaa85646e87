"""Marks: how relevant a person finds a passage for a question, set where it is read, and undone."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from aethel_core import workspace as core
from pages._ui import state, words

GRADES = {2: "Relevant", 1: "Partly", 0: "Not"}
_WHO = "labeller"  # a setting of the workspace: who marked last
_SOMEONE = "Analyst"
_UNDOABLE = 50

Key = tuple[str, str, str]  # question, passage id, labeller


def labeller(workspace: core.Workspace) -> str:
    """Whose marks this session sets."""
    return state.remembered("labeller") or workspace.setting(_WHO, _SOMEONE)


def be(workspace: core.Workspace, name: str) -> None:
    """Mark under another name from now on; an empty one changes nothing."""
    name = " ".join(name.split())[:60]
    if name:
        state.remember("labeller", name)
        workspace.set_setting(_WHO, name)


def given(workspace: core.Workspace, question: str) -> dict[str, int]:
    """Passage id → this session's grade for the question."""
    me = labeller(workspace)
    return {
        label.passage_id: label.grade
        for label in workspace.labels()
        if label.question == question and label.labeller == me
    }


def mark(workspace: core.Workspace, question: str, passage_id: str, grade: int | None) -> None:
    """Set a mark, or with None take it back; nothing where nothing can be stored."""
    if not workspace.writable:
        return
    me = labeller(workspace)
    undoable(workspace, lambda: workspace.label(question, passage_id, me, grade))


def undoable(workspace: core.Workspace, act: Callable[[], object]) -> object:
    """Do what changes marks, and keep how they were, so that `undo` can bring them back."""
    before = _all(workspace)
    result = act()
    after = _all(workspace)
    changed = {key: before.get(key) for key in before | after if before.get(key) != after.get(key)}
    if changed:
        _stack(workspace, (*_stack(workspace), changed)[-_UNDOABLE:])
    return result


def undo(workspace: core.Workspace) -> None:
    """Take back the latest change of marks of this session, a whole import at once. For callbacks."""
    stack = _stack(workspace)
    if not stack:
        return
    there = workspace.passages_by_id([passage for _, passage, _ in stack[-1]])
    for (question, passage, who), grade in stack[-1].items():
        if passage in there:  # its document may have been deleted meanwhile
            workspace.label(question, passage, who, grade)
    _stack(workspace, stack[:-1])


def undo_button(workspace: core.Workspace, key: str, shortcut: str | None = None) -> None:
    stack = _stack(workspace)
    said = words.count(len(stack[-1]), "mark") if stack else "nothing"
    st.button(
        "Undo",
        key=key,
        icon=":material/undo:",
        shortcut=shortcut,
        disabled=not stack,
        help=f"Takes back your latest change ({said})",
        on_click=undo,
        args=(workspace,),
    )


def control(workspace: core.Workspace, question: str, passage_id: str) -> None:
    """Relevant, partly or not, for one passage; choosing the chosen one again takes it back."""
    key = f"mark.{passage_id}"
    now = given(workspace, question).get(passage_id)

    def take() -> None:
        mark(workspace, question, passage_id, state.typed(key))

    st.segmented_control(
        words.plain(f"For “{words.clip(question, 90)}” this passage is"),
        list(GRADES),
        format_func=GRADES.get,
        key=state.controlled(key, now),
        on_change=take,
        disabled=not workspace.writable,
        help=f"Marked as {words.plain(labeller(workspace))}. Choose it again to take it back.",
    )


def _all(workspace: core.Workspace) -> dict[Key, int]:
    return {(label.question, label.passage_id, label.labeller): label.grade for label in workspace.labels()}


def _stack(workspace: core.Workspace, new: tuple[dict[Key, int | None], ...] | None = None):
    name = f"marks.undo {workspace.path}"
    if new is not None:
        state.remember(name, new)
    return state.remembered(name, ())
