"""A memo with everything an export needs, looked up once; the exporters only lay it out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from aethel_core.agents import Finding, FindingKind, Reading
from aethel_core.agents.ledger import DATED
from aethel_core.agents.wording import amount, lower_first, subject
from aethel_core.audit import Fact, Source, Sources, content_words
from aethel_core.audit.derive import Derivation
from aethel_core.memo.draft import Audited, Memo, audited, checker
from aethel_core.memo.template import template
from aethel_core.text import counted
from aethel_core.types import Passage, Rect

PICTURES = 36  # of the sources, in the order in which the text cites them
Crop = Callable[[str, Sequence[Rect]], bytes | None]


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
    whose: str
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
    told: bool = True  # whether the draft tells the finding it belongs to


@dataclass(frozen=True, slots=True)
class Further:
    """A finding that the draft leaves to the appendix, with what the audit says of it. ``places``
    are documents with the page."""

    section: str
    claim: str
    places: tuple[str, ...]
    flags: tuple[str, ...] = ()


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
    checked_by: str = "by rules"
    further: tuple[Further, ...] = ()

    @property
    def table(self) -> tuple[Figure, ...]:
        """Those of the draft that were read from tables or computed, each once; those of prose stand
        in the text, and so do both sides of a contradiction."""
        rows: dict[tuple[frozenset[str], str, str, str], Figure] = {}
        for row in self.figures:
            if row.told and not row.in_text:
                key = (content_words(row.measure), row.whose, row.shown, row.period)
                rows.setdefault(key, row)
        first = {row.whose: place for place, row in reversed(list(enumerate(rows.values())))}
        return tuple(sorted(rows.values(), key=lambda row: first[row.whose]))

    @property
    def status(self) -> str:
        """The audit in one sentence."""
        counts = dict(self.counts)
        total = sum(counts[v] for v in ("supported", "partly supported", "not supported"))
        if not total:
            return "The draft holds no sentence yet."
        if not counts["flagged"]:
            told = f"All {total} sentences are supported by the passages they cite, every figure matched."
        else:
            told = (
                f"{counts['supported']} of {total} sentences are supported by the passages they cite; "
                f"{counts['flagged']} are flagged and marked in the text."
            )
        return f"{told} Checked {self.checked_by}."


def rendered(
    memo: Memo,
    sources: Sources,
    citation: Callable[[str], str],
    *,
    corpus: Sequence[str],
    crop: Crop = lambda passage, cells: None,
) -> Rendered:
    """:param corpus: one line per document, which shape the corpus fingerprint.
    :param crop: a picture of a passage as PNG, with the cells that the draft tells of, None where
        there is none.
    """
    checked = audited(memo, sources)
    numbers = {passage: n for n, passage in enumerate(memo.sources, start=1)}
    used = sorted({mark for each in checked for mark in each.sentence.marks})
    known = [(n, memo.sources[n - 1]) for n in used if 1 <= n <= len(memo.sources)]
    cells = _cells(checked, sources)
    cited = tuple(
        _cited(n, passage, sources, citation, lambda p: crop(p, cells.get(p, ())), pictured=n <= PICTURES)
        for n, passage in known
    )
    joined = "\n".join(corpus)
    return Rendered(
        title=memo.title,
        kind=template(memo.template).title,
        date=memo.date,
        about=memo.about,
        parts=_parts(memo, checked),
        figures=tuple(_figures(memo, numbers, citation, sources)),
        sources=cited,
        open_questions=tuple((question.specialist, question.text) for question in memo.open_questions),
        findings=memo.accepted,
        notes=memo.notes,
        settings=memo.settings,
        corpus=f"{counted(len(corpus), 'document')}, fingerprint {_digest(joined)}",
        fingerprint=_digest("\n".join([joined, *memo.settings])),
        counts=_counts(checked),
        checked_by=_checked_by(memo, checked),
        further=_further(memo, sources),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _counts(checked: Sequence[Audited]) -> tuple[tuple[str, int], ...]:
    verdicts = Counter(each.check.verdict.value for each in checked)
    names = ("supported", "partly supported", "not supported")
    return (*((name, verdicts[name]) for name in names), ("flagged", sum(e.check.flagged for e in checked)))


def _place(source: Source) -> str:
    return f"{source.document.name.removesuffix('.pdf')}, p. {source.passage.page}"


def _further(memo: Memo, sources: Sources) -> tuple[Further, ...]:
    check = checker(memo, sources)
    rows = []
    for found in memo.untold:
        known = [source for passage in found.passage_ids if (source := sources.get(passage))]
        places = tuple(dict.fromkeys(_place(source) for source in known))
        flags = check(found.claim, found.passage_ids).flags
        rows.append(Further(found.section or found.specialist, found.claim, places, flags))
    order = {row.section: place for place, row in reversed(list(enumerate(rows)))}
    return tuple(sorted(rows, key=lambda row: order[row.section]))


def _checked_by(memo: Memo, checked: Sequence[Audited]) -> str:
    models = {(each.text, each.passage_ids): each.model for each in memo.judgements}
    read = [models.get((each.check.text, each.check.passage_ids), "") for each in checked]
    names = ", ".join(sorted({name for name in read if name}))
    if not names:
        return "by rules"
    number = sum(bool(name) for name in read)
    return f"by rules, and {number} of {len(read)} by {names}"


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


def _cells(checked: Sequence[Audited], sources: Sources) -> dict[str, tuple[Rect, ...]]:
    """The cells that figures of the draft were matched to, by passage; where a sentence cites several
    passages, those with the same amount in all of them."""
    found: dict[str, dict[Rect, None]] = {}
    for each in checked:
        amounts = {
            (abs(figure.fact.figure.value), figure.fact.figure.unit)
            for figure in each.check.figures
            if figure.fact and figure.sound
        }
        cited = [source for p in each.check.passage_ids if (source := sources.get(p))]
        for fact in (fact for source in cited for fact in source.facts if fact.rect):
            if (abs(fact.figure.value), fact.figure.unit) in amounts and _named(fact, each.check.text):
                found.setdefault(fact.passage_id, {})[fact.rect] = None
    return {passage: tuple(rects) for passage, rects in found.items()}


def _named(fact: Fact, text: str) -> bool:
    return bool(content_words(fact.row) & content_words(text)) or not content_words(fact.row)


def _cited(
    number: int,
    passage_id: str,
    sources: Sources,
    citation: Callable[[str], str],
    crop: Callable[[str], bytes | None],
    *,
    pictured: bool,
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
        crop(passage_id) if pictured else None,
    )


def _figures(
    memo: Memo,
    numbers: dict[str, int],
    citation: Callable[[str], str],
    sources: Sources,
) -> list[Figure]:
    rows: dict[tuple[str, str, str, str], Figure] = {}
    untold = {found.id for found in memo.untold}
    quiet = {found.id for found in memo.accepted if found.kind is FindingKind.CONTRADICTION} | untold
    for found in sorted(memo.accepted, key=lambda found: found.id in quiet):
        for place, reading in enumerate(found.figures):
            computed = place == 0 and found.derivation is not None
            source = sources.get(reading.passage_id)
            row = Figure(
                measure=DATED.sub("", reading.measure),
                whose=subject(source) if source else "",
                shown=_shown(reading),
                written=reading.text,
                in_text=reading.label == "in the text",
                value=reading.value,
                unit=reading.unit,
                currency=reading.currency,
                period=reading.period,
                place="computed" if computed else reading.label,
                mark=numbers.get(reading.passage_id, 0),
                citation=citation(reading.passage_id) if source else "",
                formula=_formula(found.derivation) if computed and found.derivation else "",
                told=found.id not in quiet,
            )
            rows.setdefault((row.measure, row.shown, row.period, reading.passage_id), row)
    return told_apart(list(rows.values()))


def told_apart(rows: Sequence[Figure]) -> list[Figure]:
    """Several amounts of one row of one date are named by their columns, too: cost and fair value, or
    the quarter, the year to date and since inception."""

    def place(row: Figure) -> tuple[str, str, str, str, str]:
        return row.measure, row.whose, row.period, row.citation, row.unit

    many = Counter(place(row) for row in rows if not row.in_text)
    made = []
    for row in rows:
        column = row.place.rpartition(" · ")[2] if " · " in row.place else ""
        apart = column and many[place(row)] > 1 and not row.in_text and row.place != "computed"
        made.append(replace(row, measure=f"{row.measure}, {lower_first(column)}") if apart else row)
    return made


def _shown(reading: Reading) -> str:
    """In one form throughout the table; a percentage of a column headed "%" gets its sign."""
    if reading.shown:
        return reading.shown
    if reading.unit in ("currency", "per share"):
        return amount(reading.value, reading.unit, reading.currency, reading.text)
    if reading.unit == "percent" and "%" not in reading.text:
        return f"{reading.text}%"
    return reading.text


def _formula(derivation: Derivation) -> str:
    return derivation.formula
