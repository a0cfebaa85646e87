"""Tokens: the one notion of a word, shared by the lexical indexes and the entity graph."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_DOTTED = re.compile(r"\b(?:[A-Za-z]\.)+[A-Za-z]\b\.?|\b(?:[A-Za-z]\.){2,}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_POSSESSIVE = re.compile(r"(?<=[\w.])['’ʼ]s\b|(?<=s)['’ʼ](?!\w)", re.IGNORECASE)
_TOKEN = re.compile(r"\d+(?:\.\d+)?\w*|\w+|&")
_QUOTES = re.compile(r"(?<=[^\W\d])['’ʼ](?=[^\W\d])")

_STOP_WORDS = """
a about after all also an and any are as at be because been before being between both but by can
could did do does doing down during each few for from further had has have having he her here him
his how i if in into is it its just me more most my no nor not now of off on once only or other our
out over own same she should so some such than that the their them then there these they this those
through to too under until up us very was we were what when where which while who whom why will with
would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

_NO_TEXT = ("Cc", "Cs")  # control characters, and halves of surrogate pairs


def typed(text: str) -> str:
    """What a person typed or a shell passed on, with a space for each character that is none:
    a control character, or a byte that could not be decoded."""
    if text.isprintable():
        return text
    return "".join(" " if unicodedata.category(c) in _NO_TEXT else c for c in text)


def counted(number: int, noun: str) -> str:
    """``1 page``, ``1,234 pages``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def fold(text: str) -> str:
    """Compatibility-normalised text without accents, case kept."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _undot(match: re.Match[str]) -> str:
    return match.group().replace(".", "")


def words(text: str) -> list[str]:
    """Lower-case tokens in text order, for matching names on word boundaries.

    Accents are folded, "L.P." is one token "lp" and "J.P. Morgan" is "jp morgan", a possessive
    's is dropped, thousands separators are removed ("1,204.3" is "1204.3"), "&" is a token,
    an apostrophe inside a word is dropped ("O'Neill" is "oneill"); all else separates.
    """
    plain = _POSSESSIVE.sub("", fold(text))
    plain = _DOTTED.sub(_undot, plain)
    plain = _THOUSANDS.sub("", _QUOTES.sub("", plain))
    return _TOKEN.findall(plain.lower())


def match_form(text: str) -> str:
    """The tokens of `words`, each with a single space on either side: a name's `match_form`
    is a substring of a text's exactly when the name occurs in it on word boundaries."""
    tokens = words(text)
    return f" {' '.join(tokens)} " if tokens else ""


@lru_cache(maxsize=200_000)
def stem(token: str) -> str:
    """Undo English plurals only (Harman's S-stemmer): companies → company, notes → note."""
    if len(token) > 4 and token.endswith("ies") and not token.endswith(("eies", "aies")):
        return token[:-3] + "y"
    if len(token) > 4 and token.endswith("es") and not token.endswith(("aes", "ees", "oes")):
        return token[:-1]
    if len(token) > 3 and token.endswith("s") and not token.endswith(("us", "ss")):
        return token[:-1]
    return token


def tokenise(text: str) -> list[str]:
    """Index terms for the lexical retrievers: `words` without stop words and "&", stemmed."""
    return [stem(token) for token in words(text) if token not in STOP_WORDS and token != "&"]
