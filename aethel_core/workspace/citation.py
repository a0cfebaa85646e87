"""How a passage is cited in one short line."""

from __future__ import annotations

import re

from aethel_core.types import Document, DocumentType, Passage

_SECTION_LIMIT = 60
_NUMBERED = re.compile(
    r"(?:Item|Part|Article|Section|Note|Schedule|Exhibit|Appendix)\s+[\dA-Z]+[\w.()]*", re.I
)


def label(document: Document) -> str:
    """ "NIKE 10-K FY2021"; the title or the file's name where the company is not known."""
    metadata = document.metadata
    kind = metadata.type.value if metadata.type is not DocumentType.OTHER else ""
    if metadata.company:
        return " ".join(part for part in (metadata.company, kind, metadata.period.label) if part)
    return metadata.title or document.name


def citation(document: Document, passage: Passage) -> str:
    """ "NIKE 10-K FY2021 · p. 62 · Item 8": a numbered section goes by its number."""
    numbered = _NUMBERED.match(passage.section)
    section = numbered.group().rstrip(".") if numbered else passage.section
    if len(section) > _SECTION_LIMIT:
        section = section[: _SECTION_LIMIT - 1].rstrip() + "…"
    return " · ".join(part for part in (label(document), f"p. {passage.page}", section) if part)
