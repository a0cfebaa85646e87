"""From findings to a memo: draft, audit, exports."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from aethel_core.memo.draft import (
    Audited,
    Memo,
    Section,
    Sentence,
    audited,
    checker,
    drafted,
    from_json,
    sentences_of,
    to_json,
    with_line,
)
from aethel_core.memo.rendered import Rendered, rendered
from aethel_core.memo.template import Template, template, templates


def _pdf(memo: Rendered) -> bytes:
    from aethel_core.memo.pdf import pdf

    return pdf(memo)


def _docx(memo: Rendered) -> bytes:
    from aethel_core.memo.docx import docx

    return docx(memo)


def _markdown(memo: Rendered) -> bytes:
    from aethel_core.memo.markdown import markdown

    return markdown(memo)


def _xlsx(memo: Rendered) -> bytes:
    from aethel_core.memo.xlsx import xlsx

    return xlsx(memo)


EXPORTERS: MappingProxyType[str, Callable[[Rendered], bytes]] = MappingProxyType(
    {"pdf": _pdf, "docx": _docx, "md": _markdown, "xlsx": _xlsx}
)

__all__ = [
    "EXPORTERS",
    "Audited",
    "Memo",
    "Rendered",
    "Section",
    "Sentence",
    "Template",
    "audited",
    "checker",
    "drafted",
    "from_json",
    "rendered",
    "sentences_of",
    "template",
    "templates",
    "to_json",
    "with_line",
]
