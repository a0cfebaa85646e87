"""Names that denote the same entity, and the rule by which each pair was joined.

Rules (`Rule`), all deterministic:

- *legal suffix*: keys that differ only in the legal form ("foot locker inc", "foot locker"), of names in
  the graph and of the companies of the documents, also where a person typed these; a fund also by its
  short form, the first words and the numeral ("northriver capital partners iv lp", "northriver iv").
  "Holdings" and "Group" count as a legal form only after the proper one is gone.
- *acronym defined in text*: "Fee-Related Earnings (FRE)", after Schwartz and Hearst (2003,
  Pacific Symposium on Biocomputing): the letters of the short form occur in this order in the words
  just before it, the first one at the start of a word. Unlike there, the placing with the most letters
  at word starts is taken, and at least half of them must be.
- *short name defined in text*: "NorthRiver Capital Partners IV, L.P. (“NorthRiver IV”)": a quoted name in
  brackets right after a name, or after that name's description ("…, a Delaware limited partnership
  (“…”)"). Not joined: a short name with more words than the name or with an event word the name
  lacks ("the “Acme Merger”") and a single common word the name does not contain ("the “Fund”":
  see `self_terms`).
- *ticker*: "(NYSE: NKE)" after a name, and the document's own ticker.
- *metadata alias*: the company of a document and the other names its metadata gives.
- *joined by hand*: a person said so.
- *substring*: one key's words stand together inside another's ("northriver" in "northriver iv lp").
  This is nearness, not sameness, and never makes groups.

A short form given to two different long forms anywhere in the corpus is ambiguous and joins nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from aethel_core.entities.filter import clean, key_of, nameless
from aethel_core.entities.lexicon import (
    COMMON_WORDS,
    EVENT_WORDS,
    FUND_WORDS,
    LEGAL_SUFFIXES,
    ROMAN_NUMERALS,
    SELF_NOUNS,
    SELF_PRONOUNS,
    WEAK_SUFFIXES,
)
from aethel_core.entities.regex import name_ending, unwrapped
from aethel_core.text import match_form
from aethel_core.types import DocumentType, Metadata


class Rule(StrEnum):
    LEGAL_SUFFIX = "legal suffix"
    ACRONYM = "acronym defined in text"
    SHORT_NAME = "short name defined in text"
    TICKER = "ticker"
    METADATA = "metadata alias"
    SUBSTRING = "substring"
    PERSON = "joined by hand"


@dataclass(frozen=True, slots=True)
class DefinedTerm:
    """A short form and what it stands for, as printed. ``long == short`` when the text only says that
    the term is defined elsewhere ("Management Company (as defined in the Agreement)")."""

    long: str
    short: str
    rule: Rule


@dataclass(frozen=True, slots=True, order=True)
class Join:
    """Two keys that denote the same entity; ``long`` is the fuller name."""

    long: str
    short: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class Alias:
    """Another key for an entity and the rule of the join that leads to it."""

    key: str
    rule: Rule


_BRACKET = re.compile(r"\(([^()]{1,240})\)")
_QUOTED = re.compile(r"[“\"]([^“”\"]{1,60}?)[,.]?[”\"]")
_ACRONYM = re.compile(r"[A-Za-z0-9][\w&.-]{1,9}$")
_TICKER = re.compile(
    r"(?:NYSE|NASDAQ|Nasdaq|AMEX|LSE|TSX|OTC)[\w .]{0,25}: ?[“\"]?([A-Z]{1,5}(?:\.[A-Z])?)[”\"]?(?:[,;].*)?$"
)
_DEFINED_ELSEWHERE = re.compile(r"(?:each )?as (?:such term is )?(?:hereinafter )?defined\b")
_DESCRIPTION = re.compile(
    r",? an? (?:[\w-]+ ){0,8}?"
    r"(?:partnership|corporation|company|trust|subsidiary|bank|fund|entity|association)"
    r"(?: (?:organi[sz]ed|formed|incorporated|existing)\b[^().;]{0,60})?,?$"
)
_SUBSIDIARIES = re.compile(
    r",? (?:and|together with) (?:its|our) (?:[\w-]+ ){0,4}(?:subsidiaries|affiliates),?$"
)
_SENTENCE_END = re.compile(r"(?<=[a-z)”\"]{2}[.;:!?])\s|\n")
_LOOK_BACK = 240  # characters before a bracket
_FILINGS = (DocumentType.TEN_K, DocumentType.TEN_Q, DocumentType.EIGHT_K)


@lru_cache(maxsize=100_000)
def variants(name: str) -> tuple[str, ...]:
    """Keys under which a name may also be written, its own key first, weaker variants last."""
    key = key_of(name)
    return tuple(dict.fromkeys((key, *_strong_variants(key), *_weak_variants(key)))) if key else ()


def defined_terms(text: str) -> tuple[DefinedTerm, ...]:
    """Short forms defined in brackets, in text order; see the rules above."""
    plain = unwrapped(text)
    found: dict[DefinedTerm, None] = {}
    for bracket in _BRACKET.finditer(plain):
        before = plain[max(0, bracket.start() - _LOOK_BACK) : bracket.start()].rstrip()
        for term in _terms_of(_SENTENCE_END.split(before)[-1], bracket.group(1).strip()):
            found.setdefault(term)
    return tuple(found)


def self_terms(texts: Sequence[str], metadata: Metadata) -> frozenset[str]:
    """Keys (without article) by which a document calls its own company.

    A noun counts ("company", "fund") when the text defines it for the company of the metadata, or
    when it defines it for nobody and writes it with a capital after "the" at least 3 times. The
    pronouns count in filings and wherever a noun does. Nothing counts without a company.
    """
    if not metadata.company:
        return frozenset()
    own = _own_keys(metadata)
    defined: dict[str, bool] = {}
    uses: dict[str, int] = defaultdict(int)
    for text in texts:
        for noun in re.findall(r"\bthe ([A-Z][a-z]+)\b", text):
            uses[noun.lower()] += 1
        for term in _self_definitions(text):
            noun = key_of(term.short)
            defined[noun] = defined.get(noun, False) or not own.isdisjoint(variants(term.long))
    nouns = {noun for noun in SELF_NOUNS if defined.get(noun, uses[noun] >= 3)}
    return frozenset(nouns | (SELF_PRONOUNS if nouns or metadata.type in _FILINGS else set()))


def document_joins(texts: Iterable[str], metadata: Metadata) -> tuple[Join, ...]:
    """The joins one document states: in its text and in its metadata. Sorted, without repetition."""
    joins = {join for text in texts for term in defined_terms(text) for join in _term_joins(term)}
    company = key_of(metadata.company)
    others = [(metadata.ticker, Rule.TICKER), *((alias, Rule.METADATA) for alias in metadata.aliases)]
    for name, rule in others if company else ():
        if _worth_joining(key_of(name), company):
            joins.add(Join(company, key_of(name), rule))
    return tuple(sorted(joins))


def substring_overlaps(keys: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pairs (inner, outer): the tokens of ``inner`` stand together inside those of ``outer``.

    Inner keys that name nothing (`filter.nameless`) or are one common word do not count. Every
    n-gram of every key is looked up once: linear in the tokens for names of bounded length.
    """
    inner = {key for key in keys if not nameless(key) and key not in COMMON_WORDS}
    pairs = {
        (gram, key) for key in dict.fromkeys(keys) for gram in _grams(key) if gram in inner and gram != key
    }
    return tuple(sorted(pairs))


