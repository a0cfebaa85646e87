"""The subgraph as GraphML, for Gephi, yEd, Cytoscape or igraph."""

from __future__ import annotations

from xml.etree import ElementTree

from aethel_core.evidence.drawing.figure import Figure
from aethel_core.evidence.drawing.svg import plain

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_KEYS = (
    ("role", "node", "string"),
    ("kind", "node", "string"),
    ("label", "node", "string"),
    ("rank", "node", "int"),
    ("mass", "node", "double"),
    ("x", "node", "double"),
    ("y", "node", "double"),
    ("flow", "edge", "double"),
    ("more", "edge", "int"),
)


def as_graphml(figure: Figure) -> bytes:
    root = ElementTree.Element("graphml", xmlns=_NAMESPACE)
    for name, target, kind in _KEYS:
        attributes = {"id": name, "for": target, "attr.name": name, "attr.type": kind}
        ElementTree.SubElement(root, "key", attributes)
    graph = ElementTree.SubElement(root, "graph", id="evidence", edgedefault="directed")
    for mark in figure.marks:
        node = ElementTree.SubElement(graph, "node", id=plain(mark.id))
        values = (mark.role.value, mark.kind, " · ".join(mark.lines), mark.rank, mark.mass, mark.x, mark.y)
        _data(node, [name for name, target, _ in _KEYS if target == "node"], values)
    for stroke in figure.strokes:
        edge = ElementTree.SubElement(graph, "edge", source=plain(stroke.source), target=plain(stroke.target))
        _data(edge, ["flow", "more"], (stroke.flow, stroke.more))
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _data(parent: ElementTree.Element, names: list[str], values: tuple) -> None:
    for name, value in zip(names, values, strict=True):
        ElementTree.SubElement(parent, "data", key=name).text = plain(str(value))
