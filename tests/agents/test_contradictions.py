"""Figures that two documents give differently: found with both pages, and nothing that may differ."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from aethel_core import chunking, metadata, parsing
from aethel_core.agents import Finding
from aethel_core.agents.contradictions import contradictions
from aethel_core.audit import Sources, check_sentence
from aethel_core.types import Document, DocumentType, Metadata, Passage, Period
from tests.deal import FUND, grid, prose

SAMPLE = Path(__file__).resolve().parents[2] / "sample_docs"
FIRST, AGAIN = "NorthRiver-IV-LP-Letter-2022-Q3.pdf", "NorthRiver-IV-LP-Letter-2022-Q3-reissued.pdf"
LETTER, STATEMENT = "a" * 16, "b" * 16
_SEP = ("Sep 30, 2022", "2022-09-30")


def document(id: str, name: str, kind: DocumentType) -> Document:
    about = Metadata(FUND, Period(2022, 3, "2022-09-30"), kind, name, "", ("Alder Ridge Partners II",))
    return Document(id, name, id, about, 3, 3)


def found(passages: dict[str, tuple[Passage, ...]], documents: list[Document]) -> list[Finding]:
    return contradictions(Sources(documents, passages.__getitem__), documents, "Auditor", "diligence")


def two(letter: Passage, statement: Passage) -> list[Finding]:
    """What a letter and the fund's statement for the same quarter disagree on."""
    documents = [
        document(LETTER, "letter.pdf", DocumentType.LP_LETTER),
        document(STATEMENT, "statement.pdf", DocumentType.OTHER),
    ]
    return found({LETTER: (letter,), STATEMENT: (statement,)}, documents)


def said(amount: str) -> Passage:
    return prose(LETTER, 0, 1, f"The Fund's net asset value at September 30, 2022 was {amount}.")


def stated(row: str, amount: str) -> Passage:
    return grid(STATEMENT, 0, 2, [_SEP], [(row, [amount])], title="Statement of net assets")


def test_the_letter_says_412_6_and_the_statement_412_2() -> None:
    (only,) = two(said("$412.6 million"), stated("Net asset value", "412,200"))
    assert "page 1, gives $412.6 million" in only.claim and "page 2, gives $412.2 million" in only.claim
    assert set(only.passage_ids) == {f"{LETTER}:00000", f"{STATEMENT}:00000"}


def test_a_scale_that_slipped_is_a_contradiction() -> None:
    assert two(said("$412.2 billion"), stated("Net asset value", "412,200"))


@pytest.mark.parametrize(
    ("amount", "row", "cell"),
    [
        ("$412.2 million", "Net asset value", "412,200"),
        ("$412 million", "Net asset value", "412,200"),  # rounded
        ("$412.6 million", "Adjusted net asset value", "412,200"),  # on another basis
        ("$412.6 million", "Investments at fair value", "412,200"),  # something else
        ("$1,648.8 million", "Net asset value", "412,200"),  # four times as much: of a year, say
    ],
)
def test_what_may_differ_or_does_not(amount: str, row: str, cell: str) -> None:
    assert not two(said(amount), stated(row, cell))


@cache
def sample_deal() -> tuple[Sources, list[Document]]:
    """The third-quarter letter of the sample deal, as it was and as it was re-issued."""
    documents, passages = [], {}
    for name in (FIRST, AGAIN):
        parsed = parsing.parse_pdf((SAMPLE / name).read_bytes(), name)
        passages[parsed.id] = chunking.passages(parsed)
        documents.append(
            Document(parsed.id, name, parsed.sha256, metadata.infer(parsed), len(parsed.pages), 0)
        )
    documents[1] = replace(documents[1], version_of=documents[0].id)
    return Sources(documents, passages.__getitem__), documents


def test_the_reissued_letter_of_the_sample_deal_differs_from_the_first() -> None:
    sources, documents = sample_deal()
    made = contradictions(sources, documents, "Auditor", "diligence")
    first = made[0]
    assert first.claim.startswith("Net asset value at September 30, 2022: ")
    assert "page 3, gives $866.5 million" in first.claim and "page 3, gives $851.8 million" in first.claim
    assert f"{FIRST} was replaced by {AGAIN}." in first.note
    assert {passage.partition(":")[0] for passage in first.passage_ids} == {d.id for d in documents}
    assert not any(check_sentence(each.claim, each.passage_ids, sources).flagged for each in made)
