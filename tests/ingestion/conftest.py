"""A workspace with the stand-ins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aethel_core.config import Settings
from aethel_core.workspace import Workspace
from tests.standins import HashEmbedder, RegexNames


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(
        tmp_path / "space",
        Settings(max_file_mb=1, max_pages=40),
        embedder=HashEmbedder(),
        names=RegexNames(),
    )
    with opened:
        yield opened
