"""Figures as written, what is none, and when two say the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.finance.numbers import Figure, find_figures, same_figure


def one(text: str) -> Figure:
    (figure,) = find_figures(text)
    return figure


@pytest.mark.parametrize(
    ("text", "value", "unit", "currency"),
    [
        ("1.2bn", 1.2e9, "count", ""),
        ("$1,204.3m", 1204.3e6, "currency", "USD"),
        ("1M", 1e6, "count", ""),
        ("USD 3.4 million", 3.4e6, "currency", "USD"),
        ("3.4 million EUR", 3.4e6, "currency", "EUR"),
        ("5 million dollars", 5e6, "currency", "USD"),
        ("€5bn", 5e9, "currency", "EUR"),
        ("£3.2 million", 3.2e6, "currency", "GBP"),
        ("¥500 billion", 500e9, "currency", "JPY"),
        ("C$3", 3, "currency", "CAD"),
        ("$ 1,234", 1234, "currency", "USD"),
        ("$1.1B", 1.1e9, "currency", "USD"),
        ("5MM", 5e6, "count", ""),
        ("15 bps", 15, "bps", ""),
        ("1,250 basis points", 1250, "bps", ""),
        ("12.5%", 12.5, "percent", ""),
        ("12.5 %", 12.5, "percent", ""),
        ("5 percentage points", 5, "percent", ""),
        ("2.1x", 2.1, "multiple", ""),
        ("2.7 times", 2.7, "multiple", ""),
        ("$1.25 per share", 1.25, "per share", "USD"),
        ("$0.40 per common share", 0.4, "per share", "USD"),
        ("3.0 million shares", 3e6, "shares", ""),
        ("93.86 days", 93.86, "days", ""),
        ("(3.4)", -3.4, "count", ""),
        ("−3.4", -3.4, "count", ""),
        ("–3.4%", -3.4, "percent", ""),
        ("-$5.2m", -5.2e6, "currency", "USD"),
        ("$(3.4) million", -3.4e6, "currency", "USD"),
        ("($1,234)", -1234, "currency", "USD"),
        ("(12.5)%", -12.5, "percent", ""),
        ("1,234,567", 1234567, "count", ""),
        (".75", 0.75, "count", ""),
        ("one hundred and twenty million", 120e6, "count", ""),
        ("twenty-five percent", 25, "percent", ""),
        ("two hundred thousand dollars", 200e3, "currency", "USD"),
        ("half a billion", 0.5e9, "count", ""),
    ],
)
def test_figures(text: str, value: float, unit: str, currency: str) -> None:
    for frame in ("{}", "It was {} then.", "as {}; and"):
        figure = one(frame.format(text))
        assert figure.value == pytest.approx(value)
        assert (figure.unit, figure.currency) == (unit, currency)
        assert figure.value == pytest.approx(figure.printed * figure.scale)


@pytest.mark.parametrize(
    "text",
    [
        "2022",
        "June 30, 2022",
        "FY22",
        "Q3",
        "Item 7",
        "Note 5",
        "Notes 12",
        "Part 2",
        "page 12",
        "Level 3",
        "Exhibit 10.1",
        "Section 13(d)",
        "Rule 10b-5",
        "Form 10-K",
        "the 10K report",
        "401(k)",
        "COVID-19",
        "S&P 500",
        "(212) 555-1234",
        "5:00 p.m.",
        "the 1st and 22nd",
        "(1) first",
        "three segments",
        "A320",
        "1.2.3",
    ],
)
def test_numbers_that_only_name_something(text: str) -> None:
    assert find_figures(text) == ()


def test_list_markers_are_no_figures() -> None:
    assert [f.text for f in find_figures("1. Revenue of 5,000\n2. Costs of 300")] == ["5,000", "300"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("$3–5 million", [3e6, 5e6]),
        ("1.2-1.4bn", [1.2e9, 1.4e9]),
        ("between $3 and $5 million", [3e6, 5e6]),
        ("$3 to $5 million", [3e6, 5e6]),
        ("from $950,000 to $1.2 million", [950e3, 1.2e6]),
        ("3% to 5%", [3, 5]),
        ("10-12x", [10, 12]),
        ("2–3 percent", [2, 3]),
    ],
)
def test_ranges_are_two_figures_of_one_kind(text: str, values: list[float]) -> None:
    first, second = find_figures(text)
    assert [first.value, second.value] == pytest.approx(values)
    assert (first.unit, first.currency) == (second.unit, second.currency)


def test_an_aside_in_parentheses_is_not_negative() -> None:
    assert one("the margin (12.5%)").value == 12.5
    assert one("revenue ($3.2 billion)").value == 3.2e9
    assert [f.value for f in find_figures("12.5% (3.2%)")] == [12.5, -3.2]
    assert one("(a rise of 4.5%)").text == "4.5%"


def test_spans_and_precision() -> None:
    text = "Sales reached about $1.2 billion (up 5%)."
    first, second = find_figures(text)
    assert (first.text, first.step, first.approximate) == ("$1.2 billion", 1e8, True)
    assert (second.text, second.step, second.approximate) == ("5%", 1, False)
    assert text[first.start : first.end] == first.text


@pytest.mark.parametrize(
    ("written", "source", "scale", "same"),
    [
        ("$1.2 billion", "1,204.3", 1e6, True),
        ("$1.3 billion", "1,204.3", 1e6, False),
        ("$1,204.3 million", "1,204.3", 1e6, True),
        ("$1,204.3 billion", "1,204.3", 1e6, False),
        ("$1,204,300", "1,204.3", 1e3, True),
        ("12.5%", "1,250 bps", 1, True),
        ("12.5%", "1,260 bps", 1, False),
        ("12%", "12.4%", 1, True),
        ("12%", "12.6%", 1, False),
        ("13%", "12.5%", 1, True),
        ("(3.4)", "-3.4", 1, True),
        ("3.4", "(3.4)", 1, False),
        ("2.1x", "2.13x", 1, True),
        ("2.1x", "2.1%", 1, False),
        ("€5 million", "$5 million", 1, False),
        ("$5 million", "5.0", 1e6, True),
        ("$1.25 per share", "1.25", 1, True),
        ("$20 billion", "20,973", 1e6, False),
        ("approximately $20 billion", "20,973", 1e6, True),
        ("approximately $20 billion", "26,100", 1e6, False),
        ("12.5%", "12.5", 1e6, False),
        ("93.86 days", "93.86", 1, True),
    ],
)
def test_same_figure(written: str, source: str, scale: float, same: bool) -> None:
    assert same_figure(one(written), one(source), source_scale=scale) is same


def test_same_figure_on_request_without_sign_or_finer_digits() -> None:
    assert same_figure(one("$3.4 million"), one("(3.4)"), source_scale=1e6, ignore_sign=True)
    fine, coarse = one("$1,204.3 million"), one("$1.2 billion")
    assert same_figure(fine, coarse)
    assert not same_figure(fine, coarse, finer=False)
    assert same_figure(coarse, fine, finer=False)
    assert same_figure(one("$1,200.0 million"), coarse, finer=False)


@given(
    st.integers(1, 999_999_999),
    st.sampled_from([("", 1.0), ("k", 1e3), (" million", 1e6), ("bn", 1e9)]),
    st.integers(0, 3),
    st.booleans(),
)
def test_what_is_written_is_read(
    number: int, scale: tuple[str, float], decimals: int, negative: bool
) -> None:
    amount = number / 10**decimals
    written = f"${amount:,.{decimals}f}"
    text = f"({written}){scale[0]}" if negative else f"{written}{scale[0]}"
    figure = one(text)
    assert figure.value == pytest.approx(amount * scale[1] * (-1 if negative else 1))
    assert same_figure(figure, figure)


@given(st.text(alphabet="0123456789.,$€%()-–x bmMkn twoandmilliontenFYItem", max_size=40))
def test_any_text_gives_ordered_spans(text: str) -> None:
    end = 0
    for figure in find_figures(text):
        assert end <= figure.start < figure.end <= len(text)
        assert text[figure.start : figure.end] == figure.text
        end = figure.end
