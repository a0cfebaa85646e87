"""Which pages of a document hold its financial statements, and which a question names.

What counts (the hand-labelled pages of the benchmark follow the same words):

- income statement, balance sheet, cash-flow statement, statement of equity, statement of
  comprehensive income: a page with the body, or a continuation, of such a statement, annual or
  interim, audited or not, of any entity presented in the document, so a subsidiary's or an
  investee's own statements count as they occur. A combined statement of income and comprehensive
  income is both. Not: tables of contents, indexes, auditors' reports, selected data, discussion
  by management, quarterly data, notes, consolidating columns for guarantors, pro forma
  statements, and the parent-only schedule of a holding company.
- segment note: a page with a table of the note on segments (or of the part of another note
  headed by segments), geographic and product tables of that note included. Not: segment tables
  outside the notes.
- debt maturity table: a table of what falls due on debt over at least three future years or
  ranges of years, contractual-obligation tables with debt on its own row or column included.
- capital account statement: a partner's capital account from opening to closing balance.
- schedule of investments: holdings with cost and value under a title that says so.
"""

from __future__ import annotations

from aethel_core.statements import primary
from aethel_core.statements.debt import has_debt_maturities
from aethel_core.statements.funds import is_capital_account, is_schedule_of_investments
from aethel_core.statements.lines import Row, rows
from aethel_core.statements.naming import kinds_named
from aethel_core.statements.segments import SegmentNote
from aethel_core.types import Page, ParsedDocument, Statement

__all__ = ["kinds_named", "recognise"]

_BLANK = 40  # characters; a page with fewer is passed over, a statement may go on after it


def recognise(document: ParsedDocument) -> dict[int, tuple[Statement, ...]]:
    """The statements on each page that has any, by page number. Linear in the text."""
    result: dict[int, tuple[Statement, ...]] = {}
    still_open: tuple[Statement, ...] = ()
    segments, parent_only = SegmentNote(), primary.ParentOnly()
    for page in document.pages:
        if len(page.text.strip()) < _BLANK:
            continue
        table = rows(page)
        kinds = (
            () if parent_only.on_page(table) else _primary(table, page.text, still_open, segments.in_notes)
        )
        still_open = primary.still_open(kinds, table)
        found = [*kinds, *_others(table, page, segments, kinds)]
        if found:
            result[page.number] = tuple(dict.fromkeys(found))
    return result


def _primary(
    table: list[Row], text: str, still_open: tuple[Statement, ...], in_notes: bool
) -> tuple[Statement, ...]:
    titled = primary.sections(table) if primary.may_hold_title(text) else []
    if primary.excluded(table):
        return ()
    if not titled:
        goes_on = primary.continued(table, still_open) if still_open else ()
        return goes_on if goes_on or in_notes else primary.untitled(table)
    found = [kind for section in titled for kind in primary.confirmed(section, still_open)]
    return tuple(dict.fromkeys(found))


def _others(
    table: list[Row], page: Page, segments: SegmentNote, kinds: tuple[Statement, ...]
) -> list[Statement]:
    found = []
    if segments.on_page(table, bool(kinds)):
        found.append(Statement.SEGMENT)
    if not kinds and has_debt_maturities(table, page.text):
        found.append(Statement.DEBT_MATURITY)
    if is_capital_account(table, page.text):
        found.append(Statement.CAPITAL_ACCOUNT)
    if is_schedule_of_investments(table, page.text):
        found.append(Statement.INVESTMENTS)
    return found
