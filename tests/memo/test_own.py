"""A person's own findings: figures read from the passage, numbered for good, in the draft once accepted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aethel_core.agents import Finding, FindingKind
from aethel_core.errors import InvalidInput
from aethel_core.memo import Memo, drafted, from_json, template, to_json
from aethel_core.memo.own import (
    LONGEST,
    figures_of,
    suggestions,
    with_claim,
    with_finding,
    without_finding,
)
from tests.deal import Q4, sources

LETTER, NET_ASSETS = f"{Q4}:00000", f"{Q4}:00001"
CLAIM = "Unfunded commitments were $110.0 million."


def mine(*claims: str, passage: str = NET_ASSETS, section: str = "") -> Memo:
    memo = Memo("M", "secondary")
    for claim in claims:
        memo = with_finding(memo, claim, [passage], sources(), section)
    return memo


def test_figures_are_read_from_the_passage_and_never_taken_from_the_claim() -> None:
    row = suggestions(sources().get(NET_ASSETS))[0]
    (found,) = mine(row).findings
    assert found.kind is FindingKind.OWN and found.figures
    assert all(figure.passage_id == NET_ASSETS and figure.label for figure in found.figures)
    assert figures_of("The net asset value was $999 million.", [NET_ASSETS], sources()) == ()


def test_a_finding_survives_being_kept_and_stands_in_its_section() -> None:
    memo = mine(CLAIM, section="Commitments and cash flows")
    assert from_json(to_json(memo)) == memo
    draft = drafted(memo, template("secondary"))
    assert [section.heading for section in draft.sections] == ["Summary", "Commitments and liquidity"]
    assert all(section.body == f"- {CLAIM} [1]" for section in draft.sections)
    left_out = replace(memo, rejected=(memo.findings[0].id,))
    assert drafted(left_out, template("secondary")).sections == ()


def test_numbers_are_not_used_twice() -> None:
    memo = mine("One is here.", "Two is here.")
    memo = without_finding(memo, "own:1")
    memo = with_finding(memo, "Three is here.", [NET_ASSETS], sources())
    assert [found.id for found in memo.findings] == ["own:2", "own:3"]


def test_a_claim_is_worded_anew_with_its_figures() -> None:
    memo = mine("Nothing with a figure.")
    row = suggestions(sources().get(NET_ASSETS))[0]
    (found,) = with_claim(memo, "own:1", f"  {row}\n", sources(), "Returns").findings
    assert found.claim == row and found.figures and found.section == "Returns" and found.note == ""


def test_a_specialists_finding_says_that_it_was_worded_anew_and_cannot_be_removed() -> None:
    theirs = Finding("liquidity:unfunded:1", "Liquidity Specialist", CLAIM, (NET_ASSETS,), note="Half sure.")
    memo = Memo("M", "secondary", findings=(theirs,))
    for _ in range(2):
        memo = with_claim(memo, theirs.id, f"{memo.findings[0].claim} Indeed.", sources())
    assert memo.findings[0].note == "Half sure. Worded by the analyst."
    assert with_claim(memo, theirs.id, memo.findings[0].claim, sources()) == memo
    with pytest.raises(InvalidInput, match="Leave this one out"):
        without_finding(memo, theirs.id)


@pytest.mark.parametrize(
    ("claim", "passages", "said"),
    [
        ("   ", [NET_ASSETS], "no text"),
        ("x" * (LONGEST + 1), [NET_ASSETS], "too long"),
        ("A claim from nowhere.", [], "needs a passage"),
        ("A claim from elsewhere.", ["nowhere:00001"], "needs a passage"),
        (CLAIM, [NET_ASSETS], "already"),
    ],
)
def test_what_cannot_be_a_finding(claim: str, passages: list[str], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        with_finding(mine(CLAIM), claim, passages, sources())


def test_suggestions_begin_with_what_was_asked() -> None:
    said = suggestions(sources().get(NET_ASSETS), "unfunded commitments")
    assert "nfunded" in said[0] and len(said) == len(set(said))
    assert all(
        claim in " ".join(sources().get(LETTER).passage.text.split())
        for claim in suggestions(sources().get(LETTER))
    )
