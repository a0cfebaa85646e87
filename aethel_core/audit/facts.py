"""Every figure of a passage with what it measures: row, column, unit, scale and period.

A fact comes from a table's cell or from a span of prose. Tables of one document are read in their
order, because a table that is cut into several passages says only once what its columns mean, and
because notes of an annual report leave out the scale that its statements state.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from aethel_core.audit.sentences import sentences
from aethel_core.audit.spans import period_of, periods_in
from aethel_core.finance.line_items import amount_item
from aethel_core.finance.metrics import metrics_in
from aethel_core.finance.numbers import Figure, find_figures
from aethel_core.types import Passage, Period, Rect, Table, TableColumn, TableRow


@dataclass(frozen=True, slots=True)
class Fact:
    """``figure.value`` has the table's scale applied. ``periods`` are the most specific stated for
    it (row, column, sentence), empty where only the document tells. ``assumed_scale``: the table
    states no scale, the document's usual one was taken. ``wording`` is what labels the figure:
    row, group and column of a cell, the sentence of a span; ``around`` is the table's title, or the
    sentence before.
    """

    passage_id: str
    page: int
    figure: Figure
    row: str = ""
    column: str = ""
    group: str = ""
    around: str = ""
    wording: str = ""
    periods: tuple[Period, ...] = ()
    period_label: str = ""
    item: str = ""
    rect: Rect | None = None
    start: int = -1  # of a span, in the passage's text
    assumed_scale: bool = False

    @property
    def is_cell(self) -> bool:
        return self.start < 0


def usual_scale(passages: Sequence[Passage]) -> float:
    """The scale that most tables of a document state, 1 where none does."""
    stated = Counter(p.table.scale for p in passages if p.table and p.table.unit_line)
    return max(stated, key=lambda scale: (stated[scale], scale)) if stated else 1.0


def usual_currency(passages: Sequence[Passage]) -> str:
    """The currency of most tables of a document that state one."""
    stated = Counter(p.table.currency for p in passages if p.table and p.table.currency)
    return max(stated, key=lambda code: (stated[code], code)) if stated else ""


def facts_of(passages: Sequence[Passage]) -> dict[str, tuple[Fact, ...]]:
    """The facts of one document's passages, by passage id."""
    scale, currency = usual_scale(passages), usual_currency(passages)
    found: dict[str, tuple[Fact, ...]] = {}
    heads: tuple[tuple[TableColumn, ...], tuple[str, ...]] = ((), ())
    for passage in passages:
        if passage.table is None:
            found[passage.id] = tuple(_spans(passage))
            continue
        known = heads[1] if passage.table.columns == heads[0] else ()
        reader = _Cells(passage, passage.table, scale, currency, known)
        found[passage.id] = tuple(reader.read())
        heads = (passage.table.columns, reader.heads)
    return found


# --- prose -------------------------------------------------------------------------------------


def _spans(passage: Passage) -> Iterator[Fact]:
    before = passage.section
    for start, end in sentences(passage.text):
        sentence = passage.text[start:end]
        periods = periods_in(sentence)
        for figure in find_figures(sentence, periods):
            yield Fact(
                passage.id,
                passage.page,
                figure,
                around=before,
                wording=sentence,
                periods=tuple(span.period for span in periods),
                start=start + figure.start,
            )
        before = sentence


# --- tables ------------------------------------------------------------------------------------

_PER_SHARE = re.compile(r"\bper\b.{0,24}\b(?:share|unit)\b|\bEPS\b", re.IGNORECASE)
_SHARES = re.compile(r"\b(?:shares|units)\b", re.IGNORECASE)
_RATE = re.compile(r"%|\bpercent|\bmargin\b|\brate\b|\bratio\b", re.IGNORECASE)
_TO_ONE = re.compile(r"\d+(?:\.\d+)?\s*(?:to|:)\s*1(?:\.0+)?")
_UNSCALED_UNITS = ("percent", "bps", "multiple", "per share", "days", "months", "years")
_MEASURED = {"days": "days", "multiple": "multiple", "ratio": "multiple"}  # a metric's unit, its figures'
_FOOTNOTE = re.compile(r"\s*(?:\(\w{1,2}\)|\*+|†)\s*$")
# "Senior Notes, due October 2028" is not of October 2028.
_DUE = re.compile(r"\b(?:due|matur\w+|until|through|expir\w+|ending)\s+(?:on\s+|in\s+)?$", re.IGNORECASE)
# In a table without a unit line, amounts this large are written out whatever the document's scale.
_WRITTEN_OUT = {1e3: 1e7, 1e6: 1e6}


