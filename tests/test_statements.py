"""Pages and questions are matched to statements by title, structure and rows, on any wording."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aethel_core.parsing import parse_pdf
from aethel_core.statements import kinds_named, recognise
from aethel_core.statements.titles import statements_titled
from aethel_core.types import Page, ParsedDocument, Statement

INCOME, COMPREHENSIVE = Statement.INCOME, Statement.COMPREHENSIVE
BALANCE, CASH, EQUITY = Statement.BALANCE, Statement.CASH_FLOW, Statement.EQUITY
SEGMENT, DEBT = Statement.SEGMENT, Statement.DEBT_MATURITY
LABELS = Path(__file__).resolve().parent.parent / "benchmarks" / "statement_pages.jsonl"

INCOME_ROWS = """(in millions, except per-share amounts)
Year ended December 31, 2022 2021 2020
Net sales $ 1,204 $ 1,101 $ 980
Cost of sales 801 745 690
Gross profit 403 356 290
Selling, general and administrative expenses 211 190 170
Operating income 192 166 120
Interest expense (20) (18) (17)
Income before income taxes 172 148 103
Income tax expense 35 29 20
Net income $ 137 $ 119 $ 83
Diluted earnings per share $ 1.37 $ 1.19 $ 0.83"""
BALANCE_ROWS = """December 31, 2022 2021
Assets
Cash and cash equivalents $ 84 $ 91
Accounts receivable, net 140 133
Inventories 210 190
Total current assets 434 414
Property, plant and equipment, net 520 500
Total assets 1,130 1,090
Accounts payable 120 110
Long-term debt 300 310
Total liabilities 610 620
Common stock 1 1
Retained earnings 420 380
Total stockholders’ equity 520 470
Total liabilities and stockholders’ equity $ 1,130 $ 1,090"""
CASH_ROWS = """Year ended December 31, 2022 2021
Cash flows from operating activities
Net income $ 137 $ 119
Adjustments to reconcile net income to net cash provided by operating activities:
Depreciation and amortization 60 58
Inventories (20) (11)
Net cash provided by operating activities 190 170
Cash flows from investing activities
Purchases of property and equipment (80) (70)
Net cash used in investing activities (80) (70)
Cash flows from financing activities
Proceeds from issuance of debt 20 40
Repayments of long-term debt (30) (30)
Dividends paid (97) (95)
Net cash used in financing activities (107) (85)"""
CASH_END = """Net increase in cash and cash equivalents 3 15
Cash and cash equivalents at beginning of year 81 66
Cash and cash equivalents at end of year $ 84 $ 81
Supplemental disclosure: cash paid for interest 19 18"""
EQUITY_ROWS = """Common stock Retained earnings Accumulated other Total
Balance at December 31, 2020 $ 1 $ 350 $ (10) $ 341
Net income — 119 — 119
Other comprehensive income — — 4 4
Dividends declared — (95) — (95)
Balance at December 31, 2021 1 374 (6) 369"""
COMPREHENSIVE_ROWS = """Year ended December 31, 2022 2021
Net income $ 137 $ 119
Other comprehensive income (loss):
Foreign currency translation adjustments (9) 3
Pension adjustments, net of tax 2 1
Comprehensive income $ 130 $ 123"""
FOOT = "The accompanying notes are an integral part of these consolidated financial statements."


def document(*texts: str) -> ParsedDocument:
    pages = tuple(Page(n, text, (), 612, 792) for n, text in enumerate(texts, start=1))
    return ParsedDocument("document.pdf", "0" * 64, pages)


def titled(title: str, rows: str) -> str:
    return f"Marlow Paper Corporation\n{title}\n{rows}\n{FOOT}\n42"


@pytest.mark.parametrize(
    ("title", "rows", "kinds"),
    [
        ("Consolidated Statements of Earnings", INCOME_ROWS, (INCOME,)),
        ("INCOME STATEMENTS", INCOME_ROWS, (INCOME,)),
        ("Consolidated statement of profit or loss", INCOME_ROWS, (INCOME,)),
        ("STATEMENTS OF CONSOLIDATED OPERATIONS (Unaudited)", INCOME_ROWS, (INCOME,)),
        ("Consolidated Statement of Financial Position", BALANCE_ROWS, (BALANCE,)),
        ("CONDENSED CONSOLIDATED BALANCE SHEETS", BALANCE_ROWS, (BALANCE,)),
        ("Cash Flows Statements", f"{CASH_ROWS}\n{CASH_END}", (CASH,)),
        ("Consolidated Statements of Cash Flows", f"{CASH_ROWS}\n{CASH_END}", (CASH,)),
        ("Consolidated Statements of Changes in\nShareholders’ Equity", EQUITY_ROWS, (EQUITY,)),
        ("Consolidated Statements of Comprehensive Income (Loss)", COMPREHENSIVE_ROWS, (COMPREHENSIVE,)),
    ],
)
def test_statement_is_recognised_on_any_wording(title, rows, kinds):
    assert recognise(document(titled(title, rows))) == {1: kinds}


def test_combined_statement_is_both():
    rows = f"{INCOME_ROWS}\n{COMPREHENSIVE_ROWS}"
    text = titled("Consolidated Statements of Operations\nand Comprehensive Income", rows)
    assert recognise(document(text)) == {1: (INCOME, COMPREHENSIVE)}


def test_two_statements_may_share_a_page():
    text = titled("Statements of Income", INCOME_ROWS) + "\n" + titled("Balance Sheets", BALANCE_ROWS)
    assert recognise(document(text)) == {1: (INCOME, BALANCE)}


def test_untitled_continuation_is_recognised_after_a_blank_page():
    pages = ("Marlow Paper\nConsolidated Statements of Cash Flows\n" + CASH_ROWS, "73", f"{CASH_END}\n{FOOT}")
    assert recognise(document(*pages)) == {1: (CASH,), 3: (CASH,)}


def test_a_complete_statement_does_not_go_on():
    other = "Revenue 10 12\nOperating income 3 4\nNet income 2 3\nDiluted 0.10 0.20"
    pages = (titled("Consolidated Statements of Income", INCOME_ROWS), other)
    assert recognise(document(*pages)) == {1: (INCOME,)}


@pytest.mark.parametrize(
    "text",
    [
        "Index to Consolidated Financial Statements\nConsolidated Balance Sheets 44\n"
        "Consolidated Statements of Income for the years ended December 31, 2022, 2021 and 2020 45\n"
        "Consolidated Statements of Cash Flows 46\nNotes to Consolidated Financial Statements 47",
        "Item 6. Selected Financial Data\nConsolidated Statements of Income\n" + INCOME_ROWS,
        "Schedule I – Condensed Financial Information of the Registrant\nBalance Sheets\n" + BALANCE_ROWS,
        "Condensed Consolidating Balance Sheets\n" + BALANCE_ROWS,
        "Unaudited Pro Forma Condensed Combined Statement of Income\n" + INCOME_ROWS,
        "Notes to Consolidated Financial Statements (Continued)\nConsolidated Balance Sheets\n"
        + BALANCE_ROWS,
        "Consolidated Statements of Income\nParent Guarantors Eliminations Consolidated\n" + INCOME_ROWS,
        "Consolidated Statements of Cash Flows\nOperating activities provided $190 million, $20 million more "
        "than a year before, because income rose and inventories grew less than sales did in the year.\n"
        "Operating activities $ 190 $ 170\nInvesting activities (80) (70)\nFinancing activities (107) (85)",
        "",
    ],
    ids=[
        "index",
        "selected",
        "parent",
        "consolidating",
        "pro forma",
        "notes",
        "columns",
        "discussion",
        "empty",
    ],
)
def test_what_only_looks_like_a_statement_is_not(text):
    assert recognise(document(text)) == {}


def test_parent_only_schedule_stays_out_on_its_later_pages():
    pages = ("Schedule I\nCondensed Financial Information of the Parent", "Balance Sheets\n" + BALANCE_ROWS)
    assert recognise(document(*pages)) == {}


def test_bank_and_fund_wordings():
    bank = """Consolidated statements of income
