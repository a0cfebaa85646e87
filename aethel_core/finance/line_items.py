"""Line items: what the rows of financial statements are called, and which item a row header denotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType

from aethel_core.errors import InvalidInput
from aethel_core.finance.dataset import load
from aethel_core.finance.words import phrase
from aethel_core.types import Statement


@dataclass(frozen=True, slots=True)
class LineItem:
    """One entry of ``data/line_items.json``.

    ``statements`` starts with the one that shows the item as its own line; it is empty for items
    that stand on no statement (guidance, operating data, reconciliations). ``wordings`` are
    recognised as row headers and in questions, ``row_only`` only as row headers because they say
    too little elsewhere ("Services"), ``asked`` only in questions, ``cased`` only when written in
    capitals, ``fund_only`` only where the text speaks of a fund. A ``*`` in a wording stands for
    one to six words, such as the company's name. The sign of a ``magnitude`` item is a matter of
    layout: formulas see its absolute value.
    """

    id: str
    name: str
    statements: tuple[Statement, ...]
    wordings: tuple[str, ...]
    row_only: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    cased: tuple[str, ...] = ()
    fund_only: tuple[str, ...] = ()
    magnitude: bool = False

    @property
    def statement(self) -> Statement | None:
        return self.statements[0] if self.statements else None


@cache
def line_items() -> MappingProxyType[str, LineItem]:
    """All line items by id, in the order of the file."""
    items = (_read(entry) for entry in load("line_items")["line_items"])
    return MappingProxyType({item.id: item for item in items})


def line_item(id: str) -> LineItem:
    """:raises InvalidInput: there is no such line item."""
    try:
        return line_items()[id]
    except KeyError:
        raise InvalidInput(f"There is no line item {id!r} in the metric dictionary.") from None


def _read(entry: dict) -> LineItem:
    lists = ("wordings", "row_only", "asked", "cased", "fund_only")
    return LineItem(
        id=entry["id"],
        name=entry["name"],
        statements=tuple(Statement(s) for s in entry["statements"]),
        magnitude=entry.get("magnitude", False),
        **{name: tuple(entry.get(name, ())) for name in lists},
    )


_PARENTHESES = re.compile(r"\s*/?\s*\([^()]*\)")
# What follows a comma, dash or semicolon only qualifies the item; what comes after it may be dropped.
_QUALIFIER = re.compile(
    r"\s*(?:[,;–—]|\s-)\s*(?:net\b|less\b|at\b|incl|excl|exclusive\b|inclusive\b|par\b|\$|€|£|see\b|of\s+which|no\b"
    r"|as\b|note|value\b|\d|authorized|stated\b|without\b|primarily\b|principally\b|respectively\b|after\b|before\b)",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\s*[\[(]?\b(?:see\s+)?notes?\s+\d+[a-z]?(?:\s*(?:,|and|&)\s*\d+[a-z]?)*[\])]?|[*†‡§]+|\s\d{1,2}\)?\s*$",
    re.IGNORECASE,
)
_NEUTRAL = frozenset({"total", "less", "add", "net", "consolidated", "and", "deduct", "note", "company"})


@cache
def _rows() -> dict[tuple[str, ...], str]:
    table: dict[tuple[str, ...], str] = {}
    for item in line_items().values():
        for wording in (*item.wordings, *item.row_only):
            if "*" not in wording:
                table.setdefault(phrase(wording, keep_percent=True), item.id)
                # "Net income (loss)" is looked up without its parenthesis, too.
                table.setdefault(phrase(_PARENTHESES.sub("", wording), keep_percent=True), item.id)
    table.pop((), None)
    return table


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The wordings with a ``*``, longest first, as patterns over words joined by blanks."""
    found: list[tuple[int, str, str]] = []
    for item in line_items().values():
        for wording in (*item.wordings, *item.row_only):
            if "*" in wording:
                parts = [" ".join(phrase(part, keep_percent=True)) for part in wording.split("*")]
                body = r"(?: \S+){1,6}".join(re.escape(f" {part}" if part else "") for part in parts)
                found.append((-len(wording), body, item.id))
    return tuple((re.compile(body), id) for _, body, id in sorted(found))


@lru_cache(maxsize=65536)
def match_row(header: str) -> str | None:
    """The id of the line item that a table's row header denotes, None where none is known.

    The whole header must be accounted for: by a wording, or by a wording and what merely
    qualifies it (a note number, "(loss)", "net of allowance of $12", "Total"). A header that says
    more than that ("Accounts payable to related parties") is another item.
    """
    if not header or len(header) > 400:
        return None
    for candidate in _candidates(header):
        key = phrase(candidate, keep_percent=True)
        item = _rows().get(key) or _starred(key) or _rows().get(_without_neutral(key))
        if item:
            return item
    return None


def amount_item(header: str) -> str | None:
    """The line item whose amount a row gives, which is one less than `match_row` knows: a row of net
    debt speaks of debt, but its amount is not that of debt."""
    return None if NET_DEBT.search(header) else match_row(header)


_SORTS_OF_DEBT = r"\b(?:debt|borrowings|indebtedness)\b"
DEBT = re.compile(_SORTS_OF_DEBT, re.IGNORECASE)
NET_DEBT = re.compile(
    rf"\bnet\s+(?:financial\s+)?{_SORTS_OF_DEBT}|{_SORTS_OF_DEBT},?\s+net\s+of\s+cash\b", re.IGNORECASE
)


def _candidates(header: str) -> Iterator[str]:
    """The header, then with less and less of what qualifies it."""
    yield header
    bare = _NOTE.sub("", header)
    yield bare
    yield _PARENTHESES.sub("", bare)
    cut = _QUALIFIER.search(bare)
    if cut:
        yield bare[: cut.start()]
        yield _PARENTHESES.sub("", bare[: cut.start()])


def _starred(key: tuple[str, ...]) -> str | None:
    if len(key) < 3:
        return None
    text = " " + " ".join(key)
    return next((item for pattern, item in _patterns() if pattern.fullmatch(text)), None)


def _without_neutral(key: tuple[str, ...]) -> tuple[str, ...]:
    start, end = 0, len(key)
    while start < end and key[start] in _NEUTRAL:
        start += 1
    while end > start and key[end - 1] in _NEUTRAL:
        end -= 1
    return key[start:end]
