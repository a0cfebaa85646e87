"""Names by regular expressions: the published baseline graph (PPR-Regex).

``extract(text)`` reads, without any model:

*Lines.* A line break after a line of at least 45 characters is a wrapped line and counts as a
space; any other line break (a heading, a table cell) ends every phrase.

*Capitalised phrases.* A run of capitalised words (a word starting with a capital; after the first
also numbers of up to 3 digits and "St."; at the end a year), separated by single spaces or joined
inside by "of", "of the", "the", "for", "&", "de", "de la", "la", "von", "van", "van der", "der", "du",
"del", "bin", "al", followed by any legal suffixes after an optional comma ("NorthRiver Capital
Partners IV, L.P.").
Initials keep their dots ("J.P. Morgan", "George W. Bush"); any other dot ends the phrase, and so does
a possessive. Acronyms ("FRE", "S&P", "AT&T") are capitalised words.

*Parts.* Besides the whole phrase, what stands on either side of "of", "of the" and "for" in it, and
the phrase without a number at its end ("Gent of Belgium"; "Egypt 51 times").

*And.* A phrase that "and" joins to a following one is read as two names and, when the second ends
with one of `INSTITUTION_WORDS`, also as one ("Securities and Exchange Commission").

*Sentence openers.* At the start of a sentence, line, bracket or quotation, leading `FUNCTION_WORDS`
are taken off ("However, ", "When Apple"), and a single word left is no name when it is one of
`COMMON_WORDS` ("Revenue").

*Tickers.* "(NYSE: NKE)" and "(NKE)" give "NKE": one to five capitals in brackets, after an
optional exchange of up to four words and a colon.

*Identifiers.* `filter.IDENTIFIER` ("NR4-0117"), and what stands before one in a phrase.

*Quoted defined terms.* A capital and at most 80 characters in double quotes: (the “Credit
Facility”).

Every candidate goes through `filter.entity`. The result has no repetition and is in text
order, the longest first where several begin together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aethel_core.entities.filter import IDENTIFIER, entity
from aethel_core.entities.lexicon import COMMON_WORDS, FUNCTION_WORDS, INSTITUTION_WORDS
from aethel_core.text import fold
from aethel_core.types import Entity

_WRAPPED_LINE = 45  # characters; shorter lines are headings or cells
_LONGEST_NAME = 150  # characters looked back for a name

_CAPITAL = "[" + "".join(chr(c) for c in range(0x590) if chr(c).isupper()) + "]"  # Latin, Greek, Cyrillic
_INITIALS = rf"(?:{_CAPITAL}\.)+(?:{_CAPITAL}\b)?"
_WORD = rf"(?:{_INITIALS}|{_CAPITAL}(?:[\w&/-]|['’](?![sS]?\b))*(?:\.com\b)?|[a-z]{{1,2}}{_CAPITAL}\w*)"
_NEXT = rf"(?:{_WORD}|St\.|\d{{1,3}}\b(?![,.]\d))"
_INNER = r"(?:of the|of|the|for|&|de la|de|la|von|van der|van|der|du|del|bin|al)"
_SUFFIX = (
    r"(?:Inc|Incorporated|Corp|Corporation|Co|Company|LLC|L\.L\.C|L\.P|LP|LLP|L\.L\.P|Ltd|Limited|plc|PLC|"
    r"S\.A|SA|N\.V|NV|AG|GmbH|SE|S\.p\.A|B\.V|BV)"
)
_SUFFIX_DOT = r"(?:(?:(?<= Inc)|(?<= Corp)|(?<= Ltd)|(?<= Co))\.)"
_PHRASE = re.compile(
    rf"(?<![\w.@&])(?:St\. )?{_WORD}(?: (?:{_INNER} )?{_NEXT})*(?: (?:of )?\d{{4}}\b)?"
    rf"(?:,? {_SUFFIX}\b\.?)*{_SUFFIX_DOT}?"
)
_AND = re.compile(r"(?: and |, and )$")
_TICKER = re.compile(r"\((?:[A-Z][\w.]*(?: [A-Z][\w.]*){0,3}: ?)?([A-Z]{1,5}(?:\.[A-Z])?)\)")
_QUOTED = re.compile(rf"[“\"](?:the )?({_CAPITAL}[^“”\"\n]{{0,80}}?)[,.]?[”\"]")
_OPENING = re.compile(r"(?:^|[.!?:;•|–—\n]|[(\[“\"‘])\s*$")
_PART = re.compile(r" (?:of the|of|for) ")
_LAST_NUMBER = re.compile(r" \d+$")
_LEADING_WORD = re.compile(r"(\S+)(?: |$)")


def extract(text: str) -> tuple[Entity, ...]:
    """The entities of a text, without repetition, by first occurrence, the longest first."""
    plain = unwrapped(text)
    found: dict[str, Entity] = {}
    for _, name in sorted(_candidates(plain), key=lambda read: (read[0], -len(read[1]))):
        node = entity(name)
        if node is not None:
            found.setdefault(node.id, node)
    return tuple(found.values())


def name_ending(text: str) -> str:
    """The capitalised phrase with which a text ends, "" when it ends with something else."""
    tail = text[-_LONGEST_NAME:].rstrip(" ,")
    for match in _PHRASE.finditer(tail):
        if match.end() == len(tail):
            return match.group()
    return ""


def opens_sentence(text: str, start: int) -> bool:
    """Whether a capital at ``start`` may only be that of a sentence, line, bracket or quotation."""
    return _OPENING.search(text, max(0, start - 4), start) is not None


def unwrapped(text: str) -> str:
    """The text with wrapped lines joined by a space; other line breaks stay."""
    lines = [" ".join(line.split()) for line in text.split("\n")]
    joined = [line + (" " if len(line) >= _WRAPPED_LINE else "\n") for line in lines]
    return "".join(joined).rstrip()


def _candidates(text: str) -> Iterator[tuple[int, str]]:
    yield from _phrases(text)
    for pattern in (_TICKER, _QUOTED):
        for match in pattern.finditer(text):
            yield match.start(1), match.group(1)
    for match in IDENTIFIER.finditer(text):
        yield match.start(), match.group()


def _phrases(text: str) -> Iterator[tuple[int, str]]:
    previous: re.Match[str] | None = None
    for match in _PHRASE.finditer(text):
        name = match.group()
        if opens_sentence(text, match.start()):
            name = _without_opener(name)
        yield from _readings(match.end() - len(name), name)
        if previous and _AND.match(text, previous.end(), match.start()) and _institution(match.group()):
            yield previous.start(), text[previous.start() : match.end()]
        previous = match


def _readings(start: int, name: str) -> Iterator[tuple[int, str]]:
    yield start, name
    if _LAST_NUMBER.search(name):
        yield start, _LAST_NUMBER.sub("", name)
    identifier = IDENTIFIER.search(name)
    if identifier and identifier.start():
        yield start, name[: identifier.start()]
    parts = _PART.split(name)
    if len(parts) > 1:
        for part in parts:
            yield start + name.index(part), part


def _without_opener(name: str) -> str:
    while (word := _LEADING_WORD.match(name)) and _folded(word.group(1)) in FUNCTION_WORDS:
        name = name[word.end() :]
    return "" if _folded(name) in COMMON_WORDS else name


def _folded(word: str) -> str:
    return fold(word).lower()


def _institution(name: str) -> bool:
    return name.rstrip(".").rsplit(None, 1)[-1].lower() in INSTITUTION_WORDS
