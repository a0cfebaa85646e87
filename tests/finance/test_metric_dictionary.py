"""Metrics: their values by hand, how questions name them, and which statements they need."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aethel_core.errors import InvalidInput
from aethel_core.finance.metrics import (
    MissingInput,
    UndefinedResult,
    compute,
    inputs,
    line_items_in,
    metric,
    metrics_in,
    needed,
    statements_in,
)
from aethel_core.types import Statement

INCOME, BALANCE, CASH = Statement.INCOME, Statement.BALANCE, Statement.CASH_FLOW
ACCOUNT, HOLDINGS = Statement.CAPITAL_ACCOUNT, Statement.INVESTMENTS


# --- values ------------------------------------------------------------------------------------

# A company in round figures, chosen so that every expected value can be worked out in the head.
COMPANY = {
    "revenue": 1000,
    "revenue:prior": 800,
    "revenue:first": 640,
    "years": 2,
    "cogs": 600,
    "operating_income": 200,
    "depreciation_amortization": 50,
    "interest_expense": 25,
    "pretax_income": 175,
    "income_tax": 35,
    "net_income": 140,
    "cfo": 190,
    "capex": 60,
    "dividends_paid": 70,
    "share_repurchases": 35,
    "cash": 100,
    "short_term_investments": 50,
    "accounts_receivable": 120,
    "accounts_receivable:prior": 80,
    "inventory": 150,
    "inventory:prior": 90,
    "accounts_payable": 110,
    "accounts_payable:prior": 70,
    "current_assets": 480,
    "current_liabilities": 240,
    "ppe": 500,
    "ppe:prior": 300,
    "total_assets": 1500,
    "total_assets:prior": 1000,
    "goodwill": 300,
    "short_term_debt": 40,
    "long_term_debt": 360,
    "stockholders_equity": 800,
    "stockholders_equity:prior": 600,
    "total_liabilities": 700,
    "shares_outstanding": 100,
    "share_price": 14,
    "eps_diluted": 1.4,
    "market_cap": 1400,
}

FUND = {
    "commitment": 50.0,
    "contributions": 40.0,
    "distributions": 30.0,
    "recallable_distributions": 2.0,
    "nav": 36.0,
    "nav:prior": 32.0,
    "management_fee": 1.0,
    "gross_irr": 18.5,
    "net_irr": 14.25,
    "investments_cost": 20.0,
    "investments_fair_value": 28.0,
    "realized_proceeds": 12.0,
}


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("gross_margin", 0.4),
        ("operating_margin", 0.2),
        ("ebitda", 250),
        ("ebitda_margin", 0.25),
        ("net_margin", 0.14),
        ("effective_tax_rate", 0.2),
        ("revenue_growth", 0.25),
        ("revenue_cagr", 0.25),
        ("free_cash_flow", 130),
        ("fcf_conversion", 130 / 140),
        ("payout_ratio", 0.5),
        ("retention_ratio", 0.5),
        ("total_payout", 0.75),
        ("current_ratio", 2),
        ("quick_ratio", 270 / 240),
        ("working_capital", 240),
        ("asset_turnover", 0.8),
        ("fixed_asset_turnover", 2.5),
        ("inventory_turnover", 5),
        ("dso", 365 * 100 / 1000),
        ("dio", 365 * 120 / 600),
        ("dpo", 365 * 90 / 660),
        ("ccc", 73 + 36.5 - 365 * 90 / 660),
        ("capital_intensity", 1.5),
        ("roa", 140 / 1250),
        ("roe", 0.2),
        ("interest_coverage", 8),
        ("debt_total", 400),
        ("net_debt", 250),
        ("net_debt_to_ebitda", 1),
        ("debt_to_equity", 0.5),
        ("goodwill_ratio", 0.2),
        ("book_value_per_share", 8),
        ("enterprise_value", 1650),
        ("ev_to_ebitda", 6.6),
        ("pe_ratio", 10),
        ("nopat", 160),
        ("operating_cash_flow_ratio", 190 / 240),
    ],
)
def test_company_metrics(id: str, expected: float) -> None:
    assert compute(id, COMPANY) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("dpi", 0.75),
        ("rvpi", 0.9),
        ("tvpi", 1.65),
        ("paid_in_ratio", 0.8),
        ("unfunded", 12),
        ("unfunded_ratio", 0.24),
        ("exposure", 48),
        ("nav_change", 0.125),
        ("management_fee_rate", 0.02),
        ("gross_net_spread", 4.25),
        ("moic", 2),
        ("unrealized_moic", 1.4),
        ("loss_ratio_fund", 0),
        ("net_cash_flow_lp", -10),
    ],
)
def test_fund_metrics(id: str, expected: float) -> None:
    assert compute(id, FUND) == pytest.approx(expected)


def test_payments_printed_in_parentheses_count_by_their_size() -> None:
    printed = COMPANY | {"capex": -60, "dividends_paid": -70, "interest_expense": -25, "cogs": -600}
    assert compute("free_cash_flow", printed) == 130
    assert compute("payout_ratio", printed) == 0.5
    assert compute("interest_coverage", printed) == 8


def test_a_tax_benefit_keeps_its_sign() -> None:
    assert compute("effective_tax_rate", {"income_tax": -10, "pretax_income": 100}) == -0.1


def test_a_metric_reported_on_the_way_is_used_as_it_stands() -> None:
    assert compute("net_debt_to_ebitda", COMPANY | {"ebitda": 125}) == 2
    assert compute("unfunded_ratio", {"unfunded_commitment": 5, "commitment": 50}) == 0.1


def test_missing_inputs_and_zero_denominators_are_typed_errors() -> None:
    with pytest.raises(MissingInput) as error:
        compute("dpo", {"accounts_payable": 1, "cogs": 2})
    assert error.value.inputs == ("accounts_payable:prior", "inventory", "inventory:prior")
    with pytest.raises(UndefinedResult):
        compute("current_ratio", {"current_assets": 1, "current_liabilities": 0})
    with pytest.raises(InvalidInput):
        compute("no_such_metric", {})


def test_inputs_names_the_keys() -> None:
    assert inputs("inventory_turnover") == ("cogs", "inventory", "inventory:prior")
    assert "years" in inputs("revenue_cagr")


# --- questions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("What is Acme's inventory turnover for FY2022?", ["inventory_turnover"]),
        ("How did DPI and tvpi develop?", ["dpi", "tvpi"]),
        ("Is free cashflow conversion improving?", ["fcf_conversion"]),
        ("net debt/EBITDA at year end", ["net_debt_to_ebitda"]),
        ("Net Debt-to-EBITDA ratio at closing", ["net_debt_to_ebitda"]),
        ("three-year average operating income % margin", ["operating_margin"]),
        ("capex as a % of revenue", ["capex_to_revenue"]),
        ("capital expenditures as a percentage of sales", ["capex_to_revenue"]),
        ("What share of the commitment remains unfunded?", ["commitment", "unfunded"]),
        ("What is the gross-to-net spread of the fund?", ["gross_net_spread"]),
        ("How many times did it turn over its inventory?", ["inventory_turnover"]),
        ("Altman's Z-score", ["altman_z"]),
        ("What is the loan-to-value?", ["ltv"]),
    ],
)
def test_metrics_are_found_by_their_wordings(question: str, ids: list[str]) -> None:
    assert [match.metric.id for match in metrics_in(question)] == ids


def test_a_match_has_its_span() -> None:
    question = "Compare the cash conversion cycle (CCC)."
    spans = [question[m.start : m.end] for m in metrics_in(question)]
    assert spans == ["cash conversion cycle", "CCC"]


@pytest.mark.parametrize(
    "question",
    [
        "Who is the CEO of Acme?",
        "Which private equity firm advised the investment bankers?",
        "Did the board tie executive compensation to sustainability?",
        "Who leads the sales force and the distribution centers?",
        "Does the company make charitable contributions?",
        "Which debt securities are registered under Section 12(b)?",
        "What were the cash proceeds of the spin-off?",
        "What did the Internal Revenue Service ask for?",
        "Are there off-balance sheet arrangements?",
    ],
)
def test_questions_about_other_things_need_no_statement(question: str) -> None:
    assert needed(question).statements == ()


def test_abbreviations_that_are_words_need_capitals() -> None:
    assert [m.metric.id for m in metrics_in("the TIE of the company")] == ["interest_coverage"]
    assert metrics_in("a tie vote") == ()
    assert [m.item.id for m in line_items_in("What is its AP?")] == ["accounts_payable"]
    assert line_items_in("an ap photographer") == ()


def test_words_of_funds_count_only_beside_a_fund() -> None:
    assert [m.metric.id for m in metrics_in("Distributions of the fund")] == ["distributions"]
    assert metrics_in("Distributions of the random variable") == ()


@pytest.mark.parametrize(
    ("question", "statements"),
    [
        ("What is the quick ratio?", [BALANCE]),
        ("Compute days payable outstanding.", [INCOME, BALANCE]),
        ("What was the EBITDA margin?", [INCOME, CASH]),
        ("How much capex did it spend?", [CASH]),
        ("What is the retention ratio?", [INCOME, CASH]),
        ("How large was depreciation and amortization?", [CASH]),
        ("What is the fund's unfunded commitment and DPI?", [ACCOUNT]),
        ("Which debt matures in 2025?", [Statement.DEBT_MATURITY]),
        ("What are the maturities of long-term debt?", [Statement.DEBT_MATURITY]),
        ("What is the fair value of investments and the NAV of the fund?", [ACCOUNT, HOLDINGS]),
        ("Other comprehensive income of 2020", [Statement.COMPREHENSIVE]),
        ("Which region had the highest revenue growth?", [Statement.SEGMENT]),
        ("Operating margin by segment", [Statement.SEGMENT]),
        ("Total assets by segment", [Statement.SEGMENT]),
        ("What is the adjusted EPS?", []),
    ],
)
def test_statements_are_implied_by_metrics_and_line_items(question: str, statements: list[Statement]) -> None:
    assert list(needed(question).statements) == statements


@pytest.mark.parametrize(
    ("wording", "statement"),
    [
        ("P&L statement", INCOME),
        ("statements of operations", INCOME),
        ("consolidated statements of earnings", INCOME),
        ("statement of financial position", BALANCE),
        ("Balance Sheets", BALANCE),
        ("cash-flow statement", CASH),
        ("cashflow statement", CASH),
        ("statements of cash flows", CASH),
        ("statement of changes in stockholders' equity", Statement.EQUITY),
        ("statement of comprehensive income", Statement.COMPREHENSIVE),
        ("partner’s capital account statement", ACCOUNT),
        ("schedules of investments", HOLDINGS),
        ("debt maturity schedule", Statement.DEBT_MATURITY),
        ("segment information", Statement.SEGMENT),
    ],
)
def test_statements_are_known_by_name(wording: str, statement: Statement) -> None:
    assert [m.statement for m in statements_in(f"Using the {wording}, answer.")] == [statement]


def test_named_statements_rule_over_implied_ones() -> None:
    needs = needed("Based on the statement of income only, what is the EBITDA margin?")
    assert needs.statements == (INCOME,)
    assert needs.named == (INCOME,)
    assert [item.id for item in needs.line_items] == [
        "operating_income",
        "depreciation_amortization",
        "revenue",
    ]


def test_a_statement_named_for_one_figure_only_does_not_rule_the_others_out() -> None:
    needs = needed(
        "What is unadjusted EBITDA, using operating income and D&A (from the cash flow statement)?"
    )
    assert needs.statements == (INCOME, CASH)


def test_line_items_of_a_definition_in_the_question_count() -> None:
    question = "What is the index? It is defined as (goodwill + treasury stock) / average accounts payable."
    assert [i.id for i in needed(question).line_items] == ["goodwill", "treasury_stock", "accounts_payable"]
    assert needed(question).statements == (BALANCE,)


def test_needs_say_more_about_the_question() -> None:
    assert needed("What drove the decline in gross margin?").narrative
    assert needed("What were the main reasons for lower sales?").narrative
    assert not needed("What is the gross margin? If it is not useful, state that and explain why.").narrative
    assert needed("Revenue by region").breakdown
    assert needed("ROE of 2022").prior_year
    assert not needed("Current ratio of 2022").prior_year


def test_unknown_ids_are_refused() -> None:
    with pytest.raises(InvalidInput):
        metric("magic")


# The statements that answer each question, judged by reading it. "" is none.
FINANCEBENCH = {
    **dict.fromkeys(["02987", "06655", "10130", "04103", "00711", "10499", "04412"], "IB"),
    **dict.fromkeys(["07966", "00591", "04254", "10136", "03849", "04458"], "IC"),
    **dict.fromkeys(["04735", "03856"], "BC"),
    **dict.fromkeys(["07507", "00438", "08135", "08286", "03838", "02981", "01346", "00956", "00669"], "I"),
    **dict.fromkeys(["01487", "03718", "01911", "00702", "00601", "00606"], "I"),
    **dict.fromkeys(["05718", "07661", "04854", "01254", "00605"], "C"),
    **dict.fromkeys(
        ["00070", "04660", "00005", "03471", "03031", "04171", "00407", "03282", "00302", "00603"], "B"
    ),
    **dict.fromkeys(["01484", "00382", "01912", "00724"], "S"),
    **dict.fromkeys(["00839", "00822", "00651", "01488", "01490", "01491", "02416", "00283", "02419"], ""),
}


def test_statements_of_real_questions(shared_data: Path) -> None:
    letters = {INCOME: "I", BALANCE: "B", CASH: "C", Statement.SEGMENT: "S"}
    wrong = {}
    for line in (shared_data / "financebench" / "questions.jsonl").read_text().splitlines():
        entry = json.loads(line)
        found = "".join(letters[s] for s in needed(entry["question"]).statements)
        if found != FINANCEBENCH[entry["id"][-5:]]:
            wrong[entry["id"]] = found
    assert wrong == {}
