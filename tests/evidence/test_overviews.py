from __future__ import annotations

import pytest

from aethel_core.errors import InvalidInput
from aethel_core.evidence import (
    alike,
    as_written,
    communities,
    corpus_map,
    entity_view,
    most_named,
    suggest,
    summary,
)
from aethel_core.evidence.groups import boilerplate
from aethel_core.index import Index
from aethel_core.index.edits import EntityEdits
from aethel_core.text import match_form
from aethel_core.types import DocumentType, Metadata, Period
from tests.corpora import document_of, index, segment

BANK = "name:calder bank"


def test_an_entity_with_its_documents_periods_and_neighbours(deal) -> None:
    view = entity_view(deal, deal.typed_graph, BANK)
    assert view.name == "Calder Bank" and view.kind == "name"
    assert dict(view.documents) == {document_of("filing"): 2, document_of("notice"): 1}
    assert set(view.periods) == {("FY2022", 2), ("", 1)}
    assert list(view.passages) == sorted(view.passages) and len(view.passages) == 3
    shared = {neighbour.name: neighbour.shared for neighbour in view.neighbours}
    assert shared["Helios Packaging"] == 2 and shared["Meridian Credit Fund"] == 1
    assert "FY2022" not in shared and "Calder Bank" not in shared
    chances = [neighbour.chance for neighbour in view.neighbours]
    assert chances == sorted(chances, reverse=True) and sum(chances) < 1
    with pytest.raises(InvalidInput):
        entity_view(deal, deal.typed_graph, "name:nobody")


def test_names_that_denote_the_same_come_with_the_rule_that_joined_them() -> None:
    fund = Metadata("NorthRiver IV LP", Period(2022), DocumentType.OTHER)
    text = "NorthRiver Capital Partners IV, L.P. (“NorthRiver IV”) owns Helios. NorthRiver IV is patient."
    made = index(segment("fund", fund, [text]))
    view = entity_view(made, made.typed_graph, "name:northriver iv")
    rules = {frozenset((pair.one, pair.other)): pair.rule for pair in view.pairs if not pair.near}
    long = "northriver capital partners iv lp"
    assert rules[frozenset((long, "northriver iv"))] in ("short name defined in text", "legal suffix")
    apart = EntityEdits(apart=frozenset(tuple(sorted(pair)) for pair in map(tuple, rules)))
    edited = made.edited(apart)
    split = entity_view(edited, edited.typed_graph, "name:northriver iv")
    assert not [pair for pair in split.pairs if not pair.near]


def test_suggestions_begin_with_what_was_typed(deal) -> None:
    graph = deal.typed_graph
    names = [entity.name for entity in suggest(graph, "cal")]
    assert names[0] == "Calder Bank"
    assert suggest(graph, "bank")[0].name == "Calder Bank"
    assert suggest(graph, "no such thing") == ()
    most = [entity.passages for entity in suggest(graph, "", limit=5)]
    assert most == sorted(most, reverse=True) and len(most) == 5


def test_forms_of_one_name_are_alike() -> None:
    fund = Metadata(title="List")
    made = index(segment("list", fund, ["Acme Works Inc. and Acme Works met Tessel Corp."]))
    graph = made.typed_graph
    assert alike(graph, ["name:tessel"]) == {"name:tessel", "name:tessel corp"}
    assert alike(graph, ["name:nobody"]) == {"name:nobody"}


def test_the_map_shows_what_connects_documents_and_nothing_else(deal) -> None:
    found = corpus_map(deal, deal.typed_graph)
    assert set(found.documents) == {document_of(name) for name in ("letter", "filing", "notice")}
    names = [entity.name for entity in found.entities]
    assert "Calder Bank" in names and "Helios Packaging" in names and "Tessel Works" not in names
    counts = dict(zip(found.documents, found.counts, strict=True))
    assert counts[document_of("filing")][names.index("Calder Bank")] == 2
    assert counts[document_of("letter")][names.index("Calder Bank")] == 0
    for entity, column in zip(found.entities, zip(*found.counts, strict=True), strict=True):
        assert entity.passages == sum(column) and entity.documents == sum(c > 0 for c in column) >= 2
    pairs = {frozenset((link.one, link.other)) for link in found.links}
    assert frozenset((document_of("filing"), document_of("notice"))) in pairs
    weights = [link.weight for link in found.links]
    assert weights == sorted(weights, reverse=True)


def two_circles() -> Index:
    """Two groups of names that never meet."""
    one = [
        "Acme Works Inc. and Birch Metals Inc. supply Cedar Lines Inc. with steel for ships.",
        "Birch Metals Inc. lends to Cedar Lines Inc. and to Acme Works Inc. every year.",
        "Cedar Lines Inc. ships for Acme Works Inc. and Birch Metals Inc. from Rotterdam.",
    ]
    other = [
        "Dorset Bank Inc. and Elm Trust Inc. insure Fennel Foods Inc. against storms at sea.",
        "Elm Trust Inc. holds shares of Fennel Foods Inc. and of Dorset Bank Inc. since 2019.",
    ]
    plain = Metadata(title="Report")
    return index(segment("one", plain, one), segment("other", plain, other))


