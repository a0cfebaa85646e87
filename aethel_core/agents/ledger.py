"""Figures of line items by document and period, and the metrics that follow from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aethel_core.agents.base import Finding, FindingKind, Reading
from aethel_core.agents.wording import (
    DEDUCTED,
    OTHER_BASIS,
    amount,
    column_words,
    fact_amount,
    lower_first,
    moment,
    period_words,
    row_label,
    subject,
)
from aethel_core.audit import Derivation, Fact, Source, Sources
from aethel_core.audit.spans import Calendar
from aethel_core.finance.formula import PRIOR, MissingInput, UndefinedResult
from aethel_core.finance.line_items import amount_item, line_item
from aethel_core.finance.metrics import Metric, compute, inputs, metric
from aethel_core.types import DocumentType, Period

DATED = re.compile(r"\s+(?:at|as of)\s+\w+\.? \d{1,2}, \d{4}$")
Bucket = tuple[int, int]  # fiscal year, quarter or 0
# Items whose figures of one quarter must not stand beside balances: only totals since inception count.
_SINCE_INCEPTION = frozenset({"contributions", "distributions"})
# A filing's tables show several years: what states no period there cannot be placed.
FILINGS = (DocumentType.TEN_K, DocumentType.TEN_Q, DocumentType.EIGHT_K, DocumentType.EARNINGS)
_INCEPTION = re.compile(r"\binception\b|\bcumulative\b", re.IGNORECASE)
# Columns that are a part of what the item means: of a quarter in a fund's table, of half a year in
# a quarterly release.
_PART = re.compile(r"\b(?:quarter|year to date|three months|six months|nine months)\b", re.IGNORECASE)
_LONGER = re.compile(r"\b(?:year to date|six months|nine months|percent)\b|%", re.IGNORECASE)


def bucket(period: Period, calendar: Calendar) -> Bucket | None:
    """The quarter or year of a document's calendar in which a period lies."""
    if period.fiscal_year is None:
        return None
    if not period.end:
        return period.fiscal_year, period.quarter or 0
    own = calendar.period
    if own.end == period.end and own.fiscal_year is not None:
        return own.fiscal_year, own.quarter or 0
    month = int(period.end[5:7])
    year = int(period.end[:4]) + calendar.shift
    if own.quarter is None and (not own.end or int(own.end[5:7]) == month):
        return year, 0
    return year, (month - 1) // 3 + 1


def item_of(fact: Fact) -> str:
    """The row's item; "Unfunded commitments, recallable amounts included" is unfunded commitments."""
    if fact.item:
        return fact.item
    row = DATED.sub("", fact.row)
    return amount_item(row.partition(",")[0] if row.lower().startswith("unfunded") else row) or ""


@dataclass(frozen=True, slots=True)
class Entry:
    item: str
    fact: Fact
    source: Source

    @property
    def value(self) -> float:
        """With its scale; a debt that a statement of net assets deducts is a positive debt."""
        value = self.fact.figure.value
        return abs(value) if self.item in DEDUCTED else value

    @property
    def standing(self) -> tuple[bool, bool, float]:
        """The item's own statement counts before other tables; there, a balance before a deduction
        from something else, and a total before its parts."""
        item = line_item(self.item)
        proper = item.statement in self.source.passage.statements
        return (
            proper,
            item.magnitude or self.fact.figure.value > 0,
            0.0 if proper else abs(self.fact.figure.value),
        )


class Ledger:
    """The line items of one document, by item and period."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.entries: dict[str, dict[Bucket, Entry]] = {}
        for source in sources:
            for fact in source.facts:
                item = item_of(fact)
                filing = source.document.metadata.type in FILINGS
                if fact.is_cell and item and self._counts(item, fact, filing):
                    self._enter(item, fact, source)

    @staticmethod
    def _counts(item: str, fact: Fact, filing: bool) -> bool:
        labels = f"{fact.around} {fact.group} {fact.row} {fact.column}"
        if item in _SINCE_INCEPTION:
            return _INCEPTION.search(labels) is not None
        if OTHER_BASIS.search(labels) and not item.startswith("adjusted"):
            return False
        return (_LONGER if filing else _PART).search(fact.column) is None

    def _enter(self, item: str, fact: Fact, source: Source) -> None:
        unsaid = () if source.document.metadata.type in FILINGS else (source.calendar.period,)
        for period in fact.periods or unsaid:
            when = bucket(period, source.calendar)
            if when is None:
                continue
            known = self.entries.setdefault(item, {})
            entry = Entry(item, fact, source)
            if when not in known or entry.standing > known[when].standing:
                known[when] = entry

    def at(self, item: str, when: Bucket) -> Entry | None:
        return self.entries.get(item, {}).get(when)

    def before(self, item: str, when: Bucket) -> Entry | None:
        """The item a period before: in a filing the same one of the year before, in a fund's papers the
        latest there is. The row that gives the item now comes before any other."""
        now = self.at(item, when)
        if now is None:
            return None
        filing = now.source.document.metadata.type in FILINGS
        year_before = (when[0] - 1, when[1])
        own: dict[Bucket, Entry] = {}
        for fact in now.source.facts:
            if (fact.group, fact.row) == (now.fact.group, now.fact.row) and self._counts(item, fact, filing):
                for period in fact.periods:
                    place = bucket(period, now.source.calendar)
                    if place and fact.figure.unit == now.fact.figure.unit:
                        own.setdefault(place, Entry(item, fact, now.source))
        known = {**self.entries.get(item, {}), **own}
        if filing:
            return known.get(year_before)
        earlier = [place for place in known if place < when and (place[1] == 0) == (when[1] == 0)]
        latest = max(earlier, default=None)
        return known[latest] if latest and (when[1] or latest == year_before) else None


def derived(
    sources: Sources, document_id: str, wanted: Sequence[str], specialist: str, name: str
) -> Iterator[Finding]:
    """The metrics that one document's figures give for its own period."""
    held = sources.of_document(document_id)
    document = sources.documents[document_id]
    own = document.metadata.period
    if not held or own.fiscal_year is None:
        return
    ledger, when = Ledger(tuple(held.values())), (own.fiscal_year, own.quarter or 0)
    for id in wanted:
        chosen = metric(id)
        used = _inputs(chosen, ledger, when)
        try:
            value = compute(chosen, {key: entry.value for key, entry in used.items()})
        except (MissingInput, UndefinedResult):
            continue
        used = _needed(chosen, value, used)
        if chosen.unit in ("days", "months", "years") and value < 0:
            continue  # a runway of who burns no cash
        if len({entry.fact.passage_id + entry.fact.row for entry in used.values()}) + _grows(used) > 1:
            yield _finding(chosen, value, used, ledger, when, specialist, name)


