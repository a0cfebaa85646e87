from dataclasses import replace

import pytest

from aethel_core.errors import MissingData
from aethel_core.evaluation.overlap import overlap
from aethel_core.evaluation.runs import evaluate
from tests.evaluation.fakes import FakeSearcher, judged

TEXTS = {"a": "net assets were 12 million", "b": "other words"}


def _report(answer):
    judgements = judged({"q": ["a"]})
    questions = (replace(judgements.questions[0], answer=answer),)
    searcher = FakeSearcher({("bm25", "Q"): ["a", "b"]})
    return evaluate(searcher, replace(judgements, questions=questions), ("bm25",), ks=(1, 2))


def test_by_hand():
    (one,) = overlap(_report("12 million"), TEXTS.__getitem__, 1)
    assert (one.metric, one.mean) == ("RTO@1", 2 * 2 / (5 + 2))
    (two,) = overlap(_report("12 million"), TEXTS.__getitem__, 2)
    assert two.mean == 2 * 2 / (7 + 2)  # nothing got worse but the length


def test_without_answers():
    with pytest.raises(MissingData, match="No question has an answer"):
        overlap(_report(""), TEXTS.__getitem__)
