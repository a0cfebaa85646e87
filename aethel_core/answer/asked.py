"""A question, read: its words, its periods, and what kind of thing would answer it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from aethel_core.audit import content_words
from aethel_core.audit.spans import periods_in
from aethel_core.audit.wording import proper_names
from aethel_core.finance.metrics import line_items_in
from aethel_core.finance.numbers import find_figures
from aethel_core.finance.periods import PeriodSpan
from aethel_core.text import match_form

# Words that ask, and say nothing of what is asked about.
_ASKING_WORDS = """
how much many large big high long name state tell give list explain describe which what who whose when
where why do doe amount sum day date year percentage percent share times time point number figure
"""
_ASKING = frozenset(_ASKING_WORDS.split())


class Kind(StrEnum):
    """What a sentence has to hold to answer."""

    NAME = "name"
    DATE = "date"
    DURATION = "duration"
    AMOUNT = "amount"
    SHARE = "share"
    MULTIPLE = "multiple"
    NUMBER = "number"
    REASON = "reason"


_AUXILIARY = (
    r"(?:do|does|did|is|was|are|were|has|have|had|must|may|might|can|could|will|would|should|shall|need)"
)
_NAMED = (
    r"(?:bank|company|firm|lender|investor|person|partner|customer|auditor|buyer|country|city|fund|agent)"
)
_RATE = r"(?:share|percentage|percent|rate|margin|proportion|irr|yield|discount|part)"
_SUM = r"(?:amount|sum|price|prices|value|cost|costs|fee|fees|limit|loss|result|total|mark)"
_LENGTH = r"(?:days|weeks|months|years|hours)"
# What is asked for stands before any verb or "of": "which multiple of cost" asks for a multiple.
_WHAT = (
    r"\b(?:what|which)\s+(?:(?!(?:of|in|for|to|that|did|does|do|is|was|were|are|had|has)\b)[\w-]+\s+){0,3}?"
)
# "who" and "when" also open clauses: they ask at the beginning, or before a verb.
_ASKS = {
    Kind.NAME: rf"(?:^|,\s*|\b(?:and|by|to|from|with|for|of)\s+)who(?:m|se)?\b|\bname of\b|{_WHAT}{_NAMED}\b",
    Kind.DATE: rf"\b(?:since\s+)?when\s+{_AUXILIARY}\b|\bsince when\b|{_WHAT}(?:day|date|month|quarter)\b",
    Kind.DURATION: rf"\bhow long\b|\bhow many {_LENGTH}\b",
    Kind.SHARE: rf"{_WHAT}{_RATE}\b|\bhow many (?:percentage|basis) points\b",
    Kind.MULTIPLE: rf"{_WHAT}(?:multiple|ratio|leverage)\b|\bhow many (?:times|turns)\b",
    Kind.AMOUNT: rf"\bhow (?:much|large|big|high)\b|{_WHAT}{_SUM}\b",
    Kind.NUMBER: rf"\bhow many\s+(?!{_LENGTH}|percentage|basis|times|turns)",
    Kind.REASON: rf"\bwhy\s+{_AUXILIARY}\b|\bfor (?:which|what) reason\b",
}
_ASKED = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _ASKS.items()}
# A name in mid-sentence; "Management Fee" and other terms that a document defines are written so as
# well, and are then known to it.
_CAPITALS = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b")
_REASON = re.compile(
    r"\b(?:because|due to|owing to|in view of|as a result|reflect\w*|driven by|thanks to|caused|on account of"
    r"|attributable to|owed to)\b",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|eighteen|twenty|thirty|sixty|ninety)"
    r"[\s-]+(?:business\s+)?(?:day|week|month|quarter|year|hour)s?\b",
    re.IGNORECASE,
)
_NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|no|none|once|twice)\b", re.IGNORECASE
)
_UNITS = {
    Kind.AMOUNT: ("currency", "per share"),
    Kind.SHARE: ("percent", "bps"),
    Kind.MULTIPLE: ("multiple",),
    Kind.NUMBER: ("count", "shares", "multiple"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """``items`` are the line items it names with the words that name them; ``names`` are its words
    as names are compared, which answer nothing; ``capitals`` are those of them that name something."""

    text: str
    words: frozenset[str]
    items: dict[str, frozenset[str]]
    periods: tuple[PeriodSpan, ...]
    kinds: tuple[Kind, ...]
    names: frozenset[str]
    capitals: frozenset[str]

    @classmethod
    def read(cls, question: str) -> Asked:
        items = {
            match.item.id: content_words(question[match.start : match.end])
            for match in line_items_in(question)
        }
        kinds = tuple(kind for kind, pattern in _ASKED.items() if pattern.search(question))
        periods = periods_in(question)
        dated = frozenset(match_form(" ".join(span.text for span in periods)).split())
        capitals = frozenset(match_form(" ".join(_CAPITALS.findall(question))).split()) - dated
        names = frozenset(match_form(question).split())
        return cls(question, content_words(question) - _ASKING, items, periods, kinds, names, capitals)

    def held(self, text: str) -> frozenset[Kind]:
        """The kinds asked for that a text holds."""
        return frozenset(kind for kind in self.kinds if self._holds(kind, text))

    def _holds(self, kind: Kind, text: str) -> bool:
        if kind in _UNITS:
            own = any(figure.unit in _UNITS[kind] for figure in find_figures(text))
            return own or (kind is Kind.NUMBER and _NUMBER_WORD.search(text) is not None)
        if kind is Kind.REASON:
            return _REASON.search(text) is not None
        if kind is Kind.DURATION:
            return _DURATION.search(text) is not None
        if kind is Kind.DATE:
            asked = {span.text.lower() for span in self.periods}
            return any(span.text.lower() not in asked for span in periods_in(text))
        return any(not frozenset(match_form(name).split()) <= self.names for name in proper_names(text))
