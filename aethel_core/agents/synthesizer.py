"""The Synthesizer: accepted findings to the sections of a memo, every sentence with its passages.

Without a model it orders the findings by the template and writes their claims as they are: what
was extracted is not embroidered. With one, the paragraphs of a section are rewritten from its
findings, and kept only if the audit finds every sentence supported. A committee reads a few pages:
each section tells its first findings, in the order they come in, and leaves the rest to an appendix.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aethel_core.agents.base import Finding, FindingKind
from aethel_core.agents.ranking import alarming, weight

SUMMARY = 9  # at most so many findings in the summary,
ALARMS = 4  # of which so many sound an alarm
OF_ONE = 2  # and so many are of one section of the checklists
MOST, OF_ONE_TAKE = 10, 4  # at most so many in every other section, and of one that it takes


@dataclass(frozen=True, slots=True)
class Line:
    """A bullet of the draft: its text, without marks, the passages it stands on, and the findings
    it tells, by their ids."""

    text: str
    passage_ids: tuple[str, ...]
    finding_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    heading: str
    lines: tuple[Line, ...]


Writer = Callable[[str, Sequence[Finding]], Sequence[Line] | None]


def synthesize(
    findings: Sequence[Finding], sections: Sequence[tuple[str, Sequence[str]]], writer: Writer | None = None
) -> tuple[Part, ...]:
    """The summary and then the sections that have findings, in the order of the template.

    :param findings: what matters first.
    :param sections: headings with the checklist sections that each takes; what none takes goes
        into a last one, "Further findings".
    :param writer: rewrites the findings of a section, None where it could not.
    """
    parts = [Part("Summary", tuple(line(found) for found in _summary(findings)))]
    taken: set[str] = set()
    for heading, takes in sections:
        inside = [found for found in findings if found.section in takes]
        taken.update(found.id for found in inside)
        parts.append(_part(heading, _limited(inside, takes), writer))
    rest = [found for found in findings if found.id not in taken]
    parts.append(_part("Further findings", _limited(rest, [""]), writer))
    return tuple(part for part in parts if part.lines)


def line(found: Finding) -> Line:
    return Line(found.claim, found.passage_ids, (found.id,))


def _part(heading: str, findings: Sequence[Finding], writer: Writer | None) -> Part:
    written = writer(heading, findings) if writer and findings else None
    return Part(heading, tuple(written if written is not None else map(line, findings)))


def _limited(findings: Sequence[Finding], takes: Sequence[str]) -> list[Finding]:
    """The first of each checklist section in turn until the limit is reached, so that none is left
    out because another has much; then by section. What a person put in is always told."""
    limit = OF_ONE_TAKE if len(takes) > 1 else MOST
    waiting = {name: [f for f in findings if f.section == name][:limit] for name in takes}
    waiting["\0"] = [found for found in findings if found.section not in waiting][:MOST]
    chosen = [found for found in findings if found.kind is FindingKind.OWN]
    while len(chosen) < MOST and any(waiting.values()):
        for queue in waiting.values():
            if queue and len(chosen) < MOST:
                found = queue.pop(0)
                chosen += [] if found in chosen else [found]
    order = {name: place for place, name in enumerate(waiting)}
    places = {found.id: place for place, found in enumerate(findings)}
    return sorted(chosen, key=lambda f: (order.get(f.section, len(order)), places[f.id]))


def _summary(findings: Sequence[Finding]) -> list[Finding]:
    """What decides whether the rest can be relied on (contradictions, alarms), then the first of what
    the checklists mark as headlines, one section after the other. What a person put in is told."""
    places = {found.id: place for place, found in enumerate(findings)}
    ordered = sorted(findings, key=lambda found: (-weight(found), places[found.id]))
    chosen = [found for found in ordered if found.kind is FindingKind.OWN]
    loud = [found for found in ordered if found.kind is FindingKind.CONTRADICTION or alarming(found)]
    for found in loud:
        if len(chosen) < ALARMS and _few(found, chosen, OF_ONE if found.headline else 1):
            chosen.append(found)
    for most in (1, OF_ONE):
        for found in ordered:
            if len(chosen) < SUMMARY and found.headline and found not in chosen and _few(found, chosen, most):
                chosen.append(found)
    return sorted(chosen, key=lambda found: (-weight(found), places[found.id]))


def _few(found: Finding, chosen: Sequence[Finding], most: int) -> bool:
    return sum(other.section == found.section for other in chosen) < most
