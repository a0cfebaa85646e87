"""A cross-encoder of two tiny layers, made on the spot and loaded by folder."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from aethel_core.errors import InvalidInput, ModelUnavailable
from aethel_core.rerankers.cross_encoder import CrossEncoder
from aethel_core.types import Query
from tests.corpora import document_of
from tests.rerankers.made import ACME, lookup, ranking
from tests.tiny_cross_encoder import made

pytest.importorskip("transformers")
pytest.importorskip("sentence_transformers")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

IDS = tuple(f"{document_of(ACME)}:{number:05d}" for number in range(3))


def test_scores_are_those_of_the_model(tmp_path: Path) -> None:
    folder = made(tmp_path / "tiny")
    ranker = CrossEncoder(folder)
    assert ranker.name == "cross-encoder tiny"
    found = ranker.rerank(Query("anvils in the desert"), ranking(*IDS), lookup, 2)
    from sentence_transformers import CrossEncoder as Reference

    texts = [lookup([each])[each].text for each in IDS]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = Reference(folder).predict([("anvils in the desert", text) for text in texts])
    best = sorted(zip(IDS, expected, strict=True), key=lambda pair: -pair[1])[:2]
    assert found.ids == tuple(each for each, _ in best)
    assert [hit.score for hit in found.hits] == pytest.approx([float(score) for _, score in best], abs=1e-5)


def test_a_model_that_gives_several_scores(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="one score per passage"):
        CrossEncoder(made(tmp_path / "three", labels=3)).rerank(Query("anvils"), ranking(*IDS), lookup, 2)


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    ranker = CrossEncoder(str(tmp_path))  # nothing is loaded until it is used
    with pytest.raises(ModelUnavailable, match="check its name"):
        ranker.rerank(Query("anvils"), ranking(*IDS), lookup, 2)


def test_nothing_to_rerank_loads_nothing() -> None:
    ranker = CrossEncoder("no/such model")
    assert ranker.rerank(Query("anvils"), ranking(), lookup, 2).hits == ()
    with pytest.raises(InvalidInput):
        ranker.rerank(Query("anvils"), ranking(), lookup, 0)
