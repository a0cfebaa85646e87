"""Financial abbreviations and what they stand for here.

``data/abbreviations.json`` lists meanings in order: of those that share an abbreviation the first
with one of its ``near`` words close by wins ("PE" beside "ratio" or "forward" is price to earnings),
then the first without any. An abbreviation is matched in the case in which it is listed unless
``any_case``; one that is also an ordinary word ("IT", "US") not inside a line in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from aethel_core.finance.dataset import load
from aethel_core.finance.words import Phrases, phrase

NEIGHBOURHOOD = 5  # words on either side, within the sentence, in which a context word counts


@dataclass(frozen=True, slots=True)
class Expansion:
    """``short`` and ``long`` as listed; ``text[start:end]`` is the one that was found.

    ``rule`` says why this meaning: "only meaning", "near 'ratio'" or "usual meaning".
    """

    start: int
    end: int
    short: str
    long: str
    rule: str


@dataclass(frozen=True, slots=True)
class Meaning:
    short: str
    long: str
    near: tuple[str, ...] = ()
    any_case: bool = False
    word: bool = False


@cache
def meanings() -> tuple[Meaning, ...]:
    return tuple(
        Meaning(
            entry["short"],
            entry["long"],
            tuple(entry.get("near", ())),
            entry.get("any_case", False),
            entry.get("word", False),
        )
        for entry in load("abbreviations")["abbreviations"]
    )


@cache
def _by_form() -> dict[str, tuple[Meaning, ...]]:
    """The meanings by the form in which they are looked up: as listed, and lower-cased for any case."""
    table: dict[str, tuple[Meaning, ...]] = {}
    for meaning in meanings():
        forms = {meaning.short, meaning.short.lower()} if meaning.any_case else {meaning.short}
        for form in forms:
            table[form] = (*table.get(form, ()), meaning)
    return table


# An abbreviation with what may stand inside one: "SG&A", "P/E", "10-K", "U.S.".
_CANDIDATE = re.compile(r"(?<![\w&])(?:(?:[A-Za-z]\.){2,}|[A-Za-z0-9]+(?:[&/-][A-Za-z0-9]+)*)(?![\w&])")
_CLAUSE_END = re.compile(r"[;:?!\n]|\.\s")
_PART = re.compile(r"[A-Za-z0-9&]+")


def expand(text: str) -> tuple[Expansion, ...]:
    """The abbreviations of the text with what they stand for, in order."""
    found = []
    for start, end, form in _candidates(text):
        options = _by_form().get(form) or _by_form().get(form.lower(), ())
        options = tuple(m for m in options if m.any_case or m.short == form)
        if options and not (options[0].word and _in_capitals(text, start, end)):
            meaning, rule = _choose(options, text, start, end)
            if meaning:
                found.append(Expansion(start, end, meaning.short, meaning.long, rule))
    return tuple(found)


def _candidates(text: str) -> Iterator[tuple[int, int, str]]:
    """Every written form that may be an abbreviation; the parts of "EV/EBITDA" when it is none itself."""
    for match in _CANDIDATE.finditer(text):
        form = match[0]
        if form in _by_form() or form.lower() in _by_form():
            yield match.start(), match.end(), form
        elif "/" in form or "-" in form:
            for part in _PART.finditer(form):
                yield match.start() + part.start(), match.start() + part.end(), part[0]


def _in_capitals(text: str, start: int, end: int) -> bool:
    before = re.findall(r"[A-Za-z]+", text[max(0, start - 30) : start])[-1:]
    after = re.findall(r"[A-Za-z]+", text[end : end + 30])[:1]
    beside = [word for word in (*before, *after) if len(word) > 1]
    return bool(beside) and all(word.isupper() for word in beside)


def _choose(options: tuple[Meaning, ...], text: str, start: int, end: int) -> tuple[Meaning | None, str]:
    if any(meaning.near for meaning in options):
        beside = _neighbours(text, start, end)
        for meaning in options:
            word = next((n for n in meaning.near if f" {' '.join(phrase(n))} " in beside), None)
            if word:
                return meaning, f"near {word!r}"
    usual = next((meaning for meaning in options if not meaning.near), None)
    return usual, "only meaning" if len(options) == 1 else "usual meaning"


def _neighbours(text: str, start: int, end: int) -> str:
    before = _CLAUSE_END.split(text[max(0, start - 120) : start])[-1].split()[-NEIGHBOURHOOD:]
    after = _CLAUSE_END.split(text[end : end + 120])[0].split()[:NEIGHBOURHOOD]
    return f" {' '.join(phrase(' '.join(before)))} | {' '.join(phrase(' '.join(after)))} "


@cache
def _longs() -> Phrases[Meaning]:
    """Long forms of several words; "euro" has no need of an abbreviation."""
    table: Phrases[Meaning] = Phrases()
    for meaning in meanings():
        if len(phrase(meaning.long)) > 1:
            table.add(meaning.long, meaning)
    return table


def abbreviate(text: str) -> tuple[Expansion, ...]:
    """The long forms found in the text, with their abbreviations: the way back of `expand`."""
    return tuple(
        Expansion(match.start, match.end, meaning.short, meaning.long, "long form")
        for match in _longs().find(text)
        for meaning in match.values[:1]
    )
