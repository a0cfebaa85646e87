"""Evidence from every statement that a question needs, among the first hits.

A ratio of two statements (days payable outstanding, capital expenditure as a share of revenue) is not
answered by one of them, however well its passages fit. Where the query names statements to be seen
together and one of the first `SEEN` hits is on any of them, that hit leads; of each other statement of which
the lead's document is not among the first `SEEN`, its best passage moves up behind the first hit. Where no
statement leads, the answer is likely elsewhere (a leverage ratio in a credit agreement), and nothing moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from aethel_core.index import Index
from aethel_core.types import Hit, Query, Statement

SEEN = 3
DEPTH = 300  # hits that are looked through for a statement


class Coverage:
    """Safe to share between threads."""

    def __init__(self, index: Index) -> None:
        self.index = index

    @cached_property
    def _statements(self) -> list[tuple[Statement, ...]]:
        return [found for segment in self.index.segments for found in segment.statements]

    def __call__(self, query: Query, hits: Sequence[Hit]) -> tuple[tuple[Hit, ...], str]:
        """The hits in the order in which they are shown, and a note where that is another one. A hit that
        moves takes a score between its new neighbours'."""
        if len(query.together) < 2:
            return tuple(hits), ""
        shown, raised = list(hits), []
        lead = next((hit for hit in shown[:SEEN] if self._on(hit, query.together)), None)
        if lead is None:
            return tuple(hits), ""
        document = self._document(lead)
        for statement in query.together:
            there = [
                place
                for place, hit in enumerate(shown[:DEPTH])
                if self._on(hit, (statement,)) and self._document(hit) == document
            ]
            if there and there[0] >= SEEN:
                self._raise(shown, there[0])
                raised.append(statement.value)
        if not raised:
            return tuple(hits), ""
        return tuple(shown), f"Raised, because the question needs it, too: {' and '.join(raised)}."

    @staticmethod
    def _raise(shown: list[Hit], place: int) -> None:
        hit = shown.pop(place)
        between = (shown[0].score + shown[1].score) / 2
        shown.insert(1, Hit(hit.passage_id, between))

    def _on(self, hit: Hit, statements: Sequence[Statement]) -> bool:
        return any(each in statements for each in self._statements[self.index.row[hit.passage_id]])

    def _document(self, hit: Hit) -> int:
        return int(self.index.document_of[self.index.row[hit.passage_id]])
