"""What stays of what a model says it read."""

from __future__ import annotations

import pytest

from aethel_core.entities.reading import RELATION, Reading, Triple, grounded
from aethel_core.errors import WorkspaceError

TEXT = "NorthRiver IV LP owns 60% of Halden Logistics, Inc.\nMéridian Bank lends to it since March 2021."


def names(reading: Reading) -> list[str]:
    return [entity.name for entity in reading.entities]


def test_names_stay_that_stand_in_the_passage_up_to_case_and_accents() -> None:
    found = grounded(["NORTHRIVER IV LP", "Halden Logistics, Inc.", "Meridian Bank"], [], TEXT)
    assert names(found) == ["NORTHRIVER IV LP", "Halden Logistics, Inc.", "Meridian Bank"]
    assert [entity.id for entity in found.entities] == [
        "name:northriver iv lp",
        "name:halden logistics inc",
        "name:meridian bank",
    ]


@pytest.mark.parametrize(
    "invented", ["Calder Bank", "Halden Logistics Holdings", "River IV", "Halden Logistic", ""]
)
def test_invented_names_are_dropped_and_counted(invented: str) -> None:
    found = grounded([invented, "Halden Logistics"], [], TEXT)
    assert names(found) == ["Halden Logistics"] and found.dropped == 1


def test_what_the_filter_of_names_drops_is_no_name_though_it_stands_there() -> None:
    found = grounded(["March 2021", "60%", "owns"], [], TEXT)
    assert found == Reading()


def test_a_triple_needs_two_names_that_stayed() -> None:
    facts = [
        ("NorthRiver IV LP", "owns 60% of", "Halden Logistics"),
        ("Calder Bank", "lends to", "Halden Logistics"),
        ("Halden Logistics", "is", "halden logistics"),
        ("NorthRiver IV LP", "owns", "Meridian Bank"),
    ]
    found = grounded(["NorthRiver IV LP", "Halden Logistics", "Calder Bank"], facts, TEXT)
    assert found.triples == (Triple("northriver iv lp", "owns 60% of", "halden logistics"),)


def test_a_relation_is_one_short_line() -> None:
    (triple,) = grounded(
        ["NorthRiver IV LP", "Halden Logistics"],
        [("NorthRiver IV LP", "owns\n\x00\u202e" + "x" * 500, "Halden Logistics")],
        TEXT,
    ).triples
    assert triple.relation.startswith("owns xxx") and len(triple.relation) == RELATION


def test_it_is_kept_exactly() -> None:
    found = grounded(
        ["NorthRiver IV LP", "Halden Logistics", "Nobody"],
        [("NorthRiver IV LP", "owns", "Halden Logistics")],
        TEXT,
    )
    assert Reading.from_json(found.to_json()) == found
    for damaged in ("", "[]", "{}", found.to_json().replace("[0,", "[7,")):
        with pytest.raises(WorkspaceError, match="damaged"):
            Reading.from_json(damaged)
