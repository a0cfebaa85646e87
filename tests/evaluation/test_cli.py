import argparse
import contextlib
import json

import pytest

from aethel_core.config import Settings
from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation import cli
from aethel_core.evaluation.base import Paragraph
from aethel_core.evaluation.pools import SearcherOf, paragraph_id, paragraph_index
from aethel_core.index import Index
from tests.evaluation.fakes import FakeCorpus, FakeSearcher, document, passage
from tests.evaluation.test_pools import Capitals, Hashing, searcher_of


class FakeWorkspace(FakeCorpus):
    settings = Settings()

    def index(self):
        return Index.empty()

    def search(self, question, retriever="hybrid", k=10):
        rankings = {("bm25", "NAV?"): ["aa:00001"], ("dense", "NAV?"): ["aa:00000", "aa:00001"]}
        return FakeSearcher(rankings)(question, retriever, k)


WORKSPACE = {"names": {"aa": "LP.pdf"}, "texts": {"aa": [(1, "First."), (2, "Net asset value.")]}}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "q.jsonl").write_text(
        json.dumps({"id": "q1", "question": "NAV?", "gold": [{"document": "LP.pdf", "page": 2}]})
    )
    paragraphs = [{"title": "A", "text": "Alpha one.", "supporting": True}]
    paragraphs += [{"title": "B", "text": "Beta two.", "supporting": False}]
    lines = [{"id": i, "question": "What is alpha?", "paragraphs": paragraphs} for i in range(4)]
    lines.append({"id": 9, "question": "?", "paragraphs": paragraphs[1:]})
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return tmp_path


def evaluate(*arguments):
    parser = argparse.ArgumentParser()
    cli.register(parser.add_subparsers(), lambda path: contextlib.nullcontext(FakeWorkspace(**WORKSPACE)))
    parsed = parser.parse_args(["evaluate", *map(str, arguments)])
    return parsed.run(parsed)


@pytest.fixture
def parts(monkeypatch):
    found: tuple[Hashing, Capitals, SearcherOf] = (Hashing(), Capitals(), searcher_of)
    monkeypatch.setattr(cli, "engine", lambda: found)


def test_a_workspace_as_json(files, capsys):
    code = evaluate(
        "--workspace", files, "--questions", files / "q.jsonl", "--retrievers", "bm25,dense",
        "--level", "page", "--k", "1,5", "--baseline", "bm25", "--json",
    )  # fmt: skip
    printed = json.loads(capsys.readouterr().out)
    assert code == 0
    assert printed["questions"] == 1
    assert printed["retrievers"]["bm25"]["HR@1"] == 1.0
    assert printed["retrievers"]["dense"] == {
        "HR@1": 0.0, "HR@5": 1.0, "Recall@1": 0.0, "Recall@5": 1.0, "nDCG@1": 0.0,
        "nDCG@5": pytest.approx(0.6309297535714575), "all-gold@1": 0.0, "all-gold@5": 1.0, "MRR": 0.5,
    }  # fmt: skip
    (mrr,) = [d for d in printed["differences"] if d["metric"] == "MRR"]
    assert mrr == {
        "a": "dense",
        "b": "bm25",
        "metric": "MRR",
        "mean": -0.5,
        "low": -0.5,
        "high": -0.5,
        "p": 1.0,
    }


def test_an_ablation_needs_a_workspace_and_its_questions(files):
    with pytest.raises(InvalidInput, match="--ablation needs --workspace"):
        evaluate("--paragraphs", files / "p.jsonl", "--ablation")
    with pytest.raises(InvalidInput, match="needs --questions"):
        evaluate("--workspace", files, "--ablation")


def test_an_ablation_in_words_and_as_json(files, capsys, monkeypatch):
    texts = [Paragraph("LP", "First."), Paragraph("LP", "Net asset value.")]
    index = paragraph_index(texts, Hashing(), Capitals())
    places = dict(zip(map(paragraph_id, texts), (1, 2), strict=True))

    class Known(FakeWorkspace):
        def index(self):
            return index

        def passages(self, document_id, page=None):
            every = (passage(document_id, 0, p, "") for i, p in places.items() if i.startswith(document_id))
            return tuple(one for one in every if page in (None, one.page))

        def documents(self):
            return tuple(document(identity.partition(":")[0], "LP.pdf") for identity in places)

    monkeypatch.setattr(cli.embedding, "load", lambda settings: Hashing())
    parser = argparse.ArgumentParser()
    cli.register(parser.add_subparsers(), lambda path: contextlib.nullcontext(Known(**WORKSPACE)))
    asked = ["evaluate", "--workspace", str(files), "--questions", str(files / "q.jsonl"), "--ablation"]
    parsed = parser.parse_args([*asked, "--over", "hybrid", "--results", str(files / "kept")])
    assert parsed.run(parsed) == 0
    printed = capsys.readouterr().out
    assert "| routing | on | default |" in printed and "On your 1 question, by nDCG@20" in printed
    parsed = parser.parse_args([*asked, "--over", "hybrid", "--results", str(files / "kept"), "--json"])
    parsed.run(parsed)
    assert "hybrid, all steps but routing" in json.loads(capsys.readouterr().out)["retrievers"]
    assert len(list((files / "kept").iterdir())) == 1


def test_a_workspace_in_words(files, capsys):
    evaluate(
        "--workspace", files, "--questions", files / "q.jsonl", "--retrievers", "bm25,dense", "--k", "1,5"
    )
    printed = capsys.readouterr().out
    assert "| bm25 | 1.000 [1.000, 1.000]" in printed
    assert "On your 1 question Dense finds the right page in the top 5 in 100 %" in printed


@pytest.mark.parametrize("pool", ["closed", "open"])
def test_paragraphs(files, capsys, parts, pool):
    evaluate(
        "--paragraphs", files / "p.jsonl", "--pool", pool, "--retrievers", "bm25", "--sample", "2",
        "--results", files / "kept", "--json",
    )  # fmt: skip
    shown = capsys.readouterr()
    assert json.loads(shown.out)["questions"] == 2
    assert json.loads(shown.out)["retrievers"]["bm25"]["HR@1"] == 1.0
    assert "Left out for want of a supporting paragraph: 1 question." in shown.err
    assert len(list((files / "kept").iterdir())) == 1


def test_the_baseline_is_the_first_retriever_without_bm25(files, capsys):
    evaluate(
        "--workspace",
        files,
        "--questions",
        files / "q.jsonl",
        "--retrievers",
        "dense,rrf",
        "--k",
        "1",
        "--json",
    )
    assert {d["b"] for d in json.loads(capsys.readouterr().out)["differences"]} == {"dense"}


def test_bad_arguments_are_explained(files, capsys):
    with pytest.raises(InvalidInput, match="needs --questions"):
        evaluate("--workspace", files)
    with pytest.raises(InvalidInput, match="whole numbers"):
        evaluate("--workspace", files, "--questions", files / "q.jsonl", "--k", "1,x")
    with pytest.raises(InvalidInput, match="--questions goes with --workspace"):
        evaluate("--paragraphs", files / "none.jsonl", "--questions", files / "q.jsonl")
    with pytest.raises(MissingData, match="There is no file"):
        evaluate("--workspace", files, "--questions", files / "none.jsonl")
    with pytest.raises(SystemExit):
        evaluate("--questions", files / "q.jsonl")
    assert "--workspace" in capsys.readouterr().err


def test_all_retrievers_that_need_no_language_model_are_the_default():
    names = cli.default_retrievers()
    assert "bm25" in names and "dense" in names and "ppr-llm" not in names
