"""Files and folders as they are handed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from aethel_core.errors import EmptyFile, InvalidInput, TooLarge, UnreadableDocument
from aethel_core.ingestion.sources import Source, sources_from_paths


def test_folders_are_searched_by_name_and_files_taken_as_given(tmp_path: Path) -> None:
    for name in ("b.pdf", "a.PDF", "deep/er/c.pdf", ".hidden/d.pdf", ".e.pdf", "notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "folder.pdf").mkdir()
    found = sources_from_paths([tmp_path, tmp_path / "b.pdf", str(tmp_path / "notes.txt")])
    assert [s.name for s in found] == ["a.PDF", "b.pdf", "c.pdf", "notes.txt"]
    assert found[2].path == tmp_path / "deep" / "er" / "c.pdf"


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no file or folder"):
        sources_from_paths([tmp_path / "gone.pdf"])
    with pytest.raises(InvalidInput, match="no PDF in the folder"):
        sources_from_paths([tmp_path])
    with pytest.raises(InvalidInput, match="cannot be read"):
        sources_from_paths([tmp_path / ("x" * 300)])


def test_a_closed_folder_is_not_called_an_empty_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path) -> None:
        raise PermissionError(13, "Permission denied")  # the superuser would be let in

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(InvalidInput, match=r"cannot be read \(Permission denied\)"):
        sources_from_paths([tmp_path])


def test_reading(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    with pytest.raises(UnreadableDocument, match="cannot be read"):
        Source("x.pdf", path=path).read(1)
    path.write_bytes(b"")
    with pytest.raises(EmptyFile, match="0 bytes"):
        Source("x.pdf", path=path).read(1)
    with pytest.raises(EmptyFile):
        Source("x.pdf").read(1)
    path.write_bytes(b"x" * (1 << 20))
    assert len(Source("x.pdf", path=path).read(1)) == 1 << 20
    path.write_bytes(b"x" * ((1 << 20) + 1))
    for source in (Source("x.pdf", path=path), Source("x.pdf", path.read_bytes())):
        with pytest.raises(TooLarge, match="larger than 1 MB"):
            source.read(1)


def test_secrets_do_not_show() -> None:
    assert "hunter2" not in repr(Source("x.pdf", b"data", password="hunter2"))
