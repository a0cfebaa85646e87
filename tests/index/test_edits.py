from __future__ import annotations

from aethel_core.entities.coreference import AliasTable, Join, Rule
from aethel_core.index.edits import EntityEdits
from aethel_core.types import DocumentType, Metadata, Period
from tests.corpora import index, segment

LETTER = segment(
    "letter",
    Metadata("NorthRiver IV LP", Period(2022, 3), DocumentType.LP_LETTER),
    ["NorthRiver IV owns Project Kestrel.", "Project Kestrel borrowed from Calder Bank."],
)
FILING = segment(
    "filing",
    Metadata("Helios Packaging, Inc.", Period(2022), DocumentType.TEN_K),
    ["Helios Packaging borrowed from Calder Bank.", "Helios Packaging sells boxes to Project Kestrel."],
)
KESTREL, HELIOS = "name:project kestrel", "name:helios packaging"


def test_merged_entities_are_one_node_with_the_passages_of_both():
    plain = index(LETTER, FILING)
    edited = plain.edited(EntityEdits(((KESTREL, HELIOS),)))
    graph, before = edited.typed_graph, plain.typed_graph
    assert KESTREL in before.position and KESTREL not in graph.position
    rows = {i for e in (KESTREL, HELIOS) for i in before.by_entity[:, [before.position[e]]].indices}
    column = graph.by_entity[:, [graph.position[HELIOS]]]
    assert set(column.indices) == rows and set(column.data) == {1.0}
    assert graph.bipartite.entities == before.bipartite.entities - 1


def test_the_name_of_a_merged_entity_leads_to_the_one_it_is_part_of():
    graph = index(LETTER, FILING).edited(EntityEdits(((KESTREL, HELIOS),))).typed_graph
    (link,) = graph.linker.link("Who lends to Project Kestrel?").links
    assert graph.entities[graph.name_columns[link.key]].id == HELIOS and link.rule == "joined by hand"


def test_chains_of_merges_end_at_the_last_and_circles_change_nothing():
    bank = "name:calder bank"
    chained = index(LETTER, FILING).edited(EntityEdits(((KESTREL, HELIOS), (HELIOS, bank)))).typed_graph
    assert KESTREL not in chained.position and HELIOS not in chained.position
    circle = EntityEdits(((KESTREL, HELIOS), (HELIOS, KESTREL)))
    assert index(LETTER, FILING).edited(circle).typed_graph.position.keys() >= {KESTREL, HELIOS}


def test_edits_of_what_is_not_there_change_nothing():
    plain = index(LETTER, FILING)
    edits = EntityEdits((("name:nobody", HELIOS), (KESTREL, "name:nobody")))
    assert plain.edited(edits).typed_graph.entities == plain.typed_graph.entities


def test_what_does_not_depend_on_edits_is_shared_and_the_fingerprint_changes():
    plain = index(LETTER, FILING)
    body, graph, fingerprint = plain.body, plain.typed_graph, plain.fingerprint
    edited = plain.edited(EntityEdits(((KESTREL, HELIOS),)))
    assert edited.body is body and edited.typed_graph is not graph
    assert edited.fingerprint != fingerprint == edited.edited(EntityEdits()).fingerprint
    assert edited.edited(EntityEdits()).typed_graph.entities == graph.entities
    assert edited.extended([]).edits == edited.edits


def test_names_kept_apart_are_joined_by_no_rule():
    keys = ["northriver iv", "northriver iv lp", "acme"]
    stated = [Join("acme", "northriver iv", Rule.SHORT_NAME)]
    joined = AliasTable(keys, stated)
    assert {a.key for a in joined.aliases("northriver iv")} == {"northriver iv lp", "acme"}
    assert [a.key for a in joined.overlaps("northriver iv")] == ["northriver iv lp"]
    apart = AliasTable(keys, stated, {("northriver iv", "northriver iv lp")})
    assert [a.key for a in apart.aliases("northriver iv")] == ["acme"]
    assert apart.overlaps("northriver iv") == ()
