"""One "not" more or less turns a sentence round; what a source denies in other words stands."""

from __future__ import annotations

import pytest

from aethel_core.audit import Sources, check_sentence
from tests.deal import DOCUMENTS, Q4, TENK, prose, sources

KEY_PERSON = f"{Q4}:00002"
SAID = (
    "The lender waived the breach and the borrower failed to deliver its accounts. The General Partner will "
    "not withhold its consent to a transfer. The Fund has no borrowings under the facility. The facility was "
    "renewed in March and its limit remains unchanged."
)


def told(text: str) -> tuple[str, ...]:
    known = Sources(DOCUMENTS, lambda document: (prose(TENK, 0, 1, SAID),) if document == TENK else ())
    return check_sentence(text, [f"{TENK}:00000"], known).flags


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The facility was not renewed in March.", "renewed"),
        ("The facility wasn't renewed in March and its limit remains.", "renewed"),
        ("The General Partner will withhold its consent to a transfer.", "withhold"),
        ("The Fund has borrowings under the facility.", "borrowing"),
    ],
)
def test_a_meaning_turned_round_is_flagged(text: str, word: str) -> None:
    assert any("denies" in flag and word in flag for flag in told(text)), told(text)


@pytest.mark.parametrize(
    "text",
    [
        "The General Partner will not withhold its consent to a transfer.",
        "The borrower did not deliver its accounts.",
        "The Fund has no borrowings under the facility.",
        "The facility was renewed in March, its limit not changed.",
        "Not only was the facility renewed in March, its limit remains unchanged.",
    ],
)
def test_what_the_source_says_in_its_way_stands(text: str) -> None:
    assert not told(text)


def test_an_event_that_occurred_cannot_be_denied() -> None:
    text = "A Key Person Event has not occurred, and the investment period is suspended."
    assert check_sentence(text, [KEY_PERSON], sources()).flagged
