from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.entities.coreference import (
    Alias,
    AliasTable,
    DefinedTerm,
    Join,
    Rule,
    defined_terms,
    document_joins,
    self_terms,
    substring_overlaps,
    variants,
)
from aethel_core.entities.filter import key_of
from aethel_core.types import DocumentType, Metadata

FUND = "NorthRiver Capital Partners IV, L.P."
FUND_KEY = "northriver capital partners iv lp"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (FUND, (FUND_KEY, "northriver capital partners iv", "northriver iv lp", "northriver iv")),
        ("Foot Locker, Inc.", ("foot locker inc", "foot locker")),
        ("JPMorgan Chase & Co.", ("jpmorgan chase & co", "jpmorgan chase")),
        ("Acme Limited Partnership", ("acme limited partnership", "acme")),
        ("Acme Holdings, Inc.", ("acme holdings inc", "acme holdings", "acme")),
        ("Nike", ("nike",)),
        ("General Partners LLC", ("general partners llc",)),
        ("S.A.", ("sa",)),
        ("", ()),
    ],
)
def test_variants(name: str, expected: tuple[str, ...]) -> None:
    assert variants(name) == expected


@given(st.text(max_size=40))
def test_variants_begin_with_the_key_itself(name: str) -> None:
    assert variants(name)[:1] == ((key_of(name),) if key_of(name) else ())


@pytest.mark.parametrize(
    ("text", "long", "short"),
    [
        ("reported Fee-Related Earnings (FRE) of", "Fee-Related Earnings", "FRE"),
        ("the Securities and Exchange Commission (the “SEC”)", "Securities and Exchange Commission", "SEC"),
        ("of return on invested capital (ROIC)", "return on invested capital", "ROIC"),
        ("granted restricted stock units (“RSUs”)", "restricted stock units", "RSUs"),
        ("In 2020 Johnson & Johnson (“J&J”) sold", "Johnson & Johnson", "J&J"),
        (
            "adjusted earnings before interest, taxes, depreciation and amortization (“EBITDA”)",
            "earnings before interest, taxes, depreciation and amortization",
            "EBITDA",
        ),
    ],
)
def test_acronyms_defined_in_brackets(text: str, long: str, short: str) -> None:
    assert defined_terms(text) == (DefinedTerm(long, short, Rule.ACRONYM),)


@pytest.mark.parametrize(
    "text",
    [
        "increased sharply (see Note 5)",
        "amounts (in millions)",
        "the table (USA)",
        "net loss (1,204)",
        "profit margin (XYZ)",
        "",
        "(",
        "(FRE)",
        "“Fund”",
    ],
)
def test_other_brackets_define_nothing(text: str) -> None:
    assert defined_terms(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        f"{FUND} (“NorthRiver IV”) called",
        f"{FUND}, a Delaware limited partnership (“NorthRiver IV”), called",
        f"{FUND} and its wholly owned subsidiaries (“NorthRiver IV”) called",
        f"{FUND} (together with its affiliates, “NorthRiver IV”) called",
    ],
)
def test_short_names_in_brackets(text: str) -> None:
    assert defined_terms(text) == (DefinedTerm(FUND, "NorthRiver IV", Rule.SHORT_NAME),)


def test_several_short_names_and_terms_defined_elsewhere() -> None:
    text = (
        f"{FUND} (“NorthRiver IV” or the “Fund”) pays the Management Company (as defined in the Agreement)."
    )
    assert defined_terms(text) == (
        DefinedTerm(FUND, "NorthRiver IV", Rule.SHORT_NAME),
        DefinedTerm(FUND, "Fund", Rule.SHORT_NAME),
        DefinedTerm("Management Company", "Management Company", Rule.SHORT_NAME),
    )


def test_tickers() -> None:
    assert defined_terms("NIKE, Inc. (NYSE: NKE) and Apple Inc. (Nasdaq GS: AAPL)") == (
        DefinedTerm("NIKE, Inc.", "NKE", Rule.TICKER),
        DefinedTerm("Apple Inc.", "AAPL", Rule.TICKER),
    )


def test_a_document_states_its_joins() -> None:
    metadata = Metadata(company="NIKE, Inc.", ticker="NKE", aliases=("Blue Ribbon Sports", "NIKE, Inc."))
    text = f"{FUND} (“NorthRiver IV” or the “Fund”). Fee-Related Earnings (FRE)."
    assert document_joins([text, text], metadata) == (
        Join("fee related earnings", "fre", Rule.ACRONYM),
        Join("nike inc", "blue ribbon sports", Rule.METADATA),
        Join("nike inc", "nke", Rule.TICKER),
        Join(FUND_KEY, "northriver iv", Rule.SHORT_NAME),
    )


@pytest.mark.parametrize(
    "text",
    [
        "Converse Inc. (the “Converse Acquisition”)",  # an event, not the company
        "Converse (the “Converse Land Contract”)",  # more than the name before it
        "Converse Inc. (the “Seller”)",
        "Converse Inc. (the “Target”)",  # a common word
        "Exhibit A (the “Award Terms”)",
    ],
)
def test_short_names_of_other_things_are_not_joined(text: str) -> None:
    assert document_joins([text], Metadata()) == ()