class _Cells:
    """Reads one table. ``heads`` are the sub-headers over the columns, which a row without figures
    may set for the rows below it."""

    def __init__(
        self, passage: Passage, table: Table, usual: float, currency: str, heads: tuple[str, ...]
    ) -> None:
        self.passage, self.table, self.heads = passage, table, heads
        self.unstated = not table.unit_line and table.scale == 1.0
        self.scale = usual if self.unstated else table.scale
        self.currency = table.currency or currency
        self.title = " ".join(part for part in (passage.section, table.title) if part)

    def read(self) -> Iterator[Fact]:
        for row in self.table.rows:
            if _is_head(row):
                self.heads = tuple(cell.text for cell in row.cells)
                continue
            for number, column in enumerate(self.table.columns[: len(row.cells)]):
                fact = self._fact(row, number, column)
                if fact:
                    yield fact

    def _fact(self, row: TableRow, number: int, column: TableColumn) -> Fact | None:
        cell = row.cells[number]
        figures = find_figures(cell.text)
        ratio = _TO_ONE.fullmatch(cell.text.strip())
        if ratio:  # "6.75 to 1.00"
            figures = tuple(replace(figure, unit="multiple") for figure in figures[:1])
        elif cell.value is None:  # words with a rate among them: "EV/EBITDA 12.3x"
            figures = tuple(figure for figure in figures if figure.unit != "count")
        elif not figures:  # "(12)" and "2021" are no figures in prose
            figures = (_plain(cell.text, cell.value),)
        if not figures:
            return None
        head = self.heads[number] if number < len(self.heads) else ""
        header = " ".join(part for part in (column.header, head) if part)
        figure, assumed = self._scaled(figures[0], row, header, column.unit)
        periods = self._periods(row, column, header)
        return Fact(
            self.passage.id,
            self.passage.page,
            figure,
            row=row.header,
            column=header,
            group=row.group,
            around=self.title,
            wording=" ".join((row.group, row.header, header, _text_cells(row))).strip(),
            periods=periods,
            period_label=column.period,
            item=amount_item(row.header) or "",
            rect=cell.rect,
            assumed_scale=assumed,
        )

    def _scaled(self, figure: Figure, row: TableRow, header: str, unit: str) -> tuple[Figure, bool]:
        """The figure with the table's scale, unless its own unit or row exempts it."""
        if unit == "%" and figure.unit == "count":
            return replace(figure, unit="percent"), False
        if unit == "x" and figure.unit == "count":
            return replace(figure, unit="multiple"), False
        labels = f"{row.group} {row.header} {header}"
        if figure.unit in _UNSCALED_UNITS or figure.scale != 1.0:
            return figure, False
        measured = _metric_unit(row.header)
        if measured and _measures(figure, measured):  # "Days payable outstanding | 52", in millions
            return replace(figure, unit=measured), False
        if _PER_SHARE.search(labels):
            return replace(figure, unit="per share", currency=figure.currency or self.table.currency), False
        if self._exempt(labels, figure):
            cents = re.search(r"\d,\d{3}\.\d\d\b|\d{4,}\.\d\d\b", figure.text) and not _SHARES.search(labels)
            money = cents and not figure.currency and self.currency
            return (replace(figure, unit="currency", currency=self.currency) if money else figure), False
        currency = figure.currency or ("" if _SHARES.search(labels) else self.table.currency)
        scaled = replace(
            figure,
            value=figure.value * self.scale,
            scale=self.scale,
            step=figure.step * self.scale,
            unit="currency" if currency else figure.unit,
            currency=currency,
        )
        return scaled, self.unstated and self.scale != 1.0

    def _exempt(self, labels: str, figure: Figure) -> bool:
        """What a scale does not apply to: rates, and in tables that state none amounts with cents."""
        if _RATE.search(labels) and abs(figure.printed) < 1000 and "," not in figure.text:
            return True
        if not self.unstated:
            return False
        return "." in figure.text or abs(figure.printed) >= _WRITTEN_OUT.get(self.scale, 1e9)

    def _periods(self, row: TableRow, column: TableColumn, header: str) -> tuple[Period, ...]:
        stated = [period_of(column.period)] if column.period else []
        labels = f"{row.header}\n{header}"
        stated += [span.period for span in periods_in(labels) if not _DUE.search(labels[: span.start])]
        if not any(stated):
            stated = [span.period for span in periods_in(f"{row.group}\n{self.table.title}")]
        return tuple(dict.fromkeys(period for period in stated if period))


@lru_cache(maxsize=4096)
def _metric_unit(header: str) -> str:
    """ "days" or "multiple" where the whole header is the name of a metric measured so, else ""."""
    name = _FOOTNOTE.sub("", header).strip(" :,")
    whole = (match.metric for match in metrics_in(name) if (match.start, match.end) == (0, len(name)))
    return next((_MEASURED[metric.unit] for metric in whole if metric.unit in _MEASURED), "")


def _measures(figure: Figure, unit: str) -> bool:
    """Whether a bare number may be one of that unit: a multiple has decimals, an amount may have none."""
    return figure.unit == "count" and abs(figure.printed) < 1000 and (unit == "days" or "." in figure.text)


def _plain(text: str, value: float) -> Figure:
    decimals = len(re.sub(r"[^\d.]", "", text).partition(".")[2])
    return Figure(0, len(text), text, value, value, 1.0, "count", step=10.0**-decimals)


def _is_head(row: TableRow) -> bool:
    """A row of words over columns: two texts or more and no figure, and they fit in a header."""
    texts = [cell.text for cell in row.cells if cell.text.strip("—–- ")]
    return (
        len(texts) >= 2
        and all(cell.value is None for cell in row.cells)
        and sum(len(text) for text in texts) < 120
        and not any(find_figures(text) for text in texts)
    )


def _text_cells(row: TableRow) -> str:
    return " ".join(
        cell.text for cell in row.cells if cell.value is None and any(map(str.isalpha, cell.text))
    )
