"""Pooling: what to judge, so that the labelled set favours no retriever.

The best of every retriever are put together for each question (the union of the top 10); the
person judges them without seeing who found what or how high. What no retriever brought up stays
unjudged and counts as not relevant, as usual with pooled judgements (Sparck Jones and van
Rijsbergen 1975), so a retriever that was not pooled may be underrated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from aethel_core.types import Ranking

DEPTH = 10


@dataclass(frozen=True, slots=True)
class Queue:
    """Passages still to be judged, in hidden order, of ``pooled`` in all."""

    question: str
    passages: tuple[str, ...]
    pooled: int


def judging_queue(
    question: str, rankings: Sequence[Ranking], judged: Collection[str] = (), depth: int = DEPTH
) -> Queue:
    """The union of the top ``depth``, without the passages already judged.

    The order is that of a hash of question and passage: it says nothing of rank or retriever and
    is the same whenever the queue is opened again.
    """
    pool = {passage for ranking in rankings for passage in ranking.ids[:depth]}
    left = sorted(pool - set(judged), key=lambda passage: _shuffled(question, passage))
    return Queue(question, tuple(left), len(pool))


def _shuffled(question: str, passage: str) -> bytes:
    return hashlib.sha256(f"{question}\0{passage}".encode()).digest()
