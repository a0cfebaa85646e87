import threading

import pytest

from aethel_core.errors import ModelUnavailable
from aethel_core.evaluation.background import BackgroundRun
from aethel_core.evaluation.runs import evaluate
from tests.evaluation.fakes import contest


def work(on_progress, cancelled):
    judgements, searcher = contest({"bm25": "1010"})
    return evaluate(searcher, judgements, ("bm25",), on_progress=on_progress, cancelled=cancelled)


def test_a_run_ends_with_its_report():
    state = BackgroundRun(work).wait(10)
    assert (state.status, state.done, state.total) == ("done", 4, 4)
    assert state.result.mean("bm25", "HR@1") == 0.5


def test_a_run_can_be_watched_and_stopped():
    reached, go_on = threading.Event(), threading.Event()

    def slow(on_progress, cancelled):
        def progress(done, total):
            on_progress(done, total)
            reached.set()
            go_on.wait(10)

        return work(progress, cancelled)

    run = BackgroundRun(slow)
    assert reached.wait(10)
    assert (run.state.status, run.state.done, run.state.total) == ("running", 1, 4)
    run.cancel()
    go_on.set()
    state = run.wait(10)
    assert (state.status, state.done, state.result) == ("cancelled", 1, None)
    assert "stopped" in state.message


def test_what_went_wrong_is_said():
    def fails(on_progress, cancelled):
        raise ModelUnavailable("The model is not there; install it.")

    state = BackgroundRun(fails).wait(10)
    assert (state.status, state.message) == ("failed", "The model is not there; install it.")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_does_not_leave_the_run_running():
    def broken(on_progress, cancelled):
        raise ZeroDivisionError

    assert BackgroundRun(broken).wait(10).status == "failed"
