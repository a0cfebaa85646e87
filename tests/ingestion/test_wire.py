"""What goes over the pipe comes out the same, and a broken pipe is the end, not an error."""

from __future__ import annotations

import io

import pytest

from aethel_core.errors import AethelError, DamagedPdf, ModelUnavailable, PasswordRequired, UnreadableDocument
from aethel_core.ingestion import wire
from aethel_core.ingestion.prepare import Failed, Job, Named, Read, Tick
from aethel_core.types import (
    DocumentType,
    Entity,
    EntityKind,
    Mention,
    Metadata,
    Passage,
    PassageKind,
    Period,
    Rect,
    Statement,
)
from tests.store.kept import TABLE

PASSAGE = Passage(
    "d:00000",
    "d",
    1,
    0,
    4,
    (Rect(0, 1, 2, 3),),
    "Item 1",
    PassageKind.TABLE,
    "text\ud800\0",
    TABLE,
    (Statement.INCOME,),
)
READ = Read(
    Metadata("NIKE", Period(2021), DocumentType.TEN_K, "t", "NKE", ("Nike",)),
    (b"page one", b"", b"page three"),
    (PASSAGE,),
    1,
    ("careful",),
    "first \ud800",
    b"%PDF decrypted",
)
NAMED = Named((Mention("d:00000", Entity.of(EntityKind.NAME, "nike", "NIKE"), "ner"),))


@pytest.mark.parametrize("event", [Tick("pages", 3, 7), READ, NAMED, Named(())])
def test_events_come_back(event: Tick | Read | Named) -> None:
    stream = io.BytesIO()
    wire.send_event(stream, "job", event)
    wire.send_event(stream, "next", Tick("pages", 1, 1))
    stream.seek(0)
    assert wire.receive_event(stream) == ("job", event)
    assert wire.receive_event(stream) == ("next", Tick("pages", 1, 1))
    assert wire.receive_event(stream) is None


def test_no_decrypted_copy_is_none() -> None:
    stream = io.BytesIO()
    wire.send_event(stream, "job", Read(Metadata(), (b"p",), (), 0, (), ""))
    stream.seek(0)
    assert wire.receive_event(stream)[1].file is None


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (PasswordRequired("It needs a password."), PasswordRequired),
        (DamagedPdf("It is cut off."), DamagedPdf),
        (ModelUnavailable("No model."), ModelUnavailable),
        (AethelError("Something else."), UnreadableDocument),
    ],
)
def test_failures_keep_their_kind_and_sentence(error: AethelError, kind: type[AethelError]) -> None:
    stream = io.BytesIO()
    wire.send_event(stream, "job", Failed(error))
    stream.seek(0)
    failed = wire.receive_event(stream)[1].error
    assert type(failed) is kind
    assert str(failed) == str(error)


def test_jobs_come_back() -> None:
    stream = io.BytesIO()
    job = Job("a" * 64, "näme.pdf", b"\0\xff data", "pass", 12)
    wire.send_job(stream, job)
    stream.seek(0)
    assert wire.receive_job(stream) == job
    assert wire.receive_job(stream) is None
    assert "pass" not in repr(job)


def test_a_cut_pipe_is_the_end() -> None:
    stream = io.BytesIO()
    wire.send_event(stream, "job", READ)
    whole = stream.getvalue()
    for length in range(0, len(whole), 7):
        assert wire.receive_event(io.BytesIO(whole[:length])) is None
    assert wire.receive_event(io.BytesIO(whole[:-1])) is None
