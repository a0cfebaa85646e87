"""The façade: what pages, the command line and notebooks use, and all they use.

with Workspace.open(Path("data/My fund")) as workspace:
    workspace.ingest(sources_from_paths(["letters/"]))
    ranking = workspace.search("What is the unfunded commitment?", "hybrid", 5)
    print(workspace.citation(ranking.hits[0].passage_id))
"""

from __future__ import annotations

from aethel_core.config import Settings, settings
from aethel_core.evidence import (
    AliasPair,
    Between,
    DenseExplanation,
    Difference,
    EntityView,
    EvidencePath,
    Explanation,
    FusionExplanation,
    GraphExplanation,
    HybridExplanation,
    KnownEntity,
    LexicalExplanation,
    Missed,
    Neighbour,
    NoisyEntity,
    PassageEvidence,
    PathPart,
    RerankExplanation,
    drawing,
)
from aethel_core.index.entity_graph import passage_of
from aethel_core.ingestion.report import STORED, IngestReport, Outcome, Progress
from aethel_core.ingestion.sources import Source, sources_from_paths
from aethel_core.long_context import LongAnswer, PartAnswer
from aethel_core.pipeline import PARTS, STAGES, Effect, Prepared, Switches
from aethel_core.prequery import Chip, ChipKind, QueryView, Steps
from aethel_core.rerankers import Choice, Kind, Plan
from aethel_core.rerankers.cascade import StageReport
from aethel_core.retrievers import Parameters
from aethel_core.store import Counts, HistoryEntry, Label, MemoVersion, PendingFile
from aethel_core.summaries import Summary, SummarySentence
from aethel_core.text import tokenise
from aethel_core.workspace.evidence import (
    JOINED_BY_HAND,
    CorpusMap,
    Corrections,
    DescribedCommunity,
    Traced,
)
from aethel_core.workspace.extraction import Coverage, ExtractionPlan, ExtractionReport
from aethel_core.workspace.facade import Comparison, Facets, Workspace
from aethel_core.workspace.folders import (
    WorkspaceInfo,
    create_workspace,
    delete_workspace,
    rename_workspace,
    restore_workspace,
    workspaces,
)
from aethel_core.writers import WRITTEN

__all__ = [
    "JOINED_BY_HAND",
    "PARTS",
    "STAGES",
    "STORED",
    "WRITTEN",
    "AliasPair",
    "Between",
    "Chip",
    "ChipKind",
    "Choice",
    "Comparison",
    "CorpusMap",
    "Corrections",
    "Counts",
    "Coverage",
    "DenseExplanation",
    "DescribedCommunity",
    "Difference",
    "Effect",
    "EntityView",
    "EvidencePath",
    "Explanation",
    "ExtractionPlan",
    "ExtractionReport",
    "Facets",
    "FusionExplanation",
    "GraphExplanation",
    "HistoryEntry",
    "HybridExplanation",
    "IngestReport",
    "Kind",
    "KnownEntity",
    "Label",
    "LexicalExplanation",
    "LongAnswer",
    "MemoVersion",
    "Missed",
    "Neighbour",
    "NoisyEntity",
    "Outcome",
    "Parameters",
    "PartAnswer",
    "PassageEvidence",
    "PathPart",
    "PendingFile",
    "Plan",
    "Prepared",
    "Progress",
    "QueryView",
    "RerankExplanation",
    "Settings",
    "Source",
    "StageReport",
    "Steps",
    "Summary",
    "SummarySentence",
    "Switches",
    "Traced",
    "Workspace",
    "WorkspaceInfo",
    "create_workspace",
    "delete_workspace",
    "drawing",
    "passage_of",
    "rename_workspace",
    "restore_workspace",
    "settings",
    "sources_from_paths",
    "tokenise",
    "workspaces",
]
