"""Documents, the queue and the journal, each operation whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from aethel_core.errors import DuplicateDocument, InvalidInput, UnknownDocument, UnknownPassage
from aethel_core.store import Content, Counts, Made, Store
from aethel_core.types import DocumentType, Filters, Metadata, passage_id

Make = Callable[..., Content]
A, B = "a" * 64, "b" * 64


def rows(store: Store) -> dict[str, int]:
    """How many rows each table has."""
    with store.database.read() as connection:
        tables = [
            r[0]
            for r in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if "_" not in r[0]
        ]
        return {t: connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables}


def test_everything_of_a_document_comes_back(store: Store, content: Make) -> None:
    made = content()
    store.documents.add(made)
    again = store.documents
    identity = made.document.id
    assert again.all() == (made.document,)
    assert again.get(identity) == made.document
    assert again.with_sha256(A) == made.document
    assert again.with_sha256(B) is None
    assert again.counts() == Counts(1, 2, 2)
    assert again.passages(identity) == made.passages
    assert again.passages(identity, 2) == made.passages[1:]
    assert again.passages_by_id([made.passages[1].id]) == {made.passages[1].id: made.passages[1]}
    assert again.mentions(identity) == made.mentions
    assert np.array_equal(again.vectors(identity), made.vectors)
    assert again.file(identity) == made.file
    assert [p.number for p in again.pages(identity)] == [1, 2]
    assert again.page(identity, 2).text == "The fund holds Halden."
    assert again.texts(identity) == ("The fund holds Halden. 0", "The fund holds Halden. 1")
    assert again.sections() == {"Item 0": frozenset({identity}), "Item 1": frozenset({identity})}
    assert again.made() == {identity: Made("reader", "names", "model")}
    whole = again.indexable(identity)
    assert (whole.metadata, whole.passages, whole.mentions) == (
        made.document.metadata,
        made.passages,
        made.mentions,
    )


def test_what_is_not_there_is_said(store: Store, content: Make) -> None:
    for ask in ("get", "passages", "pages", "mentions", "vectors", "file", "indexable"):
        with pytest.raises(UnknownDocument):
            getattr(store.documents, ask)("nowhere")
    with pytest.raises(UnknownPassage):
        store.documents.passages_by_id(["nowhere:00000"])
    store.documents.add(content())
    with pytest.raises(InvalidInput, match="has pages 1 to 2; 3 is none"):
        store.documents.page(A[:16], 3)
    with pytest.raises(UnknownDocument):
        store.documents.replace(content(B))
    with pytest.raises(UnknownDocument):
        store.documents.update(content(B).document)


def test_the_same_content_is_refused(store: Store, content: Make) -> None:
    store.documents.add(content())
    with pytest.raises(DuplicateDocument) as caught:
        store.documents.add(content(name="other.pdf"))
    assert caught.value.existing == A[:16]
    assert [d.name for d in store.documents.all()] == ["letter.pdf"]


def test_a_document_is_stored_whole_or_not_at_all(store: Store, content: Make) -> None:
    before = rows(store)
    broken = content()
    broken = replace(broken, passages=(*broken.passages, broken.passages[0]))
    with pytest.raises(sqlite3.IntegrityError):
        store.documents.add(broken)
    assert rows(store) == before


def test_delete_leaves_no_row_and_no_text_behind(store: Store, content: Make) -> None:
    marker = "Zyxomma petiolatum holds the pledge"
    store.documents.add(content())
    empty_but_one = rows(store)
    store.documents.add(content(B, "secret.pdf", marker))
    store.documents.keep_segment(B[:16], store.documents.revision(), "f", b"segment")
    store.journal.label("who?", passage_id(B[:16], 0), "me", 1)
    on_disk = b"".join(file.read_bytes() for file in store.database.path.parent.iterdir())
    assert b"Zyxomma" in on_disk
    store.documents.delete([B[:16]])
    assert rows(store) == empty_but_one
    on_disk = b"".join(file.read_bytes() for file in store.database.path.parent.iterdir())
    assert b"Zyxomma" not in on_disk
    assert b"secret.pdf" not in on_disk
    assert store.database.problems() == ()


def test_deleting_several_is_all_or_nothing(store: Store, content: Make) -> None:
    store.documents.add(content())
    with pytest.raises(UnknownDocument):
        store.documents.delete([A[:16], "nowhere"])
    assert store.documents.counts().documents == 1


def test_deleting_the_older_version_settles_the_offer(store: Store, content: Make) -> None:
    store.documents.add(content())
    newer = content(B)
    store.documents.add(replace(newer, document=replace(newer.document, version_of=A[:16])))
    store.documents.delete([A[:16]])
    assert store.documents.get(B[:16]).version_of == ""


def test_replacing_keeps_labels_on_the_same_text(store: Store, content: Make) -> None:
    store.documents.add(content())
    store.journal.label("q", passage_id(A[:16], 0), "me", 2)
    store.journal.label("q", passage_id(A[:16], 1), "me", 1)
    again = content(text="Anew:")
    first, second = again.passages
    again = replace(again, passages=(first, replace(second, text="The fund holds Halden. 0")), file=None)
    store.documents.replace(again)
    assert [(m.passage_id, m.grade) for m in store.journal.labels()] == [(second.id, 2)]
    assert store.documents.file(A[:16]) == b"%PDF bytes of letter.pdf"


def test_every_change_moves_the_revision_on(store: Store, content: Make) -> None:
    seen = [store.documents.revision()]

    def changed(*documents: str) -> None:
        revision, each = store.documents.revisions()
        assert revision > seen[-1]
        assert {d for d, r in each.items() if r == revision} == set(documents)
        seen.append(revision)

    store.documents.add(content())
    changed(A[:16])
    store.documents.add(content(B))
    changed(B[:16])
    document = replace(store.documents.get(A[:16]), metadata=Metadata(type=DocumentType.TEN_K), edited=True)
    store.documents.update(document, np.ones((2, 3), dtype=np.float32), "other")
    assert store.documents.get(A[:16]) == document
    assert store.documents.made()[A[:16]].model == "other"
    changed(A[:16])
    store.documents.replace(content(B))
    changed(B[:16])
    store.documents.delete([B[:16]])
    changed()


def test_a_segment_is_kept_for_one_revision_and_fingerprint(store: Store, content: Make) -> None:
    store.documents.add(content())
    revision = store.documents.revision()
    store.documents.keep_segment(A[:16], revision, "f", b"one")
    assert store.documents.segment(A[:16], "f") == (revision, b"one")
    assert store.documents.segment(A[:16], "g") is None
    store.documents.update(store.documents.get(A[:16]))
    assert store.documents.segment(A[:16], "f") is None
    store.documents.keep_segment(A[:16], revision, "f", b"late")
    assert store.documents.segment(A[:16], "f") is None


def test_a_finished_file_leaves_the_queue_in_the_same_breath(store: Store, content: Make) -> None:
    queued = store.queue.add([("letter.pdf", A, b"%PDF bytes of letter.pdf"), ("b.pdf", B, b"bb")])
    assert [(f.id, f.name, f.size) for f in queued] == [(A[:16], "letter.pdf", 24), (B[:16], "b.pdf", 2)]
    assert store.queue.all() == queued
    assert store.queue.data(B[:16]) == b"bb"
    store.documents.add(replace(content(), file=None))
    assert store.queue.all() == queued[1:]
    assert store.documents.file(A[:16]) == b"%PDF bytes of letter.pdf"


def test_the_queue_is_written_whole_or_not_at_all(store: Store) -> None:
    def files() -> object:
        yield "a.pdf", A, b"aa"
        raise RuntimeError("the disk went away")

    with pytest.raises(RuntimeError, match="went away"):
        store.queue.add(files())
    assert store.queue.all() == ()
    assert rows(store)["files"] == 0


def test_queueing_again_keeps_the_place_and_drops_the_reason(store: Store) -> None:
    store.queue.add([("a.pdf", A, b"aa"), ("b.pdf", B, b"bb")])
    store.queue.keep(A[:16], "It needs a password.")
    assert store.queue.get(A[:16]).reason == "It needs a password."
    store.queue.add([("new name.pdf", A, b"aa")])
    assert [(f.name, f.reason) for f in store.queue.all()] == [("new name.pdf", ""), ("b.pdf", "")]


def test_discarding_forgets_the_bytes_but_never_a_document_s(store: Store, content: Make) -> None:
    store.queue.add([("a.pdf", A, b"aa"), ("b.pdf", B, b"bb")])
    store.queue.discard([B[:16], "nowhere"])
    assert rows(store)["files"] == 1
    with pytest.raises(InvalidInput, match="is waiting"):
        store.queue.data(B[:16])
    with pytest.raises(InvalidInput, match="is waiting"):
        store.queue.get(B[:16])
    store.documents.add(replace(content(), file=None))
    store.queue.discard([A[:16]])
    assert store.documents.file(A[:16]) == b"aa"


def test_one_turn_at_a_time(store: Store) -> None:
    first, second = store.turn(), store.turn()
    assert first.free()
    assert first.take()
    assert not second.take()
    assert not second.free()
    first.release()
    assert second.take()
    second.release()


def test_history_newest_first(store: Store) -> None:
    filters = Filters(companies=("NIKE",), years=(2021,))
    one = store.journal.remember("one?", filters, ("bm25", "dense"), 10)
    two = store.journal.remember("two?", Filters(), ("rrf",), 5)
    assert store.journal.history(10) == (two, one)
    assert store.journal.history(1) == (two,)
    store.journal.forget()
    assert store.journal.history(10) == ()


def test_labels_are_set_changed_and_taken_back(store: Store, content: Make) -> None:
    store.documents.add(content())
    passage = passage_id(A[:16], 0)
    store.journal.label("q", passage, "me", 1)
    store.journal.label("q", passage, "me", 2)
    store.journal.label("q", passage, "you", 0)
    assert [(m.labeller, m.grade) for m in store.journal.labels()] == [("me", 2), ("you", 0)]
    store.journal.label("q", passage, "me", None)
    assert [m.labeller for m in store.journal.labels()] == ["you"]
    with pytest.raises(UnknownPassage):
        store.journal.label("q", "nowhere", "me", 1)
    with pytest.raises(InvalidInput, match="0 or more"):
        store.journal.label("q", passage, "me", -1)


def test_memos_keep_their_versions(store: Store) -> None:
    first = store.journal.save_memo("IC memo", "{}")
    second = store.journal.save_memo("IC memo", '{"x":1}')
    assert (first.version, second.version) == (1, 2)
    assert store.journal.memos() == (second, first)
    store.journal.delete_memo("IC memo")
    assert store.journal.memos() == ()


def test_settings_and_entity_edits(store: Store) -> None:
    assert store.journal.setting("k", 10) == 10
    store.journal.set_setting("k", {"a": [1, None, "x"]})
    assert store.journal.setting("k") == {"a": [1, None, "x"]}
    with pytest.raises(InvalidInput, match="cannot be stored"):
        store.journal.set_setting("k", object())
    store.journal.edit_entity("name:x", "")
    store.journal.edit_entity("name:y", "name:z")
    store.journal.edit_entity("name:x", None)
    assert store.journal.entity_edits() == {"name:y": "name:z"}


def test_names_kept_apart(store: Store) -> None:
    store.journal.keep_apart("northriver", "northriver iv", True)
    store.journal.keep_apart("northriver iv", "northriver", True)
    assert store.journal.names_apart() == {("northriver", "northriver iv")}
    store.journal.keep_apart("northriver iv", "northriver", False)
    assert not store.journal.names_apart()
    with pytest.raises(InvalidInput):
        store.journal.keep_apart("acme", "acme", True)


def test_it_is_all_there_after_opening_again(tmp_path: Path, content: Make) -> None:
    first = Store(tmp_path / "w")
    first.documents.add(content())
    first.close()
    again = Store(tmp_path / "w", create=False)
    assert again.documents.get(A[:16]) == content().document
    again.close()
