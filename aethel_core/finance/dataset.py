"""Reads the data files that lie beside the code: what they hold is knowledge, not logic."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from aethel_core.errors import MissingData

_FOLDER = Path(__file__).parent / "data"
_FORMAT = 1


@cache
def load(name: str) -> dict[str, Any]:
    """The content of ``data/<name>.json``.

    :raises MissingData: the file is not there, is not JSON or has another format number.
    """
    path = _FOLDER / f"{name}.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MissingData(
            f"The data file {path.name} of the finance library cannot be read: {error}."
        ) from error
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise MissingData(f"The data file {path.name} is not of format {_FORMAT}. Reinstall Aethel.")
    return content
