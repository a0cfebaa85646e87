"""Several workspaces: names, listing, renaming, deleting, backups."""

from __future__ import annotations

from pathlib import Path

import pytest

from aethel_core.errors import InvalidInput, WorkspaceError
from aethel_core.workspace import (
    create_workspace,
    delete_workspace,
    rename_workspace,
    restore_workspace,
    workspaces,
)
from aethel_core.workspace.folders import valid_name
from tests.workspace.made import filled, open_at


@pytest.mark.parametrize("name", ["Fund IV", "  Übersee-Fonds 2023 ", "a.b", "x" * 80, "二号基金", "CON-A"])
def test_names_that_can_be_used(name: str) -> None:
    assert valid_name(name) == name.strip()


@pytest.mark.parametrize(
    "name",
    [
        *("", "  ", ".", "..", ".hidden", "end.", "a/b", "a\\b", "../x", "a:b", "a\0b", "a\nb"),
        *("x" * 81, "二" * 81, "CON", "nul", "Com1", "lpt9.txt", "a\u202eb", "\ud800"),
    ],
)
def test_names_that_cannot(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        create_workspace(tmp_path / "data", name)
    assert not (tmp_path / "data").exists()


def test_listing_passes_foreign_folders_over_and_names_problems(tmp_path: Path) -> None:
    assert workspaces(tmp_path / "nowhere") == ()
    filled(tmp_path / "full", "halden.pdf").close()
    create_workspace(tmp_path, "empty")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "notes.txt").write_text("x")
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "workspace.sqlite").write_bytes(b"junk" * 1000)
    broken, empty, full = workspaces(tmp_path)
    assert (broken.name, broken.documents) == ("broken", 0)
    assert "damaged" in broken.problem
    assert (empty.name, empty.documents, empty.problem) == ("empty", 0, "")
    assert (full.name, full.documents, full.pages) == ("full", 1, 2)
    assert full.passages > 0


def test_a_taken_name_is_refused_also_in_other_case(tmp_path: Path) -> None:
    folder = create_workspace(tmp_path, "Fund")
    assert folder == tmp_path / "Fund"
    for name in ("Fund", "FUND"):
        with pytest.raises(InvalidInput, match="already"):
            create_workspace(tmp_path, name)


def test_renaming(tmp_path: Path) -> None:
    filled(tmp_path / "old", "halden.pdf").close()
    create_workspace(tmp_path, "other")
    with pytest.raises(InvalidInput, match="already"):
        rename_workspace(tmp_path, "old", "other")
    with pytest.raises(InvalidInput, match="no workspace"):
        rename_workspace(tmp_path, "nowhere", "new")
    assert rename_workspace(tmp_path, "old", "OLD") == tmp_path / "OLD"
    with open_at(tmp_path / "OLD") as workspace:
        assert workspace.name == "OLD"
        assert workspace.counts().documents == 1


def test_deleting_leaves_files_of_others(tmp_path: Path) -> None:
    create_workspace(tmp_path, "gone")
    filled(tmp_path / "kept", "halden.pdf").close()
    (tmp_path / "kept" / "notes.txt").write_text("mine")
    for name in ("gone", "kept"):
        delete_workspace(tmp_path, name)
    assert not (tmp_path / "gone").exists()
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["notes.txt"]
    with pytest.raises(InvalidInput, match="no workspace"):
        delete_workspace(tmp_path, "kept")


def test_a_broken_workspace_can_be_deleted(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "workspace.sqlite").write_bytes(b"junk" * 1000)
    delete_workspace(tmp_path, "broken")
    assert not (tmp_path / "broken").exists()


def test_nobody_deletes_or_renames_while_documents_are_added(tmp_path: Path) -> None:
    create_workspace(tmp_path, "busy")
    with open_at(tmp_path / "busy") as workspace, workspace._turn():
        for change in (
            lambda: delete_workspace(tmp_path, "busy"),
            lambda: rename_workspace(tmp_path, "busy", "new"),
        ):
            with pytest.raises(WorkspaceError, match="being added"):
                change()


def test_backup_and_restore(tmp_path: Path) -> None:
    with filled(tmp_path / "data" / "original", "halden.pdf") as workspace:
        workspace.backup(tmp_path / "backup.sqlite")
        expected = workspace.passages(workspace.document("halden.pdf").id)
        with pytest.raises(InvalidInput, match="exists already"):
            workspace.backup(tmp_path / "backup.sqlite")
    folder = restore_workspace(tmp_path / "data", "restored", tmp_path / "backup.sqlite")
    with open_at(folder) as restored:
        assert restored.passages(restored.document("halden.pdf").id) == expected
        assert restored.search("covenant", "bm25", 1).hits
    with pytest.raises(InvalidInput, match="already"):
        restore_workspace(tmp_path / "data", "original", tmp_path / "backup.sqlite")


@pytest.mark.parametrize("junk", [b"", b"junk" * 1000, None])
def test_a_backup_that_is_none_is_refused_and_leaves_nothing(tmp_path: Path, junk: bytes | None) -> None:
    backup = tmp_path / "backup.sqlite"
    if junk is not None:
        backup.write_bytes(junk)
    with pytest.raises(WorkspaceError):
        restore_workspace(tmp_path / "data", "new", backup)
    assert not (tmp_path / "data" / "new").exists()


def test_a_damaged_backup_is_refused(tmp_path: Path) -> None:
    with filled(tmp_path / "data" / "original") as workspace:
        workspace.backup(tmp_path / "backup.sqlite")
    data = bytearray((tmp_path / "backup.sqlite").read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 8192] = b"\xff" * 8192
    (tmp_path / "backup.sqlite").write_bytes(bytes(data))
    with pytest.raises(WorkspaceError, match="damaged"):
        restore_workspace(tmp_path / "data", "new", tmp_path / "backup.sqlite")
    assert not (tmp_path / "data" / "new").exists()


def test_a_backup_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with open_at(tmp_path / "w") as workspace, pytest.raises(WorkspaceError):
        workspace.backup(tmp_path / "nowhere" / "backup.sqlite")
