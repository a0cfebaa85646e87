"""A written figure against the facts of the cited passages: value, scale, unit, sign, period, measure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from aethel_core.audit.facts import Fact
from aethel_core.audit.results import FigureCheck, Match
from aethel_core.audit.sentences import content_words
from aethel_core.audit.sources import Source
from aethel_core.audit.spans import agree, periods_in
from aethel_core.finance.line_items import DEBT, NET_DEBT, line_item
from aethel_core.finance.metrics import line_items_in
from aethel_core.finance.numbers import Figure, find_figures, same_figure
from aethel_core.finance.periods import PeriodSpan
from aethel_core.types import Period


@dataclass(frozen=True, slots=True)
class Written:
    """A drafted sentence, read."""

    text: str
    figures: tuple[Figure, ...]
    periods: tuple[PeriodSpan, ...]
    words: frozenset[str]
    items: frozenset[str]

    @classmethod
    def read(cls, text: str) -> Written:
        periods = periods_in(text)
        items = frozenset(match.item.id for match in line_items_in(text))
        figures = tuple(figure for figure in find_figures(text, periods) if not _YEAR.fullmatch(figure.text))
        return cls(text, figures, periods, content_words(text), items)

    def periods_of(self, number: int) -> tuple[PeriodSpan, ...]:
        """The periods that figure ``number`` may speak of, the likeliest first."""
        spoken = tuple(span for span in self.periods if not self._is_event(span))
        if len(spoken) < 2:
            return spoken
        if "respectively" in self.text and len(spoken) == len(self.figures):
            return (spoken[number],)
        start, end = self.figures[number].start, self.figures[number].end
        limit = self.figures[number + 1].start if number + 1 < len(self.figures) else len(self.text)
        after = [p for p in spoken if end <= p.start < limit]
        before = [p for p in spoken if p.end <= start]
        first = after[:1] or before[-1:]
        if after and _ATTACHED.fullmatch(self.text, end, after[0].start):
            return (after[0],)
        # "In fiscal 2022 it was 10 against 9 a year before": the nearest one may belong elsewhere.
        return (*first, *(p for p in spoken if p not in first))

    def _is_event(self, span: PeriodSpan) -> bool:
        """A date on which something happens or ends, not one that an amount is of."""
        return _EVENT.search(self.text, max(0, span.start - 40), span.start) is not None


_YEAR = re.compile(r"(?:19[5-9]\d|20[0-6]\d)")  # "due in 2023": a name, which must be in the source
_ATTACHED = re.compile(
    r"\s*,?\s*(?:in|for|at|of|as\s+of|during|on)\s+(?:the\s+)?(?:end\s+of\s+)?(?:year\s+)?", re.IGNORECASE
)
_EVENT = re.compile(
    r"\b(?:matur\w+|due|until|through|dated|issued|expir\w+|ends?|terminat\w+|begin\w*|start\w*|closed|closing|signed"
    r"|acquired|bought|sold|paid|renewed|from|since|after|before)(?:\s+(?:on|in|by|at|of|the|or))*\s+$",
    re.IGNORECASE,
)


def check_figure(written: Written, number: int, sources: Sequence[Source]) -> FigureCheck:
    """The best account of one figure: matched, or what comes nearest and why it does not hold."""
    figure = written.figures[number]
    nearest: FigureCheck | None = None
    for source in sources:
        for fact in source.facts:
            found = _compare(written, number, fact, source)
            if found is None:
                continue
            if found.match is Match.MATCHED:
                return found
            if nearest is None or _ORDER[found.match] < _ORDER[nearest.match]:
                nearest = found
    return nearest or FigureCheck(figure, Match.MISSING, None, f"{figure.text} is not in the cited passage.")


_ORDER = {Match.PERIOD: 0, Match.SIGN: 1, Match.LABEL: 3, Match.SCALE: 2, Match.MISSING: 4}


def _compare(written: Written, number: int, fact: Fact, source: Source) -> FigureCheck | None:
    """None where the fact has another value."""
    figure = written.figures[number]
    if not same_figure(figure, fact.figure, finer=False, ignore_sign=True):
        return _other_scale(written, figure, fact)
    where = _where(fact)
    if not _related(written, fact):
        return FigureCheck(figure, Match.LABEL, fact, f"{figure.text} is in the source as {where}.")
    spans = written.periods_of(number)
    if not period_agrees(spans, fact, source) and not _opens(written, figure, spans, fact, source):
        told = ", ".join(_named(period) for period in stated_periods(fact, source)) or "another period"
        note = f"{figure.text} ({where}) is for {told}, not {spans[0].text}."
        return FigureCheck(figure, Match.PERIOD, fact, note)
    if not _sign_agrees(written, figure, fact):
        return FigureCheck(figure, Match.SIGN, fact, f"The source has {fact.figure.text} for {where}.")
    return FigureCheck(figure, Match.MATCHED, fact)


def _where(fact: Fact) -> str:
    if fact.is_cell:
        return "“" + " · ".join(part for part in (fact.row, fact.column) if part) + "”"
    return "“" + (fact.wording if len(fact.wording) < 90 else fact.wording[:89] + "…") + "”"


def _named(period: Period) -> str:
    return period.end or period.label


def _other_scale(written: Written, figure: Figure, fact: Fact) -> FigureCheck | None:
    """The same digits a thousand or a million times as large."""
    if not figure.value or not _related(written, fact):
        return None
    for factor in (1e3, 1e-3, 1e6, 1e-6):
        scaled = replace(figure, value=figure.value * factor, step=figure.step * factor)
        if same_figure(scaled, fact.figure, finer=False, ignore_sign=True):
            unit = {1.0: "units", 1e3: "thousands", 1e6: "millions", 1e9: "billions"}
            name = unit.get(fact.figure.scale, "its own unit")
            note = f"The source has {fact.figure.text} in {name} for {_where(fact)}."
            return FigureCheck(figure, Match.SCALE, fact, note)
    return None


# --- measure -----------------------------------------------------------------------------------


def _related(written: Written, fact: Fact) -> bool:
    """Whether the sentence speaks of what labels the fact."""
    if not fact.is_cell:
        own = written.words & content_words(fact.wording)
        if not own and _PRONOUN.match(fact.wording):
            own = written.words & content_words(fact.around)
        shared = own | (written.words & content_words(fact.around))  # "It amounted to …"
        distinctive = len(re.sub(r"\D", "", fact.figure.text).strip("0")) >= 3
        there = max(1, len(content_words(fact.wording)))
        return bool(own) and len(shared) >= min(1 if distinctive else 2, len(written.words), there)
    if other_debt(written.text, fact.row):
        return False
    if fact.item and fact.item in written.items:
        return True
    row = content_words(f"{fact.group} {fact.row}")
    labels = row | content_words(fact.column)
    if not labels:
        return True
    if not row:
        return bool(written.words & labels)
    shared = written.words & content_words(fact.row) or written.words & row
    if fact.item and written.items and len(shared) * 2 < len(content_words(fact.row)):
        return False
    return bool(shared)


def other_debt(text: str, row: str) -> bool:
    """Whether one speaks of debt and the other of net debt only; in other items "net" tells less."""
    bare = NET_DEBT.sub(" ", text)
    if NET_DEBT.search(row):
        return bare == text and DEBT.search(text) is not None
    return bare != text and DEBT.search(row) is not None and DEBT.search(bare) is None


_PRONOUN = re.compile(r"(?:It|They|This|These|Both|He|She)\b")


# --- period ------------------------------------------------------------------------------------


def stated_periods(fact: Fact, source: Source) -> tuple[Period, ...]:
    """Those stated for the fact; else those stated before it in the passage, and the document's."""
    if fact.periods:
        return fact.periods
    document = source.calendar.period
    before = source.passage.text[: fact.start] if not fact.is_cell else source.passage.section
    stated = periods_in(before)[-1:]
    return (*(span.period for span in stated), *((document,) if document != Period() else ()))


