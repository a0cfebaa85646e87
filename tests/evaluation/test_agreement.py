import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from aethel_core.errors import MissingData
from aethel_core.evaluation.agreement import Disagreement, cohen_kappa


def _marks(grades):
    return {("q", f"p{n:03d}"): grade for n, grade in enumerate(grades)}


def test_kappa_by_hand():
    # Both say yes to 20, both no to 15; A alone says yes to 5, B alone to 10 (of 50):
    # p_o = .7, p_e = .5 * .6 + .5 * .4 = .5, kappa = .4
    a = _marks([1] * 20 + [1] * 5 + [0] * 10 + [0] * 15)
    b = _marks([1] * 20 + [0] * 5 + [1] * 10 + [0] * 15)
    found = cohen_kappa(a, b)
    assert (found.judged, found.observed, found.expected) == (50, 0.7, 0.5)
    assert found.kappa == pytest.approx(0.4, abs=1e-15)
    assert found.words == "fair"
    assert len(found.disagreements) == 15


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_kappa_agrees_with_scikit_learn(seed, weighted):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    b[:30] = a[:30]
    theirs = cohen_kappa_score(a, b, weights="linear" if weighted else None)
    ours = cohen_kappa(_marks(a.tolist()), _marks(b.tolist()), weighted)
    assert ours.kappa == pytest.approx(theirs, abs=1e-12)


def test_only_common_items_count_and_wide_misses_come_first():
    a = {("q1", "p1"): 2, ("q1", "p2"): 1, ("q2", "p1"): 2, ("q9", "p9"): 1}
    b = {("q1", "p1"): 2, ("q1", "p2"): 0, ("q2", "p1"): 0, ("q8", "p8"): 1}
    found = cohen_kappa(a, b)
    assert found.judged == 3
    assert found.disagreements == (Disagreement("q2", "p1", 2, 0), Disagreement("q1", "p2", 1, 0))


def test_kappa_is_undefined_when_nothing_varies():
    found = cohen_kappa(_marks([1, 1, 1]), _marks([1, 1, 1]))
    assert found.kappa is None
    assert "not defined" in found.words


@pytest.mark.parametrize(("b", "words"), [([1, 0, 1, 0], "almost perfect"), ([0, 1, 0, 1], "none")])
def test_extremes_in_words(b, words):
    assert cohen_kappa(_marks([1, 0, 1, 0]), _marks(b)).words == words


def test_nothing_in_common():
    with pytest.raises(MissingData, match="no passage in common"):
        cohen_kappa({("q", "a"): 1}, {("q", "b"): 1})
