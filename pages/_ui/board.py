"""The board of the Compare screen: one column per retriever, drawn by ``board.js``.

Python decides everything that is said; the script only lays it out as text. What a person does
comes back as one `Act`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from aethel_core import workspace as core
from aethel_core.types import Hit, PassageKind, Ranking, Table
from pages._ui import explain, snippet, theme, words

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "aethel_board", js=(_HERE / "board.js").read_text("utf-8"), css=(_HERE / "board.css").read_text("utf-8")
)
_ROWS, _COLUMNS = 6, 4


@dataclass(frozen=True, slots=True)
class Act:
    """Open a hit's page, explain a hit, or switch the n-th retriever."""

    what: Literal["open", "why", "toggle"]
    retriever: str = ""
    passage: str = ""
    number: int = 0


def draw(data: dict[str, Any]) -> Act | None:
    result = _component(
        key="board", data=data, on_open_change=_noop, on_why_change=_noop, on_toggle_change=_noop
    )
    if result.open:
        return Act("open", *result.open)
    if result.why:
        return Act("why", *result.why)
    if result.toggle:
        return Act("toggle", number=int(result.toggle))
    return None


def _noop() -> None:
    """A callback has to be there for its value to be; the value is read where the board is drawn."""


def content(
    workspace: core.Workspace, found: core.Comparison, why: Mapping[tuple[str, str], core.Explanation]
) -> dict[str, Any]:
    """All that the board shows, as JSON: see ``board.js`` for the shape."""
    ranks = _ranks(found.rankings)
    cards: dict[str, dict[str, Any]] = {}
    for ranking in found.rankings:
        for hit in ranking.hits:
            if hit.passage_id not in cards:
                cards[hit.passage_id] = _card(workspace, hit.passage_id, found.query.text)
    return {
        "columns": [_column(ranking, ranks, cards) for ranking in found.rankings],
        "looks": {ranking.retriever: _look(ranking.retriever) for ranking in found.rankings},
        "why": {f"{retriever}|{passage}": explain.board(e) for (retriever, passage), e in why.items()},
    }


def _ranks(rankings: tuple[Ranking, ...]) -> dict[str, list[tuple[str, int]]]:
    """Passage id → (retriever, rank) wherever it was found, in the order of the columns."""
    ranks: dict[str, list[tuple[str, int]]] = {}
    for ranking in rankings:
        for rank, passage in enumerate(ranking.ids, start=1):
            ranks.setdefault(passage, []).append((ranking.retriever, rank))
    return ranks


def _look(name: str) -> dict[str, str]:
    look = theme.look(name)
    return {
        "label": look.label,
        "marker": look.marker,
        "colour": look.colour,
        "colour_dark": look.colour_dark,
    }


def _column(ranking: Ranking, ranks: Mapping[str, list], cards: Mapping[str, dict]) -> dict[str, Any]:
    shares, note = bar_shares(ranking.hits)
    hits = [
        {
            **cards[hit.passage_id],
            "rank": rank,
            "score": words.score(hit.score),
            "share": share,
            "also": [[name, r] for name, r in ranks[hit.passage_id] if name != ranking.retriever],
        }
        for rank, (hit, share) in enumerate(zip(ranking.hits, shares, strict=True), start=1)
    ]
    return {
        **_look(ranking.retriever),
        "name": ranking.retriever,
        "about": theme.look(ranking.retriever).about,
        "summary": f"{words.count(len(hits), 'hit')} · {words.seconds(ranking.seconds)}",
        "note": ranking.note,
        "score_note": note,
        "hits": hits,
    }


def bar_shares(hits: tuple[Hit, ...]) -> tuple[list[float], str]:
    """How long each score's bar is, and what the length means.

    Scores that are all positive are drawn from zero. A logarithmic score has no zero to start
    from, so there the bar spans the scores shown.
    """
    if not hits:
        return [], ""
    scores = [hit.score for hit in hits]
    top, bottom = max(scores), min(scores)
    if bottom >= 0:
        return [s / top if top else 0.0 for s in scores], "The bar is the share of this column's best score."
    spread = top - bottom
    return (
        [(s - bottom) / spread if spread else 1.0 for s in scores],
        "This score can be negative; the bar runs from the lowest to the best score shown.",
    )


def _card(workspace: core.Workspace, passage_id: str, question: str) -> dict[str, Any]:
    passage = workspace.passage(passage_id)
    table = passage.kind is PassageKind.TABLE
    return {
        "id": passage_id,
        "citation": workspace.citation(passage_id),
        "kind": "table" if table else "",
        "snippet": snippet.runs(passage.text, question),
        "table": _table(passage.table) if passage.table is not None and passage.table.rows else None,
    }


def _table(table: Table) -> dict[str, Any]:
    """The first rows and columns; a card is not the place for all of them."""
    columns, rows = table.columns[:_COLUMNS], table.rows[:_ROWS]
    left = [
        words.count(len(table.rows) - len(rows), "row") if len(table.rows) > len(rows) else "",
        words.count(len(table.columns) - len(columns), "column") if len(table.columns) > len(columns) else "",
    ]
    more = " and ".join(filter(None, left))
    return {
        "title": words.clip(table.title, 90),
        "unit": words.clip(table.unit_line, 70),
        "columns": [words.clip(column.header, 24) for column in columns],
        "rows": [
            [words.clip(row.header, 60), *(words.clip(cell.text, 24) for cell in row.cells[:_COLUMNS])]
            for row in rows
        ],
        "more": f"and {more} more" if more else "",
    }
