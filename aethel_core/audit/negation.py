"""A sentence that denies what its source says, or says what its source denies.

Words and figures may all be the source's while one "not" turns the meaning round. What a "not" denies
is the first word of content behind it; the sentences of the source that hold that word tell whether
the source denies it as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from aethel_core.audit.figures import Written
from aethel_core.audit.sentences import content_words, sentences
from aethel_core.audit.sources import Source

_NOT = re.compile(
    r"\b(?:not(?!\s+(?:only|less|more|later|earlier|fewer|until|applicable)\b)|never|cannot|neither"
    r"|no(?![.\s]*\d|\s+(?:less|more|later|earlier|fewer|longer than|other)\b))\b|\b\w+n[’']t\b",
    re.IGNORECASE,
)
# Ways to deny without a "not": a source with one of them may well be told with it.
_DENIES = re.compile(
    r"\b(?:not|no|never|cannot|none|neither|nor|nothing|without|unless|except|only|zero|nil|un(?!der|i)\w{4,}|in(?:ability"
    r"|sufficient|complete|valid)|non\W?\w*|fail\w*|lack\w*|absen\w*|refus\w*|declin\w*|den(?:y|ied|ies)|ceas\w*"
    r"|exclud\w*|prohibit\w*|prevent\w*|waiv\w*|suspend\w*|terminat\w*|withdr[ae]w\w*|expired?|free of|rather"
    r"|instead|other than|restrict\w*|avoid\w*|clean|unqualified)\b|n[’']t\b|—",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;:()]\s|\b(?:and|but|while|which)\b", re.IGNORECASE)
_SCOPE = re.compile(r"[^\s.,;:()]+")
_REACH = 4  # words behind a "not" among which the one it denies is sought
_SAME = 0.6  # the share of the draft's words that make a sentence of the source the one it tells


def negation(written: Written, sources: Sequence[Source]) -> Iterator[str]:
    """At most one flag; rows of tables deny nothing, so only prose is compared."""
    if any(source.passage.table is not None for source in sources):
        return
    said = [s for source in sources for s in _sentences(source.passage.text)]
    denied = _denied(written.text)
    for word in sorted(denied):
        telling, _ = _telling(word, written, said)
        if telling and not any(_denies_near(word, sentence) for sentence in telling):
            yield f"The sentence denies “{word}”, the source does not."
            return
    if denied or _DENIES.search(written.text):
        return
    for word in sorted(written.words):
        telling, same = _telling(word, written, said)
        if same and all(word in _denied(sentence) for sentence in telling):
            yield f"The source denies “{word}”, the sentence does not."
            return


def _telling(word: str, written: Written, said: Sequence[str]) -> tuple[list[str], bool]:
    """The sentences that hold the word, and whether they tell what the draft tells; where some do,
    the others do not count."""
    holding = [sentence for sentence in said if word in content_words(sentence)]
    enough = _SAME * len(written.words)
    same = [sentence for sentence in holding if len(written.words & content_words(sentence)) >= enough]
    return same or holding, bool(same)


def _denies_near(word: str, sentence: str) -> bool:
    """Whether a part of the sentence that holds the word denies something, in whichever way."""
    parts = [part for part in _PARTS.split(sentence) if word in content_words(part)]
    return any(_DENIES.search(part) for part in parts or [sentence])


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in sentences(text))


@lru_cache(maxsize=16384)
def _denied(text: str) -> frozenset[str]:
    """The words that a "not" denies: for each the first word of content behind it in its clause."""
    found: set[str] = set()
    for match in _NOT.finditer(text):
        clause = re.split(r"[.,;:()]", text[match.end() :], maxsplit=1)[0]
        for token in _SCOPE.findall(clause)[:_REACH]:
            words = content_words(token)
            if words:
                found |= words
                break
    return frozenset(found)
