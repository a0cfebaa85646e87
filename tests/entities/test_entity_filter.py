from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.entities import filter as entity_filter
from aethel_core.entities.filter import clean, common_word, entity, keep, key_of, nameless
from aethel_core.types import Entity, EntityKind

KEPT = {
    "Apple Inc.": "Apple Inc.",
    "Amazon.com, Inc.": "Amazon.com, Inc.",
    "NorthRiver Capital Partners IV, L.P.": "NorthRiver Capital Partners IV, L.P.",
    "The Boeing Company's": "Boeing Company",
    "the Walt Disney Company’s": "Walt Disney Company",
    "See Amazon and": "Amazon",
    "“Star Wars”,": "Star Wars",
    "Nike (": "Nike",
    "Nike (NKE)": "Nike (NKE)",
    "A. O. Smith": "A. O. Smith",
    "Dr. Smith": "Dr. Smith",
    "Mr. Buffett": "Buffett",
    "Yahoo!": "Yahoo",
    "Bank\n of\tAmerica": "Bank of America",
    "Capital One Financial Corporation": "Capital One Financial Corporation",
    "3M Company": "3M Company",
    "AT&T": "AT&T",
    "S&P": "S&P",
    "GE": "GE",
    "F-35": "F-35",
    "NR4-0117": "NR4-0117",
    "COVID-19": "COVID-19",
    "Louis XIV": "Louis XIV",
    "Will Smith": "Will Smith",
    "iPhone": "iPhone",
    "Émile Zola": "Émile Zola",
    "株式会社": "株式会社",
    "شركة أرامكو": "شركة أرامكو",
    "🙂 Nike\x00": "Nike",
}

DROPPED = {
    "nothing": ["", " ", "\x00", "🙂", "---", "'s", "the"],
    "bare numbers": ["12", "1,204.3", "12.5%", "$12.4 million", "2nd", "IV", "Two Hundred", "3M"],
    "dates": ["March 31, 2021", "Monday", "Fiscal 2021", "FY2021", "Q2 FY2023", "FY-21", "May"],
    "page furniture": ["Item 7A", "Note 5", "Page 12", "Form 10-K", "Exhibit A", "Table of Contents", "R&D"],
    "generic words": [
        "total",
        "Total",
        "the Company",
        "Net Sales",
        "CONSOLIDATED STATEMENTS OF CASH FLOWS",
        "Board of Directors",
        "Securities and Exchange Commission",
        "Section 382",
        "Annual Report on Form 10-K",
        "Item 1A. Risk Factors",
        "LLC",
        "University",
    ],
    "stop words": ["The Who", "And", "IT", "U.S."],
    "fragments": ["T O T A L", "l0Ta1 Inc9", "tOtAlS Xy", "Xkcdq", "IIIII", "Q", "Ge", "Divestitures 0.0"],
    "no capital": ["apple", "credit agreement with citibank"],
    "marks": ["Nike | Adidas", "<b>Nike</b>x", "Nike@Adidas", "Nike 🙂 Inc", "Nike_Adidas", "Nike; Adidas"],
    "too long": ["Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India", "A" + "b" * 40, "Ab" * 6000],
}


@pytest.mark.parametrize(("name", "expected"), KEPT.items())
def test_names_are_kept_and_trimmed(name: str, expected: str) -> None:
    assert clean(name) == expected


@pytest.mark.parametrize(
    "name", [pytest.param(n, id=f"{why}: {n[:20]!r}") for why in DROPPED for n in DROPPED[why]]
)
def test_what_is_no_name_is_dropped(name: str) -> None:
    assert clean(name) is None
    assert not keep(name)


def test_the_key_is_the_normalised_name() -> None:
    assert key_of("NorthRiver Capital Partners IV, L.P.") == "northriver capital partners iv lp"
    assert entity("The J.P. Morgan's") == Entity("name:jp morgan", EntityKind.NAME, "J.P. Morgan")
    assert entity("Item 7") is None
    assert entity("Fund Size Club", EntityKind.DEFINED_TERM).id == "defined term:fund size club"


def test_nameless_keys() -> None:
    assert nameless("general partner")
    assert nameless("university")
    assert not nameless("northriver")


def test_common_words_may_be_names_but_are_marked() -> None:
    assert clean("Target") == "Target"
    assert common_word("target")
    assert not common_word("target corporation")
    assert not common_word("pfizer")


@given(st.text(max_size=60))
def test_cleaning_never_fails_and_is_idempotent(name: str) -> None:
    cleaned = clean(name)
    if cleaned is not None:
        assert clean(cleaned) == cleaned
        assert key_of(cleaned)
        assert len(key_of(cleaned).split()) <= entity_filter.MAX_TOKENS


PARTS = "The the A. A of and Nike Inc. Inc (NKE) ' 's ’s s' . , L.P. “X” & 10 IV Q"


@given(st.lists(st.sampled_from(PARTS.split())))
def test_cleaning_is_idempotent_on_the_parts_it_trims(parts: list[str]) -> None:
    for name in (" ".join(parts), "".join(parts)):
        cleaned = clean(name)
        assert cleaned is None or clean(cleaned) == cleaned
