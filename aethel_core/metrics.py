"""Ranking metrics: judgements and rankings in, one number per question out. No I/O.

``qrels`` maps a question id to its judged items and their grades (a grade above 0 is relevant);
``run`` maps a question id to the items a retriever returned, best first. Let r_i be the grade of
the item at rank i (0 when unjudged) and R the number of relevant items.

    HR@k        1 if some r_i > 0 with i <= k
    Recall@k    relevant items among the first k / R
    P@k         relevant items among the first k / k, even when fewer than k came back
    MRR[@k]     1 / rank of the first relevant item (0 beyond k)
    nDCG@k      sum r_i / log2(i + 1) over i <= k, divided by the same sum of the best order.
                The gain is linear (the grade itself), as trec_eval and ir_measures have it;
                "exponential" (2^grade - 1) can be asked for
    all-gold@k  1 if all R relevant items are among the first k; with R > k it cannot be reached

A question the run does not answer counts 0. A question without a relevant item cannot be
measured and is rejected, as are a run that answers unjudged questions, a ranking that repeats
an item, and k < 1.

RTO (`token_f1`) is published with the graph retriever and kept apart: it compares words of the
retrieved text with words of the answer, so it rewards short passages as much as right ones.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from aethel_core.errors import InvalidInput, MissingData
from aethel_core.text import words

Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Sequence[str]]
Gain = Literal["linear", "exponential"]

_NAME = re.compile(r"(HR|Recall|P|MRR|nDCG|all-gold)(?:@([1-9]\d*))?")


def hit_rate(qrels: Qrels, run: Run, k: int) -> dict[str, float]:
    return _each(qrels, run, k, lambda grades, items: float(any(grades.get(item, 0) > 0 for item in items)))


def recall(qrels: Qrels, run: Run, k: int) -> dict[str, float]:
    return _each(qrels, run, k, lambda grades, items: _found(grades, items) / _relevant(grades))


def precision(qrels: Qrels, run: Run, k: int) -> dict[str, float]:
    return _each(qrels, run, k, lambda grades, items: _found(grades, items) / k)


def all_gold(qrels: Qrels, run: Run, k: int) -> dict[str, float]:
    return _each(qrels, run, k, lambda grades, items: float(_found(grades, items) == _relevant(grades)))


def reciprocal_rank(qrels: Qrels, run: Run, k: int | None = None) -> dict[str, float]:
    def value(grades: Mapping[str, int], items: Sequence[str]) -> float:
        return next((1 / rank for rank, item in enumerate(items, 1) if grades.get(item, 0) > 0), 0.0)

    return _each(qrels, run, k, value)


def ndcg(qrels: Qrels, run: Run, k: int, gain: Gain = "linear") -> dict[str, float]:
    def value(grades: Mapping[str, int], items: Sequence[str]) -> float:
        best = sorted(grades.values(), reverse=True)[:k]
        return _dcg([grades.get(item, 0) for item in items], gain) / _dcg(best, gain)

    return _each(qrels, run, k, value)


def measure(name: str, qrels: Qrels, run: Run) -> dict[str, float]:
    """The metric of that name ("HR@5", "MRR", "nDCG@20"), one value per question of ``qrels``.

    :raises InvalidInput: there is no such metric.
    """
    match = _NAME.fullmatch(name)
    if not match or (match[2] is None and match[1] != "MRR"):
        raise InvalidInput(
            f"There is no metric {name!r}; use HR@5, Recall@5, P@5, MRR, nDCG@5 or all-gold@5."
        )
    k = int(match[2]) if match[2] else None
    if match[1] == "MRR" or k is None:
        return reciprocal_rank(qrels, run, k)
    functions: dict[str, Callable[[Qrels, Run, int], dict[str, float]]] = {
        "HR": hit_rate,
        "Recall": recall,
        "P": precision,
        "nDCG": ndcg,
        "all-gold": all_gold,
    }
    return functions[match[1]](qrels, run, k)


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean, independent of the order of the values.

    :raises MissingData: there are no values.
    """
    numbers = list(values)
    if not numbers:
        raise MissingData("There is nothing to average: no question was measured.")
    return math.fsum(numbers) / len(numbers)


def token_f1(text: str, answer: str) -> float:
    """RTO of one question: F1 of the words (`text.words`) of the retrieved text and of the answer."""
    found, wanted = Counter(words(text)), Counter(words(answer))
    shared = (found & wanted).total()
    return 2 * shared / (found.total() + wanted.total()) if shared else 0.0


def _each(
    qrels: Qrels,
    run: Run,
    k: int | None,
    value: Callable[[Mapping[str, int], Sequence[str]], float],
) -> dict[str, float]:
    if k is not None and k < 1:
        raise InvalidInput(f"The cutoff is {k}; give a whole number of at least 1.")
    _check(qrels, run)
    return {question: value(grades, run.get(question, ())[:k]) for question, grades in qrels.items()}


def _check(qrels: Qrels, run: Run) -> None:
    empty = [question for question, grades in qrels.items() if _relevant(grades) == 0]
    if empty:
        raise MissingData(f"No relevant item is known for {_some(empty)}; leave such questions out.")
    unknown = [question for question in run if question not in qrels]
    if unknown:
        raise InvalidInput(f"The run answers questions without judgements: {_some(unknown)}.")
    repeated = [question for question, items in run.items() if len(set(items)) < len(items)]
    if repeated:
        raise InvalidInput(f"The ranking repeats an item for {_some(repeated)}; an item may come only once.")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(repr(name) for name in names[:5]) + more


def _relevant(grades: Mapping[str, int]) -> int:
    return sum(grade > 0 for grade in grades.values())


def _found(grades: Mapping[str, int], items: Sequence[str]) -> int:
    return sum(grades.get(item, 0) > 0 for item in items)


def _dcg(grades: Sequence[int], gain: Gain) -> float:
    # A negative grade marks an item as harmful in some collections; it gains nothing.
    gains = [max(grade, 0) if gain == "linear" else 2 ** max(grade, 0) - 1 for grade in grades]
    return math.fsum(value / math.log2(rank + 1) for rank, value in enumerate(gains, 1))
