import pytest

from aethel_core.errors import InvalidInput
from aethel_core.evaluation import tables
from aethel_core.evaluation.robustness import Robustness
from aethel_core.evaluation.runs import evaluate
from aethel_core.evaluation.scale import ScaleCurve, ScalePoint
from aethel_core.evaluation.statistics import Difference
from tests.evaluation.fakes import contest


def report_of(**outcomes):
    judgements, searcher = contest(outcomes)
    return evaluate(searcher, judgements, tuple(outcomes), ks=(1, 5))


GAP = Difference("hybrid", "bm25", "HR@5", 0.25, 0.05, 0.5, 0.0123, 5, 14, 1)


def test_metrics_with_intervals():
    lines = tables.metrics_table(report_of(bm25="1111", hybrid="0000"), ("HR@1",)).split("\n")
    assert lines[0] == "| retriever | HR@1 | s/query |"
    assert lines[2].startswith("| bm25 | 1.000 [1.000, 1.000] | 0.0")
    assert "all-gold@5" in tables.metrics_table(report_of(bm25="11"))


def test_differences():
    assert tables.differences_table([GAP]).endswith(
        "| hybrid − bm25 | HR@5 | +0.250 | [+0.050, +0.500] | 0.0123 | 5 / 14 / 1 | yes |"
    )


def test_graph_retrievers_against_an_opponent():
    report = report_of(bm25="1100", dense="1111", hybrid="1111", bct="0000")
    table = tables.against(report, "bm25", ("HR@5",))
    assert "hybrid − bm25" in table and "bct − bm25" in table and "dense − bm25" not in table
    with pytest.raises(InvalidInput, match="tfidf is not in this run"):
        tables.against(report, "tfidf", ("HR@5",))


def test_scale():
    points = tuple(
        ScalePoint(size, kept, "bm25", "HR@5", 0.5, 0.1, 0.75) for size in (100, 2000) for kept in (False,)
    )
    table = tables.scale_table(ScaleCurve(points, 2000, (), ""), "HR@5")
    assert table.split("\n")[0] == "| HR@5 by passages | 100 | 2,000 |"
    assert "| bm25 | 0.500 ± 0.100 | 0.500 ± 0.100 |" in table
    assert "| (reachable) | 0.750 | 0.750 |" in table


def test_robustness():
    row = Robustness("typos", "bm25", "HR@5", 20, 0.75, 0.5, GAP)
    assert tables.robustness_table([row]).endswith(
        "| typos | 20 | bm25 | HR@5 | 0.750 | 0.500 | +0.250 | [+0.050, +0.500] |"
    )
