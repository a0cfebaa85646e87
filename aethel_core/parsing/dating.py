"""After all pages are read: which period each column is about, and heads of tables that go on.

Both need more than one table: the month a fiscal year ends in is stated all over a filing, and
a table that goes on over the page has its head on the page before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from aethel_core.parsing import periods
from aethel_core.types import Table

_FLOWS = re.compile(
    r"\bstatements?\s+of\s+(?:\w+\s+){0,2}?(?:income|earnings|operations|cash\s+flows?)\b", re.IGNORECASE
)


def year_end_month(texts: Iterable[str]) -> int | None:
    """The month most often given as the end of a year, if any is."""
    months: Counter[int] = Counter()
    for text in texts:
        months.update(periods.year_end_months(text))
    return min(months, key=lambda m: (-months[m], m), default=None)


def dated(table: Table, month: int | None) -> Table:
    """``table`` with the period of each column, given the month its fiscal years end in."""
    context = periods.title_period(table.title)
    flows = _FLOWS.search(table.title) is not None and not periods.is_part_of_year(table.title)
    columns = tuple(
        replace(column, period=periods.period_of(column.header, month, context=context, flows=flows))
        for column in table.columns
    )
    return replace(table, columns=columns)
