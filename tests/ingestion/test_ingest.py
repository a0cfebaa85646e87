"""Whole ingests: what goes in, what is reported, and that nothing stored is ever harmed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aethel_core.errors import InvalidInput, ModelUnavailable, WorkspaceError
from aethel_core.ingestion import preparation
from aethel_core.ingestion.preparation import InProcess
from aethel_core.workspace import Progress, Source, Workspace, sources_from_paths
from tests.standins import HashEmbedder, RegexNames, letter, pdf

ONE = letter("NorthRiver IV LP", 1)
TWO = letter("NorthRiver IV LP", 2, "The credit facility was repaid.")
THREE = letter("Calder Growth Fund LP", 3)


def sources(*files: tuple[str, bytes]) -> list[Source]:
    return [Source(name, data) for name, data in files]


def statuses(report) -> list[str]:
    return [outcome.status for outcome in report.outcomes]


def test_files_become_documents(workspace: Workspace) -> None:
    report = workspace.ingest(sources(("q1.pdf", ONE), ("q2.pdf", TWO)))
    assert statuses(report) == ["added", "added"]
    assert report.complete
    first, second = workspace.documents()
    assert [first.name, second.name] == ["q1.pdf", "q2.pdf"]
    assert report.outcomes[0].document_id == first.id
    assert (first.page_count, first.size) == (2, len(ONE))
    passages = workspace.passages(first.id)
    assert first.passage_count == len(passages) > 0
    assert "quiet quarter" in " ".join(" ".join(p.text for p in passages).split())
    assert workspace.page(first.id, 2).number == 2
    assert workspace.file(first.id) == ONE
    assert workspace.pending() == ()
    assert workspace.problems() == ()


def test_the_same_content_is_recognised_whatever_its_name(workspace: Workspace) -> None:
    workspace.ingest(sources(("q1.pdf", ONE)))
    report = workspace.ingest(
        sources(("copy.pdf", ONE), ("q2.pdf", TWO), ("again.pdf", TWO), ("q1.pdf", ONE))
    )
    assert statuses(report) == ["duplicate", "added", "duplicate", "duplicate"]
    assert "as q1.pdf" in report.outcomes[0].message
    assert report.outcomes[0].document_id == workspace.document("q1.pdf").id
    assert "same content as q2.pdf" in report.outcomes[2].message
    assert "already in the workspace" in report.outcomes[3].message
    assert len(workspace.documents()) == 2


def test_bad_files_are_named_and_the_rest_goes_on(workspace: Workspace, tmp_path: Path) -> None:
    workspace.ingest(sources(("q1.pdf", ONE)))
    before = [workspace.passages(d.id) for d in workspace.documents()]
    report = workspace.ingest(
        [
            Source("empty.pdf", b""),
            Source("picture.pdf", b"\x89PNG\r\n" + b"x" * 500),
            Source("cut.pdf", TWO[: len(TWO) // 10]),
            Source("locked.pdf", pdf("Secret.", password="hunter2")),
            Source("gone.pdf", path=tmp_path / "gone.pdf"),
            Source("many.pdf", pdf(*(f"Page {n}." for n in range(41)))),
            Source("huge.pdf", b"%PDF-1.7\n" + b"x" * (2 << 20)),
            Source("../../etc/" + "ü" * 300 + ".pdf", TWO),
            Source("q3.pdf", THREE),
        ]
    )
    assert statuses(report) == [*["failed"] * 3, "password", *["failed"] * 3, "added", "added"]
    messages = [outcome.message for outcome in report.outcomes[:7]]
    assert len(set(messages)) == 7
    assert all(len(message) > 20 for message in messages)
    long = report.outcomes[7].name
    assert "/" not in long
    assert len(long.encode()) <= 310
    assert not report.complete
    assert [workspace.passages(d.id) for d in workspace.documents()[:1]] == before
    assert [file.name for file in workspace.pending()] == ["locked.pdf"]
    assert workspace.problems() == ()


def test_a_password_is_asked_for_used_and_not_kept(workspace: Workspace) -> None:
    locked = pdf("The secret covenant is tested each quarter, says Halden Logistics.", password="hunter2")
    assert statuses(workspace.ingest([Source("locked.pdf", locked)])) == ["password"]
    (waiting,) = workspace.pending()
    assert "password" in waiting.reason.casefold()
    wrong = workspace.resume([waiting.id], passwords={waiting.id: "nope"})
    assert statuses(wrong) == ["password"]
    right = workspace.resume([waiting.id], passwords={waiting.id: "hunter2"})
    assert statuses(right) == ["added"]
    document = workspace.document("locked.pdf")
    assert workspace.page_image(document.id, 1).startswith(b"\x89PNG")
    assert "covenant" in workspace.passages(document.id)[0].text
    workspace.reindex(document.id)
    assert statuses(workspace.ingest([Source("again.pdf", locked)])) == ["duplicate"]
    on_disk = b"".join(file.read_bytes() for file in workspace.path.iterdir())
    assert b"hunter2" not in on_disk


def test_a_password_given_at_once_is_used(workspace: Workspace) -> None:
    locked = Source("locked.pdf", pdf("Secret.", password="hunter2"), password="hunter2")
    plain = Source("plain.pdf", ONE, password="hunter2")
    assert statuses(workspace.ingest([locked, plain])) == ["added", "added"]
    assert workspace.file(workspace.document("plain.pdf").id) == ONE


def test_progress_tells_file_and_stage_in_order(workspace: Workspace) -> None:
    seen: list[Progress] = []
    workspace.ingest(
        sources(("q1.pdf", ONE), ("bad.pdf", b"no pdf"), ("q2.pdf", TWO)), on_progress=seen.append
    )
    assert [p.file_number for p in seen] == sorted(p.file_number for p in seen)
    assert {p.files for p in seen} == {3}
    for name in ("q1.pdf", "q2.pdf"):
        of_file = [p for p in seen if p.file == name]
        stages = list(dict.fromkeys(p.stage for p in of_file))
        assert set(stages) == {"pages", "passages", "entities", "vectors", "saving"}
        assert (stages[0], stages[1], stages[-1]) == ("pages", "passages", "saving")
        for stage in stages:
            done = [p.done for p in of_file if p.stage == stage]
            assert done == sorted(done)
        assert all(p.done <= p.total for p in of_file)


@pytest.mark.parametrize("looks", [0, 1, 3, 6, 10, 15, 25])
def test_a_stop_keeps_what_is_finished_and_the_rest_waits(workspace: Workspace, looks: int) -> None:
    batch = sources(("q1.pdf", ONE), ("q2.pdf", TWO), ("q3.pdf", THREE))
    calls = 0

    def cancelled() -> bool:
        nonlocal calls
        calls += 1
        return calls > looks

    report = workspace.ingest(batch, cancelled=cancelled)
    kept = [o.name for o in report.outcomes if o.status == "added"]
    stopped = [o.name for o in report.outcomes if o.status == "cancelled"]
    assert kept + stopped == ["q1.pdf", "q2.pdf", "q3.pdf"]
    assert [d.name for d in workspace.documents()] == kept
    assert [file.name for file in workspace.pending()] == stopped
    assert workspace.problems() == ()
    assert statuses(workspace.resume()) == ["added"] * len(stopped)
    assert workspace.pending() == ()


def test_a_stop_comes_while_a_file_is_being_read(workspace: Workspace) -> None:
    long = pdf(*(f"Page {n} of a long report by Halden Logistics. " * 20 for n in range(30)))
    seen: list[Progress] = []
    report = workspace.ingest(
        sources(("long.pdf", long)), on_progress=seen.append, cancelled=lambda: len(seen) >= 5
    )
    assert statuses(report) == ["cancelled"]
    assert len(seen) == 5


def test_an_error_in_the_caller_s_progress_leaves_the_rest_waiting(workspace: Workspace) -> None:
    def on_progress(progress: Progress) -> None:
        if progress.file_number == 2:
            raise RuntimeError("the page was closed")

    with pytest.raises(RuntimeError, match="page was closed"):
        workspace.ingest(sources(("q1.pdf", ONE), ("q2.pdf", TWO)), on_progress=on_progress)
    assert [d.name for d in workspace.documents()] == ["q1.pdf"]
    assert [file.name for file in workspace.pending()] == ["q2.pdf"]


def test_pending_files_are_resumed_by_choice_or_forgotten(workspace: Workspace) -> None:
    workspace.ingest(sources(("q1.pdf", ONE), ("q2.pdf", TWO), ("q3.pdf", THREE)), cancelled=lambda: True)
    first, second, third = workspace.pending()
    assert statuses(workspace.resume([second.id])) == ["added"]
    workspace.discard_pending([first.id])
    assert workspace.pending() == (third,)
    with pytest.raises(InvalidInput, match="is waiting"):
        workspace.resume([first.id])
    workspace.discard_pending()
    assert workspace.pending() == ()
    assert [d.name for d in workspace.documents()] == ["q2.pdf"]
    assert statuses(workspace.ingest(sources(("q1.pdf", ONE)))) == ["added"]


class Unreachable(HashEmbedder):
    def embed(self, texts):
        if any("Calder" in text for text in texts):
            raise ModelUnavailable("The embedding endpoint did not answer.")
        return super().embed(texts)


def test_a_model_that_fails_stops_the_batch_and_loses_nothing(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "w", embedder=Unreachable(), names=RegexNames()) as workspace:
        report = workspace.ingest(sources(("q1.pdf", ONE), ("q3.pdf", THREE), ("q2.pdf", TWO)))
        assert statuses(report) == ["added", "failed", "failed"]
        assert "did not answer" in report.outcomes[1].message
        assert "can be resumed" in report.outcomes[2].message
        assert [file.name for file in workspace.pending()] == ["q3.pdf", "q2.pdf"]
    with Workspace.open(tmp_path / "w", embedder=HashEmbedder(), names=RegexNames()) as workspace:
        assert statuses(workspace.resume()) == ["added", "added"]


def test_a_full_disk_stops_the_batch_and_loses_nothing(workspace: Workspace) -> None:
    def fill(progress: Progress) -> None:
        if (progress.file_number, progress.stage) == (2, "saving"):
            workspace._store.database.shrink()
            with workspace._store.database.write() as connection:
                pages = connection.execute("PRAGMA page_count").fetchone()[0]
                connection.execute(f"PRAGMA max_page_count = {pages}")

    long = pdf(*(f"Page {n} of a long report by Halden Logistics. " * 20 for n in range(30)))
    report = workspace.ingest(
        sources(("q1.pdf", ONE), ("long.pdf", long), ("q3.pdf", THREE)), on_progress=fill
    )
    assert statuses(report) == ["added", "failed", "failed"]
    assert "disk is full" in report.outcomes[1].message
    assert [d.name for d in workspace.documents()] == ["q1.pdf"]
    assert workspace.problems() == ()
    with workspace._store.database.write() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    assert statuses(workspace.resume()) == ["added", "added"]


def test_one_ingest_at_a_time(workspace: Workspace) -> None:
    def on_progress(progress: Progress) -> None:
        with Workspace.open(workspace.path, embedder=HashEmbedder(), names=RegexNames()) as other:
            assert other.pending() == ()
            with pytest.raises(WorkspaceError, match="being added"):
                other.ingest(sources(("q2.pdf", TWO)))
            assert other.counts().documents == 0

    seen: list[Progress] = []
    workspace.ingest(
        sources(("q1.pdf", ONE)), on_progress=lambda p: (seen.append(p), len(seen) == 1 and on_progress(p))
    )
    assert len(seen) > 1
    assert workspace.counts().documents == 1


def test_vectors_do_not_depend_on_the_company_a_document_keeps(tmp_path: Path) -> None:
    embedder = HashEmbedder()
    with Workspace.open(tmp_path / "a", embedder=embedder, names=RegexNames()) as together:
        together.ingest(sources(("q1.pdf", ONE), ("q2.pdf", TWO), ("q3.pdf", THREE)))
        batches = list(embedder.batches)
        with Workspace.open(tmp_path / "b", embedder=embedder, names=RegexNames()) as alone:
            embedder.batches.clear()
            alone.ingest(sources(("other name.pdf", TWO)))
            identity = alone.documents()[0].id
            assert np.array_equal(
                together._store.documents.vectors(identity), alone._store.documents.vectors(identity)
            )
            assert all(batch in batches for batch in embedder.batches)


def test_a_document_without_text_is_kept_and_said(workspace: Workspace) -> None:
    report = workspace.ingest(sources(("blank.pdf", pdf("", "")), ("q1.pdf", ONE)))
    assert statuses(report) == ["added", "added"]
    assert workspace.document("blank.pdf").passage_count == 0
    assert "0 passages" in report.outcomes[0].message
    assert workspace.search("quiet quarter", "bm25", 3).hits


def test_the_real_reading_process_gives_the_same_as_a_thread(tmp_path: Path, workspace: Workspace) -> None:
    batch = sources(("q1.pdf", ONE), ("bad.pdf", b"no pdf"), ("q2.pdf", TWO))
    workspace.ingest(batch)
    with Workspace.open(tmp_path / "real", workspace.settings, embedder=HashEmbedder()) as real:
        report = real.ingest(batch)
        assert statuses(report) == ["added", "failed", "added"]
        for document in workspace.documents():
            assert real.passages(document.id) == workspace.passages(document.id)
            assert real.page(document.id, 1) == workspace.page(document.id, 1)
            mentions = real._store.documents.mentions(document.id)
            assert {mention.source for mention in mentions} == {"regex", "ner"}


@pytest.fixture
def dying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A reading process that ends in some way at files called "crash …"."""

    def use(how: str) -> None:
        script = tmp_path / "dying.py"
        script.write_text(
            "import os, signal, sys\n"
            f"sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n"
            "from aethel_core.ingestion import worker\n"
            "from tests.standins import RegexNames\n"
            "worker.Recognisers = RegexNames\n"
            "real = worker.prepare\n"
            "def prepare(job, names, emit):\n"
            "    if job.name.startswith('crash'):\n"
            f"        {how}\n"
            "    real(job, names, emit)\n"
            "worker.prepare = prepare\n"
            "worker.main()\n"
        )
        monkeypatch.setattr(preparation, "WORKER", (sys.executable, str(script)))

    return use


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "reading process died"),
        ("raise RuntimeError('unforeseen')", "fault of Aethel"),
    ],
)
def test_a_file_that_ends_the_reading_process_harms_no_other(
    tmp_path: Path, dying: Callable[[str], None], how: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    dying(how)
    with Workspace.open(tmp_path / "w", embedder=HashEmbedder()) as workspace:
        report = workspace.ingest(
            sources(("q1.pdf", ONE), ("crash 1.pdf", TWO), ("crash 2.pdf", b"%PDF-"), ("q3.pdf", THREE))
        )
        assert statuses(report) == ["added", "failed", "failed", "added"]
        assert said in report.outcomes[1].message
        assert workspace.pending() == ()
    assert "crash 1.pdf" in caplog.text


def test_a_stop_does_not_wait_for_the_reading_process(tmp_path: Path, dying: Callable[[str], None]) -> None:
    dying("import time; time.sleep(60)")
    with Workspace.open(tmp_path / "w", embedder=HashEmbedder()) as workspace:
        calls: list[int] = []
        report = workspace.ingest(
            sources(("crash.pdf", ONE)), cancelled=lambda: (calls.append(1), len(calls) > 5)[1]
        )
        assert statuses(report) == ["cancelled"]


def test_closing_a_reading_process_twice_is_fine() -> None:
    idle = InProcess()
    assert idle.next(0.01) is None
    idle.close()
    idle.close()


def test_a_folder_goes_in_as_a_whole(workspace: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "letters"
    (folder / "2023").mkdir(parents=True)
    (folder / "2023" / "q1.pdf").write_bytes(ONE)
    (folder / "q3.pdf").write_bytes(THREE)
    report = workspace.ingest(sources_from_paths([folder]))
    assert statuses(report) == ["added", "added"]
    assert [o.name for o in report.outcomes] == ["q1.pdf", "q3.pdf"]
