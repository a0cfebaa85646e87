"""An answer without a model: one to three sentences of the passages, chosen together.

A sentence is worth what it holds of the question: its words, the rare ones more, those that only
stand around it less; what it means, by the embedding; and the kind of thing asked for (a name, a
date, an amount). Sentences are added while they bring words that are still missing, which is how a
question over two documents is answered. If even the best set holds too little, nothing is said.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from aethel_core.answer.asked import Asked, Kind
from aethel_core.answer.offers import Offer, offers
from aethel_core.answer.result import Cited
from aethel_core.audit import Source, Sources, check_sentence
from aethel_core.audit.wording import proper_names, spoken
from aethel_core.embedding import Embedder
from aethel_core.text import match_form

MOST = 3
_AROUND = 0.5  # what a word is worth that stands only around the sentence
_WORDS, _MEANING, _FIT, _RANK = 1.0, 1.0, 0.8, 0.3
_EACH = 0.05  # what a further sentence has to bring
_LINKED = 0.02  # two sentences that share a name which the question does not say
_CANDIDATES = 10
# Of at most 3.1. Measured on the sample deal: below it, sentences hold the answer as seldom as those
# that questions get which the documents do not answer (benchmarks/answer.py).
ENOUGH = 1.78
# From here on 10 of 13 answers there hold what was asked for, and all cite a page of it; below it 13
# and 26 of 30.
SURE = 2.3


@dataclass(frozen=True, slots=True)
class _Weighed:
    offer: Offer
    meaning: float
    kinds: frozenset[Kind]
    names: frozenset[str]
    alone: float


def extracted(
    question: str, ranked: Sequence[Source], sources: Sources, embedder: Embedder | None
) -> tuple[tuple[Cited, ...], bool]:
    """The sentences, and whether they likely answer the question or only come closest to it."""
    asked = Asked.read(question)
    current = [s for s in ranked if not sources.replaced_by(s.document.id)]
    found = offers(asked, current)
    if not asked.words or not found or not _knows(asked, ranked):
        return (), False
    weights = _weights(asked.words, found)
    meanings = _meanings(question, found, embedder)
    pairs = zip(found, meanings, strict=True)
    weighed = [_weighed(asked, offer, meaning, weights) for offer, meaning in pairs]
    weighed.sort(key=lambda each: (-each.alone, each.offer.rank, each.offer.text))
    kept: list[_Weighed] = []
    for each in weighed:
        if len(kept) == _CANDIDATES:
            break
        if not check_sentence(each.offer.text, (each.offer.source.passage.id,), sources).flagged:
            kept.append(each)
    best, value = _chosen(asked, kept, weights)
    if value < ENOUGH:
        return (), False
    told = tuple(
        Cited(each.offer.text, ids, check_sentence(each.offer.text, ids, sources))
        for each in best
        for ids in ((each.offer.source.passage.id,),)
    )
    return told, value >= SURE


def _knows(asked: Asked, ranked: Sequence[Source]) -> bool:
    """Whether the passages, or what they belong to, hold every name that the question says."""
    said = match_form("\n".join(spoken(source) for source in ranked).replace("_", " ").replace("-", " "))
    known = frozenset(said.split())
    return all(word in known for word in asked.capitals)


def _weights(words: frozenset[str], found: Sequence[Offer]) -> dict[str, float]:
    """How much each word of the question counts: the fewer passages hold it, the more."""
    held = Counter[str]()
    texts = {offer.source.passage.id: frozenset[str]() for offer in found}
    for offer in found:
        texts[offer.source.passage.id] |= offer.words | offer.around
    for every in texts.values():
        held.update(words & every)
    return {word: math.log(1 + len(texts) / max(held[word], 1)) for word in words}


def _meanings(question: str, found: Sequence[Offer], embedder: Embedder | None) -> list[float]:
    if embedder is None:
        return [0.5] * len(found)
    vectors = embedder.embed([question, *(offer.meaning for offer in found)])
    return [float(value) for value in vectors[1:] @ vectors[0]]


def _weighed(asked: Asked, offer: Offer, meaning: float, weights: dict[str, float]) -> _Weighed:
    names = frozenset(match_form(name) for name in proper_names(offer.text))
    new = frozenset(name for name in names if not set(name.split()) <= asked.names)
    one = _Weighed(offer, meaning, asked.held(offer.text), new, 0.0)
    return _Weighed(offer, meaning, one.kinds, new, _value(asked, (one,), weights))


def _chosen(
    asked: Asked, candidates: Sequence[_Weighed], weights: dict[str, float]
) -> tuple[tuple[_Weighed, ...], float]:
    """The set of sentences worth most, each from another passage, the best sentence first."""
    best: tuple[tuple[_Weighed, ...], float] = ((), 0.0)
    for size in range(1, MOST + 1):
        for chosen in combinations(candidates, size):
            passages = {each.offer.source.passage.id for each in chosen}
            value = _value(asked, chosen, weights)
            if len(passages) == size and value > best[1] + 1e-9:
                best = (chosen, value)
    return best


def _value(asked: Asked, chosen: Sequence[_Weighed], weights: dict[str, float]) -> float:
    own = frozenset().union(*(each.offer.words for each in chosen))
    around = frozenset().union(*(each.offer.around for each in chosen))
    words = sum(
        w * (1.0 if word in own else _AROUND if word in around else 0.0) for word, w in weights.items()
    )
    held = frozenset().union(*(each.kinds for each in chosen))
    fit = len(held) / len(asked.kinds) if asked.kinds else 1.0
    meaning = max(each.meaning for each in chosen)
    rank = sum(1 / (1 + each.offer.rank / 3) for each in chosen) / len(chosen)
    linked = any(left.names & right.names for left, right in combinations(chosen, 2))
    return (
        _WORDS * words / sum(weights.values())
        + _MEANING * meaning
        + _FIT * fit
        + _RANK * rank
        - _EACH * (len(chosen) - 1)
        + _LINKED * linked
    )
