"""Names and triples of passages by a language model (Jiménez Gutiérrez et al. 2024, HippoRAG).

One call reads one passage; its answer is checked against a schema, repaired once, and then against
the passage itself (`entities.reading`). The passage goes into the prompt as fenced, untrusted data.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from aethel_core.entities.reading import Reading, grounded
from aethel_core.llm import UNTRUSTED, ChatModel, Estimate, fenced, with_schema

PROMPT_VERSION = 1  # moves on with every change of what is asked; older readings stay until replaced

_SYSTEM = (
    "You list the names in one passage of a financial document, and what the passage says joins them. "
    "entities: companies, funds, people, places, products, agreements, credit facilities and defined "
    "terms, each copied letter by letter as the passage spells it, once, 25 at most. No dates, amounts, "
    "numbers, headings or words that only describe. triples: statements of the passage about two of these "
    "entities, 20 at most; subject and object are copied from your entities, relation is one to four "
    "words. Leave out what the passage does not say itself. Empty lists are a good answer. " + UNTRUSTED
)


class _Triple(BaseModel):
    model_config = ConfigDict(extra="forbid")
    subject: str = Field(min_length=1, max_length=200)
    relation: str = Field(min_length=1, max_length=200)
    object: str = Field(min_length=1, max_length=200)


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    entities: list[str] = Field(max_length=100)
    triples: list[_Triple] = Field(max_length=100)


def made_by(model: str) -> str:
    """What shaped a reading beside the text."""
    return f"prompt {PROMPT_VERSION}, {model}"


class Extractor:
    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def read(self, text: str) -> Reading:
        """:raises BadAnswer: neither the answer nor its repair has the shape asked for.
        :raises BudgetSpent, ModelUnavailable: see `ChatModel.text`.
        """
        answer = self._model.structured(_SYSTEM, _shown(text), _Answer)
        facts = [(triple.subject, triple.relation, triple.object) for triple in answer.triples]
        return grounded(answer.entities, facts, text)

    def estimate(self, texts: Sequence[str]) -> Estimate:
        """What reading the texts takes at most, without repairs: every answer at full length."""
        system = with_schema(_SYSTEM, _Answer)
        return self._model.estimate([(system, _shown(text)) for text in texts])


def _shown(text: str) -> str:
    """The passage as it is sent; halves of surrogate pairs, which damaged PDFs hold, cannot be."""
    return fenced("passage", text.encode("utf-8", "replace").decode())
