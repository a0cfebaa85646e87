"""The context a passage is indexed with, beside its own text."""

from __future__ import annotations

from aethel_core.types import Metadata, Passage


def header(metadata: Metadata, passage: Passage) -> str:
    """Company, type, period, section and statements in one line: filings repeat the same
    sentences across companies and years, and this line is what tells them apart."""
    parts = [
        metadata.company,
        metadata.type.value if metadata.company else "",
        metadata.period.label,
        metadata.title if not metadata.company else "",
        passage.section if passage.section != metadata.title else "",
        *(statement.value for statement in passage.statements),
    ]
    return " · ".join(part for part in parts if part)


def embedded_text(metadata: Metadata, passage: Passage) -> str:
    """What the dense model reads of a passage."""
    line = header(metadata, passage)
    return f"{line}\n{passage.text}" if line else passage.text
