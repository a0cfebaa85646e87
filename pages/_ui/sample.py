"""The sample deal: documents that come with Aethel, for trying it out, and questions to start with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aethel_core import workspace as core
from aethel_core.types import Document
from pages._ui import frame, state, work

WORKSPACE = "Sample deal"
_FOLDER = Path(__file__).resolve().parents[2] / "sample_docs"


def files() -> tuple[Path, ...]:
    return tuple(sorted(_FOLDER.glob("*.pdf")))


def questions(documents: Sequence[Document], number: int = 4) -> tuple[str, ...]:
    """The first few questions about the sample, if it is what `documents` are: half of them need
    one document, half need several."""
    if not {path.name for path in files()} & {document.name for document in documents}:
        return ()
    asked = _questions()
    single = [question["question"] for question in asked if question["hops"] == 1]
    joined = [question["question"] for question in asked if question["hops"] > 1]
    return (*single[: number // 2], *joined[: number - number // 2])


def answerable(documents: Sequence[Document]) -> tuple[str, int]:
    """The sample's question file, with those questions only whose documents are all here, and how
    many they are."""
    here = {document.name for document in documents}
    kept = [asked for asked in _questions() if all(place["document"] in here for place in asked["gold"])]
    return "".join(json.dumps(asked, ensure_ascii=False) + "\n" for asked in kept), len(kept)


def _questions() -> list[dict[str, Any]]:
    file = _FOLDER / "questions.jsonl"
    if not file.is_file():
        return []
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def load(empty: core.Workspace | None) -> None:
    """Read the sample into `empty`, or into a workspace of its own, and go there. For callbacks."""
    if empty is None:
        data = core.settings().data_dir
        if WORKSPACE not in {info.name for info in core.workspaces(data)}:
            core.create_workspace(data, WORKSPACE)
        frame.switch(WORKSPACE)
        empty = state.opened(data / WORKSPACE)
    work.read(empty, core.sources_from_paths(files()))
