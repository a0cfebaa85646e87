"""Capital account statements, as the fund's administrator sends them."""

from __future__ import annotations

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Frame, PageBreak, PageTemplate, Spacer

from .fund import (
    COMMITMENTS,
    DISTRIBUTION_DATES,
    LINES,
    QUARTER_ENDS,
    QUARTERS,
    Account,
    Fund,
    Investor,
    _allocate,
)
from .kit import HEIGHT, WIDTH, Look, Properties, Row, build, line, rule, ruled, terms
from .letters import _NAMES, NAME, day
from .markup import paragraph
from .money import cents

SLATE, SAND = HexColor("#33475B"), HexColor("#B08948")
LOOK = Look(
    serif=False, size=8.8, leading=12.2, accent=SLATE, tint=HexColor("#F3F1EC"), justify=False, table_size=8.3
)
LEFT = 62.0
TEXT = WIDTH - 2 * LEFT
_ISSUED = {3: "December 6, 2022", 4: "February 21, 2023"}
_NOTES = (
    "This statement is unaudited and is prepared from the books of the Fund kept by the "
    "Administrator. Balances are "
    "stated after accrued carried interest at the Investor's share.",
    "Income, expenses and gains are allocated in proportion to Commitments. The "
    "Management Fee is allocated at the "
    "rate that applies to the Investor, which can differ from that of other Investors by agreement.",
    "Unfunded Commitment is Commitment less contributions plus recallable distributions. "
    "The Subscription Facility "
    "is secured by the right to call it.",
    "Amounts are rounded to the cent for each Investor; the sum over all Investors can "
    "differ from the Fund's total "
    "by a few cents.",
)


def _templates(account: Account, pages: int) -> list[PageTemplate]:
    def page(canvas: Canvas, _: object) -> None:
        canvas.setFillColor(SLATE)
        canvas.rect(0, HEIGHT - 66, WIDTH, 66, stroke=0, fill=1)
        canvas.setFillColor(SAND)
        canvas.rect(0, HEIGHT - 69, WIDTH, 3, stroke=0, fill=1)
        white = HexColor("#FFFFFF")
        line(canvas, LEFT, HEIGHT - 36, "Lyle Harbour", "Times-Bold", 18, white)
        line(canvas, LEFT, HEIGHT - 50, "Fund Services", "Times-Italic", 10.5, HexColor("#E8DFCD"))
        line(
            canvas,
            WIDTH - LEFT,
            HEIGHT - 34,
            "Capital account statement",
            "Helvetica-Bold",
            11,
            white,
            "right",
        )
        ended = f"Quarter ended {day(QUARTER_ENDS[account.q])}"
        line(canvas, WIDTH - LEFT, HEIGHT - 49, ended, "Helvetica", 8.5, white, "right")
        rule(canvas, LEFT, WIDTH - LEFT, 52, 0.4, SLATE)
        address = "Lyle Harbour Fund Services, 18 Custom House Street, Wilmington, Delaware 19801"
        line(canvas, LEFT, 41, address, "Helvetica", 6.8, SLATE)
        number = f"Account {account.investor.account}   Page {canvas.getPageNumber()} of {pages}"
        line(canvas, WIDTH - LEFT, 41, number, "Helvetica", 6.8, SLATE, "right")

    frame = Frame(LEFT, 60, TEXT, HEIGHT - 146, leftPadding=0, rightPadding=0)
    return [PageTemplate("page", [frame], onPage=page)]


def _head(account: Account) -> list[Flowable]:
    rows = [
        ("Fund", NAME),
        ("Investor account", account.investor.account),
        ("Currency", "US dollar"),
        ("Commitment", f"${account.investor.commitment * 1000:,}.00"),
        ("Share of Commitments", f"{100 * account.investor.commitment / COMMITMENTS:.4f}%"),
        ("Date of statement", _ISSUED[account.q]),
    ]
    return [terms(LOOK, rows, (130, TEXT - 130)), Spacer(1, 4)]


def _statement(account: Account) -> list[Flowable]:
    q = account.q
    columns = (account.lines(q, q), account.lines(1, q), account.lines(0, q))
    opening = (account.balance(q - 1), account.balance(0), 0)
    rows = [Row("Balance at beginning of period", tuple(cents(x) for x in opening), "sub")]
    rows += [Row(_NAMES[name], tuple(cents(column[name]) for column in columns)) for name in LINES]
    closing = tuple(
        cents(start + sum(column.values())) for start, column in zip(opening, columns, strict=True)
    )
    rows.append(Row("Balance at end of period", closing, "total"))
    heads = ("US$", "Quarter", "Year to date", "Since inception")
    table = ruled(LOOK, heads, rows, (TEXT - 300, 100, 100, 100))
    return [paragraph("Statement of changes in the capital account", LOOK.heading(2)), table]


def _commitment(account: Account) -> list[Flowable]:
    share = account.investor.commitment
    paid = _allocate(account.fund.paid_in(account.q), share)
    recallable = _allocate(sum(quarter.recallable for quarter in QUARTERS[: account.q]), share)
    rows = [
        Row("Commitment", (cents(share * 100_000),)),
        Row("Contributions since inception", (cents(-paid),)),
        Row("Recallable distributions", (cents(recallable),)),
        Row("Unfunded Commitment", (cents(account.unfunded),), "total"),
    ]
    table = ruled(LOOK, ("US$", day(QUARTER_ENDS[account.q])), rows, (TEXT - 130, 130))
    return [paragraph("Commitment", LOOK.heading(2)), table]


def _transactions(account: Account) -> list[Flowable]:
    quarter = QUARTERS[account.q - 1]
    share = account.investor.commitment
    called = (
        f"Capital Call No. {quarter.call_number}",
        day(quarter.call_date),
        cents(_allocate(quarter.call, share)),
    )
    rows = [Row(called[0], called[1:])]
    paid = DISTRIBUTION_DATES[account.q - 1]
    if paid is not None:
        rows.append(Row("Distribution", (day(paid), cents(_allocate(quarter.distribution, share)))))
    table = ruled(LOOK, ("Transaction", "Value date", "US$"), rows, (TEXT - 250, 120, 130))
    return [paragraph("Transactions of the quarter", LOOK.heading(2)), table]


def _holdings(account: Account) -> list[Flowable]:
    share, fund, q = account.investor.commitment, account.fund, account.q
    rows = [
        Row(h.name, (cents(_allocate(h.cost[q], share)), cents(_allocate(h.value[q], share))))
        for h in fund.holdings
        if h.cost[q]
    ]
    table = ruled(LOOK, ("US$", "Cost", "Fair value"), rows, (TEXT - 240, 120, 120))
    return [paragraph("The Investor's share of investments, before carried interest", LOOK.heading(2)), table]


def pdf(investor: Investor, q: int) -> bytes:
    account = Account(investor, Fund(), q)

    def make(pages: int) -> tuple[list, list[Flowable]]:
        story = [*_head(account), *_statement(account), *_transactions(account), PageBreak()]
        story += [*_commitment(account), *_holdings(account), paragraph("Notes", LOOK.heading(2))]
        story += [paragraph(f"{n}. {note}", LOOK.body) for n, note in enumerate(_NOTES, start=1)]
        return _templates(account, pages), story

    title = f"{NAME}: capital account statement {investor.account}, {day(QUARTER_ENDS[q])}"
    return build(make, Properties(title, "Lyle Harbour Fund Services", "Capital account statement"))
