"""What every form of the picture has in common: words, sizes and places, but no markup.

Roles are told apart by shape, by label and by colour: a seed is a tag that points to the right, a
bridge a pill with its kind above its name, a passage a sheet with a folded corner, a hit a sheet with
its rank.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from aethel_core.evidence.subgraph import Edge, Node, Role, Subgraph
from aethel_core.types import EntityKind

_NAME, _DOCUMENT, _SECTION, _EXCERPT = 25, 36, 22, 260
_SMALLEST, _LARGEST = 11.0, 15.0  # font size, pixels
_THINNEST, _THICKEST = 1.2, 7.0  # of an edge, pixels
_ROOM = {Role.SEED: 20.0, Role.BRIDGE: 20.0, Role.PASSAGE: 29.0, Role.HIT: 51.0}  # beside the words
_GAP = 84.0  # between two columns, pixels


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage stands, in words: ``company`` (or the document's title) and ``paper``, what kind
    of document of which period it is."""

    document_id: str
    company: str
    paper: str
    page: int
    section: str
    text: str

    @property
    def document(self) -> str:
        return f"{self.company} {self.paper}".strip()

    def short(self, limit: int) -> str:
        """The document in at most ``limit`` characters; what is cut is the company."""
        room = limit - len(self.paper) - 1
        return f"{clip(self.company, max(room, 8))} {self.paper}".strip()

    @property
    def citation(self) -> str:
        return " · ".join(part for part in (self.document, f"p. {self.page}", self.section) if part)


@dataclass(frozen=True, slots=True)
class Mark:
    """A node as drawn. The first of ``lines`` is the small one; ``title`` is the hover text."""

    id: str
    role: Role
    lines: tuple[str, ...]
    title: str
    x: float
    y: float
    font: float
    rank: int
    mass: float
    kind: str


@dataclass(frozen=True, slots=True)
class Stroke:
    source: str
    target: str
    width: float
    title: str
    flow: float
    more: int


@dataclass(frozen=True, slots=True)
class Figure:
    marks: tuple[Mark, ...]
    strokes: tuple[Stroke, ...]


def figure(graph: Subgraph, places: Mapping[str, Place]) -> Figure:
    """:param places: of every passage in the graph; one that is not there goes by its id."""
    labels = {node.id: _lines(node, places.get(node.id)) for node in graph.nodes}
    masses = {node.id: node.mass for node in graph.nodes}
    most = max((mass for mass in masses.values()), default=0.0) or 1.0
    fonts = {n.id: _SMALLEST + (_LARGEST - _SMALLEST) * (n.mass / most) ** 0.5 for n in graph.nodes}
    across = _spread(graph, labels, fonts)
    widest = max((edge.flow for edge in graph.edges), default=0.0) or 1.0
    marks = tuple(
        Mark(
            node.id,
            node.role,
            labels[node.id],
            _title(node, places.get(node.id)),
            across[node.x],
            node.y,
            fonts[node.id],
            node.rank,
            node.mass,
            node.kind,
        )
        for node in graph.nodes
    )
    strokes = tuple(
        Stroke(
            edge.source,
            edge.target,
            _THINNEST + (_THICKEST - _THINNEST) * (edge.flow / widest) ** 0.5,
            _carries(edge, masses[edge.target], labels[edge.target][-1]),
            edge.flow,
            edge.more,
        )
        for edge in graph.edges
    )
    return Figure(marks, strokes)


def size(role: Role, lines: tuple[str, ...], font: float) -> tuple[float, float]:
    """About how wide and high a node is drawn; there is no font here to measure."""
    small = font - 2
    widths = [_width(lines[0]) * small, *(_width(line) * font for line in lines[1:]), 40.0]
    return max(widths) + _ROOM[role], small * 1.25 + (len(lines) - 1) * font * 1.25 + 10


def _width(text: str) -> float:
    return sum(map(_glyph, text))


def _glyph(c: str) -> float:
    if c in " .,:;·ilj'|":
        return 0.32
    if c.isupper():
        return 0.72
    return 1.0 if c > "\u2e80" else 0.56  # East Asian characters are square


def _spread(
    graph: Subgraph, labels: Mapping[str, tuple[str, ...]], fonts: Mapping[str, float]
) -> dict[float, float]:
    """The columns as far apart as their words need: x as laid out → x as drawn."""
    widths: dict[float, float] = {}
    for node in graph.nodes:
        width, _ = size(node.role, labels[node.id], fonts[node.id])
        widths[node.x] = max(widths.get(node.x, 0.0), width)
    placed, edge = {}, 0.0
    for x in sorted(widths):
        placed[x] = edge + widths[x] / 2
        edge += widths[x] + _GAP
    return placed


def clip(text: str, limit: int) -> str:
    """At most ``limit`` characters, control characters and line breaks as spaces."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return plain if len(plain) <= limit else plain[: limit - 1].rstrip(" ,;:·-") + "…"


def _lines(node: Node, place: Place | None) -> tuple[str, ...]:
    if node.role in (Role.HIT, Role.PASSAGE):
        if place is None:
            return ("passage", clip(node.id, _NAME))
        where = f"p. {place.page}" + (f" · {clip(place.section, _SECTION)}" if place.section else "")
        return (place.short(_DOCUMENT), where)
    name = textwrap.wrap(clip(node.label, 2 * _NAME), _NAME, max_lines=2, placeholder="…") or [node.id]
    where = f"in {node.passages:,} passages" if node.passages != 1 else "in 1 passage"
    start = "start" if node.role is Role.SEED else ""
    kind = node.kind if node.kind != EntityKind.NAME else ""
    return (" · ".join(filter(None, (start, kind, where))), *name)


def _title(node: Node, place: Place | None) -> str:
    if node.role in (Role.HIT, Role.PASSAGE):
        rank = f"Rank {node.rank} · " if node.rank else ""
        if place is None:
            return rank + node.id
        return f"{rank}{place.citation}\n\n{clip(place.text, _EXCERPT)}"
    role = "The walk starts here" if node.role is Role.SEED else "On the way"
    return f"{clip(node.label, 120)}\n{node.kind} · {role}"


def _carries(edge: Edge, mass: float, target: str) -> str:
    share = f"{edge.flow / mass:.0%} of the mass of “{target}” comes along here." if mass else ""
    if edge.more:
        passages = "passage joins" if edge.more == 1 else "passages join"
        share += f"\n{edge.more} more {passages} the same two names."
    return share
