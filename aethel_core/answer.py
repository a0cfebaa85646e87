"""A plain answer to a question: a few sentences with citations under the audit, or that the
documents do not say it.

Without a model the sentences and cells of the passages found that hold the question's words are
given as they are. A passage that only shares its topic is no answer: most of the question's words
must stand in the sentence, its neighbours or its heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from aethel_core.agents.extract import SHORTEST, is_letterhead, row_claim, without_heading
from aethel_core.audit import Fact, SentenceCheck, Source, Sources, check_sentence, content_words, sentences
from aethel_core.audit.figures import period_agrees
from aethel_core.audit.spans import periods_in
from aethel_core.audit.wording import spoken
from aethel_core.errors import ModelUnavailable
from aethel_core.finance.abbreviations import expand
from aethel_core.finance.metrics import line_items_in
from aethel_core.finance.periods import PeriodSpan
from aethel_core.llm import UNTRUSTED, ChatModel, fenced

NOT_FOUND = "Not found in these documents."
MOST, PASSAGES = 3, 8
ENOUGH = 0.6  # of the question's words
_CLOSE = 0.8  # further sentences must be nearly as good as the best
_ASKING = frozenset(
    {"how", "much", "many", "large", "big", "name", "state", "tell", "give", "list", "explain", "describe"}
)


@dataclass(frozen=True, slots=True)
class Cited:
    text: str
    passage_ids: tuple[str, ...]
    check: SentenceCheck


@dataclass(frozen=True, slots=True)
class Answer:
    """``sentences`` is empty where nothing was found; ``note`` says what did not go as planned."""

    question: str
    sentences: tuple[Cited, ...] = ()
    note: str = ""

    @property
    def found(self) -> bool:
        return bool(self.sentences)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str = Field(min_length=3, max_length=600)
    passages: list[str] = Field(min_length=1, max_length=6)


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")
    found: bool
    sentences: list[_Part] = Field(max_length=5)


def answer(
    question: str, passage_ids: Sequence[str], sources: Sources, model: ChatModel | None = None
) -> Answer:
    """:param passage_ids: of the passages found for the question, best first."""
    ranked = [source for passage in passage_ids[:PASSAGES] if (source := sources.get(passage))]
    if model is None or not ranked:
        return Answer(question, _extracted(question, ranked, sources))
    try:
        return _modelled(question, ranked, sources, model)
    except ModelUnavailable as error:
        note = f"{error} These are sentences of the documents."
        return Answer(question, _extracted(question, ranked, sources), note)


# --- with a model ------------------------------------------------------------------------------

_SYSTEM = (
    "You answer an analyst's question from the passages alone, in one to three sentences, each with every "
    "figure and period as the passage gives it and with the passages it stands on. If they do not answer it, "
    "say found = false. " + UNTRUSTED
)


def _modelled(question: str, ranked: Sequence[Source], sources: Sources, model: ChatModel) -> Answer:
    shown = {f"P{number}": source for number, source in enumerate(ranked, start=1)}
    passages = "\n\n".join(
        fenced(f"{name}: {source.document.name}, page {source.passage.page}", source.passage.text)
        for name, source in shown.items()
    )
    reply = model.structured(_SYSTEM, f"Question: {question}\n\nPassages:\n\n{passages}", _Reply)
    if not reply.found:
        return Answer(question)
    kept, dropped = [], 0
    for part in reply.sentences:
        known = all(name in shown for name in part.passages)
        ids = tuple(dict.fromkeys(shown[n].passage.id for n in part.passages)) if known else ()
        check = check_sentence(" ".join(part.text.split()), ids, sources)
        if known and not check.flagged:
            kept.append(Cited(check.text, ids, check))
        else:
            dropped += 1
    note = (
        f"{dropped} sentences of the model were dropped: the passages do not carry them." if dropped else ""
    )
    if not kept and dropped:
        return Answer(question, _extracted(question, ranked, sources), note)
    return Answer(question, tuple(kept), note)


# --- without -----------------------------------------------------------------------------------


def _extracted(question: str, ranked: Sequence[Source], sources: Sources) -> tuple[Cited, ...]:
    asked = _Asked.read(question)
    if not asked.words:
        return ()
    found: dict[str, tuple[float, int, Source]] = {}
    for rank, source in enumerate(ranked):
        if sources.replaced_by(source.document.id) or not _period_fits(asked, source):
            continue
        offers = _rows(asked, source) if source.passage.table is not None else _prose(asked, source)
        for text, share in offers:
            score = share - 0.02 * rank
            if share >= ENOUGH and score > found.get(text, (0.0, 0, source))[0]:
                found[text] = (score, rank, source)
    best = sorted(found.items(), key=lambda each: (-each[1][0], each[1][1], each[0]))
    kept = []
    for text, (score, _, source) in best[:MOST]:
        check = check_sentence(text, (source.passage.id,), sources)
        if score >= best[0][1][0] * _CLOSE and not check.flagged:
            kept.append(Cited(text, (source.passage.id,), check))
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, read: its words, the line items it names with the words that name them, its
    periods, and whether an amount can answer it."""

    words: frozenset[str]
    items: dict[str, frozenset[str]]
    periods: tuple[PeriodSpan, ...]
    amount: bool

    @classmethod
    def read(cls, question: str) -> _Asked:
        items = {
            match.item.id: content_words(question[match.start : match.end])
            for match in line_items_in(question)
        }
        return cls(
            content_words(question) - _ASKING,
            items,
            periods_in(question),
            _PERSON.match(question.strip()) is None,
        )


