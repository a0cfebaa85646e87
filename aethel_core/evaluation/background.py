"""Work that goes on while the person does something else: progress, cancel, outcome."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from aethel_core.errors import AethelError, Cancelled
from aethel_core.evaluation.runs import OnProgress

Result = TypeVar("Result")
Work = Callable[[OnProgress, Callable[[], bool]], Result]


@dataclass(frozen=True, slots=True)
class RunState(Generic[Result]):
    """``message`` is for the person when the run failed or was stopped."""

    status: Literal["running", "done", "cancelled", "failed"]
    done: int = 0
    total: int = 0
    result: Result | None = None
    message: str = ""


class BackgroundRun(Generic[Result]):
    """Runs ``work(on_progress, cancelled)`` in a thread of its own, which ends with the program."""

    def __init__(self, work: Work[Result]) -> None:
        self._state: RunState[Result] = RunState("running")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(work,), name="evaluation", daemon=True)
        self._thread.start()

    @property
    def state(self) -> RunState[Result]:
        """A snapshot; replaced as a whole, so that it is never half of one and half of another."""
        return self._state

    def cancel(self) -> None:
        """Ask it to stop; it does after the search under way."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> RunState[Result]:
        self._thread.join(timeout)
        return self._state

    def _run(self, work: Work[Result]) -> None:
        outcome: RunState[Result] = RunState("failed", message="It ended unexpectedly; the log says more.")
        try:
            result = work(self._progress, self._stop.is_set)
            outcome = RunState("done", self._state.done, self._state.total, result)
        except Cancelled as error:
            outcome = RunState("cancelled", self._state.done, self._state.total, message=str(error))
        except AethelError as error:
            outcome = RunState("failed", self._state.done, self._state.total, message=str(error))
        finally:
            # Whatever else was raised goes on to the thread's hook, which logs it.
            self._state = outcome

    def _progress(self, done: int, total: int) -> None:
        self._state = RunState("running", done, total)
