"""Companies as people write them, in a corpus of many registrants."""

from __future__ import annotations

import pytest

from aethel_core.retrievers.recognition import Recognition
from aethel_core.types import DocumentType, EntityKind, Metadata, Period
from tests.corpora import index, segment

REGISTRANTS = {
    "MMM": "3M Company",
    "T": "AT&T Inc.",
    "BA": "The Boeing Company",
    "KO": "The Coca-Cola Company",
    "JPM": "JPMorgan Chase & Co.",
    "JNJ": "Johnson & Johnson",
    "AXP": "American Express Company",
    "AWK": "American Water Works Company, Inc.",
    "FL": "Foot Locker, Inc.",
    "GE": "General Electric Company",
    "GIS": "General Mills, Inc.",
    "SQ": "Block, Inc.",
}
RECOGNITION = Recognition(
    index(
        *(
            segment(f"{ticker}.pdf", Metadata(name, Period(2022), DocumentType.TEN_K, ticker=ticker), ["x"])
            for ticker, name in REGISTRANTS.items()
        )
    )
)


def companies(question: str) -> list[str]:
    return [
        found.entity.name for found in RECOGNITION.typed(question) if found.entity.kind is EntityKind.COMPANY
    ]


@pytest.mark.parametrize(
    ("written", "ticker"),
    [
        ("3M", "MMM"),
        ("AT&T", "T"),
        ("Boeing", "BA"),
        ("Coca Cola", "KO"),
        ("Coca-Cola", "KO"),
        ("JPMorgan", "JPM"),
        ("JP Morgan", "JPM"),
        ("JnJ", "JNJ"),
        ("J&J", "JNJ"),
        ("American Express", "AXP"),
        ("American Water Works", "AWK"),
        ("Footlocker", "FL"),
        ("GE", "GE"),
        ("General Mills", "GIS"),
        ("Block", "SQ"),
    ],
)
def test_a_company_is_known_by_what_people_call_it(written: str, ticker: str) -> None:
    for question in (f"What was the FY2022 revenue of {written}?", f"Did {written}'s margin improve?"):
        assert companies(question) == [REGISTRANTS[ticker]]


@pytest.mark.parametrize(
    "question",
    ["Did it sell over 3m units?", "which block of shares was sold", "American companies", "", "& ???", "ge"],
)
def test_what_names_no_company(question: str) -> None:
    assert companies(question) == []
