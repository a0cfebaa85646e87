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
from aethel_core.types import Hit, Passage, PassageKind, Ranking, Table, TableRow
from pages._ui import explain, snippet, theme, words

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "aethel_board", js=(_HERE / "board.js").read_text("utf-8"), css=(_HERE / "board.css").read_text("utf-8")
)
_ROWS, _COLUMNS = 6, 3


@dataclass(frozen=True, slots=True)
class Act:
    """Open a hit's page, explain a hit, follow its paths to Evidence, switch the n-th retriever, mark a
    hit with a grade or with None no more, or undo the latest mark."""

    what: Literal["open", "why", "evidence", "toggle", "mark", "undo"]
    retriever: str = ""
    passage: str = ""
    number: int = 0
    grade: int | None = None


def draw(data: dict[str, Any]) -> Act | None:
    result = _component(
        key="board",
        data=data,
        on_open_change=_noop,
        on_why_change=_noop,
        on_evidence_change=_noop,
        on_toggle_change=_noop,
        on_mark_change=_noop,
    )
    if result.open:
        return Act("open", *result.open)
    if result.why:
        return Act("why", *result.why)
    if result.evidence:
        return Act("evidence", *result.evidence)
    if result.toggle:
        return Act("toggle", number=int(result.toggle))
    if result.mark:
        passage, grade = result.mark
        return Act("mark", passage=passage, grade=grade) if passage else Act("undo")
    return None


def _noop() -> None:
    """A callback has to be there for its value to be; the value is read where the board is drawn."""


def content(
    workspace: core.Workspace,
    found: core.Comparison,
    why: Mapping[tuple[str, str], core.Explanation],
    marks: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """All that the board shows, as JSON: see ``board.js`` for the shape."""
    ranks = _ranks(found.rankings)
    passages = workspace.passages_by_id(list(ranks))
    cards = {p.id: _card(workspace, p, found.query.text) for p in passages.values()}
    return {
        "columns": [_column(ranking, ranks, cards) for ranking in found.rankings],
        "looks": {ranking.retriever: _look(ranking.retriever) for ranking in found.rankings},
        "why": {f"{retriever}|{passage}": explain.board(e) for (retriever, passage), e in why.items()},
        "marks": {passage: min(grade, 2) for passage, grade in (marks or {}).items() if passage in cards},
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


def _card(workspace: core.Workspace, passage: Passage, question: str) -> dict[str, Any]:
    table = passage.table
    return {
        "id": passage.id,
        "citation": _split(workspace.citation(passage.id)),
        "kind": "table" if passage.kind is PassageKind.TABLE else "",
        "snippet": snippet.runs(passage.text, question),
        "table": _table(table, question) if table is not None and table.rows else None,
    }


def _split(citation: str) -> list[str]:
    """Document and page, then what follows: the first line to read, and the rest."""
    parts = citation.replace("p. ", "p.\N{NO-BREAK SPACE}").split(" · ")
    return [" · ".join(parts[:2]), *parts[2:]]


def _table(table: Table, question: str) -> dict[str, Any]:
    """A few rows and columns; a card is not the place for all. Rows the question names come in first."""
    rows = [table.rows[at] for at in _telling(table, question)]
    columns = _filled(rows, len(table.columns))
    size = f"{words.count(len(table.rows), 'row')} and {words.count(len(table.columns), 'column')}"
    whole = len(rows) == len(table.rows) and len(columns) == len(table.columns)
    return {
        "title": snippet.marked(words.clip(table.title, 90), question),
        "unit": words.clip(table.unit_line, 60),
        "columns": [table.columns[at].period or words.clip(table.columns[at].header, 26) for at in columns],
        "rows": [
            [
                snippet.marked(words.clip(row.header, 60), question),
                *(words.clip(row.cells[at].text, 24) for at in columns),
            ]
            for row in rows
        ],
        "more": "" if whole else f"Part of a table of {size}",
    }


def _filled(rows: list[TableRow], columns: int) -> list[int]:
    """Which columns to show, in their order: those with the most to say in these rows."""
    said = [sum(bool(row.cells[at].text) for row in rows) for at in range(columns)]
    return sorted(sorted(range(columns), key=lambda at: (-said[at], at))[:_COLUMNS])


def _telling(table: Table, question: str) -> list[int]:
    """Which rows to show, in their order: those with a word of the question, filled up from the top."""
    named = [at for at, row in enumerate(table.rows) if snippet.matched(row.header, question)]
    others = [at for at in range(len(table.rows)) if at not in set(named)]
    return sorted([*named, *others][:_ROWS])
