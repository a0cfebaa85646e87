"""The evidence paths of a ranking beside their graph, drawn by ``paths.js``.

Python decides everything that is said; the script lays it out as text and draws the graph with the
vis-network that comes with pyvis. What a person does comes back as one `Act`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from aethel_core import workspace as core
from aethel_core.types import EntityKind
from pages._ui import board, words

_HERE = Path(__file__).parent
_GOVERNING = (EntityKind.COMPANY, EntityKind.PERIOD, EntityKind.STATEMENT)
_LEAST, _MOST_HEIGHT, _ROW = 330, 660, 62
_HARDLY = 0.03  # of the largest mass that a walk brings any passage
_WORTH, _SHOWN = 0.01, 4  # share and number of the paths that are listed
LEGEND = (
    ("seed", "start: named in the question"),
    ("bridge", "name on the way"),
    ("passage", "passage on the way"),
    ("hit", "hit and its rank"),
    ("flow", "wider: more of the mass"),
)
Station = dict[str, str]


@cache
def _component() -> Callable[..., Any]:
    """Declared when a graph is first shown: vis-network is half a megabyte."""
    script = (_HERE / "paths.js").read_text("utf-8")
    return st.components.v2.component(
        "aethel_paths",
        js=f"{core.drawing.vis_network()}\n{core.drawing.script()}\n{script}",
        css=(_HERE / "paths.css").read_text("utf-8"),
    )


@dataclass(frozen=True, slots=True)
class Act:
    """Open a passage's page, or an entity."""

    what: Literal["open", "entity"]
    id: str


def draw(data: dict[str, Any], key: str = "paths") -> Act | None:
    result = _component()(key=key, data=data, on_open_change=_noop, on_entity_change=_noop)
    if result.open:
        return Act("open", str(result.open))
    if result.entity:
        return Act("entity", str(result.entity))
    return None


def _noop() -> None:
    """A callback has to be there for its value to be; the value is read where the paths are drawn."""


def content(traced: core.Traced, citations: dict[str, str], chosen: str = "") -> dict[str, Any]:
    """All that is shown, as JSON: see ``paths.js`` for the shape. ``chosen`` is the hit that is looked at
    first, if any."""
    shares, _ = board.bar_shares(traced.ranking.hits)
    marks = traced.figure.marks
    heights = [mark.y for mark in marks]
    tall = (max(heights) - min(heights) if heights else 0) + 2 * _ROW
    return {
        "graph": core.drawing.data(traced.figure),
        "palettes": core.drawing.palettes(),
        "graph_label": f"Graph of {words.count(len(marks), 'node')}; the list beside it says the same",
        "height": int(min(max(tall, _LEAST), _MOST_HEIGHT)),
        "chosen": chosen,
        "legend": [list(pair) for pair in LEGEND],
        "passages": [mark.id for mark in marks if mark.kind == "passage"],
        "routes": [{"hit": route.hit, "nodes": list(route.nodes)} for route in traced.graph.routes],
        "hits": [
            _hit(traced, evidence, rank, hit.score, share, citations[hit.passage_id])
            for rank, (evidence, hit, share) in enumerate(
                zip(traced.hits, traced.ranking.hits, shares, strict=True), start=1
            )
        ],
    }


def _hit(
    traced: core.Traced,
    evidence: core.PassageEvidence,
    rank: int,
    score: float,
    share: float,
    citation: str,
) -> dict[str, Any]:
    single = len(evidence.parts) == 1
    first, more = _by_interest(evidence.parts)
    return {
        "id": evidence.passage_id,
        "rank": rank,
        "citation": citation,
        "score": words.score(score),
        "share": share,
        "parts": [_part(traced, part, single) for part in first],
        "more": [_part(traced, part, single) for part in more],
        "more_label": _governed(more),
    }


def _by_interest(
    parts: tuple[core.PathPart, ...],
) -> tuple[list[core.PathPart], list[core.PathPart]]:
    """Parts whose paths tell something; and those that do not: a company, period or statement that
    governs the passage, and seeds that hardly reach it. At least one part is of the first sort."""
    telling = [p for p in parts if p.kind not in _GOVERNING and p.reach >= _HARDLY]
    if not telling:
        telling = sorted(parts, key=lambda p: -p.reach * p.share)[:1]
    return telling, [part for part in parts if part not in telling]


