"""Phrase keys and the phrase table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.finance.words import Phrases, phrase, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Total Assets", "total asset"),
        ("stockholders’ equity", "Shareholder's equity"),
        ("cash-flow statement", "cashflow statements"),
        ("amortisation", "amortization"),
        ("realised gains", "realized gain"),
        ("an operating margin", "the operating % margin"),
        ("non-current liabilities", "noncurrent liabilities"),
        ("taxes", "tax"),
        ("U.S. sales", "US sales"),
        ("R&D expenses", "r&d expense"),
        ("research & development", "research and development"),
    ],
)
def test_wordings_that_are_the_same(one: str, other: str) -> None:
    assert phrase(one) == phrase(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("revised", "revized"),
        ("loss", "los"),
        ("enterprise", "enterprize"),
        ("gross", "gros"),
        ("PP&E", "PP E"),
    ],
)
def test_wordings_that_are_not(one: str, other: str) -> None:
    assert phrase(one) != phrase(other)


def test_percent_is_kept_on_request() -> None:
    assert phrase("% of net assets") == ("of", "net", "asset")
    assert phrase("percentage of net assets", keep_percent=True) == ("%", "of", "net", "asset")


def test_the_longest_phrase_wins_and_none_crosses_a_sentence() -> None:
    table: Phrases[str] = Phrases()
    table.add("net income", "income")
    table.add("net income per share", "eps")
    table.add("share repurchases", "buybacks")
    text = "Net income per share. Share repurchases of net; income"
    assert [(m.values, text[m.start : m.end]) for m in table.find(text)] == [
        (("eps",), "Net income per share"),
        (("buybacks",), "Share repurchases"),
    ]
    assert table.get("NET INCOMES") == ("income",)
    assert table.get("net") == ()


@given(st.text(max_size=60))
def test_spans_point_into_the_text(text: str) -> None:
    end = 0
    for word in words(text):
        assert 0 <= word.start < word.end <= len(text)
        assert word.start >= end or word.end == end  # the halves of a compound share one span
        end = word.end
