"""The graph of names and triples that a model read."""

from __future__ import annotations

import numpy as np
import pytest

from aethel_core.entities.reading import Reading, grounded
from aethel_core.index import Index
from aethel_core.index.edits import EntityEdits
from aethel_core.types import DocumentType, Metadata, Period
from tests.corpora import document_of, index, segment

TEXTS = {
    "letter": ["NorthRiver IV owns Project Kestrel.", "The weather in Oslo was fine."],
    "filing": ["Project Kestrel borrowed from Calder Bank.", "Calder Bank is in Oslo."],
}
OWNS = ("NorthRiver IV", "owns", "Project Kestrel")


def made() -> Index:
    letter = Metadata("NorthRiver IV LP", Period(2022, 3), DocumentType.LP_LETTER)
    filing = Metadata("Helios Packaging, Inc.", Period(2022), DocumentType.TEN_K)
    return index(segment("letter", letter, TEXTS["letter"]), segment("filing", filing, TEXTS["filing"]))


def passage(name: str, number: int) -> str:
    return f"{document_of(name)}:{number:05d}"


def readings(**read: dict[int, tuple[list[str], list[tuple[str, str, str]]]]) -> dict[str, Reading]:
    return {
        passage(name, number): grounded(said, facts, TEXTS[name][number])
        for name, passages in read.items()
        for number, (said, facts) in passages.items()
    }


FIRST = readings(letter={0: (["NorthRiver IV", "Project Kestrel"], [OWNS])})


def joined(found: Index, entity: str) -> set[str]:
    """The rows that an entity is joined to, by id."""
    graph = found.model_graph
    ids = (*found.ids, *(fact.id for fact in graph.facts))
    column = graph.bipartite.incidence[:, [graph.position[entity]]].tocoo()
    return {ids[row] for row in column.coords[0]}


def test_a_name_is_joined_wherever_it_occurs_and_a_triple_joins_two_names() -> None:
    found = made().with_readings(FIRST)
    fact = f"{passage('letter', 0)}#1"
    assert set(found.model_graph.position) == {"name:northriver iv", "name:project kestrel"}
    assert joined(found, "name:northriver iv") == {passage("letter", 0), fact}
    # The filing was not read, but it spells the name.
    assert joined(found, "name:project kestrel") == {passage("letter", 0), passage("filing", 0), fact}
    (only,) = found.model_graph.facts
    assert (only.text, only.relation) == ("NorthRiver IV owns Project Kestrel", "owns")
    assert only.passage_id == passage("letter", 0)
    assert found.covered == 1 and found.model_graph.passages == found.size == 4


def test_frequency_counts_passages_and_no_facts() -> None:
    graph = made().with_readings(FIRST).model_graph
    assert graph.frequency[graph.position["name:northriver iv"]] == 1
    assert graph.frequency[graph.position["name:project kestrel"]] == 2
    assert graph.without_facts.bipartite.passages == 4 and not graph.without_facts.facts


def test_what_a_passage_says_of_two_names_is_one_fact() -> None:
    back = ("Project Kestrel", "belongs to", "NorthRiver IV")
    twice = readings(letter={0: (["NorthRiver IV", "Project Kestrel"], [OWNS, back])})
    (fact,) = made().with_readings(twice).model_graph.facts
    assert fact.relation == "owns; belongs to"
    assert fact.text == "NorthRiver IV owns Project Kestrel; Project Kestrel belongs to NorthRiver IV"


def test_readings_share_everything_else_and_change_the_fingerprint() -> None:
    plain = made()
    graph, fingerprint = plain.typed_graph, plain.fingerprint
    read = plain.with_readings(FIRST)
    assert read.typed_graph is graph and read.fingerprint != fingerprint
    assert read.with_readings(FIRST) is read and plain.with_readings({}).fingerprint == fingerprint
    edits = EntityEdits((("name:project kestrel", "name:northriver iv"),))
    edited = read.edited(edits)
    assert edited.readings is FIRST and set(edited.model_graph.position) == {"name:northriver iv"}
    assert edited.edited(EntityEdits()).model_graph.position.keys() == read.model_graph.position.keys()


def test_documents_come_and_go() -> None:
    read = made().with_readings(FIRST)
    without = read.without([document_of("letter")])
    assert without.covered == 0 and without.model_graph.entities == () and without.model_graph.facts == ()
    back = without.extended([s for s in made().segments if s.document_id == document_of("letter")])
    assert (back.model_graph.bipartite.incidence != read.model_graph.bipartite.incidence).nnz == 0


def test_the_walk_takes_a_triple_as_an_edge_by_hand() -> None:
    """Two names that share no passage: the mass crosses over the fact alone, half of what a name sends
    to its two rows, and half of that goes on."""
    far = readings(
        letter={0: (["NorthRiver IV", "Project Kestrel"], []), 1: (["Oslo"], [])},
        filing={0: (["Project Kestrel", "Calder Bank"], [("Calder Bank", "lends to", "Project Kestrel")])},
    )
    graph = made().with_readings(far).model_graph.bipartite
    position = made().with_readings(far).model_graph.position
    bank, kestrel = position["name:calder bank"], position["name:project kestrel"]
    fact = graph.passages - 1
    assert graph.entity_strength[bank] == 3  # filing 0, filing 1, the fact
    assert graph.to_passages[[fact], :].toarray()[0, bank] == pytest.approx(1 / 3)
    assert graph.to_entities[:, [fact]].toarray()[kestrel, 0] == pytest.approx(1 / 2)
    assert np.asarray(graph.incidence[[fact]].sum()) == 2


def test_a_fact_is_joined_to_all_forms_of_its_names() -> None:
    text = "Halden Logistics, Inc. owns Project Kestrel."
    said = grounded(
        ["Halden Logistics, Inc.", "Project Kestrel"],
        [("Halden Logistics, Inc.", "owns", "Project Kestrel")],
        text,
    )
    found = index(segment("forms", Metadata("Fund"), [text]))
    graph = found.with_readings({passage("forms", 0): said}).model_graph
    assert {"name:halden logistics inc", "name:halden logistics"} < set(graph.position)
    assert graph.bipartite.incidence[[1]].nnz == len(graph.entities) == 3
