"""From a question to the known entities it names: the seeds of the walk.

Matching ignores case, accents and punctuation (`match_form`), so "what did northriver iv call in q2"
is as good as "What did NorthRiver IV call in Q2?". Step 2 reads what step 1 left over; steps 3 and 4
are each taken only when those before found nothing:

1. *Names and aliases.* All keys and all aliases that occur in the question on word boundaries; of
   those that lie inside another only the longer one stays. An alias stands for the keys of its group.
2. *Shortened names.* A run of words that stands in exactly one name, those left aside that only
   lengthen it ("Tamarack State Teachers" for "Tamarack State Teachers Retirement System", "Kestrel"
   for "Project Kestrel"); the longest run first. It begins and ends with a word that is not grammar,
   has a word that is not ordinary (below) and, where capitals mean something, is capitalised but for
   grammar. A single word needs 4 letters and a capital that means something.
3. *Ordinary words.* Of those passed over as doubtful (below): names of several words, and a common
   word at the beginning with a capital ("Target's revenue").
4. *Spelling.* Runs of one to eight words against the names and aliases with the same first letter that
   have at least 5 characters: at most one typing error (insertion, deletion, substitution, two
   neighbours swapped), two in names of 12 characters and more. The longest run
   wins, then the fewest errors, then the names in ascending order. A run has a word that is not
   ordinary, that is one of `COMMON_WORDS` or `GENERIC_WORDS` or a number.

Doubtful is what consists of `COMMON_WORDS` alone ("target", "place of birth"), unless the question
capitalises one of them somewhere else than at its beginning while some longer word is written small,
so that capitals mean something.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rapidfuzz.distance import OSA

from aethel_core.entities.coreference import AliasTable
from aethel_core.entities.filter import MAX_TOKENS, is_number
from aethel_core.entities.lexicon import COMMON_WORDS, FUNCTION_WORDS, GENERIC_WORDS, ROMAN_NUMERALS
from aethel_core.entities.matcher import Matcher
from aethel_core.text import words

NAME = "name"
SHORTENED = "shortened name"
SPELLING = "spelling"
_MIN_SHORTENED = 4
_MIN_FUZZY = 5
_TWO_ERRORS_FROM = 12
_MAX_RUN = MAX_TOKENS
_MAX_QUESTION_WORDS = 400  # a longer text is a pasted document; typing errors are not looked for


@dataclass(frozen=True, slots=True)
class Link:
    """``key`` is an index into the matcher's keys, ``phrase`` the words of the question it was read
    from, ``rule`` "name", "shortened name", "spelling" or the rule of an alias."""

    key: int
    phrase: str
    rule: str


@dataclass(frozen=True, slots=True)
class LinkResult:
    """``looked_for`` are the phrases of the question that look like names, for saying what was not
    found; one link per key, in question order."""

    links: tuple[Link, ...]
    looked_for: tuple[str, ...]

    @property
    def entities(self) -> tuple[int, ...]:
        return tuple(link.key for link in self.links)


class Linker:
    """Links questions to the keys of a matcher. Immutable."""

    def __init__(self, matcher: Matcher, aliases: AliasTable | None = None) -> None:
        self.matcher = matcher
        self._index = {key: number for number, key in enumerate(matcher.keys)}
        self._groups = _groups(aliases, self._index)
        self._aliases = Matcher(tuple(self._groups))

    def link(self, question: str) -> LinkResult:
        tokens = words(question)
        found = self._named(question, tokens) or self._misspelt(tokens)
        unique: dict[int, Link] = {}
        for link in found:
            unique.setdefault(link.key, link)
        return LinkResult(
            tuple(unique.values()), _looked_for(tokens, _capitalised(question) | _starting(question))
        )

    def _named(self, question: str, tokens: list[str]) -> list[Link]:
        text = f" {' '.join(tokens)} "
        spans: dict[tuple[int, int], list[tuple[int, str]]] = defaultdict(list)
        for at in self.matcher.find(text):
            spans[at.start, at.end].append((at.key, NAME))
        for at in self._aliases.find(text):
            spans[at.start, at.end] += self._groups[self._aliases.keys[at.key]]
        capitalised = _capitalised(question)
        sure = {span for span in spans if not _doubtful(tokens[slice(*span)], capitalised)}
        links = _links(tokens, sure, spans)
        short = self._shortened(tokens, capitalised, _outermost(sure))
        if links or short:
            return [link for _, link in sorted([*links, *short], key=lambda placed: placed[0])]
        opener = {(0, 1)} if tokens and tokens[0] in _starting(question) else set()
        likely = {span for span in spans if span[1] - span[0] > 1 or span in opener}
        return [link for _, link in _links(tokens, likely, spans)]

    def _shortened(
        self, tokens: list[str], capitalised: frozenset[str], taken: list[tuple[int, int]]
    ) -> list[tuple[int, Link]]:
        if len(tokens) > _MAX_QUESTION_WORDS:
            return []
        free = [not any(start <= place < end for start, end in taken) for place in range(len(tokens))]
        found = []
        for size in range(min(_MAX_RUN, len(tokens)), 0, -1):
            for start in range(len(tokens) - size + 1):
                run = tokens[start : start + size]
                if all(free[start : start + size]) and _may_shorten(run, capitalised):
                    keys = self._holding(run)
                    if len(keys) == 1:
                        found.append((start, Link(self._index[keys[0]], " ".join(run), SHORTENED)))
                        free[start : start + size] = [False] * size
        return found

    def _holding(self, run: list[str]) -> list[str]:
        """The keys in which ``run`` stands, without those that hold another of them."""
        text = f" {' '.join(run)} "
        rarest = min((self._by_word.get(token, ()) for token in run), key=len)
        kept: list[str] = []
        for key in sorted((key for key in rarest if text in f" {key} "), key=lambda key: (len(key), key)):
            if not any(f" {shorter} " in f" {key} " for shorter in kept):
                kept.append(key)
        return kept

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        """Keys of several words by each of their words."""
        found: dict[str, list[str]] = defaultdict(list)
        for key in self.matcher.keys:
            if " " in key:
                for token in dict.fromkeys(key.split()):
                    found[token].append(key)
        return dict(found)

    def _misspelt(self, tokens: list[str]) -> list[Link]:
        if len(tokens) > _MAX_QUESTION_WORDS:
            return []
        matches = sorted(
            (-len(run), errors, name, start, run)
            for start, run in _runs(tokens)
            for errors, name in self._near(run)
        )
        taken: set[int] = set()
        links = []
        for _, _, name, start, run in matches:
            span = range(start, start + run.count(" ") + 1)
            if taken.isdisjoint(span):
                taken.update(span)
                links += [(start, Link(key, run, SPELLING)) for key in self._keys_of(name)]
        return [link for _, link in sorted(links, key=lambda pair: pair[0])]

    @cached_property
    def _by_shape(self) -> dict[tuple[str, int], list[str]]:
        """Names by first letter and length; made when the first question with a misspelling comes."""
        shapes: dict[tuple[str, int], list[str]] = {}
        for name in (*self.matcher.keys, *self._groups):
            if len(name) >= _MIN_FUZZY and name not in COMMON_WORDS:
                shapes.setdefault((name[0], len(name)), []).append(name)
        return shapes

    def _keys_of(self, name: str) -> list[int]:
        return [self._index[name]] if name in self._index else [key for key, _ in self._groups[name]]

    def _near(self, run: str) -> Iterator[tuple[int, str]]:
        for length in range(max(_MIN_FUZZY, len(run) - 2), len(run) + 3):
            allowed = 1 + (length >= _TWO_ERRORS_FROM)
            for name in self._by_shape.get((run[0], length), ()):
                errors = OSA.distance(run, name, score_cutoff=allowed)
                if errors <= allowed:
                    yield errors, name


def _groups(aliases: AliasTable | None, index: dict[str, int]) -> dict[str, list[tuple[int, str]]]:
    """For every alias that is no key itself: the keys of its group and the rule that joins them."""
    groups = {}
    for key in aliases.keys if aliases else ():
        if key not in index:
            known = [
                (index[alias.key], alias.rule.value) for alias in aliases.aliases(key) if alias.key in index
            ]
            if known:
                groups[key] = known
    return groups


def _capitalised(question: str) -> frozenset[str]:
    """Tokens with a capital that means something: not at the beginning of a sentence, and not where
    every longer word has one."""
    raw = question.split()
    if not any(word[0].islower() for word in raw if len(word) > 3):
        return frozenset()
    inner = [word for before, word in pairwise(raw) if before[-1] not in ".?!:"]
    return frozenset(token for word in inner if _has_capital(word) for token in words(word))


def _starting(question: str) -> frozenset[str]:
    first = (question.split(None, 1) or [""])[0]
    return frozenset(words(first)) if _has_capital(first) else frozenset()


def _has_capital(word: str) -> bool:
    return any(c.isupper() for c in word)


def _doubtful(tokens: list[str], capitalised: frozenset[str]) -> bool:
    return all(token in COMMON_WORDS for token in tokens) and capitalised.isdisjoint(
        token for token in tokens if token not in FUNCTION_WORDS
    )


def _links(
    tokens: list[str],
    chosen: set[tuple[int, int]],
    spans: dict[tuple[int, int], list[tuple[int, str]]],
) -> list[tuple[int, Link]]:
    """The links of the chosen spans that lie in no other, each with its place."""
    return [
        (start, Link(key, " ".join(tokens[start:end]), rule))
        for start, end in _outermost(chosen)
        for key, rule in spans[start, end]
    ]


def _may_shorten(run: list[str], capitalised: frozenset[str]) -> bool:
    if run[0] in FUNCTION_WORDS or run[-1] in FUNCTION_WORDS or all(map(_ordinary, run)):
        return False
    if len(run) == 1:
        return len(run[0]) >= _MIN_SHORTENED and run[0] in capitalised
    return not capitalised or all(token in capitalised or token in FUNCTION_WORDS for token in run)


def _outermost(spans: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that lie in no other, by start."""
    kept: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda s: (s[0], -s[1])):
        if not kept or span[1] > kept[-1][1]:
            kept.append(span)
    return kept


def _runs(tokens: list[str]) -> Iterator[tuple[int, str]]:
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + _MAX_RUN, len(tokens)) + 1):
            run = " ".join(tokens[start:end])
            if not all(map(_ordinary, tokens[start:end])):
                yield start, run


def _ordinary(word: str) -> bool:
    return word in COMMON_WORDS or word in GENERIC_WORDS or is_number(word)


def _looked_for(tokens: list[str], capitalised: frozenset[str]) -> tuple[str, ...]:
    """Runs of uncommon or capitalised words; when there are none, the words that are not grammar."""
    runs: list[list[str]] = [[]]
    for token in tokens:
        numeral = bool(runs[-1]) and token in ROMAN_NUMERALS
        name = not _ordinary(token) or (token in capitalised and token not in FUNCTION_WORDS)
        if numeral or name:
            runs[-1].append(token)
        else:
            runs.append([])
    phrases = [" ".join(run) for run in runs if run]
    return tuple(
        dict.fromkeys(phrases or [t for t in tokens if t not in FUNCTION_WORDS and not is_number(t)])
    )
