"""The quarterly letters of NorthRiver IV, with the withdrawn and the re-issued one for the third quarter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from reportlab.lib.colors import HexColor
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table, TableStyle

from . import northriver, year_end
from .charts import bars, waterfall
from .fund import (
    COMMITMENTS,
    DISTRIBUTION_DATES,
    FACILITY_LIMIT,
    HELIOS_PRICE_MISREAD,
    HELIOS_PRICES,
    INVESTORS,
    LINES,
    PAYABLES,
    QUARTER_ENDS,
    QUARTERS,
    Fund,
)
from .kit import Properties, Row, build, panel, ruled, terms
from .markup import flow, paragraph, prose
from .money import Thousands, share

NAME = "NorthRiver Capital Partners IV, L.P."
NOTICE = "Confidential. For the Limited Partners of NorthRiver IV only; not an offer of interests."
LOOK = northriver.LOOK
NARROW = northriver.NARROW
WIDTH = northriver.TEXT_WIDTH
_ISSUED = (date(2022, 5, 13), date(2022, 8, 12), date(2022, 11, 14), date(2023, 2, 10))
_REISSUED = date(2022, 12, 1)
_NAMES = {
    "contributions": "Contributions",
    "distributions": "Distributions",
    "management fees": "Management Fee",
    "partnership expenses": "Partnership expenses",
    "facility interest": "Interest and fees, Subscription Facility",
    "dividend income": "Dividend income",
    "realised gains": "Net realized gain on investments",
    "unrealised gains": "Net change in unrealized gain on investments",
    "carried interest": "Change in accrued carried interest",
}


def day(value: date) -> str:
    return f"{value:%B} {value.day}, {value.year}"


@dataclass(frozen=True, slots=True)
class Letter:
    """One quarterly letter; ``reissued`` is the corrected one of the third quarter."""

    q: int
    reissued: bool = False

    @property
    def fund(self) -> Fund:
        return Fund(misread=self.q == 3 and not self.reissued)

    @property
    def end(self) -> str:
        return day(QUARTER_ENDS[self.q])

    @property
    def title(self) -> str:
        label = f"Letter for the quarter ended {self.end}"
        return f"{label} (re-issued)" if self.reissued else label

    @property
    def subject(self) -> str:
        return f"Quarterly letter, {QUARTERS[self.q - 1].label} 2022" + (
            ", re-issued" if self.reissued else ""
        )

    def make(self, pages: int) -> tuple[list, list[Flowable]]:
        issued = _REISSUED if self.reissued else _ISSUED[self.q - 1]
        story = northriver.addressee(NAME, day(issued), self.title)
        story += self.panel()
        figures = self.figures()
        for name in self.sources():
            story += flow(LOOK, prose(name, self.facts()), figures)
        return northriver.templates(NAME, self.subject, NOTICE, pages), story

    def sources(self) -> tuple[str, ...]:
        if self.q != 3:
            return (f"letter_q{self.q}",)
        return ("letter_q3_reissued" if self.reissued else "letter_q3", "letter_q3_body")

    def pdf(self) -> bytes:
        return build(self.make, Properties(f"{NAME}: {self.title}", "NorthRiver GP IV, LLC", self.subject))

    def panel(self) -> list[Flowable]:
        fund, q = self.fund, self.q
        return [
            panel(
                LOOK,
                (
                    ("Net asset value, US$ millions", f"{fund.nav(q) / 1000:,.1f}"),
                    ("Net TVPI", f"{fund.tvpi(q):.2f}x"),
                    ("DPI", f"{fund.dpi(q):.2f}x"),
                    ("Net IRR since inception", f"{100 * fund.irr(q):.1f}%"),
                ),
                WIDTH,
            )
        ]

    def facts(self) -> dict[str, object]:
        fund, q = self.fund, self.q
        quarter = QUARTERS[q - 1]
        paid = DISTRIBUTION_DATES[q - 1]
        facts: dict[str, object] = {
            "call_number": quarter.call_number,
            "call_notice": day(quarter.call_notice),
            "call_date": day(quarter.call_date),
            "call_percent": share(quarter.call, COMMITMENTS),
            "distribution_sentence": "",
        }
        amounts = {
            "nav": fund.nav(q),
            "opening_nav": fund.nav(q - 1),
            "call": quarter.call,
            "paid_in": fund.paid_in(q),
            "distribution": quarter.distribution,
            "recallable": quarter.recallable,
            "facility_before": fund.facility(q - 1),
            "facility": fund.facility(q),
            "limit": FACILITY_LIMIT,
            "unfunded": fund.unfunded(q),
            "proceeds": quarter.proceeds,
            "realised": quarter.proceeds - quarter.realised_cost,
            "calloway_value": fund.holdings[3].value[q],
            "penrose_cost": fund.holdings[5].cost[1],
            "meridian_purchase": fund.holdings[1].cost[2] - fund.holdings[1].cost[1],
            "brightwater_purchase": fund.holdings[2].cost[3] - fund.holdings[2].cost[2],
            "calloway_purchase": fund.holdings[3].cost[3] - fund.holdings[3].cost[2],
            "penrose_gain": fund.holdings[5].value[4] - fund.holdings[5].value[3],
            "osprey_dividend": QUARTERS[3].dividends - QUARTERS[2].dividends,
            "fre": 41_300,
            "fre_before": 46_800,
        }
        facts |= {name: Thousands(amount) for name, amount in amounts.items()}
        if paid is not None:
            amount = Thousands(quarter.distribution)
            facts["distribution_sentence"] = f"A distribution of {amount:m} was paid on {day(paid)}."
        return facts | (_year_facts(fund) if q == 4 else {}) | (_error_facts() if self.reissued else {})

    def figures(self) -> dict[str, Callable[[], list[Flowable]]]:
        return {
            "capital": lambda: flow(LOOK, prose("letter_capital", self.facts()), self.figures()),
            "capitaltable": self.capital,
            "bridge": self.bridge,
            "netassets": self.net_assets,
            "performance": self.performance,
            "schedule": self.schedule,
            "exposure": self.exposure,
            "committee": _committee,
            "definitions": _definitions,
            "helios_q3": self.helios,
            "correction": self.correction,
            "close": self.close,
            "landscape": lambda: year_end.page(self.fund),
        }

    def capital(self) -> list[Flowable]:
        fund, q = self.fund, self.q
        quarter = QUARTERS[q - 1]
        rows = [
            Row("Total Commitments", (COMMITMENTS, COMMITMENTS)),
            Row("Contributions in the quarter", (quarter.call, QUARTERS[q - 2].call if q > 1 else 86_450)),
            Row("Contributions since inception", (fund.paid_in(q), fund.paid_in(q - 1))),
            Row("Distributions since inception", (fund.distributed(q), fund.distributed(q - 1))),
            Row("  of which recallable", (_recallable(q), _recallable(q - 1)), indent=1),
            Row(
                "Unfunded Commitments, recallable amounts included", (fund.unfunded(q), fund.unfunded(q - 1))
            ),
        ]
        return self._table(f"Commitments and cash flows, quarter ended {self.end}", rows)

    def bridge(self) -> list[Flowable]:
        fund, q = self.fund, self.q
        moves = fund.rollforward(q)
        rows = [Row("Net asset value at beginning of quarter", (fund.nav(q - 1),), "sub")]
        rows += [Row(_NAMES[line], (moves[line],)) for line in LINES if moves[line]]
        rows.append(Row(f"Net asset value at {self.end}", (fund.nav(q),), "total"))
        table = ruled(LOOK, ("US$ thousands", QUARTERS[q - 1].label + " 2022"), rows, (WIDTH - 96, 96))
        results = moves["dividend income"] + moves["realised gains"] + moves["unrealised gains"]
        costs = moves["management fees"] + moves["partnership expenses"] + moves["facility interest"]
        steps = (
            ("Opening\nNAV", fund.nav(q - 1)),
            ("Calls", moves["contributions"]),
            ("Distri-\nbutions", moves["distributions"]),
            ("Income\nand gains", results),
            ("Fees and\ncosts", costs),
            ("Carried\ninterest", moves["carried interest"]),
            ("Closing\nNAV", fund.nav(q)),
        )
        chart = waterfall(steps, WIDTH, 118, northriver.NAVY, HexColor("#2A7F86"), HexColor("#C7774B"))
        caption = paragraph(f"Net asset value bridge, {QUARTERS[q - 1].label} 2022", LOOK.heading(3))
        return [caption, table, chart, Spacer(1, 8)]

    def net_assets(self) -> list[Flowable]:
        fund, q = self.fund, self.q
        rows = [
            Row("Investments at fair value", (fund.investments(q), fund.investments(q - 1))),
            Row("Cash and cash equivalents", (fund.cash(q), fund.cash(q - 1))),
            Row("Subscription Facility", (-fund.facility(q), -fund.facility(q - 1))),
            Row("Accrued expenses", (-PAYABLES, -PAYABLES)),
            Row("Net assets before carried interest", (fund.net_assets(q), fund.net_assets(q - 1)), "sub"),
            Row("Accrued carried interest", (-fund.carry(q), -fund.carry(q - 1))),
            Row("Net asset value", (fund.nav(q), fund.nav(q - 1)), "total"),
        ]
        return self._table("Statement of net assets", rows)

    def performance(self) -> list[Flowable]:
        fund, q = self.fund, self.q
        note = (
            "The net internal rate of return is computed from the dates of calls and "
            "distributions and the net asset "
            "value at quarter end, after fees, expenses and accrued carried interest. DPI is "
            "distributions, and TVPI "
            "distributions plus net asset value, divided by contributions."
        )
        rows = [
            Row("Net return for the quarter", tuple(_quarter_return(fund, n) for n in (q, q - 1))),
            Row("Fair value to cost, unrealized investments", tuple(_multiple(fund, n) for n in (q, q - 1))),
            Row(
                "Facility drawings to investments at fair value", tuple(_gearing(fund, n) for n in (q, q - 1))
            ),
            Row(
                "Share of Commitments called", tuple(share(fund.paid_in(n), COMMITMENTS) for n in (q, q - 1))
            ),
        ]
        return [*self._table("Performance measures", rows, unit=""), paragraph(note, LOOK.small)]

    def _table(self, caption: str, rows: list[Row], unit: str = "US$ thousands") -> list[Flowable]:
        columns = (unit, _short(QUARTER_ENDS[self.q]), _short(QUARTER_ENDS[self.q - 1]))
        table = ruled(LOOK, columns, rows, (WIDTH - 184, 92, 92))
        return [paragraph(caption, LOOK.heading(3)), table]

    def schedule(self) -> list[Flowable]:
        fund, q = self.fund, self.q
        held = [h for h in fund.holdings if h.cost[q]]
        rows = [
            Row(
                h.name,
                (
                    h.business,
                    h.ownership if q > 1 or "Quillon" not in h.name else "55.0%",
                    h.cost[q],
                    h.value[q],
                    h.value[q] - h.cost[q],
                    share(h.value[q], fund.nav(q)),
                ),
            )
            for h in held
        ]
        total = fund.investments(q)
        rows.append(
            Row(
                "Total investments",
                ("", "", fund.cost(q), total, total - fund.cost(q), share(total, fund.nav(q))),
                "total",
            )
        )
        columns = (
            f"US$ thousands, {self.end}",
            "Business",
            "Interest",
            "Cost",
            "Fair\nvalue",
            "Gain\n(loss)",
            "% of\nNAV",
        )
        table = ruled(NARROW, columns, rows, (150, 98, 42, 44, 48, 42, WIDTH - 424))
        table.setStyle(TableStyle([("ALIGN", (1, 0), (1, -1), "LEFT")]))
        note = (
            "Interests are of fully diluted equity. Helios is valued at its quoted price (Level "
            "1); all other "
            "investments are valued from unobservable inputs (Level 3)."
        )
        return [table, paragraph(note, LOOK.small)]

    def exposure(self) -> list[Flowable]:
        """Fair value by currency, and by sector as a chart."""
        fund, q = self.fund, self.q
        currencies = {"US dollar": 0, "Pound sterling": 0, "Euro": 0}
        for h in fund.holdings:
            names = {"United Kingdom": "Pound sterling", "Netherlands": "Euro"}
            currencies[names.get(h.country, "US dollar")] += h.value[q]
        total = fund.investments(q)
        rows = [Row(name, (value, share(value, total))) for name, value in currencies.items() if value]
        rows.append(Row("Investments at fair value", (total, "100.0%"), "total"))
        table = ruled(LOOK, ("US$ thousands", "Fair value", "Share"), rows, (WIDTH - 184, 92, 92))
        items = [(h.business, round(100 * h.value[q] / total, 1)) for h in fund.holdings if h.cost[q]]
        chart = bars(sorted(items, key=lambda item: -item[1]), WIDTH, 108, northriver.TEAL, "%")
        return [
            paragraph("Exposure by currency of the company", LOOK.heading(3)),
            table,
            paragraph("Exposure by business, share of investments at fair value", LOOK.heading(3)),
            chart,
            Spacer(1, 6),
        ]

    def helios(self) -> list[Flowable]:
        price, on = HELIOS_PRICES[3], "September 30, 2022"
        if not self.reissued:
            price = HELIOS_PRICE_MISREAD
        said = (
            "<b>Helios Packaging Holdings, Inc.</b> began to close its plant at Elkhart, "
            "Indiana, and moved the volumes to "
            f"Dunmere. The Fund's 18,400,000 shares are valued at the closing price of ${price:.2f} on {on}."
        )
        return [paragraph(said, LOOK.body)]

    def correction(self) -> list[Flowable]:
        content = paragraph(prose("letter_q3_correction", self.facts())[0], LOOK.body)
        box = Table([[content]], colWidths=[WIDTH], spaceAfter=10)
        box.setStyle(
            TableStyle(
                [
                    ("BOX", (0, 0), (-1, -1), 0.9, HexColor("#A23B2A")),
                    ("BACKGROUND", (0, 0), (-1, -1), HexColor("#FBF1EE")),
                    ("LEFTPADDING", (0, 0), (-1, -1), 9),
                    ("RIGHTPADDING", (0, 0), (-1, -1), 9),
                    ("TOPPADDING", (0, 0), (-1, -1), 6),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
                ]
            )
        )
        return [box]

    def close(self) -> list[Flowable]:
        farewell = paragraph(prose("letter_close", {})[0], LOOK.body)
        return [KeepTogether([farewell, *northriver.signature(NAME, "NorthRiver GP IV, LLC")])]


def _short(value: date) -> str:
    return f"{value:%b} {value.day}, {value.year}"


def _recallable(q: int) -> int:
    return sum(quarter.recallable for quarter in QUARTERS[:q])


def _quarter_return(fund: Fund, q: int) -> str:
    """The quarter's result over opening value; the quarter before 2022 is given."""
    if q == 0:
        return "4.6%"
    moves = fund.rollforward(q)
    result = sum(moves.values()) - moves["contributions"] - moves["distributions"]
    percent = 100 * result / fund.nav(q - 1)
    return f"({-percent:.1f})%" if percent < 0 else f"{percent:.1f}%"


