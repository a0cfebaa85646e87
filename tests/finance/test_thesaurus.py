"""Paraphrases and keywords of questions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aethel_core.finance.thesaurus import MAX_KEYWORDS, MAX_PARAPHRASES, keywords, paraphrases, synonyms


def test_every_term_is_reworded_by_rank() -> None:
    assert paraphrases("What is the unfunded commitment?") == (
        "What is the remaining commitment?",
        "What is the undrawn commitment?",
        "What is the uncalled capital?",
    )


def test_both_sides_of_a_share_are_reworded() -> None:
    assert paraphrases("capex as a % of revenue")[0] == "capital expenditures as a % of net sales"


def test_words_inside_longer_names_stay() -> None:
    assert all("days sales outstanding" not in p for p in paraphrases("days sales outstanding"))
    assert "outstanding" not in paraphrases("days sales outstanding")[0]
    assert paraphrases("deferred income taxes of the parent") == ()


def test_number_and_capitals_are_kept() -> None:
    assert paraphrases("Covenants in force?")[0] == "Financial covenants in force?"
    assert synonyms("covenant") == ("financial covenant", "restrictive covenant")
    assert synonyms("covenants") == ("financial covenants", "restrictive covenants")
    assert synonyms("zebra") == ()


def test_questions_without_a_known_term_have_no_paraphrase() -> None:
    assert paraphrases("Where is the zebra?") == ()


def test_keywords_put_names_first_and_leave_common_words_out() -> None:
    assert keywords("What is the inventory turnover of Foot Locker for FY2022?") == (
        "inventory turnover",
        "foot",
        "locker",
        "fy2022",
    )


def test_keywords_by_rarity() -> None:
    counts = {"zebra": 3, "strategy": 40, "unheard": 0}
    found = keywords("Unheard zebra strategy", lambda word: counts[word])
    assert found == ("zebra", "strategy")


@given(st.text(max_size=80))
def test_limits_hold_and_answers_repeat(text: str) -> None:
    reworded = paraphrases(text)
    assert len(reworded) <= MAX_PARAPHRASES
    assert text not in reworded
    assert reworded == paraphrases(text)
    assert len(keywords(text)) <= MAX_KEYWORDS
