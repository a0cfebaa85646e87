"""What of a passage is shown, and what of it is marked."""

from __future__ import annotations

from pages._ui import snippet


def test_words_are_matched_as_the_index_does() -> None:
    text = "Net sales of Companies; the company's sale, 1,204."
    found = [text[a:b] for a, b in snippet.matched(text, "What were the company sales of 1204?")]
    assert found == ["sales", "Companies", "company's", "sale", "1,204"]


def test_stop_words_are_not_marked() -> None:
    assert snippet.matched("of the and", "of the and") == ()


def test_runs_keep_the_text_and_mark_only_matches() -> None:
    runs = snippet.runs("Revenue rose. Costs fell.", "revenue costs")
    assert "".join(part for part, _ in runs) == "Revenue rose. Costs fell."
    assert [part for part, marked in runs if marked] == ["Revenue", "Costs"]


def test_a_long_passage_is_cut_around_most_of_the_matches() -> None:
    text = "filler " * 80 + "the revenue and the margin rose " + "padding " * 80
    runs = snippet.runs(text, "revenue margin", limit=120)
    shown = "".join(part for part, _ in runs)
    assert [part for part, marked in runs if marked] == ["revenue", "margin"]
    assert shown.startswith("… ") and shown.endswith(" …") and len(shown) < 140


def test_a_passage_without_a_match_starts_at_its_start() -> None:
    assert snippet.runs("word " * 100, "other", limit=50)[0][0].startswith("word word")
