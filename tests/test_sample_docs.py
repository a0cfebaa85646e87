"""The sample deal: its ledgers reconcile, its PDFs print them, its questions can be answered."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pymupdf
import pytest

from sample_docs.build import filing_notes as notes
from sample_docs.build import filing_statements as statements
from sample_docs.build import fund as ledger
from sample_docs.build import helios
from sample_docs.build.documents import DOCUMENTS
from sample_docs.build.fund import CORBEL, INVESTORS, LINES, TAMARACK, Account, Fund, FundThree
from sample_docs.build.market import BIDS

FOLDER = Path(__file__).resolve().parent.parent / "sample_docs"
TEN_K = "Helios-Packaging-10-K-FY2022.pdf"
SCAN = "NorthRiver-IV-Key-Person-Notice-scan.pdf"
YEARS = (2019, 2020, 2021, 2022)
QUESTIONS = [json.loads(line) for line in (FOLDER / "questions.jsonl").read_text("utf-8").splitlines()]


def normalised(text: str) -> str:
    return " ".join(text.split())


@cache
def pages(name: str) -> tuple[str, ...]:
    with pymupdf.open(FOLDER / name) as document:
        return tuple(normalised(page.get_text()) for page in document)


@cache
def recognised(name: str) -> str:
    """The words of a scanned page, read by tesseract."""
    with pymupdf.open(FOLDER / name) as document:
        image = document[0].get_pixmap(dpi=300).tobytes("png")
    done = subprocess.run(
        ["tesseract", "stdin", "stdout", "-l", "eng"], input=image, capture_output=True, check=True
    )
    return normalised(done.stdout.decode("utf-8"))


def numbers(text: str) -> list[int]:
    """Dollar-and-cent figures of a text in cents; a dash is 0, parentheses are negative."""
    found = re.findall(r"—|\(?[\d,]+\.\d\d\)?", text)
    return [0 if f == "—" else (-1 if f[0] == "(" else 1) * int(re.sub(r"\D", "", f)) for f in found]


# The documents


def test_every_document_is_committed_and_all_are_small() -> None:
    committed = {path.name for path in FOLDER.glob("*.pdf")}
    assert committed == set(DOCUMENTS)
    assert sum(path.stat().st_size for path in FOLDER.glob("*.pdf")) < 3_000_000


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_script_gives_the_committed_bytes(name: str) -> None:
    assert DOCUMENTS[name]() == (FOLDER / name).read_bytes()


def test_the_annual_report_has_its_length_items_and_bookmarks() -> None:
    text = pages(TEN_K)
    assert len(text) >= 30
    whole = " ".join(text[2:])
    for item in ("Item 1.", "Item 1A.", "Item 3.", "Item 7.", "Item 7A.", "Item 8.", "Item 9A.", "Item 15."):
        assert item in whole
    with pymupdf.open(FOLDER / TEN_K) as document:
        headings = [title for _, title, _ in document.get_toc()]
    assert "Item 1A. Risk Factors" in headings
    assert "going concern" not in whole.lower()


def test_the_four_letters_have_four_to_six_pages() -> None:
    assert all(4 <= len(pages(f"NorthRiver-IV-LP-Letter-2022-Q{q}.pdf")) <= 6 for q in (1, 2, 3, 4))


def test_one_page_is_only_an_image() -> None:
    with pymupdf.open(FOLDER / SCAN) as document:
        assert [page.get_text() for page in document] == [""]
        assert len(document[0].get_images()) == 1


def test_one_schedule_is_printed_sideways() -> None:
    with pymupdf.open(FOLDER / "NorthRiver-IV-LP-Letter-2022-Q4.pdf") as document:
        rotations = [page.rotation for page in document]
        assert rotations == [0, 0, 0, 0, 0, 90]
        assert document[5].rect.width > document[5].rect.height
        assert "Schedule of investments" in document[5].get_text()


def test_the_reissued_letter_states_the_correction() -> None:
    first = pages("NorthRiver-IV-LP-Letter-2022-Q3.pdf")[0]
    second = pages("NorthRiver-IV-LP-Letter-2022-Q3-reissued.pdf")[0]
    assert "Note of correction." in second and "Note of correction." not in first
    assert "866.5" in first and "851.8" in second


# The fund's ledger


@pytest.mark.parametrize("fund", [Fund(), Fund(misread=True)], ids=["final", "withdrawn"])
@pytest.mark.parametrize("q", [1, 2, 3, 4])
def test_the_bridge_leads_from_one_net_asset_value_to_the_next(fund: Fund, q: int) -> None:
    assert fund.nav(q - 1) + sum(fund.rollforward(q).values()) == fund.nav(q)


def test_the_books_since_inception_lead_to_the_opening_balance() -> None:
    assert sum(Fund().early_rollforward().values()) == Fund().nav(0)
    assert sum(i.commitment for i in INVESTORS) == ledger.COMMITMENTS


@pytest.mark.parametrize("q", range(5))
def test_carried_interest_may_be_full(q: int) -> None:
    """With 8% left to the partners after carried interest, the catch-up is complete."""
    assert Fund().irr(q) >= 0.08
    assert Fund().profit(q) * ledger.CARRY_RATE % 100 == 0


def test_the_rate_of_return_of_a_known_flow() -> None:
    flows = [(ledger.date(2021, 1, 1), -1000), (ledger.date(2022, 1, 1), 1100)]
    assert ledger.internal_rate(flows) == pytest.approx(0.10)


def test_the_partners_add_up_to_the_fund() -> None:
    total = sum(Account(investor, Fund(), 4).balance(4) for investor in INVESTORS)
    assert abs(total - Fund().nav(4) * 100_000) < 100 * len(LINES)


def test_the_misread_price_explains_the_correction() -> None:
    wrong, right = Fund(misread=True), Fund()
    assert wrong.investments(3) - right.investments(3) == 18_400  # 18.4 million shares, one dollar too high
    assert wrong.nav(3) - right.nav(3) == 14_720  # four fifths of it
    assert [wrong.nav(q) for q in (0, 1, 2, 4)] == [right.nav(q) for q in (0, 1, 2, 4)]


def test_fund_three_reconciles() -> None:
    three = FundThree()
    assert three.opening_nav + sum(three.movements) == three.nav == 132_370


@pytest.mark.parametrize("investor", [TAMARACK, CORBEL], ids=lambda i: i.account)
@pytest.mark.parametrize("q", [3, 4])
def test_printed_capital_accounts_add_up(investor: ledger.Investor, q: int) -> None:
    text = pages(f"NorthRiver-IV-Capital-Account-{investor.account}-2022-Q{q}.pdf")[0]
    table = text[text.index("Balance at beginning of period") : text.index("Transactions of the quarter")]
    figures = numbers(table)
    columns = [figures[i::3] for i in range(3)]
    for column in columns:
        assert len(column) == 2 + len(LINES)
        assert sum(column[:-1]) == column[-1]
    assert len({column[-1] for column in columns}) == 1


def test_one_statement_ends_where_the_next_begins() -> None:
    for account in ("NR4-0117", "NR4-0142"):
        earlier = pages(f"NorthRiver-IV-Capital-Account-{account}-2022-Q3.pdf")[0]
        later = pages(f"NorthRiver-IV-Capital-Account-{account}-2022-Q4.pdf")[0]
        closing = re.search(r"Balance at end of period ([\d,.]+)", earlier)
        opening = re.search(r"Balance at beginning of period ([\d,.]+)", later)
        assert closing and opening and closing.group(1) == opening.group(1)


def test_the_borrowing_base_covers_what_is_drawn() -> None:
    base = ledger.borrowing_base(Fund())
    assert sum(commitments for commitments, _, _ in base.values()) == ledger.COMMITMENTS
    assert sum(unfunded for _, unfunded, _ in base.values()) == Fund().unfunded(4)
    assert sum(value for _, _, value in base.values()) == 175_890


# The company's ledger


@pytest.mark.parametrize("posting", helios.POSTINGS, ids=lambda p: p.cause)
def test_every_posting_balances(posting: helios.Posting) -> None:
    for year in range(3):
        assets = sum(s[year] for account, s in posting.moves.items() if account in helios.ASSETS)
        others = sum(s[year] for account, s in posting.moves.items() if account not in helios.ASSETS)
        assert assets == others


@pytest.mark.parametrize("year", YEARS)
def test_assets_equal_liabilities_and_equity(year: int) -> None:
    claims = helios.total(helios.LIABILITIES, year) + helios.total(helios.EQUITY, year)
    assert helios.total(helios.ASSETS, year) == claims


def test_the_printed_statements_agree_with_each_other() -> None:
    text = " ".join(pages(TEN_K))
    assert "Total assets $ 1,586,335 $ 1,547,701" in text
    assert "Total liabilities and stockholders’ equity $ 1,586,335 $ 1,547,701" in text
    assert "Cash and cash equivalents at end of year $ 98,615 $ 91,471 $ 79,311" in text
    assert "Cash and cash equivalents $ 98,615 $ 91,471" in text
    assert "Net income $ 36,020 $ 45,400 $ 34,340 Earnings per share" in text
    assert "Balance at December 31, 2022 $ 418 $ 342,802 $ (10,400) $ 161,605 $ (27,400) $ 467,025" in text


def column_of(rows: list, label: str, number: int = 0) -> int:
    return next(row.values[number] for row in rows if row.label == label)


@pytest.mark.parametrize("column", [0, 1, 2])
def test_the_cash_flow_statement_adds_up(column: int) -> None:
    rows = statements.cash_flow()
    sections, running = [], 0
    for row in rows:
        if row.label.startswith("Net cash"):
            assert running == row.values[column]
            sections.append(running)
            running = 0
        elif row.indent and row.values:
            running += row.values[column]
    change = sum(sections) + column_of(rows, "Effect of exchange rates on cash", column)
    assert change == column_of(rows, "Net increase in cash and cash equivalents", column)
    opening = column_of(rows, "Cash and cash equivalents at beginning of year", column)
    assert opening + change == column_of(rows, "Cash and cash equivalents at end of year", column)


@pytest.mark.parametrize(
    ("sheet", "label", "account"),
    [
        ("inventories", "Total inventories", "inventories"),
        ("plant", "Property, plant and equipment, net", "plant"),
        ("accrued", "Total accrued liabilities", "accrued"),
        ("debt", "Total debt", "debt"),
    ],
)
def test_notes_agree_with_the_balance_sheet(sheet: str, label: str, account: str) -> None:
    rows = notes.SHEETS[sheet]().rows
    for column, year in enumerate((2022, 2021)):
        assert column_of(rows, label, column) == helios.balance(account, year)


def test_plant_at_cost_less_depreciation_is_the_net_amount() -> None:
    rows = notes.plant().rows
    for column in (0, 1):
        cost = column_of(rows, "Property, plant and equipment, at cost", column)
        less = column_of(rows, "Accumulated depreciation", column)
        assert cost + less == column_of(rows, "Property, plant and equipment, net", column)


def test_goodwill_and_intangibles_agree() -> None:
    rows = notes.goodwill().rows
    assert [row.values[3] for row in rows if row.kind] == [
        helios.balance("goodwill", y) for y in (2020, 2021, 2022)
    ]
    for segment in range(3):
        moves = [row.values[segment] for row in rows]
        assert moves[0] + moves[1] + moves[2] == moves[3] and moves[3] + moves[4] == moves[5]
    intangibles = notes.intangibles().rows
    for column in range(4):
        assert sum(row.values[column] for row in intangibles[:-1]) == intangibles[-1].values[column]
    assert intangibles[-1].values[2:] == tuple(helios.balance("intangibles", y) for y in (2022, 2021))
    assert helios.balance("intangibles", 2022) == 21_600 + 21_400 + 20_900 + 20_300 + 19_700 + 96_700


def test_taxes_pension_and_restructuring_add_up() -> None:
    rows = notes.taxes().rows
    for column in range(3):
        assert sum(row.values[column] for row in rows[:4]) == rows[4].values[column]
        assert sum(row.values[column] for row in rows[6:11]) == rows[11].values[column]
    pension = [row.values[0] for row in notes.pension().rows]
    assert sum(pension[:4]) == pension[4] and sum(pension[5:9]) == pension[9]
    assert pension[4] - pension[9] == pension[10]
    restructuring = [row.values[0] for row in notes.restructuring().rows]
    assert sum(restructuring[:-1]) == restructuring[-1]


def test_leases_debt_segments_and_countries_add_up() -> None:
    leases = [row.values[0] for row in notes.leases().rows]
    assert sum(leases[:6]) == leases[6] and leases[6] + leases[7] == leases[8]
    loans = ("Term Loan Facility, due June 2029", "Revolving Credit Facility, due June 2027")
    repaid = [sum(parts) for parts in zip(*helios.MATURITIES.values(), strict=True)]
    assert repaid[:2] == [helios.DEBT[name][1] for name in loans]
    assert sum(repaid) == helios.PRINCIPAL[1]
    assert sum(helios.MATURITIES["2023"]) == helios.CURRENT_DEBT[1]
    for year in range(3):
        assert sum(sales[year] for sales, _ in helios.SEGMENTS.values()) == helios.INCOME["sales"][year]
        parts = sum(ebitda[year] for _, ebitda in helios.SEGMENTS.values()) + helios.CORPORATE[year]
        assert parts == helios.ADJUSTED_EBITDA[year]
        assert column_of(notes.geography().rows, "Total net sales", year) == helios.INCOME["sales"][2 - year]


# Between the ledgers


def test_the_fund_marks_the_listed_shares_at_the_prices_of_the_annual_report() -> None:
    last = {row.label: float(row.values[2]) for row in notes.prices().rows}
    quarters = (
        "Fourth quarter 2021",
        "First quarter 2022",
        "Second quarter 2022",
        "Third quarter 2022",
        "Fourth quarter 2022",
    )
    held = Fund().holdings[0]
    assert held.name == "Helios Packaging Holdings, Inc."
    assert held.value == tuple(round(18_400 * last[quarter]) for quarter in quarters)


def test_dividends_of_the_company_reach_the_fund() -> None:
    assert all(quarter.dividends >= 18_400 * 0.05 for quarter in ledger.QUARTERS)
    assert ledger.QUARTERS[0].dividends == 920
    assert ledger.QUARTERS[3].dividends - 920 == round(60_000 * 0.455)


# The questions


def test_there_are_twenty_single_and_forty_multi_hop_questions() -> None:
    hops = Counter(question["hops"] for question in QUESTIONS)
    assert hops[1] == 20 and hops[2] + hops[3] + hops[4] == 40
    assert len({question["id"] for question in QUESTIONS}) == 60
    for question in QUESTIONS:
        assert set(question) == {"id", "question", "answer", "hops", "gold"}
        wanted = {(gold["document"], gold["page"]) for gold in question["gold"]}
        assert len(wanted) == len(question["gold"]) <= question["hops"]
        assert question["hops"] == 1 or len(wanted) > 1


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["id"])
def test_the_gold_words_stand_on_the_gold_page_and_nowhere_else(question: dict) -> None:
    for gold in question["gold"]:
        if gold["document"] == SCAN:
            continue
        quote = normalised(gold["quote"])
        found = [
            (name, n) for name in DOCUMENTS for n, text in enumerate(pages(name), start=1) if quote in text
        ]
        assert found == [(gold["document"], gold["page"])]


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_the_gold_words_can_be_read_from_the_scan() -> None:
    quotes = [g["quote"] for question in QUESTIONS for g in question["gold"] if g["document"] == SCAN]
    assert len(quotes) >= 5
    assert all(normalised(quote) in recognised(SCAN) for quote in quotes)


def expected_figures() -> dict[str, str]:
    """Figures of the answers, computed from the ledgers."""
    fund, bid = Fund(), next(b for b in BIDS if b[0] == "NorthRiver Capital Partners IV")
    tamarack = Account(TAMARACK, fund, 4)
    corbel = Account(CORBEL, fund, 4)
    middle = tamarack.balance(3) * (bid[2] + bid[3]) / 200
    base = ledger.borrowing_base(fund)
    unfunded = fund.unfunded(4) / ledger.COMMITMENTS
    calloway, alder, penrose = fund.holdings[3], fund.holdings[6], fund.holdings[5]
    wrong = Fund(misread=True)
    return {
        "s13": f"${base['Designated'][2] * 1000:,}",
        "s14": f"${corbel.balance(4) / 100:,.2f}",
        "s17": f"${(wrong.nav(3) - fund.nav(3)) / 1000:.1f} million",
        "m03": f"{4.75 - round(helios.net_leverage(2022), 2):.2f} turns",
        "m06": f"{(ledger.QUARTERS[3].dividends - 920) / 60_000:.1%}",
        "m08": f"${tamarack.balance(4) / 100:,.2f}",
        "m09": f"${middle / 100:,.0f}",
        "m10": f"${CORBEL.commitment * unfunded * 0.65 * 1000:,.0f}",
        "m11": f"${TAMARACK.commitment * (200 - 160) / 40_000 * 1000:,.0f}",
        "m17": f"${alder.value[4] / 1000:.1f} million",
        "m24": f"${70_000 * unfunded * 0.9 * 1000:,.0f}",
        "m25": f"{(18_400_000 + 5_740_000) / 41_012_604 * 100 - 35:.1f} points",
        "m26": f"${(2.5 + 1.0 - 3.0) * 4 / 5:.1f} million",
        "m35": f"{penrose.value[4] / penrose.cost[4]:.2f}x",
        "m36": f"${(calloway.value[0] + 9_500 - calloway.value[4]) / 1000:.1f} million",
        "m38": f"{wrong.irr(3):.1%}, corrected to {fund.irr(3):.1%}",
    }


@pytest.mark.parametrize(("question", "figure"), expected_figures().items())
def test_answers_agree_with_the_ledgers(question: str, figure: str) -> None:
    answer = next(q["answer"] for q in QUESTIONS if q["id"] == question)
    assert figure in answer