def period_agrees(spans: Sequence[PeriodSpan], fact: Fact, source: Source) -> bool:
    """Whether any period the figure may speak of is the fact's; a sentence without one agrees."""
    known = stated_periods(fact, source)
    if not spans or not known:
        return True
    if any(period.fiscal_year for period in known):  # "in the second quarter and the first half of 2022"
        known = tuple(period for period in known if period.fiscal_year)
    return any(span_agrees(span, period, source) for span in spans for period in known)


def span_agrees(span: PeriodSpan, period: Period, source: Source) -> bool:
    if span.kind == "ltm" and span.period == Period():
        return True
    if span.kind == "range" and span.since and period.fiscal_year in span.years:
        return True
    if span.kind == "half":
        return agree(Period(span.period.fiscal_year), period, source.calendar)
    if _month_only(span) and period.end:
        return span.period.end[:7] == period.end[:7]
    return agree(span.period, period, source.calendar)


_FROM = re.compile(r"\bfrom\s+(?:approximately\s+|about\s+)?$", re.IGNORECASE)


def _opens(written: Written, figure: Figure, spans: Sequence[PeriodSpan], fact: Fact, source: Source) -> bool:
    """Whether the figure is what a period began with: "fell from 86 to 58 in the fourth quarter"."""
    if not fact.is_cell or not _FROM.search(written.text[: figure.start][-24:]):
        return False
    return any(
        agree(before, period, source.calendar)
        for before in (_before(span.period) for span in spans if not span.period.end)
        for period in stated_periods(fact, source)
        if before and period.end
    )


