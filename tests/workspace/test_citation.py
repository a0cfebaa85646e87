"""Citations as people write them."""

from __future__ import annotations

import pytest

from aethel_core.types import Document, DocumentType, Metadata, Passage, PassageKind, Period
from aethel_core.workspace.citation import citation

NIKE = Metadata("NIKE", Period(2021), DocumentType.TEN_K, "Annual report")


@pytest.mark.parametrize(
    ("metadata", "section", "expected"),
    [
        (NIKE, "Item 8. Financial Statements and Supplementary Data", "NIKE 10-K FY2021 · p. 62 · Item 8"),
        (NIKE, "Item 7A. Market Risk", "NIKE 10-K FY2021 · p. 62 · Item 7A"),
        (NIKE, "ITEM 1A", "NIKE 10-K FY2021 · p. 62 · ITEM 1A"),
        (NIKE, "Note 12 — Debt", "NIKE 10-K FY2021 · p. 62 · Note 12"),
        (NIKE, "Portfolio review", "NIKE 10-K FY2021 · p. 62 · Portfolio review"),
        (NIKE, "", "NIKE 10-K FY2021 · p. 62"),
        (NIKE, "x" * 80, "NIKE 10-K FY2021 · p. 62 · " + "x" * 59 + "…"),
        (Metadata("Fund", Period(2023, 2), DocumentType.LP_LETTER), "", "Fund LP letter Q2 FY2023 · p. 62"),
        (Metadata("Fund"), "", "Fund · p. 62"),
        (Metadata(title="Market report"), "", "Market report · p. 62"),
        (Metadata(), "", "file.pdf · p. 62"),
    ],
)
def test_citation(metadata: Metadata, section: str, expected: str) -> None:
    document = Document("d", "file.pdf", "s", metadata, 99, 99)
    passage = Passage("d:00001", "d", 62, 0, 1, (), section, PassageKind.PROSE, "text")
    assert citation(document, passage) == expected
