"""A plain answer to a question: a few sentences with citations under the audit, or that the
documents do not say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aethel_core.answer.extracted import extracted
from aethel_core.answer.modelled import modelled
from aethel_core.answer.result import CLOSEST, NOT_FOUND, Answer, Cited
from aethel_core.audit import Source, Sources, trusted
from aethel_core.embedding import Embedder
from aethel_core.errors import ModelUnavailable
from aethel_core.llm import ChatModel

__all__ = ["CLOSEST", "NOT_FOUND", "PASSAGES", "Answer", "Cited", "answer"]

PASSAGES = 12  # of those found are read


def answer(
    question: str,
    passage_ids: Sequence[str],
    sources: Sources,
    model: ChatModel | None = None,
    embedder: Embedder | None = None,
    *,
    most: int = PASSAGES,
) -> Answer:
    """:param passage_ids: of the passages found for the question, best first.
    :param embedder: tells which sentences mean what is asked in other words; without one only the
        words count.
    :param most: of the passages that are read.
    """
    found = [source for passage in passage_ids[:most] if (source := sources.get(passage))]
    ranked, warning = trusted(found)
    made = _answered(question, ranked, sources, model, embedder)
    return replace(made, note=" ".join(part for part in (made.note, warning) if part))


def _answered(
    question: str,
    ranked: Sequence[Source],
    sources: Sources,
    model: ChatModel | None,
    embedder: Embedder | None,
) -> Answer:
    if model is None or not ranked:
        return _extract(question, ranked, sources, embedder)
    try:
        made = modelled(question, ranked, sources, model)
    except ModelUnavailable as error:
        note = f"{error} These are sentences of the documents."
        return _extract(question, ranked, sources, embedder, note)
    if made.note and not made.found:
        return _extract(question, ranked, sources, embedder, made.note)
    return made


def _extract(
    question: str, ranked: Sequence[Source], sources: Sources, embedder: Embedder | None, note: str = ""
) -> Answer:
    told, sure = extracted(question, ranked, sources, embedder)
    return Answer(question, told, note, sure or not told)
