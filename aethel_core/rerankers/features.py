"""What speaks for a passage, as numbers from 0 to 1 that a person can read.

Two groups. ``FAST`` needs nothing but the index's arrays and is computed for a pool of thousands;
``READ`` looks into the text of passages and is computed for the hundred that are left. For each
holds: the more, the better (`aethel_core.rerankers.learned` only learns weights of that sign).

A feature that the question gives no occasion for (no company named, no reasons asked) is 0 for
every passage and so changes nothing. "Page" features look at all passages of a page together,
because a table and the sentence that explains it are often cut into several passages.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from threading import Lock

import numpy as np

from aethel_core.finance.metrics import Needs, needed
from aethel_core.finance.periods import find_periods, target_year
from aethel_core.index import Index
from aethel_core.index.entity_graph import period_entities
from aethel_core.index.mentions import line_item_entity
from aethel_core.retrievers.base import query_tokens
from aethel_core.retrievers.bm25 import BM25
from aethel_core.retrievers.hybrid import Hybrid, Part, together
from aethel_core.text import match_form
from aethel_core.types import DocumentType, EntityKind, PassageKind, Period, Query

_REMEMBERED = 8
_GOVERNING = frozenset(
    kind.value for kind in (EntityKind.COMPANY, EntityKind.PERIOD, EntityKind.STATEMENT, EntityKind.LINE_ITEM)
)


@dataclass(frozen=True, slots=True)
class Feature:
    """``name`` is how a model file calls it, ``about`` how a person reads it."""

    name: str
    about: str


FAST = (
    Feature("text", "BM25 of the text, as a share of the best in the corpus"),
    Feature("context", "BM25 of company, type, period and section, as a share of the best"),
    Feature("meaning", "similarity of meaning"),
    Feature("page meaning", "best similarity of meaning on the page"),
    Feature("names", "closeness to the names in the question"),
    Feature("company", "closeness to the company asked about"),
    Feature("period", "closeness to the period asked about"),
    Feature("statement named", "on a statement that the question names"),
    Feature("statement implied", "on a statement that the metric or line item stands on"),
    Feature("line items", "a row of a line item that the question needs"),
    Feature("line items on page", "share of the needed line items on the page"),
    Feature("prose for reasons", "running text, where the question asks for reasons"),
    Feature("quarter", "a filing of the quarter asked about, or an annual one for a full year"),
    Feature("document type", "a filing of the type that the question names"),
    Feature("not an exhibit", "not among the exhibits at the end of an annual report"),
    Feature("together", "Hybrid's score, closeness to all of these at once, as a share of the best"),
)
READ = (
    Feature("words", "share of the question's words in the passage, rare ones count more"),
    Feature("words on page", "the same over the whole page"),
    Feature("phrases", "share of the question's word pairs in the passage"),
    Feature("year in text", "the year asked about stands in the passage"),
    Feature("dated", "the day asked about stands in the passage, or at the head of its document for half"),
    Feature("reasons", "words of cause, where the question asks for reasons"),
    Feature("outlook", "words of expectation, where the question asks for the future"),
)
NAMES = tuple(feature.name for feature in (*FAST, *READ))

_CAUSES = tuple(
    match_form(each)
    for each in (
        "due to", "driven by", "primarily", "as a result of", "attributable to", "reflecting", "reflects",
        "resulted from", "because of", "partially offset by", "offset by", "led by", "related to",
    )
)  # fmt: skip
_EXPECTATIONS = tuple(
    match_form(each)
    for each in (
        "expect", "expects", "expected", "outlook", "guidance", "forecast", "anticipate", "anticipates",
        "anticipated", "will", "plan to", "plans to", "intend", "target", "estimated",
    )
)  # fmt: skip
_FUTURE = re.compile(
    r"\b(?:expect(?:s|ed)?|outlook|guidance|forecast|anticipat\w+|project(?:s|ed|ions?)|plans? to|"
    r"in the future|going forward|next (?:year|quarter)|will)\b",
    re.IGNORECASE,
)
_TYPES = (
    (DocumentType.TEN_K, re.compile(r"\b10-?\s?k\b|\bannual report\b", re.IGNORECASE)),
    (DocumentType.TEN_Q, re.compile(r"\b10-?\s?q\b|\bquarterly report\b", re.IGNORECASE)),
    (DocumentType.EIGHT_K, re.compile(r"\b8-?\s?k\b|\bcurrent report\b", re.IGNORECASE)),
    (DocumentType.EARNINGS, re.compile(r"\b(?:earnings|press) release\b|\bguidance\b", re.IGNORECASE)),
    (DocumentType.LP_LETTER, re.compile(r"\b(?:LP|investor|limited partner) letter\b|\bletter to\b", re.I)),
    (DocumentType.CAPITAL_ACCOUNT, re.compile(r"\bcapital account\b", re.IGNORECASE)),
)
_DAY_IN_WORDS = re.compile(r"(?=.*[A-Za-z]{3}).*\b\d{1,2}\b")
_EXHIBIT = re.compile(r"\bitem\s*(?:15|16)\b|\bexhibit", re.IGNORECASE)
_STATEMENT_TITLE = re.compile(r"\bconsolidated\b|\bfinancial statements\b", re.IGNORECASE)


def type_id(kind: DocumentType) -> str:
    """What switches the document type off in ``Query.muted``: types have no node in the graph."""
    return f"type:{kind.value}"


def types_named(question: str) -> tuple[DocumentType, ...]:
    """The document types that a question names."""
    return tuple(kind for kind, pattern in _TYPES if pattern.search(question))


def quarter_named(question: str) -> int | None:
    """The quarter that a question asks about; None for a full year or none at all."""
    quarters = [
        span.period.quarter
        for span in find_periods(question)
        if span.kind in ("quarter", "half") and span.period.quarter
    ]
    return max(quarters) if quarters else None


@dataclass(frozen=True, slots=True)
class Signals:
    """What was computed once for a question, for every passage of the index."""

    query: Query
    needs: Needs
    year: int | None  # asked about, and not switched off
    parts: tuple[Part, ...]
    text: np.ndarray
    context: np.ndarray


class Features:
    """Features of one index. Safe to share between threads."""

    def __init__(self, index: Index, hybrid: Hybrid, bm25: BM25) -> None:
        self.index, self.hybrid, self.bm25 = index, hybrid, bm25
        self._known: OrderedDict[Query, Signals] = OrderedDict()
        self._lock = Lock()

    def fast(self, query: Query, rows: np.ndarray) -> np.ndarray:
        """Shape (len(rows), len(FAST)), float64."""
        signals = self.signals(query)
        columns = [*self._lexical(signals), *self._closeness(signals), *self._fitting(signals)]
        return np.stack([column[rows] for column in columns], axis=1)

    def all(self, query: Query, rows: np.ndarray) -> np.ndarray:
        """Shape (len(rows), len(NAMES)), float64."""
        return np.hstack([self.fast(query, rows), self._read(self.signals(query), rows)])

    def ground(self, query: Query) -> float:
        """How much the question says of company, period, statement and line items: the sum of the
        weights of these seeds in Hybrid, each the less the more of the corpus it governs."""
        return sum(part.weight for part in self.signals(query).parts if part.kind in _GOVERNING)

    def signals(self, query: Query) -> Signals:
        with self._lock:
            if query in self._known:
                return self._known[query]
        text, context = np.zeros(self.index.size), np.zeros(self.index.size)
        for _, where, rows, values in self.bm25.contributions(query):
            (context if where == "context" else text)[rows] += values
        made = Signals(
            query,
            needed(query.text),
            _year(query),
            self.hybrid.parts(query),
            _share_of_best(text),
            _share_of_best(context),
        )
        with self._lock:
            self._known[query] = made
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return made

    # What the index holds, as arrays over its rows

    @cached_property
    def page_of(self) -> np.ndarray:
        """A number per (document, page), for each row."""
        pages = np.array([page for segment in self.index.segments for page in segment.pages], dtype=np.int64)
        keys = self.index.document_of.astype(np.int64) * (pages.max(initial=0) + 1) + pages
        return np.unique(keys, return_inverse=True)[1]

    @cached_property
    def _tables(self) -> np.ndarray:
        return self._rowwise(lambda segment: [kind is PassageKind.TABLE for kind in segment.kinds])

    @cached_property
    def _main_part(self) -> np.ndarray:
        """1 outside the exhibits; financial statements filed among them count as outside."""
        held = self._rowwise(lambda segment: [bool(found) for found in segment.statements])
        exhibits = self._sections(
            lambda title: bool(_EXHIBIT.search(title)) and not _STATEMENT_TITLE.search(title)
        )
        return np.where(held > 0, 1.0, 1.0 - exhibits)

    def _sections(self, holds: Callable[[str], bool]) -> np.ndarray:
        known = {title: holds(title) for segment in self.index.segments for title in set(segment.sections)}
        return self._rowwise(lambda segment: [known[title] for title in segment.sections])

    def _rowwise(self, values: Callable) -> np.ndarray:
        return np.array([v for segment in self.index.segments for v in values(segment)], dtype=np.float64)

    def _by_document(self, values: Sequence[float]) -> np.ndarray:
        return np.asarray(values, dtype=np.float64)[self.index.document_of]

    def _on_page(self, values: np.ndarray) -> np.ndarray:
        """The largest value on the page of each row."""
        best = np.zeros(int(self.page_of.max(initial=-1)) + 1)
        np.maximum.at(best, self.page_of, values)
        return best[self.page_of]

    # The fast features, in the order of FAST

    def _lexical(self, signals: Signals) -> list[np.ndarray]:
        meaning = np.clip(next(p for p in signals.parts if p.kind == "dense").log_closeness + 1, 0, 1)
        return [
            signals.text,
            signals.context,
            meaning,
            self._on_page(meaning),
        ]

    def _closeness(self, signals: Signals) -> list[np.ndarray]:
        needs = signals.needs
        names = [part for part in signals.parts if part.kind == EntityKind.NAME.value]
        weights = sum(part.weight for part in names)
        together = sum((part.weight * np.exp(part.log_closeness) for part in names), self._none)
        on_statement = self._of(signals, EntityKind.STATEMENT)
        return [
            together / weights if weights > 0 else self._none,
            self._of(signals, EntityKind.COMPANY),
            self._of(signals, EntityKind.PERIOD),
            on_statement if needs.named else self._none,
            on_statement if not needs.named and not needs.narrative else self._none,
            self._of(signals, EntityKind.LINE_ITEM),
            self._items_on_page(signals),
        ]

    @property
    def _none(self) -> np.ndarray:
        return np.zeros(self.index.size)

    def _of(self, signals: Signals, kind: EntityKind) -> np.ndarray:
        found = [part for part in signals.parts if part.kind == kind.value]
        return np.exp(found[0].log_closeness) if found else self._none

    def _items_on_page(self, signals: Signals) -> np.ndarray:
        graph = self.hybrid.graph
        ids = {line_item_entity(item.id).id for item in signals.needs.line_items} - signals.query.muted
        columns = sorted(graph.position[each] for each in ids if each in graph.position)
        if not columns:
            return self._none
        total, by_item = self._none, graph.by_entity
        for column in columns:
            held = self._none
            held[by_item.indices[by_item.indptr[column] : by_item.indptr[column + 1]]] = 1.0
            total += self._on_page(held)
        return total / len(columns)

    def _fitting(self, signals: Signals) -> list[np.ndarray]:
        needs = signals.needs
        return [
            1 - self._tables if needs.narrative else self._none,
            self._quarter(signals),
            self._type(signals.query),
            self._main_part,
            self._together(signals),
        ]

    @staticmethod
    def _together(signals: Signals) -> np.ndarray:
        closeness = together(signals.parts)
        return np.exp(closeness - closeness.max(initial=-np.inf))

    def _quarter(self, signals: Signals) -> np.ndarray:
        if signals.year is None:
            return self._none
        asked = quarter_named(signals.query.text)
        held = [segment.metadata.period.quarter for segment in self.index.segments]
        if asked is None:
            return self._by_document([quarter in (None, 4) for quarter in held])
        return self._by_document([quarter == asked for quarter in held])

    def _type(self, query: Query) -> np.ndarray:
        named = [kind for kind in types_named(query.text) if type_id(kind) not in query.muted]
        return self._by_document([segment.metadata.type in named for segment in self.index.segments])

    # The features that read, in the order of READ

    def _read(self, signals: Signals, rows: np.ndarray) -> np.ndarray:
        needs, question = signals.needs, signals.query.text
        year = signals.year
        texts = [self._texts[int(row)] for row in rows]
        covered, page_covered = self._coverage(signals.query, rows)
        pairs = _pairs(question)
        future = bool(_FUTURE.search(question))
        columns = [
            covered,
            page_covered,
            [sum(pair in text for pair in pairs) / max(len(pairs), 1) for text in texts],
            [float(year is not None and f" {year} " in text) for text in texts],
            self._dated(question, rows, texts),
            [_cues(text, _CAUSES) if needs.narrative else 0.0 for text in texts],
            [_cues(text, _EXPECTATIONS) if future else 0.0 for text in texts],
        ]
        return np.array(columns, dtype=np.float64).T.reshape(len(rows), len(READ))

    def _dated(self, question: str, rows: np.ndarray, texts: Sequence[str]) -> list[float]:
        days = [
            match_form(span.text)
            for span in find_periods(question)
            if span.kind == "date" and _DAY_IN_WORDS.search(span.text)
        ]
        if not days:
            return [0.0] * len(texts)
        heads = self._heads
        return [
            1.0 if any(day in text for day in days) else 0.5 * any(day in heads[at] for day in days)
            for text, at in zip(texts, self.index.document_of[rows], strict=True)
        ]

    @cached_property
    def _heads(self) -> tuple[str, ...]:
        """What stands on the first page of each document."""
        return tuple(
            " ".join(t for t, page in zip(segment.match_texts, segment.pages, strict=True) if page == 1)
            for segment in self.index.segments
        )

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(text for segment in self.index.segments for text in segment.match_texts)

    def _coverage(self, query: Query, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Share of the question's words, weighted by rarity, in the passage and on its page."""
        body = self.index.body
        found = dict(body.columns(query_tokens(query)))
        if not found:
            return np.zeros(len(rows)), np.zeros(len(rows))
        columns = list(found.values())
        rarity = np.log1p(self.index.size / np.maximum(body.document_frequency[columns], 1))
        pages = self.page_of[rows]
        beside = np.flatnonzero(np.isin(self.page_of, pages))
        held = (body.counts[beside][:, columns] > 0).toarray()
        codes, place = np.unique(self.page_of[beside], return_inverse=True)
        together = np.zeros((codes.size, len(columns)), dtype=bool)
        np.logical_or.at(together, place, held)
        own = held[np.searchsorted(beside, rows)] @ rarity / rarity.sum()
        page = together[np.searchsorted(codes, pages)] @ rarity / rarity.sum()
        return own, page


def _year(query: Query) -> int | None:
    year = target_year(query.text)
    muted = {entity.id for entity in period_entities(Period(year))} & query.muted
    return None if muted else year


def _share_of_best(values: np.ndarray) -> np.ndarray:
    best = values.max(initial=0.0)
    return values / best if best > 0 else values


def _pairs(question: str) -> list[str]:
    """Neighbouring words of the question, in match form, without pairs of stop words alone."""
    tokens = match_form(question).split()
    content = set(query_tokens(Query(question)))
    return [f" {a} {b} " for a, b in pairwise(tokens) if a in content and b in content]


def _cues(text: str, cues: Sequence[str]) -> float:
    """How many of the cues a text holds: none 0, one .5, two .67, three .75 …"""
    count = sum(cue in text for cue in cues)
    return count / (count + 1)
