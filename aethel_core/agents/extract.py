"""Answers to a checklist question without a model: the sentences and cells that hold them.

A sentence is taken word for word. A cell is told with its row, column, unit and period, and with
the period before where the same row has it. Nothing is said that a passage does not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aethel_core.agents.base import Finding
from aethel_core.agents.checklist import Question
from aethel_core.agents.ledger import FILINGS, item_of, reading
from aethel_core.agents.wording import (
    OTHER_BASIS,
    column_words,
    company,
    fact_amount,
    fact_period,
    lower_first,
    moment,
    part_of_year,
    period_words,
    plural,
    row_label,
    subject,
)
from aethel_core.audit import Fact, Source, content_words, sentences
from aethel_core.audit.sources import company_names
from aethel_core.audit.spans import periods_in
from aethel_core.audit.wording import proper_names
from aethel_core.finance.line_items import match_row
from aethel_core.finance.words import Phrases
from aethel_core.text import match_form
from aethel_core.types import DocumentType, Period

SHORTEST, LONGEST, _FEWEST = 40, 420, 3  # characters; words with content
_GOES_ON = re.compile(
    r"(?:It|They|He|She|This|These|That|Those|Both|The latter|Of (?:this|these|the margin))\b"
)
# What speaks of the sentence before wherever it says so.
_LEANS = re.compile(
    r"\b(?:therefore|accordingly|such (?:event|notice|date)|(?:those|these) [a-z]+"
    r"|that (?:date|day|letter|quarter|year|amount|agreement|loan))\b"
)
_TITLE = 5  # words; a shorter sentence before is a heading
# A capital in mid-sentence after which only a new sentence can come: what stands before is a heading.
_BEGINS = re.compile(
    r"(?:(?<=[a-z)])|(?<=LL[CP]))\s(?=(?:The|Our|We|In|At|On|If|An|As|This|These|During|Its|All|Each|No|There|Holders|Loans)\s)"
)
_BOILERPLATE = re.compile(
    r"forward-looking|safe harbor|webinar|webcast|conference call|incorporated (?:herein )?by reference"
    r"|does not provide GAAP|is furnished|reasonable basis for our opinion"
    r"|^This (?:review|letter|report|memorandum|summary) (?:describes|records|sets out|contains)"
    r"|\bcounterparts\b|\bas follows\.$"
    r"|\b(?:is|are) (?:further )?(?:set out|restated|described|discussed|defined|shown|presented)"
    r"(?: further)? (?:below|above|in [^,;.]{1,40})\.$",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|will|would|may|might|must|shall|should|can|could|do|does|did"
    r"|[a-z]+ed|rose|fell|grew|held|made|paid|sold|took|began|left|lost|won|bought"
    r"|(?:give|take|make|hold|own|need|require|provide|expect|believe|plan|appl|occur|depend|include|consist|remain"
    r"|end|expire|mature|bear|pay|rest|lie|carr|compete|sell|serve|operate|employ|report)(?:s|ies|y)?)\b"
)
_TAIL = re.compile(r"[.?!][\"”’)]*$")


@dataclass(frozen=True, slots=True)
class Candidate:
    claim: str
    source: Source
    facts: tuple[Fact, ...]
    score: float
    key: str  # two candidates with one key say the same


def candidates(question: Question, ranked: Sequence[Source], recency: dict[str, float]) -> list[Candidate]:
    """What the passages hold, best first.

    :param ranked: the passages found, best first.
    :param recency: of each document from 0 (oldest) to 1 (newest).
    """
    wanted: Phrases[str] = Phrases()
    wanted.add_all(question.phrases, "phrase")
    found = []
    for rank, source in enumerate(ranked):
        base = 1.0 / (1 + rank / 8) + (0.8 * recency.get(source.document.id, 0.0) if question.latest else 0.0)
        if source.passage.table is None:
            found += _prose(question, source, wanted, base)
        else:
            found += _cells(question, source, wanted, base)
    found.sort(key=lambda candidate: (-candidate.score, candidate.source.passage.id, candidate.claim))
    return found


# --- sentences ---------------------------------------------------------------------------------


def _prose(question: Question, source: Source, wanted: Phrases[str], base: float) -> Iterator[Candidate]:
    text, section = source.passage.text, source.passage.section
    names = company_names(source.document.metadata)
    spans = sentences(text)
    for number, (start, end) in enumerate(spans):
        sentence = without_heading(text[start:end], section, names)
        hits = set(_hits(sentence, wanted))
        if not hits:
            continue
        first = start
        if number + 1 < len(spans) and not _has_unit(question, source, start, end):
            after = text[spans[number + 1][0] : spans[number + 1][1]]
            if _GOES_ON.match(after):
                end = spans[number + 1][1]
                sentence = without_heading(text[start:end], section, names)
        if goes_on(sentence) and number and not _is_title(text, spans[number - 1]):
            longer = without_heading(text[spans[number - 1][0] : end], section, names)
            if len(longer) <= LONGEST:
                first, sentence = spans[number - 1][0], longer
        facts = tuple(fact for fact in source.facts if first <= fact.start < end)
        if not _is_answer(sentence, question, facts):
            continue
        sentence = told_of(sentence, source)
        fit = sum(fact.figure.unit in question.units for fact in facts)
        share = len(content_words(sentence) & content_words(question.question))
        score = base + 0.35 * min(len(hits), 3) + 0.25 * min(fit, 2) + 0.1 * min(share, 3)
        yield Candidate(sentence, source, facts, score, " ".join(sorted(content_words(sentence))))


# A sentence about whoever the document is about.
_OWN = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|us|[Tt]he (?:Fund|Company|Partnership|General Partner|Borrower|Issuer|fund|company)"
    r"|Key Person|Investment Period|Partners)\b"
)


def told_of(sentence: str, source: Source) -> str:
    """With what it takes for granted before it: whose document it is, where the sentence speaks of
    "the Fund", of "us", or of nobody, and of when, where it names no period. Beside those of another
    fund or quarter its figures would be taken for theirs."""
    whose, when = _whose(sentence, source), _period(sentence, source)
    before = ", ".join(part for part in (whose, when) if part)
    return f"{before[0].upper()}{before[1:]}: {sentence}" if before else sentence


def _period(sentence: str, source: Source) -> str:
    """The quarter or year that the document reports on, "" where the sentence says one itself."""
    period = source.calendar.period
    reports = period.quarter is not None or source.document.metadata.type in FILINGS
    if not reports or any(span.period.fiscal_year for span in periods_in(sentence)):
        return ""
    return period_words(Period(period.fiscal_year, period.quarter)).partition(" ")[2]


def _whose(sentence: str, source: Source) -> str:
    whose = company(source.document)
    names = [match_form(name) for name in company_names(source.document.metadata)]
    said = match_form(sentence)
    words = set(said.split())
    if not whose or any(name in said or name.split()[0] in words for name in names if name):
        return ""
    return whose if _OWN.search(sentence) or not proper_names(sentence) else ""


def _is_title(text: str, span: tuple[int, int]) -> bool:
    return len(text[span[0] : span[1]].split()) < _TITLE


def _has_unit(question: Question, source: Source, start: int, end: int) -> bool:
    inside = (fact for fact in source.facts if start <= fact.start < end)
    return not question.units or any(fact.figure.unit in question.units for fact in inside)


def _hits(sentence: str, wanted: Phrases[str]) -> Iterator[str]:
    for match in wanted.find(sentence):
        yield sentence[match.start : match.end].lower()


def ends(sentence: str) -> bool:
    """Whether it is a whole sentence; headings and lines of a list have no full stop."""
    return _TAIL.search(sentence) is not None


def goes_on(sentence: str) -> bool:
    """Whether it speaks of what the sentence before it names."""
    return _GOES_ON.match(sentence) is not None or _LEANS.search(sentence) is not None


# What stands on top of a page after the company's name: "Quarterly letter, Q4 2022, re-issued".
_RUNNING = re.compile(
    r"[\s,]*(?:(?:[A-Z][\w’'-]*|\d{1,2}|\d+-[A-Z]|on|for|of|the|letter|report|review|statement|quarter|year|ended|form"
    r"|account)[\s,]+)*(?:Q\d[\s,]+)?(?:19|20)\d\d(?:,?\s+re-issued)?\s+(?=[A-Z])"
)
# "NEW BRUNSWICK, N.J. (August 30, 2023) – " before the first sentence of a release.
_DATELINE = re.compile(r"^.{0,160}?\((?:[A-Z][a-z]+ \d{1,2}, \d{4}|[A-Z ]*WIRE)\)\s*[–—-]+\s*")
_MEMO_HEAD = re.compile(r"\bTo\s+[A-Z].*\bFrom\s+[A-Z].*\bSubject\s")


def without_heading(sentence: str, section: str, names: Sequence[str] = ()) -> str:
    """A passage begins with the heading over it, and the first of a page with that of the page.

    :param names: of the document's company.
    """
    flat = " ".join(sentence.split())
    flat = _DATELINE.sub("", flat)
    for name in names:
        running = _RUNNING.match(flat, len(name)) if flat.startswith(name) else None
        if running and len(flat) > running.end() + SHORTEST:
            flat = flat[running.end() :]
    heading = section.rsplit(" · ", 1)[-1]
    for head in (section, heading):
        if head and flat.startswith(head + " ") and len(flat) > len(head) + SHORTEST:
            flat = flat[len(head) + 1 :]
    begins = _BEGINS.search(flat[:80])
    return flat[begins.end() :] if begins else flat


def _is_answer(sentence: str, question: Question, facts: Sequence[Fact]) -> bool:
    if not SHORTEST <= len(sentence) <= LONGEST or not ends(sentence) or not sentence[0].isupper():
        return False
    if is_letterhead(sentence) or _BOILERPLATE.search(sentence) or len(content_words(sentence)) < _FEWEST:
        return False
    if sum(char.isdigit() for char in sentence) > 0.25 * len(sentence) or "Dear " in sentence:
        return False
    if not (facts or _VERB.search(sentence)):  # a run of headings
        return False
    return not question.units or any(fact.figure.unit in question.units for fact in facts)


def is_letterhead(sentence: str) -> bool:
    """A letterhead, a title or a list of names: too many capitals for a sentence."""
    words = [word for word in sentence.split()[1:] if word[0].isalpha()]
    return (
        sum(char.isupper() for char in sentence) > 0.3 * len(sentence)
        or (len(words) > 8 and sum(word[0].isupper() for word in words) > 0.55 * len(words))
        or _MEMO_HEAD.search(sentence) is not None
        or "  " in sentence
        or (re.search(r"(?:\b[A-Z] ){4}", sentence) is not None)
    )


# --- cells -------------------------------------------------------------------------------------


def _cells(question: Question, source: Source, wanted: Phrases[str], base: float) -> Iterator[Candidate]:
    rows: dict[tuple[str, str], list[Fact]] = {}
    for fact in source.facts:
        rows.setdefault((fact.group, fact.row), []).append(fact)
    for (_, row), facts in rows.items():
        fit = [f for f in facts if not question.units or f.figure.unit in question.units or _bare(f)]
        if not row or not fit:
            continue
        spoken = [item_of(fact) or match_row(row) for fact in facts]  # net debt answers who asks for debt
        places = [question.items.index(item) for item in spoken if item in question.items]
        hits = list(_hits(row, wanted)) if question.units else []
        if not (places or hits):
            continue
        if "beginning" in row.lower() or all(_ORDINAL.fullmatch(column_words(f)) for f in fit):
            continue  # the end of the period before; quarters, which say little beside the year
        claim, told = row_claim(source, fit)
        base_of = base - 0.5 * (OTHER_BASIS.search(f"{fit[0].group} {fit[0].column}") is not None)
        score = base_of + (0.7 - 0.2 * min(min(places), 3) if places else 0.0) + 0.3 * min(len(hits), 2)
        key = "|".join((told[0].item or row, fact_amount(told[0]), moment(told[0])))
        yield Candidate(claim, source, told, score, key)


_ORDINAL = re.compile(r"first|second|third|fourth|year", re.IGNORECASE)


def _bare(fact: Fact) -> bool:
    return fact.figure.unit == "count" and not fact.figure.currency


def row_claim(source: Source, facts: Sequence[Fact]) -> tuple[str, tuple[Fact, ...]]:
    """A row in words: its newest figure, and the one before if the row has a second period. Of a row
    with columns for amounts and for what is made of them (a share of sales), the amounts."""
    plain = [fact for fact in facts if not _column(fact)]
    if not plain and len({_column(fact) for fact in facts}) > 1:
        return _matrix_claim(source, facts)
    given = plain or facts
    ordered = sorted((fact for fact in given if fact_period(fact)), key=_when, reverse=True) or list(given)
    first = ordered[0]
    claim = _plain_claim(source, first)
    told = [first]
    before = next(
        (f for f in ordered[1:] if _when(f) < _when(first) and _part_of(f) == _part_of(first)), None
    )
    if before:
        claim += f", against {fact_amount(before)} {moment(before)}"
        told.append(before)
    return claim + ".", tuple(told)


def _column(fact: Fact) -> str:
    """What its column says besides the period: "SIX MONTHS 2023 Amount" says nothing more."""
    words = column_words(fact)
    part = part_of_year(fact) if fact.periods else ""
    return " ".join(re.sub(re.escape(part), " ", words, flags=re.IGNORECASE).split()) if part else words


def _part_of(fact: Fact) -> str:
    return part_of_year(fact) if fact.periods else ""


def _plain_claim(source: Source, fact: Fact) -> str:
    label = row_label(fact)
    verb = "were" if plural(label) else "was"
    unsaid = None if source.document.metadata.type in FILINGS else source.calendar.period
    when = moment(fact, unsaid)
    return f"{label[0].upper()}{label[1:]}{_of(source, label)} {verb} {fact_amount(fact)} {when}".rstrip()


def _matrix_claim(source: Source, facts: Sequence[Fact]) -> tuple[str, tuple[Fact, ...]]:
    """ "Helios Packaging Holdings, Inc.: cost $176.6 million, fair value $211.6 million", of one period."""
    newest = max(facts, key=_when)
    facts = [fact for fact in facts if moment(fact) == moment(newest)]
    unique = {fact.figure.value: fact for fact in reversed(facts) if column_words(fact)}
    told = [fact for fact in facts if unique.get(fact.figure.value) is fact][:4] or list(facts[:1])
    if len(told) == 1:  # one figure in all columns
        return _plain_claim(source, told[0]) + ".", tuple(told)
    parts = ", ".join(f"{lower_first(column_words(f) or 'amount')} {fact_amount(f)}" for f in told)
    when = moment(told[0], source.calendar.period)
    return f"{row_label(told[0])}{_of(source, told[0].row)}: {parts} {when}".rstrip() + ".", tuple(told)


def _of(source: Source, label: str) -> str:
    whose = subject(source)
    if not whose or content_words(whose) <= content_words(label):
        return ""
    return f" of {whose}"


def _when(fact: Fact) -> tuple[int, str]:
    period = fact_period(fact)
    if period is None:
        return 0, ""
    if part_of_year(fact):  # after the quarters of its year
        return period.fiscal_year or 0, ""
    return period.fiscal_year or 0, period.end or f"{period.fiscal_year}-Q{period.quarter or 4}"


# --- findings ----------------------------------------------------------------------------------


def finding(candidate: Candidate, question: Question, specialist: str, key: str, number: int) -> Finding:
    kind = candidate.source.document.metadata.type
    # OCR and unknown papers are read with less certainty than a filing or a statement.
    base = 0.75 if kind is DocumentType.OTHER else 0.85
    confidence = round(min(0.97, base + 0.05 * (candidate.score - 1.0)), 2)
    return Finding(
        f"{key}:{question.id}:{number}",
        specialist,
        candidate.claim,
        (candidate.source.passage.id,),
        tuple(reading(fact, candidate.source) for fact in candidate.facts),
        max(confidence, 0.4),
        question=question.id,
        section=question.section,
        headline=question.headline and number == 1,
    )
