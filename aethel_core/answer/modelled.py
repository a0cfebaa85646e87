"""An answer by a language model, kept only as far as the audit carries it."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from aethel_core.answer.result import Answer, Cited
from aethel_core.audit import Entailment, Source, Sources, check_sentence, lowered
from aethel_core.llm import UNTRUSTED, ChatModel, fenced

_SYSTEM = (
    "You answer an analyst's question from the passages alone, in one to three sentences, each with every "
    "figure and period as the passage gives it and with the passages it stands on. If they do not answer it, "
    "say found = false. " + UNTRUSTED
)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str = Field(min_length=3, max_length=600)
    passages: list[str] = Field(min_length=1, max_length=6)


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")
    found: bool
    sentences: list[_Part] = Field(max_length=5)


def modelled(question: str, ranked: Sequence[Source], sources: Sources, model: ChatModel) -> Answer:
    """What the model answers and the audit does not flag; the note says how much was dropped.

    :raises ModelUnavailable: it cannot be asked, or its answer cannot be read.
    """
    shown = {f"P{number}": source for number, source in enumerate(ranked, start=1)}
    passages = "\n\n".join(
        fenced(f"{name}: {source.document.name}, page {source.passage.page}", source.passage.text)
        for name, source in shown.items()
    )
    reply = model.structured(_SYSTEM, f"Question: {question}\n\nPassages:\n\n{passages}", _Reply)
    if not reply.found:
        return Answer(question)
    standing = []
    for part in reply.sentences:
        known = all(name in shown for name in part.passages)
        ids = tuple(dict.fromkeys(shown[n].passage.id for n in part.passages)) if known else ()
        check = check_sentence(" ".join(part.text.split()), ids, sources)
        standing += [check] if known and not check.flagged else []
    read = Entailment(model, sources).judge(standing)
    judged = {(each.text, each.passage_ids): each for each in read.judgements}
    checks = [lowered(check, judged.get((check.text, check.passage_ids))) for check in standing]
    kept = tuple(Cited(check.text, check.passage_ids, check) for check in checks if not check.flagged)
    return Answer(question, kept, " ".join(_notes(len(reply.sentences) - len(kept), read.note)))


def _notes(dropped: int, unread: str) -> list[str]:
    named = "1 sentence of the model was" if dropped == 1 else f"{dropped} sentences of the model were"
    notes = [f"{named} dropped: the passages do not carry {'it' if dropped == 1 else 'them'}."]
    return [*(notes if dropped else []), *([unread] if unread else [])]
