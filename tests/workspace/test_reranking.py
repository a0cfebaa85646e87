"""The façade's side of reranking: the view of a question, the stages, long answers and summaries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from aethel_core.errors import EmptyQuery, InvalidInput, ModelUnavailable
from aethel_core.long_context import PartAnswer
from aethel_core.workspace import Choice, Kind, Plan, Source, Switches, Workspace
from tests.rerank_server import rerank_server
from tests.standins import HashEmbedder, RegexNames, letter, pdf

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


def test_a_long_document_is_summed_up_once_and_found_by_that(workspace: Workspace) -> None:
    dull = "The weather was fine and nobody in the room said anything that was worth noting about it. " * 30
    told = "Gross margin of the fund's holdings increased to 41.5% in 2022 from 38.2% on lower freight costs."
    workspace.ingest([Source("long.pdf", pdf(told, *[f"Page {n}. {dull}" for n in range(18)]))])
    document = workspace.document("long.pdf")
    summary = workspace.summary(document.id)
    assert [sentence.text for sentence in summary.sentences] == [told]
    assert summary.tokens > 10_000 and summary.sentences[0].page == 1
    way = Switches().turned("summaries", True)
    asked = workspace.prepare("gross margin on freight", way)
    (chip,) = asked.view.of("summaries")
    assert chip.on and asked.query.summaries
    assert workspace.search(asked.query, "hybrid", 1).ids[0].startswith(document.id)
    off = workspace.prepare("gross margin on freight", way.chosen(asked.view, set()))
    assert not off.query.summaries


def test_the_stages_chosen_for_the_workspace_are_used(workspace: Workspace) -> None:
    with rerank_server() as server:
        workspace.settings = replace(workspace.settings, rerank_url=server.url, rerank_model="rank-1")
        assert workspace.stages(ASK)[-1].name == "reranker rank-1"  # the settings alone
        workspace.set_cascade_plan(Plan(first=Choice(Kind.ENDPOINT), keep_first=3, keep_second=2))
        _, first, second = workspace.stages(ASK)
        assert (first.name, first.kept, second.name, second.kept) == (
            "reranker rank-1",
            3,
            "learned ranker",
            2,
        )
        assert workspace.lab._settings()["cascade"]["first"]["kind"] == "endpoint"  # results are named by it
        workspace.set_cascade_plan(Plan())
        assert workspace.stages(ASK)[-1].name == "learned ranker"
        workspace.set_cascade_plan(None)
        assert workspace.cascade_plan() == Plan.of(workspace.settings)
        workspace.set_setting("cascade", {"first": "nonsense"})
        with pytest.raises(InvalidInput, match="Choose them anew"):
            workspace.cascade_plan()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_a_cross_encoder_chosen_for_the_workspace_ranks(workspace: Workspace, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    from tests.tiny_cross_encoder import made

    workspace.set_cascade_plan(Plan(second=Choice(Kind.CROSS_ENCODER, made(tmp_path / "tiny"))))
    report = workspace.stages(ASK)[-1]
    assert (report.name, report.scored, report.note) == ("cross-encoder tiny", report.given, "")
    workspace.set_cascade_plan(Plan(second=Choice(Kind.CROSS_ENCODER, str(tmp_path / "nowhere"))))
    ranking = workspace.search(ASK, "cascade", 3)
    assert ranking.hits and "cannot be loaded" in ranking.note


def test_the_limit_of_a_prompt(workspace: Workspace, tmp_path: Path) -> None:
    assert workspace.evidence_limit() == 64_000
    workspace.set_evidence_limit(500)
    assert workspace.evidence_limit() == 500
    with pytest.raises(InvalidInput):
        workspace.set_evidence_limit(0)
    workspace.set_evidence_limit(None)
    assert workspace.evidence_limit() == 64_000
    (tmp_path / "tokenizer.json").write_text('{"no": "tokenizer"}')
    workspace.settings = replace(workspace.settings, llm_tokenizer=str(tmp_path / "tokenizer.json"))
    with pytest.raises(ModelUnavailable, match="is no tokenizer"):
        workspace.token_counter()
