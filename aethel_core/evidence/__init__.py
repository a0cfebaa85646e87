"""Why a passage was found: the account of its score, and the paths that lead to it."""

from __future__ import annotations

from aethel_core.evidence.scores import (
    DenseExplanation,
    Explanation,
    FactorPart,
    FusionExplanation,
    GraphExplanation,
    HybridExplanation,
    LexicalExplanation,
    ListPart,
    SeedPart,
    TermPart,
    explain,
    sentences,
)

__all__ = [
    "DenseExplanation",
    "Explanation",
    "FactorPart",
    "FusionExplanation",
    "GraphExplanation",
    "HybridExplanation",
    "LexicalExplanation",
    "ListPart",
    "SeedPart",
    "TermPart",
    "explain",
    "sentences",
]
