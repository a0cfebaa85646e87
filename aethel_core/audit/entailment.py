"""Whether the cited passages carry a sentence, asked of a language model.

The rules look at figures, names, periods and words; a model also reads what a sentence makes of
them. It can only lower the rules' verdict: what it says is one of three words and, where it
doubts, words of the sentence itself, so that nothing it was talked into by a document is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from threading import Event

from pydantic import BaseModel, ConfigDict, Field

from aethel_core.audit.results import Match, SentenceCheck, Verdict
from aethel_core.audit.sources import Source, Sources
from aethel_core.audit.wording import spoken
from aethel_core.errors import ModelUnavailable
from aethel_core.llm import UNTRUSTED, BadAnswer, ChatModel, fenced

_CHARACTERS = 3000  # of each passage
_SYSTEM = (
    "You audit one sentence of an investment memo against the passages it cites. Answer supported when the "
    "passages say all of it, partly when they say some of it, not when they say none of it or the opposite. "
    "Judge only what the sentence says; do not use what you know otherwise. Figures that were recomputed "
    "from the passages are named and count as said. Unless it is supported, copy into missing the words of "
    "the sentence that the passages do not carry. " + UNTRUSTED
)


class _Said(StrEnum):
    SUPPORTED = "supported"
    PARTLY = "partly"
    NOT = "not"


_VERDICTS = {_Said.SUPPORTED: Verdict.SUPPORTED, _Said.PARTLY: Verdict.PARTLY, _Said.NOT: Verdict.NOT}
_ORDER = (Verdict.SUPPORTED, Verdict.PARTLY, Verdict.NOT)


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")
    verdict: _Said
    missing: str = Field(default="", max_length=600)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model made of a sentence and its passages. ``missing`` are words of the sentence that
    it does not find in them, "" where it names none."""

    text: str
    passage_ids: tuple[str, ...]
    verdict: Verdict
    model: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """``note`` says which sentences the model did not judge, and why; "" where it judged all."""

    judgements: tuple[Judgement, ...] = ()
    note: str = ""


def lowered(check: SentenceCheck, judgement: Judgement | None) -> SentenceCheck:
    """The check with the model's doubt. A model that finds more than the rules changes nothing."""
    if judgement is None or judgement.verdict is Verdict.SUPPORTED:
        return check
    doubt = f"does not find “{judgement.missing}” in the source" if judgement.missing else "doubts the source"
    verdict = max(check.verdict, judgement.verdict, key=_ORDER.index)
    return replace(check, verdict=verdict, flags=(*check.flags, f"{judgement.model} {doubt}."))


class Entailment:
    """The model reads sentences side by side, as many as its endpoint allows; after the first
    failure that is not of one answer alone, none is asked any more."""

    def __init__(self, model: ChatModel, sources: Sources) -> None:
        self._model, self._sources = model, sources

    def judge(self, checks: Sequence[SentenceCheck]) -> Reading:
        """Judgements of the sentences that the rules leave something of; the others stand as they are."""
        asked = [check for check in checks if check.verdict is not Verdict.NOT]
        stopped = Event()
        with ThreadPoolExecutor(max_workers=max(1, self._model.endpoint.concurrency)) as pool:
            given = list(pool.map(lambda check: self._one(check, stopped), asked))
        made = tuple(each for each in given if isinstance(each, Judgement))
        reasons = tuple(dict.fromkeys(each for each in given if isinstance(each, str) and each))
        left = len(asked) - len(made)
        if not left:
            return Reading(made)
        sentences = "1 sentence was" if left == 1 else f"{left} sentences were"
        return Reading(made, f"{sentences} checked by the rules alone: {' '.join(reasons)}")

    def _one(self, check: SentenceCheck, stopped: Event) -> Judgement | str:
        """A judgement, or why there is none."""
        if stopped.is_set():
            return ""
        try:
            reply = self._model.structured(_SYSTEM, self._asked(check), _Reply)
        except BadAnswer as error:
            return str(error)
        except ModelUnavailable as error:
            stopped.set()
            return str(error)
        missing = " ".join(reply.missing.split()).strip(" .“”\"'")
        shown = missing if missing in check.text and reply.verdict is not _Said.SUPPORTED else ""
        model = self._model.endpoint.model
        return Judgement(check.text, check.passage_ids, _VERDICTS[reply.verdict], model, shown)

    def _asked(self, check: SentenceCheck) -> str:
        found = (self._sources.get(passage) for passage in check.passage_ids)
        passages = "\n\n".join(_shown(source) for source in found if source)
        recomputed = [
            f"{c.figure.text}: {c.note}" for c in check.figures if c.match is Match.DERIVED and c.note
        ]
        parts = [fenced("the sentence", check.text)]
        parts += [fenced("recomputed from the passages", "\n".join(recomputed))] if recomputed else []
        return "\n\n".join([*parts, "Passages it cites:", passages])


def _shown(source: Source) -> str:
    """The passage with the document, company and period that it belongs to."""
    about = spoken(source).removeprefix(source.passage.text).replace("\n", ", ").strip(" ,")
    return fenced(f"passage of {source.document.name}", f"({about})\n{source.passage.text[:_CHARACTERS]}")
