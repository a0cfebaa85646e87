"""Figures that no passage states but that follow from those it does: recomputed, never believed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from aethel_core.audit.facts import Fact
from aethel_core.audit.figures import NEGATIVE, Written, span_agrees
from aethel_core.audit.results import FigureCheck, Match
from aethel_core.audit.sources import Source
from aethel_core.finance.formula import PRIOR, MissingInput, UndefinedResult
from aethel_core.finance.line_items import line_items
from aethel_core.finance.metrics import Metric, compute, inputs, metric, metrics_in
from aethel_core.finance.numbers import Figure
from aethel_core.finance.periods import PeriodSpan
from aethel_core.types import Period


@dataclass(frozen=True, slots=True)
class Derivation:
    """A figure that was computed: ``inputs`` are (key of the formula, passage id, value as read
    with its scale applied); ``metric`` is the id of the metric, or "" where ``operation`` is one
    of difference, ratio and change over the two inputs."""

    metric: str
    inputs: tuple[tuple[str, str, float], ...]
    operation: str = ""
    formula: str = ""

    @property
    def told(self) -> str:
        return f"{metric(self.metric).name} = {metric(self.metric).formula}" if self.metric else self.formula

    def value(self) -> float:
        """:raises MissingInput, UndefinedResult: it cannot be computed from its inputs."""
        values = {key: value for key, _, value in self.inputs}
        if self.metric:
            return compute(self.metric, values)
        (_, _, first), (_, _, second) = self.inputs
        if self.operation == "difference":
            return first - second
        if not second:
            raise UndefinedResult(f"{self.formula or self.operation} has no value: its denominator is zero.")
        return first / second if self.operation == "ratio" else (first - second) / abs(second)


def recomputed(
    figure: Figure,
    written: Written,
    sources: Sequence[Source],
    matched: Sequence[FigureCheck],
    derivations: Sequence[Derivation],
) -> FigureCheck | None:
    """How the figure follows from the cited passages, None where it does not."""
    if figure.unit not in ("percent", "bps", "multiple", "count", "currency", "days", "months", "years"):
        return None
    for derivation in derivations:
        if _inputs_stand(derivation, sources) and _is_value(figure, derivation.value(), written):
            return FigureCheck(figure, Match.DERIVED, None, derivation.told)
    ways = (
        *_of_metrics(written, sources),
        *_of_pairs(figure, matched),
        *_of_rows(figure, written, matched, sources),
    )
    for note, value in ways:
        if _is_value(figure, value, written):
            return FigureCheck(figure, Match.DERIVED, None, note)
    return None


def _inputs_stand(derivation: Derivation, sources: Sequence[Source]) -> bool:
    """Whether every input is a figure of a cited passage, with this value."""
    facts = {source.passage.id: source.facts for source in sources}
    return all(
        any(abs(abs(fact.figure.value) - abs(value)) <= 1e-9 * abs(value) for fact in facts.get(passage, ()))
        for _, passage, value in derivation.inputs
    )


def _is_value(figure: Figure, value: float, written: Written) -> bool:
    """Whether the figure is the value, rounded to the digits written; shares may be written in percent,
    and a fall without its sign."""
    if figure.value * value < 0 and (figure.value < 0 or not NEGATIVE.search(written.text)):
        return False
    said, step = figure.value, figure.step
    if figure.unit in ("percent", "bps"):
        said, step = (said / 1e4, step / 1e4) if figure.unit == "bps" else (said / 100, step / 100)
    return abs(abs(said) - abs(value)) <= 0.5 * step * (1 + 1e-9) + 1e-12


def _of_metrics(written: Written, sources: Sequence[Source]) -> Iterator[tuple[str, float]]:
    """The metrics that the sentence names, from the line items of the cited passages."""
    for match in metrics_in(written.text):
        if match.metric.formula in line_items():
            continue  # a line item itself, which is matched or not
        values = _values(match.metric, written, sources)
        try:
            yield f"{match.metric.name} = {match.metric.formula}", compute(match.metric, values)
        except (MissingInput, UndefinedResult):
            continue


def _values(wanted_metric: Metric, written: Written, sources: Sequence[Source]) -> dict[str, float]:
    years = sorted({s.period.fiscal_year for s in written.periods if s.period.fiscal_year})
    values: dict[str, float] = {}
    for source in sources:
        year = years[-1] if years else source.calendar.period.fiscal_year
        for key in inputs(wanted_metric):
            item, _, when = key.partition(":")
            wanted = year - 1 if year and f":{when}" == PRIOR else year
            value = _cell(source, item, wanted)
            if value is not None:
                values.setdefault(key, value)
    return values


def _cell(source: Source, item: str, year: int | None) -> float | None:
    for fact in source.facts:
        if fact.is_cell and fact.item == item and _of_year(fact, year, source):
            return fact.figure.value
    return None


def _of_year(fact: Fact, year: int | None, source: Source) -> bool:
    if year is None or not fact.periods:
        return year is None or source.calendar.period.fiscal_year == year
    span = PeriodSpan(0, 0, str(year), Period(year), "fiscal year")
    return any(span_agrees(span, period, source) for period in fact.periods)


def _of_pairs(figure: Figure, matched: Sequence[FigureCheck]) -> Iterator[tuple[str, float]]:
    """Change, ratio and difference of two amounts that the sentence itself gives and that stand."""
    amounts = [c for c in matched if c.match is Match.MATCHED and c.fact and c.figure is not figure]
    if len(amounts) > 2 and figure.step >= 1 and figure.unit == "percent":
        return  # among many amounts, some pair gives any whole percentage
    for left, right in permutations(amounts, 2):
        a, b = left.fact.figure.value, right.fact.figure.value  # type: ignore[union-attr]
        told = f"{left.figure.text} and {right.figure.text}"
        if left.figure.unit != right.figure.unit:
            continue
        if figure.unit in ("percent", "bps") and left.figure.unit in ("percent", "bps"):
            yield f"the difference of {told}", (a - b) / 100
        elif figure.unit in ("percent", "bps", "multiple") and b:
            yield f"the change between {told}", abs(a - b) / abs(b)
            yield f"the ratio of {told}", a / b
        elif figure.unit == left.figure.unit:
            yield f"the difference of {told}", a - b


_COMPARED = re.compile(
    r"\b(?:than|from|against|since|year-over-year|year-on-year|increas\w*|decreas\w*|rose|fell|grew|declin\w*|up|down|more|less)\b",
    re.IGNORECASE,
)


def _of_rows(
    figure: Figure, written: Written, matched: Sequence[FigureCheck], sources: Sequence[Source]
) -> Iterator[tuple[str, float]]:
    """Change and difference of an amount that the sentence gives against the same row before it."""
    if not _COMPARED.search(written.text):
        return
    for check in matched:
        fact = check.fact
        if check.match is not Match.MATCHED or fact is None or not fact.is_cell or not fact.periods:
            continue
        row = next(source.facts for source in sources if source.passage.id == fact.passage_id)
        same = [
            other
            for other in row
            if (other.group, other.row) == (fact.group, fact.row)
            and other.figure.unit == fact.figure.unit
            and other.periods
            and other.periods != fact.periods
        ]
        for other in same[:4]:
            now, then = fact.figure.value, other.figure.value
            told = f"{fact.row}: {fact.figure.text} against {other.figure.text}"
            if figure.unit in ("percent", "bps") and fact.figure.unit == "currency" and then:
                yield told, abs(now - then) / abs(then)
            elif figure.unit == fact.figure.unit:
                yield told, abs(now - then)
