"""Seeds from names that stand in the metadata alone, as when an analyst typed a document's company."""

from __future__ import annotations

import pytest

from aethel_core.index.edits import EntityEdits
from aethel_core.retrievers.pagerank import Bct, PprNer, PprRegex
from aethel_core.types import DocumentType, Metadata, Period, Query
from tests.corpora import index, segment

TEXTS = [
    "NorthRiver IV owns Helios Packaging, Inc. which makes boxes.",
    "Calder Bank lends to Helios Packaging, Inc. in Ohio.",
    "NorthRiver IV is patient.",
]
FUND = "NorthRiver Capital Partners IV, L.P."


def seeds(kind, company: str, question: str, edits: EntityEdits | None = None) -> set[str]:
    metadata = Metadata(company, Period(2022), DocumentType.OTHER)
    made = index(segment("one", metadata, TEXTS)).edited(edits or EntityEdits())
    retriever = kind(made)
    return {retriever.graph.entities[seed.column].id for seed in retriever.seeds(Query(question)).entities}


@pytest.mark.parametrize("kind", [PprRegex, PprNer, Bct])
@pytest.mark.parametrize(
    ("company", "question", "seed"),
    [
        (FUND, "What did NorthRiver Capital Partners IV do?", "name:northriver iv"),
        (FUND, "what did northriver capital partners iv lp own?", "name:northriver iv"),
        ("Helios Packaging Holdings", "Who lends to Helios Packaging Holdings?", "name:helios packaging inc"),
        ("Helios Packaging", "Who lends to Helios Packaging?", "name:helios packaging inc"),
    ],
)
def test_a_typed_company_is_a_seed_where_the_graph_holds_its_name(
    kind, company: str, question: str, seed: str
) -> None:
    found = seeds(kind, company, question)
    assert seed in found or seed.removesuffix(" inc") in found


@pytest.mark.parametrize("kind", [PprRegex, PprNer, Bct])
def test_a_company_that_no_text_names_is_none(kind) -> None:
    assert seeds(kind, "Globex Trading GmbH", "What does Globex Trading make?") == set()


def test_a_person_can_tell_the_typed_name_apart() -> None:
    apart = frozenset({("northriver capital partners iv lp", "northriver iv")})
    short = frozenset({("northriver capital partners iv", "northriver iv")})
    question = "What did NorthRiver Capital Partners IV do?"
    assert seeds(PprNer, FUND, question)
    assert not seeds(PprNer, FUND, question, EntityEdits(apart=apart | short))
