"""Where files are prepared: in a process of its own, or in a thread of this one."""

from __future__ import annotations

import logging
import subprocess
import sys
import tempfile
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from typing import Protocol

from aethel_core.errors import AethelError, Cancelled, DamagedPdf
from aethel_core.ingestion import wire
from aethel_core.ingestion.prepare import Event, Failed, Job, Named, NameReader, prepare

_LOG = logging.getLogger(__name__)
WORKER = (sys.executable, "-m", "aethel_core.ingestion.worker")
_KILLED = (
    "The reading process died on this file, which is probably damaged or asks for too much memory. "
    "Open it in a PDF viewer, save it anew and add that."
)
_FAULT = (
    "A fault of Aethel stopped the reading of this file; the log has the details. Nothing of it was kept."
)
_COMPLAINT = 4000  # bytes of standard error that go to the log
_LAST_WORDS = 5  # seconds that a process which closed its output has to end by itself
_ROOT = Path(__file__).resolve().parent.parent.parent


class Preparation(Protocol):
    """Prepares jobs one after the other, in the order in which they were submitted."""

    def submit(self, job: Job) -> None: ...

    def next(self, seconds: float) -> tuple[str, Event] | None:
        """The next event with its job's id, or None if nothing happens for so long."""
        ...

    def close(self) -> None:
        """Stop at once and drop what was submitted."""
        ...


class InThread:
    """For a name reader that exists only in this process."""

    def __init__(self, names: NameReader) -> None:
        self._names = names
        self._events: SimpleQueue[tuple[str, Event]] = SimpleQueue()
        self._closed = Flag()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="prepare")
        self._futures: deque[Future[None]] = deque()

    def submit(self, job: Job) -> None:
        self._futures.append(self._pool.submit(self._run, job))

    def _run(self, job: Job) -> None:
        def emit(event: Event) -> None:
            if self._closed.is_set():
                raise Cancelled
            self._events.put((job.id, event))

        try:
            prepare(job, self._names, emit)
        except Cancelled:
            return
        except AethelError as error:
            emit(Failed(error))

    def next(self, seconds: float) -> tuple[str, Event] | None:
        try:
            return self._events.get(timeout=seconds)
        except Empty:
            while self._futures and self._futures[0].done():
                self._futures.popleft().result()  # raises what went wrong in the program itself
            return None

    def close(self) -> None:
        self._closed.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


class InProcess:
    """A child process, started anew when a file ended it."""

    def __init__(self) -> None:
        self._child: _Child | None = None
        self._waiting: deque[Job] = deque()

    def submit(self, job: Job) -> None:
        self._waiting.append(job)
        if self._child is not None:
            self._child.send(job)

    def next(self, seconds: float) -> tuple[str, Event] | None:
        if self._child is None:
            if not self._waiting:
                return None
            self._child = _Child()
            for job in self._waiting:
                self._child.send(job)
        try:
            happened = self._child.events.get(timeout=seconds)
        except Empty:
            return None
        if happened is None:
            return self._crashed()
        if isinstance(happened[1], Named | Failed):  # this job is over
            self._waiting.popleft()
        return happened

    def _crashed(self) -> tuple[str, Event] | None:
        """The child ended: the job it was at is to blame, those behind it get a new child."""
        child, self._child = self._child, None
        if child is None or not self._waiting:
            return None
        code, complaint = child.end(_LAST_WORDS)
        job = self._waiting.popleft()
        _LOG.error("the reading process ended with %d at %r:\n%s", code, job.name, complaint)
        return job.id, Failed(DamagedPdf(_KILLED if code < 0 else _FAULT))

    def close(self) -> None:
        self._waiting.clear()
        if self._child is not None:
            self._child.end()
            self._child = None


class _Child:
    """The process, and one thread each way, so that neither side ever waits for a full pipe."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = subprocess.Popen(
            WORKER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=_ROOT,
        )
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.events: SimpleQueue[tuple[str, Event] | None] = SimpleQueue()
        self._threads = [Thread(target=work, daemon=True) for work in (self._speak, self._listen)]
        for thread in self._threads:
            thread.start()

    def send(self, job: Job) -> None:
        self._jobs.put(job)

    def _speak(self) -> None:
        try:
            while (job := self._jobs.get()) is not None:
                wire.send_job(self._process.stdin, job)
        except OSError:
            return  # the process ended; `_listen` notices too, and reports it

    def _listen(self) -> None:
        while (happened := wire.receive_event(self._process.stdout)) is not None:
            self.events.put(happened)
        self.events.put(None)

    def end(self, seconds: float = 0) -> tuple[int, str]:
        """Make sure that the process is gone, if need be by ending it after so many seconds; its exit
        code, negative if a signal ended it, and the end of what it wrote on standard error."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        self._process.stdout.close()
        with suppress(OSError):  # a job may be half sent
            self._process.stdin.close()
        with self._errors:
            self._errors.seek(0)
            return code, self._errors.read()[-_COMPLAINT:].decode("utf-8", "replace")
