import pytest

from aethel_core.errors import MissingData
from aethel_core.evaluation.robustness import Robustness, RobustnessResult
from aethel_core.evaluation.robustness_words import in_words
from aethel_core.evaluation.statistics import Difference


def row(kind, retriever, mean, low, high, p, wins, losses, touched=40, metric="HR@5"):
    found = Difference(
        "changed", retriever, metric, mean, low, high, p, wins, touched - wins - losses, losses
    )
    return Robustness(kind, retriever, metric, touched, 0.8, 0.8 + mean, found)


def result(*rows, questions=40):
    return RobustnessResult("HR@5", questions, rows, (), "f" * 64, "c", "2026-12-01T00:00:00+00:00")


def test_only_what_is_clear_is_claimed():
    said = in_words(
        result(
            row("typos", "bm25", -0.2, -0.3, -0.1, 0.001, 0, 8),
            row("typos", "hybrid", -0.05, -0.12, 0.0, 0.5, 0, 2),
            row("typos", "dense", 0.0, 0.0, 0.0, 1.0, 0, 0),
            row("ticker", "bm25", -0.25, -0.4, -0.1, 0.002, 0, 5, touched=20),
            row("ticker", "dense", -0.3, -0.5, -0.1, 0.002, 0, 6, touched=20),
        )
    )
    assert said == (
        "On your 40 questions, by HR@5. Typos: BM25 (−20 points) clearly loses; nothing changes for Dense; "
        "the questions do not decide about Hybrid. Companies by ticker or short name (20 of 40): "
        "BM25 (−25 points) and Dense (−30 points) clearly lose. "
        "Paraphrases: no question could be put differently."
    )


def test_where_all_are_alike_nobody_is_listed():
    open_ = [row("typos", name, -0.05, -0.12, 0.0, 0.5, 0, 2) for name in ("bm25", "dense")]
    same = [row("ticker", name, 0.0, 0.0, 0.0, 1.0, 0, 0) for name in ("bm25", "dense")]
    said = in_words(result(*open_, *same))
    assert "Typos: the questions do not decide whether any retriever loses by it." in said
    assert "short name: nothing changes for any retriever." in said


def test_few_questions_are_said_to_be_few():
    said = in_words(result(row("typos", "bm25", 0.0, 0.0, 0.0, 1.0, 0, 0, touched=1), questions=1))
    assert said.startswith("On your 1 question, by HR@5.") and "fewer than 30" in said
    assert "no question names a company" in said


def test_a_result_goes_through_json_unchanged():
    made = result(row("typos", "bm25", -0.2, -0.3, -0.1, 0.001, 0, 8))
    assert RobustnessResult.from_json(made.to_json()) == made
    for damaged in ("", "[]", '{"rows": 3}', '{"rows": [{"kind": "typos"}], "examples": []}'):
        with pytest.raises(MissingData, match="measure again"):
            RobustnessResult.from_json(damaged)
