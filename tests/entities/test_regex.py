from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.entities import regex
from aethel_core.entities.filter import keep
from aethel_core.types import EntityKind


def names(text: str) -> list[str]:
    return [entity.name for entity in regex.extract(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shares of Foot Locker rose in Paris.", ["Foot Locker", "Paris"]),
        ("sold to Bank of America in May", ["Bank of America", "America"]),
        ("of Gent of Belgium", ["Gent of Belgium", "Gent", "Belgium"]),
        ("by Ludwig van Beethoven and J.P. Morgan", ["Ludwig van Beethoven", "J.P. Morgan"]),
        ("and Procter & Gamble; AT&T's network", ["Procter & Gamble", "AT&T"]),
        ("the Lead and Copper Commission", ["Lead and Copper Commission", "Lead", "Copper Commission"]),
        ("between Apple and Microsoft", ["Apple", "Microsoft"]),
        ("by NIKE, Inc. (NYSE: NKE) today", ["NIKE, Inc.", "NYSE", "NKE"]),
        ("by Visa (V) and Ford (BRK.B)", ["Visa", "Ford", "BRK.B", "BRK"]),
        ("Kraft Heinz’s Bonus Swap Program", ["Kraft Heinz", "Bonus Swap Program"]),
        ("of Émile Zola and Łódź", ["Émile Zola", "Łódź"]),
        (
            "the Tax Cuts Act of 2017, in Egypt 51 times",
            ["Tax Cuts Act of 2017", "Tax Cuts Act", "Egypt 51", "Egypt"],
        ),
        ("about St. Louis, eBay and Frame.com", ["St. Louis", "eBay", "Frame.com"]),
        (
            "of Corbel Mutual NR4-0142 and Q4-2022",
            ["Corbel Mutual NR4-0142", "Corbel Mutual", "NR4-0142"],
        ),
    ],
)
def test_phrases(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_fund_names_and_defined_terms() -> None:
    text = "However, NorthRiver Capital Partners IV, L.P. (“NorthRiver IV” or the “Cedar facility”) called."
    assert names(text) == ["NorthRiver Capital Partners IV, L.P.", "NorthRiver IV", "Cedar facility", "Cedar"]


def test_sentence_openers_are_no_names() -> None:
    assert names("Revenue grew. However, when it fell. When Apple rose. Growth of sales.") == ["Apple"]
    assert names("It hurt. Rural Partners lost.") == ["Rural Partners"]


def test_short_lines_end_phrases_and_wrapped_lines_do_not() -> None:
    assert names("North America\nEurope Zone\nAsia") == ["North America", "Europe Zone", "Asia"]
    assert "Kraft Heinz" in names("the quarterly report was furnished yesterday by Kraft\nHeinz in Chicago")


def test_entities_are_names_in_text_order_without_repetition() -> None:
    entities = regex.extract("by Nike and NIKE and Adidas and Nike")
    assert [(e.id, e.kind) for e in entities] == [
        ("name:nike", EntityKind.NAME),
        ("name:adidas", EntityKind.NAME),
    ]


def test_name_ending() -> None:
    assert regex.name_ending("the shares of Foot Locker, Inc. ") == "Foot Locker, Inc."
    assert regex.name_ending("the shares of Nike rose") == ""
    assert regex.name_ending("") == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "A" * 20_000,
        "A " * 20_000,
        "(" * 20_000,
        "A. " * 20_000,
        "“A" * 5000,
        "Aa'" * 5000,
        "🙂 شركة " * 500,
    ],
)
def test_hostile_text_is_survived(text: str) -> None:
    assert all(keep(name) for name in names(text))


@given(st.text(alphabet="Aa B.,&’'“”()\n1IVofthe:-", max_size=120))
def test_every_entity_passes_the_filter(text: str) -> None:
    found = regex.extract(text)
    assert all(keep(entity.name) for entity in found)
    assert len({entity.id for entity in found}) == len(found)
