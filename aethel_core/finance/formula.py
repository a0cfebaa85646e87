"""The small expression language in which the metric dictionary writes its formulas.

Grammar (usual precedence, ``^`` binds tightest and to the right)::

    sum     = product { ("+" | "-") product }
    product = sign { ("*" | "/") sign }
    sign    = ["-"] power
    power   = atom [ "^" sign ]
    atom    = number | identifier | function "(" sum { "," sum } ")" | "(" sum ")"

An identifier is a line item or another metric. Functions:

    avg(x)        mean of this period and the one before      prior(x)   the period before
    change(x)     x - prior(x)                                growth(x)  change(x) / |prior(x)|
    cagr(x)       (x / first(x)) ^ (1 / years) - 1            first(x)   the first period of a span
    either(a, b)  a, or b where an input of a is missing
    known(a, b)   sum of those that are known, at least one
    optional(x)   x, or 0 where an input is missing
    abs(x), min(a, b), max(a, b)

Nothing is ever handed to Python's own evaluator.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from aethel_core.errors import InvalidInput

PRIOR = ":prior"
FIRST = ":first"
YEARS = "years"
# In which periods a function reads its argument; "" is the current one.
PERIODS = {
    "avg": ("", PRIOR),
    "change": ("", PRIOR),
    "growth": ("", PRIOR),
    "prior": (PRIOR,),
    "first": (FIRST,),
    "cagr": ("", FIRST),
}

_ARITY = {
    "avg": (1, 1),
    "prior": (1, 1),
    "change": (1, 1),
    "growth": (1, 1),
    "cagr": (1, 1),
    "first": (1, 1),
    "either": (2, 9),
    "known": (2, 9),
    "optional": (1, 1),
    "abs": (1, 1),
    "min": (2, 9),
    "max": (2, 9),
}
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([a-z_][a-z0-9_]*)|([-+*/^(),]))")


class FormulaError(InvalidInput):
    """A formula that cannot be read."""


class MissingInput(InvalidInput):
    """``inputs`` are the keys whose values are needed and were not given."""

    def __init__(self, metric: str, inputs: tuple[str, ...]) -> None:
        super().__init__(f"{metric} cannot be computed: give a value for {', '.join(inputs)}.")
        self.inputs = inputs


class UndefinedResult(InvalidInput):
    """The inputs are there, but the formula has no value for them (a zero denominator)."""


@dataclass(frozen=True, slots=True)
class Number:
    value: float


@dataclass(frozen=True, slots=True)
class Name:
    id: str


@dataclass(frozen=True, slots=True)
class Operation:
    """``name`` is an operator, or a function with its arguments. Unary minus is "-" with one operand."""

    name: str
    operands: tuple[Node, ...]


Node = Number | Name | Operation


def parse(formula: str) -> Node:
    """:raises FormulaError: the formula does not follow the grammar above."""
    parser = _Parser(formula, _tokens(formula))
    node = parser.sum()
    if parser.peek():
        parser.fail()
    return node


def names(node: Node) -> tuple[str, ...]:
    """The identifiers of a formula in the order in which they are written, each once."""
    if isinstance(node, Name):
        return (node.id,)
    if isinstance(node, Number):
        return ()
    return tuple(dict.fromkeys(name for operand in node.operands for name in names(operand)))


def keys(node: Node, period: str = "") -> Iterator[str]:
    """The keys of all values that the formula may read."""
    if isinstance(node, Name):
        yield node.id + period
    elif isinstance(node, Operation):
        for operand in node.operands:
            for each in PERIODS.get(node.name, (period,)):
                yield from keys(operand, each)
        if node.name == "cagr":
            yield YEARS


def substitute(node: Node, resolve: Callable[[str], Node]) -> Node:
    """The formula with every identifier replaced by what ``resolve`` returns for it."""
    if isinstance(node, Name):
        return resolve(node.id)
    if isinstance(node, Number):
        return node
    return Operation(node.name, tuple(substitute(operand, resolve) for operand in node.operands))


def _tokens(formula: str) -> list[str]:
    tokens, position = [], 0
    while position < len(formula.rstrip()):
        match = _TOKEN.match(formula, position)
        if match is None:
            raise FormulaError(f"The formula {formula!r} has an unknown sign at position {position}.")
        tokens.append(match[0].strip())
        position = match.end()
    return tokens


class _Parser:
    def __init__(self, formula: str, tokens: list[str]) -> None:
        self.formula = formula
        self.tokens = tokens
        self.position = 0

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def expect(self, token: str) -> None:
        if self.take() != token:
            self.fail()

    def fail(self) -> NoReturn:
        raise FormulaError(f"The formula {self.formula!r} cannot be read near word {self.position}.")

    def sum(self) -> Node:
        node = self.product()
        while self.peek() in ("+", "-"):
            node = Operation(self.take(), (node, self.product()))
        return node

    def product(self) -> Node:
        node = self.sign()
        while self.peek() in ("*", "/"):
            node = Operation(self.take(), (node, self.sign()))
        return node

    def sign(self) -> Node:
        if self.peek() == "-":
            self.take()
            return Operation("-", (self.power(),))
        return self.power()

    def power(self) -> Node:
        node = self.atom()
        if self.peek() == "^":
            self.take()
            return Operation("^", (node, self.sign()))
        return node

    def atom(self) -> Node:
        token = self.take()
        if token == "(":
            node = self.sum()
            self.expect(")")
            return node
        if token[:1].isdigit():
            return Number(float(token))
        if not token or not (token[0].isalpha() or token[0] == "_"):
            self.fail()
        return self.call(token) if self.peek() == "(" else Name(token)

    def call(self, name: str) -> Node:
        if name not in _ARITY:
            raise FormulaError(f"The formula {self.formula!r} uses {name}(), which is not a known function.")
        self.expect("(")
        operands = [self.sum()]
        while self.peek() == ",":
            self.take()
            operands.append(self.sum())
        self.expect(")")
        least, most = _ARITY[name]
        if not least <= len(operands) <= most:
            raise FormulaError(f"The formula {self.formula!r} gives {name}() {len(operands)} arguments.")
        return Operation(name, tuple(operands))


class Evaluation:
    """One evaluation of a formula. ``value`` answers a key (``"cogs"``, ``"cogs:prior"``) or None.

    :raises MissingInput: from :meth:`result`, when values are needed that ``value`` does not know.
    :raises UndefinedResult: from :meth:`result`, for a zero denominator, a root of a negative number
        or a result beyond the range of numbers.
    """

    def __init__(self, metric: str, value: Callable[[str], float | None]) -> None:
        self.metric = metric
        self.value = value

    def result(self, node: Node) -> float:
        result = float(self._of(node, ""))
        if not math.isfinite(result):
            raise UndefinedResult(f"{self.metric} is not defined here: its inputs are too large.")
        return result

    def _of(self, node: Node, period: str) -> float:
        if isinstance(node, Number):
            return node.value
        if isinstance(node, Name):
            return self._named(node.id + period)
        operator = _OPERATORS.get(node.name)
        if operator is not None:
            # Both sides are evaluated before any complaint, so that all missing inputs are named at once.
            return operator(self, *self._all(node.operands, period))
        return _FUNCTIONS[node.name](self, node.operands, period)

    def _named(self, key: str) -> float:
        value = self.value(key)
        if value is None:
            raise MissingInput(self.metric, (key,))
        return value

    def _all(self, nodes: tuple[Node, ...], period: str) -> list[float]:
        values: list[float] = []
        missing: list[str] = []
        for node in nodes:
            try:
                values.append(self._of(node, period))
            except MissingInput as error:
                missing.extend(error.inputs)
        if missing:
            raise MissingInput(self.metric, tuple(dict.fromkeys(missing)))
        return values

    def _pair(self, nodes: tuple[Node, ...], period: str, other: str) -> tuple[float, float]:
        """The same expression in two periods."""
        if period:
            raise FormulaError(f"{self.metric} asks for the period before an earlier period.")
        node = nodes[0]
        missing: list[str] = []
        values: list[float] = []
        for each in ("", other):
            try:
                values.append(self._of(node, each))
            except MissingInput as error:
                missing.extend(error.inputs)
        if missing:
            raise MissingInput(self.metric, tuple(dict.fromkeys(missing)))
        return values[0], values[1]

    def divide(self, numerator: float, denominator: float) -> float:
        if denominator == 0:
            raise UndefinedResult(f"{self.metric} is not defined here: its denominator is zero.")
        return numerator / denominator

    def raise_to(self, base: float, exponent: float) -> float:
        if (base < 0 and not float(exponent).is_integer()) or (base == 0 and exponent < 0):
            raise UndefinedResult(
                f"{self.metric} is not defined here: {base} cannot be raised to {exponent}."
            )
        try:
            return base**exponent
        except OverflowError:
            raise UndefinedResult(f"{self.metric} is not defined here: the result is too large.") from None

    def negate_or_subtract(self, left: float, right: float | None = None) -> float:
        return -left if right is None else left - right

    def avg(self, nodes: tuple[Node, ...], period: str) -> float:
        now, before = self._pair(nodes, period, PRIOR)
        return (now + before) / 2

    def change(self, nodes: tuple[Node, ...], period: str) -> float:
        now, before = self._pair(nodes, period, PRIOR)
        return now - before

    def growth(self, nodes: tuple[Node, ...], period: str) -> float:
        now, before = self._pair(nodes, period, PRIOR)
        return self.divide(now - before, abs(before))

    def cagr(self, nodes: tuple[Node, ...], period: str) -> float:
        now, first = self._pair(nodes, period, FIRST)
        years = self._named(YEARS)
        return self.raise_to(self.divide(now, first), self.divide(1, years)) - 1

    def prior(self, nodes: tuple[Node, ...], period: str) -> float:
        return self._of(nodes[0], PRIOR)

    def first(self, nodes: tuple[Node, ...], period: str) -> float:
        return self._of(nodes[0], FIRST)

    def either(self, nodes: tuple[Node, ...], period: str) -> float:
        problem: MissingInput | None = None
        for node in nodes:
            try:
                return self._of(node, period)
            except MissingInput as error:
                problem = problem or error
        raise problem or MissingInput(self.metric, ())

    def known(self, nodes: tuple[Node, ...], period: str) -> float:
        values: list[float] = []
        missing: list[str] = []
        for node in nodes:
            try:
                values.append(self._of(node, period))
            except MissingInput as error:
                missing.extend(error.inputs)
        if not values:
            raise MissingInput(self.metric, tuple(missing))
        return sum(values)

    def optional(self, nodes: tuple[Node, ...], period: str) -> float:
        try:
            return self._of(nodes[0], period)
        except MissingInput:
            return 0.0

    def absolute(self, nodes: tuple[Node, ...], period: str) -> float:
        return abs(self._of(nodes[0], period))

    def least(self, nodes: tuple[Node, ...], period: str) -> float:
        return min(self._all(nodes, period))

    def most(self, nodes: tuple[Node, ...], period: str) -> float:
        return max(self._all(nodes, period))


_OPERATORS: dict[str, Callable[..., float]] = {
    "+": lambda evaluation, left, right: left + right,
    "-": Evaluation.negate_or_subtract,
    "*": lambda evaluation, left, right: left * right,
    "/": Evaluation.divide,
    "^": Evaluation.raise_to,
}
_FUNCTIONS: dict[str, Callable[[Evaluation, tuple[Node, ...], str], float]] = {
    "avg": Evaluation.avg,
    "change": Evaluation.change,
    "growth": Evaluation.growth,
    "cagr": Evaluation.cagr,
    "prior": Evaluation.prior,
    "first": Evaluation.first,
    "either": Evaluation.either,
    "known": Evaluation.known,
    "optional": Evaluation.optional,
    "abs": Evaluation.absolute,
    "min": Evaluation.least,
    "max": Evaluation.most,
}