_PERSON = re.compile(r"(?:who|whom|whose|when|where|why)\b", re.IGNORECASE)


def _rows(asked: _Asked, source: Source) -> list[tuple[str, float]]:
    """Rows in words, of the periods asked for, with the share of the question's words they hold."""
    if not asked.amount:
        return []
    around = _around(source)
    rows: dict[tuple[str, str], list[Fact]] = {}
    for fact in source.facts:
        if fact.is_cell and period_agrees(asked.periods, fact, source):
            rows.setdefault((fact.group, fact.row), []).append(fact)
    offers = []
    for (_, row), facts in rows.items():
        if not row:
            continue
        claim, told = row_claim(source, facts)
        named = asked.items.get(told[0].item, frozenset())
        if asked.items and not named:
            continue  # another line of the statement
        if named or asked.words & content_words(row):
            offers.append((claim, _share(asked.words, claim, around, named)))
    return offers


def _prose(asked: _Asked, source: Source) -> list[tuple[str, float]]:
    text, around, offers = source.passage.text, _around(source), []
    spans = sentences(text)
    for number, (start, end) in enumerate(spans):
        sentence = without_heading(text[start:end], source.passage.section)
        if (
            not len(sentence) >= SHORTEST
            or is_letterhead(sentence)
            or not asked.words & content_words(sentence)
        ):
            continue
        before = text[spans[number - 1][0] : start] if number else ""
        offers.append((sentence, _share(asked.words, sentence, around | content_words(before))))
    return offers


def _around(source: Source) -> frozenset[str]:
    """The words about a passage: its section, its document and company."""
    return content_words(" ".join([spoken(source).removeprefix(source.passage.text), source.passage.section]))


def _share(
    wanted: frozenset[str], text: str, around: frozenset[str], named: frozenset[str] = frozenset()
) -> float:
    """Words in the sentence, or that name its line item otherwise, count whole, words about it half."""
    words = content_words(text) | named
    for each in expand(text):
        words |= content_words(each.long)
    own = wanted & words
    return (len(own) + 0.5 * len((wanted - own) & around)) / len(wanted)


def _period_fits(asked: _Asked, source: Source) -> bool:
    """Whether the passage knows a year that the question names."""
    years = {year for span in asked.periods for year in span.years}
    if not years:
        return True
    known = {year for span in periods_in(spoken(source)) for year in span.years}
    period = source.calendar.period.fiscal_year
    return bool(years & (known | ({period} if period else set())))
