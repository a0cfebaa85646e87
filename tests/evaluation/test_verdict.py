import pytest

from aethel_core.evaluation.runs import evaluate
from aethel_core.evaluation.verdict import verdict
from tests.evaluation.fakes import contest


def words(level="page", ks=(1, 5), metric="", challenger="", **outcomes):
    judgements, searcher = contest(outcomes, level)
    return verdict(evaluate(searcher, judgements, tuple(outcomes), ks=ks), metric, challenger)


def test_a_clear_difference_is_claimed_in_points():
    text = words(bm25="1" * 10 + "0" * 30, hybrid="1" * 30 + "0" * 10)
    assert text.startswith(
        "On your 40 questions Hybrid finds the right page in the top 5 in 75 %, BM25 in 25 %; "
        "difference +50 points, interval +35 to +65."
    )
    assert "Hybrid is better than BM25 on these questions" in text
    assert "rough" not in text


def test_the_baseline_may_be_the_better_one():
    text = words(bm25="1" * 30 + "0" * 10, hybrid="1" * 10 + "0" * 30)
    assert text.startswith(
        "On your 40 questions BM25 finds the right page in the top 5 in 75 %, Hybrid in 25 %; "
        "difference +50 points, interval +35 to +65. BM25 is better than Hybrid on these questions"
    )


def test_too_few_questions_says_how_many_more():
    # gaps 1, 1, 0 ... 0 (10): mean .2, sd sqrt(1.6 / 9): (2.8016 * .4216 / .2)^2 = 34.9 -> 25 more
    text = words(bm25="0" * 10, hybrid="11" + "0" * 8)
    assert "Too few questions to say which is better; about 25 more would do" in text
    assert "fewer than 30 questions" in text


def test_a_tiny_difference_is_called_equal():
    text = words(bm25="10" * 20, hybrid="01" * 19 + "11")
    assert "treat them as equals" in text
    assert "more than 400 would be needed" in text


def test_no_difference_at_all():
    assert "They do equally well on every one of them." in words(bm25="1100", hybrid="1100")
    # gaps -1, -1, 1, 1: sd 2 / sqrt(3), detectable 2.8016 * 1.1547 / 2 = 1.62
    assert "They are level; of so few questions only a difference beyond 162 points" in words(
        bm25="1100", hybrid="0011"
    )


def test_others_are_named_and_one_retriever_alone_is_described():
    outcomes = {"bm25": "1" * 10 + "0" * 30, "hybrid": "1" * 40, "dense": "1" * 12 + "0" * 28}
    text = words(**outcomes, tfidf="0" * 40, rrf="1" * 35 + "0" * 5)
    assert "RRF is better than BM25; TF-IDF is worse than BM25; for Dense against BM25 the questions" in text
    assert words(bm25="10") == "On your 2 questions BM25 finds the right page in the top 5 in 50 %."
    assert words(bm25="1").startswith("On your 1 question BM25")


@pytest.mark.parametrize(
    ("level", "metric", "phrase"),
    [
        ("document", "HR@1", "finds the right document in the top 1 in 75 %, BM25 in 50 %"),
        ("passage", "Recall@5", "brings 75 % of the right passages into the top 5, BM25 50 %"),
        ("paragraph", "all-gold@5", "has all the supporting paragraphs in the top 5 in 75 %, BM25 in 50 %"),
        ("page", "MRR", "has a MRR of 0.750, BM25 0.500; difference +0.250"),
    ],
)
def test_levels_and_metrics(level, metric, phrase):
    assert phrase in words(level=level, metric=metric, bm25="1100", hybrid="1110")


def test_the_challenger_can_be_chosen_and_the_metric_falls_back():
    text = words(ks=(3, 10), challenger="dense", bm25="1100", hybrid="1111", dense="1110")
    assert text.startswith("On your 4 questions Dense finds the right page in the top 3 in 75 %")


def test_equals_are_told_apart_by_rank():
    judgements, searcher = contest({"bm25": "11", "dense": "11", "hybrid": "11"})
    searcher.rankings |= {("dense", f"Q{i}"): ["other", f"gold{i}"] for i in range(2)}
    report = evaluate(searcher, judgements, ("bm25", "dense", "hybrid"), ks=(5,))
    assert verdict(report).startswith("On your 2 questions Hybrid finds")
