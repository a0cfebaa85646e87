"""Features of a small corpus worked out by hand, the model over them, and how its weights are learned."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from aethel_core.errors import InvalidInput, MissingData, UnknownPassage
from aethel_core.rerankers import training
from aethel_core.rerankers.features import (
    FAST,
    NAMES,
    READ,
    Features,
    quarter_named,
    type_id,
    types_named,
)
from aethel_core.rerankers.learned import SHIPPED, Learned, Model, Models, shipped
from aethel_core.rerankers.training import Example, fit, held_out, ranked_pages
from aethel_core.retrievers.bm25 import BM25
from aethel_core.retrievers.dense import QueryVectors
from aethel_core.retrievers.hybrid import Hybrid
from aethel_core.types import DocumentType, Hit, Metadata, Query, Ranking
from tests.corpora import document_of, index, segment
from tests.rerankers.made import ACME, BOLT, corpus, lookup, ranking
from tests.standins import HashEmbedder

INDEX = corpus()
FEATURES = Features(INDEX, Hybrid(INDEX, QueryVectors(HashEmbedder())), BM25(INDEX))
ROWS = np.arange(INDEX.size)


def values(question: str | Query, feature: str) -> dict[str, float]:
    """A feature of every passage, by file and number: "acme 3"."""
    query = Query(question) if isinstance(question, str) else question
    column = FEATURES.all(query, ROWS)[:, NAMES.index(feature)]
    files = {document_of(ACME): "acme", document_of(BOLT): "bolt"}
    keys = [f"{files[each[:16]]} {int(each[17:])}" for each in INDEX.ids]
    return dict(zip(keys, column, strict=True))


WORKING = "What is the working capital of Acme Corp in FY2022?"


def test_every_feature_is_a_share() -> None:
    for question in (WORKING, "Why did selling expenses rise in Q2 2021?", "Do they expect growth?", "zzz"):
        matrix = FEATURES.all(Query(question), ROWS)
        assert matrix.shape == (INDEX.size, len(NAMES))
        assert np.isfinite(matrix).all()
        assert matrix.min() >= 0
        assert matrix.max() <= 1 + 1e-9


def test_fast_features_are_the_first_of_all() -> None:
    query = Query(WORKING)
    assert np.array_equal(FEATURES.fast(query, ROWS), FEATURES.all(query, ROWS)[:, : len(FAST)])
    assert len(NAMES) == len(FAST) + len(READ) == len(set(NAMES))


def test_rows_do_not_depend_on_each_other() -> None:
    query = Query(WORKING)
    assert np.allclose(FEATURES.all(query, np.array([5, 2])), FEATURES.all(query, ROWS)[[5, 2]])


def test_line_items_on_the_page() -> None:
    found = values(WORKING, "line items on page")
    # Working capital needs two items: Acme's balance sheet has both, Bolt's only the assets.
    assert found["acme 3"] == 1.0
    assert found["bolt 1"] == 0.5
    assert found["acme 4"] == 0.0


def test_statement_implied_or_named() -> None:
    implied, named = values(WORKING, "statement implied"), values(WORKING, "statement named")
    assert max(implied, key=implied.get) in ("acme 3", "bolt 1")
    assert set(named.values()) == {0.0}
    asked = WORKING + " Use the balance sheet."
    assert set(values(asked, "statement implied").values()) == {0.0}
    assert values(asked, "statement named")["acme 3"] > 0.9


def test_quarter_of_the_filing() -> None:
    annual = values(WORKING, "quarter")
    assert (annual["acme 0"], annual["bolt 0"]) == (1.0, 0.0)
    quarterly = values("Revenue in Q2 2021?", "quarter")
    assert (quarterly["acme 0"], quarterly["bolt 0"]) == (0.0, 1.0)
    assert set(values("Revenue?", "quarter").values()) == {0.0}


def test_type_of_the_filing_can_be_switched_off() -> None:
    asked = Query("What does the 10-Q say of fasteners?")
    assert values(asked, "document type")["bolt 0"] == 1.0
    assert values(asked, "document type")["acme 0"] == 0.0
    muted = Query(asked.text, muted=frozenset({type_id(DocumentType.TEN_Q)}))
    assert set(values(muted, "document type").values()) == {0.0}


def test_reasons_only_where_they_are_asked_for() -> None:
    why = values("What drove selling expenses in 2022?", "reasons")
    # "due to", "primarily" and "driven by": three cues, 3 / 4.
    assert why["acme 1"] == 0.75
    assert why["acme 0"] == 0.0
    assert set(values("What were selling expenses in 2022?", "reasons").values()) == {0.0}


def test_outlook_only_where_it_is_asked_for() -> None:
    assert values("Is demand expected to grow?", "outlook")["acme 2"] == 0.5
    assert set(values("Did demand grow?", "outlook").values()) == {0.0}


def test_year_in_the_text_unless_it_is_switched_off() -> None:
    query = Query("What were selling expenses in FY2022?")
    assert values(query, "year in text")["acme 1"] == 1.0
    assert values(query, "year in text")["acme 0"] == 0.0
    muted = Query(query.text, muted=frozenset({"period:fy2022"}))
    assert set(values(muted, "year in text").values()) == {0.0}


def test_phrases_are_shares_of_the_word_pairs() -> None:
    assert values("anvil demand to grow", "phrases")["acme 2"] == 1.0


def test_together_is_the_score_of_hybrid_as_a_share_of_the_best() -> None:
    scores = FEATURES.hybrid.score(Query(WORKING)).values
    column = FEATURES.all(Query(WORKING), ROWS)[:, NAMES.index("together")]
    np.testing.assert_allclose(column, scores / scores.max(), rtol=1e-12)


def test_the_day_asked_about_stands_in_the_passage_or_at_the_head_of_its_document() -> None:
    told = index(
        segment(ACME, Metadata("Acme Corp"), ["Report of August 30, 2023", *["More of it."] * 3]),
        segment(BOLT, Metadata("Bolt Industries"), ["Report", "Paid on August 3, 2023."]),
    )
    features = Features(told, Hybrid(told, QueryVectors(HashEmbedder())), BM25(told))

    def dated(question: str) -> dict[str, float]:
        column = features.all(Query(question), np.arange(told.size))[:, NAMES.index("dated")]
        return {each: value for each, value in zip(told.ids, column, strict=True) if value}

    first, *others = (each for each in told.ids if each.startswith(document_of(ACME)))
    assert dated("What was sold as of August 30, 2023?") == {first: 1.0, **dict.fromkeys(others, 0.5)}
    assert dated("What was sold in August 2023, FY2023?") == {}


def test_a_question_that_says_little_of_filings_keeps_the_order_of_hybrid() -> None:
    asked = Query("Who sells anvils to coyotes?")
    assert FEATURES.ground(asked) == 0
    hybrid = FEATURES.hybrid.search(asked, INDEX.size)
    backwards = Ranking("hybrid", tuple(Hit(hit.passage_id, 0.5) for hit in reversed(hybrid.hits)))
    for model, reads in ((shipped().fast, False), (shipped().full, True)):
        ranker = Learned(FEATURES, model, reads=reads)
        found = ranker.rerank(asked, backwards, lookup, INDEX.size)
        assert found.ids == hybrid.ids
        assert [part.feature for part in ranker.account(asked, hybrid.ids[0])] == ["together"]


@pytest.mark.parametrize(
    ("question", "quarter"),
    [("revenue in Q3 2022", 3), ("first quarter of 2021", 1), ("H1 FY2023", 2), ("FY2022", None), ("", None)],
)
def test_quarter_named(question: str, quarter: int | None) -> None:
    assert quarter_named(question) == quarter


def test_types_named() -> None:
    assert types_named("According to the 10K and the earnings release") == (
        DocumentType.TEN_K,
        DocumentType.EARNINGS,
    )
    assert types_named("revenue") == ()


# --- the model ----------------------------------------------------------------------------------


def test_the_score_is_the_sum_of_its_account() -> None:
    ranker = Learned(FEATURES, shipped().full, reads=True)
    query = Query(WORKING)
    found = ranker.rerank(query, ranking(*INDEX.ids), lookup, 3)
    for hit in found.hits:
        parts = ranker.account(query, hit.passage_id)
        assert hit.score == pytest.approx(sum(part.value * part.weight for part in parts))
    assert len(found.hits) == 3


def test_scores_do_not_depend_on_the_company_kept() -> None:
    ranker = Learned(FEATURES, shipped().fast, reads=False)
    query = Query(WORKING)
    whole = {hit.passage_id: hit.score for hit in ranker.rerank(query, ranking(*INDEX.ids), lookup, 9).hits}
    part = ranker.rerank(query, ranking(*INDEX.ids[2:4]), lookup, 9)
    assert all(hit.score == pytest.approx(whole[hit.passage_id]) for hit in part.hits)


def test_unknown_passages_are_refused() -> None:
    ranker = Learned(FEATURES, shipped().fast, reads=False)
    with pytest.raises(UnknownPassage):
        ranker.rerank(Query("x"), ranking("gone:00000"), lookup, 3)
    with pytest.raises(UnknownPassage):
        ranker.account(Query("x"), "gone:00000")
    with pytest.raises(InvalidInput):
        ranker.rerank(Query("x"), ranking(), lookup, 0)
    assert ranker.rerank(Query("x"), ranking(), lookup, 3).hits == ()


def test_a_model_file_comes_back_as_it_went() -> None:
    models = Models(Model(("text",), (1.5,)), Model(("text", "words"), (0.0, 2.0)))
    assert Models.from_json(models.to_json({"questions": 3})) == models


def test_the_shipped_weights_fit_the_features() -> None:
    data = json.loads(SHIPPED.read_text(encoding="utf-8"))
    assert tuple(data["full"]) == NAMES
    assert tuple(data["fast"]) == NAMES[: len(FAST)]
    assert data["trained"]["questions"] > 0


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 9}', '{"format": 1, "fast": {"a": "b"}, "full": {}}']
)
def test_files_that_are_no_models(text: str) -> None:
    with pytest.raises(MissingData):
        Models.from_json(text)


def test_weights_that_cannot_be() -> None:
    with pytest.raises(InvalidInput):
        Model(("text",), (-1.0,))
    with pytest.raises(InvalidInput):
        Model(("text",), (math.nan,))
    with pytest.raises(InvalidInput):
        Model(("text",), (1.0, 2.0))
    with pytest.raises(InvalidInput, match="moon phase"):
        Model(("moon phase",), (1.0,)).aligned(NAMES)


# --- learning -----------------------------------------------------------------------------------


def example(rows: list[tuple[int, float, float]], right: int, group: str = "a") -> Example:
    """From (page, feature 1, feature 2)."""
    return Example.of(
        np.array([[a, b] for _, a, b in rows]), np.array([page for page, *_ in rows]), {right}, group
    )


USEFUL = [
    example([(1, 0.9, 0.2), (2, 0.1, 0.9), (2, 0.3, 0.1), (3, 0.2, 0.4)], 1, "a"),
    example([(1, 0.2, 0.9), (2, 0.8, 0.1), (3, 0.1, 0.1)], 2, "b"),
    example([(5, 0.7, 0.5), (7, 0.6, 0.9)], 5, "c"),
]


def test_it_learns_which_feature_tells() -> None:
    weights = fit(USEFUL)
    assert weights[0] > 1
    assert weights[1] == 0.0  # it speaks for the wrong pages, and may not be negative
    assert [ranked_pages(each, weights)[0] for each in USEFUL] == [1, 2, 5]


def test_a_page_scores_as_its_best_passage() -> None:
    both = example([(1, 0.1, 0.0), (1, 0.9, 0.0), (2, 0.5, 0.0)], 1)
    assert ranked_pages(both, np.array([1.0, 0.0])) == (1, 2)


def test_the_loss_of_two_pages_by_hand() -> None:
    pages = [training._Pages.of(example([(1, 1.0, 0.0), (2, 0.0, 0.0)], 1))]
    value, _ = training._loss(np.array([2.0, 0.0]), pages, 0.1)
    assert value == pytest.approx(-math.log(math.e**2 / (math.e**2 + 1)) + 0.1 * 4)


def test_the_slope_is_that_of_the_loss() -> None:
    pages = [training._Pages.of(each) for each in USEFUL]
    at = np.array([0.7, 1.3])
    _, slope = training._loss(at, pages, 0.01)
    numeric = approx_fprime(at, lambda w: training._loss(w, pages, 0.01)[0], 1e-7)
    assert slope == pytest.approx(numeric, abs=1e-5)


def test_held_out_leaves_the_group_out() -> None:
    a, b, c = held_out(USEFUL)
    assert np.array_equal(a, fit(USEFUL[1:]))
    assert np.array_equal(b, fit([USEFUL[0], USEFUL[2]]))
    assert np.array_equal(c, fit(USEFUL[:2]))


def test_narrowing_keeps_the_right_page() -> None:
    narrow = example([(1, 0.0, 0.0), (2, 0.9, 0.9), (3, 0.5, 0.5)], 1).narrowed(1)
    assert narrow.pages.tolist() == [1, 2]


def test_nothing_to_learn_from() -> None:
    with pytest.raises(MissingData):
        fit([example([(1, 0.5, 0.5)], 9)])
    with pytest.raises(MissingData):
        held_out([USEFUL[0]])
