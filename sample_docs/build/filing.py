"""The annual report of Helios Packaging Holdings, Inc. on Form 10-K for 2022."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from reportlab.lib.colors import HexColor, black
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Spacer,
    Table,
)

from . import filing_cover
from . import filing_notes as notes
from . import filing_statements as statements
from . import helios as h
from .kit import HEIGHT, WIDTH, Look, Properties, Row, build, contents, line, rule, ruled
from .markup import flow, paragraph, prose
from .money import Thousands, change, share

NAME = "Helios Packaging Holdings, Inc."
LOOK = Look(
    accent=black,
    tint=HexColor("#E4EEF7"),
    heading_serif=True,
    table_serif=True,
    size=10.6,
    leading=14.1,
    table_size=9.4,
    space=8.0,
)
LEFT = 70.0
TEXT = WIDTH - 2 * LEFT
_TOC = re.compile(r"(PART )?.*")


def facts() -> dict[str, object]:
    series = {
        "sales": h.INCOME["sales"],
        "cost": tuple(-x for x in h.INCOME["cost of sales"]),
        "selling": tuple(-x for x in h.INCOME["selling"]),
        "research": tuple(-x for x in h.INCOME["research"]),
        "restructuring": tuple(-x for x in h.INCOME["restructuring"]),
        "interest": tuple(-x for x in h.INCOME["interest"]),
        "extinguishment": tuple(-x for x in h.INCOME["extinguishment"]),
        "operating": h.OPERATING_INCOME,
        "net": h.NET_INCOME,
        "stock": h.STOCK_COMPENSATION,
        "rigid": h.SEGMENTS["Rigid Containers"][0],
        "films": h.SEGMENTS["Flexible Films"][0],
        "closures": h.SEGMENTS["Closures and Dispensing"][0],
    }
    values: dict[str, object] = {}
    for name, amounts in series.items():
        values |= {f"{name}_{year}": Thousands(x) for year, x in zip(h.YEARS, amounts, strict=True)}
        if all(amounts):
            values[f"{name}_pct"] = change(amounts[2], amounts[1]).strip("()")
            values[f"{name}_pct_before"] = change(amounts[1], amounts[0]).strip("()")
        values[f"{name}_share_2022"] = share(amounts[2], h.INCOME["sales"][2])
        values[f"{name}_share_2021"] = share(amounts[1], h.INCOME["sales"][1])
    for index, year in enumerate(h.YEARS):
        values[f"gross_margin_{year}"] = share(h.GROSS_PROFIT[index], h.INCOME["sales"][index])
        values[f"tax_rate_{year}"] = share(-h.INCOME["tax"][index], h.PRETAX[index])
        values[f"eps_{year}"] = f"{h.NET_INCOME[index] / h.WEIGHTED_DILUTED[index]:.2f}"
        values[f"cfo_{year}"] = Thousands(h.cash_flow("operating", year))
        for cause, name in (
            ("capital expenditures", "capex"),
            ("dividends", "dividends"),
            ("share repurchases", "repurchases"),
        ):
            values[f"{name}_{year}"] = Thousands(-h.movement(cause, "cash", year))
    return values | {
        "interest_amount_change": Thousands(h.INCOME["interest"][1] - h.INCOME["interest"][2]),
        "fees_2022": Thousands(-h.movement("debt issuance costs", "cash", 2022)),
        "principal_2022": Thousands(h.PRINCIPAL[1]),
        "goodwill_2022": Thousands(h.balance("goodwill", 2022)),
        "cash_2022": Thousands(h.balance("cash", 2022)),
        "leverage_2022": f"{h.net_leverage(2022):.2f}",
    }


def figures() -> dict[str, Callable[[], list[Flowable]]]:
    def sheet(make: Callable[[], notes.Sheet]) -> list[Flowable]:
        data = make()
        return [_table(LOOK, data.columns, data.rows, data.value, data.dollars)]

    def statement(
        make: Callable[[], list[Row]], heading: str, years: tuple[str, ...], value: float, look: Look = LOOK
    ) -> list[Flowable]:
        see = paragraph("See the notes to the consolidated financial statements.", LOOK.small)
        return [_table(look, (heading, *years), make(), value, True), see]

    three, two = ("2022", "2021", "2020"), ("2022", "2021")
    money = "Years ended December 31, in thousands"
    accounts = (
        "Common\nstock",
        "Paid-in\ncapital",
        "Treasury\nstock",
        "Retained\nearnings",
        "Accum. other\ncompr. loss",
        "Total",
    )
    return {name: partial(sheet, make) for name, make in notes.SHEETS.items()} | {
        "income": lambda: statement(statements.income, f"{money}, except per-share amounts", three, 78),
        "comprehensive": lambda: statement(statements.comprehensive, money, three, 78),
        "balance": lambda: statement(statements.balance_sheet, "December 31, in thousands", two, 86),
        "cashflow": lambda: statement(statements.cash_flow, money, three, 76, CASH),
        "equity": lambda: statement(statements.equity, "In thousands", accounts, 52, EQUITY),
        "signatures": _signatures,
    }


CASH = Look(accent=black, tint=HexColor("#E4EEF7"), table_serif=True, table_size=8.7)
EQUITY = Look(accent=black, tint=HexColor("#E4EEF7"), table_serif=True, table_size=7.9)


def _table(look: Look, columns: tuple[str, ...], rows: list[Row], value: float, dollars: bool) -> Table:
    widths = (TEXT - value * (len(columns) - 1), *(value for _ in columns[1:]))
    return ruled(look, columns, rows, widths, dollars=dollars, shade=True)


def _signatures() -> list[Flowable]:
    people = (
        ("Adaeze Lindqvist", "President, chief executive officer and director"),
        ("Tobias Renfrew", "Chief financial officer (principal financial and accounting officer)"),
        ("Rosalind Achterberg", "Acting chair of the board"),
        ("Idris Marchetti", "Director"),
        ("Celestine Abara", "Director"),
        ("Thaddeus Okoro-Finch", "Director"),
        ("Wilhelmina Grasso", "Director"),
    )
    rows = [Row(f"/s/ {name}", (title,)) for name, title in people]
    table = ruled(LOOK, ("Signature", "Title"), rows, (170, TEXT - 170), align="left")
    return [table, paragraph(f"{NAME}<br/>February 28, 2023", LOOK.body)]


def _templates() -> list[PageTemplate]:
    def page(canvas: Canvas, _: object) -> None:
        line(canvas, LEFT, HEIGHT - 44, NAME, "Times-Italic", 8.5)
        line(
            canvas,
            WIDTH - LEFT,
            HEIGHT - 44,
            "Annual report on Form 10-K, 2022",
            "Times-Italic",
            8.5,
            align="right",
        )
        rule(canvas, LEFT, WIDTH - LEFT, HEIGHT - 49, 0.4)
        line(canvas, WIDTH / 2, 36, str(canvas.getPageNumber()), "Times-Roman", 9.5, align="centre")

    def frame(top: float) -> Frame:
        return Frame(LEFT, 54, TEXT, HEIGHT - 54 - top, leftPadding=0, rightPadding=0)

    return [PageTemplate("cover", [frame(40)]), PageTemplate("page", [frame(56)], onPage=page)]


def make(_: int) -> tuple[list, list[Flowable]]:
    story = [*filing_cover.page(LOOK, TEXT), NextPageTemplate("page"), PageBreak()]
    title = ParagraphStyle("contents", parent=LOOK.heading(1), alignment=TA_CENTER)
    story += [paragraph("Table of Contents", title), contents(LOOK), Spacer(1, 10), PageBreak()]
    values = facts()
    for part in ("10k_business", "10k_mda", "10k_notes", "10k_part3"):
        story += flow(LOOK, prose(part, values), figures(), _TOC)
    return _templates(), story


def pdf() -> bytes:
    title = f"{NAME}: annual report on Form 10-K for the fiscal year ended December 31, 2022"
    return build(make, Properties(title, NAME, "Form 10-K"))
