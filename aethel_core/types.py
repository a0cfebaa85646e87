"""The frozen values that cross every border in Aethel.

Pages are 1-based, spans are half-open character offsets ``[start, end)`` into the text of
one page, rectangles are PDF points (1/72 inch) with the origin at the top left of the page
*as displayed* (after its rotation is applied).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum

import numpy as np


class PassageKind(StrEnum):
    PROSE = "prose"
    TABLE = "table"


class DocumentType(StrEnum):
    TEN_K = "10-K"
    TEN_Q = "10-Q"
    EIGHT_K = "8-K"
    EARNINGS = "earnings release"
    LP_LETTER = "LP letter"
    CAPITAL_ACCOUNT = "capital account statement"
    OTHER = "other"


class Statement(StrEnum):
    """The financial statements and schedules recognised on pages and in tables."""

    INCOME = "income statement"
    COMPREHENSIVE = "statement of comprehensive income"
    BALANCE = "balance sheet"
    CASH_FLOW = "cash-flow statement"
    EQUITY = "statement of equity"
    SEGMENT = "segment note"
    DEBT_MATURITY = "debt maturity table"
    CAPITAL_ACCOUNT = "capital account statement"
    INVESTMENTS = "schedule of investments"


class EntityKind(StrEnum):
    NAME = "name"
    COMPANY = "company"
    PERIOD = "period"
    STATEMENT = "statement"
    LINE_ITEM = "line item"
    DEFINED_TERM = "defined term"


@dataclass(frozen=True, slots=True)
class Rect:
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Period:
    """A fiscal period: ``Period(2022)`` is FY2022, ``Period(2023, 2)`` is Q2 FY2023.

    ``end`` is the ISO date on which the period ended, "" when the document does not say.
    """

    fiscal_year: int | None = None
    quarter: int | None = None
    end: str = ""

    @property
    def label(self) -> str:
        if self.fiscal_year is None:
            return ""
        year = f"FY{self.fiscal_year}"
        return f"Q{self.quarter} {year}" if self.quarter else year


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a document says it is. ``aliases`` are other names of the company found in it
    (short name, former name, ticker), without ``company`` itself."""

    company: str = ""
    period: Period = Period()
    type: DocumentType = DocumentType.OTHER
    title: str = ""
    ticker: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableCell:
    text: str
    value: float | None = None  # as printed, sign applied, scale NOT applied
    rect: Rect | None = None


@dataclass(frozen=True, slots=True)
class TableColumn:
    header: str
    period: str = ""  # "FY2021", "Q2 FY2023", "2022-06-30" or ""
    unit: str = ""  # overrides the table's unit when the column states its own ("%")


@dataclass(frozen=True, slots=True)
class TableRow:
    header: str
    cells: tuple[TableCell, ...]  # one per column
    group: str = ""  # the heading row above it ("Current assets")


@dataclass(frozen=True, slots=True)
class Table:
    """A table with every number beside its row header, column header, unit and period.

    ``scale`` multiplies a cell's value ("in millions" is 1e6); ``unit_line`` is the printed
    sentence it was read from; ``unscaled`` names what the unit line exempts ("per share").
    """

    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    unit_line: str = ""
    scale: float = 1.0
    currency: str = ""
    unscaled: str = ""

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Table:
        data = json.loads(text)
        rows = tuple(
            TableRow(
                row["header"],
                tuple(
                    TableCell(cell["text"], cell["value"], Rect(**cell["rect"]) if cell["rect"] else None)
                    for cell in row["cells"]
                ),
                row["group"],
            )
            for row in data["rows"]
        )
        columns = tuple(TableColumn(**column) for column in data["columns"])
        return cls(**{**data, "rows": rows, "columns": columns})


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    start: int
    end: int
    rect: Rect


@dataclass(frozen=True, slots=True)
class Block:
    """A run of lines in reading order. ``kind`` is "heading", "prose" or "table"; ``level``
    of a heading is 1 for a 10-K Item or letter title, 2 and deeper below it, 0 otherwise."""

    kind: str
    lines: tuple[Line, ...]
    table: Table | None = None
    level: int = 0

    @property
    def start(self) -> int:
        return self.lines[0].start

    @property
    def end(self) -> int:
        return self.lines[-1].end

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Page:
    """One page as read. ``source`` is "text", "ocr" or "none" (nothing could be read)."""

    number: int
    text: str
    blocks: tuple[Block, ...]
    width: float
    height: float
    rotation: int = 0
    source: str = "text"
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    name: str  # the file's name, sanitised for display; never used as a path
    sha256: str
    pages: tuple[Page, ...]
    warnings: tuple[str, ...] = ()
    pdf_title: str = ""

    @property
    def id(self) -> str:
        return document_id(self.sha256)


