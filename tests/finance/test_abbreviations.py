"""Abbreviations by context, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.finance.abbreviations import abbreviate, expand, meanings


def longs(text: str) -> list[str]:
    return [expansion.long for expansion in expand(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EPS rose", ["earnings per share"]),
        ("eps rose", ["earnings per share"]),
        ("PP&E and capex", ["property, plant and equipment", "capital expenditures"]),
        ("EV/EBITDA", ["enterprise value", "earnings before interest, taxes, depreciation and amortization"]),
        ("The PE firm raised a fund", ["private equity"]),
        ("a forward PE of 12", ["price to earnings"]),
        ("the stock trades at a PE of 12", ["price to earnings"]),
        ("The PE firm raised it; the stock's PE ratio fell", ["private equity", "price to earnings"]),
        ("an LTV of 60%", ["loan to value"]),
        ("the customer LTV", ["lifetime value"]),
        ("The bank's NII on deposits", ["net interest income"]),
        ("NII per share covered the dividend", ["net investment income"]),
        ("our IT spend", ["information technology"]),
        ("the new CFO was appointed", ["chief financial officer"]),
        ("CFO grew by 5%", ["cash flow from operations"]),
        ("EV sales of electric cars", ["electric vehicle"]),
        ("masks and other PPE", ["personal protective equipment"]),
        ("U.S. sales", ["United States"]),
        ("P/E of 12", ["price to earnings"]),
    ],
)
def test_meanings_in_context(text: str, expected: list[str]) -> None:
    assert longs(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "it is up to us or it will not",
        "IT IS UP TO US OR THE MARKET",
        "a CAPITAL letter",
        "grape and pear",
        "keeps EPSILON",
        "car sales",
        "ab&c",
    ],
)
def test_ordinary_words_are_left_alone(text: str) -> None:
    assert longs(text) == []


def test_spans_and_rules() -> None:
    text = "trailing PE"
    (expansion,) = expand(text)
    assert text[expansion.start : expansion.end] == "PE"
    assert expansion.rule == "near 'trailing'"
    assert expand("PE")[0].rule == "usual meaning"
    assert expand("EBITDA")[0].rule == "only meaning"


def test_long_forms_lead_back() -> None:
    text = "Earnings per share and year-over-year growth of net asset values"
    assert [(text[e.start : e.end], e.short) for e in abbreviate(text)] == [
        ("Earnings per share", "EPS"),
        ("year-over-year", "YoY"),
        ("net asset values", "NAV"),
    ]


@pytest.mark.parametrize("meaning", meanings(), ids=lambda m: f"{m.short}={m.long[:30]}")
def test_every_meaning_can_be_reached(meaning) -> None:
    text = f"{meaning.near[0]} {meaning.short}" if meaning.near else meaning.short
    assert meaning.long in longs(text)


@given(st.text(max_size=60))
def test_spans_lie_in_the_text(text: str) -> None:
    end = 0
    for expansion in expand(text):
        assert end <= expansion.start < expansion.end <= len(text)
        end = expansion.end
