from __future__ import annotations

import pytest
import spacy

from aethel_core.entities import ner
from aethel_core.entities.ner import Recogniser
from aethel_core.errors import ModelUnavailable

PARAGRAPH = (
    "Christopher Nolan directed Inception for Warner Bros. in Los Angeles on March 3, 2010 "
    "at a cost of $160 million. He was born in London."
)


def names(texts: list[str], *, phrases: bool = False) -> list[list[str]]:
    return [[entity.name for entity in found] for found in Recogniser(phrases=phrases).extract(texts)]


def test_names_are_read_and_dates_and_money_are_not() -> None:
    (found,) = names([PARAGRAPH])
    assert {"Christopher Nolan", "Los Angeles", "London"} <= set(found)
    assert not [name for name in found if "2010" in name or "160" in name]


def test_one_result_per_text_without_repetition() -> None:
    once, empty, twice = Recogniser().extract(
        ["Angela Merkel met Emmanuel Macron.", "", "London and London. London!"]
    )
    assert [e.id for e in once] == ["name:angela merkel", "name:emmanuel macron"]
    assert empty == ()
    assert [e.id for e in twice] == ["name:london"]


def test_phrases_add_what_the_model_misses() -> None:
    text = "the parties signed with Zorblax Quuxly and left"
    assert "Zorblax Quuxly" in names([text], phrases=True)[0]
    plain, more = names([PARAGRAPH])[0], names([PARAGRAPH], phrases=True)[0]
    assert more[: len(plain)] == plain
    assert "Inception" in more


def test_cells_of_a_table_are_not_run_together() -> None:
    (found,) = names(["Angela Merkel\nBerlin\nEmmanuel Macron\nParis\n"])
    assert {"Angela Merkel", "Emmanuel Macron"} <= set(found)


def test_a_place_in_a_place_is_also_read_as_its_parts() -> None:
    assert ner._readings("Paris, France") == ("Paris, France", "Paris", "France")
    assert ner._readings("Nike, Inc.") == ("Nike, Inc.",)


def test_the_result_does_not_depend_on_the_call() -> None:
    texts = [PARAGRAPH, "Tim Cook leads Apple Inc. in Cupertino."] * 3
    assert Recogniser().extract(texts) == Recogniser().extract(texts)


def test_hostile_texts_are_survived() -> None:
    texts = [
        "\0" * 50,
        "x" * 50_000,
        "🙂" * 500,
        "شركة أرامكو السعودية",
        "<script>alert('Nike')</script>",
        "Nike " * 6000,
    ]
    assert len(Recogniser(phrases=True).extract(texts)) == len(texts)
    assert Recogniser().extract([]) == []


def test_a_missing_model_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: object, **__: object) -> None:
        raise OSError("E050")

    monkeypatch.setattr(spacy, "load", absent)
    monkeypatch.setattr(ner, "_model", ner._model.__wrapped__)
    with pytest.raises(ModelUnavailable, match=r"requirements\.txt"):
        Recogniser().extract(["London"])
