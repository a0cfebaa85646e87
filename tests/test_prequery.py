"""What is made of a question: every chip, and what switching it does to the query."""

from __future__ import annotations

import pytest

from aethel_core.errors import EmptyQuery, ModelUnavailable
from aethel_core.finance.metrics import needed
from aethel_core.prequery import Chip, ChipKind, Prequery, QueryView, Steps, template
from aethel_core.retrievers.recognition import Recognition
from aethel_core.types import DocumentType, Filters, Metadata, Query
from tests.corpora import index, segment
from tests.rerankers.made import corpus

INDEX = corpus()
PREQUERY = Prequery(INDEX, Recognition(INDEX))


def chips(question: str, kind: ChipKind, **options) -> list[Chip]:
    return [chip for chip in PREQUERY.view(question, **options).chips if chip.kind is kind]


def test_a_plain_question_is_left_alone() -> None:
    assert PREQUERY.view("what about coyotes").query() == Query("what about coyotes")


def test_company_period_and_type_are_seen() -> None:
    view = PREQUERY.view("What was revenue of Acme Corp in FY2022 according to the 10-K?")
    seen = {chip.kind: chip for chip in view.chips if chip.on}
    assert seen[ChipKind.COMPANY].label == "Acme Corp"
    assert seen[ChipKind.COMPANY].phrase == "acme corp"
    assert seen[ChipKind.PERIOD].label == "FY2022"
    assert seen[ChipKind.DOCUMENT_TYPE].label == "10-K"
    assert view.query().muted == frozenset()


def test_a_chip_switched_off_mutes_its_nodes() -> None:
    view = PREQUERY.view("What was revenue of Acme Corp in FY2022?")
    company = next(chip for chip in view.chips if chip.kind is ChipKind.COMPANY)
    query = view.switched({company.id}).query()
    assert query.muted == frozenset(company.entities)
    assert view.switched({company.id}).switched({company.id}).query() == view.query()


def test_a_metric_switched_off_keeps_what_another_needs() -> None:
    view = PREQUERY.view("What are the current ratio and the working capital?")
    metric = next(chip for chip in view.chips if chip.kind is ChipKind.METRIC)
    assert view.switched({metric.id}).query().muted == frozenset()
    every = {chip.id for chip in view.chips if chip.kind is ChipKind.METRIC}
    assert view.switched(every).query().muted == frozenset(metric.entities)


def test_a_misspelt_company_and_word() -> None:
    view = PREQUERY.view("fasteners of Bolt Industires in the dessert")
    assert [chip.label for chip in view.chips if chip.kind is ChipKind.SPELLING] == [
        "Industires → Industries",
        "dessert → desert",
    ]
    assert view.query().text == "fasteners of Bolt Industries in the desert"
    assert "Bolt Industries" in [chip.label for chip in view.chips if chip.kind is ChipKind.COMPANY]
    spelling = {chip.id for chip in view.chips if chip.kind is ChipKind.SPELLING}
    assert view.switched(spelling).query().text == view.question


@pytest.mark.parametrize("question", ["the capex of Acme", "EBITDA of Acme"])
def test_words_of_finance_are_no_misspellings(question: str) -> None:
    assert chips(question, ChipKind.SPELLING) == []


def test_steps_that_do_not_count_are_there_but_off() -> None:
    question = "How much SG&A did Acme Corp have?"
    (chip,) = chips(question, ChipKind.ABBREVIATION)
    assert not chip.on
    assert chip.label == "SG&A = selling, general and administrative"
    view = PREQUERY.view(question)
    assert view.query().expansions == ()
    assert view.switched({chip.id}).query().expansions == ("selling, general and administrative",)
    assert chips(question, ChipKind.ABBREVIATION, steps=Steps(abbreviations=True))[0].on


def test_units_are_written_as_tables_print_them() -> None:
    (chip,) = chips("a repayment of $1.2bn", ChipKind.UNIT)
    assert chip.words == ("1200000000", "1200000", "1200")
    assert chip.label == "$1.2bn = 1,200,000,000"


def test_normalised_text_replaces_the_question_only_when_on() -> None:
    question = "revenue in fiscal 22"
    (chip,) = chips(question, ChipKind.NORMALISED)
    assert chip.label == "revenue in FY2022"
    view = PREQUERY.view(question)
    assert view.text == question
    assert view.switched({chip.id}).text == "revenue in FY2022"


def test_a_paraphrase_adds_only_new_words() -> None:
    found = chips(
        "anvil", ChipKind.PARAPHRASE, steps=Steps(paraphrases=True), rephrase=lambda _: "- forged anvils\n"
    )
    assert [(chip.label, chip.words) for chip in found] == [("forged anvils", ("forged",))]


