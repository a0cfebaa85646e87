"""How the program and its reading process talk: frames of JSON and bytes over pipes.

A frame is a 4-byte length, JSON of that length, and the blobs whose sizes the JSON's "blobs"
lists. Nothing is pickled, so a reader that a hostile PDF took over can send data, not code.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO

from aethel_core import errors
from aethel_core.ingestion.prepare import Event, Failed, Job, Named, Read, Tick
from aethel_core.store import codec

_LENGTH = struct.Struct(">I")


def write_frame(stream: BinaryIO, value: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
    header = json.dumps({**value, "blobs": [len(blob) for blob in blobs]}).encode("ascii")
    stream.write(_LENGTH.pack(len(header)) + header)
    for blob in blobs:
        stream.write(blob)
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[dict[str, Any], list[bytes]] | None:
    """The next frame, or None where the other side ended, also in the middle of one."""
    prefix = stream.read(_LENGTH.size)
    if len(prefix) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(prefix)[0]
    header = stream.read(size)
    if len(header) < size:
        return None
    value = json.loads(header)
    sizes = value.pop("blobs")
    blobs = [stream.read(length) for length in sizes]
    return (value, blobs) if [len(blob) for blob in blobs] == sizes else None


def send_job(stream: BinaryIO, job: Job) -> None:
    value = {"sha256": job.sha256, "name": job.name, "password": job.password, "max_pages": job.max_pages}
    write_frame(stream, value, [job.data])


def receive_job(stream: BinaryIO) -> Job | None:
    frame = read_frame(stream)
    if frame is None:
        return None
    value, (data,) = frame
    return Job(data=data, **value)


def send_event(stream: BinaryIO, job_id: str, event: Event) -> None:
    match event:
        case Tick(stage, done, total):
            write_frame(stream, {"job": job_id, "tick": [stage, done, total]})
        case Read():
            value = {
                "metadata": codec.encode_metadata(event.metadata),
                "ocr_pages": event.ocr_pages,
                "warnings": event.warnings,
                "first_page": event.first_page,
                "decrypted": event.file is not None,
            }
            blobs = (codec.encode_passages(event.passages), event.file or b"", *event.pages)
            write_frame(stream, {"job": job_id, "read": value}, blobs)
        case Named(mentions):
            write_frame(stream, {"job": job_id, "named": True}, [codec.encode_mentions(mentions)])
        case Failed(error):
            write_frame(stream, {"job": job_id, "failed": [type(error).__name__, str(error)]})


def receive_event(stream: BinaryIO) -> tuple[str, Event] | None:
    """A job's id and what happened to it; None where the other side ended."""
    frame = read_frame(stream)
    if frame is None:
        return None
    value, blobs = frame
    return value["job"], _event(value, blobs)


def _event(value: dict[str, Any], blobs: list[bytes]) -> Event:
    if "tick" in value:
        return Tick(*value["tick"])
    if "named" in value:
        return Named(codec.decode_mentions(blobs[0]))
    if "failed" in value:
        return Failed(_error(*value["failed"]))
    read = value["read"]
    return Read(
        codec.decode_metadata(read["metadata"]),
        tuple(blobs[2:]),
        codec.decode_passages(blobs[0]),
        read["ocr_pages"],
        tuple(read["warnings"]),
        read["first_page"],
        blobs[1] if read["decrypted"] else None,
    )


def _error(name: str, message: str) -> errors.AethelError:
    """The error of that name with its sentence; the tree's classes take a message or make their own."""
    kind = getattr(errors, name, errors.UnreadableDocument)
    if not issubclass(kind, errors.UnreadableDocument | errors.ModelUnavailable):
        kind = errors.UnreadableDocument
    return kind(message)
