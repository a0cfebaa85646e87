"""The part of a passage worth showing, with the question's words marked in it."""

from __future__ import annotations

import re

from aethel_core.workspace import tokenise

_WORD = re.compile(r"\w[\w.'’&,-]*\w|\w")
Runs = tuple[tuple[str, bool], ...]


def matched(text: str, question: str) -> tuple[tuple[int, int], ...]:
    """The spans of the words of `text` that are index terms of `question`; ascending, disjoint."""
    wanted = frozenset(tokenise(question))
    return tuple(
        (word.start(), word.end())
        for word in _WORD.finditer(text)
        if not wanted.isdisjoint(tokenise(word.group()))
    )


def runs(text: str, question: str, limit: int = 260) -> Runs:
    """About `limit` characters of `text` around most of the matches, as (words, is a match) runs."""
    text = " ".join(text.split())
    spans = matched(text, question)
    start, end = _window(text, spans, limit)
    before: Runs = (("… ", False),) if start else ()
    after: Runs = ((" …", False),) if end < len(text) else ()
    return before + _runs(text, spans, start, end) + after


def _runs(text: str, spans: tuple[tuple[int, int], ...], start: int, end: int) -> Runs:
    parts: list[tuple[str, bool]] = []
    at = start
    for left, right in spans:
        if left >= start and right <= end:
            parts += [(text[at:left], False), (text[left:right], True)]
            at = right
    parts.append((text[at:end], False))
    return tuple(part for part in parts if part[0])


def marked(text: str, question: str) -> Runs:
    """All of `text` as runs."""
    return _runs(text, matched(text, question), 0, len(text))


def _window(text: str, spans: tuple[tuple[int, int], ...], limit: int) -> tuple[int, int]:
    """The first stretch of `limit` characters that holds the most matches, cut at spaces."""
    if len(text) <= limit:
        return 0, len(text)
    starts = [0] + [left for left, _ in spans]
    room = limit - limit // 8
    best = max(starts, key=lambda s: (sum(s <= left and right <= s + room for left, right in spans), -s))
    start = max(0, min(best - limit // 8, len(text) - limit))
    if start:
        start = text.find(" ", start) + 1
    end = start + limit
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + limit // 2)
    return start, min(end, len(text))
