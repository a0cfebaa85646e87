"""Templates of memos: which sections there are, and which findings each takes. Files, to be edited."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aethel_core.errors import InvalidInput, MissingData

_FOLDER = Path(__file__).parent / "templates"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Template:
    """``sections`` are headings with the sections of the checklists that each takes, in order."""

    key: str
    name: str
    title: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]


@cache
def templates() -> dict[str, Template]:
    """All templates by key, in alphabetical order.

    :raises MissingData: a template file cannot be read.
    """
    found = {}
    for path in sorted(_FOLDER.glob("*.json")):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            sections = tuple((entry["heading"], tuple(entry["takes"])) for entry in data["sections"])
            made = Template(data["key"], data["name"], data["title"], sections)
            if data["format"] != _FORMAT:
                raise MissingData(f"The template {path.name} is not of format {_FORMAT}.")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MissingData(f"The template {path.name} cannot be read: {error}.") from error
        found[made.key] = made
    return found


def template(key: str) -> Template:
    """:raises InvalidInput: there is none of that key."""
    known = templates()
    if key not in known:
        raise InvalidInput(f"There is no memo template {key!r}. Choose of: {', '.join(known)}.")
    return known[key]
