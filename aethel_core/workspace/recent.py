"""The memos of a workspace at a glance: title, when it was kept, what the audit said last.

An audit reads every cited document, which is too much for an overview. So what it said is noted
when a memo is looked at, with what it was said of; a memo changed since has no status.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from aethel_core.errors import InvalidInput
from aethel_core.memo import Audited, Memo, to_json
from aethel_core.workspace.facade import Workspace
from aethel_core.workspace.memos import MemoDesk

_NOTED = "memo.audited"  # a setting of the workspace: by memo, what its last audit said and of what


@dataclass(frozen=True, slots=True)
class Status:
    """How many sentences of a draft the audit flagged."""

    sentences: int
    flagged: int


@dataclass(frozen=True, slots=True)
class RecentMemo:
    """``at`` is when its newest version was kept; ``status`` None where it was changed since the audit,
    or the documents were; ``problem`` says why it cannot be opened."""

    name: str
    title: str
    at: str
    edited: bool
    status: Status | None
    problem: str = ""


def recent_memos(workspace: Workspace, desk: MemoDesk, limit: int) -> tuple[RecentMemo, ...]:
    """The memos kept last, newest first."""
    noted = workspace.setting(_NOTED, {})
    newest = {}
    for version in workspace.memos():
        newest.setdefault(version.memo, version.at)
    found = []
    for name, at in list(newest.items())[:limit]:
        try:
            memo = desk.current(name)
        except InvalidInput as error:
            found.append(RecentMemo(name, name, at, False, None, str(error)))
            continue
        said = noted.get(name, {})
        fresh = said.get("of") == _fingerprint(workspace, memo)
        status = Status(said["sentences"], said["flagged"]) if fresh else None
        found.append(RecentMemo(name, memo.title, at, desk.edited(name), status))
    return tuple(found)


def note_audit(workspace: Workspace, name: str, memo: Memo, audit: Sequence[Audited]) -> None:
    """Remember what the audit said of a memo as it is now.

    :raises WorkspaceError: nothing can be stored.
    """
    said = {
        "of": _fingerprint(workspace, memo),
        "sentences": len(audit),
        "flagged": sum(each.check.flagged for each in audit),
    }
    noted = workspace.setting(_NOTED, {})
    if noted.get(name) != said:
        kept = {version.memo for version in workspace.memos()}
        workspace.set_setting(_NOTED, {n: noted[n] for n in noted if n in kept} | {name: said})


def _fingerprint(workspace: Workspace, memo: Memo) -> str:
    return hashlib.sha256(f"{workspace.revision()} {to_json(memo)}".encode()).hexdigest()
