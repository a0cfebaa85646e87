"""The books of Helios Packaging Holdings, Inc., in thousands of US dollars.

Every event is a posting that moves asset accounts on one side and liability and equity accounts on the
other by the same amount, for 2020, 2021 and 2022. The balance sheets, the cash-flow statement, the
statement of equity and the statement of comprehensive income are sums over the same postings, so that
they can only agree.
"""

from __future__ import annotations

from dataclasses import dataclass

YEARS = (2020, 2021, 2022)
Series = tuple[int, int, int]

INCOME: dict[str, Series] = {
    "sales": (986_420, 1_141_870, 1_284_630),
    "cost of sales": (-776_240, -915_320, -1_046_910),
    "selling": (-84_350, -91_260, -96_480),
    "research": (-10_480, -11_240, -11_920),
    "amortization": (-20_900, -21_600, -21_600),
    "restructuring": (-4_620, -2_310, -8_740),
    "interest": (-43_870, -41_180, -49_360),
    "extinguishment": (0, 0, -3_150),
    "other": (-410, 960, 1_240),
    "tax": (-11_210, -14_520, -11_690),
}
OPERATING = ("sales", "cost of sales", "selling", "research", "amortization", "restructuring")
DEPRECIATION: Series = (54_200, 56_100, 58_300)
STOCK_COMPENSATION: Series = (5_310, 6_240, 7_420)
MONITORING_FEE = 2_500
SHARES_ISSUED: Series = (41_240, 41_560, 41_840)
SHARES_TREASURY: Series = (0, 300, 840)
WEIGHTED_BASIC: Series = (41_120, 41_250, 41_130)
WEIGHTED_DILUTED: Series = (41_690, 41_910, 41_650)

ASSETS: dict[str, int] = {
    "cash": 41_260,
    "receivables": 138_400,
    "inventories": 121_750,
    "prepaid": 14_820,
    "plant": 412_600,
    "leased assets": 38_900,
    "goodwill": 366_200,
    "intangibles": 248_500,
    "other assets": 12_340,
}
LIABILITIES: dict[str, int] = {
    "payables": 104_300,
    "accrued": 61_450,
    "income taxes": 4_380,
    "debt": 724_900,
    "lease liabilities": 40_150,
    "deferred taxes": 58_700,
    "pension and other": 36_240,
}
EQUITY: dict[str, int] = {
    "common": 410,
    "paid-in": 318_540,
    "treasury": 0,
    "retained": 68_900,
    "accumulated other": -23_200,
}


@dataclass(frozen=True, slots=True)
class Posting:
    """``section`` is where the cash leg is reported: operating, investing, financing, fx or none."""

    cause: str
    section: str
    moves: dict[str, Series]


def income(line: str, year: int) -> int:
    return INCOME[line][YEARS.index(year)]


def _subtotal(lines: tuple[str, ...]) -> Series:
    return tuple(sum(INCOME[line][i] for line in lines) for i in range(3))


GROSS_PROFIT = _subtotal(("sales", "cost of sales"))
OPERATING_INCOME = _subtotal(OPERATING)
PRETAX = _subtotal(tuple(line for line in INCOME if line != "tax"))
NET_INCOME = _subtotal(tuple(INCOME))


def _minus(series: Series) -> Series:
    return tuple(-value for value in series)


def _simple(cause: str, section: str, account: str, series: Series) -> Posting:
    """A cash movement ``series`` against one account."""
    other = _minus(series) if account in ASSETS else series
    return Posting(cause, section, {"cash": series, account: other})


POSTINGS = (
    _simple("net income", "operating", "retained", NET_INCOME),
    _simple("depreciation", "operating", "plant", DEPRECIATION),
    _simple("amortization", "operating", "intangibles", _minus(INCOME["amortization"])),
    _simple("non-cash lease expense", "operating", "leased assets", (9_100, 9_400, 9_900)),
    _simple("stock-based compensation", "operating", "paid-in", STOCK_COMPENSATION),
    _simple("amortization of debt issuance costs", "operating", "debt", (2_640, 2_710, 2_480)),
    _simple("loss on extinguishment", "operating", "debt", _minus(INCOME["extinguishment"])),
    _simple("deferred income taxes", "operating", "deferred taxes", (-1_800, -640, -2_960)),
    _simple("gain on disposal", "operating", "plant", (-420, -310, -880)),
    _simple("receivables", "operating", "receivables", (-9_200, -18_640, -14_310)),
    _simple("inventories", "operating", "inventories", (-6_100, -27_420, -11_880)),
    _simple("prepaid expenses", "operating", "prepaid", (-760, -1_430, -1_120)),
    _simple("accounts payable", "operating", "payables", (8_640, 17_950, -6_240)),
    _simple("accrued liabilities", "operating", "accrued", (3_200, 4_860, 5_130)),
    _simple("income taxes payable", "operating", "income taxes", (510, -920, 640)),
    _simple("operating lease payments", "operating", "lease liabilities", (-8_900, -9_300, -9_800)),
    _simple("pension and other", "operating", "pension and other", (-1_900, -2_250, -1_480)),
    _simple("capital expenditures", "investing", "plant", (-61_300, -72_480, -84_920)),
    _simple("proceeds from disposals", "investing", "plant", (1_200, 940, 2_310)),
    Posting(
        "acquisition",
        "investing",
        {
            "cash": (0, -46_800, 0),
            "goodwill": (0, 19_400, 0),
            "intangibles": (0, 16_200, 0),
            "plant": (0, 8_600, 0),
            "inventories": (0, 5_100, 0),
            "receivables": (0, 4_300, 0),
            "payables": (0, 3_200, 0),
            "deferred taxes": (0, 3_600, 0),
        },
    ),
    _simple("term loan borrowed", "financing", "debt", (0, 0, 550_000)),
    _simple("term loans repaid", "financing", "debt", (-5_200, -5_200, -512_350)),
    _simple("revolver borrowed", "financing", "debt", (0, 45_000, 62_000)),
    _simple("revolver repaid", "financing", "debt", (0, 0, -79_000)),
    _simple("finance leases and other debt", "financing", "debt", (-2_100, -2_300, -2_500)),
    _simple("debt issuance costs", "financing", "debt", (0, 0, -9_800)),
    _simple("dividends", "financing", "retained", (-6_579, -8_250, -8_226)),
    _simple("share repurchases", "financing", "treasury", (0, -4_100, -6_300)),
    _simple("option exercises", "financing", "paid-in", (1_850, 2_310, 1_140)),
    Posting("par value of shares issued", "none", {"common": (2, 4, 2), "paid-in": (-2, -4, -2)}),
    Posting("assets under finance leases", "none", {"plant": (0, 5_600, 4_900), "debt": (0, 5_600, 4_900)}),
    Posting(
        "new operating leases",
        "none",
        {"leased assets": (7_400, 11_200, 12_600), "lease liabilities": (7_400, 11_200, 12_600)},
    ),
    Posting(
        "currency translation",
        "fx",
        {
            "cash": (420, -310, -1_180),
            "receivables": (610, -520, -1_940),
            "inventories": (450, -380, -1_210),
            "plant": (2_100, -1_900, -6_300),
            "goodwill": (1_980, -1_640, -5_460),
            "payables": (310, -250, -980),
            "accumulated other": (5_250, -4_500, -15_110),
        },
    ),
    Posting(
        "pension remeasurement",
        "none",
        {
            "pension and other": (3_400, -4_100, -5_200),
            "deferred taxes": (-820, 990, 1_260),
            "accumulated other": (-2_580, 3_110, 3_940),
        },
    ),
    Posting(
        "cash-flow hedges",
        "none",
        {
            "other assets": (-1_600, 1_200, 7_900),
            "deferred taxes": (-390, 290, 1_910),
            "accumulated other": (-1_210, 910, 5_990),
        },
    ),
)


