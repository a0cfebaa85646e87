"""Normalisation: one form, reached once, and always the way back."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aethel_core.finance.normalise import correct_typos, corrected, extra_terms, normalise, plain_number

PIECES = st.sampled_from(
    [
        *(
            "$1,204.3m",
            "1.2bn",
            "(3.4)",
            "−3.4",
            "12.5 %",
            "15 bps",
            "2.1x",
            "3–5 million",
            "0.5",
            "1",
            ",000",
        ),
        *(
            "FY22",
            "fiscal 2022",
            "Q3'23",
            "third quarter of 2022",
            "LTM",
            "H1 FY2023",
            "June 30, 2022",
            "2022",
        ),
        *("FY17-FY19", "between 2018 and 2020", "one hundred and twenty million", "USD", "€", "$", "(", ")"),
        *("-", "–", ".", ",", "and", "to", "of", "per share", "million", "revenue", "WHAT IS THE REVENUE"),
        *("’", "“x”", "ﬁscal", "10-K", "Note 5", "%", "'", "/"),
    ]
)
TEXTS = st.one_of(
    st.text(max_size=50),
    st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "  ", "\n", "\u00a0"])), max_size=8).map(
        lambda pairs: "".join(piece + gap for piece, gap in pairs)
    ),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  What’s  the\u00a0revenue ? ", "What's the revenue ?"),
        ("$1,204.3m", "USD 1204300000"),
        ("1M", "1000000"),
        ("(3.4)", "-3.4"),
        ("12.5 % and 15bps", "12.5% and 15 bps"),
        ("$3–5 million", "USD 3000000–USD 5000000"),
        ("$1.25 per share", "USD 1.25 per share"),
        ("one hundred and twenty million", "120000000"),
        ("FY22 vs fiscal 2021", "FY2022 vs FY2021"),
        ("Q3'23 and the third quarter of 2022", "Q3 FY2023 and the Q3 FY2022"),
        ("1H23, trailing twelve months", "H1 FY2023, LTM"),
        ("FY17-FY19", "FY2017 to FY2019"),
        ("between FY2015 and fiscal 2016", "between FY2015 and FY2016"),
        ("June 30, 2022 and 2021", "June 30, 2022 and 2021"),
        ("WHAT IS THE EPS OF PFIZER IN FY22?", "what is the EPS of pfizer in FY2022?"),
        ("proﬁt", "profit"),
        ("", ""),
    ],
)
def test_one_form(text: str, expected: str) -> None:
    assert normalise(text).text == expected


@given(TEXTS)
@settings(max_examples=400, deadline=None)
@example("2 .5bn")
@example("(FY22)(3.4)")
@example("İ ŁONG WORDS IN CAPITALS")
def test_normalising_again_changes_nothing(text: str) -> None:
    once = normalise(text).text
    assert normalise(once).text == once


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_every_span_leads_back(text: str) -> None:
    result = normalise(text)
    assert len(result.spans) == len(result.text)
    before = 0
    for position, (start, end) in enumerate(result.spans):
        assert 0 <= start < end <= len(text)
        assert start >= before  # order is kept
        before = start
        assert result.original(position, position + 1) == (start, end)
    if result.text:
        start, end = result.original(0, len(result.text))
        # What lies outside is white space or what has no width.
        outside = text[:start] + text[end:]
        assert not any(c.isalnum() for c in outside)


def test_the_way_back_of_a_figure() -> None:
    text = "Revenue  of $1,204.3m in FY22"
    result = normalise(text)
    start = result.text.index("USD 1204300000")
    assert text[slice(*result.original(start, start + len("USD 1204300000")))] == "$1,204.3m"
    assert result.original(0, 0) == (0, 0)
    assert result.original(len(result.text), len(result.text)) == (len(text), len(text))


VOCABULARY = {
    "revenue",
    "operating",
    "margin",
    "pfizer",
    "adobe",
    "amortization",
    "inventory",
    "trail",
    "trial",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the revnue?", "What is the revenue?"),
        ("oprating margn of Pfzer", "operating margin of Pfizer"),
        ("invnetroy levels", "inventory levels"),
        ("the margins", "the margins"),  # a plural is known
        ("amortisation", "amortisation"),  # a British spelling is known
        ("tril", "tril"),  # too short
        ("trall", "trail"),
        ("traal", "traal"),  # trail or trial
        ("REVNUE", "REVNUE"),  # an abbreviation, for all we know
        ("Nordea grew", "Nordea grew"),
    ],
)
def test_typing_errors(text: str, expected: str) -> None:
    assert corrected(text, correct_typos(text, VOCABULARY)) == expected


def test_a_correction_says_what_it_did() -> None:
    (correction,) = correct_typos("its revnue", ["revenue", "margin"])
    assert (correction.start, correction.end, correction.text) == (4, 10, "revnue")
    assert (correction.replacement, correction.distance) == ("revenue", 1)


@given(st.text(max_size=40))
def test_corrections_lie_in_the_text(text: str) -> None:
    for each in correct_typos(text, VOCABULARY):
        assert text[each.start : each.end] == each.text
        assert each.replacement.lower() in VOCABULARY


def test_extra_terms() -> None:
    text = "EPS rose. Sales were $1.2 billion in fiscal 2022, free cash flow (FCF) 300,000."
    assert extra_terms(text) == ("earnings per share", "1200000000", "FY2022")
    assert extra_terms("Nothing of the kind.") == ()
    assert len(extra_terms(" ".join(f"${n}.1 million" for n in range(1, 200)))) == 64


@given(st.text(max_size=60))
def test_extra_terms_are_distinct(text: str) -> None:
    terms = extra_terms(text)
    assert len(terms) == len(set(terms))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (1204300000.0, "1204300000"),
        (0.5, "0.5"),
        (-3.4, "-3.4"),
        (0.0, "0"),
        (1e12, "1000000000000"),
        (-1e-9, "0"),
    ],
)
def test_plain_numbers(value: float, written: str) -> None:
    assert plain_number(value) == written
