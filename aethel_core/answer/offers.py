"""What passages offer as an answer: their sentences, and the rows of their tables in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aethel_core.agents.extract import SHORTEST, ends, goes_on, is_letterhead, row_claim, without_heading
from aethel_core.agents.wording import column_words, subject
from aethel_core.answer.asked import Asked
from aethel_core.audit import Fact, Source, content_words, sentences
from aethel_core.audit.figures import other_debt, period_agrees
from aethel_core.audit.sources import company_names
from aethel_core.audit.spans import periods_in
from aethel_core.audit.wording import spoken
from aethel_core.finance.abbreviations import expand

LONGEST = 520


@dataclass(frozen=True, slots=True)
class Offer:
    """``words`` are its own, ``around`` those of its neighbours, section, document and company.
    ``meaning`` is what is compared with the question: a row without whose it is, since that name
    would make every row of a company alike."""

    text: str
    meaning: str
    source: Source
    rank: int
    words: frozenset[str]
    around: frozenset[str]
    item: bool = False  # a row of a line item that the question names


def offers(asked: Asked, ranked: Sequence[Source]) -> list[Offer]:
    """Those of passages that know the years asked for, each text once."""
    found: dict[str, Offer] = {}
    for rank, source in enumerate(ranked):
        if not (_period_fits(asked, source) and _of_its_number(asked, source)):
            continue
        read = _rows if source.passage.table is not None else _prose
        for offer in read(asked, source, rank):
            found.setdefault(offer.text, offer)
    named = any(offer.item for offer in found.values())
    return [o for o in found.values() if o.item or not named or o.source.passage.table is None]


def _prose(asked: Asked, source: Source, rank: int) -> Iterator[Offer]:
    text, about = source.passage.text, _about(source)
    names = company_names(source.document.metadata)
    spans = sentences(text)
    for number, (start, end) in enumerate(spans):
        first = start
        if goes_on(text[start:end]) and number:  # "It now matures on …" says nothing alone
            first = spans[number - 1][0]
        sentence = without_heading(text[first:end], source.passage.section, names)
        if not SHORTEST <= len(sentence) <= LONGEST or is_letterhead(sentence) or not ends(sentence):
            continue
        beside = text[spans[max(number - 1, 0)][0] : spans[min(number + 1, len(spans) - 1)][1]]
        yield Offer(sentence, sentence, source, rank, _words(sentence), about | content_words(beside))


def _rows(asked: Asked, source: Source, rank: int) -> Iterator[Offer]:
    """Rows in words: of the periods asked for, and of the column that the question names."""
    about = _about(source)
    rows: dict[tuple[str, str], list[Fact]] = {}
    for fact in source.facts:
        if fact.is_cell and period_agrees(asked.periods, fact, source):
            rows.setdefault((fact.group, fact.row), []).append(fact)
    for (group, row), facts in rows.items():
        if not row:
            continue
        apart = asked.words - content_words(row)  # "percent to sales" is not asked for with "net sales"
        named = [fact for fact in facts if apart & content_words(column_words(fact))]
        claim, told = row_claim(source, named or facts)
        item = asked.items.get(told[0].item, frozenset())
        if asked.items and asked.items.keys() & {f.item for f in source.facts} and not item:
            continue  # another line of the statement
        if other_debt(asked.text, row):
            continue
        own = _words(claim) | item | content_words(f"{group} {row}")
        if own & asked.words:
            bare = claim.replace(f" of {subject(source)}", "")
            yield Offer(claim, f"{told[0].around} {bare}".strip(), source, rank, own, about, bool(item))


def _words(text: str) -> frozenset[str]:
    """With what its abbreviations stand for."""
    return content_words(text).union(*(content_words(each.long) for each in expand(text)))


def _about(source: Source) -> frozenset[str]:
    spread = spoken(source).removeprefix(source.passage.text).replace("-", " ").replace("_", " ")
    return content_words(f"{spread} {source.passage.section}")


_NUMBER = re.compile(r"\b[A-Z]{1,4}\d{0,3}-\d{3,}\b")


def _of_its_number(asked: Asked, source: Source) -> bool:
    """Whether a passage may speak of the account that the question numbers: it names that number, or
    its document none."""
    numbers = set(_NUMBER.findall(asked.text))
    if not numbers:
        return True
    return bool(numbers & set(_NUMBER.findall(spoken(source)))) or not _NUMBER.search(source.document.name)


def _period_fits(asked: Asked, source: Source) -> bool:
    """Whether the passage knows a year that the question names."""
    years = {year for span in asked.periods for year in span.years}
    if not years:
        return True
    known = {year for span in periods_in(spoken(source)) for year in span.years}
    period = source.calendar.period.fiscal_year
    return bool(years & (known | ({period} if period else set())))
