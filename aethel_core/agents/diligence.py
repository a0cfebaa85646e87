"""Diligence: covenants, claims, key persons, related parties, restatements, contradictions."""

from __future__ import annotations

from aethel_core.agents.specialist import ChecklistSpecialist


class DiligenceAuditor(ChecklistSpecialist):
    checklist_key = "diligence"
    compares = True
