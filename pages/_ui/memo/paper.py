"""The memo on the desk: which one is open, and every change of it, saved as it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aethel_core import workspace as core
from aethel_core.errors import AethelError, WorkspaceError
from aethel_core.workspace import findings, memos
from pages._ui import cited, state

NEW = ""  # the name of no memo: the form for a new one
OWN = "Your own findings"


@dataclass(frozen=True, slots=True)
class Paper:
    """The open memo, by the ``name`` it is kept under; ``corpus`` as in `frame.Desk`."""

    workspace: core.Workspace
    corpus: str
    name: str
    memo: memos.Memo

    @property
    def memos(self) -> memos.MemoDesk:
        return state.memo_desk(self.workspace)

    @property
    def edited(self) -> bool:
        return self.memos.edited(self.name)

    def audit(self) -> tuple[memos.Audited, ...]:
        return self._measured("audit", lambda: self.memos.audit(self.memo))

    def checks(self) -> dict[str, memos.SentenceCheck]:
        return self._measured("checks", lambda: self.memos.checks(self.memo))

    def redrafted(self) -> memos.Memo:
        return self._measured("redrafted", lambda: self.memos.redraft(self.memo))

    def _measured(self, what: str, make: Callable[[], Any]) -> Any:
        key = (self.corpus, hash(self.memo))
        return state.measured(self.workspace, f"memo {what}", key, make)


def open_name(workspace: core.Workspace) -> str | None:
    """The name of the memo that is open; None where none was chosen."""
    return state.remembered(f"memo.open {workspace.path}")


def show(workspace: core.Workspace, name: str) -> None:
    """Go to another memo, or to the form with `NEW`. For callbacks."""
    state.remember(f"memo.open {workspace.path}", name)
    problem("")


def show_own(workspace: core.Workspace, name: str) -> None:
    """Go to the findings that a person put into a memo. For callbacks."""
    show(workspace, name)
    state.remember("memo.view", "Findings")
    state.remember("memo.group", OWN)
    state.remember("memo.group.page", 0)


def problem(said: str) -> None:
    state.remember("memo.problem", said)


def change(paper: Paper, memo: memos.Memo) -> None:
    """Save the memo as it now is. For callbacks."""
    try:
        paper.memos.save(paper.name, memo)
    except WorkspaceError as error:
        problem(str(error))


def keep(workspace: core.Workspace, name: str) -> None:
    """Make the memo as it is a version, if it was changed since the newest. For callbacks."""
    desk = state.memo_desk(workspace)
    try:
        if desk.edited(name):
            desk.keep(name, desk.current(name))
    except AethelError as error:
        problem(str(error))


def restore(workspace: core.Workspace, name: str, version: int) -> None:
    """Go on from an earlier version; what is there now becomes a version first. For callbacks."""
    desk = state.memo_desk(workspace)
    try:
        earlier = desk.open(name, version)
    except AethelError as error:
        problem(str(error))
        return
    keep(workspace, name)
    desk.save(name, earlier)


def redraft(paper: Paper) -> None:
    """Write the draft anew; the one before becomes a version if it was edited. For callbacks."""
    keep(paper.workspace, paper.name)
    change(paper, paper.redrafted())


def accept(paper: Paper, finding: str, accepted: bool) -> None:
    _change_findings(paper, lambda desk, memo: findings.put(desk, memo, finding, accepted))


def swap(paper: Paper, one: str, other: str) -> None:
    """Exchange the places of two findings. For callbacks."""
    _change_findings(paper, lambda desk, memo: findings.move(desk, memo, one, other))


def remove(paper: Paper, finding: str) -> None:
    """Take a finding of one's own out for good. For callbacks."""
    _change_findings(paper, lambda desk, memo: findings.remove(desk, memo, finding))


def tell(paper: Paper, finding: str) -> None:
    """Put an accepted finding into the draft as it stands. For callbacks."""
    _change_findings(paper, lambda _, memo: findings.into_draft(memo, finding))


def reword(paper: Paper, finding: str, claim: str, section: str | None) -> bool:
    """Whether it could be worded like this. For callbacks."""
    return _change_findings(paper, lambda desk, memo: findings.reword(desk, memo, finding, claim, section))


def _change_findings(paper: Paper, make: Callable[[memos.MemoDesk, memos.Memo], memos.Memo]) -> bool:
    try:
        paper.memos.save(paper.name, make(paper.memos, paper.memo))
    except AethelError as error:
        problem(str(error))
        return False
    problem("")
    return True


def citation(workspace: core.Workspace, passage: str) -> str:
    """Where a passage stands, "" where it is no longer in the workspace."""
    try:
        return workspace.citation(passage)
    except AethelError:
        return ""


def mark(workspace: core.Workspace, passage: str, label: str = "") -> cited.Mark:
    where = citation(workspace, passage)
    if not where:
        return cited.Mark(label or "source gone", "This passage is no longer in the workspace", "")
    return cited.Mark(label or where, where, passage)
