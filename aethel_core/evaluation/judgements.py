"""From gold to judged items: what a passage, a page and a document is called in qrels and runs.

    level       item                              a gold place makes relevant
    document    the document's name               that document
    page        (name, page): "NIKE.pdf#62"       that page
    passage     the passage's id                  the passages on that page that hold its quote;
                                                  without a quote, all passages on the page

A passage holds a quote when the quote, in normal form, stands in it. Only where no passage of the
page holds all of it, those count that have at least 60 % of the quote's words (a quote cut by a
passage's end), or 80 % of whose own words are the quote's (one of several passages of a long quote).
Words are counted with their repetitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation.base import LEVELS, Gold, Level, Question, listed
from aethel_core.text import match_form, words
from aethel_core.types import Document, Passage

_OF_QUOTE = 0.6
_OF_PASSAGE = 0.8


class Corpus(Protocol):
    """The part of a workspace that judging needs."""

    def documents(self) -> Sequence[Document]: ...

    def passages(self, document_id: str, page: int | None = None) -> Sequence[Passage]: ...


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """``relevant`` are (item, grade) pairs, grades above 0."""

    id: str
    text: str
    relevant: tuple[tuple[str, int], ...]
    answer: str = ""
    hops: int | None = None


@dataclass(frozen=True, slots=True)
class Judgements:
    """Questions with their relevant items, and how a passage id becomes an item."""

    level: str
    questions: tuple[JudgedQuestion, ...]
    item_of: Callable[[str], str]

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        return {question.id: dict(question.relevant) for question in self.questions}


@dataclass(frozen=True, slots=True)
class _Places:
    """Where passages are: asked of the corpus once per document."""

    corpus: Corpus
    level: Level
    names: dict[str, str]  # document id -> name
    pages: dict[str, dict[str, int]] = field(default_factory=dict)

    def item(self, passage_id: str) -> str:
        if self.level == "passage":
            return passage_id
        document = passage_id.rpartition(":")[0]
        if self.level == "document":
            return self.names[document]
        if document not in self.pages:
            self.pages[document] = {p.id: p.page for p in self.corpus.passages(document)}
        return page_item(self.names[document], self.pages[document][passage_id])


def page_item(document_name: str, page: int) -> str:
    return f"{document_name}#{page}"


def judge(questions: Sequence[Question], corpus: Corpus, level: Level = "page") -> Judgements:
    """Find the gold of the questions in the corpus.

    Names are compared exactly, then without regard to case and a missing ".pdf". Two documents
    of one name (versions) are one item at page and document level.

    :raises MissingData: there are no questions, a gold document is not in the corpus, a page is
        missing in the file, or no passage on a gold page holds the quote.
    :raises InvalidInput: there is no such level.
    """
    if level not in LEVELS:
        raise InvalidInput(f"There is no level {level!r}. Choose one of: {', '.join(LEVELS)}.")
    if not questions:
        raise MissingData("There are no questions to evaluate.")
    documents = tuple(corpus.documents())
    _check_documents(questions, documents)
    _check_pages(questions, level)
    places = _Places(corpus, level, {document.id: document.name for document in documents})
    judged, lost = [], []
    for question in questions:
        relevant: dict[str, int] = {}
        for gold in question.gold:
            items = _items(gold, _named(gold.document, documents), corpus, level)
            if not items:
                lost.append(f"{question.id} ({gold.document}, page {gold.page})")
            for item in items:
                relevant[item] = max(gold.grade, relevant.get(item, 0))
        items = tuple(relevant.items())
        judged.append(JudgedQuestion(question.id, question.text, items, question.answer, question.hops))
    if lost:
        raise MissingData(f"Nothing stands at the gold of {listed(lost)}; correct the page or the quote.")
    return Judgements(level, tuple(judged), places.item)


def holding(passages: Sequence[Passage], quote: str) -> tuple[Passage, ...]:
    """Those that hold the quote, else those that hold most of it or are made of it; all for ""."""
    form = match_form(quote)
    whole = tuple(passage for passage in passages if form in match_form(passage.text))
    return whole or tuple(passage for passage in passages if _overlaps(passage, Counter(words(quote))))


def _overlaps(passage: Passage, wanted: Counter[str]) -> bool:
    found = Counter(words(passage.text))
    shared = (wanted & found).total()
    return shared >= _OF_QUOTE * wanted.total() or shared >= _OF_PASSAGE * max(found.total(), 1)


def _items(gold: Gold, documents: Sequence[Document], corpus: Corpus, level: Level) -> list[str]:
    if level == "document":
        return [documents[0].name]
    if level == "page":
        # A page without text has no passage and yet is a page: it counts as not found.
        within = [d for d in documents if gold.page is not None and gold.page <= d.page_count]
        return [page_item(d.name, gold.page) for d in within[:1] if gold.page is not None]
    there = [passage for document in documents for passage in corpus.passages(document.id, gold.page)]
    return [passage.id for passage in holding(there, gold.quote)]


def _check_documents(questions: Sequence[Question], documents: Sequence[Document]) -> None:
    wanted = dict.fromkeys(gold.document for question in questions for gold in question.gold)
    absent = [name for name in wanted if not _named(name, documents)]
    if absent:
        raise MissingData(
            f"{len(absent)} of {len(wanted)} gold documents are not in the workspace: {listed(absent, 10)}. "
            "Add them, or use the question file made for this workspace."
        )


def _check_pages(questions: Sequence[Question], level: Level) -> None:
    if level == "document":
        return
    without = [q.id for q in questions if any(gold.page is None for gold in q.gold)]
    if without:
        raise MissingData(f"No gold page is given for {listed(without)}; evaluate at document level instead.")


def _named(name: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    exact = tuple(document for document in documents if document.name == name)
    return exact or tuple(d for d in documents if _loose(d.name) == _loose(name))


def _loose(name: str) -> str:
    return name.casefold().removesuffix(".pdf")
