"""Vector charts: a waterfall, bars and lines, drawn from plain numbers."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.graphics.shapes import Drawing, Line, PolyLine, Rect, String
from reportlab.lib.colors import Color, HexColor

from .money import figure

_GREY = HexColor("#5A6672")


def _label(x: float, y: float, content: str, size: float = 6.8, anchor: str = "middle") -> String:
    return String(x, y, content, fontName="Helvetica", fontSize=size, textAnchor=anchor, fillColor=_GREY)


def waterfall(
    steps: Sequence[tuple[str, int]], width: float, height: float, colour: Color, up: Color, down: Color
) -> Drawing:
    """Opening balance, movements, closing balance. The first and last steps stand on the base line."""
    drawing = Drawing(width, height)
    totals, level = [], 0
    for number, (_, amount) in enumerate(steps):
        start = 0 if number in (0, len(steps) - 1) else level
        level = amount if number in (0, len(steps) - 1) else level + amount
        totals.append((start, level))
    floor = 0.86 * min(min(pair) for pair in totals[1:-1])
    scale = (height - 42) / (max(max(pair) for pair in totals) - floor)
    gap = width / len(steps)
    for number, ((name, amount), (start, end)) in enumerate(zip(steps, totals, strict=True)):
        low, high = max(min(start, end), floor), max(start, end)
        fill = colour if number in (0, len(steps) - 1) else up if amount >= 0 else down
        x, y = number * gap + gap * 0.16, 24 + (low - floor) * scale
        drawing.add(Rect(x, y, gap * 0.68, max((high - low) * scale, 0.8), fillColor=fill, strokeWidth=0))
        drawing.add(_label(x + gap * 0.34, 24 + (high - floor) * scale + 3.5, figure(amount)))
        for row, part in enumerate(name.split("\n")):
            drawing.add(_label(x + gap * 0.34, 14 - 8 * row, part, 6.6))
    drawing.add(Line(0, 24, width, 24, strokeColor=_GREY, strokeWidth=0.5))
    return drawing


def bars(
    items: Sequence[tuple[str, float]], width: float, height: float, colour: Color, unit: str = ""
) -> Drawing:
    """Horizontal bars with their value at the end."""
    drawing = Drawing(width, height)
    left, step = width * 0.4, height / len(items)
    scale = (width - left - 30) / max(value for _, value in items)
    for number, (name, value) in enumerate(items):
        y = height - (number + 1) * step
        drawing.add(_label(left - 5, y + step * 0.33, name, 7, "end"))
        drawing.add(Rect(left, y + step * 0.18, value * scale, step * 0.6, fillColor=colour, strokeWidth=0))
        drawing.add(_label(left + value * scale + 4, y + step * 0.33, f"{value:.1f}{unit}", 7, "start"))
    return drawing


def lines(
    ticks: Sequence[str], series: Sequence[tuple[str, Sequence[float], Color]], width: float, height: float
) -> Drawing:
    """Lines over the same ticks, each named at its right end; the dash pattern tells them apart too."""
    drawing = Drawing(width, height)
    values = [value for _, points, _ in series for value in points]
    low, high = min(values) - 4, max(values) + 3
    left, bottom, right = 20.0, 16.0, width - 48
    step = (right - left) / (len(ticks) - 1)
    scale = (height - bottom - 6) / (high - low)
    for mark in range(int(low // 10 + 1) * 10, int(high) + 1, 10):
        y = bottom + (mark - low) * scale
        drawing.add(Line(left, y, right, y, strokeColor=HexColor("#D5DAE0"), strokeWidth=0.4))
        drawing.add(_label(left - 4, y - 2.2, str(mark), 6.4, "end"))
    for number, tick in enumerate(ticks):
        drawing.add(_label(left + number * step, 5, tick, 6.4))
    for number, (name, points, colour) in enumerate(series):
        path = [c for i, v in enumerate(points) for c in (left + i * step, bottom + (v - low) * scale)]
        dash = (None, (4, 2), (1.5, 1.5), (6, 2, 1.5, 2))[number % 4]
        drawing.add(PolyLine(path, strokeColor=colour, strokeWidth=1.3, strokeDashArray=dash))
        drawing.add(_label(path[-2] + 4, path[-1] - 2.2, name, 6.6, "start"))
    return drawing
