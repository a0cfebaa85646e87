"""The evidence part of the façade: what people correct shapes every walk of the workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from aethel_core.errors import InvalidInput
from aethel_core.types import DocumentType, Metadata, Period, Query
from aethel_core.workspace import JOINED_BY_HAND, Workspace
from tests.workspace.made import filled, open_at

QUESTION = "Which bank lends to Halden Logistics?"
WALKERS = ("ppr-ner", "ppr-regex", "bct", "hybrid")


def id_of(workspace: Workspace, name: str) -> str:
    return next(entity.id for entity in workspace.evidence.suggest(name) if entity.name == name)


def test_the_retrievers_that_walk_a_graph(workspace: Workspace) -> None:
    assert set(workspace.evidence.retriever_names()) == set(WALKERS)


@pytest.mark.parametrize("retriever", WALKERS)
def test_a_trace_holds_all_that_is_spoken_of(workspace: Workspace, retriever: str) -> None:
    traced = workspace.evidence.trace(QUESTION, retriever, 5)
    assert traced.ranking == workspace.search(QUESTION, retriever, 5)
    assert [hit.passage_id for hit in traced.hits] == list(traced.ranking.ids)
    assert traced.seeds and traced.figure.marks
    for hit in traced.hits:
        assert traced.places[hit.passage_id].citation == workspace.citation(hit.passage_id)
        for part in hit.parts:
            for path in part.paths:
                assert set(path.entities) <= traced.names.keys()
                assert {p for between in path.between for p in between.passages} <= traced.places.keys()
    assert {mark.id for mark in traced.figure.marks} <= traced.names.keys() | traced.places.keys()


@pytest.mark.parametrize("retriever", WALKERS)
def test_a_mute_counts_for_every_walk_until_it_is_undone(workspace: Workspace, retriever: str) -> None:
    before = workspace.search(QUESTION, retriever, 10)
    halden = id_of(workspace, "Halden Logistics")
    workspace.evidence.mute(halden)
    assert halden in {entity.id for entity in workspace.evidence.corrections().muted}
    after = workspace.search(QUESTION, retriever, 10)
    assert after.hits != before.hits
    assert halden not in {seed.entity_id for seed in workspace.evidence.trace(QUESTION, retriever, 5).seeds}
    if retriever != "hybrid":  # there a company's own node stands for its name
        added = Query(QUESTION, added=frozenset({halden}))
        assert halden in {seed.entity_id for seed in workspace.evidence.trace(added, retriever, 5).seeds}
    workspace.evidence.undo(halden)
    assert workspace.search(QUESTION, retriever, 10).hits == before.hits
    assert not workspace.evidence.corrections().muted


def test_all_forms_of_a_name_are_muted_together(workspace: Workspace) -> None:
    fund = id_of(workspace, "NorthRiver IV LP")
    workspace.evidence.mute(fund)
    muted = {entity for entity, target in workspace.entity_edits().items() if not target}
    assert muted == workspace.evidence.alike([fund]) and len(muted) > 1
    workspace.evidence.undo(fund)
    assert not workspace.entity_edits()


def test_a_mute_is_still_there_after_opening_again(tmp_path: Path) -> None:
    with filled(tmp_path / "space", "halden.pdf") as first:
        bank = id_of(first, "Meridian Bank")
        first.evidence.mute(bank)
    with open_at(tmp_path / "space") as second:
        assert [entity.name for entity in second.evidence.corrections().muted] == ["Meridian Bank"]
        assert second.search(QUESTION, "ppr-ner", 5).hits


def test_entities_joined_by_hand_are_one_until_that_is_undone(workspace: Workspace) -> None:
    one, other = id_of(workspace, "Tessel Works"), id_of(workspace, "Meridian Bank")
    before = {entity: set(workspace.evidence.entity(entity).passages) for entity in (one, other)}
    untouched = workspace.search("Calder Growth Fund", "bm25", 5)
    workspace.evidence.merge(one, other)
    view = workspace.evidence.entity(other)
    assert set(view.passages) == before[one] | before[other]
    assert (JOINED_BY_HAND, "tessel works") in {(pair.rule, pair.other) for pair in view.pairs}
    with pytest.raises(InvalidInput):
        workspace.evidence.entity(one)
    traced = workspace.evidence.trace("Who sold Tessel Works?", "ppr-ner", 5)
    assert {seed.entity_id for seed in traced.seeds} >= {other}
    assert workspace.search("Calder Growth Fund", "bm25", 5).hits == untouched.hits
    ((a, b),) = workspace.evidence.corrections().merged
    assert (a.id, b.id) == (one, other)
    workspace.evidence.undo(one)
    assert set(workspace.evidence.entity(one).passages) == before[one]


def test_what_cannot_be_joined_is_refused(workspace: Workspace) -> None:
    bank = id_of(workspace, "Meridian Bank")
    company = next(e.id for e in workspace.evidence.suggest("Halden") if e.kind == "company")
    for pair in ((bank, bank), (bank, company), (bank, "name:nobody"), ("name:nobody", bank)):
        with pytest.raises(InvalidInput):
            workspace.evidence.merge(*pair)
    with pytest.raises(InvalidInput):
        workspace.evidence.mute("name:nobody")


def test_names_kept_apart_are_joined_no_more(workspace: Workspace) -> None:
    fund = "name:northriver iv lp"
    pair = ("northriver iv", "northriver iv lp")
    assert any({p.one, p.other} == set(pair) for p in workspace.evidence.entity(fund).pairs)
    workspace.evidence.keep_apart(*pair)
    assert not any({p.one, p.other} == set(pair) for p in workspace.evidence.entity(fund).pairs)
    assert workspace.evidence.corrections().apart == (pair,)
    workspace.evidence.keep_apart(*pair, apart=False)
    assert any({p.one, p.other} == set(pair) for p in workspace.evidence.entity(fund).pairs)


def test_the_fingerprint_moves_with_every_correction(workspace: Workspace) -> None:
    seen = [workspace.evidence.fingerprint()]
    bank = id_of(workspace, "Meridian Bank")
    for act in (
        lambda: workspace.evidence.mute(bank),
        lambda: workspace.evidence.keep_apart("a", "b"),
        lambda: workspace.evidence.undo(bank),
    ):
        act()
        assert workspace.evidence.fingerprint() not in seen
        seen.append(workspace.evidence.fingerprint())


def test_the_index_is_made_anew_only_for_a_correction(workspace: Workspace) -> None:
    first = workspace.index()
    workspace.evidence.mute(id_of(workspace, "Meridian Bank"))  # belongs to questions, not to the graph
    assert workspace.index() is first
    workspace.evidence.keep_apart("northriver iv", "northriver iv lp")
    second = workspace.index()
    assert second is not first and workspace.index() is second and second.segments == first.segments


def test_overviews_speak_of_documents_that_are_there(workspace: Workspace) -> None:
    found = workspace.evidence.corpus_map()
    ids = {entry.id for entry in workspace.documents()}
    assert set(found.documents) == ids
    names = {entity.name for entity in found.entities}
    assert "Halden Logistics" in names
    for described in workspace.evidence.communities():
        assert {d for d, _ in described.community.documents} <= ids
        for sentence in described.summary:
            assert sentence.text.split()[0] in workspace.passage(sentence.passage_id).text
    workspace.delete(workspace.document("halden.pdf").id)
    assert set(workspace.evidence.corpus_map().documents) == {e.id for e in workspace.documents()}


def test_reasons_for_a_difference(workspace: Workspace) -> None:
    found = workspace.evidence.difference(QUESTION, "ppr-ner", "bm25", 3)
    assert all(missed.reason for missed in (*found.only_first, *found.only_second))
    with pytest.raises(InvalidInput):
        workspace.evidence.difference(QUESTION, "bm25", "bm25", 3)
    with pytest.raises(InvalidInput):
        workspace.evidence.trace(QUESTION, "bm25", 3)


def test_an_empty_workspace_has_no_evidence(tmp_path: Path) -> None:
    with open_at(tmp_path / "empty") as empty:
        assert empty.evidence.trace(QUESTION, "ppr-ner", 5).hits == ()
        assert empty.evidence.trace(QUESTION, "hybrid", 5).hits == ()
        assert empty.evidence.communities() == () and empty.evidence.corpus_map().documents == ()
        assert empty.evidence.suggest("a") == ()


def test_a_company_is_split_where_two_registrants_share_a_name(workspace: Workspace) -> None:
    for document, company in zip(
        workspace.documents(), ("Apex Works, Inc.", "Apex Bank Corp."), strict=False
    ):
        metadata = Metadata(company, Period(2022), DocumentType.OTHER, "", "", ("Apex",))
        workspace.update_document(document.id, metadata)
    (one,) = {workspace.evidence.company(key) for key in ("apex works inc", "apex bank corp")}
    (pair,) = workspace.evidence.entity(one).pairs
    assert (pair.one_name, pair.other_name) == ("Apex Bank Corp.", "Apex Works, Inc.")
    workspace.evidence.keep_apart(pair.one, pair.other)
    bank, works = (workspace.evidence.company(key) for key in (pair.one, pair.other))
    assert bank != works and not workspace.evidence.entity(bank).pairs
    passages = [set(workspace.evidence.entity(company).passages) for company in (bank, works)]
    assert passages[0] and passages[1] and passages[0].isdisjoint(passages[1])
    workspace.evidence.keep_apart(pair.one, pair.other, apart=False)
    assert workspace.evidence.company(pair.one) == one