def _needed(chosen: Metric, value: float, used: dict[str, Entry]) -> dict[str, Entry]:
    """Only the inputs without which the value would be another: alternatives not taken fall away."""
    kept = dict(used)
    for key in reversed(list(used)):
        fewer = {k: entry.value for k, entry in kept.items() if k != key}
        try:
            if compute(chosen, fewer) == value:
                del kept[key]
        except (MissingInput, UndefinedResult):
            continue
    return kept


def _grows(used: dict[str, Entry]) -> int:
    return any(key.endswith(PRIOR) for key in used)


def _inputs(chosen: Metric, ledger: Ledger, when: Bucket) -> dict[str, Entry]:
    found = {}
    for key in inputs(chosen):
        item, _, period = key.partition(":")
        entry = ledger.at(item, when) if not period else None
        if key.endswith(PRIOR):
            entry = ledger.before(item, when)
        if entry:
            found[key] = entry
    return found


def _finding(
    chosen: Metric,
    value: float,
    used: dict[str, Entry],
    ledger: Ledger,
    when: Bucket,
    specialist: str,
    name: str,
) -> Finding:
    first = next(iter(used.values()))
    derivation = Derivation(
        chosen.id,
        tuple((key, entry.fact.passage_id, entry.value) for key, entry in used.items()),
        formula=f"{chosen.name} = {chosen.formula.replace('_', ' ')}",
    )
    shown = _shown(chosen, value, first.fact.figure.currency)
    parts = ", ".join(_part(key, entry) for key, entry in used.items())
    whose = subject(first.source)
    own = first.source.calendar.period
    dated = own.quarter and not _grows(used)  # a change is in a period, a balance at its end
    told = period_words(own if dated else Period(own.fiscal_year, own.quarter))
    claim = f"{chosen.name} of {whose} was {shown} {told}, from {parts}."
    passages = tuple(dict.fromkeys(entry.fact.passage_id for entry in used.values()))
    readings = tuple(reading(entry.fact, entry.source) for entry in used.values())
    when_said = told.partition(" ")[2]
    result = Reading(
        shown, value, chosen.unit, 1.0, "", when_said, chosen.name, passages[0], derivation.formula
    )
    return Finding(
        f"{specialist}:{chosen.id}:{first.source.document.id}",
        name,
        claim.replace("  ", " "),
        passages,
        (result, *readings),
        0.9,
        FindingKind.DERIVED,
        section="Derived metrics",
        derivation=derivation,
    )


def _shown(chosen: Metric, value: float, currency: str) -> str:
    if chosen.unit == "percent":
        return f"{value * 100:.1f}%"
    if chosen.unit in ("multiple", "ratio"):
        return f"{value:.2f}x"
    if chosen.unit in ("days", "months", "years"):
        return f"{value:.1f} {chosen.unit}"
    return amount(value, "currency", currency or "USD")


def _part(key: str, entry: Entry) -> str:
    item = line_item(key.partition(":")[0])
    figure = entry.fact.figure
    size = abs(figure.value) if item.magnitude else entry.value
    before = moment(entry.fact) if key.endswith(PRIOR) else ""
    shown = amount(size, figure.unit, figure.currency, figure.text.strip())
    return f"{lower_first(item.name)} {shown} {before}".strip()


def _dated(fact: Fact) -> Period | None:
    dated = [period for period in fact.periods if period.end]
    return dated[0] if dated else next(iter(fact.periods), None)


def reading(fact: Fact, source: Source | None = None) -> Reading:
    """A fact as a figure of a finding.

    :param source: says of when and whose it is where the fact itself does not.
    """
    unsaid = source and fact.is_cell and source.document.metadata.type not in FILINGS
    when = moment(fact, source.calendar.period if source and unsaid else None)
    figure = fact.figure
    column = column_words(fact) or fact.column
    label = (
        " · ".join(part for part in (fact.group, fact.row, column) if part and fact.is_cell) or "in the text"
    )
    return Reading(
        figure.text.strip(),
        figure.value,
        figure.unit,
        figure.scale,
        figure.currency,
        when.partition(" ")[2].removeprefix("the "),
        row_label(fact) or fact.wording[:120],
        fact.passage_id,
        label,
        fact_amount(fact) if fact.is_cell else "",
    )
