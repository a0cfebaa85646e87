"""Extractive summaries of long documents that keep indicators and results.

A document of more than 10,000 tokens is told in the sentences and table rows that name a metric or
line item together with a figure, best first:

    score = 2·(names a metric) + (names a line item) + (says how it changed) + ½·(figures, at most 2)
            + 2·(a row of a recognised statement)

Every metric or line item is told once before any is told twice, so that a page full of tax rates
does not crowd out the rest. Sentences are taken as they stand, each with its passage, so a summary can
be checked like any citation; nothing is written by a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from aethel_core import llm
from aethel_core.finance.line_items import match_row
from aethel_core.finance.metrics import line_item, line_items_in, metrics_in
from aethel_core.types import Passage, Table, TableRow

LONG = 10_000  # tokens
SIZE = 800  # tokens of a summary
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"“(]?[A-Z])")
_FIGURE = re.compile(r"[$€£]\s?\d|\d(?:[\d,]*\.\d+|[\d,]*\d{2,}|\s?%)|\d\s?(?:million|billion|percent|bps)")
_CHANGE = re.compile(
    r"\b(?:increas|decreas|grew|grow|declin|rose|fell|improv|reduc|higher|lower|up|down|compared)\w*\b", re.I
)
_SHORTEST, _LONGEST = 40, 400  # characters of a sentence


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """``about`` are the metrics and line items it tells of."""

    text: str
    passage_id: str
    page: int
    about: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Summary:
    """``sentences`` in reading order; empty for a document that is not long."""

    document_id: str
    tokens: int
    sentences: tuple[SummarySentence, ...]

    @property
    def text(self) -> str:
        return "\n".join(sentence.text for sentence in self.sentences)


def summarise(
    passages: Sequence[Passage],
    *,
    long: int = LONG,
    size: int = SIZE,
    count: Callable[[str], int] = llm.tokens,
) -> Summary:
    """:param passages: all of one document, in reading order.
    :param long: documents of fewer tokens are read whole instead.
    :param size: tokens of the summary.
    """
    total = sum(count(passage.text) for passage in passages)
    document = passages[0].document_id if passages else ""
    if total <= long:
        return Summary(document, total, ())
    chosen = _chosen(list(_candidates(passages)), size, count)
    order = {passage.id: place for place, passage in enumerate(passages)}
    chosen.sort(key=lambda pair: (order[pair[1].passage_id], pair[0]))
    return Summary(document, total, tuple(sentence for _, sentence in chosen))


def _candidates(passages: Sequence[Passage]) -> Iterator[SummarySentence]:
    for passage in passages:
        if passage.table is not None:
            yield from _rows(passage, passage.table)
        else:
            yield from _sentences(passage)


def _sentences(passage: Passage) -> Iterator[SummarySentence]:
    for sentence in _SENTENCE.split(passage.text):
        text = " ".join(sentence.split())
        figures = len(_FIGURE.findall(text))
        if not _SHORTEST <= len(text) <= _LONGEST or not figures:
            continue
        metrics = {match.metric.name for match in metrics_in(text)}
        items = {match.item.name for match in line_items_in(text)}
        if metrics or items:
            change = bool(_CHANGE.search(text))
            score = 2.0 * bool(metrics) + bool(items) + change + 0.5 * min(figures, 2)
            about = tuple(sorted(metrics | items))
            yield SummarySentence(text, passage.id, passage.page, about, score)


def _rows(passage: Passage, table: Table) -> Iterator[SummarySentence]:
    for row in table.rows:
        item = match_row(row.header)
        if item is not None and any(cell.value is not None for cell in row.cells):
            name = line_item(item).name
            score = 1.0 + 1.0 + 2.0 * bool(passage.statements)
            yield SummarySentence(_told(row, table), passage.id, passage.page, (name,), score)


def _told(row: TableRow, table: Table) -> str:
    """A row with its columns and unit: "Revenue: 5,000 (FY2022), 4,600 (FY2021); in millions"."""
    cells = [
        f"{cell.text} ({column.period or column.header})" if column.period or column.header else cell.text
        for cell, column in zip(row.cells, table.columns, strict=False)
        if cell.value is not None
    ]
    unit = f"; {table.unit_line.strip('() ')}" if table.unit_line else ""
    return f"{row.header}: {', '.join(cells)}{unit}"


def _chosen(
    candidates: list[SummarySentence], size: int, count: Callable[[str], int]
) -> list[tuple[int, SummarySentence]]:
    """The best that fit, with their place among the candidates: what is new before what repeats."""
    ranked = sorted(enumerate(candidates), key=lambda pair: (-pair[1].score, pair[0]))
    told: dict[str, int] = {}
    chosen: list[tuple[int, SummarySentence]] = []
    taken: set[int] = set()
    texts: set[str] = set()
    room = size
    for most in (0, 1, 2):  # how often each of its subjects may have been told already
        for place, sentence in ranked:
            cost = count(sentence.text)
            again = min(told.get(name, 0) for name in sentence.about)
            if place in taken or sentence.text in texts or again > most or cost > room:
                continue
            taken.add(place)
            texts.add(sentence.text)
            chosen.append((place, sentence))
            room -= cost
            for name in sentence.about:
                told[name] = told.get(name, 0) + 1
    return chosen
