"""Long work on a workspace in the background: one worker per workspace, watched by the screens.

Nothing here knows Streamlit: a worker thread must not touch a session. Screens poll
`Jobs.state`, which is a frozen picture of the moment.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from aethel_core.errors import AethelError
from aethel_core.workspace import Outcome, Progress

STAGES = ("pages", "passages", "entities", "vectors", "saving")
# Shares of the time of a filing, from the stages timed alone over 38 of them (pages per second: 151,
# 712, 18, 9); saving is what is left over. They only serve the estimate of time left.
_SHARE = {"pages": 0.04, "passages": 0.01, "entities": 0.31, "vectors": 0.63, "saving": 0.01}

OnProgress = Callable[[Progress], None]
Cancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Task:
    """``run`` does the work on ``names``, which are files or documents in that order."""

    verb: str  # "Reading", "Re-indexing"
    names: tuple[str, ...]
    run: Callable[[OnProgress, Cancelled], Sequence[Outcome]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class FileState:
    """One file that was begun. ``stages`` has (done, total) of each stage begun, in the order of
    `STAGES`; entities and vectors advance side by side. ``over`` once the next file was begun."""

    name: str
    stages: tuple[tuple[int, int] | None, ...] = (None,) * len(STAGES)
    over: bool = False

    def at(self, progress: Progress) -> FileState:
        """This file, further on."""
        number = STAGES.index(progress.stage)
        stages = list(self.stages)
        stages[number] = (progress.done, progress.total)
        for earlier in range(min(number, 2)):  # pages and passages are behind it
            done, total = stages[earlier] or (1, 1)
            stages[earlier] = (max(done, total), total)
        return replace(self, stages=tuple(stages))

    @property
    def fraction(self) -> float:
        if self.over:
            return 1.0
        shares = zip(STAGES, self.stages, strict=True)
        return sum(_SHARE[stage] * at[0] / at[1] for stage, at in shares if at is not None and at[1])


@dataclass(frozen=True, slots=True)
class JobState:
    """``problem`` is a sentence when the work as a whole could not go on."""

    verb: str
    begun: tuple[FileState, ...]
    waiting: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    running: bool
    cancelling: bool
    elapsed: float
    problem: str = ""

    @property
    def files(self) -> int:
        return len(self.begun) + len(self.waiting)

    @property
    def finished(self) -> int:
        return sum(file.over for file in self.begun) if self.running else self.files

    @property
    def fraction(self) -> float:
        return sum(file.fraction for file in self.begun) / self.files if self.files else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None until enough has been done to say."""
        if self.elapsed < 4 or self.fraction < 0.03:
            return None
        return self.elapsed * (1 - self.fraction) / self.fraction


@dataclass(slots=True)
class _Job:
    lock: threading.Lock = field(default_factory=threading.Lock)
    stop: threading.Event = field(default_factory=threading.Event)
    tasks: list[Task] = field(default_factory=list)
    verb: str = ""
    begun: list[FileState] = field(default_factory=list)
    number: int = 0  # of the file under way, within its task
    waiting: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    running: bool = True
    started: float = field(default_factory=time.monotonic)
    ended: float = 0.0
    problem: str = ""


class Jobs:
    """The one owner of worker threads, shared by every session of the server."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[Path, _Job] = {}
        self._ended: Counter[Path] = Counter()

    def start(self, path: Path, task: Task) -> None:
        """Do `task` in the workspace at `path`; behind what it is doing already, if anything."""
        with self._lock:
            job = self._jobs.get(path)
            if job is not None:
                with job.lock:
                    if job.running:
                        _queue(job, task)
                        return
            job = self._jobs[path] = _Job()
            _queue(job, task)
        threading.Thread(target=self._work, args=(path, job), name="aethel-work", daemon=True).start()

    def state(self, path: Path) -> JobState | None:
        job = self._jobs.get(path)
        if job is None:
            return None
        with job.lock:
            return JobState(
                job.verb,
                tuple(job.begun),
                tuple(job.waiting),
                tuple(job.outcomes),
                job.running,
                job.stop.is_set(),
                (job.ended or time.monotonic()) - job.started,
                job.problem,
            )

    def busy(self, path: Path) -> bool:
        state = self.state(path)
        return state is not None and state.running

    def ended(self, path: Path) -> int:
        """How many jobs have ended here: it moves on whenever one may have changed the corpus."""
        return self._ended[path]

    def cancel(self, path: Path) -> None:
        """Stop after the step under way; what is finished by then stays."""
        job = self._jobs.get(path)
        if job is not None:
            job.stop.set()

    def dismiss(self, path: Path) -> None:
        """Forget a finished job and its summary."""
        with self._lock:
            job = self._jobs.get(path)
            if job is not None and not job.running:
                del self._jobs[path]

    def _work(self, path: Path, job: _Job) -> None:
        problem = "The work stopped unexpectedly; what was finished is kept. The server's log says more."
        try:
            while task := _next(job):
                _run(job, task)
            problem = ""
        except AethelError as error:
            problem = str(error)
        finally:
            with job.lock:
                job.running, job.ended, job.problem = False, time.monotonic(), problem
                job.tasks.clear()
            self._ended[path] += 1


def _queue(job: _Job, task: Task) -> None:
    job.tasks.append(task)
    job.waiting += task.names
    job.verb = job.verb or task.verb


def _next(job: _Job) -> Task | None:
    with job.lock:
        if not job.tasks or job.stop.is_set():
            job.running = False
            return None
        task = job.tasks.pop(0)
        job.verb, job.number = task.verb, 0
        return task


def _run(job: _Job, task: Task) -> None:
    def progressed(progress: Progress) -> None:
        with job.lock:
            if progress.file_number != job.number:
                _end(job)
                job.number = progress.file_number
                job.begun.append(FileState(progress.file))
                _leave(job.waiting, progress.file)
            job.begun[-1] = job.begun[-1].at(progress)

    outcomes = task.run(progressed, job.stop.is_set)
    with job.lock:
        job.outcomes += outcomes
        _end(job)
        begun = Counter(file.name for file in job.begun)
        for outcome in outcomes:  # those that needed no reading, such as duplicates
            if begun[outcome.name]:
                begun[outcome.name] -= 1
            else:
                job.begun.append(FileState(outcome.name, over=True))
                _leave(job.waiting, outcome.name)


def _end(job: _Job) -> None:
    if job.number:
        job.begun[-1] = replace(job.begun[-1], over=True)


def _leave(waiting: list[str], name: str) -> None:
    """Take `name` off the waiting list; a name that was cleaned for display takes the first."""
    if waiting:
        waiting.pop(waiting.index(name) if name in waiting else 0)
