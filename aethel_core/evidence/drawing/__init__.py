"""The subgraph as a picture: for the screen, as a page of its own, as SVG, and as GraphML for tools."""

from __future__ import annotations

from aethel_core.evidence.drawing.figure import Figure, Mark, Place, Stroke, figure, size
from aethel_core.evidence.drawing.graphml import as_graphml
from aethel_core.evidence.drawing.page import as_html, data, network, palettes, script, vis_network
from aethel_core.evidence.drawing.svg import as_svg

__all__ = [
    "Figure",
    "Mark",
    "Place",
    "Stroke",
    "as_graphml",
    "as_html",
    "as_svg",
    "data",
    "figure",
    "network",
    "palettes",
    "script",
    "size",
    "vis_network",
]
