"""Charts of entities: over time, and over documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log1p
from typing import TYPE_CHECKING

from aethel_core import workspace as core
from pages._ui import words

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_BLUE = "#0072B2"
_GREY = "#8A929C"  # readable on the light and on the dark ground
_SCALE = ((0.0, "#9CC7E6"), (0.5, "#3C9FDC"), (1.0, "#00466E"))


def _plain(text: str, limit: int) -> str:
    """plotly reads some tags in text; a name is shown letter by letter."""
    return escape(words.clip(text, limit), quote=False)


def periods(counts: Sequence[tuple[str, int]]) -> Figure:
    """Passages per fiscal period."""
    from plotly import graph_objects as go

    labels = [_plain(label or "not known", 24) for label, _ in counts]
    figure = go.Figure(
        go.Bar(
            x=labels,
            y=[count for _, count in counts],
            marker={"color": _BLUE},
            hovertemplate="%{x}: %{y} passages<extra></extra>",
        )
    )
    figure.update_xaxes(type="category", fixedrange=True)
    figure.update_yaxes(fixedrange=True, title="passages", rangemode="tozero")
    figure.update_layout(height=220, margin={"l": 44, "r": 8, "t": 8, "b": 8}, bargap=0.45)
    return figure


def corpus_map(found: core.CorpusMap, names: Mapping[str, str]) -> Figure:
    """A square wherever a document names an entity; size and shade say in how many passages."""
    from plotly import graph_objects as go

    cells = [(d, e, count) for d, row in enumerate(found.counts) for e, count in enumerate(row) if count]
    most = max((count for *_, count in cells), default=1)
    labels = [_plain(names.get(document, document), 46) for document in found.documents]
    entities = [_plain(entity.name, 30) for entity in found.entities]
    figure = go.Figure(
        go.Scatter(
            x=[e for _, e, _ in cells],
            y=[d for d, *_ in cells],
            mode="markers",
            marker={
                "symbol": "square",
                "size": [8 + 9 * log1p(count) / log1p(most) for *_, count in cells],
                "color": [log1p(count) for *_, count in cells],
                "colorscale": _SCALE,
                "line": {"width": 0.6, "color": _GREY},
                "opacity": 1,
            },
            customdata=[[labels[d], entities[e], words.count(count, "passage")] for d, e, count in cells],
            hovertemplate="<b>%{customdata[1]}</b><br>%{customdata[0]}<br>%{customdata[2]}<extra></extra>",
        )
    )
    figure.update_xaxes(
        tickvals=list(range(len(entities))),
        ticktext=entities,
        tickangle=-55,
        side="top",
        range=[-0.7, len(entities) - 0.3],
        fixedrange=True,
        zeroline=False,
        tickfont={"size": 11},
    )
    figure.update_yaxes(
        tickvals=list(range(len(labels))),
        ticktext=labels,
        range=[len(labels) - 0.4, -0.6],
        fixedrange=True,
        automargin=True,
        zeroline=False,
        tickfont={"size": 11},
    )
    figure.update_layout(
        height=190 + 24 * len(labels),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        hoverlabel={"align": "left"},
    )
    return figure
