"""What is stored comes back equal, to the last bit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.store import codec
from aethel_core.types import (
    DocumentType,
    Entity,
    EntityKind,
    Filters,
    Mention,
    Metadata,
    Passage,
    PassageKind,
    Period,
    Rect,
    Statement,
)
from tests.store.kept import TABLE, page

TEXTS = st.text(st.characters())  # lone surrogates and NULs included


@given(TEXTS.filter(lambda t: len(t) > 5))
def test_pages_come_back(text: str) -> None:
    before = page(3, text)
    assert codec.decode_page(codec.encode_page(before)) == before


@given(TEXTS, st.lists(st.sampled_from(Statement)), st.floats(allow_nan=False))
def test_passages_come_back(text: str, statements: list[Statement], x: float) -> None:
    passages = tuple(
        Passage("d:00001", "d", 3, 5, 9, (Rect(x, 0, 1, 1),), text, kind, text, table, tuple(statements))
        for kind, table in ((PassageKind.PROSE, None), (PassageKind.TABLE, TABLE))
    )
    assert tuple(codec.decode_passage(codec.encode_passage(p)) for p in passages) == passages
    assert codec.decode_passages(codec.encode_passages(passages)) == passages


@given(TEXTS, st.lists(TEXTS), st.sampled_from(DocumentType), st.integers(1900, 2100) | st.none())
def test_metadata_come_back(text: str, aliases: list[str], kind: DocumentType, year: int | None) -> None:
    before = Metadata(text, Period(year, 3, "2021-05-31"), kind, text, text, tuple(aliases))
    assert codec.decode_metadata(codec.encode_metadata(before)) == before


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(
            ("A",), (2021, 2022), (DocumentType.TEN_K,), ("Item 1",), (PassageKind.TABLE,), ("abc", "def")
        ),
    ],
)
def test_filters_come_back(filters: Filters) -> None:
    assert codec.decode_filters(codec.encode_filters(filters)) == filters


def test_mentions_come_back_and_an_entity_is_kept_once() -> None:
    fund = Entity.of(EntityKind.NAME, "fund", "The Fund")
    year = Entity.of(EntityKind.PERIOD, "2021", "FY2021")
    before = (Mention("p1", fund, "ner"), Mention("p2", year, "regex"), Mention("p2", fund, "regex"))
    data = codec.encode_mentions(before)
    assert codec.decode_mentions(data) == before
    assert len(codec.unpack(data)["entities"]) == 2


def test_vectors_come_back_bit_for_bit() -> None:
    before = np.random.default_rng(7).normal(size=(5, 3)).astype(np.float32)
    assert np.array_equal(codec.decode_vectors(codec.encode_vectors(before), 3), before)
    assert codec.decode_vectors(b"", 384).shape == (0, 384)


def test_a_line_s_text_is_kept_only_where_it_differs_from_the_page() -> None:
    value = codec.unpack(codec.encode_page(page(1, "The fund")))
    lines = value["blocks"][1][2]
    assert [len(line) for line in lines] == [6, 7]
    assert json.dumps(value).count("The fund") == 1
