"""The part of the graph that matters for a question: the best paths of the best hits, and no more.

Hits come in by rank, each with its paths one by one, the best first; a path comes in only as a whole,
so no edge ever points to a node that is not there. Of the passages between two entities the one
that carries most is shown; the edge says how many there are.

``mass`` of a node and ``flow`` of an edge are exact (see `walk`): the flow of u → v is what the last
step of the walk carried there, and what flows into a passage is its mass. Where a retriever takes
several walks, each counts with its part's share, measured by the largest mass it brings any passage.

The layout is computed, not simulated: seeds on the left, hits by rank on the right, what lies between
in columns by the step at which it is reached, ordered so that edges cross little. The same subgraph
always looks the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

import numpy as np

from aethel_core.errors import InvalidInput
from aethel_core.evidence.noise import GOVERNING
from aethel_core.evidence.trace import EvidencePath, PassageEvidence, PathPart, Trace

NODES = 150
PASSAGE = "passage"  # the kind of the nodes that are no entities
WORTH = 0.03  # a further path of a hit is drawn if it brings at least this share of the hit's mass
COLUMN_WIDTH, ROW_HEIGHT = 250.0, 60.0


class Role(StrEnum):
    SEED = "seed"
    BRIDGE = "bridge"
    PASSAGE = "passage"
    HIT = "hit"


@dataclass(frozen=True, slots=True)
class Node:
    """``id`` is the entity's or passage's; ``rank`` that of a hit, else 0; ``passages`` the degree of an
    entity, else 0; (x, y) its place."""

    id: str
    role: Role
    kind: str
    label: str
    mass: float
    rank: int = 0
    passages: int = 0
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Edge:
    """``more`` counts further passages that join the same two entities of a path."""

    source: str
    target: str
    flow: float
    more: int = 0


@dataclass(frozen=True, slots=True)
class Route:
    """A path as it is drawn: its nodes in order, the hit it leads to."""

    hit: str
    nodes: tuple[str, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Subgraph:
    """``left_out`` counts the paths for which there was no room."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    routes: tuple[Route, ...]
    left_out: int = 0


def subgraph(
    trace: Trace, hits: Sequence[PassageEvidence], *, nodes: int = NODES, paths_per_hit: int = 3
) -> Subgraph:
    """:param hits: best first.

    :raises InvalidInput: there is no room for a single path.
    """
    if nodes < 6 or paths_per_hit < 1:
        raise InvalidInput("A subgraph needs room for at least 6 nodes and one path per hit.")
    taken: dict[str, Route] = {}
    inside: set[str] = {hit.passage_id for hit in hits[:nodes]}
    more: dict[tuple[str, str], int] = {}
    left_out = 0
    chosen = [_chosen(hit, paths_per_hit) for hit in hits[:nodes]]
    for turn in range(max(map(len, chosen), default=0)):
        for path, weight in (paths[turn] for paths in chosen if turn < len(paths)):
            route = Route(path.passage_id, _stations(path, more), weight)
            if len(inside | set(route.nodes)) > nodes:
                left_out += 1
                continue
            inside |= set(route.nodes)
            taken.setdefault("\n".join(route.nodes), route)
    routes = tuple(taken.values())
    return _drawn(trace, hits[:nodes], routes, more, left_out)


def _chosen(hit: PassageEvidence, count: int) -> list[tuple[EvidencePath, float]]:
    """The best path of each part, the parts by weight; then the rest by share, as far as they are worth
    it. At most ``count`` or as many as there are parts."""
    weighed = [
        (part.paths, [path.share * part.share * part.reach for path in part.paths]) for part in hit.parts
    ]
    first = [(paths[0], weights[0]) for paths, weights in weighed if paths]
    rest = [
        (path, weight)
        for (paths, weights), part in zip(weighed, hit.parts, strict=True)
        for path, weight in zip(paths[1:], weights[1:], strict=True)
        if path.share >= WORTH and not _governs(part)
    ]
    first.sort(key=lambda pair: (-pair[1], pair[0].entities))
    rest.sort(key=lambda pair: (-pair[1], pair[0].entities))
    return [*first, *rest][: max(count, len(first))]


def _governs(part: PathPart) -> bool:
    """Whether a company, period or statement is joined to the passage: then detours say nothing."""
    return part.kind in GOVERNING and len(part.paths[0].entities) == 1


def _stations(path: EvidencePath, more: dict[tuple[str, str], int]) -> tuple[str, ...]:
    stations: list[str] = [path.origin.passages[0]] if path.origin and path.origin.passages else []
    for place, entity in enumerate(path.entities):
        stations.append(entity)
        if place < len(path.between):
            between = path.between[place]
            stations.append(between.passages[0])
            if between.count > 1:
                more[entity, between.passages[0]] = between.count - 1
    if stations[-1:] != [path.passage_id]:
        stations.append(path.passage_id)
    return tuple(stations)


