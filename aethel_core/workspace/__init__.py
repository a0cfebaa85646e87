"""The façade: what pages, the command line and notebooks use, and all they use.

with Workspace.open(Path("data/My fund")) as workspace:
    workspace.ingest(sources_from_paths(["letters/"]))
    ranking = workspace.search("What is the unfunded commitment?", "hybrid", 5)
    print(workspace.citation(ranking.hits[0].passage_id))
"""

from __future__ import annotations

from aethel_core.config import Settings, settings
from aethel_core.evidence import (
    DenseExplanation,
    Explanation,
    FusionExplanation,
    GraphExplanation,
    HybridExplanation,
    LexicalExplanation,
)
from aethel_core.ingestion.report import IngestReport, Outcome, Progress
from aethel_core.ingestion.sources import Source, sources_from_paths
from aethel_core.retrievers import Parameters
from aethel_core.store import Counts, HistoryEntry, Label, MemoVersion, PendingFile
from aethel_core.text import tokenise
from aethel_core.workspace.facade import Comparison, Facets, Workspace
from aethel_core.workspace.folders import (
    WorkspaceInfo,
    create_workspace,
    delete_workspace,
    rename_workspace,
    restore_workspace,
    workspaces,
)

__all__ = [
    "Comparison",
    "Counts",
    "DenseExplanation",
    "Explanation",
    "Facets",
    "FusionExplanation",
    "GraphExplanation",
    "HistoryEntry",
    "HybridExplanation",
    "IngestReport",
    "Label",
    "LexicalExplanation",
    "MemoVersion",
    "Outcome",
    "Parameters",
    "PendingFile",
    "Progress",
    "Settings",
    "Source",
    "Workspace",
    "WorkspaceInfo",
    "create_workspace",
    "delete_workspace",
    "rename_workspace",
    "restore_workspace",
    "settings",
    "sources_from_paths",
    "tokenise",
    "workspaces",
]
