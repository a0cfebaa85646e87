"""Company, period, type and names are read from the content of a document, whatever its file is called."""

from __future__ import annotations

import json
from datetime import date

import pymupdf
import pytest

from aethel_core.metadata import company, dates, infer
from aethel_core.parsing import parse_pdf
from aethel_core.types import DocumentType, Page, ParsedDocument, Period

SEC = "UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\nWashington, D.C. 20549\n"
TYPES = {"10k": "10-K", "10q": "10-Q", "8k": "8-K", "Earnings": "earnings release"}
# The release calls the year that ended on January 28, 2023 its fiscal 2022; the data set calls it 2023.
NAMED_OTHERWISE = {"ULTABEAUTY_2023Q4_EARNINGS.pdf": 2022}
FIRST_PAGES = 6


def document(*texts: str, pdf_title: str = "") -> ParsedDocument:
    pages = tuple(Page(n, text, (), 612, 792) for n, text in enumerate(texts, start=1))
    return ParsedDocument("document.pdf", "0" * 64, pages, pdf_title=pdf_title)


def annual(name: str, ended: str, *more: str, table: str = "") -> ParsedDocument:
    cover = (
        f"{SEC}FORM 10-K\n(Mark One)\n☒ ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d)\n"
        f"For the fiscal year ended {ended}\nOR\n☐ TRANSITION REPORT\nFor the transition period from to\n"
        f"Commission file number 1-0001\n{name}\n(Exact name of registrant as specified in its charter)\n"
        f"Delaware 00-0000000\nSecurities registered pursuant to Section 12(b) of the Act:\n{table}\n"
        "Securities registered pursuant to Section 12(g) of the Act: None"
    )
    return document(cover, *more)


def test_cover_of_an_annual_report():
    head = "Title of each class Trading Symbol(s) Name of each exchange"
    table = f"{head}\nCommon Stock MPC New York Stock Exchange"
    found = infer(annual("MARLOW PAPER COMPANY, INC.", "December 31, 2021", table=table))
    assert found.company == "Marlow Paper Company, Inc."
    assert found.period == Period(2021, None, "2021-12-31")
    assert found.type is DocumentType.TEN_K
    assert found.ticker == "MPC"
    assert found.aliases == ("Marlow Paper", "MPC")


def test_company_is_written_as_the_text_writes_it():
    found = infer(
        annual(
            "EBRIX.COM, INC.",
            "June 30, 2020",
            "Ebrix.com, Inc. sells software. eBrix.com, Inc. eBrix.com, Inc.",
        )
    )
    assert found.company == "eBrix.com, Inc."
    assert found.aliases == ("eBrix.com", "eBrix")


def test_letters_set_apart_on_the_cover():
    found = infer(
        annual(
            "M ARLOW R ESORTS I NTERNATIONAL", "June 30, 2020", "Marlow Resorts International runs hotels."
        )
    )
    assert found.company == "Marlow Resorts International"
    assert found.aliases == ("Marlow Resorts",)


def test_other_names_defined_or_former():
    text = (
        "Advanced Paper Devices, Inc. (formerly known as Old Mill Corporation) and subsidiaries (the "
        "“Company,” “we” "
        "or “APD”) make paper. APD sells it. APD buys wood. Barlow, Inc. (formerly Other Name, Inc.) is "
        "a customer."
    )
    found = infer(annual("ADVANCED PAPER DEVICES, INC.", "December 26, 2020", text))
    assert found.company == "Advanced Paper Devices, Inc."
    assert found.aliases == ("Advanced Paper Devices", "APD", "Old Mill Corporation", "Old Mill")


def test_symbol_given_only_in_the_text():
    pages = ("", "Our stock is listed on the Nasdaq Global Select Market under the symbol “MRLW”.")
    assert infer(annual("Marlow Paper, Inc.", "December 31, 2015", *pages)).ticker == "MRLW"


def test_a_renamed_company_is_known_by_its_present_name_too():
    assert "Meta Platforms" in infer(annual("FACEBOOK, INC.", "December 31, 2019")).aliases


