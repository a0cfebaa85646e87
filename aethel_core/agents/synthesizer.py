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
from aethel_core.agents.ranking import weight

SUMMARY = 8  # at most so many findings in the summary,
OF_ONE = 2  # and of one section of the checklists
MOST = 7  # at most so many in every other section


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
    waiting = {name: [f for f in findings if f.section == name] for name in takes}
    waiting["\0"] = [found for found in findings if found.section not in waiting]
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
    """What is marked as a headline, what a person put in, and what decides whether the rest can be
    relied on; what weighs most first, a few of each section."""
    chosen: list[Finding] = []
    marked = [found for found in findings if found.headline or found.kind is FindingKind.OWN]
    places = {found.id: place for place, found in enumerate(marked)}
    for found in sorted(marked, key=lambda found: (-weight(found), places[found.id])):
        alike = sum(other.section == found.section for other in chosen)
        if len(chosen) < SUMMARY and (alike < OF_ONE or found.kind is FindingKind.OWN):
            chosen.append(found)
    return chosen
