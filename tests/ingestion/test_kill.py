"""Killed at any moment of an ingest, a workspace keeps what is finished and offers the rest."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aethel_core.types import Document
from aethel_core.workspace import Workspace, sources_from_paths
from tests.standins import HashEmbedder, RegexNames, letter

KILLS = 24
FILES = 6
SCRIPT = Path(__file__).with_name("killed.py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("letters")
    for n in range(FILES):
        sentences = (f"Holding {i} of fund {n} is worth {i * 7} million." for i in range(40))
        (made / f"{n:02}.pdf").write_bytes(letter(f"Fund {'ABCDEFGHIJ'[n]} LP", n % 4 + 1, *sentences))
    return made


def opened(space: Path) -> Workspace:
    return Workspace.open(space, embedder=HashEmbedder(), names=RegexNames())


@pytest.fixture(scope="module")
def runner() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.stdin.close()


def run(runner: subprocess.Popen[str], space: Path, folder: Path, steps: int = -1, then: float = 0) -> int:
    """How many steps an ingest told of, that is killed so many seconds after so many steps."""
    runner.stdin.write(f"{space}\t{folder}\n")
    runner.stdin.flush()
    pid, seen = int(runner.stdout.readline().split()[1]), 0
    while True:
        if seen == steps:
            time.sleep(then)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        line = runner.stdout.readline()
        if "exit" in line or not line:  # a kill may cut the line before, and leave them joined
            return seen
        seen += "step" in line


def state(document: Document, workspace: Workspace) -> tuple:
    """Everything of a document, as far as it does not tell the time."""
    store = workspace._store.documents
    return (
        document.name,
        document.metadata,
        workspace.file(document.id),
        store.pages(document.id),
        store.passages(document.id),
        store.mentions(document.id),
        store.vectors(document.id).tobytes(),
    )


@pytest.mark.skipif(os.name != "posix", reason="kills and forks")
def test_killed_at_random_moments(tmp_path: Path, folder: Path, runner: subprocess.Popen[str]) -> None:
    steps = run(runner, tmp_path / "whole", folder)
    names = {path.name for path in folder.iterdir()}
    with opened(tmp_path / "whole") as workspace:
        expected = {d.id: state(d, workspace) for d in workspace.documents()}
    assert len(expected) == FILES

    moments = random.Random(42)
    interrupted = 0
    for kill in range(KILLS):
        space = tmp_path / f"killed {kill}"
        run(runner, space, folder, moments.randrange(steps), moments.uniform(0, 0.03))
        with opened(space) as workspace:
            assert workspace.problems() == ()
            finished, waiting = workspace.documents(), workspace.pending()
            for document in finished:
                assert state(document, workspace) == expected[document.id]
            either = {d.name for d in finished} | {file.name for file in waiting}
            # Before the queue is written nothing was promised yet.
            assert either in (names, set())
            assert len(finished) + len(waiting) == len(either)
            interrupted += bool(waiting)
            if kill % 6 == 0:
                workspace.resume()
                workspace.ingest(sources_from_paths([folder]))
                again = {d.id: state(d, workspace) for d in workspace.documents()}
                assert again == expected
                assert workspace.pending() == ()
    assert interrupted >= KILLS // 2  # the moments were spread over the work, not before or after it


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="looks at processes in /proc")
def test_the_reading_process_ends_with_its_parent(tmp_path: Path, folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1])\n"
        "from tests.standins import pdf\n"
        "from aethel_core.ingestion.preparation import InProcess\n"
        "from aethel_core.ingestion.prepare import Job\n"
        "reader = InProcess()\n"
        "reader.submit(Job('x' * 64, 'x.pdf', pdf(*(f'Page {n}' for n in range(400)))))\n"
        "while reader.next(1) is None: pass\n"
        "print(reader._child._process.pid, flush=True)\n"
        "while True: reader.next(1)\n"
    )
    root = str(Path(__file__).parents[2])
    parent = subprocess.Popen([sys.executable, "-c", code, root], stdout=subprocess.PIPE, text=True, cwd=root)
    child = int(parent.stdout.readline())
    assert alive(child)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 10
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(child)


def alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
