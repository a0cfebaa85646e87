"""The data files: complete, consistent, and without two meanings for one name."""

from __future__ import annotations

from collections import defaultdict

import pytest

from aethel_core.errors import MissingData
from aethel_core.finance import dataset, formula
from aethel_core.finance.abbreviations import meanings
from aethel_core.finance.metrics import compute, inputs, line_items, metrics
from aethel_core.finance.thesaurus import groups
from aethel_core.finance.words import phrase
from aethel_core.types import Statement

UNITS = {
    "currency",
    "percent",
    "ratio",
    "multiple",
    "days",
    "months",
    "years",
    "per share",
    "score",
    "basis points",
}


def test_the_dictionary_is_as_large_as_promised() -> None:
    assert len(metrics()) >= 150
    assert len(line_items()) >= 120
    assert len(meanings()) >= 300
    assert len(groups()) >= 150


@pytest.mark.parametrize(("file", "key"), [("metrics", "metrics"), ("line_items", "line_items")])
def test_ids_are_unique(file: str, key: str) -> None:
    ids = [entry["id"] for entry in dataset.load(file)[key]]
    assert len(ids) == len(set(ids))


def test_a_metric_with_a_line_items_id_prefers_that_line_item() -> None:
    for metric in metrics().values():
        if metric.id in line_items():
            assert metric.formula == metric.id or metric.formula.startswith(f"either({metric.id},")


@pytest.mark.parametrize("metric", metrics().values(), ids=lambda m: m.id)
def test_every_formula_parses_and_stands_on_line_items(metric) -> None:
    names = formula.names(formula.parse(metric.formula))
    assert names
    assert all(name in line_items() or name in metrics() for name in names)
    assert metric.line_items
    assert set(metric.line_items) <= set(line_items())


@pytest.mark.parametrize("metric", metrics().values(), ids=lambda m: m.id)
def test_every_metric_has_a_value_when_all_inputs_have_one(metric) -> None:
    # Distinct values, so that no difference or growth is zero.
    values = {key: 100.0 + 7 * n for n, key in enumerate(inputs(metric))}
    values["years"] = 3.0
    assert isinstance(compute(metric, values), float)


@pytest.mark.parametrize("metric", metrics().values(), ids=lambda m: m.id)
def test_every_metric_has_a_unit_an_area_and_a_name_to_be_asked_by(metric) -> None:
    assert metric.unit in UNITS
    assert metric.area in {"accounting", "credit", "valuation", "fund"}
    assert metric.names or metric.id in line_items()


def test_no_name_belongs_to_two_metrics() -> None:
    owners = defaultdict(set)
    for metric in metrics().values():
        for name in (*metric.names, *metric.cased, *metric.fund_only):
            owners[phrase(name)].add(metric.id)
    assert {name: ids for name, ids in owners.items() if len(ids) > 1} == {}


def test_no_name_of_a_metric_loses_its_percent_sign_to_become_one_plain_word() -> None:
    for metric in metrics().values():
        for name in metric.names:
            assert len(phrase(name)) > 1 or phrase(name) == phrase(name, keep_percent=True), name


def test_no_row_header_denotes_two_line_items() -> None:
    owners = defaultdict(set)
    for item in line_items().values():
        for wording in (*item.wordings, *item.row_only):
            if "*" not in wording:
                owners[phrase(wording, keep_percent=True)].add(item.id)
    assert {wording: ids for wording, ids in owners.items() if len(ids) > 1} == {}


def test_no_question_wording_belongs_to_two_line_items() -> None:
    owners = defaultdict(set)
    for item in line_items().values():
        for wording in (*item.wordings, *item.asked, *item.cased, *item.fund_only):
            if "*" not in wording:
                owners[phrase(wording)].add(item.id)
    assert {wording: ids for wording, ids in owners.items() if len(ids) > 1} == {}


def test_every_statement_has_line_items() -> None:
    shown = {statement for item in line_items().values() for statement in item.statements}
    assert shown == set(Statement)


def test_every_statement_has_names() -> None:
    names = dataset.load("question_words")["statements"]
    assert set(names) == {statement.value for statement in Statement}
    assert all(len(wordings) >= 5 for wordings in names.values())


def test_abbreviations_are_listed_once_per_meaning_and_end_with_a_usual_one_where_possible() -> None:
    pairs = [(m.short, m.long) for m in meanings()]
    assert len(pairs) == len(set(pairs))
    without_context = defaultdict(int)
    for meaning in meanings():
        without_context[meaning.short] += not meaning.near
    assert {short for short, count in without_context.items() if count > 1} == set()


def test_no_two_groups_of_the_thesaurus_look_for_the_same_wording() -> None:
    heads = [group[0].lower() for group in groups()]
    assert len(heads) == len(set(heads))
    assert all(len(group) >= 2 and len(set(group)) == len(group) for group in groups())


def test_a_data_file_that_is_missing_or_of_another_format_is_refused(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(dataset, "_FOLDER", tmp_path)
    (tmp_path / "old.json").write_text('{"format": 0}')
    (tmp_path / "broken.json").write_text("{")
    for name in ("absent", "old", "broken"):
        with pytest.raises(MissingData):
            dataset.load(name)
