"""The sample deal: documents that come with Aethel, for trying it out."""

from __future__ import annotations

from pathlib import Path

from aethel_core import workspace as core
from pages._ui import frame, state, work

WORKSPACE = "Sample deal"
_FOLDER = Path(__file__).resolve().parents[2] / "sample_docs"


def files() -> tuple[Path, ...]:
    return tuple(sorted(_FOLDER.glob("*.pdf")))


def load(empty: core.Workspace | None) -> None:
    """Read the sample into `empty`, or into a workspace of its own, and go there. For callbacks."""
    if empty is None:
        data = core.settings().data_dir
        if WORKSPACE not in {info.name for info in core.workspaces(data)}:
            core.create_workspace(data, WORKSPACE)
        frame.switch(WORKSPACE)
        empty = state.opened(data / WORKSPACE)
    work.read(empty, core.sources_from_paths(files()))
