"""Extractive summaries: what they keep, that nothing is invented, and that short documents have none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from aethel_core.summaries import summarise
from aethel_core.types import Passage, PassageKind, Statement, Table, TableCell, TableColumn, TableRow
from tests.conftest import ROOT
from tests.corpora import statement_passage


def words(text: str) -> int:
    return len(text.split())


def prose(number: int, text: str) -> Passage:
    return Passage(f"d:{number:05d}", "d", number + 1, 0, len(text), (), "Item 7", PassageKind.PROSE, text)


FILLER = prose(0, "The weather was fine and nobody said anything worth noting about it. " * 40)
RESULT = prose(
    1, "Management met. Gross margin increased to 41.5% in 2022 from 38.2% on lower freight costs. It rained."
)
TAX = prose(2, "The effective tax rate was 21.4% in 2022 compared with 19.0% in the prior year, as expected.")
STATEMENT = statement_passage(
    "d.pdf", 3, Statement.INCOME, [("Net sales", 5000.0), ("Other things", 3.0)], "FY2022"
)


def test_indicators_and_results_are_kept() -> None:
    found = summarise([FILLER, RESULT, TAX, STATEMENT], long=100, size=60, count=words)
    assert [sentence.text for sentence in found.sentences] == [
        "Gross margin increased to 41.5% in 2022 from 38.2% on lower freight costs.",
        "The effective tax rate was 21.4% in 2022 compared with 19.0% in the prior year, as expected.",
        "Net sales: 5,000 (FY2022)",
    ]
    assert [sentence.page for sentence in found.sentences] == [2, 3, 4]
    assert found.tokens == sum(words(p.text) for p in (FILLER, RESULT, TAX, STATEMENT))


def test_every_sentence_stands_in_its_passage() -> None:
    found = summarise([FILLER, RESULT, TAX], long=100, count=words)
    by_id = {each.id: each.text for each in (FILLER, RESULT, TAX)}
    assert all(sentence.text in by_id[sentence.passage_id] for sentence in found.sentences)


def test_what_is_new_comes_before_what_repeats() -> None:
    again = [
        prose(n, f"Gross margin improved to 4{n}.5% from 3{n}.2% on lower freight costs that year.")
        for n in (4, 5)
    ]
    found = summarise([FILLER, *again, replace(TAX, id="d:00009")], long=100, size=30, count=words)
    assert [sentence.passage_id for sentence in found.sentences] == ["d:00004", "d:00009"]


def test_it_fits_its_size() -> None:
    many = [
        prose(n, f"Net income of segment {n} rose to ${n + 10}.5 million in the year 2022 in total.")
        for n in range(60)
    ]
    found = summarise(many, long=100, size=50, count=words)
    assert 0 < sum(words(sentence.text) for sentence in found.sentences) <= 50


def test_the_unit_travels_with_the_row() -> None:
    table = Table(
        "Sales",
        (TableColumn("2022", "FY2022"), TableColumn("Change", "", "%")),
        (TableRow("Revenue", (TableCell("12", 12.0), TableCell("n/a", None))),),
        "(in millions)",
    )
    row = replace(STATEMENT, table=table)
    assert summarise([FILLER, row], long=100, count=words).text == "Revenue: 12 (FY2022); in millions"


def test_short_documents_are_read_whole() -> None:
    assert summarise([RESULT]).sentences == ()
    assert summarise([]).sentences == ()


def test_a_real_annual_report() -> None:
    path = ROOT / "sample_docs" / "Helios-Packaging-10-K-FY2022.pdf"
    if not Path(path).is_file():
        pytest.skip("the sample papers have not been made; see sample_docs/README.md")
    from aethel_core.chunking import passages
    from aethel_core.parsing import parse_pdf

    document = parse_pdf(path.read_bytes(), path.name, ocr=False)
    found = summarise(passages(document), long=1000, size=300)
    about = {name for sentence in found.sentences for name in sentence.about}
    assert "Revenue" in about
    assert len(about) >= 8
