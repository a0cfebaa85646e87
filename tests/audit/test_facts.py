"""Figures with row, column, unit and period; and sentences with their places."""

from __future__ import annotations

import pytest

from aethel_core.audit import facts_of, sentences
from aethel_core.types import Period
from tests.deal import grid, prose

D = "f" * 16


def test_a_cell_has_scale_period_and_item() -> None:
    passage = grid(D, 0, 1, [("Dec 31, 2022", "2022-12-31")], [("Net asset value", ["896,751"])])
    (fact,) = facts_of([passage])[passage.id]
    assert fact.figure.value == 896_751_000
    assert (fact.figure.unit, fact.figure.currency, fact.item) == ("currency", "USD", "nav")
    assert Period(2022, None, "2022-12-31") in fact.periods


def test_rates_and_amounts_per_share_are_not_scaled() -> None:
    rows = [
        ("Net return for the quarter", ["3.8%"]),
        ("Earnings per share", ["1.25"]),
        ("Value to cost", ["1.2x"]),
    ]
    passage = grid(D, 0, 1, [("2022", "FY2022")], rows)
    assert [fact.figure.value for fact in facts_of([passage])[passage.id]] == [3.8, 1.25, 1.2]


def test_days_and_turns_among_amounts_keep_their_own_unit() -> None:
    rows = [
        ("Inventories", ["2,904"]),
        ("Days payable outstanding (1)", ["52"]),
        ("Inventory turns", ["3.4"]),
        ("Average inventory days held in transit", ["52"]),
    ]
    passage = grid(D, 0, 1, [("2022", "FY2022")], rows)
    figures = [fact.figure for fact in facts_of([passage])[passage.id]]
    assert [(figure.value, figure.unit) for figure in figures] == [
        (2_904_000, "currency"),
        (52, "days"),
        (3.4, "multiple"),
        (52_000, "currency"),
    ]


def test_a_table_without_scale_takes_the_usual_one_of_its_document() -> None:
    first = grid(D, 0, 1, [("2022", "FY2022")], [("Net sales", ["1,000"])])
    note = grid(D, 1, 2, [("2022", "FY2022")], [("Raw materials", ["74,380"])], unit="", scale=1.0)
    (fact,) = facts_of([first, note])[note.id]
    assert fact.figure.value == 74_380_000 and fact.assumed_scale


def test_a_due_date_is_no_period() -> None:
    passage = grid(D, 0, 1, [("2022", "FY2022")], [("Senior Notes, due October 2028", ["200,000"])])
    (fact,) = facts_of([passage])[passage.id]
    assert fact.periods == (Period(2022),)


def test_small_negatives_in_cells_are_figures() -> None:
    passage = grid(D, 0, 1, [("2022", "FY2022")], [("Deferred tax benefit", ["(12)"])])
    (fact,) = facts_of([passage])[passage.id]
    assert fact.figure.value == -12_000


def test_a_span_keeps_its_sentence() -> None:
    passage = prose(D, 0, 1, "Sales rose. The call of May 2, 2022 was $29.6 million.")
    (fact,) = facts_of([passage])[passage.id]
    assert fact.wording == "The call of May 2, 2022 was $29.6 million." and fact.around == "Sales rose."


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Alder Ridge Partners II, L.P. called capital. It was due.", 2),
        ("Halden Freight, Inc. grew by 3.5% in the U.S. market.", 1),
        ("We sold Penrose B.V. The price was 8.4 times EBITDA.", 2),
        ("Is it sound? No. 7 was paid.", 2),
        ("", 0),
    ],
)
def test_sentences(text: str, count: int) -> None:
    spans = sentences(text)
    assert len(spans) == count
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)