def test_cover_without_the_label_for_the_name():
    text = (
        f"{SEC}FORM 10-K\nANNUAL REPORT PURSUANT TO SECTION 13\nFor the Fiscal Year Ended June 30, 2016\n"
        "Commission File Number 0-1\nCASCADE SOFTWARE CORPORATION\nWASHINGTON 91-0000000"
    )
    found = infer(document(text))
    assert (found.company, found.period.fiscal_year) == ("Cascade Software Corporation", 2016)


def test_cover_behind_a_letter_to_shareholders():
    cover = annual("Marlow Paper, Inc.", "May 31, 2020").pages[0].text
    found = infer(document("To our shareholders", "A good year.", "Pictures", "More pictures", cover))
    assert (found.company, found.type) == ("Marlow Paper, Inc.", DocumentType.TEN_K)


@pytest.mark.parametrize(
    ("ended", "text", "year"),
    [
        ("January 1, 2023", "", 2022),
        (
            "January 28, 2023",
            "In fiscal 2022 we opened 12 stores. Fiscal 2022 was good. In fiscal 2023 we plan 9.",
            2022,
        ),
        (
            "January 28, 2023",
            "In fiscal 2023 we opened 12 stores, in fiscal 2022 eight. Fiscal 2023 was good.",
            2023,
        ),
        (
            "January 31, 2019",
            "the fiscal year ended January 31, 2019 (“fiscal 2019”); fiscal 2018, fiscal 2018",
            2019,
        ),
        ("February 3, 2024", "", 2023),
        ("May 29, 2022", "fiscal 2021 and fiscal 2021", 2022),
        ("December 31, 2021", "", 2021),
    ],
)
def test_fiscal_year_goes_by_what_the_filer_calls_it(ended, text, year):
    assert infer(annual("Marlow Stores, Inc.", ended, text)).period.fiscal_year == year


@pytest.mark.parametrize(
    ("ended", "text", "period"),
    [
        (
            "June 30, 2023",
            "Three Months Ended June 30, Six Months Ended June 30,",
            Period(2023, 2, "2023-06-30"),
        ),
        ("July 2, 2023", "for the three and six months ended July 2, 2023", Period(2023, 2, "2023-07-02")),
        ("September 30, 2022", "three months ended September 30, 2022", Period(2023, 1, "2022-09-30")),
        ("December 31, 2022", "three and six months ended December 31, 2022", Period(2023, 2, "2022-12-31")),
        (
            "July 29, 2023",
            "26 weeks ended July 29, 2023. second quarter of fiscal 2024; fiscal 2024, fiscal 2023",
            Period(2024, 2, "2023-07-29"),
        ),
        (
            "July 29, 2023",
            "26 weeks ended July 29, 2023. fiscal 2023, fiscal 2022",
            Period(2023, 2, "2023-07-29"),
        ),
    ],
)
def test_quarter_and_its_fiscal_year(ended, text, period):
    cover = (
        f"{SEC}FORM 10-Q\nQUARTERLY REPORT\nFor the quarterly period ended {ended}\nCommission file "
        f"number 1-1\n"
        "Marlow plc\n(Exact name of registrant as specified in its charter)"
    )
    found = infer(document(cover, text))
    assert found.type is DocumentType.TEN_Q
    assert found.period == period


@pytest.mark.parametrize(
    "dated",
    [
        "Date of report (Date of earliest event reported): May 20, 2022 (May 18, 2022)",
        "May 20, 2022 (May 18, 2022)\nDate of Report (Date of earliest event reported)",
    ],
)
def test_current_report_takes_the_date_of_the_report(dated):
    name = "Marlow Shoes, Inc.\n(Exact name of registrant as specified in charter)"
    found = infer(document(f"{SEC}FORM 8-K\nCURRENT REPORT\n{dated}\n{name}"))
    assert (found.type, found.period) == (DocumentType.EIGHT_K, Period(2022, None, "2022-05-20"))


