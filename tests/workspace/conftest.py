"""The workspace that most tests here start from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aethel_core.workspace import Workspace
from tests.workspace.made import METADATA, filled


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """With metadata set by hand, so that nothing here depends on how they are inferred."""
    with filled(tmp_path / "space") as made:
        for name, metadata in METADATA.items():
            made.update_document(made.document(name).id, metadata)
        yield made
