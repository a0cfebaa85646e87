"""Valuation: net asset value, marks and multiples, returns, fair-value levels, corrections."""

from __future__ import annotations

from aethel_core.agents.specialist import ChecklistSpecialist


class ValuationAuditor(ChecklistSpecialist):
    checklist_key = "valuation"
