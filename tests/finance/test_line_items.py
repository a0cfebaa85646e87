"""Row headers as filers print them, and the line items they denote."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.errors import InvalidInput
from aethel_core.finance.line_items import line_item, line_items, match_row


@pytest.mark.parametrize(
    ("header", "id"),
    [
        ("Purchases of property, plant and equipment", "capex"),
        ("Additions to property, plant, and equipment", "capex"),
        ("Capital Expenditures", "capex"),
        ("Payments to acquire property and equipment", "capex"),
        ("TOTAL ASSETS", "total_assets"),
        ("Total assets ..........................", "total_assets"),
        ("Inventories (Note 5)", "inventory"),
        ("Inventories, net (Notes 1 and 6)", "inventory"),
        ("Goodwill*", "goodwill"),
        ("Accounts receivable, net of allowance of $12 and $15, respectively", "accounts_receivable"),
        ("Trade receivables, less allowances", "accounts_receivable"),
        ("Common stock, $0.01 par value; 1,000 shares authorized", "common_stock"),
        ("Treasury stock, at cost (5,342 and 5,269 shares)", "treasury_stock"),
        ("Net income (loss)", "net_income"),
        ("Net (loss) income", "net_income"),
        ("Net income/(loss)", "net_income"),
        ("Net income attributable to Acme Holdings, Inc.", "net_income_common"),
        ("Less: Net income attributable to noncontrolling interests", "nci_income"),
        ("Total Acme Inc. shareholders’ equity", "stockholders_equity"),
        ("Total shareowners' equity", "stockholders_equity"),
        ("Net cash (used in) provided by financing activities", "cff"),
        ("(Provision) benefit for income taxes", "income_tax"),
        ("Income (loss) from continuing operations before income taxes", "pretax_income"),
        ("Amortisation of intangible assets", "amortization"),
        ("Diluted earnings per share", "eps_diluted"),
        ("Ending capital balance", "nav"),
        ("Unfunded commitment", "unfunded_commitment"),
        ("% of net assets", "percent_net_assets"),
        ("Net assets", "nav"),
        ("Current maturities of long-term debt", "current_ltd"),
        ("Revenues:", "revenue"),
        ("Operating profit/(loss)", "operating_income"),
    ],
)
def test_rows_are_recognised(header: str, id: str) -> None:
    assert match_row(header) == id


@pytest.mark.parametrize(
    "header",
    [
        "",
        "   ",
        "Accounts payable to related parties of the sponsor",
        "Las Vegas Strip Resorts",
        "Change in streaming content liabilities",
        "Revenue from the sale of the headquarters building",
        "December 31, 2021",
        "The inventories of the company were written down in the fourth quarter",
        "(in millions)",
        "x" * 500,
    ],
)
def test_other_rows_are_not(header: str) -> None:
    assert match_row(header) is None


@pytest.mark.parametrize("item", line_items().values(), ids=lambda i: i.id)
def test_every_wording_finds_its_item(item) -> None:
    for wording in (*item.wordings, *item.row_only):
        if "*" not in wording:
            assert match_row(wording) == item.id, wording
            assert match_row(wording.upper() + ":") == item.id, wording


@given(st.text(max_size=80))
def test_any_header_is_answered(header: str) -> None:
    found = match_row(header)
    assert found is None or found in line_items()


def test_a_hundred_thousand_rows_take_seconds() -> None:
    headers = [f"Loans to the {n}th counterparty of unit {n % 7}" for n in range(20_000)]
    start = time.process_time()
    for header in headers:
        match_row(header)
    assert time.process_time() - start < 4


def test_unknown_ids_are_refused() -> None:
    with pytest.raises(InvalidInput):
        line_item("petty_cash_box")
