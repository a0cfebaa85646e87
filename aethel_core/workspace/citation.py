"""How a passage is cited in one short line."""

from __future__ import annotations

import re

from aethel_core.types import Document, DocumentType, Passage

_SECTION_LIMIT = 60
_NUMBERED = re.compile(
    r"(?:Item|Part|Article|Section|Note|Schedule|Exhibit|Appendix)\s+[\dA-Z]+[\w.()]*", re.I
)


def parts(document: Document) -> tuple[str, str]:
    """("NIKE", "10-K FY2021"); the title or the file's name, and nothing, where the company is not known."""
    metadata = document.metadata
    kind = metadata.type.value if metadata.type is not DocumentType.OTHER else ""
    if metadata.company:
        return metadata.company, " ".join(part for part in (kind, metadata.period.label) if part)
    return metadata.title or document.name, ""


def label(document: Document) -> str:
    """ "NIKE 10-K FY2021"; the title or the file's name where the company is not known."""
    return " ".join(filter(None, parts(document)))


def section(passage: Passage) -> str:
    """The title of the passage's section, by its number where it has one."""
    numbered = _NUMBERED.match(passage.section)
    title = numbered.group().rstrip(".") if numbered else passage.section
    return title if len(title) <= _SECTION_LIMIT else title[: _SECTION_LIMIT - 1].rstrip() + "…"


def citation(document: Document, passage: Passage) -> str:
    """ "NIKE 10-K FY2021 · p. 62 · Item 8": a numbered section goes by its number."""
    return " · ".join(filter(None, (label(document), f"p. {passage.page}", section(passage))))