def test_several_registrants_on_one_cover():
    text = (
        f"{SEC}FORM 10-K\nANNUAL REPORT\nFor the fiscal year ended December 31, 2021\nCommission "
        f"Registrants\n"
        "Exact Name of Registrants as Specified in their Charters\n1-3525 EASTERN GRID, INC. (A New "
        "York Corporation) 13-4922640"
    )
    assert infer(document(text)).company == "Eastern Grid, Inc."


@pytest.mark.parametrize(
    ("text", "name", "ticker", "period"),
    [
        (
            "FOR IMMEDIATE RELEASE\n• 2023 Second-Quarter sales growth of 6%\nTrenton, N.J. (July 20, "
            "2023) – Marlow & Marlow "
            "(NYSE: MNM) today announced results for second-quarter 2023. Earnings per share were $1.96.",
            "Marlow & Marlow",
            "MNM",
            Period(2023, 2),
        ),
        (
            "March 9, 2023\nMarlow Beauty Announces Fourth Quarter\nFiscal 2022 Results\nOAK PARK, "
            "Ill.--(BUSINESS WIRE)-- "
            "Marlow Beauty, Inc. (NASDAQ: MARB) today announced results for the thirteen-week period "
            "(“fourth quarter”) "
            "ended January 28, 2023. Fourth quarter of fiscal 2021 net income was lower.",
            "Marlow Beauty, Inc.",
            "MARB",
            Period(2022, 4, "2023-01-28"),
        ),
        (
            "MARLOW PLC REPORTS FISCAL 2023 FULL YEAR RESULTS\nZURICH – Marlow plc (NYSE: MRL, ASX: "
            "MRL) announced its "
            "results for the fiscal year ended June 30, 2023. Net income per share was 72 cents.",
            "Marlow plc",
            "MRL",
            Period(2023, None, "2023-06-30"),
        ),
        (
            "Press release\nMarlow Paper reports results for the first quarter of 2024\nNet sales grew 3%.",
            "Marlow Paper",
            "",
            Period(2024, 1),
        ),
    ],
    ids=["listing", "wire", "year", "headline"],
)
def test_earnings_release(text, name, ticker, period):
    found = infer(document(text))
    assert found.type is DocumentType.EARNINGS
    assert (found.company, found.ticker, found.period) == (name, ticker, period)


def test_letter_to_limited_partners():
    text = (
        "N O R T H R I V E R NorthRiver Capital Management, L.P. Boston\nNovember 14, 2022\nTo the "
        "Limited Partners of\n"
        "NorthRiver Capital Partners IV, L.P.\nLetter for the quarter ended September 30, 2022\nDear "
        "Limited Partner,\n"
        "The Fund's net asset value fell. Distributions were nil. NorthRiver Capital Partners IV, L.P. "
        "called capital."
    )
    found = infer(document(text))
    assert found.type is DocumentType.LP_LETTER
    assert found.company == "NorthRiver Capital Partners IV, L.P."
    assert found.period == Period(2022, 3, "2022-09-30")
    assert found.title == "Letter for the quarter ended September 30, 2022"


def test_investor_update_without_a_salutation():
    text = "BRIARWOOD EQUITY FUND II\nQ3 2021 Investor Update\n"
    found = infer(document(f"{text}The Fund's NAV rose; DPI is 0.7x after distributions."))
    assert (found.type, found.company, found.period) == (
        DocumentType.LP_LETTER,
        "Briarwood Equity Fund II",
        Period(2021, 3),
    )


def test_capital_account_statement():
    text = (
        "Fund NorthRiver Capital Partners IV, L.P.\nInvestor account NR4-0117\nDate of statement "
        "December 6, 2022\n"
        "Statement of changes in the capital account\nBalance at beginning of period 10\nContributions "
        "2\nDistributions (1)\n"
        "Unfunded commitment 5"
    )
    title = "NorthRiver Capital Partners IV, L.P.: capital account statement NR4-0117, September 30, 2022"
    found = infer(document(text, pdf_title=title))
    assert found.type is DocumentType.CAPITAL_ACCOUNT
    assert found.company == "NorthRiver Capital Partners IV, L.P."
    assert found.period == Period(2022, 3, "2022-09-30")