def _governed(parts: list[core.PathPart]) -> str:
    """ "Joined to NIKE · FY2021; far from Revenue" """
    direct = [words.clip(part.label, 40) for part in parts if _is_direct(part)]
    far = [words.clip(part.label, 40) for part in parts if not _is_direct(part)]
    said = [f"joined to {' · '.join(direct)}"] if direct else []
    said += [f"far from {' · '.join(far)}"] if far else []
    text = "; ".join(said)
    return text[:1].upper() + text[1:]


def _is_direct(part: core.PathPart) -> bool:
    return bool(part.paths) and any(len(p.entities) == 1 and not p.origin for p in part.paths)


def _part(traced: core.Traced, part: core.PathPart, single: bool) -> dict[str, Any]:
    head, note = "", ""
    if not single:
        head = f"{part.kind.capitalize()}: {part.label}"
        note = f"{part.share:.0%} of the seeds' weight · reached with {part.reach:.0%} of the best"
    if not part.paths:
        said = f"Other paths, {percent(part.other)}" if part.other else "No path leads here from it."
        return {"head": head, "note": note, "paths": [], "rest": said}
    paths = [p for p in part.paths if p.share >= _WORTH][:_SHOWN] or part.paths[:1]
    governing = part.kind in _GOVERNING and _is_direct(part)
    if governing:
        paths = [path for path in part.paths if len(path.entities) == 1]
    rest = 1 - sum(path.share for path in paths)
    return {
        "head": head,
        "note": note,
        "paths": [_path(traced, path, governing) for path in paths],
        "rest": f"Other paths, {percent(rest)}" if rest >= 0.0005 else "",
    }


def _path(traced: core.Traced, path: core.EvidencePath, governing: bool) -> dict[str, Any]:
    stations, nodes = [], []
    for station in _stations(traced, path, governing):
        stations.append(station)
        if station.get("id"):
            nodes.append(station["id"])
    return {"share": path.share, "percent": percent(path.share), "stations": stations, "nodes": nodes}


def _stations(traced: core.Traced, path: core.EvidencePath, governing: bool) -> Iterator[Station]:
    """NorthRiver IV → p. 3 of the letter → Helios Packaging → p. 41 of the 10-K"""
    seeds = {seed.entity_id for seed in traced.seeds}
    if path.origin and path.entities:
        yield _passages(traced, path.origin)
        yield {"kind": "arrow"}
    elif path.origin:
        yield {"kind": "text", "text": "It speaks of its own company:"}
    for place, entity in enumerate(path.entities):
        known = traced.names[entity]
        kind = "seed" if entity in seeds and not place else "entity"
        title = f"{known.kind}, in {words.count(known.passages, 'passage')}"
        yield {"kind": kind, "id": entity, "text": known.name, "title": title}
        if place < len(path.between):
            yield {"kind": "arrow"}
            yield _passages(traced, path.between[place])
            yield {"kind": "arrow"}
    if path.entities:
        yield {"kind": "text", "text": "governs"} if governing else {"kind": "arrow"}
    yield {
        "kind": "here",
        "id": path.passage_id,
        "text": _where(traced, path.passage_id),
        "title": "This hit",
    }


def _passages(traced: core.Traced, between: core.Between) -> Station:
    first = between.passages[0]
    more = between.count - 1
    station = {
        "kind": "passage",
        "id": first,
        "text": _where(traced, first),
        "title": words.clip(traced.places[first].text, 240) if first in traced.places else "",
    }
    return station | ({"more": f"and {words.count(more, 'more', 'more')}"} if more else {})


def _where(traced: core.Traced, passage: str) -> str:
    """ "p. 3 of the letter"; a fact with what it says: "“A owns B”, p. 3 of the letter" """
    place = traced.places.get(passage)
    if place is None:
        return "a passage"
    fact = f"“{words.clip(place.text, 90)}”, " if core.passage_of(passage) != passage else ""
    return f"{fact}p. {place.page} of {place.short(46)}"


def percent(share: float) -> str:
    """ "34 %", "1.2 %", "<0.1 %" """
    if share >= 0.0995:
        return f"{share:.0%}"
    return f"{share:.1%}" if share >= 0.0005 else "<0.1%"
