"""The schedule of investments at year end, on a page that is printed sideways."""

from __future__ import annotations

from reportlab.platypus import Flowable, NextPageTemplate, PageBreak, Table, TableStyle

from . import northriver
from .fund import QUARTERS, Fund, Holding
from .kit import Row, ruled
from .markup import paragraph
from .money import share

WIDTH = 792 - 2 * northriver.LEFT
#: Multiples of EBITDA and other inputs behind the year-end marks, by position in the schedule.
_INPUTS = (
    "Quoted price",
    "EV/EBITDA 12.3x",
    "EV/EBITDA 13.4x",
    "EV/EBITDA 7.9x",
    "EV/revenue 2.6x",
    "EV/EBITDA 8.7x",
    "EV/EBITDA 9.8x",
    "Transaction price",
)
_COLUMNS = (
    "US$ thousands",
    "Business",
    "Country",
    "Acquired",
    "Interest",
    "Cost",
    "Fair\nvalue",
    "Gain\n(loss)",
    "Multiple",
    "% of\nNAV",
    "Level",
    "Principal input",
)
_NOTE = (
    "Multiples are of cost. EBITDA is that of the twelve months to the date of the schedule, pro forma for "
    "acquisitions. The transaction price is that of the June 2022 sale, adjusted for results since."
)


def page(fund: Fund) -> list[Flowable]:
    look = northriver.LOOK
    return [
        NextPageTemplate("sideways"),
        PageBreak(),
        paragraph("Schedule of investments at December 31, 2022", look.heading(1)),
        _schedule(fund),
        paragraph(_NOTE, look.small),
        paragraph("Changes in fair value during 2022", look.heading(2)),
        _changes(fund, WIDTH),
    ]


def _schedule(fund: Fund) -> Table:
    nav, total, cost = fund.nav(4), fund.investments(4), fund.cost(4)
    rows = [_row(h, inputs, nav) for h, inputs in zip(fund.holdings, _INPUTS, strict=True)]
    sums = (cost, total, total - cost, f"{total / cost:.2f}x", share(total, nav))
    rows.append(Row("Total investments", ("", "", "", "", *sums, "", ""), "total"))
    widths = (132, 92, 62, 40, 38, 37, 38, 38, 36, 34, 32, WIDTH - 579)
    table = ruled(northriver.NARROW, _COLUMNS, rows, widths)
    left = [("ALIGN", (1, 0), (3, -1), "LEFT"), ("ALIGN", (-2, 0), (-1, -1), "LEFT")]
    table.setStyle(TableStyle([*left, ("LEFTPADDING", (0, 0), (-1, -1), 2)]))
    return table


def _row(h: Holding, inputs: str, nav: int) -> Row:
    cost, value = h.cost[4], h.value[4]
    figures = (cost, value, value - cost, f"{value / cost:.2f}x", share(value, nav))
    return Row(h.name, (h.business, h.country, h.acquired, h.ownership, *figures, h.method, inputs))


def _changes(fund: Fund, width: float) -> Table:
    """Fair value from the beginning to the end of 2022, company by company."""
    sold = sum(quarter.proceeds for quarter in QUARTERS)
    rows, sums = [], [0] * 5
    for h in fund.holdings:
        proceeds = sold if h.name.startswith("Quillon") else 0
        realised_cost = sum(quarter.realised_cost for quarter in QUARTERS) if proceeds else 0
        purchases = h.cost[4] - h.cost[0] + realised_cost
        result = h.value[4] - h.value[0] - purchases + proceeds
        values = (h.value[0], purchases, -proceeds, result, h.value[4])
        sums = [a + b for a, b in zip(sums, values, strict=True)]
        rows.append(Row(h.name, values))
    rows.append(Row("Total investments", tuple(sums), "total"))
    columns = (
        "US$ thousands",
        "Dec 31, 2021",
        "Purchases",
        "Sale proceeds",
        "Realized and\nunrealized result",
        "Dec 31, 2022",
    )
    return ruled(northriver.NARROW, columns, rows, (width - 460, 92, 92, 92, 92, 92))
