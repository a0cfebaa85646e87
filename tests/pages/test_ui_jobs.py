"""Work in the background: progress, queueing, stopping, failing."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from aethel_core.errors import WorkspaceError
from aethel_core.workspace import Outcome, Progress
from pages._ui import work
from pages._ui.jobs import FileState, Jobs, JobState, Task

HERE = Path("deal")


def wait(jobs: Jobs) -> JobState:
    for _ in range(500):
        state = jobs.state(HERE)
        assert state is not None
        if not state.running:
            return state
        time.sleep(0.01)
    raise AssertionError("the job does not end")


def outcomes(*names: str) -> list[Outcome]:
    return [Outcome(name, "added") for name in names]


def test_progress_is_seen_and_outcomes_are_kept() -> None:
    jobs, at_vectors, go_on = Jobs(), threading.Event(), threading.Event()

    def run(on_progress, cancelled) -> Sequence[Outcome]:
        on_progress(Progress("a.pdf", 1, 2, "pages", 3, 3))
        on_progress(Progress("b.pdf", 2, 2, "pages", 1, 4))
        on_progress(Progress("b.pdf", 2, 2, "vectors", 5, 10))
        at_vectors.set()
        go_on.wait(5)
        return outcomes("a.pdf", "b.pdf", "c.pdf")

    jobs.start(HERE, Task("Reading", ("a.pdf", "b.pdf", "c.pdf"), run))
    assert at_vectors.wait(5)
    state = jobs.state(HERE)
    assert state is not None and state.running and jobs.busy(HERE)
    assert [file.name for file in state.begun] == ["a.pdf", "b.pdf"] and state.waiting == ("c.pdf",)
    assert state.begun[0].over and state.finished == 1
    assert state.begun[1].stages == ((4, 4), (1, 1), None, (5, 10), None)
    assert 0 < state.fraction < 1
    go_on.set()
    ended = wait(jobs)
    assert [outcome.name for outcome in ended.outcomes] == ["a.pdf", "b.pdf", "c.pdf"]
    assert ended.waiting == () and ended.problem == "" and jobs.ended(HERE) == 1
    jobs.dismiss(HERE)
    assert jobs.state(HERE) is None


def test_a_second_task_waits_for_the_first() -> None:
    jobs, go_on, order = Jobs(), threading.Event(), []

    def task(name: str) -> Task:
        def run(on_progress, cancelled) -> Sequence[Outcome]:
            go_on.wait(5)
            order.append(name)
            return outcomes(name)

        return Task("Reading", (name,), run)

    jobs.start(HERE, task("one"))
    jobs.start(HERE, task("two"))
    go_on.set()
    assert [outcome.name for outcome in wait(jobs).outcomes] == ["one", "two"]
    assert order == ["one", "two"] and jobs.ended(HERE) == 1


def test_stop_reaches_the_work_and_drops_what_waits() -> None:
    jobs, begun = Jobs(), threading.Event()

    def run(on_progress, cancelled) -> Sequence[Outcome]:
        begun.set()
        for _ in range(500):
            if cancelled():
                return [Outcome("one", "cancelled")]
            time.sleep(0.01)
        raise AssertionError("never told to stop")

    jobs.start(HERE, Task("Reading", ("one",), run))
    assert begun.wait(5)
    jobs.start(HERE, Task("Reading", ("two",), lambda *_: outcomes("two")))
    jobs.cancel(HERE)
    state = wait(jobs)
    assert [outcome.status for outcome in state.outcomes] == ["cancelled"]
    jobs.start(HERE, Task("Reading", ("three",), lambda *_: outcomes("three")))
    assert [outcome.name for outcome in wait(jobs).outcomes] == ["three"]


def test_a_refusal_is_told_in_its_own_words() -> None:
    def run(on_progress, cancelled) -> Sequence[Outcome]:
        raise WorkspaceError("The disk is full.")

    jobs = Jobs()
    jobs.start(HERE, Task("Reading", ("one",), run))
    assert wait(jobs).problem == "The disk is full."


def test_a_crash_leaves_no_job_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda crash: None)

    def run(on_progress, cancelled) -> Sequence[Outcome]:
        raise ZeroDivisionError

    jobs = Jobs()
    jobs.start(HERE, Task("Reading", ("one",), run))
    assert "unexpectedly" in wait(jobs).problem


def test_time_left_is_not_guessed_too_early() -> None:
    half = FileState("a", ((1, 1), (1, 1), (1, 1), (0, 1), None))
    early = JobState("Reading", (half,), (), (), True, False, 2.0)
    assert early.seconds_left is None
    later = JobState("Reading", (half,), (), (), True, False, 70.0)
    assert later.seconds_left == pytest.approx(70 * (1 - later.fraction) / later.fraction)


def test_a_file_that_waited_and_was_read_later_is_told_once() -> None:
    said = [("a", "password"), ("b", "cancelled"), ("a", "password"), ("a", "added"), ("c", "failed")]
    kept = work.settled([Outcome(name, status) for name, status in said])
    assert [(outcome.name, outcome.status) for outcome in kept] == [
        ("b", "cancelled"),
        ("a", "added"),
        ("c", "failed"),
    ]
