"""Charts of measurements. plotly loads on first use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aethel_core.workspace import lab as lab_core
from pages._ui import theme
from pages._ui.evaluation import bench

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

CONFIG = {"displayModeBar": False}
_GREY = "#8A929C"  # readable on the light and on the dark ground
_ROW, _FRAME = 46, 74


def bars(report: lab_core.Report, metric: str, dark: bool) -> Figure:
    """One bar per retriever, best first, with the 95 % interval as a line."""
    from plotly import graph_objects as go

    ranked = sorted((report.interval(name, metric) for name in report.retrievers), key=lambda m: -m.mean)
    figure = go.Figure()
    ink = theme.INK_DARK if dark else theme.INK_LIGHT
    for found in ranked:
        look = theme.look(found.retriever)
        figure.add_trace(
            go.Bar(
                x=[found.mean],
                y=[bench.label_of(found.retriever)],
                orientation="h",
                opacity=0.85,  # so that the interval shows on black too
                marker={"color": _colour(look, dark), "line": {"color": _GREY, "width": 1}},
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": [found.high - found.mean],
                    "arrayminus": [found.mean - found.low],
                    "color": ink,
                    "thickness": 1.5,
                    "width": 6,
                },
                hovertemplate=f"<b>{look.label}</b> {bench.value(found.mean, metric)}<br>95 % interval "
                f"{bench.value(found.low, metric)} to {bench.value(found.high, metric)}<extra></extra>",
                showlegend=False,
            )
        )
        figure.add_annotation(
            x=1.02,
            y=bench.label_of(found.retriever),
            xref="paper",
            xanchor="left",
            text=f"<b>{bench.value(found.mean, metric)}</b>",
            showarrow=False,
            font={"size": 14, "color": ink},
        )
    figure.update_yaxes(
        autorange="reversed", fixedrange=True, showgrid=False, tickfont={"size": 13, "color": ink}
    )
    figure.update_xaxes(**_share_axis(metric))
    figure.update_layout(
        height=_FRAME + _ROW * len(ranked), margin={"l": 8, "r": 62, "t": 8, "b": 8}, bargap=0.38
    )
    return figure


def depth(report: lab_core.Report, dark: bool) -> Figure:
    """How far down one has to read: HR@k against k."""
    from plotly import graph_objects as go

    figure = go.Figure()
    places = list(range(len(report.ks)))  # 1, 3, 5, 10, 20 evenly spaced: the first ranks matter most
    for name in report.retrievers:
        look = theme.look(name)
        found = [report.interval(name, f"HR@{k}") for k in report.ks]
        figure.add_trace(
            go.Scatter(
                x=places,
                y=[one.mean for one in found],
                mode="lines+markers",
                cliponaxis=False,  # a marker at 100 % is drawn whole
                name=bench.label_of(name),
                line={"color": _colour(look, dark), "width": 2},
                marker=_marker(look, dark),
                customdata=[
                    [k, one.low * 100, one.high * 100] for k, one in zip(report.ks, found, strict=True)
                ],
                hovertemplate=f"<b>{look.label}</b> top %{{customdata[0]}}: %{{y:.0%}}<br>95 % interval "
                "%{customdata[1]:.0f} % to %{customdata[2]:.0f} %<extra></extra>",
            )
        )
    figure.update_xaxes(
        tickvals=places, ticktext=[f"top {k}" for k in report.ks], fixedrange=True, showgrid=False
    )
    figure.update_yaxes(**_share_axis("HR"))
    figure.update_layout(height=max(260, _FRAME + _ROW * len(report.retrievers)), **_legend_below())
    return figure


def scale(points: Sequence[lab_core.ScalePoint], metric: str, dark: bool) -> Figure:
    """The metric against the size of the corpus, one standard deviation as a line."""
    from plotly import graph_objects as go

    figure = go.Figure()
    for name in dict.fromkeys(point.retriever for point in points):
        look = theme.look(name)
        own = sorted((p for p in points if p.retriever == name), key=lambda p: p.size)
        figure.add_trace(
            go.Scatter(
                x=[p.size for p in own],
                y=[p.mean for p in own],
                error_y={"type": "data", "array": [p.sigma for p in own], "thickness": 1.2, "width": 5},
                mode="lines+markers",
                cliponaxis=False,  # a marker at 100 % is drawn whole
                name=bench.label_of(name),
                line={"color": _colour(look, dark), "width": 2},
                marker=_marker(look, dark),
                customdata=[[bench.value(p.mean, metric), bench.value(p.sigma, metric)] for p in own],
                hovertemplate=f"<b>{look.label}</b> %{{x:,}} passages<br>%{{customdata[0]}} ± "
                "%{customdata[1]}<extra></extra>",
            )
        )
    _ceiling(figure, points)
    sizes = sorted({point.size for point in points})
    figure.update_xaxes(
        type="log",
        tickvals=sizes,
        ticktext=[f"{size:,}" for size in sizes],
        title="passages in the corpus",
        fixedrange=True,
        showgrid=False,
    )
    figure.update_yaxes(**_share_axis(metric))
    figure.update_layout(height=400, **_legend_below())
    return figure


def _ceiling(figure: Figure, points: Sequence[lab_core.ScalePoint]) -> None:
    """Where gold may fall out, what no retriever can exceed."""
    reachable = {point.size: point.reachable for point in points if not point.gold_kept}
    if reachable:
        sizes = sorted(reachable)
        figure.add_scatter(
            x=sizes,
            y=[reachable[size] for size in sizes],
            mode="lines",
            name="answer still there",
            line={"color": _GREY, "dash": "dot", "width": 1.5},
            hovertemplate="%{y:.0%} of the questions still have their answer<extra></extra>",
        )


def _colour(look: theme.Look, dark: bool) -> str:
    return look.colour_dark if dark else look.colour


def _marker(look: theme.Look, dark: bool) -> dict[str, object]:
    return {
        "symbol": look.symbol,
        "size": 10,
        "color": _colour(look, dark),
        "line": {"color": _GREY, "width": 1},
    }


def _share_axis(metric: str) -> dict[str, object]:
    percent = {"tickformat": ".0%"} if bench.is_share(metric) else {"tickformat": ".1f"}
    return {"range": [0, 1.0], "fixedrange": True, "zeroline": False, "dtick": 0.2, **percent}


def _legend_below() -> dict[str, object]:
    legend = {"orientation": "h", "x": 0, "y": -0.16, "yanchor": "top", "font": {"size": 12}}
    return {"margin": {"l": 8, "r": 12, "t": 8, "b": 8}, "legend": legend}