def balance(account: str, year: int) -> int:
    """The balance of an account at 31 December of 2019 to 2022."""
    opening = {**ASSETS, **LIABILITIES, **EQUITY}[account]
    return opening + sum(sum(p.moves.get(account, (0, 0, 0))[: year - 2019]) for p in POSTINGS)


def total(accounts: dict[str, int], year: int) -> int:
    return sum(balance(account, year) for account in accounts)


def movement(cause: str, account: str, year: int) -> int:
    posting = next(p for p in POSTINGS if p.cause == cause)
    return posting.moves.get(account, (0, 0, 0))[YEARS.index(year)]


def cash_flow(section: str, year: int) -> int:
    return sum(p.moves["cash"][YEARS.index(year)] for p in POSTINGS if p.section == section)


def other_comprehensive(year: int) -> int:
    causes = ("currency translation", "pension remeasurement", "cash-flow hedges")
    return sum(movement(cause, "accumulated other", year) for cause in causes)


#: Principal outstanding at 31 December 2021 and 2022.
DEBT = {
    "Prior term loan facility": (509_600, 0),
    "Term Loan Facility, due June 2029": (0, 547_250),
    "Revolving Credit Facility, due June 2027": (45_000, 28_000),
    "6.375% Senior Notes, due October 2028": (200_000, 200_000),
    "Finance lease obligations": (13_180, 16_280),
    "Other borrowings": (5_820, 5_120),
}
PRINCIPAL = (sum(v[0] for v in DEBT.values()), sum(v[1] for v in DEBT.values()))
ISSUANCE_COSTS = (PRINCIPAL[0] - balance("debt", 2021), PRINCIPAL[1] - balance("debt", 2022))
CURRENT_DEBT = (8_120, 9_880)
CURRENT_LEASES = (8_900, 9_460)
#: Scheduled principal payments at 31 December 2022: term loan, revolver, notes, leases and other.
MATURITIES = {
    "2023": (5_500, 0, 0, 4_380),
    "2024": (5_500, 0, 0, 4_260),
    "2025": (5_500, 0, 0, 4_110),
    "2026": (5_500, 0, 0, 3_940),
    "2027": (5_500, 28_000, 0, 2_630),
    "Thereafter": (519_750, 0, 200_000, 2_080),
}
#: Sales and adjusted EBITDA by segment.
SEGMENTS: dict[str, tuple[Series, Series]] = {
    "Rigid Containers": ((468_250, 541_900, 612_340), (82_400, 86_950, 91_300)),
    "Flexible Films": ((331_640, 381_450, 421_870), (54_810, 59_220, 58_740)),
    "Closures and Dispensing": ((186_530, 218_520, 250_420), (51_640, 55_910, 62_480)),
}
CORPORATE: Series = (-11_490, -13_190, -14_980)
ADJUSTED_EBITDA: Series = tuple(
    OPERATING_INCOME[i]
    + DEPRECIATION[i]
    - INCOME["amortization"][i]
    - INCOME["restructuring"][i]
    + STOCK_COMPENSATION[i]
    + MONITORING_FEE
    for i in range(3)
)
NETTING_CAP = 50_000  # cash that the credit agreement lets Helios set off against debt


def total_net_debt(year: int) -> int:
    """Consolidated total net debt as the credit agreement defines it, for 2021 and 2022."""
    return PRINCIPAL[year - 2021] - min(balance("cash", year), NETTING_CAP)


def net_leverage(year: int) -> float:
    return total_net_debt(year) / ADJUSTED_EBITDA[YEARS.index(year)]
