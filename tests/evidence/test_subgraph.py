from __future__ import annotations

import pytest

from aethel_core.errors import InvalidInput
from aethel_core.evidence import Role, noisy, subgraph, trace
from aethel_core.retrievers.hybrid import Hybrid
from aethel_core.retrievers.pagerank import PprNer
from aethel_core.types import DocumentType, Metadata, Period, Query
from tests.corpora import index, segment

LENDER = Query("Which lender does NorthRiver IV depend on?")


def drawn(retriever, query: Query, k: int = 10, **options):
    traced = trace(retriever, query)
    hits = traced.evidence(retriever.search(query, k).ids)
    return traced, hits, subgraph(traced, hits, **options)


@pytest.fixture(params=["ppr-ner", "hybrid"])
def retriever(request, deal, vectors):
    return PprNer(deal) if request.param == "ppr-ner" else Hybrid(deal, vectors)


def test_no_edge_points_to_a_node_that_is_not_there(retriever) -> None:
    for nodes in (6, 8, 12, 150):
        _, _, graph = drawn(retriever, LENDER, nodes=nodes)
        ids = [node.id for node in graph.nodes]
        assert len(ids) == len(set(ids)) <= nodes
        assert all(edge.source in ids and edge.target in ids for edge in graph.edges)
        assert all(set(route.nodes) <= set(ids) for route in graph.routes)


def test_what_there_is_no_room_for_is_counted(deal) -> None:
    *_, small = drawn(PprNer(deal), LENDER, k=5, nodes=6)
    *_, whole = drawn(PprNer(deal), LENDER, k=5)
    assert whole.left_out == 0 and small.left_out > 0
    assert len(small.routes) < len(whole.routes)
    with pytest.raises(InvalidInput):
        drawn(PprNer(deal), LENDER, nodes=3)


def test_the_layout_is_the_same_every_time_and_nothing_lies_on_top_of_another(retriever) -> None:
    *_, one = drawn(retriever, LENDER)
    *_, two = drawn(retriever, LENDER)
    assert one == two
    places = [(node.x, node.y) for node in one.nodes]
    assert len(set(places)) == len(places)


def test_seeds_stand_left_and_hits_right_in_the_order_of_rank(deal) -> None:
    *_, graph = drawn(PprNer(deal), LENDER)
    x = {role: {node.x for node in graph.nodes if node.role is role} for role in Role}
    assert x[Role.SEED] == {0.0}
    assert len(x[Role.HIT]) == 1 and max(x[Role.HIT]) == max(node.x for node in graph.nodes)
    hits = sorted((n for n in graph.nodes if n.role is Role.HIT), key=lambda n: n.rank)
    assert [n.rank for n in hits] == list(range(1, len(hits) + 1))
    assert [n.y for n in hits] == sorted(n.y for n in hits)


def test_masses_and_flows_are_those_of_the_walk(deal) -> None:
    traced, _, graph = drawn(PprNer(deal), LENDER)
    ((scale, walk),) = traced.walks
    nodes = {node.id: node for node in graph.nodes}
    for edge in graph.edges:
        if edge.target in deal.row:
            columns, flows = walk.into_passage(deal.row[edge.target])
            column = traced.graph.position[edge.source]
            assert edge.flow == pytest.approx(scale * float(flows[columns == column][0]))
    for hit in (node for node in graph.nodes if node.role is Role.HIT):
        assert hit.mass == pytest.approx(scale * walk.mass[0][deal.row[hit.id]])
        into = sum(edge.flow for edge in graph.edges if edge.target == hit.id)
        assert into <= nodes[hit.id].mass * (1 + 1e-12)


def test_without_seeds_there_are_hits_but_no_edges(deal, vectors) -> None:
    *_, graph = drawn(Hybrid(deal, vectors), Query("the weather"))
    assert graph.nodes and not graph.edges


def crowded() -> PprNer:
    """One name in every passage, another in a few."""
    texts = [f"United Holdings Inc. filed item {number}." for number in range(40)]
    texts += [f"United Holdings Inc. and Tessel Works Inc. signed {number}." for number in range(4)]
    fund = Metadata("Aspen Fund", Period(2022), DocumentType.OTHER)
    return PprNer(index(segment("crowd", fund, texts)))


def test_an_entity_that_is_everywhere_is_named_as_noise() -> None:
    retriever = crowded()
    traced = trace(retriever, Query("Tessel Works Inc."))
    first = noisy(traced)[0]
    assert first.name.startswith("United Holdings") and first.passages == 44 and first.everywhere == 1.0
    assert not first.seed and 0 < first.flow < 1
    muted = Query("Tessel Works Inc.", muted=frozenset({first.entity_id}))
    assert first.entity_id not in {found.entity_id for found in noisy(trace(retriever, muted))}


def test_there_is_no_noise_without_a_walk(deal) -> None:
    assert noisy(trace(PprNer(deal), Query("nothing known"))) == ()
