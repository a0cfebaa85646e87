"""The smaller tables of the Helios annual report: Items 1 to 7, the notes and Part III."""

from __future__ import annotations

from dataclasses import dataclass

from . import helios as h
from .filing_statements import THREE, latest_first
from .kit import Row
from .money import share

YEAR_ENDS = ("2022", "2021")


@dataclass(frozen=True, slots=True)
class Sheet:
    """Columns and rows of a table; ``value`` is the width of a value column in points."""

    columns: tuple[str, ...]
    rows: list[Row]
    value: float = 74.0
    dollars: bool = True


def _rows(pairs: dict[str, tuple], total: str = "", kind: str = "total") -> list[Row]:
    rows = [Row(name, values) for name, values in pairs.items()]
    if total:
        rows.append(Row(total, tuple(sum(column) for column in zip(*pairs.values(), strict=True)), kind))
    return rows


def segment_summary() -> Sheet:
    rows = []
    for name, (sales, ebitda) in h.SEGMENTS.items():
        rows.append(Row(name, (sales[2], share(sales[2], h.INCOME["sales"][2]), share(ebitda[2], sales[2]))))
    return Sheet(
        (
            "Year ended December 31, 2022",
            "Net sales\n(thousands)",
            "Share of\nnet sales",
            "Adjusted\nEBITDA margin",
        ),
        rows,
        84,
    )


def properties() -> Sheet:
    sites = (
        ("Toledo, Ohio", "Rigid Containers", "Owned", 412),
        ("Dunmere, Ohio", "Rigid Containers", "Owned", 688),
        ("Janesville, Wisconsin", "Rigid Containers", "Owned", 355),
        ("Elkhart, Indiana (closed)", "Rigid Containers", "Owned", 241),
        ("Monterrey, Mexico", "Rigid Containers", "Leased", 298),
        ("Greenwood, South Carolina", "Flexible Films", "Owned", 376),
        ("Oshkosh, Wisconsin", "Flexible Films", "Owned", 318),
        ("Lodz, Poland", "Flexible Films", "Owned", 334),
        ("Evansville, Indiana", "Closures and Dispensing", "Leased", 205),
        ("Venlo, Netherlands", "Closures and Dispensing", "Owned", 187),
        ("Perrysburg, Ohio", "Laboratory", "Leased", 38),
    )
    rows = [Row(place, (use, tenure, area)) for place, use, tenure, area in sites]
    return Sheet(("Site", "Segment", "Tenure", "Thousand\nsquare feet"), rows, 104, dollars=False)


def prices() -> Sheet:
    quarters = (
        ("First quarter 2021", "16.20", "13.05", "15.46", "0.05"),
        ("Second quarter 2021", "17.11", "14.72", "16.38", "0.05"),
        ("Third quarter 2021", "16.94", "14.10", "14.55", "0.05"),
        ("Fourth quarter 2021", "15.63", "13.28", "14.20", "0.05"),
        ("First quarter 2022", "15.02", "12.66", "13.10", "0.05"),
        ("Second quarter 2022", "13.48", "11.02", "11.85", "0.05"),
        ("Third quarter 2022", "12.31", "9.94", "10.40", "0.05"),
        ("Fourth quarter 2022", "12.08", "9.87", "11.50", "0.05"),
    )
    rows = [Row(name, values) for name, *values in quarters]
    return Sheet(("US dollars per share", "High", "Low", "Last", "Dividend"), rows, 66, dollars=False)


def repurchases() -> Sheet:
    rows = [
        Row("October 1 to 31, 2022", ("—", "—", "15.7")),
        Row("November 1 to 30, 2022", ("62,000", "10.61", "15.1")),
        Row("December 1 to 31, 2022", ("48,000", "11.20", "14.6")),
    ]
    heads = ("Period", "Shares\npurchased", "Average price,\nUS dollars", "Still authorized,\nUS$ millions")
    return Sheet(heads, rows, 84, dollars=False)


def results() -> Sheet:
    lines = {
        "Net sales": h.INCOME["sales"],
        "Gross profit": h.GROSS_PROFIT,
        "Operating income": h.OPERATING_INCOME,
        "Net income": h.NET_INCOME,
    }
    rows = []
    for name, series in lines.items():
        rows.append(Row(name, latest_first(series)))
        if name != "Net sales":
            margins = tuple(share(series[i], h.INCOME["sales"][i]) for i in (2, 1, 0))
            rows.append(Row("as a share of net sales", margins, indent=1))
    return Sheet(("Years ended December 31, in thousands", "2022", "2021", "2020"), rows)


