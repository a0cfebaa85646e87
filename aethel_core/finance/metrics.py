"""The metric dictionary: which metric a question asks for, what it needs, and its value.

``data/metrics.json`` holds names and formulas, ``data/line_items.json`` the items they stand on
with the wordings filers use, ``data/question_words.json`` the names of the statements themselves.
Values of line items are given under their id; those of the period before under ``id + ":prior"``,
those of the first period of a span under ``id + ":first"``, its length in years under ``"years"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from aethel_core.errors import InvalidInput
from aethel_core.finance import formula as formulas
from aethel_core.finance.dataset import load
from aethel_core.finance.formula import FormulaError, MissingInput, UndefinedResult
from aethel_core.finance.line_items import LineItem, line_item, line_items, match_row
from aethel_core.finance.words import Phrases, words
from aethel_core.types import Statement

__all__ = [
    "FormulaError",
    "LineItem",
    "LineItemMatch",
    "Metric",
    "MetricMatch",
    "MissingInput",
    "Needs",
    "StatementMatch",
    "UndefinedResult",
    "compute",
    "inputs",
    "line_item",
    "line_items",
    "line_items_in",
    "match_row",
    "metric",
    "metrics",
    "metrics_in",
    "needed",
    "statements_in",
]


@dataclass(frozen=True, slots=True)
class Metric:
    """One entry of ``data/metrics.json``.

    ``formula`` is written over line items and other metrics; ``line_items`` are the ids of all
    items it stands on in the end. ``statements`` are those that show them, first needed first.
    A metric that is one line item ("capex"), or prefers one as reported, shares its wordings.
    """

    id: str
    name: str
    area: str
    unit: str
    formula: str
    names: tuple[str, ...]
    line_items: tuple[str, ...]
    statements: tuple[Statement, ...]
    cased: tuple[str, ...] = ()
    fund_only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MetricMatch:
    metric: Metric
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LineItemMatch:
    item: LineItem
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StatementMatch:
    """``attached`` to one figure only: "D&A (from the cash flow statement)"."""

    statement: Statement
    start: int
    end: int
    attached: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """What a question needs.

    ``line_items`` are those mentioned and those the metrics stand on. ``statements`` are those
    that should answer it: the ones ``named`` in the question, otherwise the ones its metrics and
    line items stand on; empty where the question needs none. ``breakdown``: it asks for segments
    or regions. ``narrative``: it asks for reasons, which the text around the statements gives.
    ``prior_year``: a metric averages or compares with the year before.
    """

    metrics: tuple[Metric, ...] = ()
    line_items: tuple[LineItem, ...] = ()
    statements: tuple[Statement, ...] = ()
    named: tuple[Statement, ...] = ()
    breakdown: bool = False
    narrative: bool = False
    prior_year: bool = False


@cache
def metrics() -> MappingProxyType[str, Metric]:
    """All metrics by id, in the order of the file."""
    found = {}
    for entry in load("metrics")["metrics"]:
        items = formulas.names(_expanded(entry["id"]))
        ids = tuple(name for name in items if name in line_items())
        given = tuple(Statement(s) for s in entry.get("statements", ()))
        primary = tuple(dict.fromkeys(s for s in (line_item(i).statement for i in ids) if s))
        found[entry["id"]] = Metric(
            id=entry["id"],
            name=entry["name"],
            area=entry["area"],
            unit=entry["unit"],
            formula=entry["formula"],
            names=tuple(entry["names"]),
            line_items=ids,
            statements=given or primary,
            cased=tuple(entry.get("cased", ())),
            fund_only=tuple(entry.get("fund_only", ())),
        )
    return MappingProxyType(found)


def metric(id: str) -> Metric:
    """:raises InvalidInput: there is no such metric."""
    try:
        return metrics()[id]
    except KeyError:
        raise InvalidInput(f"There is no metric {id!r} in the metric dictionary.") from None


@cache
def _formulas() -> dict[str, formulas.Node]:
    return {entry["id"]: formulas.parse(entry["formula"]) for entry in load("metrics")["metrics"]}


@cache
def _expanded(id: str) -> formulas.Node:
    """The formula of a metric with the metrics in it replaced by theirs, down to line items."""
    return _expand(id, ())


def _expand(id: str, above: tuple[str, ...]) -> formulas.Node:
    if id in above:
        raise FormulaError(f"The formula of {id} stands on itself: {' → '.join((*above, id))}.")

    def resolve(name: str) -> formulas.Node:
        if name in line_items():
            return formulas.Name(name)
        if name not in _formulas():
            raise FormulaError(f"The formula of {id} names {name!r}, which is no line item and no metric.")
        return _expand(name, (*above, id))

    return formulas.substitute(_formulas()[id], resolve)


def inputs(metric: Metric | str) -> tuple[str, ...]:
    """Every key that `compute` may read for the metric, those of alternatives included."""
    return tuple(dict.fromkeys(formulas.keys(_expanded(_chosen(metric).id))))


def compute(metric: Metric | str, values: Mapping[str, float]) -> float:
    """The metric's value, by its formula.

    A value given under the id of a metric on the way ("ebitda" as reported) is used as it stands.

    :raises MissingInput: names the keys without a value.
    :raises UndefinedResult: a denominator is zero.
    """
    chosen = _chosen(metric)

    def resolve(name: str) -> formulas.Node:
        if name in values or name in line_items():
            return formulas.Name(name)
        return formulas.substitute(_formulas()[name], resolve)

    def value(key: str) -> float | None:
        found = values.get(key)
        item = line_items().get(key.partition(":")[0])
        return abs(found) if found is not None and item is not None and item.magnitude else found

    node = formulas.substitute(_formulas()[chosen.id], resolve)
    return formulas.Evaluation(chosen.name, value).result(node)


def _chosen(given: Metric | str) -> Metric:
    return metric(given) if isinstance(given, str) else given


# --- recognition in a question -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Target:
    """What a wording stands for; an empty ``id`` is a wording that means none of them."""

    kind: str  # "metric", "item" or "stop"
    id: str = ""
    cased: bool = False
    fund_only: bool = False

    def allowed(self, written: str, fund: bool) -> bool:
        return (written.isupper() or not self.cased) and (fund or not self.fund_only)


@cache
def _wordings() -> Phrases[_Target]:
    table: Phrases[_Target] = Phrases()
    table.add_all(load("question_words")["stop"], _Target("stop"))
    for item in line_items().values():
        _add(table, "item", item.id, item, (*item.wordings, *item.asked))
    for entry in metrics().values():
        _add(table, "metric", entry.id, entry, entry.names)
        shared = _shared_item(entry)
        if shared:
            _add(table, "metric", entry.id, shared, (*shared.wordings, *shared.asked))
    return table


def _add(table: Phrases[_Target], kind: str, id: str, entry: Metric | LineItem, names: Iterable[str]) -> None:
    table.add_all((name for name in names if "*" not in name), _Target(kind, id))
    table.add_all(entry.cased, _Target(kind, id, cased=True))
    table.add_all(entry.fund_only, _Target(kind, id, fund_only=True))


def _shared_item(entry: Metric) -> LineItem | None:
    """The line item that the metric is, or prefers as reported."""
    node = _formulas()[entry.id]
    if isinstance(node, formulas.Operation) and node.name == "either":
        node = node.operands[0]
    return line_items().get(node.id) if isinstance(node, formulas.Name) else None


@cache
def _context(name: str) -> Phrases[str]:
    table: Phrases[str] = Phrases()
    table.add_all(load("question_words")[name], name)
    return table


@cache
def _statement_names() -> Phrases[Statement]:
    table: Phrases[Statement] = Phrases()
    for statement, names in load("question_words")["statements"].items():
        table.add_all(names, Statement(statement))
    return table


def _targets(text: str) -> Iterator[tuple[tuple[_Target, ...], int, int]]:
    tokens = words(text)
    fund = next(_context("fund_context").find(text, tokens), None) is not None
    taken = [(match.start, match.end) for match in _statement_names().find(text, tokens)]
    for match in _wordings().find(text, tokens):
        written = text[match.start : match.end]
        allowed = tuple(target for target in match.values if target.allowed(written, fund))
        inside = any(start <= match.start and match.end <= end for start, end in taken)
        if allowed and not inside and not any(target.kind == "stop" for target in allowed):
            yield allowed, match.start, match.end


def metrics_in(question: str) -> tuple[MetricMatch, ...]:
    """The metrics named in the question, in the order in which they are; longest wording first."""
    return tuple(
        MetricMatch(metric(target.id), start, end)
        for targets, start, end in _targets(question)
        for target in targets
        if target.kind == "metric"
    )


def line_items_in(text: str) -> tuple[LineItemMatch, ...]:
    """The line items named in the text, outside the names of metrics ("inventory turnover")."""
    return tuple(
        LineItemMatch(line_item(target.id), start, end)
        for targets, start, end in _targets(text)
        for target in targets
        if target.kind == "item"
    )


_FROM = re.compile(r"(?:\bfrom|\bin|\bon|\bper)\s+(?:the\s+)?(?:consolidated\s+)?$", re.IGNORECASE)


def statements_in(question: str) -> tuple[StatementMatch, ...]:
    """The statements named in the question."""
    ends = {end for _, _, end in _targets(question)}
    found = []
    for match in _statement_names().find(question):
        before = question[: match.start]
        link = _FROM.search(before)
        lead = before[: link.start()].rstrip() if link else ""
        attached = bool(link) and (lead.endswith("(") or len(lead) in ends)
        if not _is_off_balance(before):
            found.extend(StatementMatch(s, match.start, match.end, attached) for s in match.values)
    return tuple(found)


def _is_off_balance(before: str) -> bool:
    return before.rstrip("- ").lower().endswith("off")


_NARRATIVE = re.compile(
    r"\bwhat\s+(?:\w+\s+)?(?:drove|caused|led\s+to|explains|drives|contributed\s+to)\b"
    r"|\bwhat\s+(?:are|were|was)\s+the\s+(?:\w+\s+)?(?:drivers?|reasons?|factors?|causes?)\b"
    r"|(?<!and explain )\bwhy\s+(?:did|was|were|is|are|has|have|does|do)\b"
    r"|\breasons?\s+(?:for|behind|why)\b|\bdrivers?\s+(?:of|behind)\b|\bdue\s+to\s+what\b",
    re.IGNORECASE,
)


def needed(question: str) -> Needs:
    """What the question needs from the statements. See `Needs`."""
    targets = [target for found, _, _ in _targets(question) for target in found]
    wanted = tuple(metric(i) for i in dict.fromkeys(t.id for t in targets if t.kind == "metric"))
    mentioned = [t.id for t in targets if t.kind == "item"]
    items = tuple(
        line_item(i) for i in dict.fromkeys([*mentioned, *(i for each in wanted for i in each.line_items)])
    )
    named = statements_in(question)
    frame = [match.statement for match in named if not match.attached]
    breakdown = next(_context("breakdown").find(question), None) is not None
    implied = _implied(wanted, [line_item(i) for i in mentioned])
    if breakdown:
        implied = _broken_down(implied, bool(wanted or mentioned))
    attached = [match.statement for match in named if match.attached]
    return Needs(
        metrics=wanted,
        line_items=items,
        statements=_in_order([*(frame or implied), *attached]),
        named=_in_order([*frame, *attached]),
        breakdown=breakdown,
        narrative=_NARRATIVE.search(question) is not None,
        prior_year=any(key.endswith(formulas.PRIOR) for each in wanted for key in inputs(each)),
    )


def _implied(wanted: Iterable[Metric], mentioned: Iterable[LineItem]) -> list[Statement]:
    return [s for each in wanted for s in each.statements] + [i.statement for i in mentioned if i.statement]


def _broken_down(implied: list[Statement], figures: bool) -> list[Statement]:
    """Results by segment or region are in the segment note, not on the consolidated statements."""
    flows = (Statement.INCOME, Statement.CASH_FLOW)
    if not figures or (implied and not any(s in flows for s in implied)):
        return implied
    return [s for s in implied if s not in flows] + [Statement.SEGMENT]


def _in_order(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    chosen = set(statements)
    return tuple(statement for statement in Statement if statement in chosen)
