"""The program that `test_kill` kills: ``killed.py WORKSPACE FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from aethel_core.workspace import Workspace, sources_from_paths
from tests.standins import HashEmbedder, RegexNames

space, folder = map(Path, sys.argv[1:])
with Workspace.open(space, embedder=HashEmbedder(), names=RegexNames()) as workspace:
    print("begin", flush=True)
    workspace.ingest(sources_from_paths([folder]))
    print("end", flush=True)
