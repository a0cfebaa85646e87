"""An immutable snapshot of a corpus, made of one segment per document."""

from aethel_core.index.index import Index
from aethel_core.index.segment import Segment

__all__ = ["Index", "Segment"]
