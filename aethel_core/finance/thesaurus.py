"""Other ways of asking the same, and the words of a question that matter.

``data/thesaurus.json`` holds groups of wordings. The first of each is the one that is looked for;
the others may stand in its place, best known first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from aethel_core.finance.abbreviations import expand
from aethel_core.finance.dataset import load
from aethel_core.finance.metrics import line_items_in, metrics_in
from aethel_core.finance.words import PhraseMatch, Phrases, phrase

MAX_PARAPHRASES = 3
MAX_KEYWORDS = 10


@cache
def groups() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group) for group in load("thesaurus")["groups"])


@cache
def _table() -> Phrases[tuple[str, ...]]:
    table: Phrases[tuple[str, ...]] = Phrases()
    for group in groups():
        table.add(group[0], group)
    return table


def synonyms(term: str) -> tuple[str, ...]:
    """The wordings that may stand in place of ``term``; empty where the thesaurus does not list it."""
    found = _table().get(term)
    return _best(found, term)[1:] if found else ()


def _best(candidates: tuple[tuple[str, ...], ...], written: str) -> tuple[str, ...]:
    """The group in the number that is written: "covenants" has plural alternatives."""
    same = (group for group in candidates if group[0].lower() == written.lower())
    return next(same, candidates[0])


def paraphrases(question: str) -> tuple[str, ...]:
    """At most three rewordings: every known term by its first alternative, by its second, by its third.

    The same question always gives the same ones; one without a known term gives none.
    """
    terms = _replaceable(question)
    found: dict[str, None] = {}
    for rank in range(1, MAX_PARAPHRASES + 1):
        reworded = _reworded(question, terms, rank)
        if reworded != question:
            found[reworded] = None
    return tuple(found)


_SHARE = re.compile(r"\bas\s+an?\b|/", re.IGNORECASE)


def _replaceable(question: str) -> list[PhraseMatch[tuple[str, ...]]]:
    """The terms found, but not those inside a longer name: "sales" of "days sales outstanding"."""
    named = [(m.start, m.end) for m in (*metrics_in(question), *line_items_in(question))]
    # The two sides of "capex as a % of revenue" are terms of their own.
    named = [(start, end) for start, end in named if not _SHARE.search(question, start, end)]
    return [
        match
        for match in _table().find(question)
        if not any(
            start <= match.start and match.end <= end and (start, end) != (match.start, match.end)
            for start, end in named
        )
    ]


def _reworded(question: str, terms: list[PhraseMatch[tuple[str, ...]]], rank: int) -> str:
    for match in reversed(terms):
        written = question[match.start : match.end]
        group = _best(match.values, written)
        if rank < len(group):
            replacement = group[rank]
            if written[:1].isupper() and not written.isupper():
                replacement = replacement[0].upper() + replacement[1:]
            question = question[: match.start] + replacement + question[match.end :]
    return question


_POSSESSIVE = re.compile(r"['’]s?$")
_CONTENT = re.compile(r"[^\W_]+(?:[&'’/-][^\W_]+)*")


@cache
def _common() -> frozenset[str]:
    return frozenset(load("thesaurus")["common_words"])


def keywords(question: str, document_frequency: Callable[[str], int] | None = None) -> tuple[str, ...]:
    """The terms of the question that are worth searching for, at most ten.

    First the names of metrics and line items and the long forms of abbreviations, then the other
    words that carry meaning: rarest first where ``document_frequency`` tells in how many
    passages a word occurs (words that occur in none are left out), else in order.
    """
    named = [m.metric.name.lower() for m in metrics_in(question)]
    named += [m.item.name.lower() for m in line_items_in(question)]
    named += [e.long for e in expand(question)]
    said = {word for name in named for word in phrase(name)}
    rest = [
        word
        for word in dict.fromkeys(_POSSESSIVE.sub("", m[0].lower()) for m in _CONTENT.finditer(question))
        if word not in _common() and len(word) > 1 and not set(phrase(word)) <= said
    ]
    if document_frequency is not None:
        counts = {word: document_frequency(word) for word in rest}
        rest = sorted((word for word in rest if counts[word] > 0), key=lambda word: (counts[word], word))
    return tuple(dict.fromkeys([*named, *rest]))[:MAX_KEYWORDS]
