"""The reading process: takes files on standard input, answers with events on standard output.

It exists so that a PDF which crashes the parser takes this process with it and nothing else, so
that a stop is instant, and so that reading the next file goes on while the dense model works.
It ends by itself when its parent does, because then its input ends.
"""

from __future__ import annotations

import os
import signal
import sys
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import BinaryIO

from aethel_core.errors import AethelError
from aethel_core.ingestion import wire
from aethel_core.ingestion.prepare import Event, Failed, Job, Recognisers, prepare


def _listen(stream: BinaryIO, jobs: SimpleQueue[Job]) -> None:
    while (job := wire.receive_job(stream)) is not None:
        jobs.put(job)
    os._exit(0)  # the parent is gone; whatever is being read is of no use to anyone


def _die(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A fault of the program: tell it and end at once, without waiting for `_listen`."""
    sys.__excepthook__(kind, error, trace)
    sys.stderr.flush()
    os._exit(1)


def main() -> None:
    sys.excepthook = _die
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    # Libraries print; standard output is the wire, so their output goes where errors go.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    jobs: SimpleQueue[Job] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, jobs), daemon=True).start()
    names = Recognisers()
    while True:
        job = jobs.get()

        def emit(event: Event, job_id: str = job.id) -> None:
            wire.send_event(output, job_id, event)

        try:
            prepare(job, names, emit)
        except AethelError as error:
            emit(Failed(error))


if __name__ == "__main__":
    main()
