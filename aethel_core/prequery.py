"""What the pipeline makes of a question before anything is searched, for a person to see and undo.

A `QueryView` holds the question and one `Chip` for everything that was read from it or added to it:
corrections, expansions of abbreviations and units, keywords, paraphrases, a hypothetical passage,
and the nodes of the graph it points to (company, period, statement, metric, line item), beside the
document type and the documents whose summaries answer it best. A chip that is switched off has no
effect. `QueryView.query` is what is searched.

Nothing is decided here by a model, except that keywords, paraphrases and the hypothetical passage may
be written by one where it is handed over; without one they come from corpus statistics, a thesaurus and
templates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from aethel_core.entities.filter import common_word
from aethel_core.errors import EmptyQuery, ModelUnavailable
from aethel_core.finance.abbreviations import expand
from aethel_core.finance.metrics import Needs, line_items_in, metrics_in, needed
from aethel_core.finance.normalise import Correction, correct_typos, normalise, plain_number
from aethel_core.finance.numbers import Figure, find_figures
from aethel_core.finance.periods import find_periods, target_year
from aethel_core.finance.thesaurus import keywords, paraphrases
from aethel_core.index import Index
from aethel_core.index.mentions import line_item_entity
from aethel_core.rerankers.features import type_id, types_named
from aethel_core.retrievers.recognition import Recognised, Recognition
from aethel_core.retrievers.summary_prior import SummaryPrior
from aethel_core.text import stem, tokenise, words
from aethel_core.types import DocumentType, EntityKind, Filters, Metadata, Query, Statement

_SUMMARIES = 3  # documents named in the chip
Writer = Callable[[str], str]  # from a question to a text about it; raises ModelUnavailable


_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1(?:ing|ed|er)$")  # spinning, planned


class ChipKind(StrEnum):
    """In the order in which a person reads them."""

    COMPANY = "company"
    PERIOD = "period"
    DOCUMENT_TYPE = "document type"
    METRIC = "metric"
    STATEMENT = "statement"
    LINE_ITEM = "line item"
    TOGETHER = "evidence from"
    SPELLING = "spelling"
    NORMALISED = "written evenly"
    FORMS = "forms in passages"
    ABBREVIATION = "abbreviation"
    UNIT = "unit"
    KEYWORD = "keyword"
    PARAPHRASE = "paraphrase"
    HYPOTHESIS = "hypothetical passage"
    SUMMARIES = "summaries"


@dataclass(frozen=True, slots=True)
class Chip:
    """One thing the pipeline made of the question.

    ``id`` is the same whenever the same question is asked of the same corpus. ``phrase`` is the
    wording it comes from. ``entities`` are nodes it stands for, ``words`` what it adds to the query.
    """

    id: str
    kind: ChipKind
    label: str
    phrase: str = ""
    on: bool = True
    entities: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Steps:
    """Which steps count; the chips of the others are there to be switched on, but off. A model is asked
    only for a step that counts. The defaults are the steps that earned their place, see README,
    *Measured*."""

    spelling: bool = True
    normalise: bool = False
    forms: bool = False
    abbreviations: bool = False
    units: bool = True
    keywords: bool = False
    paraphrases: bool = False
    hypothesis: bool = False
    routing: bool = True
    together: bool = True
    summaries: bool = False


@dataclass(frozen=True, slots=True)
class QueryView:
    """``notes`` say what could not be done ("The model did not answer …")."""

    question: str
    chips: tuple[Chip, ...]
    notes: tuple[str, ...] = ()

    def switched(self, ids: Collection[str]) -> QueryView:
        """With these chips the other way round: off where they were on, on where they were off."""
        return replace(
            self,
            chips=tuple(replace(chip, on=not chip.on) if chip.id in ids else chip for chip in self.chips),
        )

    def of(self, step: str) -> tuple[Chip, ...]:
        """The chips that a step, by its name in `Steps`, made."""
        return tuple(chip for chip in self.chips if STEP_OF[chip.kind] == step)

    @property
    def text(self) -> str:
        """The question with the corrections that are on."""
        text = self.question
        for chip in self.chips:
            if chip.on and chip.kind is ChipKind.SPELLING:
                text = re.sub(rf"(?<!\w){re.escape(chip.phrase)}(?!\w)", lambda _, c=chip: c.words[0], text)
        if any(chip.on and chip.kind is ChipKind.NORMALISED for chip in self.chips):
            text = normalise(text).text
        return text

    def query(self, filters: Filters = Filters()) -> Query:  # noqa: B008 - an immutable value
        """What is searched: the text, the words of the chips that are on, the nodes of those that
        are off muted."""
        kept = {entity for chip in self.chips if chip.on for entity in chip.entities}
        off = {entity for chip in self.chips if not chip.on for entity in chip.entities}
        rewriting = (ChipKind.SPELLING, ChipKind.NORMALISED)
        added = [word for c in self.chips if c.on and c.kind not in rewriting for word in c.words]
        return Query(
            self.text,
            filters,
            tuple(dict.fromkeys(added)),
            frozenset(off - kept),
            forms=any(chip.on and chip.kind is ChipKind.FORMS for chip in self.chips),
            together=self._together(),
            summaries=any(chip.on and chip.kind is ChipKind.SUMMARIES for chip in self.chips),
        )

    def _together(self) -> tuple[Statement, ...]:
        if not any(chip.on and chip.kind is ChipKind.TOGETHER for chip in self.chips):
            return ()
        named = {chip.label for chip in self.chips if chip.on and chip.kind is ChipKind.STATEMENT}
        return tuple(statement for statement in Statement if statement.value in named)

    def as_filters(self, filters: Filters, index: Index) -> Filters:
        """``filters`` narrowed to the companies, years and types that are on: routing as a hard filter.
        A field that a person has set stays as it is."""
        on = {entity for chip in self.chips if chip.on for entity in chip.entities}
        companies = {
            segment.metadata.company
            for segment, company in zip(index.segments, index.companies, strict=True)
            if company is not None and company.id in on
        }
        years = {int(chip.label[-4:]) for chip in self.chips if chip.on and chip.kind is ChipKind.PERIOD}
        types = {kind for kind in DocumentType if type_id(kind) in on}
        return replace(
            filters,
            companies=filters.companies or tuple(sorted(companies)),
            years=filters.years or tuple(sorted(years)),
            types=filters.types or tuple(sorted(types)),
        )


STEP_OF = {
    ChipKind.SPELLING: "spelling",
    ChipKind.NORMALISED: "normalise",
    ChipKind.FORMS: "forms",
    ChipKind.ABBREVIATION: "abbreviations",
    ChipKind.UNIT: "units",
    ChipKind.KEYWORD: "keywords",
    ChipKind.PARAPHRASE: "paraphrases",
    ChipKind.HYPOTHESIS: "hypothesis",
    ChipKind.TOGETHER: "together",
    ChipKind.SUMMARIES: "summaries",
} | dict.fromkeys(
    (
        ChipKind.COMPANY,
        ChipKind.PERIOD,
        ChipKind.DOCUMENT_TYPE,
        ChipKind.METRIC,
        ChipKind.STATEMENT,
        ChipKind.LINE_ITEM,
    ),
    "routing",
)


class Prequery:
    """Reads questions against one index. Safe to share between threads."""

    def __init__(self, index: Index, recognition: Recognition) -> None:
        self.index, self.recognition = index, recognition
        self.prior = SummaryPrior(index)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The corpus' own words, with those its documents are described by."""
        known = (*self.index.body.vocabulary, *self.index.context.vocabulary)
        return frozenset(word for word in known if word.isalpha())

    def view(
        self,
        question: str,
        steps: Steps | None = None,
        *,
        extract: Writer | None = None,
        rephrase: Writer | None = None,
        imagine: Writer | None = None,
    ) -> QueryView:
        """:param extract: gives keywords, one a line, instead of the corpus' statistics.
        :param rephrase: writes paraphrases, one a line, instead of the thesaurus.
        :param imagine: writes the hypothetical passage instead of the template.
        :raises EmptyQuery: there is no question.
        """
        steps = steps or Steps()
        if not question.strip():
            raise EmptyQuery
        spelling = _set(self._spelling(question), steps.spelling)
        text = QueryView(question, spelling).text
        needs, notes = needed(text), []
        extracted = _written(extract if steps.keywords else None, "Keywords", text, notes)
        rephrased = _written(rephrase if steps.paraphrases else None, "Paraphrases", text, notes)
        imagined = _written(imagine if steps.hypothesis else None, "The passage", text, notes)
        routing = tuple(self._routing(text, needs))
        chips = (
            *_set(routing, steps.routing),
            *_set(_statements_together(routing) if needs.metrics else (), steps.together),
            *spelling,
            *_set(_normalised(text), steps.normalise),
            *_set(self._forms(text), steps.forms),
            *_set(_abbreviations(text), steps.abbreviations),
            *_set(_units(text, routing), steps.units),
            *_set(_listed(extracted) if extracted else self._keywords(text), steps.keywords),
            *_set(_paraphrases(text, rephrased or "\n".join(paraphrases(text))), steps.paraphrases),
            *_set(_hypothesis(imagined or template(text, needs)), steps.hypothesis),
            *_set(self._summaries(text), steps.summaries),
        )
        return QueryView(
            question, tuple({chip.id: chip for chip in reversed(chips)}.values())[::-1], tuple(notes)
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        """The words of the companies' names."""
        return frozenset(word for name in self.recognition.companies.by_key for word in name.split())

    def _corrections(self, question: str) -> Iterator[Correction]:
        """A word the corpus does not know is rather a company's name misspelt than anything else; an
        ordinary word is no error for being new to a small corpus ("parent" is not "patent", "could" not
        the Cold of a company's name)."""
        likely = {
            found.start: found
            for found in correct_typos(question, self._names)
            if not {found.text.lower(), stem(found.text.lower())} & self.vocabulary
            and not common_word(found.text.lower())
        }
        yield from likely.values()
        for found in correct_typos(question, self.vocabulary):
            if found.start not in likely and not self._is_a_word(found.text):
                yield found

    def _is_a_word(self, text: str) -> bool:
        """An ordinary word, a word of finance ("capex"), or a form of a word of the corpus ("spinning")."""
        lower = text.lower()
        finance = bool(expand(text) or metrics_in(text) or line_items_in(text))
        return common_word(lower) or finance or _DOUBLED.sub(r"\1", lower) in self.vocabulary

    def _spelling(self, question: str) -> tuple[Chip, ...]:
        return tuple(
            Chip(f"spelling:{each.start}", ChipKind.SPELLING, f"{each.text} → {each.replacement}",
                 each.text, words=(each.replacement,))
            for each in self._corrections(question)
        )  # fmt: skip

    def _keywords(self, text: str) -> Iterator[Chip]:
        body = self.index.body

        def frequency(word: str) -> int:
            columns = [body.vocabulary.get(stem(token)) for token in words(word)]
            known = [int(body.document_frequency[column]) for column in columns if column is not None]
            return min(known, default=0)

        for word in keywords(text, frequency):
            yield Chip(f"keyword:{word}", ChipKind.KEYWORD, word, word, words=(word,))

    def _forms(self, text: str) -> Iterator[Chip]:
        """One chip for the words of the question, as it stands and evened out, that passages say in another
        form only."""
        said = tokenise(f"{text} {normalise(text).text}")
        known = dict.fromkeys(term for term in said if term in self.index.forms.vocabulary)
        if known:
            yield Chip("forms", ChipKind.FORMS, ", ".join(known))

    def _summaries(self, text: str) -> Iterator[Chip]:
        """One chip for the prior, named by the documents that it raises most. A single document cannot be
        raised above another."""
        segments = self.index.segments
        if len(segments) < 2 or not any(segment.summary.sentences for segment in segments):
            return
        near = self.prior.of_documents(Query(text))
        best = [row for row in sorted(range(len(segments)), key=lambda row: -near[row]) if near[row] > 0]
        if best:
            names = "; ".join(_document(segments[row].metadata) for row in best[:_SUMMARIES])
            yield Chip("summaries", ChipKind.SUMMARIES, names)

    # Where to look

    def _routing(self, text: str, needs: Needs) -> Iterator[Chip]:
        typed = self.recognition.typed(text)
        yield from self._nodes(typed, EntityKind.COMPANY, ChipKind.COMPANY)
        yield from self._nodes(typed, EntityKind.PERIOD, ChipKind.PERIOD)
        for kind in types_named(text):
            yield Chip(
                type_id(kind), ChipKind.DOCUMENT_TYPE, kind.value, kind.value, entities=(type_id(kind),)
            )
        for metric in needs.metrics:
            items = tuple(line_item_entity(item).id for item in metric.line_items)
            yield Chip(f"metric:{metric.id}", ChipKind.METRIC, metric.name, metric.name, entities=items)
        yield from self._nodes(typed, EntityKind.STATEMENT, ChipKind.STATEMENT)
        implied = {item for metric in needs.metrics for item in metric.line_items}
        for item in needs.line_items:
            if item.id not in implied:
                node = line_item_entity(item.id)
                yield Chip(node.id, ChipKind.LINE_ITEM, item.name, item.name, entities=(node.id,))

    def _nodes(self, typed: Sequence[Recognised], kind: EntityKind, chip: ChipKind) -> Iterator[Chip]:
        for found in typed:
            if found.entity.kind is kind:
                yield Chip(
                    found.entity.id, chip, found.entity.name, found.phrase, entities=(found.entity.id,)
                )


def _statements_together(routing: Sequence[Chip]) -> Iterator[Chip]:
    named = [chip.label for chip in routing if chip.kind is ChipKind.STATEMENT]
    if len(named) > 1:
        yield Chip("together", ChipKind.TOGETHER, " and ".join(named))


def _document(metadata: Metadata) -> str:
    parts = (metadata.company or metadata.title, metadata.type.value, metadata.period.label)
    return " ".join(part for part in parts if part)


def _set(chips: Iterable[Chip], on: bool) -> tuple[Chip, ...]:
    return tuple(replace(chip, on=on) for chip in chips)


# --- words that are added ----------------------------------------------------------------------


def _normalised(text: str) -> Iterator[Chip]:
    written = normalise(text).text
    if written != text:
        yield Chip("normalised", ChipKind.NORMALISED, written, text)


def _abbreviations(text: str) -> Iterator[Chip]:
    for each in expand(text):
        short = text[each.start : each.end]
        label = f"{short} = {each.long}"
        yield Chip(f"abbreviation:{each.start}", ChipKind.ABBREVIATION, label, short, words=(each.long,))


def _units(text: str, routing: Sequence[Chip]) -> Iterator[Chip]:
    """A figure with a scale, as it stands in full and in tables "in thousands" and "in millions"; not the
    name of a company ("3M")."""
    companies = {word for chip in routing if chip.kind is ChipKind.COMPANY for word in chip.phrase.split()}
    for figure in find_figures(text, find_periods(text)):
        if figure.scale > 1 and not companies.issuperset(words(figure.text)):
            forms = tuple(dict.fromkeys(_scaled(figure)))
            label = f"{figure.text} = {abs(figure.value):,.0f}"
            yield Chip(f"unit:{figure.start}", ChipKind.UNIT, label, figure.text, words=forms)


def _scaled(figure: Figure) -> Iterator[str]:
    for divisor in (1.0, 1e3, 1e6):
        shown = abs(figure.value) / divisor
        if shown >= 1:
            yield plain_number(shown)


def _paraphrases(text: str, written: str) -> Iterator[Chip]:
    """A paraphrase adds the words that the question does not have: repeating the others would only
    drown them."""
    said = {stem(word) for word in words(text)}
    for number, line in enumerate(dict.fromkeys(_lines(written))):
        new = " ".join(word for word in words(line) if stem(word) not in said)
        if new:
            yield Chip(f"paraphrase:{number}", ChipKind.PARAPHRASE, line, text, words=(new,))


def _hypothesis(written: str) -> Iterator[Chip]:
    if written.strip():
        yield Chip("hypothesis", ChipKind.HYPOTHESIS, written.strip(), words=(written.strip(),))


def _listed(written: str) -> Iterator[Chip]:
    for line in dict.fromkeys(_lines(written)):
        yield Chip(f"keyword:{line}", ChipKind.KEYWORD, line, line, words=(line,))


def _lines(written: str) -> list[str]:
    return [line for each in written.splitlines() if (line := each.strip(" -•*\t"))]


def _written(writer: Writer | None, what: str, text: str, notes: list[str]) -> str:
    """:param what: is written, for the note that says why it is not."""
    if writer is None:
        return ""
    try:
        return writer(text)
    except ModelUnavailable as error:
        notes.append(f"{what} made without the model this time: {error}")
        return ""


def template(question: str, needs: Needs) -> str:
    """A hypothetical passage without a model: the statement that would answer the question, its
    title, period and row headings, or a sentence of management's discussion where reasons are asked."""
    year = target_year(question)
    period = f"fiscal {year}" if year else "the period"
    named = [metric.name for metric in needs.metrics] or [item.name for item in needs.line_items]
    if needs.narrative and named:
        subject = " and ".join(named)
        return f"{subject} in {period} changed compared with the prior year, primarily due to"
    if not needs.statements and not named:
        return ""
    titles = ", ".join(f"Consolidated {statement.value}" for statement in needs.statements)
    rows = ", ".join(item.name for item in needs.line_items)
    ends = f"year ended {year}, {year - 1}" if year else "year ended"
    return ". ".join(part for part in (titles, ends, rows or ", ".join(named)) if part)
