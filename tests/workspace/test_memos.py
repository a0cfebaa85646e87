"""A memo is never lost: what is being edited is saved apart from the versions that are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from aethel_core.errors import InvalidInput, UnknownRetriever
from aethel_core.workspace import Workspace
from aethel_core.workspace.memos import Memo, MemoDesk, Section, with_body
from tests.standins import HashEmbedder, RegexNames


def test_edits_are_saved_without_a_version_and_outlive_the_workspace(tmp_path: Path) -> None:
    memo = Memo("Deal", "secondary", sections=(Section("Summary", "- One."),))
    with Workspace.open(tmp_path / "deal", embedder=HashEmbedder(), names=RegexNames()) as opened:
        desk = MemoDesk(opened)
        desk.keep("Deal", memo)
        assert not desk.edited("Deal") and desk.current("Deal") == memo
        desk.save("Deal", with_body(memo, 0, "- Two."))
    with Workspace.open(tmp_path / "deal", embedder=HashEmbedder(), names=RegexNames()) as opened:
        desk = MemoDesk(opened)
        assert desk.edited("Deal") and desk.current("Deal").sections[0].body == "- Two."
        assert [kept.version for kept in desk.versions("Deal")] == [1]
        desk.keep("Deal", desk.current("Deal"))
        assert not desk.edited("Deal")
        assert desk.open("Deal", 1) == memo and desk.open("Deal").sections[0].body == "- Two."
        desk.save("Deal", memo)
        desk.delete("Deal")
        assert not desk.edited("Deal")
        with pytest.raises(InvalidInput):
            desk.current("Deal")


def test_a_run_on_nothing_is_refused_before_it_begins(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "deal", embedder=HashEmbedder(), names=RegexNames()) as opened:
        with pytest.raises(InvalidInput, match="holds no document"):
            MemoDesk(opened).run()
        with pytest.raises(UnknownRetriever):
            MemoDesk(opened).run(retriever="nope")
