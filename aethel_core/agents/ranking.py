"""Which findings say the same, and which matter more.

What several specialists or passages say becomes one finding with all their citations; a figure
that another finding tells as the one before is no finding of its own. Then what decides comes
first: contradictions, what sounds an alarm (a breach, a waiver, a suspension, a correction), what
the checklists call a headline, the surest before the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from aethel_core.agents.base import Finding, FindingKind, Reading
from aethel_core.agents.ledger import DATED
from aethel_core.audit import content_words

CITED = 3  # passages of one finding, at most, after several became one
OF_ONE_PAIR = 3
_TERMS = re.compile(r"\b(?:may|shall|if|in the event)\b", re.IGNORECASE)  # what a contract provides for
# What a committee asks for first among the computed.
_TELLING = frozenset(
    {
        "tvpi",
        "dpi",
        "rvpi",
        "nav_change",
        "unfunded_ratio",
        "exposure",
        "net_debt_to_ebitda",
        "interest_coverage",
        "ebitda_margin",
        "operating_margin",
        "revenue_growth",
        "free_cash_flow",
        "cash_runway",
    }
)
_ALARM = re.compile(
    r"\b(?:breach\w*|in default|event of default|cross-default|waive[rd]?s?|suspen\w+|going concern"
    r"|substantial doubt|material weakness\w*|restat\w+|overstat\w+|understat\w+|re-issued|withdrawn"
    r"|equity cures?|headroom|by a margin of|key person event|class action|impairment|investigation"
    r"|reasonably possible)\b",
    re.IGNORECASE,
)


_NUMBER = re.compile(
    r"\d[\d,.]*\d|\d|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)


def ranked(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Each thing said once, what matters first."""
    kept = merged(findings)
    places = {found.id: place for place, found in enumerate(kept)}
    late = _late(kept)
    return tuple(sorted(kept, key=lambda found: (found.id in late, -weight(found), places[found.id])))


def _late(findings: Sequence[Finding]) -> frozenset[str]:
    """Of two documents that differ in many figures because one re-issues the other, the first few
    differences tell it; the rest follow from them."""
    seen = Counter[tuple[str, ...]]()
    late = set()
    for found in findings:
        if found.kind is FindingKind.CONTRADICTION:
            pair = tuple(sorted({passage.partition(":")[0] for passage in found.passage_ids}))
            seen[pair] += 1
            if seen[pair] > OF_ONE_PAIR:
                late.add(found.id)
    return frozenset(late)


def weight(found: Finding) -> float:
    value = found.confidence
    value += {FindingKind.CONTRADICTION: 4.0, FindingKind.OWN: 5.0}.get(found.kind, 0.0)
    value += (0.5 if _TERMS.search(found.claim) else 1.5) * alarming(found)
    value += 1.0 * found.headline
    value += 0.4 * (found.derivation is not None and found.derivation.metric in _TELLING)
    value -= 0.5 * ("capital account" in found.claim and found.kind is FindingKind.DERIVED)
    value += 0.5 * bool(found.figures)
    return value


def alarming(found: Finding) -> bool:
    """Whether it tells of a breach, a waiver, a suspension, a correction or the like."""
    return _ALARM.search(found.claim) is not None


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
    if _said(found) in other.claim or _said(other) in found.claim:
        return len(found.claim) > len(other.claim)
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
    if _words(found) == _words(other) and _numbers(found) == _numbers(other):
        return True
    if kinds != {FindingKind.STATED}:
        return False
    shorter, longer = sorted((found, other), key=lambda each: len(each.claim))
    if _said(shorter) in longer.claim and set(shorter.passage_ids) & set(longer.passage_ids):
        return True
    return _same_head(found, other) or _repeats(found, other) or _repeats(other, found)


def _said(found: Finding) -> str:
    """The sentence without whose it is and when."""
    return found.claim.partition(": ")[2] or found.claim


def _words(found: Finding) -> frozenset[str]:
    return content_words(found.claim)


def _numbers(found: Finding) -> tuple[str, ...]:
    """Amounts and dates, as they are written."""
    return tuple(_NUMBER.findall(found.claim))


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
