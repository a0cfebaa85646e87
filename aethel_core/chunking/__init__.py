"""From a `ParsedDocument` to its passages, the units of retrieval."""

from aethel_core.chunking.cutting import passages
from aethel_core.chunking.words import word_pieces

__all__ = ["passages", "word_pieces"]
