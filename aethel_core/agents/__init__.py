"""Specialists: each works through a checklist and returns findings that name their passages."""

from __future__ import annotations

from aethel_core.agents.base import (
    Brief,
    Finding,
    FindingKind,
    Library,
    OpenQuestion,
    Progress,
    Reading,
    Report,
    Specialist,
)
from aethel_core.agents.crew import KEYS, build, run

__all__ = [
    "KEYS",
    "Brief",
    "Finding",
    "FindingKind",
    "Library",
    "OpenQuestion",
    "Progress",
    "Reading",
    "Report",
    "Specialist",
    "build",
    "run",
]
