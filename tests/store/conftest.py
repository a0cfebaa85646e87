"""Small documents to keep, with one of everything in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from aethel_core.store import Content, Store
from aethel_core.store.codec import encode_page
from aethel_core.types import (
    Document,
    DocumentType,
    Entity,
    EntityKind,
    Mention,
    Metadata,
    Passage,
    PassageKind,
    Period,
    Rect,
    Statement,
    passage_id,
)
from tests.store.kept import TABLE, page

FUND = Entity.of(EntityKind.NAME, "northriver iv", "NorthRiver IV LP")


@pytest.fixture
def content() -> Callable[..., Content]:
    def make(
        sha256: str = "a" * 64, name: str = "letter.pdf", text: str = "The fund holds Halden."
    ) -> Content:
        identity = sha256[:16]
        passages = tuple(
            Passage(
                passage_id(identity, ordinal),
                identity,
                ordinal + 1,
                0,
                len(text),
                (Rect(1.5, 2, 3, 4), Rect(5, 6, 7, 8.25)),
                f"Item {ordinal}",
                kind,
                f"{text} {ordinal}",
                TABLE if kind is PassageKind.TABLE else None,
                (Statement.INCOME, Statement.SEGMENT) if kind is PassageKind.TABLE else (),
            )
            for ordinal, kind in enumerate((PassageKind.PROSE, PassageKind.TABLE))
        )
        metadata = Metadata(
            "NorthRiver",
            Period(2023, 2, "2023-06-30"),
            DocumentType.LP_LETTER,
            "Letter",
            "NR",
            ("North", "NR4"),
        )
        document = Document(
            identity, name, sha256, metadata, 2, 2, 1, 1, 2, 9, "2024-01-01T00:00:00", ("careful",)
        )
        return Content(
            document,
            tuple(encode_page(page(n, text)) for n in (1, 2)),
            passages,
            (Mention(passages[0].id, FUND, "regex"), Mention(passages[1].id, FUND, "ner")),
            "names",
            np.array([[0.6, 0.8, 0.0], [0.0, 0.0, 1.0]], dtype=np.float32),
            "model",
            "reader",
            b"%PDF bytes of " + name.encode(),
        )

    return make


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "space")
    yield opened
    opened.close()
