"""The Synthesizer: accepted findings to the sections of a memo, every sentence with its passages.

Without a model it orders the findings by the template and writes their claims as they are: what
was extracted is not embroidered. With one, the paragraphs of a section are rewritten from its
findings, and kept only if the audit finds every sentence supported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aethel_core.agents.base import Finding, FindingKind

SUMMARY = 8  # at most so many findings in the summary


@dataclass(frozen=True, slots=True)
class Line:
    """A bullet of the draft: its text, without marks, and the passages it stands on."""

    text: str
    passage_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    heading: str
    lines: tuple[Line, ...]


Writer = Callable[[str, Sequence[Finding]], Sequence[Line] | None]


def synthesize(
    findings: Sequence[Finding], sections: Sequence[tuple[str, Sequence[str]]], writer: Writer | None = None
) -> tuple[Part, ...]:
    """The summary and then the sections that have findings, in the order of the template.

    :param sections: headings with the checklist sections that each takes; what none takes goes
        into a last one, "Further findings".
    :param writer: rewrites the findings of a section, None where it could not.
    """
    parts = [Part("Summary", tuple(_line(found) for found in _summary(findings)))]
    taken: set[str] = set()
    for heading, takes in sections:
        order = {name: place for place, name in enumerate(takes)}
        inside = [found for found in findings if found.section in order]
        inside.sort(key=lambda found: order[found.section])
        taken.update(found.id for found in inside)
        parts.append(_part(heading, inside, writer))
    rest = [found for found in findings if found.id not in taken]
    parts.append(_part("Further findings", rest, writer))
    return tuple(part for part in parts if part.lines)


def _part(heading: str, findings: Sequence[Finding], writer: Writer | None) -> Part:
    written = writer(heading, findings) if writer and findings else None
    return Part(heading, tuple(written if written is not None else map(_line, findings)))


def _line(found: Finding) -> Line:
    return Line(found.claim, found.passage_ids)


def _summary(findings: Sequence[Finding]) -> list[Finding]:
    """Contradictions first, since they decide what else can be relied on; then what is marked as
    a headline, the surest first."""
    chosen = [found for found in findings if found.headline or found.kind is FindingKind.OWN]
    rank = {FindingKind.CONTRADICTION: 0, FindingKind.OWN: 1}
    chosen.sort(key=lambda found: (rank.get(found.kind, 2), -found.confidence, found.id))
    return chosen[:SUMMARY]
