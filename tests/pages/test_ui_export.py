"""A comparison in a spreadsheet: typed cells, and text that stays text."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import openpyxl
import pytest

from aethel_core import workspace as core
from aethel_core.types import Filters, Hit, Query, Ranking
from pages._ui import export

QUESTION = Query("=1+1 unfunded commitments", Filters(years=(2022, 2023)))


@pytest.fixture
def found(deal: core.Workspace) -> core.Comparison:
    return deal.compare(QUESTION, ("bm25", "ppr-ner"), 5)


def test_csv(deal: core.Workspace, found: core.Comparison) -> None:
    data = export.as_csv(deal, found)
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
    assert len(rows) == sum(len(ranking.hits) for ranking in found.rankings) > 0
    first = found.rankings[0].hits[0]
    assert (rows[0]["Retriever"], rows[0]["Rank"], rows[0]["Passage"]) == ("BM25", "1", first.passage_id)
    assert float(rows[0]["Score"]) == first.score
    assert rows[0]["Citation"] == deal.citation(first.passage_id)


def test_xlsx_cells_are_typed(deal: core.Workspace, found: core.Comparison) -> None:
    book = openpyxl.load_workbook(io.BytesIO(export.as_xlsx(deal, found)))
    row = [cell.value for cell in book["Comparison"][2]]
    assert row[1] == 1 and isinstance(row[2], float) and isinstance(row[7], int)
    about = dict(book["About"].iter_rows(values_only=True))
    assert about["Question"] == QUESTION.text and about["Filters"] == "2022; 2023"
    assert about["Documents"] == 3
    assert book["About"]["B1"].data_type == "s"


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "-1", "@x", "\tx"])
def test_text_is_never_a_formula(deal: core.Workspace, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    passage = deal.passages(deal.documents()[0].id)[0]
    found = core.Comparison(QUESTION, (Ranking("bm25", (Hit(passage.id, 1.0),)),), 1.0)
    monkeypatch.setattr(core.Workspace, "passage", lambda self, _: replace(passage, text=text))
    cell = openpyxl.load_workbook(io.BytesIO(export.as_xlsx(deal, found)))["Comparison"]["M2"]
    assert cell.data_type == "s" and cell.value.strip() == text.strip() and cell.quotePrefix
    row = list(csv.reader(io.StringIO(export.as_csv(deal, found).decode("utf-8-sig"))))[1]
    assert row[-1] == f"'{text}"


def test_control_characters_do_not_stop_an_export(
    deal: core.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    passage = deal.passages(deal.documents()[0].id)[0]
    found = core.Comparison(QUESTION, (Ranking("bm25", (Hit(passage.id, 1.0),)),), 1.0)
    monkeypatch.setattr(core.Workspace, "passage", lambda self, _: replace(passage, text="a\x00b\x0bc"))
    assert (
        openpyxl.load_workbook(io.BytesIO(export.as_xlsx(deal, found)))["Comparison"]["M2"].value == "a b c"
    )