Investment banking fees $ 900 $ 850
Noninterest revenue 4,100 3,900
Interest expense 400 700
Net interest income 3,000 2,900
Provision for credit losses (50) 300
Compensation expense 2,500 2,400
Income before income tax expense 1,900 1,500
Net income $ 1,500 $ 1,200"""
    fund = """Statement of Assets, Liabilities and Partners' Capital
Investments, at fair value $ 305,400
Cash 4,120
Total assets 309,535
Accrued expenses 310
Due to general partner 95
Total liabilities 405
Partners' capital 309,130
Total liabilities and partners' capital $ 309,535"""
    assert recognise(document(bank, fund)) == {1: (INCOME,), 2: (BALANCE,)}


def test_segment_note_is_followed_over_pages_to_the_next_note():
    statement = titled("Consolidated Balance Sheets", BALANCE_ROWS)
    table = (
        "Paper Board Total\nNet sales $ 700 $ 504 $ 1,204\nSegment profit 120 72 192\nAssets 600 530 1,130"
    )
    pages = (
        statement,
        "Notes to Consolidated Financial Statements\n1. Basis of Presentation\nThe company makes paper.",
        "11. Income Taxes\nTax expense 35 29 20\nTotal 35 29 20\n12.\nBusiness Segments\nThere are two.",
        table,
        "By region 2022 2021\nUnited States $ 900 $ 830\nElsewhere 304 271\nTotal 1,204 1,101\n"
        "13. Subsequent Events\nNothing 1 2 3 4 5 6 7 8",
        "Item 9A. Controls and Procedures\n" + table,
    )
    assert recognise(document(*pages)) == {1: (BALANCE,), 4: (SEGMENT,), 5: (SEGMENT,)}


def test_segment_table_of_the_discussion_is_not_the_note():
    assert (
        recognise(document("Segment Results\nPaper 700 650 600\nBoard 504 451 380\nTotal 1,204 1,101 980"))
        == {}
    )


