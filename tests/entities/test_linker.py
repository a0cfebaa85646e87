from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.entities.coreference import AliasTable, Join, Rule
from aethel_core.entities.linker import Linker, LinkResult
from aethel_core.entities.matcher import Matcher

FUND = "northriver capital partners iv lp"
KEYS = [
    FUND,
    "northriver",
    "target",
    "kraft heinz",
    "new york",
    "new york times",
    "fre",
    "adidas",
    "nike",
    "foot locker inc",
    "general mills",
    "digital media",
]
JOINS = [
    Join("fee related earnings", "fre", Rule.ACRONYM),
    Join(FUND, "cedar", Rule.SHORT_NAME),
    Join("kraft heinz", "cedar rapids", Rule.METADATA),
]


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(Matcher(KEYS), AliasTable(KEYS, JOINS))


def found(result: LinkResult) -> list[tuple[str, str]]:
    return [(KEYS[link.key], link.rule) for link in result.links]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did NIKE's sales do?", [("nike", "name")]),
        ("what did northriver iv call in q2", [(FUND, "legal suffix")]),
        ("Foot Locker's capex", [("foot locker inc", "legal suffix")]),
        ("what are fee-related earnings", [("fre", "acronym defined in text")]),
        ("who runs Cedar", [(FUND, "short name defined in text")]),
        ("who runs Cedar Rapids", [("kraft heinz", "metadata alias")]),
        ("Is the New York Times in New York?", [("new york times", "name"), ("new york", "name")]),
        ("nike, Nike and NIKE", [("nike", "name")]),
        ("nike or nkie or adiddas", [("nike", "name")]),
    ],
)
def test_names_and_aliases(linker: Linker, question: str, expected: list[tuple[str, str]]) -> None:
    assert found(linker.link(question)) == expected


@pytest.mark.parametrize(
    ("question", "linked"),
    [
        ("What did Target report?", True),
        ("Target's revenue in 2020?", True),
        ("target revenue in 2020", False),
        ("what is the target ratio", False),
        ("WHAT DID TARGET REPORT", False),
        ("Is it so? Target ratios of Nike", False),
    ],
)
def test_common_words_need_a_capital_that_means_something(
    linker: Linker, question: str, linked: bool
) -> None:
    assert ("target", "name") in found(linker.link(question)) or not linked
    assert ("target", "name") not in found(linker.link(question)) or linked


LONG = [
    "tamarack state teachers retirement system",
    "tamarack state teachers retirement system attention",  # only lengthens the one before
    "project kestrel",
    "henrik vasquez thorne",
    "vasquez holdings",
    "castellan bank of ohio",
    "castellan bank of utah",
]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is Tamarack State Teachers' stake worth?", [LONG[0]]),
        ("what is tamarack state teachers stake worth", [LONG[0]]),  # capitals mean nothing here
        ("What do the Kestrel lenders want?", [LONG[2]]),
        ("what do the kestrel lenders want", []),  # one word needs its capital
        ("Who is Vasquez-Thorne?", [LONG[3]]),
        ("Who is Vasquez?", []),  # stands in two names
        ("Where is Castellan Bank?", []),
        ("Where is the Castellan Bank of Ohio?", [LONG[5]]),  # not shortened
        ("Does Project Kestrel lend to Kestrel?", [LONG[2]]),
        ("Is its Retirement System sound?", []),  # ordinary words alone
    ],
)
def test_shortened_names(question: str, expected: list[str]) -> None:
    assert [LONG[key] for key in Linker(Matcher(LONG)).link(question).entities] == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was digital media revenue?", ["digital media"]),
        ("What was Nike's digital media revenue?", ["nike"]),
        ("What was Nike's Digital Media revenue?", ["nike", "digital media"]),
    ],
)
def test_common_phrases_yield_to_names(linker: Linker, question: str, expected: list[str]) -> None:
    assert [KEYS[key] for key in linker.link(question).entities] == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("compare addidas", ["adidas"]),  # one letter more
        ("compare addas", ["adidas"]),  # one less
        ("compare adixas", ["adidas"]),  # another
        ("compare aiddas", ["adidas"]),  # two swapped
        ("compare ddidas", []),  # the first letter must be right
        ("compare adxxas", []),  # two errors in a short name
        ("compare nkie", []),  # too short
        ("genral mils sales", ["general mills"]),  # two errors in a long name
        ("kraft hienz", ["kraft heinz"]),
        ("fee-relatd earnings", ["fre"]),  # an alias
        ("northrivr capital partnrs iv lp", [FUND]),
    ],
)
def test_typing_errors_are_forgiven_when_nothing_else_is_found(
    linker: Linker, question: str, expected: list[str]
) -> None:
    result = linker.link(question)
    assert [KEYS[link.key] for link in result.links] == expected
    assert all(link.rule == "spelling" for link in result.links)


@pytest.mark.parametrize(
    ("question", "looked_for"),
    [
        ("Who owns Zorblax Industries and Quux in 2021?", ("zorblax industries", "quux")),
        ("what did zorblax iv call in q2", ("zorblax iv",)),
        ("what is the capital ratio", ("capital", "ratio")),
        ("What did Target do?", ("target",)),
        ("is it so?", ()),
    ],
)
def test_what_was_looked_for_is_told(linker: Linker, question: str, looked_for: tuple[str, ...]) -> None:
    assert linker.link(question).looked_for == looked_for


@pytest.mark.parametrize(
    "question", ["", " ", "🙂", "\0", "?", "x" * 10_000, "zorblax " * 3000, "شركة أرامكو"]
)
def test_hostile_questions_find_nothing(linker: Linker, question: str) -> None:
    assert linker.link(question).links == ()


def test_without_names_or_aliases() -> None:
    assert Linker(Matcher([])).link("What did Nike report?") == LinkResult((), ("nike",))


@given(
    st.lists(
        st.sampled_from([*KEYS, "What", "did", "addidas", "Cedar", "the", "?", "Target", ".", "q2"]),
        max_size=8,
    )
)
def test_links_are_known_keys_once_each(linker_words: list[str]) -> None:
    linker = Linker(Matcher(KEYS), AliasTable(KEYS, JOINS))
    entities = linker.link(" ".join(linker_words)).entities
    assert len(set(entities)) == len(entities)
    assert all(0 <= key < len(KEYS) for key in entities)
