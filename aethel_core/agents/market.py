"""Market research: the market, competitors, customers and the economy, as the documents tell of them."""

from __future__ import annotations

from aethel_core.agents.specialist import ChecklistSpecialist


class MarketResearchSpecialist(ChecklistSpecialist):
    checklist_key = "market"
