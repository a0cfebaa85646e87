"""What the board says: ranks, scores, bars, who else found a passage, and why."""

from __future__ import annotations

import json

from aethel_core import workspace as core
from aethel_core.types import Hit, Table, TableCell, TableColumn, TableRow
from pages._ui import board, explain

QUESTION = "unfunded commitments of North River"
RETRIEVERS = ("bm25", "dense", "rrf", "ppr-ner", "hybrid")


def test_columns_follow_the_rankings(deal: core.Workspace) -> None:
    found = deal.compare(QUESTION, RETRIEVERS, 4)
    data = json.loads(json.dumps(board.content(deal, found, {})))
    assert [column["name"] for column in data["columns"]] == list(RETRIEVERS)
    for column, ranking in zip(data["columns"], found.rankings, strict=True):
        assert [hit["id"] for hit in column["hits"]] == list(ranking.ids)
        assert [hit["rank"] for hit in column["hits"]] == list(range(1, len(ranking.hits) + 1))
        assert column["note"] == ranking.note


def test_also_names_every_other_column_that_found_it(deal: core.Workspace) -> None:
    found = deal.compare(QUESTION, ("bm25", "dense"), 4)
    data = board.content(deal, found, {})
    ranks = {r.retriever: {p: n for n, p in enumerate(r.ids, start=1)} for r in found.rankings}
    for here, there in (("bm25", "dense"), ("dense", "bm25")):
        column = next(c for c in data["columns"] if c["name"] == here)
        for hit in column["hits"]:
            expected = [[there, ranks[there][hit["id"]]]] if hit["id"] in ranks[there] else []
            assert hit["also"] == expected


def test_bars_of_positive_scores_start_at_zero() -> None:
    shares, note = board.bar_shares((Hit("a", 4.0), Hit("b", 1.0)))
    assert shares == [1.0, 0.25] and "share" in note


def test_bars_of_scores_below_zero_span_what_is_shown() -> None:
    shares, note = board.bar_shares((Hit("a", 1.0), Hit("b", -1.0), Hit("c", -3.0)))
    assert shares == [1.0, 0.5, 0.0] and "negative" in note
    assert board.bar_shares(()) == ([], "")
    assert board.bar_shares((Hit("a", 0.0),))[0] == [0.0]


def test_a_table_shows_the_rows_and_columns_that_say_most() -> None:
    names = [f"Row {n}" for n in range(10)] + ["Total revenue"]
    rows = tuple(
        TableRow(name, (TableCell("1"), TableCell(""), TableCell("2"), TableCell("3"))) for name in names
    )
    columns = tuple(TableColumn(f"h{n}", f"FY202{n}") for n in range(4))
    shown = board._table(Table("T", columns, rows), "What is revenue?")
    assert shown["columns"] == ["FY2020", "FY2022", "FY2023"]
    assert "".join(part for part, _ in shown["rows"][-1][0]) == "Total revenue"
    assert [part for part, marked in shown["rows"][-1][0] if marked] == ["revenue"]
    assert shown["more"] == "Part of a table of 11 rows and 4 columns"


def test_every_retriever_explains_its_first_hit(deal: core.Workspace) -> None:
    found = deal.compare(QUESTION, deal.retriever_names(), 3)
    for ranking in found.rankings:
        if ranking.hits:
            why = explain.board(deal.explain(QUESTION, ranking.retriever, ranking.ids[0]))
            assert why["title"] and (why["bars"] or why["quote"]), ranking.retriever
            assert all(abs(share) <= 1 + 1e-9 for _, _, share, _ in why["bars"])


def test_parts_beyond_the_first_eight_are_summed() -> None:
    terms = tuple(core.LexicalExplanation(0.0, ()).terms)
    assert explain.board(core.LexicalExplanation(0.0, terms))["bars"] == []
    bars = explain._bars("t", ((f"w{n}", float(10 - n), "") for n in range(10)))["bars"]
    assert len(bars) == 9 and bars[0][:3] == ["w0", "10.000", 1.0]
    assert bars[-1][:2] == ["2 further parts", "3.000"]
