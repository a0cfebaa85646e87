"""Whether what a memo says is in the passages it cites, figure by figure."""

from __future__ import annotations

from aethel_core.audit.check import check_sentence
from aethel_core.audit.derive import Derivation
from aethel_core.audit.entailment import Entailment, Judgement, lowered
from aethel_core.audit.facts import Fact, facts_of
from aethel_core.audit.injection import trusted
from aethel_core.audit.results import FigureCheck, Match, SentenceCheck, Verdict
from aethel_core.audit.sentences import content_words, sentences
from aethel_core.audit.sources import Source, Sources

__all__ = [
    "Derivation",
    "Entailment",
    "Fact",
    "FigureCheck",
    "Judgement",
    "Match",
    "SentenceCheck",
    "Source",
    "Sources",
    "Verdict",
    "check_sentence",
    "content_words",
    "facts_of",
    "lowered",
    "sentences",
    "trusted",
]
