"""What a table leaves to the rest of the document: its periods, its unit, its head on the page before.

The month a fiscal year ends in is stated all over a filing; a unit may be stated once "unless
otherwise noted"; and a table that goes on over the page has its head on the page before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from aethel_core.parsing import periods
from aethel_core.parsing.blocks import Draft
from aethel_core.types import Table

_FLOWS = re.compile(
    r"\bstatements?\s+of\s+(?:\w+\s+){0,2}?(?:income|earnings|operations|cash\s+flows?)\b", re.IGNORECASE
)
_STANDING = re.compile(r"\bunless\s+otherwise\b|\btabular\b", re.IGNORECASE)
_CONTINUED = " (continued)"
_SHORT = 14  # words; longer text between two tables parts them


def complete_tables(pages: Sequence[Sequence[Draft]]) -> None:
    """Give the tables of a document, page by page, what they do not state themselves."""
    month = _year_end_month(pages)
    standing: periods.Unit | None = None
    before: Draft | None = None
    for drafts in pages:
        for draft in drafts:
            if draft.table is None:
                standing = _standing_unit(draft.text) or standing
                if draft.text.count(" ") >= _SHORT:
                    before = None
                continue
            if before is not None:
                draft.table = _continuing(before, draft)
            draft.table = _dated(_with_unit(draft.table, standing), month)
            before = draft


def _year_end_month(pages: Sequence[Sequence[Draft]]) -> int | None:
    """The month most often given as the end of a year, if any is."""
    months: Counter[int] = Counter()
    for drafts in pages:
        for draft in drafts:
            if draft.table is None:
                months.update(periods.year_end_months(draft.text))
    return min(months, key=lambda m: (-months[m], m), default=None)


def _standing_unit(text: str) -> periods.Unit | None:
    """The unit of a line such as "(in millions, unless otherwise noted)"."""
    return periods.find_unit(text) if len(text) < 400 and _STANDING.search(text) else None


def _continuing(before: Draft, draft: Draft) -> Table:
    """The table of ``draft`` with what it lacks from the table before it, when it goes on from there."""
    first, table = before.table, draft.table
    headers = [column.header for column in table.columns]
    if len(first.columns) != len(headers) or not _aligned(before, draft):
        return table
    if any(headers) and headers != [column.header for column in first.columns]:
        return table
    title = table.title or (first.title.removesuffix(_CONTINUED) + _CONTINUED if first.title else "")
    table = replace(table, title=title)
    if not any(headers):
        units = [column.unit for column in table.columns]
        table = replace(
            table,
            columns=tuple(replace(c, unit=u or c.unit) for c, u in zip(first.columns, units, strict=True)),
        )
    if not table.unit_line:
        currency = table.currency or first.currency
        table = replace(
            table, unit_line=first.unit_line, scale=first.scale, unscaled=first.unscaled, currency=currency
        )
    return table


def _aligned(before: Draft, draft: Draft) -> bool:
    """Whether the columns of two tables stand above each other."""
    pairs = zip(before.columns, draft.columns, strict=True)
    return all(min(a[1], b[1]) > max(a[0], b[0]) for a, b in pairs)


def _with_unit(table: Table, standing: periods.Unit | None) -> Table:
    if table.unit_line or standing is None or all(column.unit for column in table.columns):
        return table
    return replace(
        table,
        unit_line=standing.line,
        scale=standing.scale,
        unscaled=standing.unscaled,
        currency=table.currency or standing.currency,
    )


def _dated(table: Table, month: int | None) -> Table:
    """``table`` with the period of each column, given the month its fiscal years end in."""
    length = periods.title_period(table.title)
    of_flows = _FLOWS.search(table.title) is not None
    whole_year = of_flows and not periods.is_part_of_year(table.title)
    columns = []
    for column in table.columns:
        # A day below "quarter ended …" is that day, except in a statement of flows.
        context = length if of_flows or not periods.has_date(column.header) else ""
        period = periods.period_of(column.header, month, context=context, flows=whole_year)
        columns.append(replace(column, period=period))
    return replace(table, columns=tuple(columns))
