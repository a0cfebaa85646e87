"""The primary statements of the Helios annual report, as table rows summed from its postings."""

from __future__ import annotations

from . import helios as h
from .kit import Row

TWO = (2022, 2021)
THREE = (2022, 2021, 2020)


def latest_first(series: h.Series, sign: int = 1) -> tuple[int, int, int]:
    return (sign * series[2], sign * series[1], sign * series[0])


def per_share(weighted: h.Series) -> tuple[str, str, str]:
    return tuple(f"{h.NET_INCOME[i] / weighted[i]:.2f}" for i in (2, 1, 0))


def income() -> list[Row]:
    def costs(line: str) -> tuple[int, int, int]:
        return latest_first(h.INCOME[line], -1)

    return [
        Row("Net sales", latest_first(h.INCOME["sales"])),
        Row("Cost of sales", costs("cost of sales")),
        Row("Gross profit", latest_first(h.GROSS_PROFIT), "sub"),
        Row("Selling, general and administrative expenses", costs("selling")),
        Row("Research and development", costs("research")),
        Row("Amortization of intangible assets", costs("amortization")),
        Row("Restructuring charges", costs("restructuring")),
        Row("Operating income", latest_first(h.OPERATING_INCOME), "sub"),
        Row("Interest expense", costs("interest")),
        Row("Loss on extinguishment of debt", costs("extinguishment")),
        Row("Other expense (income), net", costs("other")),
        Row("Income before income taxes", latest_first(h.PRETAX), "sub"),
        Row("Income tax expense", costs("tax")),
        Row("Net income", latest_first(h.NET_INCOME), "total"),
        Row("Earnings per share", kind="head"),
        Row("Basic", per_share(h.WEIGHTED_BASIC), indent=1),
        Row("Diluted", per_share(h.WEIGHTED_DILUTED), indent=1),
        Row("Dividends per share", ("0.20", "0.20", "0.16")),
        Row("Weighted average shares, in thousands", kind="head"),
        Row("Basic", latest_first(h.WEIGHTED_BASIC), indent=1),
        Row("Diluted", latest_first(h.WEIGHTED_DILUTED), indent=1),
    ]


def comprehensive() -> list[Row]:
    def part(cause: str) -> tuple[int, ...]:
        return tuple(h.movement(cause, "accumulated other", year) for year in THREE)

    total = tuple(h.NET_INCOME[year - 2020] + h.other_comprehensive(year) for year in THREE)
    return [
        Row("Net income", latest_first(h.NET_INCOME)),
        Row("Other comprehensive income (loss), net of tax", kind="head"),
        Row("Foreign currency translation", part("currency translation"), indent=1),
        Row("Pension remeasurement", part("pension remeasurement"), indent=1),
        Row("Cash-flow hedges", part("cash-flow hedges"), indent=1),
        Row("Other comprehensive income (loss)", tuple(h.other_comprehensive(y) for y in THREE), "sub"),
        Row("Comprehensive income", total, "total"),
    ]


def _at(account: str, sign: int = 1) -> tuple[int, int]:
    return tuple(sign * h.balance(account, year) for year in TWO)


def _less(values: tuple[int, int], current: tuple[int, int]) -> tuple[int, int]:
    """The non-current part; ``current`` is given oldest first."""
    return values[0] - current[1], values[1] - current[0]


def _sum(*parts: tuple[int, int]) -> tuple[int, int]:
    return tuple(sum(column) for column in zip(*parts, strict=True))


def balance_sheet() -> list[Row]:
    current = ("cash", "receivables", "inventories", "prepaid")
    debt_due, leases_due = h.CURRENT_DEBT[::-1], h.CURRENT_LEASES[::-1]
    current_liabilities = _sum(_at("payables"), _at("accrued"), _at("income taxes"), debt_due, leases_due)
    assets = tuple(h.total(h.ASSETS, year) for year in TWO)
    liabilities = tuple(h.total(h.LIABILITIES, year) for year in TWO)
    equity = tuple(h.total(h.EQUITY, year) for year in TWO)
    return [
        Row("Assets", kind="head"),
        Row("Cash and cash equivalents", _at("cash"), indent=1),
        Row("Accounts receivable, net", _at("receivables"), indent=1),
        Row("Inventories", _at("inventories"), indent=1),
        Row("Prepaid expenses and other current assets", _at("prepaid"), indent=1),
        Row("Total current assets", _sum(*(_at(account) for account in current)), "sub"),
        Row("Property, plant and equipment, net", _at("plant"), indent=1),
        Row("Operating lease right-of-use assets", _at("leased assets"), indent=1),
        Row("Goodwill", _at("goodwill"), indent=1),
        Row("Intangible assets, net", _at("intangibles"), indent=1),
        Row("Other assets", _at("other assets"), indent=1),
        Row("Total assets", assets, "total"),
        Row("Liabilities", kind="head"),
        Row("Accounts payable", _at("payables"), indent=1),
        Row("Accrued liabilities", _at("accrued"), indent=1),
        Row("Income taxes payable", _at("income taxes"), indent=1),
        Row("Current portion of long-term debt", debt_due, indent=1),
        Row("Current portion of operating lease liabilities", leases_due, indent=1),
        Row("Total current liabilities", current_liabilities, "sub"),
        Row("Long-term debt, net of current portion", _less(_at("debt"), h.CURRENT_DEBT), indent=1),
        Row("Operating lease liabilities", _less(_at("lease liabilities"), h.CURRENT_LEASES), indent=1),
        Row("Deferred income taxes", _at("deferred taxes"), indent=1),
        Row("Pension and other liabilities", _at("pension and other"), indent=1),
        Row("Total liabilities", liabilities, "sub"),
        Row("Commitments and contingencies (Note 17)"),
        Row("Stockholders' equity", kind="head"),
        Row("Common stock, par value $0.01", _at("common"), indent=1),
        Row("Additional paid-in capital", _at("paid-in"), indent=1),
        Row("Treasury stock, at cost", _at("treasury"), indent=1),
        Row("Retained earnings", _at("retained"), indent=1),
        Row("Accumulated other comprehensive loss", _at("accumulated other"), indent=1),
        Row("Total stockholders' equity", equity, "sub"),
        Row("Total liabilities and stockholders' equity", _sum(liabilities, equity), "total"),
    ]