def document_id(sha256: str) -> str:
    """A document is known by its content, so the same bytes are the same document."""
    return sha256[:16]


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit of retrieval. ``statements`` are those recognised on it (or governing it)."""

    id: str
    document_id: str
    page: int
    start: int
    end: int
    rects: tuple[Rect, ...]
    section: str
    kind: PassageKind
    text: str
    table: Table | None = None
    statements: tuple[Statement, ...] = ()


def passage_id(document: str, ordinal: int) -> str:
    return f"{document}:{ordinal:05d}"


@dataclass(frozen=True, slots=True)
class Document:
    """A document as the workspace lists it."""

    id: str
    name: str
    sha256: str
    metadata: Metadata
    page_count: int
    passage_count: int
    table_count: int = 0
    entity_count: int = 0
    ocr_pages: int = 0
    size: int = 0  # bytes
    added_at: str = ""  # ISO 8601, UTC
    warnings: tuple[str, ...] = ()
    version_of: str = ""  # id of the document this one re-issues, "" if none
    edited: bool = False  # a person changed the metadata


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of V_E. ``id`` is ``"<kind>:<key>"`` where key is the normalised name."""

    id: str
    kind: EntityKind
    name: str

    @classmethod
    def of(cls, kind: EntityKind, key: str, name: str) -> Entity:
        return cls(f"{kind.value}:{key}", kind, name)


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity a recogniser read in a passage; ``source`` is "regex", "ner" or "llm"."""

    passage_id: str
    entity: Entity
    source: str


@dataclass(frozen=True, slots=True)
class Filters:
    """Empty means "any". Values of one field are alternatives; fields are conjoined."""

    companies: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    types: tuple[DocumentType, ...] = ()
    sections: tuple[str, ...] = ()
    kinds: tuple[PassageKind, ...] = ()
    documents: tuple[str, ...] = ()  # document ids

    @property
    def empty(self) -> bool:
        return self == Filters()


@dataclass(frozen=True, slots=True)
class Query:
    """A question with everything that shapes its rankings.

    ``expansions`` are further words for lexical and dense retrieval; ``muted`` and ``added``
    are entity ids the person switched off or put in as seeds; ``forms`` says that the long forms, full
    figures and periods of passages count beside their text, ``summaries`` that what a document's summary
    tells counts for its passages; ``together`` are statements that the first hits must all show;
    ``skipped`` are numbers of stages of the cascade, from 1.
    """

    text: str
    filters: Filters = Filters()
    expansions: tuple[str, ...] = ()
    muted: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()
    forms: bool = False
    summaries: bool = False
    together: tuple[Statement, ...] = ()
    skipped: frozenset[int] = frozenset()

    def with_text(self, text: str) -> Query:
        return replace(self, text=text)


@dataclass(frozen=True, slots=True)
class Hit:
    passage_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hits, best first; the rank of a hit is its 1-based position.

    ``note`` is a sentence for the person when something shaped the result that the hits do
    not show ("No entity of the corpus was recognised in …", "stopped after 20 iterations …").
    """

    retriever: str
    hits: tuple[Hit, ...]
    note: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(hit.passage_id for hit in self.hits)


def ranked(ids: Sequence[str], scores: np.ndarray, k: int, rows: np.ndarray | None = None) -> tuple[Hit, ...]:
    """The one place where order is made: score descending, then passage id ascending.

    :param ids: passage ids in ascending order; ``scores[i]`` belongs to ``ids[rows[i]]``, or to
        ``ids[i]`` without ``rows`` (ascending row numbers).
    :param scores: float array of shape (n,); entries that are not finite do not qualify.
    :param k: at most this many hits.
    """
    finite = np.flatnonzero(np.isfinite(scores))
    if finite.size > k:
        values = scores[finite]
        threshold = np.partition(values, finite.size - k)[finite.size - k]
        finite = finite[values >= threshold]
    best = finite[np.argsort(-scores[finite], kind="stable")][:k]
    numbers = best if rows is None else rows[best]
    return tuple(Hit(ids[int(n)], float(s)) for n, s in zip(numbers, scores[best], strict=True))


def ranked_pairs(pairs: Iterable[tuple[str, float]], k: int) -> tuple[Hit, ...]:
    """`ranked` for a handful of (passage id, score) pairs in any order."""
    ordered = sorted(pairs, key=lambda pair: pair[0])
    return ranked([p for p, _ in ordered], np.array([s for _, s in ordered], dtype=float), k)
