"""A language model as judge: it grades passages from 0 to 10 by how well they answer the question.

Passages go into the prompt fenced and labelled as data. A grade is of one passage against the
question; the few that share a prompt are only there to save calls. A passage the model forgot, or
graded twice, makes the whole answer unusable rather than a guess.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from aethel_core.errors import ModelUnavailable
from aethel_core.llm import UNTRUSTED, ChatModel, fenced
from aethel_core.rerankers.base import PassageLookup, check_k, reordered, texts
from aethel_core.types import Query, Ranking

BATCH = 8
_LONGEST = 4000  # characters of one passage
_SYSTEM = (
    "You judge search results for a financial analyst. Grade each passage from 0 (nothing to do with the "
    "question) over 5 (right topic, but wrong company, period or figure) to 10 (holds the answer or the "
    "figures it is computed from). Judge each passage by itself. " + UNTRUSTED
)


class _Grade(BaseModel):
    model_config = ConfigDict(extra="forbid")
    passage: str
    grade: float = Field(ge=0, le=10)


class _Grades(BaseModel):
    model_config = ConfigDict(extra="forbid")
    grades: list[_Grade]


class LlmJudge:
    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.name = f"judge {model.endpoint.model}"

    def rerank(self, query: Query, ranking: Ranking, passages: PassageLookup, k: int) -> Ranking:
        check_k(k)
        if not ranking.hits:
            return Ranking(self.name, ())
        labels = {f"P{number}": text for number, text in enumerate(texts(ranking, passages), start=1)}
        shown = "\n\n".join(fenced(label, text[:_LONGEST]) for label, text in labels.items())
        asked = f"Question: {query.text}\n\nPassages:\n\n{shown}"
        found = self.model.structured(_SYSTEM, asked, _Grades)
        grades = {each.passage: each.grade for each in found.grades}
        if len(found.grades) != len(labels) or set(grades) != set(labels):
            raise ModelUnavailable(f"The {self.name} did not grade every passage once.")
        return reordered(self.name, ranking, [grades[label] for label in labels], k)
