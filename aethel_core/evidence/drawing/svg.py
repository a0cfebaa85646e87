"""The picture as SVG, drawn from the computed layout: for a report, without a browser."""

from __future__ import annotations

from xml.etree import ElementTree

from aethel_core.evidence.drawing.figure import Figure, Mark, size
from aethel_core.evidence.drawing.style import LIGHT, Look, Palette
from aethel_core.evidence.subgraph import Role

_SVG = "http://www.w3.org/2000/svg"
_FONT = "-apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif"
_MARGIN, _FOLD, _POINT = 30.0, 9.0, 11.0


def as_svg(figure: Figure, *, palette: Palette = LIGHT, heading: str = "") -> bytes:
    sizes = {mark.id: size(mark.role, mark.lines, mark.font) for mark in figure.marks}
    left, top, width, height = _box(figure, sizes)
    root = ElementTree.Element(
        "svg",
        xmlns=_SVG,
        width=f"{width:.0f}",
        height=f"{height:.0f}",
        viewBox=f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}",
        role="img",
    )
    root.set("font-family", _FONT)
    ElementTree.SubElement(root, "title").text = plain(heading or "Evidence paths")
    ground = {"x": f"{left}", "y": f"{top}", "width": f"{width}", "height": f"{height}"}
    ElementTree.SubElement(root, "rect", ground, fill=palette.ground)
    _strokes(root, figure, sizes, palette)
    for mark in figure.marks:
        _mark(root, mark, sizes[mark.id], palette.look(mark.role))
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _box(figure: Figure, sizes: dict[str, tuple[float, float]]) -> tuple[float, float, float, float]:
    if not figure.marks:
        return 0.0, 0.0, 200.0, 60.0
    lefts = [mark.x - sizes[mark.id][0] / 2 for mark in figure.marks]
    rights = [mark.x + sizes[mark.id][0] / 2 for mark in figure.marks]
    tops = [mark.y - sizes[mark.id][1] / 2 for mark in figure.marks]
    bottoms = [mark.y + sizes[mark.id][1] / 2 for mark in figure.marks]
    left, top = min(lefts) - _MARGIN, min(tops) - _MARGIN
    return left, top, max(rights) - left + _MARGIN, max(bottoms) - top + _MARGIN


def _strokes(
    root: ElementTree.Element, figure: Figure, sizes: dict[str, tuple[float, float]], palette: Palette
) -> None:
    marks = {mark.id: mark for mark in figure.marks}
    group = ElementTree.SubElement(root, "g", fill="none", stroke=palette.edge)
    group.set("stroke-opacity", "0.85")
    for stroke in figure.strokes:
        a, b = marks[stroke.source], marks[stroke.target]
        way = 1 if a.x <= b.x else -1
        x0, x1 = a.x + way * sizes[a.id][0] / 2, b.x - way * sizes[b.id][0] / 2
        bend = max(abs(x1 - x0) / 2, 30.0) * way
        path = f"M{x0:.1f},{a.y:.1f} C{x0 + bend:.1f},{a.y:.1f} {x1 - bend:.1f},{b.y:.1f} {x1:.1f},{b.y:.1f}"
        line = ElementTree.SubElement(group, "path", d=path)
        line.set("stroke-width", f"{stroke.width:.2f}")
        ElementTree.SubElement(line, "title").text = plain(stroke.title)


def _mark(root: ElementTree.Element, mark: Mark, extent: tuple[float, float], look: Look) -> None:
    group = ElementTree.SubElement(root, "g")
    ElementTree.SubElement(group, "title").text = plain(mark.title)
    shape = ElementTree.SubElement(
        group, "path", d=_outline(mark, extent), fill=look.fill, stroke=look.border
    )
    shape.set("stroke-width", f"{look.line}")
    shift = 11.0 if mark.role is Role.HIT else 0.0
    if mark.role is Role.HIT:
        x = mark.x - extent[0] / 2 + 15
        ElementTree.SubElement(group, "circle", cx=f"{x:.1f}", cy=f"{mark.y:.1f}", r="10", fill=look.border)
        _text(group, str(mark.rank), x, mark.y + 4, 11.0, look.fill, bold=True)
    small = mark.font - 2
    y = mark.y - extent[1] / 2 + 5 + small
    _text(group, mark.lines[0], mark.x + shift, y, small, look.quiet)
    for line in mark.lines[1:]:
        y += mark.font * 1.25
        _text(group, line, mark.x + shift, y, mark.font, look.ink, bold=mark.role is not Role.PASSAGE)


def _outline(mark: Mark, extent: tuple[float, float]) -> str:
    l, r = mark.x - extent[0] / 2, mark.x + extent[0] / 2  # noqa: E741
    t, b = mark.y - extent[1] / 2, mark.y + extent[1] / 2
    if mark.role is Role.SEED:
        return f"M{l},{t} L{r - 2},{t} L{r + _POINT},{mark.y} L{r - 2},{b} L{l},{b} Z"
    if mark.role is Role.BRIDGE:
        q = min((b - t) / 2, 16.0)
        return (
            f"M{l + q},{t} L{r - q},{t} Q{r},{t} {r},{t + q} L{r},{b - q} Q{r},{b} {r - q},{b} "
            f"L{l + q},{b} Q{l},{b} {l},{b - q} L{l},{t + q} Q{l},{t} {l + q},{t} Z"
        )
    return (
        f"M{l},{t} L{r - _FOLD},{t} L{r},{t + _FOLD} L{r},{b} L{l},{b} Z M{r - _FOLD},{t} v{_FOLD} h{_FOLD}"
    )


def _text(
    parent: ElementTree.Element,
    words: str,
    x: float,
    y: float,
    size: float,
    colour: str,
    *,
    bold: bool = False,
) -> None:
    node = ElementTree.SubElement(parent, "text", x=f"{x:.1f}", y=f"{y:.1f}", fill=colour)
    node.set("font-size", f"{size:.1f}")
    node.set("text-anchor", "middle")
    if bold:
        node.set("font-weight", "600")
    node.text = plain(words)


def plain(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return "".join(c if c in "\t\n" or _allowed(c) else " " for c in text)


def _allowed(c: str) -> bool:
    return " " <= c < "\ud800" or "\ue000" <= c < "\ufffe" or c > "\uffff"
