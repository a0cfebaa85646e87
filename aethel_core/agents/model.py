"""Findings and paragraphs by a language model, kept only as far as the audit carries them.

The model sees passages as labelled data and names them by number. A claim that names a passage
which was not shown, or that the audit does not find supported, is dropped and said so; where
nothing remains, the extracted result stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from aethel_core.agents.base import Finding
from aethel_core.agents.checklist import Question
from aethel_core.agents.ledger import reading
from aethel_core.agents.synthesizer import Line, line
from aethel_core.audit import SentenceCheck, Source, Sources, check_sentence
from aethel_core.errors import ModelUnavailable
from aethel_core.llm import UNTRUSTED, ChatModel, fenced

PASSAGES = 10  # at most so many are shown for one question
_CHARACTERS = 1800  # of each

_FINDER = (
    "You work through a due-diligence checklist for a credit or private-equity analyst. Answer only from "
    "the passages. Each claim is one sentence with every figure as the passage gives it: value, unit, scale "
    "and period. Name the passages it stands on. If the passages do not answer, return no findings. "
    + UNTRUSTED
)
_WRITER = (
    "You write a section of an investment-committee memo from findings that were checked. Use only what they "
    "say, keep every figure and period as given, one fact per sentence, plain and short. Name for each "
    "sentence the findings it stands on. " + UNTRUSTED
)


class _Claim(BaseModel):
    model_config = ConfigDict(extra="forbid")
    claim: str = Field(min_length=10, max_length=600)
    passages: list[str] = Field(min_length=1, max_length=6)
    confidence: float = Field(ge=0, le=1)


class _Claims(BaseModel):
    model_config = ConfigDict(extra="forbid")
    findings: list[_Claim] = Field(max_length=8)


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str = Field(min_length=10, max_length=600)
    findings: list[str] = Field(min_length=1, max_length=6)


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid")
    sentences: list[_Written] = Field(max_length=30)


class ModelFinder:
    """Answers one checklist question; see `specialist.Finder`."""

    def __init__(self, model: ChatModel, sources: Sources) -> None:
        self._model, self._sources = model, sources

    def __call__(
        self, question: Question, ranked: Sequence[Source], specialist: str, key: str
    ) -> tuple[list[Finding] | None, str]:
        shown = {f"P{number}": source for number, source in enumerate(ranked[:PASSAGES], start=1)}
        try:
            answer = self._model.structured(_FINDER, _asked(question, shown), _Claims)
        except ModelUnavailable as error:
            return None, f"{error} The extracted result stands."
        kept, dropped = [], 0
        for number, claim in enumerate(answer.findings[: question.most], start=1):
            made = self._finding(claim, shown, question, specialist, f"{key}:{question.id}:m{number}", number)
            dropped += made is None
            kept += [made] if made else []
        note = (
            f"{dropped} claims of the model were dropped: the passages do not carry them." if dropped else ""
        )
        return kept or None, note

    def _finding(
        self,
        claim: _Claim,
        shown: dict[str, Source],
        question: Question,
        specialist: str,
        id: str,
        number: int,
    ) -> Finding | None:
        if any(passage not in shown for passage in claim.passages):
            return None
        passages = tuple(dict.fromkeys(shown[passage].passage.id for passage in claim.passages))
        text = " ".join(claim.claim.split())
        check = check_sentence(text, passages, self._sources)
        if check.flagged:
            return None
        return Finding(
            id,
            specialist,
            text,
            passages,
            _readings(check),
            round(min(claim.confidence, 0.95), 2),
            question=question.id,
            section=question.section,
            headline=question.headline and number == 1,
        )


def _readings(check: SentenceCheck) -> tuple:
    return tuple(reading(each.fact) for each in check.figures if each.fact)


def _asked(question: Question, shown: dict[str, Source]) -> str:
    passages = "\n\n".join(
        fenced(
            f"{name}: {source.document.name}, page {source.passage.page}", source.passage.text[:_CHARACTERS]
        )
        for name, source in shown.items()
    )
    asked = f"Question: {question.question}\nA complete answer holds: {question.complete}"
    return f"{asked}\n\nPassages:\n\n{passages}"


class ModelWriter:
    """Writes the lines of a section; see `synthesizer.Writer`. Findings that no kept sentence tells
    of are added as they are, so that nothing accepted is lost."""

    def __init__(self, model: ChatModel, sources: Sources) -> None:
        self._model, self._sources = model, sources
        self.note = ""

    def __call__(self, heading: str, findings: Sequence[Finding]) -> list[Line] | None:
        named = {f"F{number}": found for number, found in enumerate(findings, start=1)}
        listed = "\n".join(fenced(name, found.claim) for name, found in named.items())
        try:
            section = self._model.structured(_WRITER, f"Section: {heading}\n\n{listed}", _Section)
        except ModelUnavailable as error:
            self.note = f"{error} The findings stand as they are."
            return None
        lines, told = [], set()
        for sentence in section.sentences:
            written = self._line(sentence, named)
            if written:
                lines.append(written)
                told.update(sentence.findings)
        return [*lines, *(line(found) for name, found in named.items() if name not in told)]

    def _line(self, sentence: _Written, named: dict[str, Finding]) -> Line | None:
        if any(name not in named for name in sentence.findings):
            return None
        behind = [named[name] for name in sentence.findings]
        passages = tuple(dict.fromkeys(passage for found in behind for passage in found.passage_ids))
        text = " ".join(sentence.text.split())
        derivations = tuple(found.derivation for found in behind if found.derivation)
        check = check_sentence(text, passages, self._sources, derivations)
        return None if check.flagged else Line(text, passages, tuple(found.id for found in behind))
