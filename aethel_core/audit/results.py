"""What an audit says about figures and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from aethel_core.audit.facts import Fact
from aethel_core.finance.numbers import Figure


class Match(StrEnum):
    """What became of one figure."""

    MATCHED = "matched"
    DERIVED = "recomputed"
    PERIOD = "another period"
    SIGN = "another sign"
    SCALE = "another scale"
    LABEL = "another measure"
    MISSING = "not in the source"


class Verdict(StrEnum):
    SUPPORTED = "supported"
    PARTLY = "partly supported"
    NOT = "not supported"


@dataclass(frozen=True, slots=True)
class FigureCheck:
    """``fact`` is the cell or span it was matched to, or the nearest one where it was not;
    ``note`` says in words what is wrong, or how it was recomputed."""

    figure: Figure
    match: Match
    fact: Fact | None = None
    note: str = ""

    @property
    def sound(self) -> bool:
        return self.match in (Match.MATCHED, Match.DERIVED)


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """``flags`` are sentences for the reader, one per thing that does not hold."""

    text: str
    passage_ids: tuple[str, ...]
    verdict: Verdict
    figures: tuple[FigureCheck, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def flagged(self) -> bool:
        return bool(self.flags) or self.verdict is not Verdict.SUPPORTED
