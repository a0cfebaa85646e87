"""Sentences with their citations and what the audit says of them, drawn by ``cited.js``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "aethel_cited", js=(_HERE / "cited.js").read_text("utf-8"), css=(_HERE / "cited.css").read_text("utf-8")
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation: ``label`` is what is shown, ``title`` where it leads, ``passage`` "" where to nowhere."""

    label: str
    title: str
    passage: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence; ``flags`` say what does not hold, ``block`` numbers its paragraph or bullet."""

    text: str
    marks: tuple[Mark, ...]
    flags: tuple[str, ...] = ()
    block: int = 0
    bullet: bool = False


def draw(said: Sequence[Said], key: str) -> str | None:
    """Show them; the passage of the citation that was clicked, if one was."""
    result = _component(key=key, data={"said": [asdict(each) for each in said]}, on_open_change=_noop)
    return str(result.open) if result.open else None


def _noop() -> None:
    """A callback has to be there for its value to be; the value is read where the sentences are drawn."""
