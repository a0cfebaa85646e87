"""Figures that two documents give differently for the same thing at the same time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from aethel_core.agents.base import Finding, FindingKind
from aethel_core.agents.ledger import DATED, Bucket, bucket, reading
from aethel_core.agents.wording import (
    OTHER_BASIS,
    account,
    column_words,
    fact_amount,
    label,
    moment,
    part_of_year,
)
from aethel_core.audit import Fact, Source, Sources
from aethel_core.finance.line_items import line_item
from aethel_core.finance.metrics import line_items_in
from aethel_core.finance.numbers import same_figure
from aethel_core.finance.words import phrase
from aethel_core.index.companies import company_keys
from aethel_core.types import Document, Metadata

MOST, HEADLINES = 12, 2
TIMES, SCALE = 3, 500


@dataclass(frozen=True, slots=True)
class _Given:
    """One document's figure; ``measure`` names it for a reader, ``item`` is its line item or ""."""

    measure: str
    item: str
    fact: Fact
    source: Source


Key = tuple[str, str, str, Bucket, str]


def contradictions(
    sources: Sources, documents: Sequence[Document], specialist: str, key: str
) -> list[Finding]:
    """Each pair of passages that disagree, the most telling first: line items before other rows."""
    given: dict[Key, list[_Given]] = {}
    for document in documents:
        for where, found in _given(sources, document):
            given.setdefault(where, []).append(found)
    pairs = [
        pair
        for where, group in sorted(given.items(), key=lambda e: str(e[0]))
        if (pair := _differ(group, sources))
    ]
    pairs.sort(key=lambda pair: (_weight(pair), pair[0].fact.passage_id, pair[0].fact.row))
    kept = {
        (left.fact.figure.value, right.fact.figure.value): (left, right) for left, right in reversed(pairs)
    }
    chosen = [pair for pair in pairs if pair in kept.values()][:MOST]
    return [_finding(pair, sources, specialist, key, n) for n, pair in enumerate(chosen, start=1)]


def _given(sources: Sources, document: Document) -> Iterator[tuple[Key, _Given]]:
    held = sources.of_document(document.id)
    scope = _scope(document, [source.passage.text for source in list(held.values())[:3]])
    if not scope:
        return
    for source in held.values():
        for fact in source.facts:
            measure, item = _cell_measure(fact) if fact.is_cell else _span_measure(fact)
            if not measure:
                continue
            for when in _buckets(fact, source):
                flow = item in ("", "contributions", "distributions")  # of a quarter, or since inception
                name = DATED.sub("", fact.row) or measure if flow else item
                unit = "rate" if fact.figure.unit in ("percent", "multiple", "bps") else "amount"
                where = (scope, " ".join(phrase(name)), " ".join(phrase(column_words(fact))), when, unit)
                yield where, _Given(measure, item, fact, source)


def _scope(document: Document, texts: Sequence[str]) -> str:
    """Whose figures they are: those of an investor's account are not those of the fund."""
    number = account(document, texts)
    keys = company_keys(document.metadata) if document.metadata != Metadata() else ()
    return f"{keys[0] if keys else ''} {number}".strip()


def _buckets(fact: Fact, source: Source) -> Iterator[Bucket]:
    periods = fact.periods or (source.calendar.period,)
    found = {when for period in periods if (when := bucket(period, source.calendar))}
    if len(found) == 1:
        yield from found


def _cell_measure(fact: Fact) -> tuple[str, str]:
    if OTHER_BASIS.search(f"{fact.around} {fact.group} {fact.row} {fact.column}"):
        return "", ""  # figures on different bases may differ
    row = DATED.sub("", fact.row).strip(" :")
    if not fact.item and len(phrase(row)) < 2:
        return "", ""
    return (row if phrase(row) else line_item(fact.item).name), fact.item


# Between the name of an item and its figure: "of", "at quarter end was", "stood at".
_LINK = re.compile(
    r"(?:,?\s+(?:at|as of|for|in)\s[^.;$€£]{1,40}?)?,?(?:\s+as corrected,?)?"
    r"\s+(?:of|was|were|is|are|stood at|amounted to|came to)\s+$"
)


def _span_measure(fact: Fact) -> tuple[str, str]:
    """The item of which a sentence gives the figure right after naming it, "" where it does not."""
    for match in line_items_in(fact.wording):
        if match.end <= fact.figure.start and _LINK.fullmatch(fact.wording[match.end : fact.figure.start]):
            return match.item.name, match.item.id
    return "", ""


def _differ(group: Sequence[_Given], sources: Sources) -> tuple[_Given, _Given] | None:
    """Two of different documents whose figures cannot both be right: a document and the one that
    re-issues it before any others, cells before prose."""
    found: tuple[_Given, _Given] | None = None
    for left, right in combinations(sorted(group, key=lambda given: not given.fact.is_cell), 2):
        if not _cannot_both_be(left, right):
            continue
        if sources.replaced_by(left.source.document.id) == right.source.document:
            return left, right
        if sources.replaced_by(right.source.document.id) == left.source.document:
            return right, left
        found = found or (left, right)
    return found


def _cannot_both_be(left: _Given, right: _Given) -> bool:
    return (
        left.source.document.id != right.source.document.id
        and left.fact.figure.unit == right.fact.figure.unit
        and not (left.fact.assumed_scale or right.fact.assumed_scale)
        and not same_figure(left.fact.figure, right.fact.figure, ignore_sign=True)
        and _comparable(left.fact.figure.value, right.fact.figure.value)
    )


def _comparable(left: float, right: float) -> bool:
    """Amounts several times as large are those of a year beside those of a quarter whose heads were not
    read, unless they are off by a scale."""
    small, large = sorted((abs(left), abs(right)))
    return small == 0 or large / small < TIMES or large / small > SCALE


def _weight(pair: tuple[_Given, _Given]) -> tuple[int, int]:
    order = (
        "nav",
        "revenue",
        "net_income",
        "net_irr",
        "unfunded_commitment",
        "commitment",
        "investments_fair_value",
    )
    item = pair[0].item
    rank = order.index(item) if item in order else len(order) + (0 if item else 1)
    return rank, 0 if pair[0].fact.is_cell else 1


def _finding(
    pair: tuple[_Given, _Given], sources: Sources, specialist: str, key: str, number: int
) -> Finding:
    left, right = pair
    when = moment(left.fact, left.source.calendar.period)
    measure = left.measure[0].upper() + left.measure[1:]
    extra = "" if part_of_year(left.fact) else column_words(left.fact)
    measure = f"{measure} ({extra})" if extra else measure
    told = "; ".join(
        f"{label(side.source.document)}, page {side.fact.page}, gives {fact_amount(side.fact)}"
        for side in pair
    )
    claim = f"{measure} {when}: {told}."
    notes = []
    for side in pair:
        newer = sources.replaced_by(side.source.document.id)
        if newer:
            notes.append(f"{side.source.document.name} was replaced by {newer.name}.")
    return Finding(
        f"{key}:contradiction:{number}",
        specialist,
        claim,
        (left.fact.passage_id, right.fact.passage_id),
        tuple(reading(side.fact, side.source) for side in pair),
        0.9 if left.fact.is_cell and right.fact.is_cell else 0.75,
        FindingKind.CONTRADICTION,
        section="Contradictions between documents",
        note=" ".join(dict.fromkeys(notes)),
        headline=number <= HEADLINES,
    )
