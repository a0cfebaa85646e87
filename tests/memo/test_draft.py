"""A draft is text with marks: read back, audited anew, kept without loss."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aethel_core.agents import Brief, FindingKind, build, run
from aethel_core.errors import InvalidInput
from aethel_core.memo import (
    Memo,
    Section,
    audited,
    drafted,
    from_json,
    sentences_of,
    template,
    templates,
    to_json,
    with_line,
)
from aethel_core.memo.own import with_finding
from tests.deal import DOCUMENTS, PASSAGES, Q4, Shelf, sources

NET_ASSETS = f"{Q4}:00001"


def memo() -> Memo:
    reports = run(build(), Shelf(), Brief())
    made = Memo(
        "A deal",
        "secondary",
        findings=tuple(found for report in reports for found in report.findings),
        open_questions=tuple(question for report in reports for question in report.open_questions),
        settings=("Retriever: by hand.",),
        date="2023-03-01",
    )
    return drafted(made, template("secondary"))


def bodied(body: str) -> Memo:
    return Memo("M", "secondary", sections=(Section("S", body),), sources=(NET_ASSETS, f"{Q4}:00000"))


def test_every_sentence_of_a_draft_cites_and_stands() -> None:
    checked = audited(memo(), sources())
    assert len(checked) > 20
    assert all(each.sentence.marks for each in checked)
    assert not [each for each in checked if each.check.flagged]


def test_the_summary_begins_with_the_contradiction() -> None:
    first = memo().sections[0]
    assert first.heading == "Summary"
    assert "$412.6 million" in first.body.splitlines()[0] and "$412.2 million" in first.body.splitlines()[0]


def test_a_memo_is_kept_without_loss() -> None:
    made = memo()
    assert from_json(to_json(made)) == made


@pytest.mark.parametrize("text", ["", "{}", '{"format": 9}', "[]", '{"format": 1, "title": "x"}'])
def test_what_is_no_memo_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        from_json(text)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("One is so. [1] Two is so. [2]", [("One is so.", (1,)), ("Two is so.", (2,))]),
        ("- One is so [1][2].\n- Two.", [("One is so", (1, 2)), ("Two.", ())]),
        ("One is so. Two is so. [1]", [("One is so.", (1,)), ("Two is so.", (1,))]),
        ("One goes\non here. [1]\n\nTwo.", [("One goes on here.", (1,)), ("Two.", ())]),
        ("", []),
        ("[1]", []),
    ],
)
def test_marks_belong_to_the_sentences_before_them(body: str, found: list) -> None:
    assert [(sentence.text, sentence.marks) for sentence in sentences_of(bodied(body))] == found


@pytest.mark.parametrize(
    ("body", "flag"),
    [
        ("Net asset value was $420.1 million at December 31, 2022. [1]", "$420.1 million"),
        ("Net asset value was $420.0 million at December 31, 2022.", "cites no passage"),
        ("Net asset value was $420.0 million at December 31, 2022. [7]", "no passage [7]"),
        ("Net asset value was $420.0 million at December 31, 2022. [2]", "not in the cited"),
    ],
)
def test_an_edit_is_audited_anew(body: str, flag: str) -> None:
    (only,) = audited(bodied(body), sources())
    assert flag in " ".join(only.check.flags)


def test_rejected_findings_stay_out_and_own_ones_come_in() -> None:
    made = memo()
    gone = next(found for found in made.findings if found.question == "nav")
    mine = with_finding(made, "Unfunded commitments were $110.0 million.", [NET_ASSETS], sources())
    assert mine.findings[-1].kind is FindingKind.OWN
    again = drafted(replace(mine, rejected=(gone.id,)), template("secondary"))
    text = "\n".join(section.body for section in again.sections)
    assert gone.claim not in text and "Unfunded commitments were $110.0 million." in text


def test_a_line_is_added_with_its_source() -> None:
    made = with_line(
        bodied("- One. [1]"), "S", "The call was [3] $12.5 million.", [f"{Q4}:00002", NET_ASSETS]
    )
    assert made.sections[0].body.splitlines()[1] == "- The call was (3) $12.5 million. [3][1]"
    assert with_line(made, "New", "Two.", [NET_ASSETS]).sections[1] == Section("New", "- Two. [1]")


def test_templates_take_every_section_of_the_checklists() -> None:
    asked = {found.section for found in memo().findings}
    for each in templates().values():
        taken = [name for _, names in each.sections for name in names]
        assert len(taken) == len(set(taken))
        assert asked <= set(taken)
    with pytest.raises(InvalidInput, match="secondary"):
        template("poem")


def test_the_deal_has_its_documents() -> None:
    assert {document.id for document in DOCUMENTS} == set(PASSAGES)
