"""Passages that address a language model instead of a reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aethel_core.audit.sources import Source

_TOLD = r"(?:ignore|disregard|forget|override|bypass)"
_WHAT = r"(?:instructions?|prompts?|guidelines|directions|rules)"
_OVERRIDE = re.compile(
    rf"\b{_TOLD}\s+(?:\w+\s+){{0,3}}?(?:previous|prior|above|earlier|preceding|system|your|all|any)\s+"
    rf"(?:(?!wire|wiring|payment|voting|proxy|delivery|transfer)\w+\s+){{0,3}}?{_WHAT}\b",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"\b(?:you are|act as|acting as|respond as)\s+(?:an?|the)\s+(?:\w+\s+){0,2}"
    r"(?:AI|LLM|language model|assistant)\b"
    r"|\b(?:instructions?|note|message|attention)\s+(?:to|for)\s+(?:the\s+|any\s+|all\s+)?"
    r"(?:AI|LLM|language models?|AI assistants?)\b"
    r"|\bsystem prompt\b",
    re.IGNORECASE,
)


def trusted(sources: Sequence[Source]) -> tuple[list[Source], str]:
    """The passages without those that address a language model, and what is said of these."""
    kept = [source for source in sources if not any(instructions([source]))]
    return kept, " ".join(dict.fromkeys(instructions(sources)))


def instructions(sources: Sequence[Source]) -> Iterator[str]:
    """What such a passage says is no evidence, even where it holds the very figure."""
    for source in sources:
        found = _OVERRIDE.search(source.passage.text) or _ADDRESSED.search(source.passage.text)
        if found:
            words = " ".join(found[0].split())
            name, page = source.document.name, source.passage.page
            yield f"{name}, page {page}, instructs language models there (“{words}”); it is no evidence."