def segment_results() -> Sheet:
    rows = []
    for name, (sales, ebitda_of) in h.SEGMENTS.items():
        margins = tuple(share(ebitda_of[i], sales[i]) for i in (2, 1, 0))
        rows += [
            Row(name, kind="head"),
            Row("Net sales", latest_first(sales), indent=1),
            Row("Adjusted EBITDA", latest_first(ebitda_of), indent=1),
            Row("as a share of net sales", margins, indent=2),
        ]
    return Sheet(("Years ended December 31, in thousands", "2022", "2021", "2020"), rows)


def quarters() -> Sheet:
    """The four quarters of 2022; the last is what is left of the year."""
    first_three = {
        "Net sales": (306_410, 341_950, 329_880),
        "Gross profit": (54_120, 57_310, 59_940),
        "Operating income": (22_330, 23_870, 23_140),
        "Net income": (9_480, 6_260, 8_350),
    }
    years = (h.INCOME["sales"][2], h.GROSS_PROFIT[2], h.OPERATING_INCOME[2], h.NET_INCOME[2])
    rows = [
        Row(name, (*values, year - sum(values), year))
        for (name, values), year in zip(first_three.items(), years, strict=True)
    ]
    return Sheet(("2022, in thousands", "First", "Second", "Third", "Fourth", "Year"), rows, 68)


def ebitda() -> Sheet:
    rows = [
        Row("Net income", latest_first(h.NET_INCOME)),
        Row("Income tax expense", latest_first(h.INCOME["tax"], -1)),
        Row("Interest expense", latest_first(h.INCOME["interest"], -1)),
        Row("Loss on extinguishment of debt", latest_first(h.INCOME["extinguishment"], -1)),
        Row("Other expense (income), net", latest_first(h.INCOME["other"], -1)),
        Row("Operating income", latest_first(h.OPERATING_INCOME), "sub"),
        Row("Depreciation", latest_first(h.DEPRECIATION)),
        Row("Amortization of intangible assets", latest_first(h.INCOME["amortization"], -1)),
        Row("Restructuring charges", latest_first(h.INCOME["restructuring"], -1)),
        Row("Stock-based compensation", latest_first(h.STOCK_COMPENSATION)),
        Row("Monitoring fee", (h.MONITORING_FEE,) * 3),
        Row("Adjusted EBITDA", latest_first(h.ADJUSTED_EBITDA), "total"),
    ]
    return Sheet(("Years ended December 31, in thousands", "2022", "2021", "2020"), rows)


def cashsummary() -> Sheet:
    names = {
        "operating": "Operating activities",
        "investing": "Investing activities",
        "financing": "Financing activities",
    }
    rows = [Row(label, tuple(h.cash_flow(s, y) for y in THREE)) for s, label in names.items()]
    return Sheet(("Cash provided by (used in), in thousands", "2022", "2021", "2020"), rows)


def debt_rows(closing: str) -> list[Row]:
    rows = [Row(name, (now, before)) for name, (before, now) in h.DEBT.items()]
    rows.append(Row(closing, (h.PRINCIPAL[1], h.PRINCIPAL[0]), "sub"))
    return rows


def debtsummary() -> Sheet:
    rows = [
        Row("Principal amount of debt", (h.PRINCIPAL[1], h.PRINCIPAL[0])),
        Row("Cash and cash equivalents", (-h.balance("cash", 2022), -h.balance("cash", 2021))),
        Row(
            "Net debt",
            (h.PRINCIPAL[1] - h.balance("cash", 2022), h.PRINCIPAL[0] - h.balance("cash", 2021)),
            "total",
        ),
    ]
    return Sheet(("December 31, in thousands", *YEAR_ENDS), rows)


def obligations() -> Sheet:
    def spread(first: int, middle: int, later: int, rest: int) -> tuple[int, ...]:
        return (first + middle + later + rest, first, middle, later, rest)

    years = [sum(parts) for parts in h.MATURITIES.values()]
    rows = {
        "Principal of debt": spread(years[0], years[1] + years[2], years[3] + years[4], years[5]),
        "Interest": spread(55_900, 109_400, 105_200, 72_600),
        "Operating leases": spread(11_420, 18_100, 12_290, 10_650),
        "Purchase obligations": spread(71_900, 13_200, 3_300, 0),
    }
    heads = (
        "December 31, 2022, in thousands",
        "Total",
        "2023",
        "2024 and\n2025",
        "2026 and\n2027",
        "Thereafter",
    )
    return Sheet(heads, _rows(rows, "Total"), 66)


