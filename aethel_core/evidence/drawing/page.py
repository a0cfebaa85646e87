"""The picture as pyvis holds it, and as a page of its own that needs no network.

pyvis' template loads style sheets from the internet even when told to put everything in line, and
takes hover text that holds a link for markup; so it renders through ours, with its vis-network.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aethel_core.evidence.drawing.figure import Figure
from aethel_core.evidence.drawing.style import DARK, LIGHT, Palette

if TYPE_CHECKING:
    from pyvis.network import Network

_HERE = Path(__file__).parent
_OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"randomSeed": 1},
    "interaction": {"hover": True, "tooltipDelay": 120, "keyboard": False, "multiselect": False},
    "nodes": {"chosen": False},
    "edges": {
        "arrows": {"to": {"enabled": True, "scaleFactor": 0.35}},
        "smooth": {"enabled": True, "type": "cubicBezier", "forceDirection": "horizontal", "roundness": 0.45},
        "chosen": False,
        "hoverWidth": 0.5,
    },
}


def network(figure: Figure) -> Network:
    """Nodes by id with their computed places; the words to draw are under ``aethel``."""
    from pyvis.network import Network  # takes a third of a second to import

    made = Network(directed=True, cdn_resources="in_line")
    made.set_template_dir(str(_HERE), "page.html")
    for mark in figure.marks:
        words = {"role": mark.role.value, "lines": list(mark.lines), "rank": mark.rank, "font": mark.font}
        where = {"x": mark.x, "y": mark.y, "physics": False}
        made.add_node(mark.id, label=" ", shape="custom", title=mark.title, aethel=words, **where)
    for stroke in figure.strokes:
        made.add_edge(stroke.source, stroke.target, width=stroke.width, title=stroke.title)
    made.options = _OPTIONS
    return made


def data(figure: Figure) -> dict[str, Any]:
    """What ``graph.js`` draws, as JSON-able values."""
    nodes, edges, _, _, _, options = network(figure).get_network_data()
    return {"nodes": nodes, "edges": edges, "options": json.loads(options)}


def palettes() -> dict[str, dict[str, Any]]:
    return {"light": LIGHT.as_json(), "dark": DARK.as_json()}


def as_html(figure: Figure, *, heading: str = "", about: str = "", palette: Palette = LIGHT) -> bytes:
    """A page that shows the picture offline, with search and hover text, and its content as a table."""
    made = network(figure)
    template = made.templateEnv.get_template(made.path)
    words = {mark.id: " · ".join(mark.lines) for mark in figure.marks}
    rows = [(words[stroke.source], words[stroke.target], stroke.title) for stroke in figure.strokes]
    return template.render(
        heading=heading or "Evidence paths",
        about=about,
        data=data(figure),
        palette=palette.as_json(),
        vis=vis_network(),
        script=script(),
        rows=rows,
    ).encode("utf-8", "replace")


@cache
def script() -> str:
    """``graph.js``: ``aethelGraph.draw(container, data, palette, act)``."""
    return (_HERE / "graph.js").read_text("utf-8")


@cache
def vis_network() -> str:
    """vis-network as it comes with pyvis."""
    import pyvis

    folder = Path(pyvis.__file__).parent / "templates" / "lib" / "vis-9.1.2"
    return (folder / "vis-network.min.js").read_text("utf-8")
