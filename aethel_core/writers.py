"""Keywords, paraphrases and a hypothetical passage for a question, written by a language model.

A writer is one function from the question to lines of text; whatever the model cannot do is raised as
`ModelUnavailable`, and the caller falls back to what needs no model.
"""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, Field

from aethel_core.errors import ModelUnavailable
from aethel_core.llm import ChatModel

WRITTEN = ("keywords", "paraphrases", "hypothesis")  # the steps that a model can write
_LONGEST = 80  # characters of a keyword

_KEYWORDS = (
    "You help to search a corpus of financial documents. Give the terms that the passages which answer the "
    "question will contain: line items, statements, ratios and names, written as filers write them. At most "
    "ten, the most telling first, none that the question only needs for its grammar."
)
_PARAPHRASES = (
    "You help to search a corpus of financial documents. Ask the question in up to three other ways, in the "
    "words that filings use. Keep every company, period and figure as it is. Add nothing."
)
_PASSAGE = (
    "You help to search a corpus of financial documents. Write one short passage, at most eighty words, as "
    "it would stand in the document that answers the question. Invent no figure: write “[figure]” instead."
)


class _Lines(BaseModel):
    model_config = ConfigDict(extra="forbid")
    lines: list[str] = Field(max_length=10)


def writers(model: ChatModel) -> dict[str, Callable[[str], str]]:
    """For each of `WRITTEN` the function that writes it."""
    return {
        "keywords": lambda question: _keywords(model, question),
        "paraphrases": lambda question: _some(model, _lines(model, _PARAPHRASES, question)[:3]),
        "hypothesis": lambda question: _some(model, [model.text(_PASSAGE, question).strip()]),
    }


def _keywords(model: ChatModel, question: str) -> str:
    return _some(model, [line for line in _lines(model, _KEYWORDS, question) if len(line) <= _LONGEST])


def _lines(model: ChatModel, system: str, question: str) -> list[str]:
    found = (" ".join(line.split()) for line in model.structured(system, question, _Lines).lines)
    return [line for line in found if line]


def _some(model: ChatModel, lines: list[str]) -> str:
    text = "\n".join(lines)
    if not text.strip():
        raise ModelUnavailable(f"{model.endpoint.model} wrote nothing.")
    return text