def inventories() -> Sheet:
    parts = {
        "Raw materials and supplies": (74_380, 71_220),
        "Work in process": (18_640, 17_150),
        "Finished goods": (78_090, 72_070),
    }
    return Sheet(("December 31", *YEAR_ENDS), _rows(parts, "Total inventories"))


def plant() -> Sheet:
    gross = {
        "Land": (21_480, 21_760),
        "Buildings": (168_900, 161_240),
        "Machinery and equipment": (742_650, 701_380),
        "Molds and tooling": (118_330, 109_250),
        "Construction in progress": (46_720, 38_900),
    }
    rows = _rows(gross, "Property, plant and equipment, at cost", "sub")
    rows.append(Row("Accumulated depreciation", (-625_220, -583_460)))
    rows.append(
        Row(
            "Property, plant and equipment, net",
            (h.balance("plant", 2022), h.balance("plant", 2021)),
            "total",
        )
    )
    return Sheet(("December 31", *YEAR_ENDS), rows)


def goodwill() -> Sheet:
    def total(*parts: int) -> tuple[int, ...]:
        return (*parts, sum(parts))

    rows = [
        Row("Balance at December 31, 2020", total(171_400, 118_260, 78_520), "sub"),
        Row("Acquisition of Sableton Closures", total(0, 0, 19_400)),
        Row("Currency translation", total(-620, -480, -540)),
        Row("Balance at December 31, 2021", total(170_780, 117_780, 97_380), "sub"),
        Row("Currency translation", total(-2_010, -1_640, -1_810)),
        Row("Balance at December 31, 2022", total(168_770, 116_140, 95_570), "total"),
    ]
    return Sheet(("", "Rigid\nContainers", "Flexible\nFilms", "Closures and\nDispensing", "Total"), rows, 72)


def intangibles() -> Sheet:
    rows = [
        Row("Customer relationships", (318_400, -151_260, 167_140, 184_420)),
        Row("Trademarks", (46_300, -21_480, 24_820, 27_300)),
        Row("Technology", (21_900, -13_260, 8_640, 10_480)),
        Row("Total", (386_600, -186_000, 200_600, 222_200), "total"),
    ]
    return Sheet(("December 31", "Cost", "Amortization", "Net 2022", "Net 2021"), rows, 72)


def leases() -> Sheet:
    due = {"2023": 11_420, "2024": 9_860, "2025": 8_240, "2026": 6_910, "2027": 5_380, "Thereafter": 10_650}
    rows = [Row(year, (amount,)) for year, amount in due.items()]
    rows += [
        Row("Total payments", (sum(due.values()),), "sub"),
        Row("Less interest", (-9_110,)),
        Row("Operating lease liabilities", (h.balance("lease liabilities", 2022),), "total"),
    ]
    return Sheet(("", "Operating\nleases"), rows)


def accrued() -> Sheet:
    parts = {
        "Compensation and benefits": (24_680, 26_140),
        "Customer rebates": (18_350, 17_460),
        "Environmental matters": (11_800, 3_400),
        "Interest": (6_140, 5_380),
        "Restructuring": (5_270, 1_120),
        "Other": (8_400, 16_010),
    }
    return Sheet(("December 31", *YEAR_ENDS), _rows(parts, "Total accrued liabilities"))


def debt() -> Sheet:
    rows = debt_rows("Principal amount")
    rows += [
        Row("Unamortized issuance costs and discount", (-h.ISSUANCE_COSTS[1], -h.ISSUANCE_COSTS[0])),
        Row("Total debt", (h.balance("debt", 2022), h.balance("debt", 2021)), "sub"),
        Row("Less current portion", (-h.CURRENT_DEBT[1], -h.CURRENT_DEBT[0])),
        Row(
            "Long-term debt",
            (h.balance("debt", 2022) - h.CURRENT_DEBT[1], h.balance("debt", 2021) - h.CURRENT_DEBT[0]),
            "total",
        ),
    ]
    return Sheet(("December 31", *YEAR_ENDS), rows)


def maturities() -> Sheet:
    parts = {year: (*amounts, sum(amounts)) for year, amounts in h.MATURITIES.items()}
    heads = (
        "Payments due in",
        "Term Loan",
        "Revolving\nfacility",
        "Senior\nNotes",
        "Leases and\nother",
        "Total",
    )
    return Sheet(heads, _rows(parts, "Total"), 66)


