"""A small corpus and searchers whose rankings are written out, so expected values are plain."""

from __future__ import annotations

from dataclasses import dataclass, field

from aethel_core.evaluation.judgements import JudgedQuestion, Judgements
from aethel_core.types import Document, Hit, Metadata, Passage, PassageKind, Query, Ranking, passage_id


def passage(document: str, ordinal: int, page: int, text: str) -> Passage:
    return Passage(
        passage_id(document, ordinal), document, page, 0, len(text), (), "", PassageKind.PROSE, text
    )


def document(identity: str, name: str, pages: int = 9) -> Document:
    return Document(identity, name, identity, Metadata(), pages, 0)


@dataclass
class FakeCorpus:
    """``texts``: document id -> [(page, text), ...]; ``names``: document id -> name."""

    names: dict[str, str]
    texts: dict[str, list[tuple[int, str]]]
    asked: list[tuple[str, int | None]] = field(default_factory=list)

    def documents(self):
        return tuple(document(identity, name) for identity, name in self.names.items())

    def passages(self, document_id, page=None):
        self.asked.append((document_id, page))
        every = [passage(document_id, i, p, text) for i, (p, text) in enumerate(self.texts[document_id])]
        return tuple(one for one in every if page is None or one.page == page)


class FakeSearcher:
    """``rankings``: (retriever, question text) -> passage ids, best first."""

    def __init__(self, rankings: dict[tuple[str, str], list[str]]) -> None:
        self.rankings = rankings
        self.calls: list[tuple[str, str, int]] = []

    def __call__(self, query: Query, retriever: str, k: int) -> Ranking:
        self.calls.append((query.text, retriever, k))
        ids = self.rankings.get((retriever, query.text), [])[:k]
        return Ranking(retriever, tuple(Hit(p, 1.0 / rank) for rank, p in enumerate(ids, 1)))


def judged(relevant: dict[str, list[str]], level: str = "passage") -> Judgements:
    """Questions whose text is their id in capitals."""
    questions = tuple(
        JudgedQuestion(q, q.upper(), tuple((i, 1) for i in items)) for q, items in relevant.items()
    )
    return Judgements(level, questions, lambda item: item)


def contest(outcomes: dict[str, str], level: str = "page") -> tuple[Judgements, FakeSearcher]:
    """A run in which each retriever finds the one relevant item first ("1"), or not ("0")."""
    count = len(next(iter(outcomes.values())))
    judgements = judged({f"q{i}": [f"gold{i}"] for i in range(count)}, level)
    rankings = {
        (name, f"Q{i}"): [f"gold{i}"] if mark == "1" else ["other"]
        for name, marks in outcomes.items()
        for i, mark in enumerate(marks)
    }
    return judgements, FakeSearcher(rankings)
