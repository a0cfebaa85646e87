"""Law-firm summaries of two credit agreements. The fund's letters know them by project name only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Frame, PageTemplate, Spacer

from .kit import HEIGHT, WIDTH, Look, Properties, Row, build, line, rule, ruled, spaced, terms
from .markup import flow, paragraph, prose

WINE, GREY = HexColor("#5C1F2B"), HexColor("#555555")
LOOK = Look(
    accent=WINE,
    tint=HexColor("#F6F1EF"),
    heading_serif=True,
    table_serif=True,
    size=10.6,
    leading=14.0,
    table_size=9.4,
)
LEFT = 84.0
TEXT = WIDTH - 2 * LEFT
FIRM = "Ardmore Pell LLP"


@dataclass(frozen=True, slots=True)
class Summary:
    """What differs between the two memoranda; ``covenants`` and ``lenders`` are (columns, rows)."""

    source: str
    project: str
    date: str
    parties: tuple[tuple[str, str], ...]
    covenants: tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
    baskets: tuple[tuple[str, str], ...]
    lenders: tuple[tuple[str, int, int], ...] = ()

    def make(self, pages: int) -> tuple[list, list[Flowable]]:
        story = _opening(self)
        story += flow(LOOK, prose(self.source, {}), self.figures())
        story.append(Spacer(1, 6))
        story.append(paragraph(f"<i>{FIRM}</i>", LOOK.body))
        return _templates(self.project, pages), story

    def figures(self) -> dict[str, Callable[[], list[Flowable]]]:
        return {
            "parties": lambda: [terms(LOOK, self.parties, (116, TEXT - 116))],
            "covenants": self.covenant_table,
            "baskets": lambda: [terms(LOOK, self.baskets, (150, TEXT - 150))],
            "lenders": self.lender_table,
        }

    def covenant_table(self) -> list[Flowable]:
        columns, rows = self.covenants
        value = (TEXT - 190) / (len(columns) - 1)
        widths = (190, *(value for _ in columns[1:]))
        return [ruled(LOOK, columns, [Row(row[0], row[1:]) for row in rows], widths)]

    def lender_table(self) -> list[Flowable]:
        rows = [
            Row(name, (f"{term}.0", f"{revolver}.0" if revolver else "—"))
            for name, term, revolver in self.lenders
        ]
        sums = tuple(f"{sum(lender[i] for lender in self.lenders)}.0" for i in (1, 2))
        rows.append(Row("Total", sums, "total"))
        columns = ("US$ millions", "Term Loan", "Revolving Facility")
        return [ruled(LOOK, columns, rows, (TEXT - 190, 80, 110))]

    def pdf(self) -> bytes:
        title = f"Project {self.project}: summary of the credit agreement"
        return build(self.make, Properties(title, FIRM, "Memorandum"))


def _templates(project: str, pages: int) -> list[PageTemplate]:
    def foot(canvas: Canvas) -> None:
        rule(canvas, LEFT, WIDTH - LEFT, 52, 0.4, GREY)
        line(canvas, LEFT, 41, "Privileged and confidential. Attorney work product.", "Times-Italic", 8, GREY)
        number = f"{canvas.getPageNumber()} / {pages}"
        line(canvas, WIDTH - LEFT, 41, number, "Times-Roman", 8, GREY, "right")

    def first(canvas: Canvas, _: object) -> None:
        spaced(canvas, LEFT, HEIGHT - 66, "ARDMORE PELL", "Times-Roman", 19, 4.0, WINE)
        line(canvas, LEFT, HEIGHT - 80, "A limited liability partnership", "Times-Italic", 8.5, GREY)
        office = ("One Whitcombe Square", "New York, New York 10004", "+1 212 555 0119")
        for number, part in enumerate(office):
            line(canvas, WIDTH - LEFT, HEIGHT - 58 - 10.5 * number, part, "Times-Roman", 8.5, GREY, "right")
        rule(canvas, LEFT, WIDTH - LEFT, HEIGHT - 92, 1.1, WINE)
        foot(canvas)

    def later(canvas: Canvas, _: object) -> None:
        line(canvas, LEFT, HEIGHT - 48, f"Project {project}", "Times-Italic", 8.5, GREY)
        line(canvas, WIDTH - LEFT, HEIGHT - 48, FIRM, "Times-Italic", 8.5, GREY, "right")
        rule(canvas, LEFT, WIDTH - LEFT, HEIGHT - 54, 0.4, GREY)
        foot(canvas)

    def frame(top: float) -> Frame:
        return Frame(LEFT, 60, TEXT, HEIGHT - 60 - top, leftPadding=0, rightPadding=0)

    return [
        PageTemplate("first", [frame(104)], onPage=first, autoNextPageTemplate="later"),
        PageTemplate("later", [frame(62)], onPage=later),
    ]


def _opening(summary: Summary) -> list[Flowable]:
    rows = (
        ("To", "NorthRiver Capital Management, L.P., attention of the general counsel"),
        ("From", f"{FIRM}, finance group"),
        ("Date", summary.date),
        ("Subject", f"<b>Project {summary.project}: summary of the credit agreement</b>"),
    )
    return [
        paragraph("MEMORANDUM", LOOK.heading(1)),
        terms(LOOK, rows, (70, TEXT - 70)),
        Spacer(1, 4),
    ]


KESTREL = Summary(
    source="kestrel",
    project="Kestrel",
    date="June 27, 2022",
    parties=(
        ("Agreement", "Credit Agreement dated June 15, 2022, governed by the laws of New York."),
        (
            "Borrower",
            "Helios Packaging Operating Company, LLC, a Delaware company and an indirect wholly "
            "owned subsidiary of "
            'Helios Packaging Holdings, Inc. ("Holdings").',
        ),
        (
            "Guarantors",
            "Holdings and each wholly owned domestic subsidiary, with exceptions for small companies.",
        ),
        (
            "Administrative agent",
            "Castellan Bank, N.A., which is also collateral agent and issuer of letters of credit.",
        ),
        ("Term Loan", "$550.0 million, drawn in full at closing. Maturity: June 15, 2029."),
        (
            "Revolving Facility",
            "$150.0 million, of which up to $35.0 million for letters of credit. Maturity: June "
            "15, 2027. | If more than "
            "$50.0 million of the Senior Notes due 2028 is outstanding on July 15, 2028, the "
            "Term Loan falls due on that day.",
        ),
        (
            "Security",
            "First lien on substantially all assets of the Borrower and the guarantors, and 65% "
            "of foreign shares.",
        ),
        (
            "Use of proceeds",
            "Repayment of the loan agreement of 2018, reduction of revolving loans, fees and expenses.",
        ),
    ),
    covenants=(
        ("Test dates", "Total Net Leverage\nno more than", "Interest Coverage\nno less than"),
        (
            ("September 30 and December 31, 2022", "4.75 to 1.00", "2.50 to 1.00"),
            ("March 31 to September 30, 2023", "4.50 to 1.00", "2.50 to 1.00"),
            ("December 31, 2023 to September 30, 2024", "4.25 to 1.00", "2.75 to 1.00"),
            ("December 31, 2024 and later", "4.00 to 1.00", "2.75 to 1.00"),
        ),
    ),
    baskets=(
        (
            "Incremental facilities",
            "$160.0 million, plus an amount subject to First Lien Net Leverage of 3.00 to 1.00.",
        ),
        ("General debt", "The greater of $60.0 million and 30% of Consolidated EBITDA."),
        ("Finance leases", "The greater of $45.0 million and 22.5% of Consolidated EBITDA."),
        (
            "Restricted payments",
            "$20.0 million a year while Total Net Leverage is below 4.00 to 1.00, otherwise $9.0 million.",
        ),
        (
            "Permitted acquisitions",
            "No cap for guarantors; $75.0 million for companies that do not become guarantors.",
        ),
        (
            "Disposals",
            "Fair value, at least 75% in cash; the greater of $25.0 million and 12.5% of EBITDA "
            "a year without reinvestment.",
        ),
        ("Sponsor fees", "Monitoring fee of up to $2.5 million a year."),
    ),
    lenders=(
        ("Castellan Bank, N.A.", 120, 50),
        ("Harrow Stane Bank plc", 95, 40),
        ("Norvik Savings Bank", 85, 35),
        ("Ferrous Trust Company", 80, 25),
        ("Brightline Loan Opportunities, Ltd.", 70, 0),
        ("Aubrey Lane CLO vehicles", 60, 0),
        ("NorthRiver Credit Opportunities Fund II, L.P.", 40, 0),
    ),
)

OSPREY = Summary(
    source="osprey",
    project="Osprey",
    date="November 15, 2022",
    parties=(
        ("Agreement", "Credit Agreement dated November 8, 2022 (unitranche)."),
        ("Borrower", "Meridian Cold Storage, LLC, a Delaware company."),
        ("Guarantors", "All domestic subsidiaries, among them the owners of the warehouses."),
        (
            "Agent and lender",
            "Ostrava Lane Credit Partners, as administrative agent and, with its affiliates, as sole lender.",
        ),
        ("Term loan", "$310.0 million, drawn in full at closing. Maturity: November 8, 2028."),
        (
            "Delayed-draw loan",
            "$75.0 million, available until November 8, 2024 for new warehouses, if Total "
            "Leverage does not exceed 5.25 to 1.00 pro forma.",
        ),
        ("Security", "First lien on all assets, with mortgages on eleven warehouses."),
        (
            "Use of proceeds",
            "Repayment of existing debt of $238.0 million, the permitted dividend, fees and expenses.",
        ),
    ),
    covenants=(
        (
            "Test dates",
            "Total Leverage\nno more\nthan",
            "Fixed charge\ncoverage\nno less than",
            "Liquidity\nno less\nthan",
        ),
        (
            ("December 31, 2022 to December 31, 2023", "6.75 to 1.00", "1.10 to 1.00", "$15.0 million"),
            ("March 31, 2024 to December 31, 2024", "6.50 to 1.00", "1.15 to 1.00", "$15.0 million"),
            ("March 31, 2025 and later", "6.25 to 1.00", "1.20 to 1.00", "$12.5 million"),
        ),
    ),
    baskets=(
        ("General debt", "$12.0 million."),
        (
            "Acquisitions",
            "Warehouses in the United States only, with the agent's consent above $40.0 million each.",
        ),
        ("Capital expenditures", "$48.0 million a year, of which half may be carried forward for one year."),
        ("Sponsor fees", "$1.0 million a year, subordinated."),
        ("Investments", "$10.0 million, and none in companies of the sponsor."),
    ),
)