def pension() -> Sheet:
    rows = [
        Row("Obligation at beginning of year", (132_610,), "sub"),
        Row("Interest cost", (3_580,)),
        Row("Actuarial gain", (-31_200,)),
        Row("Benefits paid", (-6_570,)),
        Row("Obligation at end of year", (98_420,), "sub"),
        Row("Assets at beginning of year", (108_490,)),
        Row("Return on assets", (-22_840,)),
        Row("Contributions", (1_480,)),
        Row("Benefits paid", (-6_570,)),
        Row("Assets at end of year", (80_560,), "sub"),
        Row("Net pension liability", (17_860,), "total"),
    ]
    return Sheet(("", "2022"), rows)


def taxes() -> Sheet:
    rows = [
        Row("Current: federal", (8_920, 9_460, 7_980)),
        Row("Current: state", (2_310, 2_540, 2_120)),
        Row("Current: foreign", (3_420, 3_160, 2_910)),
        Row("Deferred", tuple(h.movement("deferred income taxes", "deferred taxes", year) for year in THREE)),
        Row("Income tax expense", latest_first(h.INCOME["tax"], -1), "total"),
        Row("Reconciliation", kind="head"),
        Row("Tax at the federal rate of 21%", (10_019, 12_583, 9_566)),
        Row("State taxes, net of federal benefit", (1_690, 1_980, 1_560)),
        Row("Foreign rates", (480, 410, 360)),
        Row("Research credits", (-1_120, -1_060, -980)),
        Row("Other", (621, 607, 704)),
        Row("Income tax expense", latest_first(h.INCOME["tax"], -1), "total"),
    ]
    return Sheet(("", "2022", "2021", "2020"), rows)


def units() -> Sheet:
    rows = [
        Row("Outstanding at January 1, 2022", ("1,214", "14.02")),
        Row("Granted", ("706", "13.34")),
        Row("Vested", ("(402)", "13.61")),
        Row("Forfeited", ("(97)", "13.88")),
        Row("Outstanding at December 31, 2022", ("1,421", "13.81"), "sub"),
    ]
    return Sheet(
        ("Restricted stock units", "Units\n(thousands)", "Grant-date value,\nUS dollars"),
        rows,
        92,
        dollars=False,
    )


def aoci() -> Sheet:
    opening = {"currency translation": -9_640, "pension remeasurement": -14_180, "cash-flow hedges": 620}

    def at(year: int) -> tuple[int, ...]:
        values = tuple(
            start + sum(h.movement(cause, "accumulated other", y) for y in h.YEARS if y <= year)
            for cause, start in opening.items()
        )
        return (*values, sum(values))

    def moved(year: int) -> tuple[int, ...]:
        values = tuple(h.movement(cause, "accumulated other", year) for cause in opening)
        return (*values, sum(values))

    rows = [
        Row("Balance at December 31, 2020", at(2020), "sub"),
        Row("Other comprehensive income (loss), 2021", moved(2021)),
        Row("Balance at December 31, 2021", at(2021), "sub"),
        Row("Other comprehensive income (loss), 2022", moved(2022)),
        Row("Balance at December 31, 2022", at(2022), "total"),
    ]
    return Sheet(("Net of tax", "Currency\ntranslation", "Pension", "Cash-flow\nhedges", "Total"), rows, 72)


def eps() -> Sheet:
    dilution = tuple(d - b for b, d in zip(h.WEIGHTED_BASIC, h.WEIGHTED_DILUTED, strict=True))
    rows = [
        Row("Weighted average shares, basic", latest_first(h.WEIGHTED_BASIC)),
        Row("Effect of options and stock units", latest_first(dilution)),
        Row("Weighted average shares, diluted", latest_first(h.WEIGHTED_DILUTED), "total"),
    ]
    return Sheet(("Thousands of shares", "2022", "2021", "2020"), rows, dollars=False)


def restructuring() -> Sheet:
    rows = [
        Row("Accrual at December 31, 2021", (1_120,), "sub"),
        Row("Charges", (8_740,)),
        Row("Write-down of equipment", (-1_640,)),
        Row("Cash payments", (-2_950,)),
        Row("Accrual at December 31, 2022", (5_270,), "total"),
    ]
    return Sheet(("", "2022"), rows)