def _multiple(fund: Fund, q: int) -> str:
    return f"{fund.investments(q) / fund.cost(q):.2f}x"


def _gearing(fund: Fund, q: int) -> str:
    return share(fund.facility(q), fund.investments(q))


def _year_facts(fund: Fund) -> dict[str, object]:
    calls = sum(quarter.call for quarter in QUARTERS)
    distributions = -sum(quarter.distribution for quarter in QUARTERS)
    opening = fund.nav(0) + calls - distributions
    calloway, stratus = fund.holdings[3], fund.holdings[4]
    lost = sum(h.value[0] + h.cost[4] - h.cost[0] - h.value[4] for h in (calloway, stratus))
    return {
        "year_calls": Thousands(calls),
        "year_distributions": Thousands(distributions),
        "year_loss": share(opening - fund.nav(4), opening),
        "laggards": Thousands(lost),
    }


def _error_facts() -> dict[str, object]:
    wrong, right = Fund(misread=True), Fund()
    return {
        "wrong_price": f"${HELIOS_PRICE_MISREAD:.2f}",
        "right_price": f"${HELIOS_PRICES[3]:.2f}",
        "gross_error": Thousands(wrong.investments(3) - right.investments(3)),
        "carry_error": Thousands(wrong.carry(3) - right.carry(3)),
        "nav_error": Thousands(wrong.nav(3) - right.nav(3)),
        "error_percent": share(wrong.nav(3) - right.nav(3), right.nav(3)),
    }


def _committee() -> list[Flowable]:
    rows = [Row(i.name, (i.account,)) for i in INVESTORS if i.name and "GP" not in i.name]
    return [ruled(LOOK, ("Member", "Account"), rows, (WIDTH - 110, 110))]


def _definitions() -> list[Flowable]:
    rows = [tuple(part.split(": ", 1)) for part in prose("letter_definitions", {})]
    return [terms(LOOK, rows, (118, WIDTH - 118))]