@pytest.mark.parametrize(
    ("text", "name", "end"),
    [
        (
            "Summary of Credit Agreement\nDated as of March 15, 2021\nBorrower: Calder Software, Inc.\n"
            "Agent: Bank",
            "Calder Software, Inc.",
            "2021-03-15",
        ),
        (
            "CREDIT AGREEMENT\ndated as of June 3, 2020\namong\nCALDER SOFTWARE, INC., as Borrower,\n"
            "and EXAMPLE BANK, N.A.",
            "Calder Software, Inc.",
            "2020-06-03",
        ),
        (
            "Secondaries Market Report\nH1 2022\nIn the second quarter of 2022 buyers reported lower "
            "results.",
            "",
            "",
        ),
        (
            "A limited liability partnership\nMEMORANDUM\nDate June 27, 2022\nBorrower Calder Software, "
            "LLC, a company",
            "Calder Software, LLC",
            "2022-06-27",
        ),
        ("", "", ""),
    ],
    ids=["labelled", "role", "market", "memorandum", "empty"],
)
def test_other_documents(text, name, end):
    found = infer(document(text))
    assert (found.type, found.company, found.period.end) == (DocumentType.OTHER, name, end)


def test_a_market_report_keeps_its_half_year():
    assert infer(document("Secondaries Market Report\nH1 2022\nVolume fell.")).period == Period(2022)


def test_pdf_title_of_a_template_is_not_believed():
    found = infer(document("Secondaries Market Report\nVolume fell.", pdf_title="Microsoft Word - final v3"))
    assert found.title == "Secondaries Market Report"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("The Marlow Paper Company", "Marlow Paper"),
        ("Marlow & Co.", "Marlow"),
        ("Marlow Holdings plc", "Marlow Holdings"),
        ("NorthRiver Capital Partners IV, L.P.", "NorthRiver Capital Partners IV"),
        ("The Limited", "The Limited"),
        ("Marlow", "Marlow"),
    ],
)
def test_short_name(name, short):
    assert company.short_name(name) == short


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("December 31, 2019", date(2019, 12, 31)),
        ("Sept. 30, 2022", date(2022, 9, 30)),
        ("30 June 2022", date(2022, 6, 30)),
        ("12/31/2021", date(2021, 12, 31)),
        ("2022-06-30", date(2022, 6, 30)),
        ("December31, 201 7", date(2017, 12, 31)),
        ("February 30, 2022", None),
        ("no date", None),
    ],
)
def test_dates(text, day):
    assert dates.parse(text) == day


@pytest.mark.parametrize(
    ("text", "quarter"),
    [
        ("second quarter of fiscal 2023", (2, 2023)),
        ("Fourth Quarter and Full Year 2022", (4, 2022)),
        ("2022 Fourth-Quarter", (4, 2022)),
        ("Q2 FY2023", (2, 2023)),
        ("3Q21", (3, 2021)),
        ("Q1 '24", (1, 2024)),
    ],
)
def test_quarters(text, quarter):
    assert [(q.quarter, q.year) for q in dates.quarters(text)] == [quarter]


def test_real_filings_under_neutral_names(shared_data):
    folder = shared_data / "financebench"
    rows = [
        json.loads(line) for line in (folder / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    wrong = []
    for number, row in enumerate(rows):
        with pymupdf.open(folder / "pdfs" / row["document"]) as pdf:
            pdf.select(range(min(FIRST_PAGES, pdf.page_count)))
            found = infer(parse_pdf(pdf.tobytes(), f"{number}.pdf", ocr=False))
        year = NAMED_OTHERWISE.get(row["document"], row["period"])
        names = (found.company, *found.aliases)
        if (row["company"] in names, found.period.fiscal_year, found.type.value) != (
            True,
            year,
            TYPES[row["type"]],
        ):
            wrong.append((row["document"], found))
    assert wrong == []
