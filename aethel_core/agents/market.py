"""MarketResearchSpecialist: the market, competitors, customers and macroeconomic statements found in the documents."""

from __future__ import annotations

from aethel_core.agents.specialist import ChecklistSpecialist


class MarketResearchSpecialist(ChecklistSpecialist):
    checklist_key = "market"