class AliasTable:
    """Groups of keys that denote one entity, over any number of documents. Immutable.

    :param keys: the keys of the graph; their legal-suffix variants and overlaps are found here.
    :param joins: what the documents state (`document_joins`), from all of them together.
    :param apart: pairs of keys, each ascending, that no rule joins.
    :param companies: the companies of the documents, whose variants are found here too, so that a
        question may use a name that stands in the metadata alone.
    """

    def __init__(
        self,
        keys: Sequence[str] = (),
        joins: Iterable[Join] = (),
        apart: Collection[tuple[str, str]] = frozenset(),
        companies: Iterable[str] = (),
    ) -> None:
        self.graph_keys = tuple(dict.fromkeys(keys))
        bearers = tuple(dict.fromkeys((*self.graph_keys, *companies)))
        found = set(_unambiguous(joins)) | set(_suffix_joins(bearers))
        self.joins = tuple(join for join in sorted(found) if _pair(join.long, join.short) not in apart)
        self._neighbours: dict[str, list[Alias]] = defaultdict(list)
        for join in self.joins:
            self._neighbours[join.long].append(Alias(join.short, join.rule))
            self._neighbours[join.short].append(Alias(join.long, join.rule))
        self._overlapping: dict[str, list[str]] = defaultdict(list)
        for inner, outer in substring_overlaps(self.graph_keys):
            if _pair(inner, outer) in apart:
                continue
            self._overlapping[inner].append(outer)
            self._overlapping[outer].append(inner)

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key that has an alias, in ascending order; some are in no document's graph."""
        return tuple(sorted(self._neighbours))

    def aliases(self, key: str) -> tuple[Alias, ...]:
        """The other keys of the group, nearest first; the rule is that of the last join on the way."""
        found: dict[str, Alias] = {key: Alias(key, Rule.METADATA)}
        frontier = [key]
        while frontier:
            reached = [alias for at in frontier for alias in self._neighbours.get(at, ())]
            frontier = []
            for alias in sorted(reached, key=lambda a: (a.key, a.rule)):
                if alias.key not in found:
                    found[alias.key] = alias
                    frontier.append(alias.key)
        return tuple(alias for other, alias in found.items() if other != key)

    def overlaps(self, key: str) -> tuple[Alias, ...]:
        """Keys of the graph that contain this key's words or are contained in them."""
        return tuple(Alias(other, Rule.SUBSTRING) for other in sorted(self._overlapping.get(key, ())))

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """All groups of at least two keys, each sorted, in the order of their first key."""
        seen: set[str] = set()
        groups = []
        for key in self.keys:
            if key not in seen:
                group = sorted((key, *(alias.key for alias in self.aliases(key))))
                seen.update(group)
                groups.append(tuple(group))
        return tuple(groups)


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _without(key: str, suffixes: frozenset[str]) -> str:
    """The key without the legal forms at its end; a key that is nothing else stays."""
    tokens = key.split()
    while len(tokens) > 1:
        for length in (3, 2, 1):
            if length < len(tokens) and " ".join(tokens[-length:]) in suffixes:
                del tokens[-length:]
                break
        else:
            break
        if tokens[-1] == "&" and len(tokens) > 1:
            del tokens[-1]
    return " ".join(tokens)


