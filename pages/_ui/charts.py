"""Charts. plotly loads on first use: it is too heavy for a page's first paint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING

from aethel_core.types import Ranking
from pages._ui import theme, words

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_GREY = "#8A929C"  # readable on the light and on the dark ground
DEEPEST = 20


def movement(rankings: tuple[Ranking, ...], k: int, citation: Callable[[str], str]) -> Figure:
    """A bump chart: one column of marks per retriever, one line per passage found by two or more.

    A dashed stretch skips retrievers that did not find the passage within the first `k`.
    """
    from plotly import graph_objects as go

    k = min(k, DEEPEST)
    figure = go.Figure()
    places = _places(rankings, k)
    cited = {passage: citation(passage) for passage in places}
    for places_of in places.values():
        _line(figure, go, places_of)
    for column, ranking in enumerate(rankings):
        _marks(figure, go, column, ranking, k, cited, places)
    _labels(figure, places, cited, len(rankings) - 1)
    _axes(figure, rankings, k)
    return figure


Places = Mapping[str, list[tuple[int, int]]]  # passage id → (column, rank), left to right


def _places(rankings: tuple[Ranking, ...], k: int) -> Places:
    places: dict[str, list[tuple[int, int]]] = {}
    for column, ranking in enumerate(rankings):
        for rank, passage in enumerate(ranking.ids[:k], start=1):
            places.setdefault(passage, []).append((column, rank))
    return places


def _line(figure: Figure, go, places: list[tuple[int, int]]) -> None:
    for (left, above), (right, below) in pairwise(places):
        xs, ys = _curve(left, above, right, below)
        line = {
            "color": _GREY,
            "width": 0.9 + 0.5 * len(places),
            "dash": "solid" if right == left + 1 else "dot",
            "shape": "spline",
            "smoothing": 0.6,
        }
        figure.add_trace(go.Scatter(x=xs, y=ys, mode="lines", line=line, hoverinfo="skip", showlegend=False))


def _curve(left: int, above: int, right: int, below: int) -> tuple[list[float], list[float]]:
    """Leave and arrive level, and pass a skipped column between two of its marks."""
    xs, ys = [float(left), left + 0.25], [float(above)] * 2
    for column in range(left + 1, right):
        way = above + (below - above) * (column - left) / (right - left)
        xs.append(float(column))
        ys.append(floor(way) + 0.5)
    return [*xs, right - 0.25, float(right)], [*ys, float(below), float(below)]


def _marks(
    figure: Figure, go, column: int, ranking: Ranking, k: int, cited: Mapping[str, str], places: Places
) -> None:
    look = theme.look(ranking.retriever)
    ids = ranking.ids[:k]
    figure.add_trace(
        go.Scatter(
            x=[column] * len(ids),
            y=list(range(1, len(ids) + 1)),
            mode="markers",
            name=look.label,
            marker={
                "symbol": look.symbol,
                "color": look.colour,
                "opacity": 1,
                "size": [15 if len(places[passage]) > 1 else 9 for passage in ids],
                "line": {"color": _GREY, "width": 1},
            },
            customdata=[[cited[p], words.count(len(places[p]), "retriever")] for p in ids],
            hovertemplate=f"<b>{look.label} %{{y}}</b><br>%{{customdata[0]}}<br>found by %{{customdata[1]}}"
            "<extra></extra>",
            showlegend=False,
        )
    )


def _labels(figure: Figure, places: Places, cited: Mapping[str, str], last: int) -> None:
    """Name the passages at both edges, where the eye enters and leaves."""
    for passage, places_of in places.items():
        for column, rank in {places_of[0], places_of[-1]}:
            if column in (0, last):
                figure.add_annotation(
                    x=column,
                    y=rank,
                    text=words.clip(cited[passage], 44).replace("<", "&lt;"),
                    showarrow=False,
                    xanchor="right" if column == 0 and last else "left",
                    xshift=-14 if column == 0 and last else 14,
                    font={"size": 11},
                )


def _axes(figure: Figure, rankings: tuple[Ranking, ...], k: int) -> None:
    names = [f"{theme.look(r.retriever).marker} {theme.look(r.retriever).label}" for r in rankings]
    last = len(rankings) - 1
    figure.update_xaxes(
        tickvals=list(range(len(rankings))),
        ticktext=names,
        side="top",
        range=[-0.75 * max(last, 1) / 2 - 0.2, last + 0.75 * max(last, 1) / 2 + 0.2],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
        tickfont={"size": 13},
    )
    figure.update_yaxes(
        range=[k + 0.6, 0.4],
        tickvals=list(range(1, k + 1)),
        title="rank",
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    figure.update_layout(
        height=90 + 34 * k, margin={"l": 48, "r": 16, "t": 36, "b": 10}, hoverlabel={"align": "left"}
    )
