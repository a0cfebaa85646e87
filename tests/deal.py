"""Two letters, a statement and a filing made by hand, as passages with tables; no PDF is read."""

from __future__ import annotations

from collections.abc import Sequence

from aethel_core.audit import Sources
from aethel_core.text import tokenise
from aethel_core.types import (
    Document,
    DocumentType,
    Hit,
    Metadata,
    Passage,
    PassageKind,
    Period,
    Query,
    Ranking,
    Rect,
    Statement,
    Table,
    TableCell,
    TableColumn,
    TableRow,
    passage_id,
)

FUND = "Alder Ridge Partners II, L.P."


def prose(document: str, number: int, page: int, text: str, section: str = "") -> Passage:
    return Passage(
        passage_id(document, number),
        document,
        page,
        0,
        len(text),
        (Rect(72, 72, 540, 90),),
        section,
        PassageKind.PROSE,
        text,
    )


def grid(
    document: str,
    number: int,
    page: int,
    heads: Sequence[tuple[str, str]],
    rows: Sequence[tuple[str, Sequence[str]]],
    *,
    unit: str = "$ thousands",
    scale: float = 1e3,
    title: str = "",
    statements: tuple[Statement, ...] = (),
) -> Passage:
    table = Table(
        title,
        tuple(TableColumn(header, period) for header, period in heads),
        tuple(
            TableRow(label, tuple(TableCell(cell, number_of(cell)) for cell in cells))
            for label, cells in rows
        ),
        unit,
        scale,
        "USD",
    )
    text = "\n".join([title, unit, *(" | ".join([label, *cells]) for label, cells in rows)])
    return Passage(
        passage_id(document, number),
        document,
        page,
        0,
        len(text),
        (Rect(72, 72, 540, 200),),
        title,
        PassageKind.TABLE,
        text,
        table,
        statements,
    )


def number_of(cell: str) -> float | None:
    plain = cell.strip("()%x$").replace(",", "").replace("$", "")
    if not plain.replace(".", "").isdigit():
        return None
    return -float(plain) if cell.startswith("(") else float(plain)


def document(id: str, name: str, metadata: Metadata, version_of: str = "") -> Document:
    return Document(id, name, id, metadata, 3, 3, version_of=version_of)


Q3, AGAIN, Q4, TENK = "a" * 16, "b" * 16, "c" * 16, "d" * 16
_SEP, _DEC = ("Sep 30, 2022", "2022-09-30"), ("Dec 31, 2022", "2022-12-31")


def _letter(quarter: int, end: str) -> Metadata:
    return Metadata(
        FUND, Period(2022, quarter, end), DocumentType.LP_LETTER, "Letter", "", ("Alder Ridge Partners II",)
    )


DOCUMENTS = (
    document(Q3, "q3.pdf", _letter(3, "2022-09-30")),
    document(AGAIN, "q3-again.pdf", _letter(3, "2022-09-30"), Q3),
    document(Q4, "q4.pdf", _letter(4, "2022-12-31")),
    document(
        TENK,
        "halden.pdf",
        Metadata(
            "Halden Freight, Inc.",
            Period(2022, None, "2022-12-31"),
            DocumentType.TEN_K,
            "",
            "HLD",
            ("Halden Freight", "Halden"),
        ),
    ),
)
PASSAGES = {
    Q3: (
        prose(
            Q3,
            0,
            1,
            "The Fund's net asset value at quarter end was $412.6 million. "
            "Halden Freight rose 5.9% in the quarter.",
        ),
        grid(Q3, 1, 2, [_SEP], [("Net asset value", ["412,600"])], title="Statement of net assets"),
    ),
    AGAIN: (grid(AGAIN, 0, 2, [_SEP], [("Net asset value", ["412,200"])], title="Statement of net assets"),),
    Q4: (
        prose(
            Q4,
            0,
            1,
            "Capital Call No. 7 was issued on October 3, 2022. "
            "It amounted to $12.5 million, or 2.5% of Commitments.",
        ),
        grid(
            Q4,
            1,
            2,
            [_DEC, _SEP],
            [
                ("Total Commitments", ["500,000", "500,000"]),
                ("Contributions since inception", ["400,000", "387,500"]),
                ("Distributions since inception", ["100,000", "90,000"]),
                ("Unfunded Commitments", ["110,000", "122,500"]),
                ("Net asset value", ["420,000", "412,200"]),
                ("Net return for the quarter", ["(1.5)%", "0.8%"]),
            ],
            title="Commitments and net assets",
        ),
        prose(
            Q4,
            2,
            3,
            "A Key Person Event occurred on January 16, 2023, and the investment period is suspended from "
            "that date.",
        ),
    ),
    TENK: (
        grid(
            TENK,
            0,
            1,
            [("2022", "FY2022"), ("2021", "FY2021")],
            [
                ("Net sales", ["1,204.3", "1,100.0"]),
                ("Operating income", ["120.4", "132.0"]),
                ("Net income (loss)", ["(36.0)", "45.4"]),
            ],
            unit="in millions",
            scale=1e6,
            title="Consolidated statements of income",
            statements=(Statement.INCOME,),
        ),
        grid(
            TENK,
            1,
            2,
            [("2022", "FY2022"), ("2021", "FY2021")],
            [("Total assets", ["2,000.0", "1,900.0"])],
            unit="in millions",
            scale=1e6,
            title="Consolidated balance sheets",
            statements=(Statement.BALANCE,),
        ),
        prose(
            TENK,
            2,
            2,
            "Grainfield accounted for 14% of net sales in 2022 and 13% in 2021. "
            "Margins fell by 1,250 basis points.",
        ),
    ),
}


def sources() -> Sources:
    return Sources(DOCUMENTS, PASSAGES.__getitem__)


class Shelf:
    """A library whose search counts shared words: enough to test what is made of the hits."""

    def __init__(self) -> None:
        self.sources = sources()
        self.asked: list[str] = []

    def search(self, query: Query, retriever: str, k: int) -> Ranking:
        self.asked.append(query.text)
        wanted = set(tokenise(query.text))
        every = [passage for passages in PASSAGES.values() for passage in passages]
        scored = [(len(wanted & set(tokenise(passage.text))), passage.id) for passage in every]
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        return Ranking(retriever, tuple(Hit(id, score) for score, id in scored[:k] if score))

    def documents(self) -> Sequence[Document]:
        return DOCUMENTS

    def passages(self, passage_ids: Sequence[str]) -> dict[str, Passage]:
        every = {passage.id: passage for passages in PASSAGES.values() for passage in passages}
        return {id: every[id] for id in passage_ids}

    def path(self, about: Sequence[str], passage_id: str) -> tuple[str, ...]:
        return (*about, "passage")
