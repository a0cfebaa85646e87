"""Recent memos say what the audit said of them as they are now, or that it has not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from aethel_core.workspace import Source, Workspace, findings
from aethel_core.workspace.memos import MemoDesk, with_body
from aethel_core.workspace.recent import Status, note_audit, recent_memos
from tests.standins import HashEmbedder, RegexNames, letter


def test_a_status_holds_for_the_memo_and_the_documents_it_was_noted_of(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "deal", embedder=HashEmbedder(), names=RegexNames()) as deal:
        deal.ingest([Source("q1.pdf", letter("North River Fund IV", 1))])
        desk = MemoDesk(deal)
        passage = deal.passages(deal.documents()[0].id)[0].id
        findings.begin(desk, "First")
        findings.begin(desk, "Second")
        memo = findings.add(desk, "First", "The net asset value of the fund rose by 1 percent.", passage)
        assert [(m.name, m.edited, m.status) for m in recent_memos(deal, desk, 5)] == [
            ("Second", False, None),
            ("First", True, None),
        ]
        note_audit(deal, "First", memo, desk.audit(memo))
        assert recent_memos(deal, desk, 5)[1].status == Status(2, 0)
        wrong = with_body(replace(memo, title="Renamed"), 0, "- It rose by 7 percent. [1]")
        desk.save("First", wrong)
        assert recent_memos(deal, desk, 5)[1].status is None
        note_audit(deal, "First", wrong, desk.audit(wrong))
        assert [(m.title, m.status) for m in recent_memos(deal, desk, 5)][1] == ("Renamed", Status(2, 1))
        deal.ingest([Source("q2.pdf", letter("North River Fund IV", 2))])
        assert recent_memos(deal, desk, 5)[1].status is None
        deal.set_setting("memo.copy.First", "no memo")
        assert "damaged" in recent_memos(deal, desk, 5)[1].problem
        assert [m.name for m in recent_memos(deal, desk, 1)] == ["Second"]
