"""What the screen says of the specialists' checklists."""

from __future__ import annotations

import json

from aethel_core import workspace as core
from pages._ui import state


def name_of(workspace: core.Workspace, key: str) -> str:
    return str(json.loads(state.memo_desk(workspace).checklist(key))["name"])


def length_of(workspace: core.Workspace, key: str) -> int:
    """How many questions it asks."""
    return len(json.loads(state.memo_desk(workspace).checklist(key))["questions"])
