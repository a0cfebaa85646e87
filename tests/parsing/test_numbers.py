from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.parsing.numbers import is_number, is_quantity, is_term, is_year, parse_number


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1,234.5", 1234.5, ""),
        ("(1,234)", -1234.0, ""),
        ("$(0.12)", -0.12, ""),
        ("($0.12)", -0.12, ""),
        ("-5", -5.0, ""),
        ("−5.25", -5.25, ""),
        ("$ 8", 8.0, ""),
        ("€12", 12.0, ""),
        ("12.3%", 12.3, "%"),
        ("(12.3)%", -12.3, "%"),
        ("(12.3%)", -12.3, "%"),
        ("1.85x", 1.85, "x"),
        (".5", 0.5, ""),
        ("0", 0.0, ""),
        ("25bps", 25.0, "bps"),
        ("(11)pts", -11.0, "pts"),
        ("1 pt", 1.0, "pts"),
    ],
)
def test_values(text: str, value: float, unit: str) -> None:
    assert parse_number(text) == (value, unit)
    assert is_number(text)


@pytest.mark.parametrize(
    "text", ["—", "-", "n/a", "12,34", "1.2.3", "Q1", "2019-2021", "1,234 shares", "(a)", "$"]
)
def test_not_numbers(text: str) -> None:
    assert parse_number(text) == (None, "")
    assert not is_number(text)


@given(st.integers(-(10**12), 10**12), st.booleans())
def test_grouped_whole_numbers_come_back(number: int, dollar: bool) -> None:
    printed = f"{'$' if dollar else ''}{abs(number):,}"
    assert parse_number(f"({printed})" if number < 0 else printed) == (float(number), "")


@given(st.decimals(0, 10**9, places=2))
def test_decimals_come_back(number: object) -> None:
    assert parse_number(f"{number:,}") == (float(number), "")


@given(st.text(max_size=20))
def test_any_text_is_answered(text: str) -> None:
    value, unit = parse_number(text)
    assert value is not None or unit == ""


def test_years_terms_and_ranges() -> None:
    assert is_year("2021") and is_year("2024-25") and is_year("2024 – 2025")
    assert not is_year("1,997") and not is_year("3021") and not is_year("202")
    assert is_term("1-3 years") and is_term("4 and 5 years") and is_term("1 to 3") and not is_term("6% – 7%")
    assert is_quantity("$10.95 billion to $11.05 billion") and is_quantity("approximately 24.6%")
    assert not is_quantity("2.875% notes due 2030")
