"""Runs ingests for `test_kill`, each in a process that may be killed.

It imports everything once and then forks for each line "WORKSPACE<tab>FOLDER" of its input, which
saves the start of an interpreter per kill. It answers with the process id, a line for each step of
progress, and how it ended.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from aethel_core.ingestion.prepare import Job, prepare
from aethel_core.workspace import Workspace, sources_from_paths
from tests.standins import HashEmbedder, RegexNames, pdf


def ingest(space: str, folder: str) -> None:
    with Workspace.open(Path(space), embedder=HashEmbedder(), names=RegexNames()) as workspace:
        workspace.ingest(sources_from_paths([folder]), on_progress=lambda progress: print("step", flush=True))


prepare(Job("0" * 64, "warm.pdf", pdf("Everything is imported by now.")), RegexNames(), lambda event: None)
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        ingest(*line.rstrip("\n").split("\t"))
        os._exit(0)
    print("process", child, flush=True)
    print("exit", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