def test_communities_are_the_circles_of_names_that_meet() -> None:
    made = two_circles()
    found = communities(made, made.typed_graph)
    groups = [{member.name for member in community.members} for community in found]
    circles = (
        {"Acme Works Inc.", "Birch Metals Inc.", "Cedar Lines Inc."},
        {"Dorset Bank Inc.", "Elm Trust Inc."},
    )
    assert len(groups) == 2 and circles[0] <= groups[0] and circles[1] <= groups[1]
    assert found[0].passages == 3 and dict(found[0].documents) == {document_of("one"): 3}
    assert communities(made, made.typed_graph) == found


def test_a_summary_is_made_of_sentences_of_the_documents() -> None:
    made = two_circles()
    first = communities(made, made.typed_graph)[0]
    sentence = "Acme Works Inc. and Birch Metals Inc. supply Cedar Lines Inc. with steel."
    texts = dict.fromkeys(first.best, sentence)
    said = summary(first, texts)
    assert said and all(one.passage_id in first.best for one in said)
    assert all(one.text in texts[one.passage_id] for one in said)
    assert summary(first, {}) == ()
    assert summary(first, {"x": "short."}) == ()
    assert summary(first, {"x": f"10.2 {sentence}"}) == ()  # a line of a list of exhibits


def test_an_empty_corpus_has_no_map_and_no_communities() -> None:
    empty = Index.empty()
    assert communities(empty, empty.typed_graph) == ()
    found = corpus_map(empty, empty.typed_graph)
    assert found.documents == () and found.entities == () and found.links == ()
    assert suggest(empty.typed_graph, "x") == ()


def test_other_names_are_shown_as_they_are_written() -> None:
    fund = Metadata("NorthRiver IV LP", Period(2022), DocumentType.OTHER, "", "NRV", ("NorthRiver Four",))
    text = "NorthRiver Capital Partners IV, L.P. (“NorthRiver IV”) owns Helios. NorthRiver IV is patient."
    made = index(segment("fund", fund, [text]))
    graph = made.typed_graph
    keys = {"northriver capital partners iv lp", "northriver iv", "northriver four", "nrv", "no such name"}
    assert as_written(made, graph, keys) == {
        "northriver capital partners iv lp": "NorthRiver Capital Partners IV, L.P.",
        "northriver iv": "NorthRiver IV",
        "northriver four": "NorthRiver Four",
        "nrv": "NRV",
        "no such name": "no such name",
    }
    view = entity_view(made, graph, "name:northriver iv")
    names = {name for pair in view.pairs for name in (pair.one_name, pair.other_name)}
    assert "NorthRiver Capital Partners IV, L.P." in names and not any(name.islower() for name in names)


@pytest.mark.parametrize(
    ("name", "nothing"),
    [
        ("Item 9A. Controls and Procedures", True),
        ("Note 12 – Postretirement Benefit Plans", True),
        ("Item 4 Mine Safety Disclosures", True),
        ("Level 2 Inputs", True),
        ("Appendix B of Corning Proxy Statement", True),
        ("Table of Contents NETFLIX", True),
        ("Form of RSU Grant Notice", True),
        ("Fair Value Measurements", True),
        ("Annual Meeting of Shareholders", True),
        ("Active Markets for Identical Assets", True),
        ("Estimated Useful Lives", True),
        ("Fourth Quarter Currency", True),
        ("Corning", False),
        ("American Water Works Company, Inc.", False),
        ("Note Printing Australia", False),
        ("Level Home", False),
        ("Meridian Credit Fund", False),
        ("Organic Valley", False),
        ("F-35", False),
    ],
)
def test_headings_and_boilerplate_tell_nothing(name: str, nothing: bool) -> None:
    assert boilerplate(match_form(name).strip()) is nothing


def test_phrases_that_are_mostly_written_small_are_in_no_overview() -> None:
    """Read as a name once in six passages; and a common word that is a name in one of six."""
    texts = [
        "Acme Works Inc. sells Blue Ocean Freight to Birch Metals Inc. and Space to Cedar Lines Inc.",
        *(f"Acme Works Inc. and Birch Metals Inc. use blue ocean freight and space, {n}." for n in range(5)),
    ]
    made = index(segment("one", Metadata(title="Report"), texts), segment("two", Metadata(title="X"), texts))
    named = {entity.name for entity in made.typed_graph.entities}
    assert "Blue Ocean Freight" in named
    shown = {entity.name for entity in corpus_map(made, made.typed_graph).entities}
    assert {"Acme Works Inc.", "Birch Metals Inc."} <= shown
    most = most_named(made, made.typed_graph, limit=3)
    assert {(entity.name, entity.passages) for entity in most[:2]} == {
        ("Acme Works Inc.", 12),
        ("Birch Metals Inc.", 12),
    }
    assert "Blue Ocean Freight" not in {entity.name for entity in most_named(made, made.typed_graph)}
    assert "Blue Ocean Freight" not in shown and "Space" not in shown
    merged = made.edited(EntityEdits((("name:cedar lines inc", "name:acme works inc"),)))
    assert "Acme Works Inc." in {e.name for e in corpus_map(merged, merged.typed_graph).entities}
