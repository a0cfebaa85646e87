"""What a language model reads to answer a question: how much that is, and the answer in two halves where it
is more than one prompt should hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aethel_core import llm, long_context
from aethel_core.answer import Answer, Cited, answer
from aethel_core.audit import Sources, check_sentence, sentences
from aethel_core.errors import ModelUnavailable
from aethel_core.long_context import Counter, LongAnswer, ModelReader
from aethel_core.types import Passage, Query
from aethel_core.workspace.facade import Workspace

EVIDENCE = 20  # passages, as many as the cascade keeps
RETRIEVER = "cascade"
_ESTIMATED = "estimated at 3.6 characters a token"


@dataclass(frozen=True, slots=True)
class Load:
    """The evidence for a question. ``halves`` are passages and tokens of each half, empty where one prompt
    holds all; ``counted`` tells how the tokens were counted."""

    passages: int
    tokens: int
    limit: int
    counted: str
    halves: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """``long`` is what the halves said, None where nothing was split."""

    answer: Answer
    load: Load
    long: LongAnswer | None = None


def load(workspace: Workspace, query: Query) -> Load:
    """What the model would read.

    :raises EmptyQuery, InvalidInput: the question cannot be asked like this.
    """
    count, counted = _counter(workspace)
    return _measured(_evidence(workspace, query), workspace.evidence_limit(), count, counted)


def read(workspace: Workspace, sources: Sources, query: Query, model: llm.ChatModel) -> Read:
    """The model's answer under the audit; where it cannot be reached, sentences of the documents and a
    note.

    :raises EmptyQuery, InvalidInput: the question cannot be asked like this.
    """
    passages = _evidence(workspace, query)
    count, counted = _counter(workspace)
    size = _measured(passages, workspace.evidence_limit(), count, counted)
    ids = [passage.id for passage in passages]
    if not size.halves:
        return Read(answer(query.text, ids, sources, model, workspace.embedder, most=EVIDENCE), size)
    try:
        long = long_context.answer(query.text, passages, ModelReader(model), limit=size.limit, count=count)
    except ModelUnavailable as error:
        plain = answer(query.text, ids, sources, None, workspace.embedder)
        return Read(
            Answer(query.text, plain.sentences, f"{error} These are sentences of the documents."), size
        )
    return Read(Answer(query.text, _cited(long, sources), long.note), size, long)


def _evidence(workspace: Workspace, query: Query) -> list[Passage]:
    ids = workspace.search(query, RETRIEVER, EVIDENCE).ids
    found = workspace.passages_by_id(ids)
    return [found[each] for each in ids]


def _counter(workspace: Workspace) -> tuple[Counter, str]:
    try:
        return workspace.token_counter(), _tokenised(workspace)
    except ModelUnavailable as error:
        return llm.tokens, f"{_ESTIMATED}: {error}"


def _tokenised(workspace: Workspace) -> str:
    return "counted by the model's tokenizer" if workspace.settings.llm_tokenizer else _ESTIMATED


def _measured(passages: Sequence[Passage], limit: int, count: Counter, counted: str) -> Load:
    tokens = long_context.total(passages, count)
    halves = long_context.split(passages, count) if tokens > limit else ()
    sizes = tuple((len(half), long_context.total(half, count)) for half in halves)
    return Load(len(passages), tokens, limit, counted, sizes)


def _cited(long: LongAnswer, sources: Sources) -> tuple[Cited, ...]:
    """The sentences of the fused answer, each under the audit; flags are shown, nothing is dropped, because
    the halves and their conflict are shown beside it."""
    if not long.known:
        return ()
    checks = (
        check_sentence(long.text[start:end], long.passage_ids, sources) for start, end in sentences(long.text)
    )
    return tuple(Cited(check.text, check.passage_ids, check) for check in checks)
