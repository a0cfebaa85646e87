from __future__ import annotations

import pytest

from aethel_core.parsing.periods import find_unit, period_of, year_end_months


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Year Ended December 31, 2021", "FY2021"),
        ("Fiscal Year 2020", "FY2020"),
        ("2019", "FY2019"),
        ("As of December 31, 2021", "2021-12-31"),
        ("At Sept. 30, 2022", "2022-09-30"),
        ("Three Months Ended June 30, 2023", "Q2 FY2023"),
        ("Three Months Ended July 2, 2023", "Q2 FY2023"),
        ("13 Weeks Ended January 2, 2022", "Q4 FY2021"),
        ("Six Months Ended June 30, 2023", "2023-06-30"),
        ("Q3 2022", "Q3 FY2022"),
        ("Fourth Quarter 2021", "Q4 FY2021"),
        ("% Change", ""),
        ("2022 vs. 2021", ""),
        ("2025 and Thereafter", ""),
        ("2021-2022", ""),
        ("Total", ""),
    ],
)
def test_periods_of_a_calendar_year_filer(header: str, expected: str) -> None:
    assert period_of(header, 12) == expected


def test_quarters_follow_the_fiscal_year() -> None:
    assert period_of("Three Months Ended September 30, 2023", 6) == "Q1 FY2024"
    assert period_of("Three Months Ended November 27, 2022", 5) == "Q2 FY2023"
    assert period_of("Three Months Ended June 30, 2023", None) == "2023-06-30"


def test_years_that_end_in_january_are_left_as_dates() -> None:
    assert period_of("Fiscal Year Ended January 29, 2022", 1) == "2022-01-29"
    assert period_of("13 Weeks Ended January 28, 2023", 1) == "2023-01-28"


def test_context_and_flows() -> None:
    assert period_of("2023", 12, context="Three Months Ended June 30,") == "Q2 FY2023"
    assert period_of("December 28, 2019", 12, flows=True) == "FY2019"


def test_months_of_year_ends() -> None:
    text = "for the fiscal year ended May 29, 2022 and the years ended December 31, 2021"
    assert year_end_months(text) == [5, 12]


@pytest.mark.parametrize(
    ("text", "line", "scale", "currency", "unscaled"),
    [
        (
            "(in millions, except per share data)",
            "(in millions, except per share data)",
            1e6,
            "",
            "per share data",
        ),
        ("(Dollars in Thousands)", "(Dollars in Thousands)", 1e3, "USD", ""),
        ("CONSOLIDATED BALANCE SHEETS (In billions)", "(In billions)", 1e9, "", ""),
        ("(MILLIONS)", "(MILLIONS)", 1e6, "", ""),
        ("($ in millions)", "($ in millions)", 1e6, "USD", ""),
        ("(€ in millions)", "(€ in millions)", 1e6, "EUR", ""),
        ("$ millions", "$ millions", 1e6, "USD", ""),
        ("(000's omitted)", "(000's omitted)", 1e3, "", ""),
        ("In Millions", "In Millions", 1e6, "", ""),
        ("US$ thousands", "US$ thousands", 1e3, "USD", ""),
        ("(US$m)", "(US$m)", 1e6, "USD", ""),
        ("£bn", "£bn", 1e9, "GBP", ""),
        ("EUR millions", "EUR millions", 1e6, "EUR", ""),
        ("Account, amounts in US$", "amounts in US$", 1.0, "USD", ""),
        ("US$", "US$", 1.0, "USD", ""),
        ("Amounts in thousands of U.S. dollars", "Amounts in thousands of U.S. dollars", 1e3, "USD", ""),
    ],
)
def test_unit_lines(text: str, line: str, scale: float, currency: str, unscaled: str) -> None:
    assert find_unit(text) == (line, scale, currency, unscaled)


@pytest.mark.parametrize(
    "text",
    [
        "(one billion shares authorized)",
        "a gain of 3 million",
        "(approximately $2 million)",
        "Total assets",
        "Europe",
        "$5 m",
    ],
)
def test_sentences_with_amounts_are_no_unit_lines(text: str) -> None:
    assert find_unit(text) is None
