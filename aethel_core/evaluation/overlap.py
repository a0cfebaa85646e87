"""RTO, the published overlap of retrieved text with the answer, kept apart from the metrics.

For each question that has an answer: F1 of the words of the first k items, put together, and the
words of the answer (`metrics.token_f1`). It confounds relevance with length: an answer of two
words against five paragraphs cannot score high, and shorter passages score higher whatever they
say. It is here so that published figures can be compared, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from aethel_core import metrics
from aethel_core.errors import MissingData
from aethel_core.evaluation.report import Measured, Report
from aethel_core.evaluation.statistics import bootstrap


def overlap(report: Report, text_of: Callable[[str], str], k: int = 5) -> tuple[Measured, ...]:
    """RTO@k of each retriever with its 95 % interval.

    :param text_of: the text of an item.
    :raises MissingData: no question has an answer.
    """
    answers = {question.id: question.answer for question in report.questions if question.answer}
    if not answers:
        raise MissingData("No question has an answer to compare the retrieved text with.")
    found = []
    for retriever in report.retrievers:
        values = [
            metrics.token_f1(" ".join(text_of(item) for item in given.items[:k]), answers[given.question])
            for given in report.answers
            if given.retriever == retriever and given.question in answers
        ]
        interval = bootstrap(values)
        found.append(Measured(retriever, f"RTO@{k}", interval.mean, interval.low, interval.high))
    return tuple(found)
