"""Liquidity: unfunded commitments, calls and distributions, credit lines, cash, what may call on it."""

from __future__ import annotations

from aethel_core.agents.specialist import ChecklistSpecialist


class LiquiditySpecialist(ChecklistSpecialist):
    checklist_key = "liquidity"
