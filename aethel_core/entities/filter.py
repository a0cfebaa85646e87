"""The entity filter: which strings may become nodes of the graph, and under which key.

``clean(name)`` applies these steps in this order; the lists are in `lexicon`:

1. *Whitespace and marks.* Every run of white space and control characters becomes one space.
2. *Trimming*, repeated until nothing changes: characters that are neither letters nor digits
   leave both ends (a final "." stays after an abbreviation: a legal suffix, a single letter or
   a word with another dot; a final ")" stays when its "(" is inside; "." before a digit goes);
   a possessive ending ('s, s') leaves the end; articles and other `TRIMMED_WORDS` leave both
   ends, unless they are initials ("A. O. Smith", "Series A").
3. *Shape*. Dropped: no letter; more than 8 tokens or 80 characters; any character other than
   letters, digits, spaces and ``& ' ’ . , - – / ( ) + ! : " “ ”``; fewer than half letters
   among the characters that are not spaces; letters that have case but no capital among them
   (a name is written with a capital; scripts without case pass).
4. *Fragments*. Dropped: a key of one character; a key of two that is not written in capitals;
   half or more of at least 3 tokens single letters without a dot ("T O T A L"); a token that is
   longer than 30 characters, is a decimal number, repeats a character 4 times running, changes
   between letters and digits more than twice ("l0Ta1"), changes from lower to upper case more than
   twice ("tOtAlS"), or is 5 letters or more without a vowel and not all capitals.
5. *Bare numbers, dates and money*: every token is a number (with or without a unit letter: "10k",
   "2nd", "fy2021", "q3"), a roman numeral, or one of `NUMBER_WORDS`, `DATE_WORDS`, `MONEY_WORDS`,
   `FUNCTION_WORDS`.
6. *Page furniture*: the key is in `FURNITURE`, or is one of `NUMBERED_FURNITURE` followed only by
   numbers, roman numerals and single letters ("Item 7A", "Note 5").
7. *Generic*: every token is one of `GENERIC_WORDS`, `LEGAL_SUFFIXES`, `NUMBERED_FURNITURE`, "k", "q" or
   a word of step 5 ("Annual Report on Form 10-K"); or the key is one of `LONE_WORDS`.

Four forms pass steps 3, 4, 5 and 7: capitals around "&" ("AT&T", "S&P"; "R&D" is furniture);
designations of one to three capitals, a hyphen and two or three digits ("F-35", but not "FY-21");
numbers of accounts and contracts, two to five capitals with at most two digits, a hyphen and at least
four digits that are no year ("NR4-0117", but not "Q4-2022"); and company names of generic words
whose legal suffix makes them a name: one of `NAMING_SUFFIXES` after at least two words ("Capital One
Financial Corporation"), or any suffix after a number with a letter ("3M Company").

What survives is the display name; its key is ``match_form(name).strip()``. ``clean`` is
idempotent.

A name that is one word of `COMMON_WORDS` ("Target", "Inception") passes, because it may well be one, but
`common_word` tells that its key, which knows no case, also occurs where nothing is named: such an entity
belongs only to passages in which a recogniser read it, not to all that spell it.

The legal suffix of a company stays in its name and key: joining "Apple Inc." with
"Apple" is the work of `coreference`, where the rule that joined them can be shown.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from aethel_core.entities.lexicon import (
    COMMON_WORDS,
    DATE_WORDS,
    FUNCTION_WORDS,
    FURNITURE,
    GENERIC_WORDS,
    LEGAL_SUFFIXES,
    LONE_WORDS,
    MONEY_WORDS,
    NAMING_SUFFIXES,
    NUMBER_WORDS,
    NUMBERED_FURNITURE,
    ROMAN_NUMERALS,
    TRIMMED_WORDS,
)
from aethel_core.text import match_form
from aethel_core.types import Entity, EntityKind

MAX_TOKENS = 8
MAX_CHARACTERS = 80
_MAX_RAW = 400  # longer than any name with the words that may be trimmed from it
_MIN_LETTER_SHARE = 0.5
_ALLOWED_MARKS = frozenset(" &'’.,-–/()+!:\"“”")
_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])$", re.IGNORECASE)
_FIRST_WORD = re.compile(r"^\S+\s+")
_LAST_WORD = re.compile(r"\s+\S+$")
_NUMBER = re.compile(r"(?:fy|cy|q|h)?\d+(?:\.\d+)?(?:st|nd|rd|th|s|k|m|mm|bn|b|x|a|q|h|e|p)?(?:\d{2,4})?$")
_AMPERSAND_CAPITALS = re.compile(r"[A-Z]{1,3}&[A-Z]{1,3}$")
_DESIGNATION = re.compile(r"(?!FY|CY|Q-|K-|H-)[A-Z]{1,3}-\d{2,3}[A-Z]?$")
IDENTIFIER = re.compile(r"(?<![\w-])(?!FY|CY|[QHK]\d?-)[A-Z]{2,5}\d{0,2}-(?!(?:19|20)\d\d\b)\d{4,10}\b")
_LONE_LETTER = re.compile(r"\b[^\W\d]\b(?![.'’])")
_DECIMAL = re.compile(r"\d+\.\d")
_REPEATED = re.compile(r"(.)\1{3}")
_CASE_CHANGE = re.compile(r"[a-z](?=[A-Z])")
_KIND_CHANGE = re.compile(r"(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)")
_VOWELLESS = re.compile(r"[bcdfghjklmnpqrstvwxz]{5,}$")

_NUMERIC_WORDS = NUMBER_WORDS | DATE_WORDS | MONEY_WORDS | FUNCTION_WORDS | ROMAN_NUMERALS
_NAMELESS_WORDS = (
    _NUMERIC_WORDS
    | GENERIC_WORDS
    | NUMBERED_FURNITURE
    | {"k", "q"}
    | {word for suffix in LEGAL_SUFFIXES for word in suffix.split()}
)


def key_of(name: str) -> str:
    """The normalised name by which an entity is known and found in passages."""
    return match_form(name).strip()


def clean(name: str) -> str | None:
    """The display name, trimmed, or None when the string must not become an entity."""
    return None if len(name) > _MAX_RAW else _cleaned(name)


@lru_cache(maxsize=100_000)
def _cleaned(name: str) -> str | None:
    trimmed = _trim(_plain_spaces(name))
    key = key_of(trimmed)
    if not key or _furniture(key):
        return None
    if _vouched_for(trimmed, key):
        return trimmed
    dropped = not _name_shaped(trimmed, key) or _fragment(trimmed, key) or nameless(key)
    return None if dropped else trimmed


def keep(name: str) -> bool:
    return clean(name) is not None


def entity(name: str, kind: EntityKind = EntityKind.NAME) -> Entity | None:
    """The node for a surface form, or None when the filter drops it."""
    cleaned = clean(name)
    return None if cleaned is None else Entity.of(kind, key_of(cleaned), cleaned)


def is_number(token: str) -> bool:
    """Whether a token of a key is a number, an ordinal or a fiscal period ("2021", "q3", "10k")."""
    return _NUMBER.match(token) is not None


def common_word(key: str) -> bool:
    """Whether a key is one ordinary English word, so that spelling it does not mean naming it."""
    return key in COMMON_WORDS


def nameless(key: str) -> bool:
    """Whether a key names nothing by itself: step 5 or 7 of the filter."""
    return key in LONE_WORDS or all(token in _NAMELESS_WORDS or is_number(token) for token in key.split())


def _plain_spaces(name: str) -> str:
    printable = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") else c for c in name)
    return " ".join(printable.split())


def _trim(name: str) -> str:
    while True:
        shorter = _trim_words(_POSSESSIVE.sub("", _trim_marks(name)))
        if shorter == name:
            return name
        name = shorter


def _trim_marks(name: str) -> str:
    start = 0
    while start < len(name) and not name[start].isalnum():
        start += 1
    end = len(name)
    while end > start and not name[end - 1].isalnum() and not _mark_belongs(name[start:end]):
        end -= 1
    return name[start:end]


def _mark_belongs(name: str) -> bool:
    if name[-1] == ")":
        return 0 < name.find("(") < len(name) - 2 and name.count("(") == name.count(")")
    if name[-1] != ".":
        return False
    last = name[:-1].rsplit(None, 1)[-1] if name[:-1].strip() else ""
    return "." in last.strip(".") or (len(last) == 1 and last.isalpha()) or last.lower() in LEGAL_SUFFIXES


def _trim_words(name: str) -> str:
    first, last = _FIRST_WORD.match(name), _LAST_WORD.search(name)
    if first and key_of(first.group()) in TRIMMED_WORDS and not first.group().startswith("A."):
        return name[first.end() :]
    if last and key_of(last.group()) in TRIMMED_WORDS and last.group().strip() != "A":
        return name[: last.start()]
    return name


def _vouched_for(name: str, key: str) -> bool:
    if _AMPERSAND_CAPITALS.match(name) or _DESIGNATION.match(name) or IDENTIFIER.fullmatch(name):
        return True
    tokens = key.split()
    numbered = tokens[0].isalnum() and is_number(tokens[0]) and not tokens[0].isdecimal()
    return (tokens[-1] in NAMING_SUFFIXES and len(tokens) >= 3 and _name_shaped(name, key)) or (
        numbered and len(tokens) == 2 and tokens[1] in LEGAL_SUFFIXES
    )


def _name_shaped(name: str, key: str) -> bool:
    if len(name) > MAX_CHARACTERS or key.count(" ") >= MAX_TOKENS:
        return False
    if not all(c.isalnum() or c in _ALLOWED_MARKS or unicodedata.category(c)[0] == "M" for c in name):
        return False
    solid = [c for c in name if c != " "]
    if sum(c.isalpha() or unicodedata.category(c)[0] == "M" for c in solid) < _MIN_LETTER_SHARE * len(solid):
        return False
    cased = [c for c in name if c.islower() or c.isupper()]
    return not cased or any(c.isupper() for c in cased)


def _fragment(name: str, key: str) -> bool:
    tokens = key.split()
    if len(key) == 1 and key.isascii():
        return True
    if len(key) == 2 and key.isascii() and not name.isupper():
        return True
    if len(tokens) >= 3 and 2 * len(_LONE_LETTER.findall(name)) >= len(tokens):
        return True
    return any(_garbled(token) for token in tokens) or any(
        len(_CASE_CHANGE.findall(word)) > 2 or (_VOWELLESS.match(word.lower()) and not word.isupper())
        for word in re.split(r"[\W_]+", name)
    )


def _garbled(token: str) -> bool:
    return (
        len(token) > 30
        or _DECIMAL.match(token) is not None
        or bool(_REPEATED.search(token))
        or len(_KIND_CHANGE.findall(token)) > 2
    )


def _furniture(key: str) -> bool:
    first, *rest = key.split()
    return key in FURNITURE or (
        first in NUMBERED_FURNITURE
        and all(is_number(token) or len(token) == 1 or token in ROMAN_NUMERALS for token in rest)
    )