def _before(period: Period) -> Period | None:
    """The quarter or the year before."""
    if period.fiscal_year is None:
        return None
    if period.quarter is None or period.quarter == 1:
        return Period(period.fiscal_year - 1, 4 if period.quarter else None)
    return Period(period.fiscal_year, period.quarter - 1)


def _month_only(span: PeriodSpan) -> bool:
    return bool(span.period.end) and span.kind == "date" and not re.search(r"\d{1,2}\D+\d{4}|-", span.text)


# --- sign --------------------------------------------------------------------------------------

NEGATIVE = re.compile(
    r"\b(?:loss(?:es)?|decreas\w*|declin\w*|f[ae]ll\w*|negative|outflows?|used|deficit|down|lower\w*|reduc\w*"
    r"|shr[aiu]nk\w*|drop\w*|lost|minus"
    r"|contract(?:ed|ion)|unfavou?rable|deteriorat\w*|write-?downs?|wrote|charged?)\b",
    re.IGNORECASE,
)
_OUTFLOW = re.compile(
    r"\b(?:less|expens\w*|costs?|fees?|paid|pay(?:ing|ments?)|purchases?|repayments?|repurchases?|distributions?"
    r"|depreciation|amortization|tax(?:es)?|provision|interest|used|dividends?|expenditures?|accrued"
    r"|facility|treasury|deduct\w*|allowance|redemptions?|withdrawals?|carried|forfeited|vested"
    r"|withheld|investments? in|acquisitions?|combinations|contributions|rent|impairments?|charges?"
    r"|eliminations?|settlements?|losses|loss)\b",
    re.IGNORECASE,
)


def _sign_agrees(written: Written, figure: Figure, fact: Fact) -> bool:
    """Prose gives an outflow or a loss as a positive amount; nothing turns the other way round."""
    said, source = figure.printed, fact.figure.printed
    if not said or not source:
        return True
    printed_so = fact.is_cell and source < 0 and NEGATIVE.search(_unbracketed(fact.row))
    if said < 0 and not printed_so and _LOSS_OF.search(written.text[: figure.start][-24:]):
        return False
    around = written.text[max(0, figure.start - 60) : figure.end + 30]
    turned = NEGATIVE.search(around) is not None
    if (said < 0) == (source < 0):
        return not (turned and said > 0 and fact.is_cell and _cannot_be_loss(written, fact))
    if said < 0:
        return fact.is_cell and NEGATIVE.search(_unbracketed(fact.row)) is not None
    if turned or (fact.item and line_item(fact.item).magnitude):
        return True
    row = _NET_OF.sub(" ", _unbracketed(fact.row))
    if _INFLOW.search(row) and not _DEDUCTED.search(row):
        return False
    return _OUTFLOW.search(row) is not None


def _unbracketed(row: str) -> str:
    """ "Net income (loss)" is the positive side of it."""
    return re.sub(r"\([^)]*\)", " ", row)


_NET_OF = re.compile(r",?\s*\bnet of\b.*$", re.IGNORECASE)
_INFLOW = re.compile(r"\b(?:benefit|gains?|proceeds|income(?!\s+tax)|earnings|profit)\b", re.IGNORECASE)
_DEDUCTED = re.compile(
    r"^\s*less\b|\b(?:expens\w*|paid|used|loss(?:es)?|attributable|deduct\w*)\b", re.IGNORECASE
)
_LOSS_OF = re.compile(r"\b(?:loss(?:es)?|decrease|decline|reduction|fall)\s+of\s+$", re.IGNORECASE)
_RESULT = re.compile(r"\b(?:income|earnings|profit|result|gain|return)\b", re.IGNORECASE)
_LOSS = re.compile(r"\b(?:net|operating|pre-?tax|comprehensive)\s+loss(?:es)?\b", re.IGNORECASE)


def _cannot_be_loss(written: Written, fact: Fact) -> bool:
    """A "net loss of 36.0" where the row is a result and the figure is positive."""
    return (
        _LOSS.search(written.text) is not None
        and _RESULT.search(fact.row) is not None
        and (_LOSS.match(fact.row) is None)
    )