def test_self_terms_follow_the_definition() -> None:
    metadata = Metadata(company=FUND, type=DocumentType.LP_LETTER)
    own = f"{FUND} (the “Fund”) called. Acme Inc. (the “Company”) paid. " + "So the Company did. " * 3
    assert self_terms([own], metadata) == {"fund", "we", "us", "our"}


def test_self_terms_by_use_and_by_type() -> None:
    nike = Metadata(company="NIKE, Inc.", type=DocumentType.OTHER)
    assert self_terms(["the Company sold. In the Company, the Company", "the Fund"], nike) == {
        "company",
        "we",
        "us",
        "our",
    }
    assert self_terms(["the company"], nike) == frozenset()
    assert self_terms([], Metadata(company="NIKE, Inc.", type=DocumentType.TEN_K)) == {"we", "us", "our"}
    assert self_terms(["the Company the Company the Company"], Metadata()) == frozenset()


def test_substring_overlaps_by_hand() -> None:
    keys = [
        "northriver",
        "northriver iv lp",
        "iv",
        "capital partners",
        FUND_KEY,
        "new york",
        "new york times",
    ]
    assert substring_overlaps(keys) == (
        ("new york", "new york times"),
        ("northriver", FUND_KEY),
        ("northriver", "northriver iv lp"),
    )
    assert substring_overlaps([]) == ()


@given(
    st.lists(
        st.lists(st.sampled_from(["acme", "zeta", "iv", "lp", "target"]), min_size=1, max_size=5).map(
            " ".join
        )
    )
)
def test_overlaps_agree_with_naive_search(keys: list[str]) -> None:
    expected = {
        (a, b)
        for a in keys
        for b in keys
        if a != b and f" {a} " in f" {b} " and not set(a.split()) <= {"iv", "lp"} and a != "target"
    }
    assert set(substring_overlaps(keys)) == expected


def test_aliases_name_the_rule_that_joined_them() -> None:
    table = AliasTable(
        [FUND_KEY, "northriver", "fre"],
        [
            Join("fee related earnings", "fre", Rule.ACRONYM),
            Join(FUND_KEY, "project blue", Rule.SHORT_NAME),
        ],
    )
    assert table.aliases("fre") == (Alias("fee related earnings", Rule.ACRONYM),)
    assert table.aliases("project blue") == (
        Alias(FUND_KEY, Rule.SHORT_NAME),
        Alias("northriver capital partners iv", Rule.LEGAL_SUFFIX),
        Alias("northriver iv", Rule.LEGAL_SUFFIX),
        Alias("northriver iv lp", Rule.LEGAL_SUFFIX),
    )
    assert table.overlaps("northriver") == (Alias(FUND_KEY, Rule.SUBSTRING),)
    assert table.aliases("northriver") == table.aliases("nobody") == ()
    assert table.groups() == (
        ("fee related earnings", "fre"),
        ("northriver capital partners iv", FUND_KEY, "northriver iv", "northriver iv lp", "project blue"),
    )


def test_what_two_names_share_joins_nothing() -> None:
    joins = [
        Join("special purpose entity", "spe", Rule.ACRONYM),
        Join("solar power europe", "spe", Rule.ACRONYM),
        Join("clean water act", "cwa", Rule.ACRONYM),
        Join("clean water act of 1972", "cwa", Rule.ACRONYM),
    ]
    keys = ["acme holdings inc", "acme group inc", "zeta capital iv lp", "zeta real estate iv lp"]
    table = AliasTable(keys, joins)
    assert table.aliases("spe") == ()
    assert [a.key for a in table.aliases("cwa")] == ["clean water act", "clean water act of 1972"]
    assert [a.key for a in table.aliases("acme holdings inc")] == ["acme holdings"]
    assert [a.key for a in table.aliases("zeta capital iv lp")] == ["zeta capital iv"]


def test_the_table_does_not_depend_on_the_order() -> None:
    joins = [
        Join("b b", "a a", Rule.METADATA),
        Join("c c", "b b", Rule.ACRONYM),
        Join("c c", "d d", Rule.TICKER),
    ]
    one, other = AliasTable(["b b", "x x"], joins), AliasTable(["x x", "b b"], joins[::-1] + joins)
    assert one.joins == other.joins
    assert one.groups() == other.groups() == (("a a", "b b", "c c", "d d"),)
    assert one.aliases("a a") == other.aliases("a a")


@pytest.mark.parametrize(
    "text", ["(" * 20_000, "A (" * 5000, "(“A”)" * 5000, "Aa (AA) " * 5000, "\0(\0)", "🙂 (🙂)"]
)
def test_hostile_text_is_survived(text: str) -> None:
    document_joins([text], Metadata(company="Nike"))
    self_terms([text], Metadata(company="Nike"))
