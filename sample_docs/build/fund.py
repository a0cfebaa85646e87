"""The ledger of the NorthRiver funds, in thousands of US dollars unless a name says otherwise.

Positions and cash events are given; net asset value, unrealised gains, carried interest, multiples,
internal rates of return and every partner's capital account follow from them. Index 0 of a series is
31 December 2021, indices 1 to 4 are the quarter ends of 2022.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

COMMITMENTS = 1_235_000
FACILITY_LIMIT = 180_000
PAYABLES = 1_850
CARRY_RATE = 20  # per cent
FEE_RATE = 200  # basis points a year on commitments
HELIOS_SHARES = 18_400  # thousands of shares held by NorthRiver IV
HELIOS_COINVEST_SHARES = 5_740
HELIOS_PRICES = (14.20, 13.10, 11.85, 10.40, 11.50)  # closing price on the last trading day
HELIOS_PRICE_MISREAD = 11.40  # the price of 15 August 2022, used by mistake in the first Q3 letter
QUARTER_ENDS = (
    date(2021, 12, 31),
    date(2022, 3, 31),
    date(2022, 6, 30),
    date(2022, 9, 30),
    date(2022, 12, 31),
)


@dataclass(frozen=True, slots=True)
class Holding:
    """A portfolio company; ``cost`` and ``value`` are series over `QUARTER_ENDS`."""

    name: str
    business: str
    country: str
    acquired: str
    ownership: str
    cost: tuple[int, ...]
    value: tuple[int, ...]
    method: str


@dataclass(frozen=True, slots=True)
class Quarter:
    """What moved in one quarter; outflows are negative."""

    label: str
    call_number: int
    call_notice: date
    call_date: date
    call: int
    distribution: int
    recallable: int
    facility: int  # drawn (+) or repaid (-)
    purchases: int
    proceeds: int
    realised_cost: int
    expenses: int
    interest: int
    dividends: int


@dataclass(frozen=True, slots=True)
class Investor:
    """A limited partner as the administrator knows it."""

    account: str
    name: str
    commitment: int
    fee_rate: int  # basis points a year
    group: str  # borrowing-base class of the subscription facility


#: Calls before 2022 as (date, per mille of commitments).
EARLY_CALLS = (
    (date(2018, 5, 15), 40),
    (date(2018, 9, 17), 50),
    (date(2019, 2, 15), 45),
    (date(2019, 6, 17), 35),
    (date(2019, 10, 15), 40),
    (date(2020, 1, 21), 30),
    (date(2020, 5, 18), 25),
    (date(2020, 9, 14), 55),
    (date(2020, 11, 16), 45),
    (date(2021, 2, 16), 50),
    (date(2021, 4, 19), 40),
    (date(2021, 6, 15), 45),
    (date(2021, 8, 16), 45),
    (date(2021, 9, 20), 35),
    (date(2021, 11, 15), 40),
    (date(2021, 12, 6), 30),
)
EARLY_DISTRIBUTIONS = ((date(2021, 3, 22), 50), (date(2021, 12, 13), 48))
#: Inception to 31 December 2021, from the same books.
EARLY_FEES, EARLY_EXPENSES, EARLY_INTEREST, EARLY_DIVIDENDS = -91_500, -16_890, -9_620, 3_680
EARLY_QUARTERS_OF_FEES = 15
EARLY_REALISED_GAIN = 83_000
EARLY_CASH, EARLY_FACILITY = 14_900, 62_000

QUARTERS = (
    Quarter(
        "Q1", 17, date(2022, 1, 31), date(2022, 2, 14), 49_400, 0, 0,
        30_000, 64_000, 0, 0, -1_140, -910, 920,
    ),
    Quarter(
        "Q2", 18, date(2022, 5, 2), date(2022, 5, 16), 29_640, -80_275, 12_350,
        -30_000, 22_000, 94_200, 31_440, -1_210, -1_020, 920,
    ),
    Quarter(
        "Q3", 19, date(2022, 8, 8), date(2022, 8, 22), 24_700, 0, 0,
        24_000, 28_000, 0, 0, -1_180, -1_260, 920,
    ),
    Quarter(
        "Q4", 20, date(2022, 10, 31), date(2022, 11, 14), 37_050, -24_700, 0,
        -28_000, 0, 0, 0, -1_390, -1_480, 28_220,
    ),
)  # fmt: skip
DISTRIBUTION_DATES = (None, date(2022, 6, 24), None, date(2022, 12, 9))


def _helios_values(misread: bool) -> tuple[int, ...]:
    prices = list(HELIOS_PRICES)
    if misread:
        prices[3] = HELIOS_PRICE_MISREAD
    return tuple(round(HELIOS_SHARES * price) for price in prices)


def _holdings(misread: bool) -> tuple[Holding, ...]:
    level3 = "Level 3"
    return (
        Holding(
            "Helios Packaging Holdings, Inc.", "Consumer packaging", "United States", "Mar 2019",
            "44.9%", (176_640,) * 5, _helios_values(misread), "Level 1",
        ),
        Holding(
            "Meridian Cold Storage, LLC", "Cold-chain warehousing", "United States", "Sep 2020",
            "45.5%", (142_000, 142_000, 164_000, 164_000, 164_000),
            (168_500, 178_400, 214_900, 226_700, 214_300), level3,
        ),
        Holding(
            "Brightwater Veterinary Partners, Inc.", "Veterinary clinics", "United States", "Nov 2020",
            "71.0%", (96_500, 96_500, 96_500, 115_000, 115_000),
            (131_200, 137_400, 144_100, 166_900, 172_800), level3,
        ),
        Holding(
            "Calloway Diagnostics Group Limited", "Clinical laboratories", "United Kingdom", "Oct 2019",
            "62.4%", (88_000, 88_000, 88_000, 97_500, 97_500),
            (79_400, 71_500, 64_300, 58_200, 52_800), level3,
        ),
        Holding(
            "Stratus Freight Technologies, Inc.", "Freight software", "United States", "Feb 2021",
            "38.2%", (74_000,) * 5, (118_600, 104_200, 89_700, 81_500, 78_900), level3,
        ),
        Holding(
            "Penrose Specialty Coatings B.V.", "Industrial coatings", "Netherlands", "Feb 2022", "80.0%",
            (0, 64_000, 64_000, 64_000, 64_000), (0, 64_000, 65_200, 68_400, 74_600), level3,
        ),
        Holding(
            "Alder & Finch Foodservice, LLC", "Foodservice distribution", "United States", "Jun 2021",
            "66.5%", (69_800,) * 5, (84_300, 88_100, 93_400, 97_800, 103_600), level3,
        ),
        Holding(
            "Quillon Data Services, Inc.", "Claims-data processing", "United States", "Jun 2018", "22.0%",
            (52_400, 52_400, 20_960, 20_960, 20_960), (143_700, 151_000, 62_800, 65_100, 68_900), level3,
        ),
    )  # fmt: skip


#: The lines of a roll-forward, in the order in which they are printed.
LINES = (
    "contributions",
    "distributions",
    "management fees",
    "partnership expenses",
    "facility interest",
    "dividend income",
    "realised gains",
    "unrealised gains",
    "carried interest",
)


@dataclass(frozen=True)
class Fund:
    """NorthRiver Capital Partners IV, L.P.; ``misread`` gives the books behind the withdrawn Q3 letter."""

    misread: bool = False

    @cached_property
    def holdings(self) -> tuple[Holding, ...]:
        return _holdings(self.misread)

    def investments(self, q: int) -> int:
        return sum(h.value[q] for h in self.holdings)

    def cost(self, q: int) -> int:
        return sum(h.cost[q] for h in self.holdings)

    def facility(self, q: int) -> int:
        return EARLY_FACILITY + sum(quarter.facility for quarter in QUARTERS[:q])

    def paid_in(self, q: int) -> int:
        early = sum(per_mille for _, per_mille in EARLY_CALLS) * COMMITMENTS // 1000
        return early + sum(quarter.call for quarter in QUARTERS[:q])

    def distributed(self, q: int) -> int:
        early = sum(per_mille for _, per_mille in EARLY_DISTRIBUTIONS) * COMMITMENTS // 1000
        return early - sum(quarter.distribution for quarter in QUARTERS[:q])

    def unfunded(self, q: int) -> int:
        return COMMITMENTS - self.paid_in(q) + sum(quarter.recallable for quarter in QUARTERS[:q])

    def cash(self, q: int) -> int:
        return EARLY_CASH + sum(
            x.call + x.distribution + x.facility - x.purchases + x.proceeds + x.dividends
            + x.expenses + x.interest + self.fee
            for x in QUARTERS[:q]
        )  # fmt: skip

    @property
    def fee(self) -> int:
        """The management fee of one quarter, as an outflow: the sum over the partners' own rates."""
        discounted = sum(i.commitment for i in INVESTORS if i.fee_rate != FEE_RATE)
        reduced = sum(i.commitment * i.fee_rate for i in INVESTORS if i.fee_rate != FEE_RATE)
        return -((COMMITMENTS - discounted) * FEE_RATE + reduced) // 40_000

    def net_assets(self, q: int) -> int:
        """Before carried interest."""
        return self.investments(q) + self.cash(q) - self.facility(q) - PAYABLES

    def profit(self, q: int) -> int:
        return self.net_assets(q) + self.distributed(q) - self.paid_in(q)

    def carry(self, q: int) -> int:
        """Accrued carried interest; preferred return and catch-up are met throughout (a test holds it)."""
        return self.profit(q) * CARRY_RATE // 100

    def nav(self, q: int) -> int:
        return self.net_assets(q) - self.carry(q)

    def dpi(self, q: int) -> float:
        return self.distributed(q) / self.paid_in(q)

    def tvpi(self, q: int) -> float:
        return (self.distributed(q) + self.nav(q)) / self.paid_in(q)

    def flows(self, q: int, final: int) -> list[tuple[date, int]]:
        """Dated flows from the partners' side to quarter ``q``, with ``final`` as the closing value."""
        flows = [(day, -per_mille * COMMITMENTS // 1000) for day, per_mille in EARLY_CALLS]
        flows += [(day, per_mille * COMMITMENTS // 1000) for day, per_mille in EARLY_DISTRIBUTIONS]
        for quarter, paid in zip(QUARTERS[:q], DISTRIBUTION_DATES, strict=False):
            flows.append((quarter.call_date, -quarter.call))
            if paid is not None:
                flows.append((paid, -quarter.distribution))
        return [*flows, (QUARTER_ENDS[q], final)]

    def irr(self, q: int) -> float:
        return internal_rate(self.flows(q, self.nav(q)))

    def rollforward(self, q: int) -> dict[str, int]:
        """The lines of one quarter, which take `nav` from ``q - 1`` to ``q``."""
        x = QUARTERS[q - 1]
        gain = (self.investments(q) - self.cost(q)) - (self.investments(q - 1) - self.cost(q - 1))
        amounts = (
            x.call, x.distribution, self.fee, x.expenses, x.interest, x.dividends,
            x.proceeds - x.realised_cost, gain, self.carry(q - 1) - self.carry(q),
        )  # fmt: skip
        return dict(zip(LINES, amounts, strict=True))

    def early_rollforward(self) -> dict[str, int]:
        """Inception to 31 December 2021."""
        amounts = (
            self.paid_in(0), -self.distributed(0), EARLY_FEES, EARLY_EXPENSES, EARLY_INTEREST,
            EARLY_DIVIDENDS, EARLY_REALISED_GAIN, self.investments(0) - self.cost(0), -self.carry(0),
        )  # fmt: skip
        return dict(zip(LINES, amounts, strict=True))


def internal_rate(flows: list[tuple[date, int]]) -> float:
    """The annual rate at which dated flows are worth nothing today, by bisection (actual/365)."""
    start = min(day for day, _ in flows)
    low, high = -0.9, 5.0
    for _ in range(200):
        middle = (low + high) / 2
        worth = sum(amount / (1 + middle) ** ((day - start).days / 365) for day, amount in flows)
        low, high = (middle, high) if worth > 0 else (low, middle)
    return (low + high) / 2


TAMARACK = Investor("NR4-0117", "Tamarack State Teachers' Retirement System", 75_000, 160, "Included")
CORBEL = Investor("NR4-0142", "Corbel Mutual Life Insurance Company", 40_000, FEE_RATE, "Designated")
INVESTORS = (
    Investor("NR4-0101", "NorthRiver GP IV, LLC", 24_700, FEE_RATE, "Excluded"),
    Investor("NR4-0104", "Province of Avonmere Pension Board", 120_000, FEE_RATE, "Included"),
    Investor("NR4-0109", "Orrin Sovereign Reserve Office", 100_000, FEE_RATE, "Included"),
    Investor("NR4-0112", "", 90_000, FEE_RATE, "Included"),
    TAMARACK,
    Investor("NR4-0121", "", 75_000, FEE_RATE, "Designated"),
    Investor("NR4-0126", "Stellan University Endowment", 70_000, FEE_RATE, "Included"),
    Investor("NR4-0130", "", 65_000, FEE_RATE, "Included"),
    Investor("NR4-0133", "", 60_000, FEE_RATE, "Designated"),
    Investor("NR4-0138", "", 55_000, FEE_RATE, "Designated"),
    CORBEL,
    Investor("NR4-0145", "", 50_000, FEE_RATE, "Designated"),
    Investor("NR4-0151", "", 50_000, FEE_RATE, "Designated"),
    Investor("NR4-0156", "", 50_000, FEE_RATE, "Designated"),
    Investor("NR4-0160", "", 80_000, FEE_RATE, "Excluded"),
    Investor("NR4-0163", "", 75_000, FEE_RATE, "Excluded"),
    Investor("NR4-0167", "", 60_000, FEE_RATE, "Excluded"),
    Investor("NR4-0171", "", 55_000, FEE_RATE, "Excluded"),
    Investor("NR4-0176 to 0198", "", 40_300, FEE_RATE, "Excluded"),
)
ADVANCE_RATES = {"Included": 90, "Designated": 65, "Excluded": 0}  # per cent of unfunded commitments
LETTERS_OF_CREDIT = 4_200


def _allocate(amount: int, commitment: int) -> int:
    """A partner's part of thousands of dollars, in cents, halves away from zero."""
    exact = abs(amount) * 100_000 * commitment
    part = (2 * exact + COMMITMENTS) // (2 * COMMITMENTS)
    return part if amount >= 0 else -part


@dataclass(frozen=True, slots=True)
class Account:
    """A partner's capital account at quarter ``q``, in cents, by line and column."""

    investor: Investor
    fund: Fund
    q: int

    def lines(self, first: int, last: int) -> dict[str, int]:
        """The movements of quarters ``first`` to ``last``; quarter 0 is all that came before 2022."""
        totals = dict.fromkeys(LINES, 0)
        for q in range(first, last + 1):
            source = self.fund.rollforward(q) if q else self.fund.early_rollforward()
            for line, amount in source.items():
                totals[line] += _allocate(amount, self.investor.commitment)
            quarters = 1 if q else EARLY_QUARTERS_OF_FEES
            totals["management fees"] -= _allocate(source["management fees"], self.investor.commitment)
            totals["management fees"] -= self.fee(quarters)
        return totals

    def fee(self, quarters: int) -> int:
        """The partner's own fee in cents: commitment x rate / 4 for each quarter."""
        return self.investor.commitment * self.investor.fee_rate * quarters * 100_000 // 40_000

    def balance(self, q: int) -> int:
        return sum(self.lines(0, q).values())

    @property
    def unfunded(self) -> int:
        return _allocate(self.fund.unfunded(self.q), self.investor.commitment)


def borrowing_base(fund: Fund) -> dict[str, tuple[int, int, int]]:
    """By class at 31 December 2022: commitments, unfunded commitments, borrowing base."""
    classes: dict[str, tuple[int, int, int]] = {}
    for group, rate in ADVANCE_RATES.items():
        commitments = sum(i.commitment for i in INVESTORS if i.group == group)
        unfunded = commitments * fund.unfunded(4) // COMMITMENTS
        classes[group] = (commitments, unfunded, unfunded * rate // 100)
    return classes


@dataclass(frozen=True, slots=True)
class FundThree:
    """NorthRiver Capital Partners III, L.P. at 31 December 2022."""

    commitments: int = 640_000
    paid_in: int = 612_480
    distributed: int = 803_200
    cash: int = 6_300
    payables: int = 740
    carry: int = 18_240
    irr: str = "14.2%"
    holdings: tuple[tuple[str, str, int, int], ...] = (
        ("Lockhaven Marine Services, Inc.", "Port towage and dredging", 48_200, 61_400),
        ("Verity Dental Alliance, LLC", "Dental-practice management", 52_000, 44_750),
        ("Tessler Water Technologies, Inc.", "Membrane filtration", 21_500, 38_900),
    )
    #: The fourth quarter of 2022, in the order of `LINES`.
    movements: tuple[int, ...] = (0, -7_680, -480, -310, 0, 0, 3_150, -2_430, 14)

    @property
    def nav(self) -> int:
        return sum(h[3] for h in self.holdings) + self.cash - self.payables - self.carry

    @property
    def opening_nav(self) -> int:
        return self.nav - sum(self.movements)

    @property
    def tvpi(self) -> float:
        return (self.distributed + self.nav) / self.paid_in
