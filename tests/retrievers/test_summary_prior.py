"""The prior of a document by its summary, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aethel_core.retrievers.dense import QueryVectors
from aethel_core.retrievers.hybrid import Hybrid
from aethel_core.retrievers.summary_prior import SummaryPrior
from aethel_core.summaries import Summary, SummarySentence
from aethel_core.types import Metadata, Query
from tests.corpora import document_of, index, segment
from tests.standins import HashEmbedder


def long_one(name: str, text: str, told: str):
    """A document whose summary says something else than most of its text."""
    made = segment(name, Metadata("", title=name.removesuffix(".pdf")), [text])
    sentence = SummarySentence(told, made.passage_ids[0], 1, (), 1.0)
    return replace(made, summary=Summary(document_of(name), 20_000, (sentence,)))


INDEX = index(
    long_one("one.pdf", "zebra zebra zebra", "margin margin fell"),
    long_one("two.pdf", "margin", "freight rose slightly today"),
    segment("three.pdf", Metadata("", title="three"), ["margin was flat"]),
)


def of(question: str) -> dict[str, float]:
    values = SummaryPrior(INDEX).of_documents(Query(question))
    names = {document_of(name): name for name in ("one.pdf", "two.pdf", "three.pdf")}
    return {names[s.document_id]: float(v) for s, v in zip(INDEX.segments, values, strict=True)}


def test_a_long_document_is_told_by_its_summary_alone() -> None:
    found = of("zebra")
    assert found == {"one.pdf": 0.0, "two.pdf": 0.0, "three.pdf": 0.0}
    assert of("freight")["two.pdf"] == 1.0


def test_a_short_one_by_its_text_and_both_by_what_they_are() -> None:
    found = of("margin")
    assert found["one.pdf"] == 1.0 and 0 < found["three.pdf"] < 1 and found["two.pdf"] == 0.0
    assert of("three")["three.pdf"] == 1.0


def test_no_word_known_is_no_prior() -> None:
    assert set(of("aardvark").values()) == {0.0}


def test_it_counts_in_hybrid_only_when_asked_for() -> None:
    hybrid = Hybrid(INDEX, QueryVectors(HashEmbedder()))
    plain, raised = Query("freight"), Query("freight", summaries=True)
    assert {part.kind for part in hybrid.parts(plain)} == {"dense", "lexical"}
    assert {part.kind for part in hybrid.parts(raised)} == {"dense", "lexical", "summary"}
    row = INDEX.row[f"{document_of('two.pdf')}:00000"]
    before, after = hybrid.score(plain).values, hybrid.score(raised).values
    others = [other for other in range(INDEX.size) if other != row]
    # The document whose summary speaks of freight loses nothing to the prior, the others do.
    assert after[row] / before[row] > max(after[others] / before[others])
    assert SummaryPrior(INDEX).of_passages(raised)[row] == pytest.approx(1.0)
