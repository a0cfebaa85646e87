"""Files as people hand them over: uploads with bytes, paths, whole folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aethel_core.errors import EmptyFile, InvalidInput, TooLarge, UnreadableDocument

_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """One file to add: its bytes, or the path they are read from when its turn comes."""

    name: str
    data: bytes | None = field(default=None, repr=False)
    path: Path | None = None
    password: str | None = field(default=None, repr=False)

    def read(self, max_megabytes: int) -> bytes:
        """:raises EmptyFile, TooLarge, UnreadableDocument: there is nothing in it that could be kept."""
        limit = max_megabytes * _MEGABYTE
        try:
            if self.path is not None and self.path.stat().st_size > limit:
                raise TooLarge(
                    f"The file is larger than {max_megabytes} MB. Split it, or raise AETHEL_MAX_FILE_MB."
                )
            data = self.path.read_bytes() if self.data is None and self.path is not None else self.data
        except OSError as error:
            raise UnreadableDocument(
                f"The file cannot be read ({error.strerror}). Check that it is there."
            ) from error
        if not data:
            raise EmptyFile("The file is empty (0 bytes). Save or download it again.")
        if len(data) > limit:
            raise TooLarge(
                f"The file is larger than {max_megabytes} MB. Split it, or raise AETHEL_MAX_FILE_MB."
            )
        return data


def sources_from_paths(paths: Sequence[Path | str]) -> tuple[Source, ...]:
    """Files as they are given, and of each folder every PDF in it and below, by name.

    Hidden files and folders are left out; a file that is named expressly is taken whatever its
    extension. The same file is taken once.

    :raises InvalidInput: a path does not exist or cannot be read, or a folder holds no PDF.
    """
    found: dict[Path, None] = {}
    for given in map(Path, paths):
        try:
            found.update(dict.fromkeys(_files_of(given)))
        except OSError as error:
            raise InvalidInput(
                f"{given} cannot be read ({error.strerror}). Check its permissions."
            ) from error
    return tuple(Source(path.name, path=path) for path in found)


def _files_of(given: Path) -> list[Path]:
    if not given.is_dir():
        if not given.exists():
            raise InvalidInput(f"There is no file or folder {given}.")
        return [given]
    next(given.iterdir(), None)  # says so where the folder is closed to us; a search in it finds nothing
    inside = _pdfs_below(given)
    if not inside:
        raise InvalidInput(f"There is no PDF in the folder {given}.")
    return inside


def _pdfs_below(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() == ".pdf"
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and path.is_file()
    )
