"""Line items that make a table the statement its title says it is.

Items are grouped by meaning; a statement is confirmed by how many different groups have a row
in the table, so that ten rows of revenue are not an income statement. Industrial, utility, bank
and fund wordings stand side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from aethel_core.statements.lines import Row
from aethel_core.types import Statement

# Each inner tuple is one group; a group is found when a row's label starts with any of its patterns.
_GROUPS: dict[Statement, tuple[tuple[str, ...], ...]] = {
    Statement.INCOME: (
        (
            r"(?:total |net )*(?:operating )?(?:revenues?|sales)\b",
            r"sales to customers",
            r"net (?:product|service) sales",
            r"(?:total )?(?:net )?(?:investment|interest|noninterest|fee|premium) (?:income|revenues?)",
            r"premiums|products?$|services?$",
        ),
        (
            r"(?:total )?costs? (?:of|and)",
            r"(?:total )?(?:costs and |operating |noninterest )?(?:expenses|costs)",
            r"operations? and maintenance|casino|fuel|purchased|compensation",
        ),
        (
            r"gross (?:profit|margin)|selling|research|marketing|general and|administrati|technology",
            r"depreciation|amortization|restructuring|merchandise",
            r"(?:provision for )?credit loss|management fee|professional fees",
        ),
        (
            r"operating (?:income|profit|loss|earnings)",
            r"(?:income|profit|loss|earnings).{0,12} from operations",
            r"(?:other|interest|non-?operating|investment).{0,12} ?(?:income|expense)",
            r"total other|interest",
        ),
        (r"(?:income|earnings|profit|loss)\W.{0,60}before", r"(?:total )?pre-?tax"),
        (
            r"\(?(?:provision|benefit|expense).{0,25}(?:income )?tax",
            r"income tax|taxes on income|provision",
        ),
        (
            r"(?:consolidated )?net (?:income|earnings|loss|profit|\(loss\))",
            r"(?:profit|loss|income|earnings)\W? (?:for the|attributable|from cont)",
            r"net (?:increase|decrease|investment)|net realized|net change in unreali",
        ),
        (
            r"(?:net )?(?:earnings|income|loss).{0,60}(?:per|share)",
            r"basic|diluted|weighted|(?:cash )?dividends",
        ),
    ),
    Statement.COMPREHENSIVE: (
        (r"(?:consolidated )?net (?:income|earnings|loss|\(loss\)|profit)", r"(?:profit|loss) for"),
        (r"(?:total )?other comprehensive", r"amounts? reclassified|reclassif"),
        (r"(?:total )?comprehensive",),
        (r".{0,40}(?:translation|currency)",),
        (r".{0,60}(?:unreali[sz]ed|hedg|derivativ|securities|available)",),
        (r".{0,60}(?:pension|postretirement|benefit|actuarial|retiree|prior service)",),
        (r"(?:less:? )?.{0,30}(?:noncontrolling|non-controlling|tax)",),
    ),
    Statement.BALANCE: (
        (r"cash\b|restricted cash",),
        (
            r".{0,30}receivables?",
            r"(?:total )?(?:loans|inventor)|materials and supplies",
            r"investments?|securities|trading|due from",
        ),
        (r"(?:net )?propert|land|.{0,30}equipment|goodwill|.{0,20}intangible|.{0,20}right-of-use",),
        (r"total current assets|total assets|assets$",),
        (
            r".{0,20}payable|accrued|(?:total )?deposits|.{0,12}compensation",
            r"unearned|deferred (?:revenue|income)|due to|contract liab",
        ),
        (r"total current liabilities|total liabilities|liabilities$",),
        (r".{0,25}(?:debt|borrowings|notes payable|facility)|(?:operating|finance) lease",),
        (
            r"(?:common|preferred) (?:stock|shares)|ordinary shares",
            r"additional paid|paid-in|capital (?:in excess|surplus)|treasury",
        ),
        (r"retained earnings|\(?accumulated (?:deficit|other)|(?:earnings )?reinvested",),
        (
            r"total .{0,40}(?:equity|capital|deficit|capitalization)",
            r"partners' capital|net assets|members' equity|noncontrolling",
        ),
        (r"total (?:capitalization|liabilities)(?:,.{0,40})? and|capitalization",),
    ),
    Statement.CASH_FLOW: (
        (r".{0,40}operating activities",),
        (r".{0,40}investing activities",),
        (r".{0,40}financing activities",),
        (r"adjustments|changes in|.{0,40}reconcile",),
        (
            r"depreciation|amortization|deferred (?:income )?tax|(?:stock|share|equity)-based",
            r"accounts (?:receivable|payable)|inventor",
        ),
        (r"purchases?|additions?|capital expenditure|acquisitions?|investments? in|payments? for|business",),
        (r"proceeds|issuances?|borrowings|sales? of|sales and maturities|maturit",),
        (
            r"repayments?|payments?|repurchases?|dividends|retirement|principal",
            r"distributions|contributions|treasury",
        ),
        (r"\(?(?:net )?\(?(?:increase|decrease|change|effect).{0,60}(?:cash|exchange)|effect of",),
        (r"(?:total )?(?:cash|balance|end|beginning).{0,60}(?:beginning|end|year|period|restricted)",),
        (r"supplemental|non-?cash|cash paid|(?:income )?tax|interest",),
    ),
    Statement.EQUITY: (
        (r"(?:net )?\(?(?:income|earnings|loss)|net (?:increase|decrease)|profit",),
        (r".{0,20}(?:dividends?|distributions?)",),
        (
            r".{0,30}(?:stock|share|equity)-based|(?:stock |share |employee )?compensation",
            r".{0,30}(?:issued|issuance|exercise|award|option|grant)",
            r"(?:employee|restricted|common) (?:stock|shares)|.{0,15}contributions?|subscriptions",
        ),
        (r".{0,25}(?:repurchase|treasury|retire|acquired|purchase)|redemptions?|withdrawals",),
        (r"(?:.{0,30}other )?comprehensive|.{0,20}translation|accum",),
        (
            r"additional|paid-?in|capital in|par value|retained|earnings|surplus|accumulated",
            r"common stock|general partner|limited partner",
        ),
        (
            r".{0,40}(?:noncontrolling|non-controlling|redeemable|cumulative|adoption)",
            r".{0,40}(?:members|partners|reclass)",
        ),
    ),
}
_COMPILED = {
    kind: tuple(re.compile("|".join(patterns)) for patterns in groups) for kind, groups in _GROUPS.items()
}
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_BALANCES = re.compile(
    r"(?:total equity, )?(?:ending |beginning |opening |closing )?balances?\b"
    rf"|.{{0,35}}(?:equity|capital|net assets)\W.{{0,20}}(?:beginning|end|opening|closing|{_MONTHS})"
)
_DATED = re.compile(rf"(?:{_MONTHS})$")
_DATED_FIGURES = 5  # a row that starts with its date: day, year and four columns or more
_COMPREHENSIVE_TOTAL = re.compile(
    r"(?:total |less:? )?(?:other )?comprehensive \(?(?:income|loss|earnings)|total comprehensive"
)
_BALANCE_TOTAL = re.compile(r"total (?:capitalization|liabilities)(?:,.{0,40})?,? and")

# Groups needed under a title of that kind, and on an untitled page that goes on with it.
NEEDED = {
    Statement.INCOME: (5, 3),
    Statement.COMPREHENSIVE: (3, 2),
    Statement.BALANCE: (5, 3),
    Statement.CASH_FLOW: (7, 2),
    Statement.EQUITY: (3, 3),
}


# Groups that only such a statement has on one page, needed where the page shows no title at all.
UNTITLED = {Statement.INCOME: 6, Statement.BALANCE: 9, Statement.CASH_FLOW: 9}


def groups_found(kind: Statement, table: Iterable[Row]) -> int:
    """How many item groups of the statement start a row of the table."""
    labels = {row.label for row in table if not row.prose}
    return sum(any(pattern.match(label) for label in labels) for pattern in _COMPILED[kind])


def has_mark(kind: Statement, table: Iterable[Row]) -> bool:
    """The rows without which the table cannot be this statement, whatever else it lists."""
    lines = [row for row in table if not row.prose]
    if kind is Statement.EQUITY:
        dated = sum(row.figures > _DATED_FIGURES and bool(_DATED.match(row.label)) for row in lines)
        return dated + sum(bool(_BALANCES.match(row.label)) for row in lines) >= 2
    if kind is Statement.COMPREHENSIVE:
        return any(_COMPREHENSIVE_TOTAL.match(row.label) for row in lines)
    return True


def complete(kind: Statement, table: Iterable[Row]) -> bool:
    """The rows that such a statement ends with are there, so the next page does not go on with it."""
    if kind is Statement.BALANCE:
        return any(_BALANCE_TOTAL.match(row.label) for row in table)
    if kind is Statement.INCOME:
        return groups_found(kind, table) >= len(_COMPILED[kind]) - 1
    return kind is Statement.COMPREHENSIVE
