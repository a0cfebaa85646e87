import json

import pytest

from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation.report import Report, compare_runs
from aethel_core.evaluation.results import Results, code_fingerprint
from aethel_core.evaluation.runs import evaluate
from tests.evaluation.fakes import contest


def report_of(**outcomes):
    judgements, searcher = contest(outcomes)
    return evaluate(searcher, judgements, tuple(outcomes), ks=(1, 5), corpus_fingerprint="corpus 1")


def test_json_round_trip():
    report = report_of(bm25="1100", hybrid="1111")
    assert Report.from_json(report.to_json()) == report
    assert Report.from_json(report.to_json()).answers[0].seconds == report.answers[0].seconds


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "odd": 2}'])
def test_damaged_results_are_refused(text):
    with pytest.raises(MissingData, match="run it again"):
        Report.from_json(text)


def test_results_of_another_version_are_refused():
    data = json.loads(report_of(bm25="10").to_json()) | {"format": 0}
    with pytest.raises(MissingData, match="another version"):
        Report.from_json(json.dumps(data))


def test_summary_has_the_promised_shape():
    summary = json.loads(report_of(bm25="1100", hybrid="1111").summary_json())
    assert summary["questions"] == 4
    assert summary["retrievers"]["bm25"]["HR@5"] == 0.5
    names = {f"{name}@{k}" for name in ("HR", "Recall", "nDCG", "all-gold") for k in (1, 5)} | {"MRR"}
    assert set(summary["retrievers"]["hybrid"]) == names
    assert [set(entry) for entry in summary["differences"]] == [
        {"a", "b", "metric", "mean", "low", "high", "p"}
    ] * len(names)


def test_what_was_not_measured_is_said():
    with pytest.raises(InvalidInput, match="HR@7 of bm25 was not measured"):
        report_of(bm25="10").mean("bm25", "HR@7")


def test_staleness():
    report = report_of(bm25="10")
    assert not report.stale("corpus 1")
    assert report.stale("corpus 2")


def test_head_to_head():
    found = report_of(bm25="1100", hybrid="1110", dense="0111").difference("hybrid", "dense", "HR@1")
    assert (found.wins, found.ties, found.losses) == (1, 2, 1)


def test_two_runs_side_by_side():
    first, second = report_of(bm25="1100", hybrid="0000"), report_of(hybrid="1100", dense="1111", bm25="1100")
    found = {d.a: (d.mean, d.b) for d in compare_runs(first, second, "HR@1")}
    assert found == {"bm25 (second)": (0.0, "bm25 (first)"), "hybrid (second)": (0.5, "hybrid (first)")}


def test_two_runs_need_common_questions():
    first = report_of(bm25="1")
    judgements, searcher = contest({"dense": "1"})
    second = evaluate(searcher, judgements, ("dense",), baseline="dense")
    with pytest.raises(MissingData, match="in common"):
        compare_runs(first, second, "HR@1")


def test_results_are_kept_and_found_again(tmp_path):
    results = Results(tmp_path / "runs")
    assert results.all() == ()
    first, second = report_of(bm25="10"), report_of(bm25="101")
    results.save(first)
    results.save(second)
    assert results.load(first.fingerprint) == first
    assert set(results.all()) == {first, second}
    assert results.load("f" * 64) is None
    assert results.load("../../etc/passwd") is None
    results.delete(first.fingerprint)
    assert results.all() == (second,)


def test_a_kept_result_is_used_and_a_damaged_one_made_anew(tmp_path):
    results, made = Results(tmp_path), []

    def make():
        made.append(1)
        return report_of(bm25="10")

    wanted = report_of(bm25="10").fingerprint
    kept = results.load_or_make(wanted, make)
    assert results.load_or_make(wanted, make).to_json() == kept.to_json()
    assert len(made) == 1
    (tmp_path / f"{wanted}.json").write_text("{")
    results.load_or_make(wanted, make)
    assert len(made) == 2


def test_code_fingerprint_is_stable():
    assert code_fingerprint() == code_fingerprint()
    assert len(code_fingerprint()) == 64