def segments() -> Sheet:
    capital = {
        "Rigid Containers": (41_380, 35_220),
        "Flexible Films": (26_150, 21_840),
        "Closures and Dispensing": (15_870, 14_110),
    }
    rows = [Row("Net sales", kind="head")]
    rows += [Row(name, latest_first(sales), indent=1) for name, (sales, _) in h.SEGMENTS.items()]
    rows += [
        Row("Total net sales", latest_first(h.INCOME["sales"]), "total"),
        Row("Adjusted EBITDA", kind="head"),
        *(Row(name, latest_first(ebitda), indent=1) for name, (_, ebitda) in h.SEGMENTS.items()),
        Row("Corporate", latest_first(h.CORPORATE), indent=1),
        Row("Adjusted EBITDA", latest_first(h.ADJUSTED_EBITDA), "total"),
        Row("Capital expenditures", kind="head"),
        *(Row(name, (*values, ""), indent=1) for name, values in capital.items()),
        Row("Corporate", (1_520, 1_310, ""), indent=1),
        Row("Total capital expenditures", (84_920, 72_480, ""), "total"),
    ]
    return Sheet(("", "2022", "2021", "2020"), rows)


def geography() -> Sheet:
    sales = {
        "United States": (899_240, 795_880, 690_490),
        "Mexico": (154_160, 138_170, 117_380),
        "Netherlands": (128_460, 117_610, 102_590),
        "Poland": (102_770, 90_210, 75_960),
    }
    return Sheet(
        ("Net sales by country of the plant", "2022", "2021", "2020"), _rows(sales, "Total net sales")
    )


def compensation() -> Sheet:
    rows = [
        Row("Adaeze Lindqvist, president and chief executive officer", (940, 668, 2_512, 4_120)),
        Row("Tobias Renfrew, chief financial officer", (560, 298, 1_002, 1_860)),
        Row("Branimir Solheim, chief operating officer", (545, 271, 894, 1_710)),
        Row("Ottoline Marsh, general counsel and secretary", (430, 183, 567, 1_180)),
    ]
    return Sheet(
        ("2022, in thousands of US dollars", "Salary", "Bonus", "Stock\nawards", "Total"),
        rows,
        58,
        dollars=False,
    )


def ownership() -> Sheet:
    outstanding = 41_012_604
    holders = (
        ("NorthRiver Capital Partners IV, L.P.", 18_400_000),
        ("NorthRiver IV Co-Invest, L.P.", 5_740_000),
        ("Pennant Ridge Asset Management", 2_296_000),
        ("Adaeze Lindqvist", 402_300),
        ("Tobias Renfrew", 118_750),
        ("All directors and executive officers as a group (10 persons)", 874_900),
    )
    rows = [Row(name, (f"{shares:,}", share(shares, outstanding))) for name, shares in holders]
    return Sheet(("Beneficial owner", "Shares", "Percent"), rows, 84, dollars=False)


def exhibits() -> Sheet:
    items = (
        ("3.1", "Amended and restated certificate of incorporation"),
        ("4.1", "Indenture dated October 15, 2020 for the 6.375% Senior Notes due 2028"),
        ("10.1", "Stockholders agreement dated November 14, 2019"),
        ("10.2", "Monitoring agreement dated March 29, 2019 with NorthRiver Capital Management, L.P."),
        (
            "10.3",
            "Credit Agreement dated June 15, 2022 (filed with the report for the second quarter of 2022)",
        ),
        ("10.4", "2019 incentive plan"),
        ("21.1", "Subsidiaries of the registrant"),
        ("23.1", "Consent of Dunmore Tace LLP"),
        ("31.1", "Certification of the chief executive officer under Section 302"),
        ("31.2", "Certification of the chief financial officer under Section 302"),
        ("32.1", "Certifications under Section 906"),
    )
    rows = [Row(title, (number,)) for number, title in items]
    return Sheet(("Exhibit", "Number"), rows, 60, dollars=False)


SHEETS = {
    f.__name__: f
    for f in (
        segment_summary,
        properties,
        prices,
        repurchases,
        results,
        segment_results,
        quarters,
        ebitda,
        cashsummary,
        debtsummary,
        obligations,
        inventories,
        plant,
        goodwill,
        intangibles,
        leases,
        accrued,
        debt,
        maturities,
        pension,
        taxes,
        units,
        aoci,
        eps,
        restructuring,
        segments,
        geography,
        compensation,
        ownership,
        exhibits,
    )
}
