"""Hand-computed cases, and scipy's bootstrap and permutation test as independent references."""

import numpy as np
import pytest
from scipy import stats

from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation import statistics


def test_bootstrap_of_a_constant_has_no_width():
    assert statistics.bootstrap([0.25] * 7) == statistics.Interval(0.25, 0.25, 0.25)


def test_bootstrap_of_one_hit_in_two_is_the_binomial():
    # Resampled means of (0, 1) are 0, 1/2, 1 with probability 1/4, 1/2, 1/4: the 2.5 % and
    # 97.5 % percentiles are 0 and 1.
    assert statistics.bootstrap([0.0, 1.0]) == statistics.Interval(0.5, 0.0, 1.0)


def test_bootstrap_repeats_bit_for_bit():
    values = np.random.default_rng(1).random(50).tolist()
    assert statistics.bootstrap(values) == statistics.bootstrap(values)


def test_bootstrap_agrees_with_scipy():
    values = np.random.default_rng(3).random(60)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(7)
    )
    ours = statistics.bootstrap(values.tolist())
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.004)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.004)


def test_permutation_by_hand():
    # Three questions, all won by the same: of 8 sign patterns, +++ and --- are as far out.
    assert statistics.permutation_p([1, 1, 1]) == 2 / 8
    # +1, +1, -1: sums are 3, 1, 1, 1, -1, -1, -1, -3: all at least as far out as 1.
    assert statistics.permutation_p([1, 1, -1]) == 1.0
    # 2, 1: sums 3, 1, -1, -3; seen 3.
    assert statistics.permutation_p([2, 1]) == 0.5
    assert statistics.permutation_p([0, 0, 0]) == 1.0


def test_questions_that_do_not_differ_do_not_change_p():
    assert statistics.permutation_p([1, 1, 1, 0, 0, 0, 0]) == statistics.permutation_p([1, 1, 1])


def test_permutation_agrees_with_scipy_on_many_questions():
    gaps = np.random.default_rng(5).normal(0.12, 0.5, size=80)
    theirs = stats.permutation_test(
        (gaps, np.zeros(80)),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=9_999,
        rng=np.random.default_rng(11),
    ).pvalue
    assert statistics.permutation_p(gaps.tolist()) == pytest.approx(theirs, abs=0.01)


def test_sums_of_fractions_count_as_ties():
    thirds = [1 / 3 + 1 / 3 + 1 / 3, 2 / 3, 0.1 + 0.2]
    others = [1.0, 1 - 1 / 3, 0.3]
    found = statistics.difference("a", "b", "Recall@5", thirds, others)
    assert (found.wins, found.ties, found.losses, found.p) == (0, 3, 0, 1.0)


def test_difference_by_hand():
    found = statistics.difference("hybrid", "bm25", "HR@5", [1, 1, 1, 0], [0, 1, 1, 1])
    assert (found.a, found.b, found.metric, found.mean) == ("hybrid", "bm25", "HR@5", 0.0)
    assert (found.wins, found.ties, found.losses) == (1, 2, 1)
    assert found.low < 0 < found.high
    assert not found.clear


def test_a_clear_difference_needs_the_interval_and_the_permutation_test():
    few = statistics.difference("a", "b", "HR@5", [1, 1, 1], [0, 0, 0])
    assert few.low == few.high == 1.0  # the bootstrap alone would be certain
    assert few.p == 0.25
    assert not few.clear
    enough = statistics.difference("a", "b", "HR@5", [1] * 8, [0] * 8)
    assert enough.p == 2 / 256
    assert enough.clear
    assert statistics.difference("b", "a", "HR@5", [0] * 8, [1] * 8).clear


def test_values_of_different_questions_are_rejected():
    with pytest.raises(InvalidInput, match="same questions"):
        statistics.difference("a", "b", "MRR", [1.0], [1.0, 0.5])
    with pytest.raises(MissingData):
        statistics.difference("a", "b", "MRR", [], [])


def test_questions_needed_by_hand():
    # mean 0.25, sd = sqrt(3 * .0625 + .5625) / sqrt(3) = 0.5: (2.801585 * 0.5 / 0.25)^2 = 31.4
    assert statistics.questions_needed([1, 0, 0, 0]) == 32
    # The same difference on each question: six are enough for p < .05.
    assert statistics.questions_needed([0.5] * 4) == 6
    assert statistics.questions_needed([1, -1]) is None


def test_questions_needed_agrees_with_the_normal_approximation():
    gaps = np.random.default_rng(2).normal(0.1, 0.4, size=40)
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    expected = (z * gaps.std(ddof=1) / gaps.mean()) ** 2
    assert statistics.questions_needed(gaps.tolist()) == int(np.ceil(expected))


def test_detectable_difference_by_hand():
    assert statistics.detectable([1, 0, 0, 0]) == pytest.approx(2.801585 * 0.5 / 2)
