"""The training and ablation commands on a small corpus, end to end."""

from __future__ import annotations

import sys

import pytest

from aethel_core.evaluation.judgements import JudgedQuestion, Judgements
from aethel_core.rerankers.features import FAST, NAMES
from aethel_core.rerankers.learned import Models
from aethel_core.search import Search
from tests.conftest import ROOT
from tests.corpora import document_of
from tests.rerankers.made import ACME, BOLT, corpus
from tests.standins import HashEmbedder

sys.path.insert(0, str(ROOT / "benchmarks"))

import ablation
import train_reranker


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(corpus(), HashEmbedder())


@pytest.fixture(scope="module")
def judgements() -> Judgements:
    questions = (
        ("a", "What is the working capital of Acme Corp in FY2022?", f"{document_of(ACME)}:00003"),
        ("b", "What drove selling expenses of Acme Corp in 2022?", f"{document_of(ACME)}:00001"),
        ("c", "What are total current assets of Bolt Industries in FY2021?", f"{document_of(BOLT)}:00001"),
    )
    judged = tuple(JudgedQuestion(key, text, ((gold, 1),)) for key, text, gold in questions)
    return Judgements("passage", judged, lambda passage: passage)


def test_training_learns_both_models_and_records_what_it_measured(
    search: Search, judgements: Judgements, capsys: pytest.CaptureFixture[str]
) -> None:
    models, record = train_reranker.train(search, judgements, 0.01)
    assert models.full.features == NAMES
    assert len(models.fast.features) == len(FAST)
    assert min(models.full.weights) >= 0
    assert Models.from_json(models.to_json(record)) == models
    assert record["questions"] == 3
    assert set(record["held out"]) == {"fast", "full"}
    assert "full model, held out" in capsys.readouterr().out


def test_examples_are_grouped_by_company(search: Search, judgements: Judgements) -> None:
    training = train_reranker.gather(search, judgements)
    assert [example.group for example in training.examples] == ["Acme Corp", "Acme Corp", "Bolt Industries"]


@pytest.mark.parametrize("part", ["cascade", "pool"])
def test_the_tables_have_a_row_per_part(
    part: str, search: Search, judgements: Judgements, capsys: pytest.CaptureFixture[str]
) -> None:
    ablation.run(search, judgements, [part], held_out_models=True)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    names = [line.split("|")[1].strip() for line in lines]
    if part == "pool":
        assert names[1:3] == ["whole pool", "pool without hybrid"]
        assert all(line.count("[") == len(ablation.SHOWN) for line in lines[2:])
    else:
        assert {"keywords", "routing", "walk", "stage 1", "stage 2"} <= set(names)