_CASH_LABELS = {
    "net income": "Net income",
    "depreciation": "Depreciation",
    "amortization": "Amortization of intangible assets",
    "non-cash lease expense": "Non-cash operating lease expense",
    "stock-based compensation": "Stock-based compensation",
    "amortization of debt issuance costs": "Amortization of debt issuance costs",
    "loss on extinguishment": "Loss on extinguishment of debt",
    "deferred income taxes": "Deferred income taxes",
    "gain on disposal": "Gain on disposal of property",
    "receivables": "Accounts receivable",
    "inventories": "Inventories",
    "prepaid expenses": "Prepaid expenses and other current assets",
    "accounts payable": "Accounts payable",
    "accrued liabilities": "Accrued liabilities",
    "income taxes payable": "Income taxes payable",
    "operating lease payments": "Operating lease liabilities",
    "pension and other": "Pension and other liabilities",
    "capital expenditures": "Capital expenditures",
    "proceeds from disposals": "Proceeds from disposal of property",
    "acquisition": "Acquisition of Sableton Closures",
    "term loan borrowed": "Borrowing under term loan facility",
    "term loans repaid": "Repayment of term loan facilities",
    "revolver borrowed": "Borrowings under revolving facility",
    "revolver repaid": "Repayments under revolving facility",
    "finance leases and other debt": "Payments of finance leases and other debt",
    "debt issuance costs": "Debt issuance costs and discount paid",
    "dividends": "Dividends paid",
    "share repurchases": "Purchase of treasury stock",
    "option exercises": "Proceeds from exercise of options",
}


def cash_flow() -> list[Row]:
    rows: list[Row] = []
    for section in ("operating", "investing", "financing"):
        rows.append(Row(f"Cash flows from {section} activities", kind="head"))
        for posting in h.POSTINGS:
            if posting.section == section:
                if posting.cause == "receivables":
                    rows.append(Row("Changes in assets and liabilities:", indent=1))
                label = _CASH_LABELS[posting.cause]
                rows.append(Row(label, latest_first(posting.moves["cash"]), indent=1))
        total = tuple(h.cash_flow(section, year) for year in THREE)
        verb = "provided by" if section == "operating" else "used in"
        verb = "provided by (used in)" if section == "financing" else verb
        rows.append(Row(f"Net cash {verb} {section} activities", total, "sub"))
    effect = tuple(h.cash_flow("fx", year) for year in THREE)
    change = tuple(h.balance("cash", year) - h.balance("cash", year - 1) for year in THREE)
    rows += [
        Row("Effect of exchange rates on cash", effect),
        Row("Net increase in cash and cash equivalents", change, "sub"),
        Row("Cash and cash equivalents at beginning of year", tuple(h.balance("cash", y - 1) for y in THREE)),
        Row("Cash and cash equivalents at end of year", tuple(h.balance("cash", y) for y in THREE), "total"),
    ]
    return rows


_EQUITY_LABELS = {
    "net income": "Net income",
    "other comprehensive": "Other comprehensive income (loss)",
    "stock-based compensation": "Stock-based compensation",
    "option exercises": "Exercise of options",
    "par value of shares issued": "Shares issued, par value",
    "share repurchases": "Purchase of treasury stock",
    "dividends": "Dividends",
}


def equity() -> list[Row]:
    accounts = tuple(h.EQUITY)

    def balances(year: int) -> tuple[int, ...]:
        values = tuple(h.balance(account, year) for account in accounts)
        return (*values, sum(values))

    rows = [Row("Balance at December 31, 2019", balances(2019), "sub")]
    for year in h.YEARS:
        for cause, label in _EQUITY_LABELS.items():
            if cause == "other comprehensive":
                values = (0, 0, 0, 0, h.other_comprehensive(year))
            else:
                values = tuple(h.movement(cause, account, year) for account in accounts)
            if any(values):
                rows.append(Row(label, (*values, sum(values)), indent=1))
        rows.append(
            Row(f"Balance at December 31, {year}", balances(year), "total" if year == 2022 else "sub")
        )
    return rows
