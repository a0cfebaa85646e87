"""Values computed by hand, and agreement with ir_measures on random runs."""

import math

import ir_measures
import numpy as np
import pytest
from ir_measures import RR, P, R, Success, nDCG

from aethel_core import metrics
from aethel_core.errors import InvalidInput, MissingData

QRELS = {"q1": {"a": 1, "b": 1, "z": 0}, "q2": {"c": 2, "d": 1}, "q3": {"e": 1}}
RUN = {"q1": ["x", "a", "y", "b"], "q2": ["d", "c"]}  # q3 is not answered


def test_hit_rate_by_hand():
    assert metrics.hit_rate(QRELS, RUN, 1) == {"q1": 0.0, "q2": 1.0, "q3": 0.0}
    assert metrics.hit_rate(QRELS, RUN, 2) == {"q1": 1.0, "q2": 1.0, "q3": 0.0}


def test_recall_precision_and_all_gold_by_hand():
    assert metrics.recall(QRELS, RUN, 3) == {"q1": 0.5, "q2": 1.0, "q3": 0.0}
    assert metrics.precision(QRELS, RUN, 4) == {"q1": 0.5, "q2": 0.5, "q3": 0.0}
    assert metrics.all_gold(QRELS, RUN, 3) == {"q1": 0.0, "q2": 1.0, "q3": 0.0}
    assert metrics.all_gold(QRELS, RUN, 4) == {"q1": 1.0, "q2": 1.0, "q3": 0.0}


def test_all_gold_cannot_be_reached_with_more_gold_than_places():
    assert metrics.all_gold({"q": {"a": 1, "b": 1}}, {"q": ["a", "b"]}, 1) == {"q": 0.0}


def test_reciprocal_rank_by_hand():
    assert metrics.reciprocal_rank(QRELS, RUN) == {"q1": 0.5, "q2": 1.0, "q3": 0.0}
    assert metrics.reciprocal_rank(QRELS, RUN, 1) == {"q1": 0.0, "q2": 1.0, "q3": 0.0}


def test_ndcg_by_hand():
    linear = metrics.ndcg(QRELS, RUN, 4)
    ideal = 1 + 1 / math.log2(3)
    assert linear["q1"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal, abs=1e-15)
    assert linear["q2"] == pytest.approx((1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)), abs=1e-15)
    assert linear["q3"] == 0.0
    exponential = metrics.ndcg(QRELS, RUN, 4, gain="exponential")
    assert exponential["q2"] == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)), abs=1e-15)


def test_measure_by_name():
    assert metrics.measure("HR@2", QRELS, RUN) == metrics.hit_rate(QRELS, RUN, 2)
    assert metrics.measure("MRR", QRELS, RUN) == metrics.reciprocal_rank(QRELS, RUN)
    assert metrics.measure("MRR@1", QRELS, RUN) == metrics.reciprocal_rank(QRELS, RUN, 1)
    assert metrics.measure("all-gold@4", QRELS, RUN)["q1"] == 1.0


@pytest.mark.parametrize("name", ["HR", "HR@0", "hr@5", "Accuracy@3", "nDCG@", ""])
def test_unknown_metric_names_are_rejected(name):
    with pytest.raises(InvalidInput, match="no metric"):
        metrics.measure(name, QRELS, RUN)


def test_a_question_without_relevant_items_is_rejected():
    with pytest.raises(MissingData, match="'q9'"):
        metrics.hit_rate({"q9": {"a": 0}}, {}, 5)


def test_unsound_runs_are_rejected():
    with pytest.raises(InvalidInput, match="without judgements"):
        metrics.recall({"q": {"a": 1}}, {"other": ["a"]}, 5)
    with pytest.raises(InvalidInput, match="repeats"):
        metrics.recall({"q": {"a": 1}}, {"q": ["a", "a"]}, 5)
    with pytest.raises(InvalidInput, match="cutoff"):
        metrics.recall({"q": {"a": 1}}, {}, 0)


def test_mean_does_not_depend_on_order_and_refuses_nothing():
    values = [1e16, 1.0, -1e16, 1.0]
    assert metrics.mean(values) == metrics.mean(sorted(values)) == 0.5
    with pytest.raises(MissingData):
        metrics.mean([])


def test_token_f1_by_hand():
    # retrieved: net, sales, rose, to, 44.5, billion; answer: 44.5, billion; two are shared
    assert metrics.token_f1("Net sales rose to 44.5 billion", "44.5 billion") == 2 * 2 / (6 + 2)
    assert metrics.token_f1("nothing here", "44.5") == 0.0
    assert metrics.token_f1("", "") == 0.0


def _random_case(seed: int):
    rng = np.random.default_rng(seed)
    items = [f"d{n:02d}" for n in range(40)]
    qrels, run = {}, {}
    for q in range(25):
        judged = rng.choice(items, size=rng.integers(1, 12), replace=False)
        qrels[f"q{q}"] = {str(item): int(rng.integers(0, 4)) for item in judged}
        qrels[f"q{q}"][str(judged[0])] = int(rng.integers(1, 4))
        if q % 8:
            run[f"q{q}"] = [str(item) for item in rng.permutation(items)[: rng.integers(1, 40)]]
    return qrels, run


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("k", [1, 3, 5, 10, 20])
def test_agreement_with_ir_measures(seed, k):
    qrels, run = _random_case(seed)
    scored = {q: {item: 1.0 - rank / 1000 for rank, item in enumerate(items)} for q, items in run.items()}
    pairs = {f"HR@{k}": Success @ k, f"Recall@{k}": R @ k, f"P@{k}": P @ k, f"nDCG@{k}": nDCG @ k}
    pairs |= {"MRR": RR, f"MRR@{k}": RR @ k}
    theirs = {name: dict.fromkeys(qrels, 0.0) for name in pairs}
    for value in ir_measures.iter_calc(list(pairs.values()), qrels, scored):
        name = next(n for n, m in pairs.items() if m == value.measure)
        theirs[name][value.query_id] = value.value
    for name in pairs:
        ours = metrics.measure(name, qrels, run)
        assert ours == pytest.approx(theirs[name], abs=1e-12), name


def test_exponential_gain_agrees_with_ir_measures():
    qrels, run = _random_case(99)
    scored = {q: {item: 1.0 - rank / 1000 for rank, item in enumerate(items)} for q, items in run.items()}
    raised = {q: {item: 2**grade - 1 for item, grade in grades.items()} for q, grades in qrels.items()}
    theirs = dict.fromkeys(qrels, 0.0)
    for value in ir_measures.iter_calc([nDCG @ 10], raised, scored):
        theirs[value.query_id] = value.value
    assert metrics.ndcg(qrels, run, 10, gain="exponential") == pytest.approx(theirs, abs=1e-12)
