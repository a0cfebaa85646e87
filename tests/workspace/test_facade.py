"""Documents, questions and what people leave, through the one door."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pymupdf
import pytest

from aethel_core import formats
from aethel_core.errors import (
    EmptyQuery,
    InvalidInput,
    UnknownDocument,
    UnknownPassage,
    UnknownRetriever,
    WorkspaceError,
)
from aethel_core.types import DocumentType, Filters, Metadata, PassageKind, Period, Query, Ranking
from aethel_core.workspace import Comparison, Parameters, Source, Workspace
from tests.standins import HashEmbedder, RegexNames, letter
from tests.workspace.made import FILES, METADATA, QUESTIONS, filled, open_at


def rankings(workspace: Workspace, k: int = 20) -> list[Ranking]:
    return [workspace.search(q, name, k) for q in QUESTIONS for name in workspace.retriever_names()]


def names(workspace: Workspace, filters: Filters) -> list[str]:
    return [document.name for document in workspace.documents(filters)]


def test_every_retriever_finds_something(workspace: Workspace) -> None:
    for name in workspace.retriever_names():
        assert any(workspace.search(question, name, 5).hits for question in QUESTIONS), name


def test_after_deletion_the_rankings_are_those_of_a_workspace_that_never_had_it(tmp_path: Path) -> None:
    with filled(tmp_path / "had") as had, filled(tmp_path / "never", "q1.pdf", "halden.pdf") as never:
        with_it = rankings(had)
        had.delete(had.document("q3.pdf").id)
        assert rankings(had) == rankings(never) != with_it
        assert had.counts() == never.counts()
    with open_at(tmp_path / "had") as again, open_at(tmp_path / "never") as never:
        assert rankings(again) == rankings(never)


def test_a_document_that_is_added_is_found_as_if_it_had_always_been_there(tmp_path: Path) -> None:
    with filled(tmp_path / "grown", "halden.pdf") as grown, filled(tmp_path / "at once") as at_once:
        for name in ("q3.pdf", "q1.pdf"):
            rankings(grown)
            grown.ingest([Source(name, FILES[name])])
        assert rankings(grown) == rankings(at_once)


def test_adding_does_not_rebuild_what_is_there(workspace: Workspace) -> None:
    before = {id(segment) for segment in workspace.index().segments}
    assert workspace.index() is workspace.index()
    workspace.ingest([Source("q4.pdf", letter("Fourth Fund LP", 4))])
    after = {id(segment) for segment in workspace.index().segments}
    assert before < after
    assert len(after - before) == 1


def test_what_another_process_adds_is_found(workspace: Workspace) -> None:
    question = "Fourth Fund LP distributions"
    workspace.search(question, "bm25", 5)
    with open_at(workspace.path) as other:
        other.ingest([Source("q4.pdf", letter("Fourth Fund LP", 4))])
        identity = other.document("q4.pdf").id
    assert workspace.search(question, "bm25", 1).ids[0].startswith(identity)


def test_damaged_and_missing_segments_are_made_anew(workspace: Workspace) -> None:
    expected = rankings(workspace)
    with workspace._store.database.write() as connection:
        connection.execute("UPDATE segments SET data = x'00' WHERE rowid = 1")
        connection.execute("DELETE FROM segments WHERE rowid = 2")
    with open_at(workspace.path) as again:
        assert rankings(again) == expected


def test_search_says_what_cannot_be_asked(workspace: Workspace) -> None:
    with pytest.raises(EmptyQuery):
        workspace.search("  ", "bm25")
    with pytest.raises(UnknownRetriever, match="bm25"):
        workspace.search("bank", "oracle")
    with pytest.raises(InvalidInput):
        workspace.search("bank", "bm25", 0)
    with pytest.raises(EmptyQuery):
        workspace.search("\x00\udcff", "bm25")


def test_what_cannot_be_decoded_separates_words(workspace: Workspace) -> None:
    for name in workspace.retriever_names():
        broken = workspace.search("fund\udcffcovenant\x00bank", name, 5)
        assert broken == workspace.search("fund covenant bank", name, 5), name
    assert workspace.query_view("fund\udcffbank").text == "fund bank"
    assert workspace.remember("fund\udcffbank", ["bm25"], 5).question == "fund bank"


def test_an_empty_workspace_answers_with_nothing(tmp_path: Path) -> None:
    with open_at(tmp_path / "empty") as empty:
        for name in empty.retriever_names():
            assert empty.search("bank", name, 5).hits == ()
        assert empty.documents() == ()
        assert empty.counts().pages == 0


def test_filters_narrow_the_search(workspace: Workspace) -> None:
    only = Filters(companies=("Halden Logistics",))
    halden = workspace.document("halden.pdf").id
    for name in ("bm25", "dense", "rrf"):
        hits = workspace.search("fund covenant bank", name, 10, filters=only).ids
        assert hits
        assert {hit.partition(":")[0] for hit in hits} == {halden}
        assert workspace.search(Query("fund covenant bank", only), name, 10).ids == hits


def test_compare_asks_each_once_and_measures_agreement(workspace: Workspace) -> None:
    found = workspace.compare("Halden Logistics covenant", ["bm25", "tfidf", "bm25"], 3)
    assert isinstance(found, Comparison)
    assert [ranking.retriever for ranking in found.rankings] == ["bm25", "tfidf"]
    shared = set(found.rankings[0].ids) & set(found.rankings[1].ids)
    assert found.agreement == pytest.approx(len(shared) / max(len(r.ids) for r in found.rankings))
    assert found.seconds > 0


def test_explanations_come_with_the_score(workspace: Workspace) -> None:
    for name in workspace.retriever_names():
        ranking = workspace.search(QUESTIONS[0], name, 1)
        if ranking.hits:
            explained = workspace.explain(QUESTIONS[0], name, ranking.hits[0].passage_id)
            assert explained.score == pytest.approx(ranking.hits[0].score)
    with pytest.raises(UnknownPassage):
        workspace.explain(QUESTIONS[0], "bm25", "nowhere:00000")


def test_parameters_are_kept_and_used(workspace: Workspace) -> None:
    before = workspace.search(QUESTIONS[0], "bm25", 5)
    assert workspace.parameters() == Parameters()
    workspace.set_parameters(Parameters(bm25_k1=0.2, fused=("bm25", "tfidf")))
    assert workspace.search(QUESTIONS[0], "bm25", 5) != before
    with open_at(workspace.path) as again:
        assert again.parameters().bm25_k1 == 0.2
        assert tuple(again.parameters().fused) == ("bm25", "tfidf")


def test_documents_are_found_by_id_or_name(workspace: Workspace) -> None:
    document = workspace.document("q1.pdf")
    assert workspace.document(document.id) == document
    with pytest.raises(UnknownDocument):
        workspace.document("q9.pdf")
    workspace.ingest([Source("q1.pdf", letter("Another Fund LP", 2))])
    with pytest.raises(InvalidInput, match=r"2 documents are called 'q1.pdf'.*" + document.id):
        workspace.document("q1.pdf")


def test_documents_by_filter(workspace: Workspace) -> None:
    assert names(workspace, Filters()) == ["q1.pdf", "q3.pdf", "halden.pdf"]
    assert names(workspace, Filters(companies=("Halden Logistics", "NorthRiver IV LP"))) == [
        "q1.pdf",
        "halden.pdf",
    ]
    assert names(workspace, Filters(years=(2022,), types=(DocumentType.LP_LETTER,))) == ["q3.pdf"]
    assert names(workspace, Filters(documents=(workspace.document("q3.pdf").id,))) == ["q3.pdf"]
    assert names(workspace, Filters(kinds=(PassageKind.PROSE,))) == ["q1.pdf", "q3.pdf", "halden.pdf"]
    assert names(workspace, Filters(kinds=(PassageKind.TABLE,))) == []
    section = workspace.passages(workspace.document("halden.pdf").id)[0].section
    assert "halden.pdf" in names(workspace, Filters(sections=(section,)))
    assert names(workspace, Filters(sections=("Nowhere",))) == []


def test_facets_are_what_there_is(workspace: Workspace) -> None:
    facets = workspace.facets()
    assert facets.companies == ("Calder Growth Fund LP", "Halden Logistics", "NorthRiver IV LP")
    assert facets.years == (2023, 2022)
    assert facets.types == (DocumentType.LP_LETTER, DocumentType.OTHER)
    sections = {p.section for d in workspace.documents() for p in workspace.passages(d.id)}
    assert set(facets.sections) == sections - {""}


def test_corrected_metadata_reach_vectors_and_search(workspace: Workspace) -> None:
    document = workspace.document("q1.pdf")
    before = workspace._store.documents.vectors(document.id)
    assert not workspace.search("Zephyrine", "bm25", 5).hits
    changed = workspace.update_document(document.id, replace(METADATA["q1.pdf"], company="Zephyrine"))
    assert changed.edited
    assert workspace.document("q1.pdf") == changed
    assert not np.array_equal(workspace._store.documents.vectors(document.id), before)
    assert workspace.search("Zephyrine", "bm25", 5).ids[0].startswith(document.id)


def test_metadata_that_no_context_shows_cost_no_embedding(workspace: Workspace) -> None:
    document = workspace.document("q1.pdf")
    workspace._embedder.batches.clear()
    workspace.update_document(document.id, replace(METADATA["q1.pdf"], aliases=("NR4",)))
    assert workspace._embedder.batches == []
    assert workspace.document("q1.pdf").metadata.aliases == ("NR4",)


def test_characters_that_turn_the_writing_direction_are_left_out(workspace: Workspace) -> None:
    document = workspace.document("q1.pdf")
    turned = replace(METADATA["q1.pdf"], company="אלפא \u202eLtd", title="a\u2067b", aliases=("\u202dc",))
    changed = workspace.update_document(document.id, turned).metadata
    assert (changed.company, changed.title, changed.aliases) == ("אלפא Ltd", "ab", ("c",))


@pytest.mark.parametrize("period", [Period(3000), Period(12), Period(2022, 5), Period(2022, 0)])
def test_impossible_periods_are_refused(workspace: Workspace, period: Period) -> None:
    with pytest.raises(InvalidInput):
        workspace.update_document(workspace.document("q1.pdf").id, Metadata(period=period))


def test_reindex_gives_the_same_and_keeps_what_people_said(workspace: Workspace) -> None:
    before = rankings(workspace)
    document = workspace.document("halden.pdf")
    passage = workspace.passages(document.id)[0]
    workspace.label("covenant?", passage.id, "me", 1)
    again = workspace.reindex(document.id)
    assert again == document
    assert rankings(workspace) == before
    assert [label.passage_id for label in workspace.labels()] == [passage.id]


def test_reindex_of_a_deleted_document_is_said(workspace: Workspace) -> None:
    with pytest.raises(UnknownDocument):
        workspace.reindex("nowhere")


def test_a_new_version_is_offered_and_settled_either_way(workspace: Workspace) -> None:
    sentence = ("Halden Logistics repaid Meridian Bank.", "Corrected and re-issued: the rise was 2 percent.")
    old = workspace.document("q1.pdf")
    workspace.delete(old.id)
    workspace.ingest([Source("q1.pdf", FILES["q1.pdf"])])
    report = workspace.ingest([Source("q1 new.pdf", letter("NorthRiver IV LP", 1, *sentence))])
    (outcome,) = report.outcomes
    assert (outcome.status, outcome.version_of) == ("new version", old.id)
    assert "newer version of q1.pdf" in outcome.message
    assert workspace.document("q1 new.pdf").version_of == old.id
    assert workspace.keep_versions(outcome.document_id).version_of == ""
    with pytest.raises(InvalidInput, match="not known as a version"):
        workspace.replace_version(outcome.document_id)


def test_a_copy_of_a_stored_text_is_stored_and_told(workspace: Workspace) -> None:
    """The same words in another file, and a copy that lost its last page."""
    whole = FILES["q1.pdf"]
    with pymupdf.open(stream=whole, filetype="pdf") as file:
        file.set_metadata({"title": "NorthRiver IV LP quarterly letter", "producer": "a repair tool"})
        repaired = file.tobytes(no_new_id=True)
        file.delete_page(1)
        damaged = file.tobytes(no_new_id=True)
    report = workspace.ingest([Source("repaired.pdf", repaired), Source("damaged.pdf", damaged)])
    assert [outcome.status for outcome in report.outcomes] == ["copy", "copy"]
    assert "It has the same text as q1.pdf." in report.outcomes[0].message
    assert "which has more: this may be a damaged or shortened copy" in report.outcomes[1].message
    assert report.complete and workspace.document("repaired.pdf").version_of == ""
    assert not any(document.version_of for document in workspace.documents())


def test_an_amendment_that_comes_in_first_is_still_the_newer_one(workspace: Workspace) -> None:
    """A folder is read in alphabetical order: "q1-reissued.pdf" before "q1.pdf"."""
    workspace.delete(workspace.document("q1.pdf").id)
    sentence = ("Halden Logistics repaid Meridian Bank.", "Corrected and re-issued: the rise was 2 percent.")
    workspace.ingest([Source("q1-reissued.pdf", letter("NorthRiver IV LP", 1, *sentence))])
    (outcome,) = workspace.ingest([Source("q1.pdf", FILES["q1.pdf"])]).outcomes
    assert "an earlier version of q1-reissued.pdf" in outcome.message
    first, amended = workspace.document("q1.pdf"), workspace.document("q1-reissued.pdf")
    assert (first.version_of, amended.version_of) == ("", first.id)


def test_the_older_version_can_be_replaced(workspace: Workspace) -> None:
    old, new = workspace.document("q1.pdf"), workspace.document("q3.pdf")
    workspace._store.documents.update(replace(new, version_of=old.id))
    assert workspace.replace_version(new.id).version_of == ""
    with pytest.raises(UnknownDocument):
        workspace.document("q1.pdf")


class Other(HashEmbedder):
    name = "another model"


def test_documents_of_another_model_are_not_mixed_in(workspace: Workspace) -> None:
    assert workspace.outdated() == {}
    with Workspace.open(workspace.path, embedder=Other(), names=RegexNames()) as other:
        with pytest.raises(WorkspaceError, match="indexed with the embedding model hash of words"):
            other.search("bank", "bm25", 5)
        assert set(other.outdated().values()) == {"Indexed with another embedding model, hash of words."}
        for document in other.outdated():
            other.reindex(document)
        assert other.outdated() == {}
        assert other.search("bank", "bm25", 5).hits


def test_documents_that_an_earlier_version_read_are_told_until_they_are_read_again(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "PARSING", formats.PARSING + 1)
    every = {document.id for document in workspace.documents()}
    assert workspace.outdated() == dict.fromkeys(every, "Read by an earlier version of Aethel.")
    one = workspace.document("q1.pdf").id
    workspace.reindex(one)
    assert workspace.outdated().keys() == every - {one}
    workspace.update_document(one, replace(workspace.document(one).metadata, company="Corrected LP"))
    assert one not in workspace.outdated()  # correcting what is said of it does not read it


def test_pages_as_images_and_citations(workspace: Workspace) -> None:
    document = workspace.document("halden.pdf")
    passage = workspace.passages(document.id, 2)[0]
    image = workspace.page_image(document.id, 2, highlights=passage.rects)
    assert image.startswith(b"\x89PNG")
    assert image != workspace.page_image(document.id, 2)
    with pytest.raises(InvalidInput, match="pages 1 to 2"):
        workspace.page_image(document.id, 3)
    with pytest.raises(InvalidInput, match="The zoom is -1; give a number above 0"):
        workspace.page_image(document.id, 2, zoom=-1)
    assert workspace.citation(passage.id).startswith("Halden Logistics FY2022 · p. 2")
    assert workspace.passage(passage.id) == passage


def test_what_people_leave(workspace: Workspace) -> None:
    entry = workspace.remember("bank?", ("bm25",), 5, Filters(years=(2022,)))
    assert workspace.history() == (entry,)
    workspace.clear_history()
    assert workspace.history() == ()
    workspace.set_setting("theme", "dark")
    assert workspace.setting("theme") == "dark"
    assert workspace.setting("other", 3) == 3
    workspace.save_memo("IC", "{}")
    assert [memo.version for memo in workspace.memos()] == [1]
    workspace.delete_memo("IC")
    workspace.edit_entity("name:x", "")
    assert workspace.entity_edits() == {"name:x": ""}


def test_many_readers_while_documents_are_added(workspace: Workspace) -> None:
    batch = [Source(f"{n}.pdf", letter(f"Fund {'ABCDEF'[n]} LP", 2)) for n in range(6)]
    with ThreadPoolExecutor(4) as pool:
        work = pool.submit(workspace.ingest, batch)
        answers = [pool.submit(workspace.search, QUESTIONS[n % 4], "rrf", 5) for n in range(40)]
        assert all(answer.result().hits for answer in answers)
        assert work.result().complete
    assert len(workspace.index().segments) == 9


def test_a_closed_workspace_says_so(tmp_path: Path) -> None:
    workspace = open_at(tmp_path / "w")
    workspace.close()
    with pytest.raises(WorkspaceError, match="was closed"):
        workspace.documents()
    with pytest.raises(WorkspaceError, match="There is no workspace"):
        Workspace.open(tmp_path / "nowhere", create=False)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can become nobody")
def test_a_workspace_that_can_only_be_read_is_searched(tmp_path: Path) -> None:
    made = tmp_path / "deal"
    with Workspace.open(made, embedder=HashEmbedder(), names=RegexNames()) as deal:
        deal.ingest([Source("q1.pdf", letter("North River Fund IV", 1))])
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    for file in made.iterdir():
        file.chmod(0o444)
    made.chmod(0o555)
    os.seteuid(65534)
    try:
        with Workspace.open(made, embedder=HashEmbedder(), names=RegexNames()) as deal:
            assert not deal.writable and deal.pending() == ()
            assert deal.search("unfunded commitments", "bm25", 3).hits
            assert deal.remember("unfunded commitments", ("bm25",), 3) is None and deal.history() == ()
            with pytest.raises(WorkspaceError, match="cannot be written"):
                deal.set_setting("k", 5)
    finally:
        os.seteuid(0)
        made.chmod(0o755)