def test_keywords_are_words_of_the_corpus() -> None:
    assert [chip.label for chip in chips("anvils and zeppelins", ChipKind.KEYWORD)] == ["anvils"]


def test_a_model_is_asked_only_where_the_step_counts() -> None:
    asked: list[str] = []
    remember = lambda q: asked.append(q) or "x"  # noqa: E731
    PREQUERY.view("anvils", extract=remember, imagine=remember, rephrase=remember)
    assert asked == []
    found = chips(
        "anvils", ChipKind.KEYWORD, steps=Steps(keywords=True), extract=lambda q: "- inventory\nanvils\n"
    )
    assert [(chip.label, chip.words) for chip in found] == [
        ("inventory", ("inventory",)),
        ("anvils", ("anvils",)),
    ]
    (chip,) = chips(
        "anvils", ChipKind.HYPOTHESIS, steps=Steps(hypothesis=True), imagine=lambda q: f"About {q}."
    )
    assert (chip.label, chip.on) == ("About anvils.", True)


def test_a_model_that_is_away_leaves_the_template_and_a_note() -> None:
    def away(question: str) -> str:
        raise ModelUnavailable("the model is away.")

    question = "What is the working capital in FY2022?"
    view = PREQUERY.view(question, Steps(hypothesis=True), imagine=away)
    assert view.notes == ("The passage made without the model this time: the model is away.",)
    (chip,) = (chip for chip in view.chips if chip.kind is ChipKind.HYPOTHESIS)
    assert chip.label == template(question, needed(question))


def test_templates() -> None:
    question = "What is the working capital in FY2022?"
    assert template(question, needed(question)) == (
        "Consolidated balance sheet. year ended 2022, 2021. Total current assets, Total current liabilities"
    )
    why = "What drove net income in FY2022?"
    assert template(why, needed(why)).endswith(
        "in fiscal 2022 changed compared with the prior year, primarily due to"
    )
    assert template("Who is it?", needed("Who is it?")) == ""


def test_routing_as_a_hard_filter() -> None:
    view = PREQUERY.view("Revenue of Acme Corp in FY2022 in the 10-K?")
    assert view.as_filters(Filters(), INDEX) == Filters(("Acme Corp",), (2022,), (DocumentType.TEN_K,))
    kept = Filters(companies=("Bolt Industries",))
    assert view.as_filters(kept, INDEX).companies == ("Bolt Industries",)
    off = view.switched({chip.id for chip in view.chips if chip.on})
    assert off.as_filters(Filters(), INDEX) == Filters()


def test_ids_are_stable_and_unique() -> None:
    question = "SG&A and SG&A of Acme Corp in FY2022, $3m, $3m, working capital and current ratio"
    first, second = PREQUERY.view(question), PREQUERY.view(question)
    assert first == second
    assert len({chip.id for chip in first.chips}) == len(first.chips)


def test_filters_are_carried_along() -> None:
    filters = Filters(years=(2022,))
    assert PREQUERY.view("anvils").query(filters).filters == filters


@pytest.mark.parametrize("question", ["", "  \n"])
def test_no_question(question: str) -> None:
    with pytest.raises(EmptyQuery):
        PREQUERY.view(question)


@pytest.mark.parametrize("question", ["???", "\x00", "a" * 5000, "(3.4) %% <b>", "ＦＹ２２ revenue", "ﬁscal"])
def test_odd_questions(question: str) -> None:
    view = PREQUERY.view(question)
    assert isinstance(view, QueryView)
    everything = view.switched({chip.id for chip in view.chips if not chip.on})
    assert everything.query().text.strip() or not question.strip("\x00 ")


def test_an_ordinary_word_is_no_company_misspelt() -> None:
    cold = index(segment("cold.pdf", Metadata("Cold Storage Corp"), ["Warehouses are leased."]))
    prequery = Prequery(cold, Recognition(cold))
    labels = [chip.label for chip in prequery.view("By how much could Cold Storgae grow?").of("spelling")]
    assert labels == ["Storgae → Storage"]


def test_evidence_from_two_statements_is_asked_for_only_by_a_metric() -> None:
    assert not chips("the income statement and the balance sheet of Acme", ChipKind.TOGETHER)
    (chip,) = chips("return on assets of Acme in FY2022", ChipKind.TOGETHER)
    assert (chip.label, chip.on) == ("income statement and balance sheet", True)


def test_a_company_whose_name_looks_like_a_figure_is_no_unit() -> None:
    told = index(segment("3m.pdf", Metadata("3M Company"), ["Capital expenditure rose."]))
    view = Prequery(told, Recognition(told)).view("Did 3M spend over 2M in FY2018?")
    assert [chip.label for chip in view.chips if chip.kind is ChipKind.COMPANY] == ["3M Company"]
    assert [chip.phrase for chip in view.chips if chip.kind is ChipKind.UNIT] == ["2M"]
