"""Opening, transactions, threads, and the disk's complaints in words."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from aethel_core.errors import WorkspaceError
from aethel_core.store import Turn
from aethel_core.store.database import Database
from aethel_core.store.schema import MIGRATIONS

ADD = "INSERT INTO settings VALUES (?, '1')"


def names(database: Database) -> list[str]:
    with database.read() as connection:
        return [row[0] for row in connection.execute("SELECT name FROM settings ORDER BY name")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "space" / "workspace.sqlite"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    opened = Database(path, busy_seconds=0.1)
    yield opened
    opened.close()


def test_it_is_durable_and_checked(database: Database) -> None:
    with database.write() as connection:
        pragmas = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "user_version")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "user_version": len(MIGRATIONS),
    }
    assert database.problems() == ()


def test_a_transaction_is_all_or_nothing(database: Database) -> None:
    with pytest.raises(RuntimeError, match="half way"), database.write() as connection:
        connection.execute(ADD, ("a",))
        raise RuntimeError("half way")
    with database.write() as connection:
        connection.execute(ADD, ("b",))
    assert names(database) == ["b"]


def test_a_reader_sees_one_state_and_does_not_wait_for_a_writer(database: Database) -> None:
    with database.read() as reader:
        count = "SELECT count(*) FROM settings"
        assert reader.execute(count).fetchone()[0] == 0
        with database.write() as writer:
            writer.execute(ADD, ("a",))
            assert reader.execute(count).fetchone()[0] == 0
        assert reader.execute(count).fetchone()[0] == 0
    assert names(database) == ["a"]


def test_many_threads_share_it(database: Database) -> None:
    def work(number: int) -> int:
        with database.write() as connection:
            connection.execute(ADD, (f"{number:03}",))
        return len(names(database))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(80)))
    assert names(database) == [f"{number:03}" for number in range(80)]


def test_two_openers_see_each_other_and_wait_in_words(database: Database, path: Path) -> None:
    other = Database(path, busy_seconds=0.05)
    with database.write() as connection:
        connection.execute(ADD, ("a",))
        with pytest.raises(WorkspaceError, match="being written by another program"), other.write():
            pass
    assert names(other) == ["a"]
    other.close()


def test_closed_is_said(database: Database) -> None:
    database.close()
    with pytest.raises(WorkspaceError, match="was closed"), database.read():
        pass
    with pytest.raises(WorkspaceError, match="was closed"), database.write():
        pass


def test_missing_is_said_and_nothing_made(path: Path) -> None:
    with pytest.raises(WorkspaceError, match="There is no workspace in"):
        Database(path, create=False)
    assert not path.parent.exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WorkspaceError, match="cannot be created"):
        Database(tmp_path / "file" / "space" / "workspace.sqlite")


@pytest.mark.parametrize("junk", [b"not a database at all, but long enough" * 100, b"%PDF-1.7\n"])
def test_another_kind_of_file_is_refused_untouched(path: Path, junk: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(junk)
    with pytest.raises(WorkspaceError, match="is not a workspace, or it is damaged"):
        Database(path)
    assert path.read_bytes() == junk


def test_another_program_s_database_is_refused_untouched(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(WorkspaceError, match="another program"):
        Database(path)
    assert path.read_bytes() == before


def test_a_newer_one_is_refused(database: Database, path: Path) -> None:
    with database.write() as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(WorkspaceError, match=r"newer Aethel \(format 99"):
        Database(path)


def test_an_older_one_is_brought_forward_with_its_content(database: Database, path: Path) -> None:
    with database.write() as connection:
        connection.execute(ADD, ("kept",))
    database.close()
    forward = (*MIGRATIONS, "CREATE TABLE later (x);\nINSERT INTO later SELECT name FROM settings;")
    newer = Database(path, migrations=forward)
    with newer.read() as connection:
        assert connection.execute("SELECT x FROM later").fetchall() == [("kept",)]
    newer.close()
    Database(path, migrations=forward).close()


def test_a_failed_migration_changes_nothing(database: Database, path: Path) -> None:
    database.close()
    with pytest.raises(sqlite3.OperationalError):
        Database(path, migrations=(*MIGRATIONS, "CREATE TABLE later (x);\nINSERT INTO nowhere VALUES (1);"))
    again = Database(path)
    with again.read() as connection:
        assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'later'").fetchall()
    again.close()


def test_damage_inside_is_said(database: Database, path: Path) -> None:
    with database.write() as connection:
        connection.executemany(ADD, ((f"name {n} " + "x" * 500,) for n in range(500)))
    database.close()
    data = bytearray(path.read_bytes())
    data[8192 : len(data) - 4096] = b"\xff" * (len(data) - 12288)
    path.write_bytes(bytes(data))
    with pytest.raises(WorkspaceError, match="is damaged"):
        names(Database(path))


def test_a_full_disk_is_said_and_nothing_is_half_written(database: Database) -> None:
    with database.write() as connection:
        connection.execute(ADD, ("before",))
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    with pytest.raises(WorkspaceError, match="disk is full"), database.write() as connection:
        connection.execute(f"PRAGMA max_page_count = {pages}")
        connection.execute(ADD, ("during",))
        connection.execute("INSERT INTO files VALUES ('x', 1, zeroblob(1000000))")
    assert names(database) == ["before"]
    with database.write() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
        connection.execute(ADD, ("after",))
    assert names(database) == ["after", "before"]


@contextmanager
def as_nobody() -> Iterator[None]:
    """File permissions count for nothing with root, so the test steps down if it is root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_what_may_not_be_written_is_read_or_said(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    with as_nobody(), pytest.raises(WorkspaceError, match="cannot be created"):
        Database(tmp_path / "new" / "workspace.sqlite")
    made = Database(tmp_path / "old" / "workspace.sqlite")
    made.close()
    os.chmod(made.path, 0o444)
    for folder_mode in (0o777, 0o555):  # beside the file a log can be made, or not
        os.chmod(tmp_path / "old", folder_mode)
        with as_nobody():
            closed = Database(made.path)
            assert not closed.writable and closed.problems() == ()
            with pytest.raises(WorkspaceError, match="cannot be written"), closed.write() as connection:
                connection.execute("CREATE TABLE another (name TEXT)")
            closed.close()
            with pytest.raises(WorkspaceError, match="cannot be written"):
                Database(made.path, migrations=(*MIGRATIONS, "CREATE TABLE newer (name TEXT);"))
            assert Turn(tmp_path / "old" / "lock").free()
    os.chmod(tmp_path / "old", 0o700)
    with as_nobody(), pytest.raises(WorkspaceError, match="cannot be read"):
        Database(made.path, create=False)
    os.chmod(tmp_path / "old", 0o755)


def test_two_processes_may_create_it_at_once(path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from aethel_core.store.database import Database; "
        "Database(Path(sys.argv[1])).close()"
    )
    racers = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(4)]
    assert [racer.wait() for racer in racers] == [0, 0, 0, 0]
    opened = Database(path)
    assert names(opened) == []
    opened.close()


def test_backup_is_one_sound_file_also_during_a_write(database: Database, tmp_path: Path) -> None:
    with database.write() as connection:
        connection.execute(ADD, ("committed",))
    with database.write() as connection:
        connection.execute(ADD, ("not yet",))
        database.backup(tmp_path / "copy.sqlite")
    assert {file.name for file in tmp_path.iterdir()} == {"space", "copy.sqlite"}
    copy = Database(tmp_path / "copy.sqlite", create=False)
    assert names(copy) == ["committed"]
    assert copy.problems() == ()
    copy.close()