def _strong_variants(key: str) -> list[str]:
    return [bare for bare in (_without(key, LEGAL_SUFFIXES),) if not nameless(bare)]


def _weak_variants(key: str) -> list[str]:
    """Variants that two different entities may share: only the unshared ones make joins."""
    bare = _without(key, LEGAL_SUFFIXES)
    found = []
    short = _fund_short_form(bare)
    if short:
        found += [f"{short}{key[len(bare) :]}", short]
    if bare.count(" ") and bare.rsplit(" ", 1)[1] in WEAK_SUFFIXES:
        found.append(bare.rsplit(" ", 1)[0])
    return [variant for variant in found if not nameless(variant)]


def _fund_short_form(bare: str) -> str:
    tokens = bare.split()
    if len(tokens) < 3 or tokens[-1] not in ROMAN_NUMERALS:
        return ""
    stem = tokens[:-1]
    while len(stem) > 1 and stem[-1] in FUND_WORDS:
        del stem[-1]
    return f"{' '.join(stem)} {tokens[-1]}" if len(stem) < len(tokens) - 1 else ""


def _terms_of(before: str, inside: str) -> Iterator[DefinedTerm]:
    if _DEFINED_ELSEWHERE.match(inside):
        name = name_ending(before)
        if name:
            yield DefinedTerm(name, name, Rule.SHORT_NAME)
        return
    ticker = _TICKER.search(inside)
    name = _name_before(before)
    if ticker and name:
        yield DefinedTerm(name, ticker.group(1), Rule.TICKER)
        return
    quoted = [short.strip() for short in _QUOTED.findall(inside)]
    for short in quoted or [inside]:
        long = _long_form(short, before) if _ACRONYM.match(short) else ""
        if long:
            yield DefinedTerm(long, short, Rule.ACRONYM)
        elif quoted and name and short[:1].isupper():
            yield DefinedTerm(name, short, Rule.SHORT_NAME)


def _name_before(before: str) -> str:
    for description in (_SUBSIDIARIES, _DESCRIPTION):
        before = description.sub("", before)
    return name_ending(before)


