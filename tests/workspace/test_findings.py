"""From a passage to the draft of a memo that is kept: an analyst's own findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from aethel_core.errors import InvalidInput
from aethel_core.workspace import Source, Workspace, checklists, findings
from aethel_core.workspace.checklists import Question
from aethel_core.workspace.memos import MemoDesk
from tests.standins import HashEmbedder, RegexNames, letter

CLAIM = "The net asset value of the fund rose by 1 percent."


def opened(path: Path) -> Workspace:
    return Workspace.open(path / "deal", embedder=HashEmbedder(), names=RegexNames())


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[MemoDesk]:
    with opened(tmp_path) as workspace:
        workspace.ingest([Source("q1.pdf", letter("North River Fund IV", 1))])
        yield MemoDesk(workspace)


def passage(desk: MemoDesk) -> str:
    (document,) = desk.library().documents()
    return next(id for id, source in desk.library().sources.of_document(document.id).items() if source.facts)


def test_a_new_memo_takes_a_finding_into_its_draft_and_outlives_the_workspace(
    desk: MemoDesk, tmp_path: Path
) -> None:
    name = findings.begin(desk, "  Committee  ", today=None)
    findings.add(desk, name, CLAIM, passage(desk), "Net asset value")
    with opened(tmp_path) as again:
        memo = MemoDesk(again).current("Committee")
    (found,) = memo.findings
    assert found.claim == CLAIM and [figure.unit for figure in found.figures] == ["percent"]
    assert [section.heading for section in memo.sections] == ["Summary", "Net asset value and returns"]
    assert not findings.check(desk, CLAIM, passage(desk)).flagged
    assert findings.check(desk, CLAIM.replace("1 percent", "7 percent"), passage(desk)).flagged


@pytest.mark.parametrize(("title", "said"), [("  ", "needs a title"), ("Committee", "already")])
def test_a_new_memo_needs_a_title_of_its_own(desk: MemoDesk, title: str, said: str) -> None:
    findings.begin(desk, "Committee")
    with pytest.raises(InvalidInput, match=said):
        findings.begin(desk, title)


def test_the_draft_follows_until_a_person_words_it(desk: MemoDesk) -> None:
    findings.begin(desk, "M")
    memo = findings.add(desk, "M", CLAIM, passage(desk))
    memo = findings.add(desk, "M", "Halden Logistics is a holding of the fund.", passage(desk))
    assert [len(section.body.splitlines()) for section in memo.sections] == [2, 2]
    moved = findings.move(desk, memo, "own:1", "own:2")
    assert [found.id for found in moved.findings] == ["own:2", "own:1"]
    assert moved.sections[1].body.startswith("- Halden")
    assert len(findings.put(desk, memo, "own:1", False).sections[0].body.splitlines()) == 1
    assert len(findings.remove(desk, memo, "own:2").sections[0].body.splitlines()) == 1
    worded = replace(memo, sections=(replace(memo.sections[0], body="- Mine."),))
    assert findings.put(desk, worded, "own:1", False).sections == worded.sections
    assert findings.reword(desk, memo, "own:1", "Said anew.").sections[0].body.startswith("- Said anew. [1]")


def test_a_finding_goes_into_a_draft_that_a_person_worded(desk: MemoDesk) -> None:
    findings.begin(desk, "M")
    memo = findings.add(desk, "M", CLAIM, passage(desk), "Net asset value")
    worded = replace(memo, sections=(replace(memo.sections[0], body="- Mine."),), told=())
    assert [found.id for found in worded.untold] == ["own:1"]
    made = findings.into_draft(worded, "own:1")
    assert made.sections[0] == worded.sections[0]
    assert (
        made.sections[1].heading == "Net asset value and returns"
        and made.sections[1].body == f"- {CLAIM} [1]"
    )
    assert made.untold == ()
    with pytest.raises(InvalidInput, match="no longer"):
        findings.into_draft(replace(memo, rejected=("own:1",)), "own:1")


def test_where_a_template_can_put_a_finding(desk: MemoDesk) -> None:
    places = findings.sections("secondary")
    assert places["Net asset value"] == "Net asset value and returns" and places[""] == "Further findings"
    assert findings.place(desk, CLAIM, "secondary") == "Net asset value"
    assert findings.place(desk, "Unfunded commitments rose; a capital call is due.", "secondary") == (
        "Commitments and cash flows"
    )
    assert findings.place(desk, "The weather was fine.", "secondary") == ""


# --- checklists ------------------------------------------------------------------------------------

ASKED = Question("", "Who may transfer a commitment?", "Transfer", "Consent", ("transfer", " transfer "))


def test_a_question_is_added_edited_removed_and_all_of_it_taken_back(desk: MemoDesk, tmp_path: Path) -> None:
    before = checklists.opened(desk, "diligence")
    assert not checklists.changed(desk, "diligence")
    checklists.put(desk, "diligence", ASKED)
    added = checklists.opened(desk, "diligence").questions[-1]
    assert added.id == "who-may-transfer-a-commitment" and added.phrases == ("transfer",)
    checklists.put(desk, "diligence", replace(added, most=5), before=added.id)
    with opened(tmp_path) as again:
        kept = checklists.opened(MemoDesk(again), "diligence")
    assert kept.questions == (*before.questions, replace(added, most=5))
    checklists.remove(desk, "diligence", before.questions[0].id)
    assert len(checklists.opened(desk, "diligence").questions) == len(before.questions)
    assert checklists.changed(desk, "diligence") and not checklists.changed(desk, "market")
    checklists.reset(desk, "diligence")
    assert checklists.opened(desk, "diligence") == before


def test_the_next_run_asks_what_was_added(desk: MemoDesk) -> None:
    checklists.put(
        desk, "market", replace(ASKED, question="Who audits the pension scheme?", phrases=("pension",))
    )
    memo = desk.run(specialists=("market",))
    assert "Who audits the pension scheme?" in {question.text for question in memo.open_questions}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (replace(ASKED, question=" "), "The question is empty"),
        (replace(ASKED, section=""), "no section"),
        (replace(ASKED, phrases=(" ",)), "cannot be recognised"),
        (replace(ASKED, items=("nonsense",)), "unknown line item"),
        (replace(ASKED, units=("furlongs",)), "unknown unit"),
        (replace(ASKED, most=0), "from 1 to 20"),
    ],
)
def test_what_cannot_be_a_question(desk: MemoDesk, question: Question, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        checklists.put(desk, "diligence", question)
    assert not checklists.changed(desk, "diligence")


def test_a_question_is_asked_once_and_the_last_one_stays(desk: MemoDesk) -> None:
    checklists.put(desk, "diligence", ASKED)
    with pytest.raises(InvalidInput, match="asks this already"):
        checklists.put(desk, "diligence", ASKED)
    *others, last = checklists.opened(desk, "diligence").questions
    for question in others:
        checklists.remove(desk, "diligence", question.id)
    with pytest.raises(InvalidInput, match="at least one"):
        checklists.remove(desk, "diligence", last.id)
