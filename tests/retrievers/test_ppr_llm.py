from __future__ import annotations

import networkx
import pytest

from aethel_core.entities.reading import Reading, grounded
from aethel_core.evidence import subgraph, trace
from aethel_core.index import Index
from aethel_core.retrievers.ppr_llm import NOT_READ, PprLlm
from aethel_core.types import DocumentType, Metadata, Period, Query
from tests.corpora import document_of, index, segment

TEXTS = [
    "NorthRiver IV holds Kestrel Holdings.",
    "Kestrel Holdings is the parent of Helios Packaging.",
    "Helios Packaging draws on a line with Calder Bank.",
    "Nothing happened.",
]
READ = [
    (["NorthRiver IV", "Kestrel Holdings"], [("NorthRiver IV", "holds", "Kestrel Holdings")]),
    (["Kestrel Holdings", "Helios Packaging"], [("Kestrel Holdings", "is parent of", "Helios Packaging")]),
    (["Helios Packaging", "Calder Bank"], []),
    ([], []),
]
DOCUMENT = document_of("chain")


def chain(read: int = 4) -> Index:
    fund = Metadata("NorthRiver IV", Period(2022), DocumentType.LP_LETTER)
    readings = {
        f"{DOCUMENT}:{n:05d}": grounded(names, facts, TEXTS[n])
        for n, (names, facts) in enumerate(READ[:read])
    }
    return index(segment("chain", fund, TEXTS)).with_readings(readings)


def test_mass_follows_names_and_triples_as_networkx_has_it() -> None:
    found = chain()
    model = found.model_graph
    nodes = networkx.Graph()
    rows = model.bipartite.incidence.tocoo()
    nodes.add_edges_from((f"row {row}", f"entity {column}") for row, column in zip(*rows.coords, strict=True))
    seed = f"entity {model.position['name:northriver iv']}"
    expected = networkx.pagerank(nodes, alpha=0.85, personalization={seed: 1.0}, max_iter=2000, tol=1e-14)
    ranking = PprLlm(found, iterations=400).search(Query("NorthRiver IV"), 10)
    assert ranking.ids == tuple(f"{DOCUMENT}:{n:05d}" for n in range(3))
    for hit in ranking.hits:
        assert hit.score == pytest.approx(expected[f"row {found.row[hit.passage_id]}"], abs=1e-6)


def test_a_triple_brings_more_mass_over() -> None:
    plain = chain()
    without = plain.with_readings({p: Reading(r.entities) for p, r in plain.readings.items()})
    last = f"{DOCUMENT}:00002"
    scores = [
        {hit.passage_id: hit.score for hit in PprLlm(made).search(Query("NorthRiver IV"), 10).hits}
        for made in (plain, without)
    ]
    assert scores[0][last] / scores[0][f"{DOCUMENT}:00000"] > scores[1][last] / scores[1][f"{DOCUMENT}:00000"]


def test_it_says_what_it_covers_only_while_that_is_a_part() -> None:
    part = PprLlm(chain(2)).search(Query("NorthRiver IV"), 5)
    assert part.note.startswith("It covers 2 of 4 passages. The walk ended")
    assert PprLlm(chain()).search(Query("NorthRiver IV"), 5).note.startswith("The walk ended")
    nothing = PprLlm(chain(0)).search(Query("NorthRiver IV"), 5)
    assert (nothing.hits, nothing.note) == ((), NOT_READ)


def test_paths_go_over_facts_and_account_for_all_mass() -> None:
    found = PprLlm(chain())
    traced = trace(found, Query("NorthRiver IV"))
    hits = traced.evidence([f"{DOCUMENT}:00001", f"{DOCUMENT}:00002"])
    facts = {fact.id for fact in found.graph.facts}
    for hit in hits:
        (part,) = hit.parts
        assert sum(path.share for path in part.paths) + part.other == pytest.approx(1)
    between = {p for hit in hits for path in hit.parts[0].paths for b in path.between for p in b.passages}
    assert between & facts
    drawn = subgraph(traced, hits, paths_per_hit=4)
    ids = {node.id for node in drawn.nodes}
    assert all(edge.source in ids and edge.target in ids and edge.flow > 0 for edge in drawn.edges)


def test_a_muted_name_carries_nothing_not_even_over_its_facts() -> None:
    query = Query("NorthRiver IV", muted=frozenset({"name:kestrel holdings", "name:kestrel"}))
    assert PprLlm(chain()).search(query, 10).ids == (f"{DOCUMENT}:00000",)
