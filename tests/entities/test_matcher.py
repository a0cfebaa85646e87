from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.entities.matcher import Matcher, Occurrence
from aethel_core.errors import InvalidInput
from aethel_core.text import match_form

WORDS = st.sampled_from(["northriver", "iv", "lp", "north", "river", "a", "&", "été", "1204.3"])
KEYS = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), unique=True, max_size=12)
TEXTS = st.lists(WORDS, max_size=30).map(lambda tokens: match_form(" ".join(tokens)))


def test_nested_and_overlapping_names_are_all_found() -> None:
    matcher = Matcher(["northriver", "northriver iv lp", "iv", "lp called"])
    found = matcher.find(match_form("NorthRiver IV, L.P. called; NorthRivers did not."))
    assert found == [Occurrence(1, 0, 3), Occurrence(0, 0, 1), Occurrence(2, 1, 2), Occurrence(3, 2, 4)]


def test_only_whole_words_match() -> None:
    assert Matcher(["river"]).find(match_form("northriver riverside driver")) == []


def test_repeated_neighbours_are_all_found() -> None:
    assert len(Matcher(["nike"]).find(match_form("Nike " * 5000))) == 5000


def test_incidence_counts_by_hand() -> None:
    matcher = Matcher(["nike", "foot locker", "locker"])
    texts = [match_form(t) for t in ("Nike, Nike and Foot Locker", "", "nobody", "the locker")]
    found = matcher.incidence(texts)
    assert found.rows.tolist() == [0, 0, 0, 3]
    assert found.cols.tolist() == [0, 1, 2, 2]
    assert found.counts.tolist() == [2, 1, 1, 1]


@pytest.mark.parametrize("texts", [[], [""], [" nike "]])
def test_no_keys_no_edges(texts: list[str]) -> None:
    assert all(part.size == 0 for part in Matcher([]).incidence(texts))
    assert Matcher([]).find(" nike ") == []
    assert Matcher(["nike"]).incidence([]).rows.size == 0


def test_extending_keeps_the_numbers_of_known_keys() -> None:
    matcher = Matcher(["nike", "adidas"])
    longer = matcher.extended(["adidas", "puma", "puma"])
    assert longer.keys == ("nike", "adidas", "puma")
    assert len(matcher) == 2
    assert [o.key for o in longer.find(" puma nike ")] == [2, 0]


@pytest.mark.parametrize("key", ["", " nike", "foot  locker", "nike\n"])
def test_keys_must_be_normalised(key: str) -> None:
    with pytest.raises(InvalidInput, match="normalised"):
        Matcher([key])


def test_keys_must_differ() -> None:
    with pytest.raises(InvalidInput, match="twice"):
        Matcher(["nike", "nike"])


def test_hostile_text() -> None:
    matcher = Matcher(["nike"])
    assert matcher.find(match_form("\0" * 10 + "x" * 10_000)) == []
    assert len(matcher.find(match_form("<b>Nike</b>\0Nike‏ شركة 🙂Nike"))) == 3


@given(KEYS, st.lists(TEXTS, max_size=5))
def test_agrees_with_naive_search(keys: list[str], texts: list[str]) -> None:
    matcher = Matcher(keys)
    expected = {
        (row, col) for row, text in enumerate(texts) for col, key in enumerate(keys) if f" {key} " in text
    }
    found = matcher.incidence(texts)
    pairs = list(zip(found.rows.tolist(), found.cols.tolist(), strict=True))
    assert pairs == sorted(expected)
    assert found.rows.dtype == found.cols.dtype == found.counts.dtype == np.int32
    for row, text in enumerate(texts):
        tokens = text.split()
        occurrences = matcher.find(text)
        assert {o.key for o in occurrences} == {col for r, col in expected if r == row}
        assert len(occurrences) == found.counts[found.rows == row].sum()
        assert all(" ".join(tokens[o.start : o.end]) == keys[o.key] for o in occurrences)
