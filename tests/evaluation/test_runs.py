import pytest

from aethel_core.errors import Cancelled, InvalidInput, MissingData
from aethel_core.evaluation.judgements import Judgements
from aethel_core.evaluation.runs import evaluate, run_fingerprint
from tests.evaluation.fakes import FakeSearcher, judged

QUESTIONS = {"q1": ["a", "b"], "q2": ["c"]}
RANKINGS = {
    ("bm25", "Q1"): ["x", "a", "y"],
    ("bm25", "Q2"): ["z"],
    ("hybrid", "Q1"): ["a", "b"],
    ("hybrid", "Q2"): ["z", "w", "c"],
}


def run(**options):
    options = {"ks": (1, 3)} | options
    return evaluate(FakeSearcher(RANKINGS), judged(QUESTIONS), ("bm25", "hybrid"), **options)


def test_metrics_by_hand():
    report = run()
    assert report.mean("bm25", "HR@1") == 0.0
    assert report.mean("bm25", "HR@3") == 0.5
    assert report.mean("bm25", "Recall@3") == 0.25
    assert report.mean("bm25", "MRR") == 0.25
    assert report.mean("hybrid", "HR@3") == 1.0
    assert report.mean("hybrid", "all-gold@3") == 1.0
    assert report.mean("hybrid", "MRR") == pytest.approx((1 + 1 / 3) / 2)
    assert report.values("hybrid", "HR@1") == (1.0, 0.0)


def test_differences_are_to_the_baseline():
    (found,) = [d for d in run().differences if d.metric == "HR@3"]
    assert (found.a, found.b, found.mean, found.wins, found.ties) == ("hybrid", "bm25", 0.5, 1, 1)
    assert not found.clear


def test_ranks_for_the_drill_down():
    report = run()
    assert [(a.retriever, a.ranks) for a in report.answers_to("q1")] == [("bm25", (2, 0)), ("hybrid", (1, 2))]


def test_a_question_nobody_answers_counts_zero():
    report = evaluate(FakeSearcher({}), judged(QUESTIONS), ("bm25",), ks=(5,))
    assert report.mean("bm25", "HR@5") == report.mean("bm25", "nDCG@5") == 0.0


def test_passages_become_pages_by_first_occurrence():
    pages = {"p1": "d#1", "p2": "d#1", "p3": "d#2", "p4": "d#3"}
    judgements = Judgements("page", judged({"q1": ["d#2"]}).questions, pages.__getitem__)
    searcher = FakeSearcher({("bm25", "Q1"): ["p1", "p2", "p3", "p4"]})
    report = evaluate(searcher, judgements, ("bm25",), ks=(2,))
    assert report.answers[0].items == ("d#1", "d#2")
    assert report.answers[0].ranks == (2,)
    assert searcher.calls == [("Q1", "bm25", 1000)]


def test_it_looks_deeper_until_the_pages_fill_the_cutoff():
    ids = [f"p{n:04d}" for n in range(9000)]
    pages = {p: "d#1" if n < 2000 else f"d#{n}" for n, p in enumerate(ids)}
    judgements = Judgements("page", judged({"q1": ["d#2000"]}).questions, pages.__getitem__)
    searcher = FakeSearcher({("bm25", "Q1"): ids})
    report = evaluate(searcher, judgements, ("bm25",), ks=(2,))
    assert [k for _, _, k in searcher.calls] == [1000, 4000]
    assert report.mean("bm25", "HR@2") == 1.0


def test_it_stops_looking_when_there_is_no_more_or_deep_enough():
    searcher = FakeSearcher({("bm25", "Q1"): ["a"] * 1})
    judgements = Judgements("page", judged({"q1": ["g"]}).questions, lambda p: "same page")
    evaluate(searcher, judgements, ("bm25",), ks=(2,))
    assert [k for _, _, k in searcher.calls] == [1000]
    endless = FakeSearcher({("bm25", "Q1"): [f"p{n}" for n in range(50_000)]})
    evaluate(endless, judgements, ("bm25",), ks=(2,))
    assert [k for _, _, k in endless.calls] == [1000, 4000, 16_000]


def test_mrr_does_not_depend_on_the_cutoffs_and_looks_100_deep():
    rankings = {("bm25", f"Q{i}"): [f"x{n}" for n in range(i)] + ["g"] for i in (9, 99, 100)}
    judgements = judged({"q9": ["g"], "q99": ["g"], "q100": ["g"]})
    report = evaluate(FakeSearcher(rankings), judgements, ("bm25",), ks=(1,))
    assert report.values("bm25", "MRR") == (1 / 10, 1 / 100, 0.0)
    assert [answer.ranks for answer in report.answers] == [(10,), (100,), (0,)]


def test_progress_and_cancel():
    seen = []
    run(on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    with pytest.raises(Cancelled):
        run(on_progress=lambda done, total: seen.append(done), cancelled=lambda: seen[-1] == 2)
    assert seen[-1] == 2


def test_arguments_are_checked():
    with pytest.raises(InvalidInput, match="baseline 'tfidf'"):
        run(baseline="tfidf")
    with pytest.raises(InvalidInput, match="Cutoffs"):
        run(ks=(0, 3))
    with pytest.raises(InvalidInput, match="No retriever"):
        evaluate(FakeSearcher({}), judged(QUESTIONS), ())
    with pytest.raises(MissingData, match="no questions"):
        evaluate(FakeSearcher({}), judged({}), ("bm25",))


def test_runs_repeat_bit_for_bit_and_the_fingerprint_knows_what_shaped_them():
    first, again = run(), run()
    assert first == again
    assert first.summary_json() == again.summary_json()
    base = run_fingerprint(judged(QUESTIONS), ("bm25", "hybrid"), (1, 3), "bm25", "")
    assert first.fingerprint == base
    others = {
        run_fingerprint(judged({"q1": ["a"]}), ("bm25", "hybrid"), (1, 3), "bm25", ""),
        run_fingerprint(judged(QUESTIONS, "page"), ("bm25", "hybrid"), (1, 3), "bm25", ""),
        run_fingerprint(judged(QUESTIONS), ("bm25",), (1, 3), "bm25", ""),
        run_fingerprint(judged(QUESTIONS), ("bm25", "hybrid"), (1, 5), "bm25", ""),
        run_fingerprint(judged(QUESTIONS), ("bm25", "hybrid"), (1, 3), "hybrid", ""),
        run_fingerprint(judged(QUESTIONS), ("bm25", "hybrid"), (1, 3), "bm25", "other corpus"),
        run_fingerprint(judged(QUESTIONS), ("bm25", "hybrid"), (1, 3), "bm25", "", {"k1": 1.2}),
    }
    assert len(others - {base}) == 7


def test_head_to_head_is_the_same_from_both_sides():
    report = run()
    (ours,) = [d for d in report.head_to_head("HR@3") if d.a == "hybrid"]
    (theirs,) = [d for d in report.head_to_head("HR@3") if d.a == "bm25"]
    assert (ours.mean, ours.wins, ours.ties, ours.losses) == (0.5, 1, 1, 0)
    assert (theirs.mean, theirs.low, theirs.high) == (-ours.mean, -ours.high, -ours.low)
    assert (theirs.wins, theirs.ties, theirs.losses, theirs.p) == (0, 1, 1, ours.p)
    assert ours == report.difference("hybrid", "bm25", "HR@3")
