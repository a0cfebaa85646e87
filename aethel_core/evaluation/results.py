"""Kept results: one JSON file per run, named by the fingerprint of all that shaped it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Generic, Protocol, Self, TypeVar

from aethel_core.errors import MissingData
from aethel_core.evaluation.report import Report

_SOURCE = Path(__file__).resolve().parent.parent


class Keepable(Protocol):
    """What can be kept: it knows its name and when it was made, and goes through JSON unchanged."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def made_at(self) -> str: ...

    def to_json(self) -> str: ...

    @classmethod
    def from_json(cls, text: str) -> Self: ...


Kept = TypeVar("Kept", bound=Keepable)


@dataclass(frozen=True)
class Results(Generic[Kept]):
    """The results of one kind kept in one folder, made on the first save."""

    folder: Path
    kind: type[Kept] = Report

    def save(self, report: Kept) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._path(report.fingerprint)
        draft = path.with_suffix(f".{os.getpid()}.part")
        draft.write_text(report.to_json(), encoding="utf-8")
        draft.replace(path)
        return path

    def load(self, fingerprint: str) -> Kept | None:
        """The kept result, None if there is none or another version kept it."""
        path = self._path(fingerprint)
        if not path.is_file():
            return None
        try:
            return self.kind.from_json(path.read_text(encoding="utf-8"))
        except MissingData:
            return None

    def load_or_make(self, fingerprint: str, make: Callable[[], Kept]) -> Kept:
        kept = self.load(fingerprint)
        if kept is not None:
            return kept
        report = make()
        self.save(report)
        return report

    def all(self) -> tuple[Kept, ...]:
        """Every readable result, newest first."""
        found = (self.load(path.stem) for path in sorted(self.folder.glob("*.json")))
        return tuple(sorted((r for r in found if r), key=lambda r: (r.made_at, r.fingerprint), reverse=True))

    def stamp(self) -> tuple[tuple[str, int], ...]:
        """Changes whenever a result is kept or deleted, by whatever program."""
        return tuple((path.name, path.stat().st_mtime_ns) for path in sorted(self.folder.glob("*.json")))

    def delete(self, fingerprint: str) -> None:
        self._path(fingerprint).unlink(missing_ok=True)

    def _path(self, fingerprint: str) -> Path:
        # The hash of it, so that no text handed in can name a file elsewhere.
        if len(fingerprint) != 64 or not fingerprint.isalnum():
            fingerprint = sha256(fingerprint.encode()).hexdigest()
        return self.folder / f"{fingerprint}.json"


@cache
def code_fingerprint() -> str:
    """SHA-256 of the core's source: a benchmark's kept result must not outlive a change of code.
    Read once: what changes on disk afterwards is not what runs."""
    digest = sha256()
    for path in sorted(_SOURCE.rglob("*")):
        if path.suffix in {".py", ".json"} and path.is_file():
            digest.update(path.relative_to(_SOURCE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