@pytest.mark.parametrize(
    "text",
    [
        "Maturities of long-term debt at December 31, 2022 are as follows:\n2023 $ 10\n2024 20\n2025 30\n"
        "2026 40\nThereafter 250\nTotal $ 350",
        "The following shows debt maturities by year:\n2023 2024 2025 2026 2027 Thereafter\n$ 1 2 3 4 5 6",
        "Contractual obligations\nPayments due by period\nLess than More than\n"
        "Total 1 year 1-3 years 3-5 years 5 years\nLong-term debt $ 350 $ 10 $ 50 $ 90 $ 200\nOperating "
        "leases 50 10 20 10 10",
        "Contractual obligations\n2023 2024-2025 2026-2027 Thereafter\nSenior notes 10 50 90 200\n"
        "Leases 1 2 3",
        "Commitments as of December 31, 2022 fall due as follows, in thousands\nLeases Long-Term Debt Total\n"
        "2023 $ 5 $ 10 $ 15\n2024 4 20 24\n2025 3 30 33\n2026 2 40 42\nThereafter 1 250 251",
    ],
    ids=["years down", "years across", "periods", "ranges", "debt column"],
)
def test_debt_maturity_table(text):
    assert recognise(document(text)) == {1: (DEBT,)}


@pytest.mark.parametrize(
    "text",
    [
        "Maturities of lease liabilities are as follows:\n2023 $ 10\n2024 20\n2025 30\n2026 40\nThereafter 5",
        "Estimated amortization expense of intangible assets, notes 5 and 6:\n2023 10\n2024 20\n2025 30\n"
        "2026 40\nThereafter 5",
        "Senior notes, 3.25%, due 2031-2051 $ 1,100\nSenior notes due 2026 400\n"
        "The notes mature in 2026 and thereafter.",
        "Debt maturing\n2022 2021 2020 2019 2018\nNotes issued 1 2 3 4 5\nThereafter none",
    ],
    ids=["leases", "amortisation", "list of issues", "past years"],
)
def test_other_schedules_are_not_debt_maturities(text):
    assert recognise(document(text)) == {}


def test_fund_statements_for_partners():
    account = """Capital account statement
Balance at beginning of period 14,000,000 13,500,000 —
Contributions 500,000 1,000,000 16,000,000
Distributions (250,000) (500,000) (8,000,000)
Management fees (75,000) (150,000) (1,500,000)
Net unrealized gain 825,000 1,150,000 8,500,000
Balance at end of period 15,000,000 15,000,000 15,000,000"""
    schedule = """Schedule of investments at June 30, 2022
US$ thousands Cost Fair value
Calder Software Limited 60,500 98,400
Northwind Logistics, Inc. 45,000 72,000
Total investments 105,500 170,400"""
    bridge = (
        "Net asset value bridge\nOpening 851 900\nContributions 37 20\nDistributions (24) (9)\nUnfunded 4 4"
    )
    assert recognise(document(account, schedule, bridge)) == {
        1: (Statement.CAPITAL_ACCOUNT,),
        2: (Statement.INVESTMENTS,),
    }


@pytest.mark.parametrize(
    "line",
    [
        "Consolidated Statements of Operations Data",
        "See accompanying notes to consolidated statements",
        "Balance Sheet Classification",
        "Off-Balance Sheet Arrangements",
        "Reconciliation of Statements of Cash Flows",
        "Statement of Operations data:",
        "Consolidated Statements of Income.",
    ],
)
def test_lines_that_are_no_titles(line):
    assert statements_titled(line) == ()


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Use the P&L statement and the statement of financial position.", (INCOME, BALANCE)),
        ("According to the cash-flow statement, what was capex?", (CASH,)),
        ("Take it from the statement of income and the balance-sheet", (INCOME, BALANCE)),
        ("What does the profit and loss account show?", (INCOME,)),
        ("Find it in the statement of shareholders' equity", (EQUITY,)),
        ("the statement of comprehensive income", (COMPREHENSIVE,)),
        ("When does the long-term debt mature? See the debt maturities.", (DEBT,)),
        ("Which segment note gives sales by segment?", (SEGMENT,)),
        (
            "Show the partner's capital account and the schedule of investments",
            (Statement.CAPITAL_ACCOUNT, Statement.INVESTMENTS),
        ),
        ("Are there off-balance sheet arrangements?", ()),
        ("What is net income for 2022?", ()),
        ("", ()),
    ],
)
def test_statements_that_a_question_names(question, kinds):
    assert kinds_named(question) == kinds


@pytest.mark.parametrize(
    "name",
    [
        "MGMRESORTS_2023Q2_10Q.pdf",
        "ULTABEAUTY_2023Q4_EARNINGS.pdf",
        "JOHNSON_JOHNSON_2023_8K_dated-2023-08-30.pdf",
    ],
)
def test_real_filing_against_hand_labels(shared_data, name):
    labels = {
        row["document"]: row for row in map(json.loads, LABELS.read_text(encoding="utf-8").splitlines())
    }
    true = {(page, kind) for kind, pages in labels[name]["statements"].items() for page in pages}
    data = (shared_data / "financebench" / "pdfs" / name).read_bytes()
    found = recognise(parse_pdf(data, name, ocr=False))
    assert {(page, kind.value) for page, kinds in found.items() for kind in kinds} == true
