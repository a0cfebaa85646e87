from __future__ import annotations

import math

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi
from sklearn.feature_extraction.text import TfidfVectorizer

from aethel_core.index import Segment
from aethel_core.index.lexical import LexicalField, TermCounts, bm25_weights, tfidf_weights
from aethel_core.retrievers.bm25 import BM25, FORMS_WEIGHT
from aethel_core.types import Metadata, Query
from tests.corpora import index, segment

WORDS = st.sampled_from(["fund", "letter", "capital", "call", "nav", "debt", "bank", "loan", "tower", "note"])
CORPORA = st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=2, max_size=12)


def field_of(token_lists) -> LexicalField:
    # Two segments, as an index has them, so that vocabularies are really joined.
    return LexicalField.joined([TermCounts.of_tokens(token_lists[:1]), TermCounts.of_tokens(token_lists[1:])])


def scores(field: LexicalField, weights, terms) -> np.ndarray:
    return sum(
        (weights[:, [column]].toarray()[:, 0] for _, column in field.columns(terms)), np.zeros(field.size)
    )


def test_lucene_weight_by_hand() -> None:
    field = field_of([["fund", "fund", "letter"], ["bank"]])
    weights = bm25_weights(field, k1=1.2, b=0.75, variant="lucene")
    # N = 2, df = 1, idf = ln(1 + 1.5/1.5); length 3 of an average of 2; tf 2.
    expected = math.log(2) * 2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert weights[0, field.vocabulary["fund"]] == pytest.approx(expected)


@settings(max_examples=60, deadline=None)
@given(CORPORA, st.lists(WORDS, min_size=1, max_size=5))
def test_okapi_agrees_with_rank_bm25(token_lists, terms) -> None:
    field = field_of(token_lists)
    weights = bm25_weights(field, k1=1.5, b=0.75, variant="okapi")
    reference = BM25Okapi(token_lists, k1=1.5, b=0.75).get_scores(terms)
    assert scores(field, weights, terms) == pytest.approx(reference, abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(CORPORA, st.lists(WORDS, min_size=1, max_size=5, unique=True))
def test_lucene_agrees_with_bm25s(token_lists, terms) -> None:
    field = field_of(token_lists)
    known = [term for term in terms if term in field.vocabulary]
    reference = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    reference.index(token_lists, show_progress=False)
    expected = reference.get_scores(known) if known else np.zeros(len(token_lists))
    weights = bm25_weights(field, k1=1.2, b=0.75, variant="lucene")
    assert scores(field, weights, terms) == pytest.approx(expected, abs=1e-5)


@settings(max_examples=30, deadline=None)
@given(CORPORA)
def test_tfidf_agrees_with_scikit_learn(token_lists) -> None:
    field = field_of(token_lists)
    weights, _ = tfidf_weights(field)
    vectorizer = TfidfVectorizer(analyzer=lambda tokens: tokens)
    expected = vectorizer.fit_transform(token_lists).toarray()
    ours = weights.toarray()[:, [field.vocabulary[t] for t in vectorizer.get_feature_names_out()]]
    assert ours == pytest.approx(expected, abs=1e-12)


def test_empty_field() -> None:
    field = LexicalField.joined([])
    assert field.size == 0
    assert bm25_weights(field, k1=1.2, b=0.75, variant="lucene").shape == (0, 0)


def test_other_forms_stand_beside_the_text() -> None:
    made = segment("eps.pdf", Metadata("Acme Corp"), ["EPS rose to $1.2 billion in fiscal 2022.", "Nothing."])
    again = Segment.from_bytes(made.to_bytes())
    assert again.forms.terms == made.forms.terms
    field = index(again).forms
    assert {"1200000000", "fy2022"} <= set(field.vocabulary) and field.counts[[1]].nnz == 0
    assert "1200000000" not in index(again).body.vocabulary
    bm25 = BM25(index(again))
    plain, asked = Query("FY2022"), Query("FY2022", forms=True)
    assert bm25.search(plain, 5).hits == ()
    (hit,) = bm25.search(asked, 5).hits
    assert hit.passage_id == made.passage_ids[0]
    (part,) = bm25.contributions(asked)
    assert part[:2] == ("fy2022", "other forms")
    # ln(1 + (2 − 1 + .5) / (1 + .5)) · tf / (tf + 1.2 · (.25 + .75 · length / average)), by FORMS_WEIGHT
    length = float(field.lengths[0])
    expected = FORMS_WEIGHT * math.log(2) / (1 + 1.2 * (0.25 + 0.75 * length / (length / 2)))
    assert hit.score == pytest.approx(expected)
