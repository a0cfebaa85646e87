"""Which findings say the same, and which matter more.

What several specialists or passages say becomes one finding with all their citations; a figure
that another finding tells as the one before is no finding of its own. Then what decides comes
first: contradictions, what sounds an alarm (a breach, a waiver, a suspension, a correction), what
the checklists call a headline, the surest before the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from aethel_core.agents.base import Finding, FindingKind, Reading
from aethel_core.agents.ledger import DATED
from aethel_core.audit import content_words

CITED = 3  # passages of one finding, at most, after several became one
_ALARM = re.compile(
    r"\b(?:breach\w*|in default|event of default|cross-default|waive[rd]?s?|suspen\w+|going concern"
    r"|substantial doubt|material weakness\w*|restat\w+|overstat\w+|understat\w+|re-issued|withdrawn"
    r"|equity cures?|headroom|by a margin of|key person event|class action|impairment|investigation"
    r"|reasonably possible)\b",
    re.IGNORECASE,
)
# What no committee needs to read: who may sign, what a letter is called.
_IDLE = re.compile(
    r"\bcounterparts\b|\b(?:are|is) (?:set out|restated|described|discussed|defined|shown)"
    r" (?:below|above|in)\b",
    re.IGNORECASE,
)


def ranked(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Each thing said once, what matters first."""
    kept = merged(findings)
    places = {found.id: place for place, found in enumerate(kept)}
    return tuple(sorted(kept, key=lambda found: (-weight(found), places[found.id])))


def weight(found: Finding) -> float:
    value = found.confidence
    value += {FindingKind.CONTRADICTION: 4.0, FindingKind.OWN: 5.0}.get(found.kind, 0.0)
    value += 1.5 * (_ALARM.search(found.claim) is not None)
    value += 1.0 * found.headline
    value += 0.5 * bool(found.figures)
    value -= 1.5 * (_IDLE.search(found.claim) is not None or len(content_words(found.claim)) < 4)
    return value


def merged(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """In the order given; the finding that tells more stands for those that say the same."""
    kept: list[Finding] = []
    for found in findings:
        place = next((n for n, other in enumerate(kept) if _same(found, other)), None)
        if place is None:
            kept.append(found)
            continue
        first, second = (found, kept[place]) if _tells_more(found, kept[place]) else (kept[place], found)
        kept[place] = _joined(first, second)
    return tuple(kept)


def _tells_more(found: Finding, other: Finding) -> bool:
    return len(found.figures) > len(other.figures) or _repeats(other, found)


def _joined(first: Finding, second: Finding) -> Finding:
    passages = tuple(dict.fromkeys((*first.passage_ids, *second.passage_ids)))
    return replace(
        first,
        passage_ids=passages[: max(CITED, len(first.passage_ids))],
        confidence=max(first.confidence, second.confidence),
        headline=first.headline or second.headline,
    )


def _same(found: Finding, other: Finding) -> bool:
    kinds = {found.kind, other.kind}
    if FindingKind.OWN in kinds or (len(kinds) > 1):
        return False
    if _words(found) == _words(other) and _amounts(found) == _amounts(other):
        return True
    if kinds != {FindingKind.STATED}:
        return False
    return _same_head(found, other) or _repeats(found, other) or _repeats(other, found)


def _words(found: Finding) -> frozenset[str]:
    return content_words(found.claim)


def _amounts(found: Finding) -> tuple[float, ...]:
    return tuple(figure.value for figure in found.figures)


def _same_head(found: Finding, other: Finding) -> bool:
    """Whether the first figures of both rows are one figure."""
    return bool(found.figures and other.figures) and _one(found.figures[0], other.figures[0])


def _repeats(found: Finding, other: Finding) -> bool:
    """Whether another finding tells this one's figure as the one before its own."""
    if not found.figures or found.figures[0].label == "in the text":
        return False
    return any(_one(found.figures[0], figure) for figure in other.figures[1:])


def _one(left: Reading, right: Reading) -> bool:
    """The same amount of the same thing at the same time, whichever table gives it."""
    if "in the text" in (left.label, right.label) or left.unit != right.unit:
        return False
    if abs(abs(left.value) - abs(right.value)) > 1e-9 * abs(left.value) or left.period != right.period:
        return False
    return content_words(DATED.sub("", left.measure)) == content_words(DATED.sub("", right.measure))
