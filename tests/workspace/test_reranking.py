"""The façade's side of reranking: the view of a question, the stages, long answers and summaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from aethel_core.errors import EmptyQuery, ModelUnavailable
from aethel_core.long_context import PartAnswer
from aethel_core.workspace import Source, Workspace
from tests.standins import HashEmbedder, RegexNames, letter

ASK = "What are the unfunded commitments of North River Fund IV in Q2 2023?"


@pytest.fixture
def workspace(tmp_path: Path):
    with Workspace.open(tmp_path / "w", embedder=HashEmbedder(), names=RegexNames()) as opened:
        opened.ingest([Source(f"q{n}.pdf", letter("North River Fund IV", n)) for n in (1, 2)])
        yield opened


def test_the_cascade_is_a_retriever_like_any_other(workspace: Workspace) -> None:
    assert "cascade" in workspace.retriever_names()
    ranking = workspace.search(ASK, "cascade", 2)
    assert ranking.retriever == "cascade"
    assert len(ranking.hits) == 2
    account = workspace.explain(ASK, "cascade", ranking.hits[0].passage_id)
    assert account.score == pytest.approx(ranking.hits[0].score)


def test_every_stage_is_told(workspace: Workspace) -> None:
    assert [stage.name for stage in workspace.stages(ASK)] == [
        "pool",
        "fast learned ranker",
        "learned ranker",
    ]


def test_a_view_is_a_query(workspace: Workspace) -> None:
    view = workspace.query_view(ASK)
    period = next(chip for chip in view.chips if chip.kind.value == "period")
    assert workspace.search(view.switched({period.id}).query(), "hybrid", 3).hits
    with pytest.raises(EmptyQuery):
        workspace.query_view(" ")


def test_a_long_answer_reads_what_the_cascade_found(workspace: Workspace) -> None:
    read: list[int] = []

    def reader(question, passages):
        read.append(len(passages))
        return PartAnswer("ten days", 0.9, (passages[0].id,))

    assert workspace.read_long(ASK, read=reader).text == "ten days"
    assert len(read) == 1
    split = workspace.read_long(ASK, read=reader, limit=60)
    assert split.was_split
    with pytest.raises(ModelUnavailable, match="No language model"):
        workspace.read_long(ASK)


def test_a_short_document_has_no_summary(workspace: Workspace) -> None:
    assert workspace.summary(workspace.documents()[0].id).sentences == ()
