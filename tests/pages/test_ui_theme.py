"""Retrievers are told apart by colour, and without colour."""

from __future__ import annotations

from itertools import combinations

from aethel_core import workspace as core
from pages._ui import charts, theme


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_every_retriever_has_a_look_of_its_own(deal: core.Workspace) -> None:
    assert set(deal.retriever_names()) <= set(theme.LOOKS)
    for one, other in combinations(theme.LOOKS.values(), 2):
        for trait in ("label", "code", "marker", "symbol", "colour"):
            assert getattr(one, trait) != getattr(other, trait), (one.name, other.name, trait)


def test_bars_stand_out_from_the_dark_ground() -> None:
    for look in theme.LOOKS.values():
        assert _contrast(look.colour_dark, "#15181C") >= 3, look.name


def test_a_retriever_added_later_still_has_a_look() -> None:
    assert theme.look("colbert").label == "colbert"
    assert theme.in_order(("colbert", "dense", "bm25")) == ("bm25", "dense", "colbert")


def test_movement_chart_draws_a_line_per_shared_neighbour(deal: core.Workspace) -> None:
    found = deal.compare("unfunded commitments", ("bm25", "dense"), 5)
    shared = set(found.rankings[0].ids) & set(found.rankings[1].ids)
    figure = charts.movement(found.rankings, 5, deal.citation)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    marks = [trace for trace in figure.data if trace.mode == "markers"]
    assert len(lines) == len(shared) > 0
    assert [trace.name for trace in marks] == ["BM25", "Dense"]
    assert [list(trace.y) for trace in marks] == [list(range(1, len(r.hits) + 1)) for r in found.rankings]
    assert not any("<b>" in annotation.text for annotation in figure.layout.annotations)
