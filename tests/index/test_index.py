from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aethel_core.errors import WorkspaceError
from aethel_core.index import Index, Segment
from aethel_core.types import DocumentType, EntityKind, Filters, Metadata, PassageKind, Period, Statement
from tests.corpora import document_of, index, segment, statement_passage

LETTER = segment(
    "letter",
    Metadata("NorthRiver Capital Partners IV, L.P.", Period(2022, 3), DocumentType.LP_LETTER),
    ["NorthRiver IV owns Helios Packaging.", "The Fund drew on its credit line with Calder Bank."],
)
FILING = segment(
    "filing",
    Metadata("Helios Packaging Holdings, Inc.", Period(2022), DocumentType.TEN_K, aliases=("Helios",)),
    [
        "Helios Packaging borrowed from Calder Bank in 2021.",
        statement_passage("filing", 1, Statement.INCOME, [("Net sales", 812), ("Net income", 40)], "FY2022"),
    ],
)
OTHER = segment("other", Metadata(title="Quarry Lane"), ["Calder Bank lends to Quarry Lane."])


def edges(found: Index, kind: EntityKind) -> dict[str, list[str]]:
    graph = found.typed_graph
    matrix = graph.bipartite.incidence.tocsc()
    return {
        entity.name: [
            found.ids[row] for row in sorted(matrix.indices[matrix.indptr[c] : matrix.indptr[c + 1]])
        ]
        for c, entity in enumerate(graph.entities)
        if entity.kind is kind
    }


def test_rows_ascend_with_passage_ids_whatever_the_order_of_arrival() -> None:
    one, two = index(LETTER, FILING, OTHER), index(OTHER).extended([LETTER]).extended([FILING])
    assert list(one.ids) == sorted(one.ids) == list(two.ids)
    for name in ("regex_graph", "ner_graph", "typed_graph"):
        a, b = getattr(one, name), getattr(two, name)
        assert a.entities == b.entities
        assert (a.bipartite.incidence != b.bipartite.incidence).nnz == 0


def test_a_removed_document_leaves_no_trace() -> None:
    never, removed = index(LETTER, OTHER), index(LETTER, FILING, OTHER).without([document_of("filing")])
    assert never.ids == removed.ids
    assert never.typed_graph.entities == removed.typed_graph.entities
    assert (never.typed_graph.bipartite.incidence != removed.typed_graph.bipartite.incidence).nnz == 0
    assert never.body.vocabulary == removed.body.vocabulary
    assert never.fingerprint == removed.fingerprint != index(LETTER, FILING, OTHER).fingerprint


def test_a_name_joins_passages_that_contain_it_in_other_documents() -> None:
    names = edges(index(LETTER, FILING, OTHER), EntityKind.NAME)
    assert set(names["Calder Bank"]) == {
        f"{document_of('filing')}:00000",
        f"{document_of('letter')}:00001",
        f"{document_of('other')}:00000",
    }
    assert f"{document_of('letter')}:00000" in names["Helios Packaging"]


def test_typed_nodes_govern_their_passages() -> None:
    found = index(LETTER, FILING, OTHER)
    filing = [f"{document_of('filing')}:0000{n}" for n in (0, 1)]
    assert edges(found, EntityKind.COMPANY)["Helios Packaging Holdings, Inc."] == filing
    periods = edges(found, EntityKind.PERIOD)
    assert set(periods["FY2022"]) == {*filing, *(f"{document_of('letter')}:0000{n}" for n in (0, 1))}
    assert periods["Q3 FY2022"] == [f"{document_of('letter')}:0000{n}" for n in (0, 1)]
    assert edges(found, EntityKind.STATEMENT) == {"income statement": [filing[1]]}
    assert edges(found, EntityKind.LINE_ITEM)["Revenue"] == [filing[1]]


def test_a_fiscal_year_that_ends_in_another_calendar_year_answers_to_both() -> None:
    retailer = segment("retailer", Metadata("Ulma", Period(2022, None, "2023-01-28")), ["Shops."])
    assert set(edges(index(retailer), EntityKind.PERIOD)) == {"FY2022", "FY2023"}


def test_documents_that_share_a_name_of_their_company_share_its_node() -> None:
    older = segment(
        "older", Metadata("Square, Inc.", Period(2019), DocumentType.TEN_K, aliases=("SQ",)), ["Payments."]
    )
    newer = segment(
        "newer",
        Metadata("Block, Inc.", Period(2021), DocumentType.TEN_K, aliases=("Square, Inc.",)),
        ["Bitcoin."],
    )
    companies = edges(index(older, newer), EntityKind.COMPANY)
    assert [sorted(passages) for passages in companies.values()] == [
        sorted([f"{document_of('older')}:00000", f"{document_of('newer')}:00000"])
    ]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), 5),
        (Filters(companies=("Helios Packaging Holdings, Inc.",)), 2),
        (Filters(years=(2022,), types=(DocumentType.LP_LETTER,)), 2),
        (Filters(kinds=(PassageKind.TABLE,)), 1),
        (Filters(sections=("Item 8",)), 1),
        (Filters(years=(1999,)), 0),
    ],
)
def test_filters(filters, expected) -> None:
    assert index(LETTER, FILING, OTHER).matching(filters).sum() == expected


def test_segment_survives_its_bytes() -> None:
    copy = Segment.from_bytes(FILING.to_bytes())
    assert copy.passage_ids == FILING.passage_ids and copy.metadata == FILING.metadata
    assert copy.statements == FILING.statements and copy.joins == FILING.joins
    assert np.array_equal(copy.vectors, FILING.vectors)
    assert (copy.body.counts != FILING.body.counts).nnz == 0
    assert {s: t.entities for s, t in copy.mentions.items()} == {
        s: t.entities for s, t in FILING.mentions.items()
    }


@pytest.mark.parametrize("data", [b"", b"not an archive", FILING.to_bytes()[:200]])
def test_damaged_bytes_are_refused_with_advice(data) -> None:
    with pytest.raises(WorkspaceError, match="re-index"):
        Segment.from_bytes(data)


def test_empty_index() -> None:
    empty = Index.empty()
    assert empty.size == 0 and empty.typed_graph.entities == ()
    assert empty.matching(Filters(years=(2022,))).size == 0


def test_the_fingerprint_covers_words_names_vectors_and_the_model() -> None:
    """What Evaluate takes as fresh must have been measured on the same."""
    seen = {index(LETTER).fingerprint, index(replace(LETTER, vectors=LETTER.vectors * 0.5)).fingerprint}
    seen.add(index(replace(LETTER, match_texts=(" other words ", *LETTER.match_texts[1:]))).fingerprint)
    table = LETTER.mentions["regex"]
    fewer = replace(table, rows=table.rows[:-1], columns=table.columns[:-1])
    seen.add(index(replace(LETTER, mentions={**LETTER.mentions, "regex": fewer})).fingerprint)
    seen.add(Index(model="another").extended([LETTER]).fingerprint)
    assert len(seen) == 5
    again = Segment.from_bytes(LETTER.to_bytes())
    assert again.digest() == LETTER.digest() and index(again).fingerprint in seen