def _long_form(short: str, before: str) -> str:
    """The words just before the bracket that spell ``short``, "" when none do plausibly."""
    letters = [c for c in short.lower() if c.isalnum()]
    if sum(c.isupper() for c in short) < 2 or len(letters) < 2:
        return ""
    candidate = " ".join(before.split()[-min(len(letters) + 5, 2 * len(letters)) :])
    starts, at = _best_spelling(letters, candidate)
    long = candidate[at:].strip(" ,“”\"'")
    plausible = 2 * starts >= len(letters) and len(re.split(r"[ -]", long)) > 1
    return long if plausible and match_form(short) not in match_form(long) else ""


def _best_spelling(letters: Sequence[str], text: str) -> tuple[int, int]:
    """(letters that start a word, offset of the first letter) of the best spelling of ``letters`` by
    characters of ``text`` in order, the first at the start of a word; (0, 0) without any.

    From the last letter to the first, ``best[i]`` is the most word starts with which this and the
    later letters can be placed at ``i`` or after.
    """
    folded = text.lower()
    size = len(folded)
    best = [0] * (size + 1)
    for number in range(len(letters) - 1, -1, -1):
        here = [-1] * (size + 1)
        for i in range(size - 1, -1, -1):
            start = i == 0 or not folded[i - 1].isalnum()
            if folded[i] == letters[number] and best[i + 1] >= 0 and (start or number):
                here[i] = best[i + 1] + start
            here[i] = max(here[i], here[i + 1])
        best = here
    if best[0] <= 0:
        return 0, 0
    return best[0], max(i for i in range(size) if best[i] == best[0])


def _term_joins(term: DefinedTerm) -> Iterator[Join]:
    named, short_named = clean(term.long), clean(term.short)
    if term.rule is Rule.SHORT_NAME and (named is None or short_named is None):
        return
    long, short = key_of(named or term.long), key_of(short_named or term.short)
    if term.rule is Rule.SHORT_NAME and _other_thing(short, long):
        return
    if _worth_joining(short, long):
        yield Join(long, short, term.rule)


def _other_thing(short: str, long: str) -> bool:
    """The “Acme Merger” defined after "Acme Inc." and the “BREIT Venture” after "BREIT" are other things."""
    return short.count(" ") > long.count(" ") or not EVENT_WORDS.isdisjoint(
        set(short.split()) - set(long.split())
    )


def _worth_joining(short: str, long: str) -> bool:
    if len(short) < 2 or not long or short == long:
        return False
    return short not in COMMON_WORDS or short in long.split()


def _own_keys(metadata: Metadata) -> set[str]:
    names = (metadata.company, *metadata.aliases)
    return {variant for name in names for variant in variants(name)}


def _self_definitions(text: str) -> Iterator[DefinedTerm]:
    for term in defined_terms(text):
        if term.long != term.short and key_of(term.short) in SELF_NOUNS:
            yield term


def _suffix_joins(keys: Sequence[str]) -> Iterator[Join]:
    sources: dict[str, set[str]] = defaultdict(set)
    weak = [(key, variant) for key in keys for variant in _weak_variants(key)]
    for key, variant in weak:
        sources[variant].add(_without(key, LEGAL_SUFFIXES))
    shared = {variant for variant, names in sources.items() if len(names) > 1}
    strong = [(key, variant) for key in keys for variant in _strong_variants(key)]
    for key, variant in strong + weak:
        if variant != key and variant not in shared:
            yield Join(key, variant, Rule.LEGAL_SUFFIX)


def _unambiguous(joins: Iterable[Join]) -> list[Join]:
    unique = sorted(set(joins))
    meanings: dict[str, list[Join]] = defaultdict(list)
    for join in unique:
        meanings[join.short].append(join)
    return [join for join in unique if _one_thing(meanings[join.short])]


def _one_thing(joins: Sequence[Join]) -> bool:
    """Whether all long forms of a short form are one name but for the legal form; those of an acronym
    may also go on ("… Act", "… Act of 1980")."""
    bare = sorted({_without(join.long, LEGAL_SUFFIXES) for join in joins}, key=len)
    acronym = all(join.rule is Rule.ACRONYM for join in joins)
    return len(bare) == 1 or (acronym and all(name.startswith(f"{bare[0]} ") for name in bare[1:]))


def _grams(key: str) -> Iterator[str]:
    tokens = key.split()
    for start in range(len(tokens)):
        for end in range(start + 1, len(tokens) + 1):
            yield " ".join(tokens[start:end])
