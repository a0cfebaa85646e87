import random

import pytest

from aethel_core.errors import InvalidInput
from aethel_core.evaluation.robustness import by_ticker, changed, paraphrased, robustness, with_typos
from aethel_core.types import Metadata
from tests.evaluation.fakes import FakeSearcher, judged

NIKE = Metadata(company="NIKE, Inc.", ticker="NKE", aliases=("Nike",))
BLOCK = Metadata(company="Block, Inc.", ticker="SQ", aliases=("Block", "Square"))
LETTER = Metadata(company="NorthRiver Capital Partners", aliases=("NorthRiver",))


def test_typos_change_words_but_neither_names_nor_numbers():
    question = "What were the unfunded commitments of NorthRiver in fiscal 2021 according to the letter?"
    for seed in range(50):
        slipped = with_typos(question, random.Random(seed))
        assert slipped != question
        assert "NorthRiver" in slipped and "2021" in slipped
        assert abs(len(slipped) - len(question)) <= 1
        assert len(slipped.split()) == len(question.split())
    assert with_typos("Is it so?", random.Random(1)) == "Is it so?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What was Nike's revenue?", "What was NKE's revenue?"),
        ("Debt of NIKE, Inc. in 2021", "Debt of NKE in 2021"),
        ("Does Block block trades?", "Does SQ block trades?"),
        ("Fees of NorthRiver Capital Partners", "Fees of NorthRiver"),
        ("Revenue of Adobe", "Revenue of Adobe"),
        ("NKE dividend", "NKE dividend"),
    ],
)
def test_companies_by_ticker_or_short_name(text, expected):
    assert by_ticker(text, (NIKE, BLOCK, LETTER)) == expected


def test_by_ticker_without_companies():
    assert by_ticker("What of Nike?", ()) == "What of Nike?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the NAV of the fund?", "Tell me the NAV of the fund."),
        ("Who manages it?", "Name the person who manages it."),
        ("What was capex in 2021?", "What was capital expenditures in 2021?"),
        ("What is the YoY change?", "What is the year-over-year change?"),
        ("Is it audited?", "I wonder: Is it audited?"),
    ],
)
def test_paraphrases(text, expected):
    assert paraphrased(text, random.Random(0)) == expected


def test_other_sentences_get_an_opening():
    assert paraphrased("Net debt {2021}.", random.Random(0)).endswith(" Net debt {2021}.")


def test_changes_repeat_and_leave_out_what_they_do_not_touch():
    questions = judged({"what about nike": ["a"], "adobe": ["b"]}).questions
    (only,) = changed(questions, "ticker", (NIKE,))
    assert (only.id, only.text, only.relevant) == ("what about nike", "WHAT ABOUT NKE", (("a", 1),))
    assert changed(questions, "paraphrase") == changed(questions, "paraphrase")


def test_rows_compare_the_touched_questions():
    judgements = judged({"nike": ["a"], "adobe": ["b"]})
    searcher = FakeSearcher({("bm25", "NIKE"): ["a"], ("bm25", "NKE"): ["x", "a"], ("bm25", "ADOBE"): ["b"]})
    seen = []
    (row,) = robustness(
        searcher,
        judgements,
        ("bm25",),
        (NIKE,),
        kinds=("ticker",),
        metric="HR@1",
        on_progress=lambda *at: seen.append(at),
    )
    assert (row.kind, row.touched, row.original, row.changed, row.difference.mean) == (
        "ticker",
        1,
        1.0,
        0.0,
        -1.0,
    )
    assert seen == [(1, 2), (2, 2)]


def test_a_change_that_touches_nothing_gives_no_row():
    assert robustness(FakeSearcher({}), judged({"adobe": ["b"]}), ("bm25",), (), kinds=("ticker",)) == ()


def test_unknown_changes_are_rejected():
    with pytest.raises(InvalidInput, match="no change 'shouting'"):
        changed(judged({"q": ["a"]}).questions, "shouting")
