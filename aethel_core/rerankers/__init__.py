"""Rerankers and the cascade of them: (question, ranking) → better ranking.

A new reranker is one file with the contract of `aethel_core.rerankers.base`, and a `Kind` in
`aethel_core.rerankers.plan`, which chooses the models of the cascade's stages.
"""

from __future__ import annotations

from aethel_core.rerankers.plan import Choice, Kind, Plan, Stages, configured, reranker

__all__ = ["Choice", "Kind", "Plan", "Stages", "configured", "reranker"]
