"""What several test files share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared_data_path() -> Path:
    """The folder of real filings and multi-hop questions, beside the project unless told otherwise."""
    return Path(os.environ.get("AETHEL_SHARED_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    path = shared_data_path()
    if not (path / "financebench" / "documents.jsonl").is_file():
        pytest.skip(f"the real filings are not at {path}; set AETHEL_SHARED_DATA to run this test")
    return path
