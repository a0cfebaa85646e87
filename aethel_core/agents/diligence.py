"""DiligenceAuditor: covenants, litigation, key persons, related parties, going concern, restatements, and contradictions between documents."""

from __future__ import annotations

from aethel_core.agents.specialist import ChecklistSpecialist


class DiligenceAuditor(ChecklistSpecialist):
    checklist_key = "diligence"
    compares = True
