"""Several named workspaces: one folder each, below the data folder."""

from __future__ import annotations

import os
import shutil
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from aethel_core.errors import InvalidInput, WorkspaceError
from aethel_core.store import FILE_NAME, LOCK_NAME, READING_LOCK_NAME, Store, Turn
from aethel_core.store.database import Database, in_words

_MAX_NAME = 80
_RESERVED = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}
_FORBIDDEN = frozenset('/\\:*?"<>|')
_LOCKS = (LOCK_NAME, READING_LOCK_NAME)
_OURS = (
    *(f"{FILE_NAME}{part}" for part in ("", "-wal", "-shm")),
    *(f"{lock}{part}" for lock in _LOCKS for part in ("", "-journal")),
)


@dataclass(frozen=True, slots=True)
class WorkspaceInfo:
    """``problem`` says why the workspace cannot be opened; then the counts are 0."""

    name: str
    path: Path
    documents: int
    pages: int
    passages: int
    problem: str = ""


def valid_name(name: str) -> str:
    """The name as it is used for a folder.

    :raises InvalidInput: it could not be one on every platform.
    """
    name = unicodedata.normalize("NFC", name).strip()
    if not name:
        raise InvalidInput("A workspace needs a name.")
    if len(name) > _MAX_NAME or len(name.encode("utf-8", "replace")) > 240:
        raise InvalidInput(f"The name is too long; {_MAX_NAME} characters are the most.")
    if any(c in _FORBIDDEN or unicodedata.category(c)[0] == "C" for c in name):
        raise InvalidInput('A workspace name cannot contain / \\ : * ? " < > | or control characters.')
    if name[0] == "." or name[-1] == "." or name.split(".")[0].casefold() in _RESERVED:
        raise InvalidInput(f"{name!r} cannot be a folder's name. Choose another one.")
    return name


def workspaces(data_dir: Path) -> tuple[WorkspaceInfo, ...]:
    """The workspaces in a folder, by name. Other folders in it are passed over."""
    if not data_dir.is_dir():
        return ()
    folders = sorted(path for path in data_dir.iterdir() if (path / FILE_NAME).is_file())
    return tuple(_info(folder) for folder in folders)


def _info(folder: Path) -> WorkspaceInfo:
    try:
        store = Store(folder, create=False)
    except WorkspaceError as error:
        return WorkspaceInfo(folder.name, folder, 0, 0, 0, str(error))
    try:
        counts = store.documents.counts()
        return WorkspaceInfo(folder.name, folder, counts.documents, counts.pages, counts.passages)
    except WorkspaceError as error:
        return WorkspaceInfo(folder.name, folder, 0, 0, 0, str(error))
    finally:
        store.close()


def create_workspace(data_dir: Path, name: str) -> Path:
    """Make an empty workspace and give its folder.

    :raises InvalidInput: the name cannot be used or is taken.
    """
    folder = _free_folder(data_dir, name)
    Store(folder).close()
    return folder


def rename_workspace(data_dir: Path, name: str, new_name: str) -> Path:
    """Give a workspace another name. Whoever has it open must open it again."""
    folder = _folder(data_dir, name)
    target = _free_folder(data_dir, new_name, but=folder)
    _refuse_if_busy(folder)
    try:
        folder.rename(target)
    except OSError as error:
        raise WorkspaceError(f"{name} cannot be renamed ({error.strerror}).") from error
    return target


def delete_workspace(data_dir: Path, name: str) -> None:
    """Delete a workspace with everything in it; files of others in its folder stay."""
    folder = _folder(data_dir, name)
    _refuse_if_busy(folder)
    try:
        for file in _OURS:
            (folder / file).unlink(missing_ok=True)
        if not any(folder.iterdir()):
            folder.rmdir()
    except OSError as error:
        raise WorkspaceError(f"{name} cannot be deleted ({error.strerror}).") from error


def restore_workspace(data_dir: Path, name: str, backup: Path) -> Path:
    """Make a new workspace of a backup, after checking that the backup is whole.

    :raises InvalidInput: the name cannot be used or is taken.
    :raises WorkspaceError: the backup is not there, not a workspace's, newer, or damaged.
    """
    folder = _free_folder(data_dir, name)
    if not backup.is_file() or not backup.stat().st_size:
        raise WorkspaceError(f"There is no backup in {backup}.")
    try:
        folder.mkdir(parents=True)
        shutil.copyfile(backup, folder / FILE_NAME)
    except OSError as error:
        raise WorkspaceError(f"The backup cannot be copied to {folder} ({error.strerror}).") from error
    try:
        database = Database(folder / FILE_NAME, create=False)
        problems = database.problems()
        database.close()
        if problems:
            raise WorkspaceError(f"The backup {backup} is damaged: {problems[0]}.")
    except WorkspaceError:
        shutil.rmtree(folder)
        raise
    return folder


def write_backup(database: Database, target: Path) -> None:
    """A consistent copy of a workspace in one file, complete or not there at all.

    :raises InvalidInput: there is a file of that name.
    """
    if target.exists():
        raise InvalidInput(f"{target} exists already. Choose another name for the backup.")
    draft = target.with_name(f".{target.name}.partial")
    draft.unlink(missing_ok=True)
    try:
        with in_words(draft):
            database.backup(draft)
        os.replace(draft, target)
    except OSError as error:
        raise WorkspaceError(f"The backup cannot be written to {target} ({error.strerror}).") from error
    finally:
        draft.unlink(missing_ok=True)


def _folder(data_dir: Path, name: str) -> Path:
    folder = data_dir / valid_name(name)
    if not (folder / FILE_NAME).is_file():
        raise InvalidInput(f"There is no workspace {name!r}.")
    return folder


def _free_folder(data_dir: Path, name: str, but: Path | None = None) -> Path:
    """The folder of a name that no other one has, also where case does not count."""
    folder = data_dir / valid_name(name)
    if data_dir.is_dir():
        taken = {path.name.casefold() for path in data_dir.iterdir() if path != but}
        if folder.name.casefold() in taken:
            raise InvalidInput(f"There is a workspace or folder {name!r} already. Choose another name.")
    return folder


def _refuse_if_busy(folder: Path) -> None:
    if not Turn(folder / LOCK_NAME).free():
        raise WorkspaceError("Documents are being added to this workspace. Wait for that to end, or stop it.")
    if not Turn(folder / READING_LOCK_NAME).free():
        raise WorkspaceError("A model is reading this workspace. Wait for that to end, or stop it.")
