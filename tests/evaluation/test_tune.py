import pytest

from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation.runs import evaluate
from aethel_core.evaluation.tune import tune
from tests.evaluation.fakes import FakeSearcher, judged


def report_of(count):
    """The good retriever has gold first; the bad one has it not at all, and agrees with nobody."""
    questions = judged({f"q{i}": [f"gold{i}"] for i in range(count)})
    rankings = {}
    for i in range(count):
        rankings["good", f"Q{i}"] = [f"gold{i}", f"b{i}"]
        rankings["bad", f"Q{i}"] = [f"a{i}", f"b{i}"]
    return evaluate(FakeSearcher(rankings), questions, ("good", "bad"), ks=(1, 10), baseline="good")


def test_the_better_retriever_gets_the_weight():
    # With equal weights b (2nd in both) beats gold (1st in one): 2/62 > 1/61, and a ties with gold.
    tuning = tune(report_of(40), ("good", "bad"), "HR@1")
    assert tuning.weights[0] > tuning.weights[1]
    assert (tuning.equal, tuning.held_out) == (0.0, 1.0)
    assert tuning.gain.mean == 1.0 and tuning.gain.clear
    assert tuning.warning == ""


def test_ties_keep_equal_weights():
    questions = judged({f"q{i}": [f"g{i}"] for i in range(6)})
    same = {(name, f"Q{i}"): [f"g{i}"] for name in ("a", "b", "c") for i in range(6)}
    report = evaluate(FakeSearcher(same), questions, ("a", "b", "c"), baseline="a")
    tuning = tune(report, ("a", "b", "c"))
    assert tuning.weights == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert tuning.gain.mean == 0.0


def test_few_questions_are_warned_of_and_too_few_refused():
    assert "Only 12 questions" in tune(report_of(12), ("good", "bad")).warning
    with pytest.raises(MissingData, match="at least 5"):
        tune(report_of(4), ("good", "bad"))


def test_retrievers_must_be_of_the_run():
    for names in (("good",), ("good", "good"), ("good", "dense")):
        with pytest.raises(InvalidInput, match="good, bad"):
            tune(report_of(6), names)


def test_tuning_repeats():
    assert tune(report_of(20), ("good", "bad")) == tune(report_of(20), ("good", "bad"))
