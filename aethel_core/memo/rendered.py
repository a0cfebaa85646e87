"""A memo with everything an export needs, looked up once; the exporters only lay it out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from aethel_core.agents import Finding, Reading
from aethel_core.agents.wording import amount
from aethel_core.audit import Sources
from aethel_core.audit.derive import Derivation
from aethel_core.memo.draft import Audited, Memo, audited
from aethel_core.memo.template import template
from aethel_core.types import Passage

Crop = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence with its marks and what the audit found wrong with it."""

    text: str
    marks: tuple[int, ...] = ()
    flags: tuple[str, ...] = ()
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a bullet."""

    bullet: bool
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Part:
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of the table of figures. ``written`` is the source's own form; ``in_text`` says that it
    stands in prose; ``mark`` numbers its source, 0 where the draft does not cite it."""

    measure: str
    shown: str
    written: str
    in_text: bool
    value: float
    unit: str
    currency: str
    period: str
    place: str
    mark: int
    citation: str
    formula: str


@dataclass(frozen=True, slots=True)
class Cited:
    """A source: how it is cited, where it is, what it says, and a picture of it if there is one."""

    number: int
    citation: str
    document: str
    page: int
    section: str
    text: str
    picture: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Rendered:
    title: str
    kind: str
    date: str
    about: tuple[str, ...]
    parts: tuple[Part, ...]
    figures: tuple[Figure, ...]
    sources: tuple[Cited, ...]
    open_questions: tuple[tuple[str, str], ...]  # specialist, question
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    settings: tuple[str, ...]
    corpus: str
    fingerprint: str
    counts: tuple[tuple[str, int], ...]  # verdict or "flagged", how many sentences

    @property
    def table(self) -> tuple[Figure, ...]:
        """The figures that were read from tables or computed; those of prose stand in the text."""
        return tuple(row for row in self.figures if not row.in_text)

    @property
    def status(self) -> str:
        """The audit in one sentence."""
        counts = dict(self.counts)
        total = sum(counts[v] for v in ("supported", "partly supported", "not supported"))
        if not total:
            return "The draft holds no sentence yet."
        if not counts["flagged"]:
            return f"All {total} sentences are supported by the passages they cite, every figure matched."
        return (
            f"{counts['supported']} of {total} sentences are supported by the passages they cite; "
            f"{counts['flagged']} are flagged and marked in the text."
        )


def rendered(
    memo: Memo,
    sources: Sources,
    citation: Callable[[str], str],
    *,
    corpus: Sequence[str],
    crop: Crop = lambda passage: None,
) -> Rendered:
    """:param corpus: one line per document, which shape the corpus fingerprint.
    :param crop: a picture of a passage as PNG, None where there is none.
    """
    checked = audited(memo, sources)
    numbers = {passage: n for n, passage in enumerate(memo.sources, start=1)}
    used = sorted({mark for each in checked for mark in each.sentence.marks})
    cited = tuple(
        _cited(n, memo.sources[n - 1], sources, citation, crop) for n in used if 1 <= n <= len(memo.sources)
    )
    joined = "\n".join(corpus)
    return Rendered(
        title=memo.title,
        kind=template(memo.template).title,
        date=memo.date,
        about=memo.about,
        parts=_parts(memo, checked),
        figures=tuple(_figures(memo.accepted, numbers, citation, sources)),
        sources=cited,
        open_questions=tuple((question.specialist, question.text) for question in memo.open_questions),
        findings=memo.accepted,
        notes=memo.notes,
        settings=memo.settings,
        corpus=f"{len(corpus)} documents, fingerprint {_digest(joined)}",
        fingerprint=_digest("\n".join([joined, *memo.settings])),
        counts=_counts(checked),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _counts(checked: Sequence[Audited]) -> tuple[tuple[str, int], ...]:
    verdicts = Counter(each.check.verdict.value for each in checked)
    names = ("supported", "partly supported", "not supported")
    return (*((name, verdicts[name]) for name in names), ("flagged", sum(e.check.flagged for e in checked)))


def _parts(memo: Memo, checked: Sequence[Audited]) -> tuple[Part, ...]:
    parts = []
    for number, section in enumerate(memo.sections):
        blocks: dict[int, list[Audited]] = {}
        for each in checked:
            if each.sentence.section == number:
                blocks.setdefault(each.sentence.paragraph, []).append(each)
        made = tuple(
            Block(
                group[0].sentence.bullet,
                tuple(
                    Text(e.sentence.text, e.sentence.marks, e.check.flags, e.check.verdict.value)
                    for e in group
                ),
            )
            for group in blocks.values()
        )
        parts.append(Part(section.heading, made))
    return tuple(parts)


def _cited(
    number: int, passage_id: str, sources: Sources, citation: Callable[[str], str], crop: Crop
) -> Cited:
    source = sources.get(passage_id)
    if source is None:
        return Cited(number, f"passage {passage_id}, no longer in the workspace", "", 0, "", "")
    passage: Passage = source.passage
    return Cited(
        number,
        citation(passage_id),
        source.document.name,
        passage.page,
        passage.section,
        passage.text,
        crop(passage_id),
    )


def _figures(
    findings: Sequence[Finding],
    numbers: dict[str, int],
    citation: Callable[[str], str],
    sources: Sources,
) -> list[Figure]:
    rows: dict[tuple[str, str, str, str], Figure] = {}
    for found in findings:
        for place, reading in enumerate(found.figures):
            computed = place == 0 and found.derivation is not None
            known = sources.get(reading.passage_id) is not None
            row = Figure(
                measure=reading.measure,
                shown=_shown(reading),
                written=reading.text,
                in_text=reading.label == "in the text",
                value=reading.value,
                unit=reading.unit,
                currency=reading.currency,
                period=reading.period,
                place="computed" if computed else reading.label,
                mark=numbers.get(reading.passage_id, 0),
                citation=citation(reading.passage_id) if known else "",
                formula=_formula(found.derivation) if computed and found.derivation else "",
            )
            rows.setdefault((row.measure, row.shown, row.period, reading.passage_id), row)
    return list(rows.values())


def _shown(reading: Reading) -> str:
    """In one form throughout the table; a percentage of a column headed "%" gets its sign."""
    if reading.unit in ("currency", "per share"):
        return amount(reading.value, reading.unit, reading.currency, reading.text)
    if reading.unit == "percent" and "%" not in reading.text:
        return f"{reading.text}%"
    return reading.text


def _formula(derivation: Derivation) -> str:
    return derivation.formula
