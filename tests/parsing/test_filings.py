"""A few pages of real filings, read whole in the benchmark of the project."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pymupdf
import pytest

from aethel_core.parsing import parse_pdf
from aethel_core.types import Page, Table


@pytest.fixture
def read(shared_data: Path) -> object:
    """Reads some pages of a filing as a document of its own."""

    @cache
    def pages(name: str, *numbers: int) -> tuple[Page, ...]:
        with pymupdf.open(shared_data / "financebench" / "pdfs" / f"{name}.pdf") as filing:
            filing.select([n - 1 for n in numbers])
            return parse_pdf(filing.tobytes(), f"{name}.pdf").pages

    return pages


def longest_table(page: Page) -> Table:
    tables = [block.table for block in page.blocks if block.table is not None]
    return max(tables, key=lambda table: len(table.rows))


def values(table: Table, row: str) -> list[float | None]:
    return next([cell.value for cell in r.cells] for r in table.rows if r.header.startswith(row))


def test_a_balance_sheet_with_leader_dots(read: object) -> None:
    table = longest_table(read("ADOBE_2015_10K", 59)[0])
    assert table.title.endswith("CONSOLIDATED BALANCE SHEETS") and table.scale == 1e3
    assert [column.period for column in table.columns] == ["2015-11-27", "2014-11-28"]
    assert values(table, "Cash and cash equivalents") == [876560, 1117400]
    assert values(table, "Total current liabilities") == [2213556, 2494435]


def test_an_income_statement(read: object) -> None:
    table = longest_table(read("AMERICANWATERWORKS_2021_10K", 86)[0])
    assert [column.period for column in table.columns] == ["FY2021", "FY2020", "FY2019"]
    assert values(table, "Operating revenues") == [3930, 3777, 3610]
    assert table.unscaled == "per share data" and table.currency == "USD"
    assert "Basic earnings per share" in next(r.group for r in table.rows if r.cells[0].value == 6.96)


def test_a_cash_flow_statement(read: object) -> None:
    table = longest_table(read("ADOBE_2022_10K", 57)[0])
    assert values(table, "Net cash provided by operating activities") == [7838, 7230, 5727]
    assert values(table, "Purchases of property and equipment") == [-442, -348, -419]
    assert all(column.header.startswith("Years Ended") for column in table.columns)


def test_a_segment_table_with_three_rows_of_headers(read: object) -> None:
    page = read("Pfizer_2023Q2_10Q", 38)[0]
    table = next(b.table for b in page.blocks if b.table and len(b.table.columns) == 8)
    assert table.columns[0].header == "Three Months Ended Revenues July 2, 2023"
    assert table.columns[7].header == "Six Months Ended Earnings July 3, 2022"
    assert values(table, "Biopharma") == [12418, 27425, 7003, 17166, 30389, 52748, 17939, 30557]


def test_an_earnings_release(read: object) -> None:
    table = longest_table(read("JOHNSON_JOHNSON_2023Q2_EARNINGS", 10)[0])
    assert [c.period for c in table.columns] == ["Q2 FY2023", "Q2 FY2023", "Q2 FY2022", "Q2 FY2022", ""]
    assert values(table, "Sales to customers") == [25530, 100.0, 24020, 100.0, 6.3]


def test_a_page_of_prose_has_no_table(read: object) -> None:
    page = read("MGMRESORTS_2022Q4_EARNINGS", 2)[0]
    assert all(block.table is None for block in page.blocks)
    assert [b.text for b in page.blocks if b.kind == "heading"] == [
        "Las Vegas Strip Resorts",
        "Regional Operations",
        "MGM China",
    ]
