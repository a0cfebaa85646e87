"""The command that reads stored documents again.

python -m aethel_core reindex --workspace data/fund
python -m aethel_core reindex 10-K.pdf --workspace data/fund
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aethel_core.errors import AethelError, Cancelled
from aethel_core.terminal import INTERRUPTED, stoppable
from aethel_core.text import counted

if TYPE_CHECKING:
    from aethel_core.workspace.facade import Workspace

Open = Callable[[Path], "Workspace"]


def register(commands: Any, open_workspace: Open) -> None:
    parser = commands.add_parser("reindex", help="read documents again from their stored files")
    parser.add_argument(
        "documents",
        nargs="*",
        metavar="NAME_OR_ID",
        help="which; without any, those that an earlier version of Aethel or another model read",
    )
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR", help="the workspace's folder")
    parser.set_defaults(run=lambda arguments: _reindex(arguments, open_workspace))


def _reindex(arguments: argparse.Namespace, open_workspace: Open) -> int:
    failed = 0
    with open_workspace(arguments.workspace) as workspace, stoppable() as stopped:
        wanted = arguments.documents or list(workspace.outdated())
        chosen = [workspace.document(name) for name in wanted]
        for number, document in enumerate(chosen, start=1):
            print(f"[{number}/{len(chosen)}] {document.name}", file=sys.stderr, flush=True)
            try:
                made = workspace.reindex(document.id, cancelled=stopped)
            except Cancelled:
                print(f"aethel: stopped; {len(chosen) - number + 1} not read again.", file=sys.stderr)
                return INTERRUPTED
            except AethelError as error:
                print(f"failed: {document.name}: {error}", file=sys.stderr)
                failed += 1
            else:
                print(f"read again: {document.name}: {counted(made.passage_count, 'passage')}.")
    if not chosen:
        print("Every document is up to date.", file=sys.stderr)
    return 1 if failed else 0
