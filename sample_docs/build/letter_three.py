"""The year-end letter of NorthRiver III, a fund of the same family that is easily taken for NorthRiver IV."""

from __future__ import annotations

from reportlab.platypus import Flowable, KeepTogether

from . import northriver
from .fund import LINES, FundThree
from .kit import Properties, Row, build, panel, ruled
from .letters import _NAMES, LOOK, WIDTH
from .markup import flow, paragraph, prose
from .money import Thousands

NAME = "NorthRiver Capital Partners III, L.P."
NOTICE = "Confidential. For the Limited Partners of NorthRiver III only; not an offer of interests."
TITLE = "Letter for the quarter ended December 31, 2022"


def facts(fund: FundThree) -> dict[str, object]:
    distribution = -fund.movements[LINES.index("distributions")]
    return {
        "iii_nav": Thousands(fund.nav),
        "iii_distribution": Thousands(distribution),
        "iii_distributed": Thousands(fund.distributed),
        "iii_unfunded": Thousands(fund.commitments - fund.paid_in),
        "iii_carry": Thousands(fund.carry),
        "iii_dpi": f"{fund.distributed / fund.paid_in:.2f}x",
        "iii_tvpi": f"{fund.tvpi:.2f}x",
        "iii_irr": fund.irr,
    }


def make(pages: int) -> tuple[list, list[Flowable]]:
    fund = FundThree()
    story = northriver.addressee(NAME, "February 17, 2023", TITLE)
    story.append(
        panel(
            LOOK,
            (
                ("Remaining companies", "3"),
                ("Commitments, US$ millions", f"{fund.commitments / 1000:,.1f}"),
                ("Vintage", "2011"),
                ("End of term", "Sep 14, 2023"),
            ),
            WIDTH,
        )
    )
    figures = {
        "iii_bridge": lambda: _bridge(fund),
        "iii_schedule": lambda: _schedule(fund),
        "close": _close,
    }
    story += flow(LOOK, prose("letter_iii", facts(fund)), figures)
    return northriver.templates(NAME, "Quarterly letter, Q4 2022", NOTICE, pages), story


def _bridge(fund: FundThree) -> list[Flowable]:
    rows = [Row("Net asset value at beginning of quarter", (fund.opening_nav,), "sub")]
    rows += [Row(_NAMES[line], (x,)) for line, x in zip(LINES, fund.movements, strict=True) if x]
    rows.append(Row("Net asset value at December 31, 2022", (fund.nav,), "total"))
    return [ruled(LOOK, ("US$ thousands", "Q4 2022"), rows, (WIDTH - 96, 96))]


def _schedule(fund: FundThree) -> list[Flowable]:
    rows = [Row(name, (business, cost, value)) for name, business, cost, value in fund.holdings]
    rows += [
        Row("Investments", ("", sum(h[2] for h in fund.holdings), sum(h[3] for h in fund.holdings)), "sub"),
        Row("Cash less accrued expenses", ("", None, fund.cash - fund.payables)),
        Row("Accrued carried interest", ("", None, -fund.carry)),
        Row("Net asset value", ("", None, fund.nav), "total"),
    ]
    table = ruled(LOOK, ("US$ thousands", "Business", "Cost", "Fair value"), rows, (180, WIDTH - 340, 80, 80))
    table.setStyle([("ALIGN", (1, 0), (1, -1), "LEFT")])
    return [paragraph("Schedule of investments and net assets at December 31, 2022", LOOK.heading(3)), table]


def _close() -> list[Flowable]:
    farewell = paragraph(prose("letter_close", {})[0], LOOK.body)
    return [KeepTogether([farewell, *northriver.signature(NAME, "NorthRiver GP III, LLC")])]


def pdf() -> bytes:
    return build(make, Properties(f"{NAME}: {TITLE}", "NorthRiver GP III, LLC", "Quarterly letter, Q4 2022"))
