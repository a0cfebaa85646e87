"""Measurements in the background: at most one of each kind per workspace, watched by the screens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from aethel_core.workspace.lab import BackgroundRun, RunState

Kind = Literal["evaluation", "scale", "robustness", "ablation", "memo", "extraction"]


@dataclass(frozen=True, slots=True)
class Following:
    """A run as it stands, of the ``corpus`` it was begun with. ``cancelling`` once it was asked to stop."""

    state: RunState[Any]
    elapsed: float
    cancelling: bool
    corpus: str

    @property
    def running(self) -> bool:
        return self.state.status == "running"

    @property
    def fraction(self) -> float:
        return self.state.done / self.state.total if self.state.total else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None until enough has been done to say."""
        if self.elapsed < 3 or self.fraction < 0.05:
            return None
        return self.elapsed * (1 - self.fraction) / self.fraction


@dataclass(slots=True)
class _Begun:
    run: BackgroundRun[Any]
    started: float
    corpus: str
    cancelling: bool = False


class LabRuns:
    """The one owner of running measurements, shared by every session of the server."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._begun: dict[tuple[Path, Kind], _Begun] = {}

    def start(
        self, path: Path, kind: Kind, begin: Callable[[], BackgroundRun[Any]], corpus: str = ""
    ) -> None:
        """Begin, unless one of that kind is under way in that workspace."""
        with self._lock:
            before = self._begun.get((path, kind))
            if before is None or before.run.state.status != "running":
                self._begun[path, kind] = _Begun(begin(), time.monotonic(), corpus)

    def following(self, path: Path, kind: Kind) -> Following | None:
        begun = self._begun.get((path, kind))
        if begun is None:
            return None
        return Following(begun.run.state, time.monotonic() - begun.started, begun.cancelling, begun.corpus)

    def cancel(self, path: Path, kind: Kind) -> None:
        begun = self._begun.get((path, kind))
        if begun is not None:
            begun.cancelling = True
            begun.run.cancel()

    def dismiss(self, path: Path, kind: Kind) -> None:
        """Forget a run that has ended, and what it said."""
        with self._lock:
            begun = self._begun.get((path, kind))
            if begun is not None and begun.run.state.status != "running":
                del self._begun[path, kind]
