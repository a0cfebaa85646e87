"""Two rankings side by side, a line from each passage's place before to its place after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from aethel_core.types import Ranking
from pages._ui import words

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "aethel_moves", js=(_HERE / "moves.js").read_text("utf-8"), css=(_HERE / "moves.css").read_text("utf-8")
)


def draw(before: Ranking, after: Ranking, labels: dict[str, tuple[str, str]], key: str = "moves") -> str:
    """:param labels: passage id → (short citation, whole citation).

    :returns: the passage that a person wants to read, or "".
    """
    result = _component(key=key, data=content(before, after, labels), on_open_change=_noop)
    return str(result.open or "")


def _noop() -> None:
    """A callback has to be there for its value to be; the value is read where the lists are drawn."""


def content(before: Ranking, after: Ranking, labels: dict[str, tuple[str, str]]) -> dict[str, Any]:
    old, new = _ranks(before), _ranks(after)
    return {
        "before": [
            _row(passage, rank, labels[passage], "" if passage in new else "gone")
            for passage, rank in old.items()
        ],
        "after": [
            _row(passage, rank, labels[passage], change(old.get(passage), rank))
            for passage, rank in new.items()
        ],
        "summary": summary(before, after),
        "note": after.note if not after.hits else "",
    }


def _row(passage: str, rank: int, label: tuple[str, str], said: str) -> dict[str, Any]:
    return {"id": passage, "rank": rank, "citation": label[0], "title": label[1], "change": said}


def _ranks(ranking: Ranking) -> dict[str, int]:
    return {passage: rank for rank, passage in enumerate(ranking.ids, start=1)}


def change(before: int | None, after: int) -> str:
    if before is None:
        return "new"
    if before == after:
        return "="
    return f"▲ {before - after}" if after < before else f"▼ {after - before}"


def summary(before: Ranking, after: Ranking) -> str:
    """In words: how many of the passages are new, and how many moved."""
    old, new = _ranks(before), _ranks(after)
    fresh = sum(passage not in old for passage in new)
    moved = sum(passage in old and old[passage] != rank for passage, rank in new.items())
    if not fresh and not moved and len(old) == len(new):
        return "The ranking stays as it is."
    return f"{words.count(fresh, 'new hit')}, {moved} moved, {sum(p not in new for p in old)} gone."
