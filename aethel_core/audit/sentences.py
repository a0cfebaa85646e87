"""Sentences of a text with their places, and the words of a sentence that carry its content."""

from __future__ import annotations

import re
from functools import lru_cache

from aethel_core.finance.words import phrase
from aethel_core.text import STOP_WORDS

# A full stop after one of these ends no sentence.
_ABBREVIATED = re.compile(
    r"(?:\b(?:Inc|Corp|Co|Ltd|No|Nos|vs|approx|ca|cf|St|Mr|Mrs|Ms|Dr|Jr|Sr|Dec|Nov|Oct|Sept?|Aug|Jul|Jun|Apr|Mar"
    r"|Feb|Jan|Fig|Sec|al|resp|incl|excl|compr|Accum)|\b[A-Z]|\b(?:[A-Za-z]\.)+[A-Za-z])$"
)
_END = re.compile(r"[.?!]+[\"”’)\]]*(?=\s+[\"“‘(\[$€£]?[A-Z0-9–•])|\n\s*\n|\s+[•▪●]\s+")
_COMPANY_END = re.compile(r"\b(?:Inc|Corp|Co|Ltd|L\.P|L\.L\.C|B\.V|N\.V|S\.A|U\.S|p\.a)$")
_NEW = re.compile(r"\s+(?:The|In|At|On|It|We|A|An|This|These|Its|Our|No|For|As|By|With|There|That|Net|All)\b")


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The half-open spans of the sentences, without the white space around them."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match[0].strip() and _goes_on(text, start, match):
            continue
        _keep(spans, text, start, match.end() if match[0].strip(" \n•▪●") else match.start())
        start = match.end()
    _keep(spans, text, start, len(text))
    return tuple(spans)


def _goes_on(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the full stop belongs to an abbreviation in the middle of a sentence."""
    if match[0][0] != ".":
        return False
    before = text[start : match.start()]
    if not _ABBREVIATED.search(before):
        return False
    # "…, Inc. The company": the stop of a legal form may end a sentence as well.
    return not (_COMPANY_END.search(before) and _NEW.match(text, match.end()))


def _keep(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        spans.append((start, end))


_FILLER_WORDS = """
total net year quarter end ended fund period amount amounted amounting stood stand respectively was were
is are be been being has have had of and or to in on at by for from with as per than that which its
million billion thousand percent dollar us usd fiscal month day date january february march april may
june july august september october november december compared against versus reported show showed shown
report according say said state stated give given come came reach reached value figure approximately
about around basis point time following also while their they it this these those there rose rise risen
fell fall fallen grew grow grown increase increased decrease decreased decline declined move moved went
drop dropped up down higher lower more less compare comprise comprised total remain remained equal
equalled
"""
_FILLER = frozenset(_FILLER_WORDS.split())


@lru_cache(maxsize=65536)
def content_words(text: str) -> frozenset[str]:
    """The words that say what a sentence is about: no figures, no periods, no filler."""
    return frozenset(
        word
        for word in phrase(text)
        if len(word) > 1 and not word[0].isdigit() and word not in _FILLER and word not in STOP_WORDS
    )