def _drawn(
    trace: Trace,
    hits: Sequence[PassageEvidence],
    routes: tuple[Route, ...],
    more: Mapping[tuple[str, str], int],
    left_out: int,
) -> Subgraph:
    ranks = {hit.passage_id: rank for rank, hit in enumerate(hits, start=1)}
    seeds = {seed.entity_id for seed in trace.seeds}
    ids = dict.fromkeys([*ranks, *(node for route in routes for node in route.nodes)])
    pairs = dict.fromkeys(pair for route in routes for pair in pairwise(route.nodes))
    nodes = [_node(trace, node, ranks, seeds) for node in ids]
    edges = tuple(Edge(a, b, _flow(trace, a, b), more.get((a, b), 0)) for a, b in pairs)
    return Subgraph(_placed(nodes, edges, routes), edges, routes, left_out)


def _node(trace: Trace, node: str, ranks: Mapping[str, int], seeds: set[str]) -> Node:
    mass = _mass(trace, node)
    if node in trace.rows:
        rank = ranks.get(node, 0)
        return Node(node, Role.HIT if rank else Role.PASSAGE, PASSAGE, "", mass, rank)
    column = trace.graph.position[node]
    entity, passages = trace.graph.entities[column], int(trace.graph.frequency[column])
    role = Role.SEED if node in seeds else Role.BRIDGE
    return Node(node, role, entity.kind.value, entity.name, mass, 0, passages)


def _mass(trace: Trace, node: str) -> float:
    if node in trace.rows:
        return sum(scale * float(walk.mass[0][trace.rows[node]]) for scale, walk in trace.walks)
    column = trace.graph.position[node]
    return sum(scale * float(walk.mass[1][column]) for scale, walk in trace.walks)


def _flow(trace: Trace, source: str, target: str) -> float:
    """What the last steps carried from source to target, over all walks."""
    on_passages, on_entities = trace.leaving
    if target in trace.rows:
        block, into, out = trace.taken.to_passages, trace.rows[target], trace.graph.position[source]
        leaving = on_entities[out]
    else:
        block, into, out = trace.taken.to_entities, trace.graph.position[target], trace.rows[source]
        leaving = on_passages[out]
    part = slice(*block.indptr[into : into + 2])
    return float(block.data[part][block.indices[part] == out].sum() * leaving)


# --- the layout ------------------------------------------------------------------------------------


def _placed(nodes: Sequence[Node], edges: Sequence[Edge], routes: Sequence[Route]) -> tuple[Node, ...]:
    columns = _columns(nodes, routes)
    order = _ordered(nodes, edges, columns)
    placed = {}
    tallest = max((len(column) for column in order.values()), default=0)
    for x, column in order.items():
        gap = ROW_HEIGHT * max(1.0, min(2.5, (tallest - 1) / max(len(column) - 1, 1)))
        top = -gap * (len(column) - 1) / 2
        for place, node in enumerate(column):
            placed[node] = (x * COLUMN_WIDTH, top + gap * place)
    return tuple(replace(node, x=placed[node.id][0], y=placed[node.id][1]) for node in nodes)


def _columns(nodes: Sequence[Node], routes: Sequence[Route]) -> dict[str, int]:
    """The step at which a node is first reached; seeds at 0, hits one step after all else."""
    steps: dict[str, int] = {}
    for route in routes:
        for step, node in enumerate(route.nodes[:-1]):
            steps[node] = min(steps.get(node, step), step)
    roles = {node.id: node.role for node in nodes}
    inner = {node: step for node, step in steps.items() if roles[node] in (Role.BRIDGE, Role.PASSAGE)}
    used = {step: place for place, step in enumerate(sorted(set(inner.values())), start=1)}
    last = len(used) + 1
    found = {}
    for node in nodes:
        if node.role is Role.SEED:
            found[node.id] = 0
        elif node.role is Role.HIT:
            found[node.id] = last
        else:
            found[node.id] = used[inner[node.id]]
    return found


def _ordered(
    nodes: Sequence[Node], edges: Sequence[Edge], columns: Mapping[str, int]
) -> dict[int, list[str]]:
    """Node ids per column from top to bottom. Hits stay in the order of their rank; the others move
    towards the mean place of their neighbours, a few times from right to left and back."""
    order: dict[int, list[str]] = defaultdict(list)
    for node in sorted(nodes, key=lambda n: (n.rank, -n.mass, n.id)):
        order[columns[node.id]].append(node.id)
    beside: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        beside[edge.source].append(edge.target)
        beside[edge.target].append(edge.source)
    ranked = {node.id for node in nodes if node.rank}
    place = {node: at / max(len(ids) - 1, 1) for ids in order.values() for at, node in enumerate(ids)}
    numbers = sorted(order)
    for sweep in (*reversed(numbers), *numbers, *reversed(numbers)):
        if order[sweep] and order[sweep][0] in ranked:
            continue
        means = {n: np.mean([place[m] for m in beside[n]]) if beside[n] else 1.0 for n in order[sweep]}
        order[sweep].sort(key=lambda n: (means[n], n))
        for at, node in enumerate(order[sweep]):
            place[node] = at / max(len(order[sweep]) - 1, 1)
    return dict(order)
