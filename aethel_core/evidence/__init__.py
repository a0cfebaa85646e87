"""Why a passage was found: the account of its score, and the paths that lead to it."""

from __future__ import annotations

from aethel_core.evidence import drawing
from aethel_core.evidence.communities import Community, SummarySentence, communities, summary
from aethel_core.evidence.corpus_map import CorpusMap, DocumentLink, MapEntity, corpus_map
from aethel_core.evidence.difference import Difference, Missed, difference
from aethel_core.evidence.entity_view import (
    AliasPair,
    EntityView,
    KnownEntity,
    Neighbour,
    entity_view,
    known,
    most_named,
    suggest,
)
from aethel_core.evidence.groups import alike
from aethel_core.evidence.noise import NoisyEntity, noisy
from aethel_core.evidence.scores import (
    DenseExplanation,
    Explanation,
    FactorPart,
    FusionExplanation,
    GraphExplanation,
    HybridExplanation,
    LexicalExplanation,
    ListPart,
    RerankExplanation,
    SeedPart,
    TermPart,
    explain,
    sentences,
)
from aethel_core.evidence.spelling import as_written
from aethel_core.evidence.subgraph import Edge, Node, Role, Route, Subgraph, subgraph
from aethel_core.evidence.trace import (
    Between,
    EvidencePath,
    PassageEvidence,
    PathPart,
    SeedNode,
    Trace,
    trace,
)

__all__ = [
    "AliasPair",
    "Between",
    "Community",
    "CorpusMap",
    "DenseExplanation",
    "Difference",
    "DocumentLink",
    "Edge",
    "EntityView",
    "EvidencePath",
    "Explanation",
    "FactorPart",
    "FusionExplanation",
    "GraphExplanation",
    "HybridExplanation",
    "KnownEntity",
    "LexicalExplanation",
    "ListPart",
    "MapEntity",
    "Missed",
    "Neighbour",
    "Node",
    "NoisyEntity",
    "PassageEvidence",
    "PathPart",
    "RerankExplanation",
    "Role",
    "Route",
    "SeedNode",
    "SeedPart",
    "Subgraph",
    "SummarySentence",
    "TermPart",
    "Trace",
    "alike",
    "as_written",
    "communities",
    "corpus_map",
    "difference",
    "drawing",
    "entity_view",
    "explain",
    "known",
    "most_named",
    "noisy",
    "sentences",
    "subgraph",
    "suggest",
    "summary",
    "trace",
]
