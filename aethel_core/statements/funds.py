"""Statements that private funds send to their partners."""

from __future__ import annotations

import re

from aethel_core.statements.lines import Row, letters

_CAPITAL_WORDS = (
    "capital account",
    "account statement",
    "capital statement",
    "unfunded",
    "remaining commitment",
)
_INVESTMENT_WORDS = (
    "schedule of investments",
    "schedule of portfolio investments",
    "portfolio",
    "investment summary",
    "investment schedule",
    "summary of investments",
)
_OPENING_OR_CLOSING = r".{0,40}(?:balance|capital|nav|net asset value)\b.{0,25}"
_CAPITAL_TITLE = re.compile(
    r"\w{0,60}?(?:capitalaccounts?|partners?capital)"
    r"(?:statements?|summary|activity|balances?|rollforward|reconciliation|detail)?\w{0,60}"
    r"|\w{0,60}?(?:partner|investor)s?(?:capital|account)statements?\w{0,60}"
    r"|\w{0,60}?statementofinvestorsaccount\w{0,40}"
)
_CAPITAL_ROWS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"beginning|opening|{_OPENING_OR_CLOSING}(?:beginning|opening|january|as of|at )",
        r".{0,20}(?:contributions?|capital called|paid-?in capital|capital calls|drawdowns?)",
        r".{0,20}distributions?",
        r".{0,25}(?:management fees?|(?:partnership|fund|operating) expenses|carried interest|incentive)",
        r".{0,25}(?:net )?(?:income|gain|profit|unreali[sz]ed|reali[sz]ed|appreciation)",
        rf"ending|closing|{_OPENING_OR_CLOSING}(?:end|closing|june|march|september|december)",
        r".{0,20}(?:commitments?|unfunded|remaining)",
    )
)
_INVESTMENT_TITLE = re.compile(
    r"\w{0,60}?schedules?of(?:portfolio)?investments\w{0,60}"
    r"|(?:summaryof)?(?:portfolio(?:company|companies|investments?)?|investments?)"
    r"(?:summary|schedule|valuations?|overview|byfairvalue)\w{0,40}"
    r"|\w{0,30}?(?:portfolioinvestments|summaryofinvestments)(?:asof\w{0,40})?"
)
_COST = re.compile(r"\b(?:cost|invested|capital invested)\b", re.IGNORECASE)
_VALUE = re.compile(r"\b(?:fair value|market value|value|nav)\b", re.IGNORECASE)
_FIGURES_NEEDED = 6
_ROWS_UNDER_TITLE = 3
_HEADER_ROWS = 8


def is_capital_account(table: list[Row], text: str) -> bool:
    """A partner's capital account from opening to closing balance, under a title that says so."""
    lower = text.lower()
    if not any(w in lower for w in _CAPITAL_WORDS):
        return False
    lines = [row for row in table if not row.prose]
    labels = {row.label for row in lines}
    found = sum(any(p.match(label) for label in labels) for p in _CAPITAL_ROWS)
    if sum(row.figures for row in lines) < _FIGURES_NEEDED or found < _ROWS_UNDER_TITLE:
        return False
    return any(_may_be_title(row) and _CAPITAL_TITLE.fullmatch(letters(row.text)) for row in lines)


def is_schedule_of_investments(table: list[Row], text: str) -> bool:
    """Holdings with cost and value, so headed, under a title that says so."""
    lower = text.lower()
    if not any(w in lower for w in _INVESTMENT_WORDS):
        return False
    for i, row in enumerate(table):
        if not _may_be_title(row) or not _INVESTMENT_TITLE.fullmatch(letters(row.text)):
            continue
        head = " ".join(r.text for r in table[i + 1 : i + 1 + _HEADER_ROWS])
        enough = sum(r.cells for r in table[i + 1 :]) >= _FIGURES_NEEDED
        if enough and _COST.search(head) and _VALUE.search(head):
            return True
    return False


def _may_be_title(row: Row) -> bool:
    return row.text[:1].isupper() and not row.prose and not row.text.endswith((".", ",", ";"))
