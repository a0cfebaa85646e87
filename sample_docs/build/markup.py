"""Prose files to flowables.

A prose file is read paragraph by paragraph (blank lines part them)::

    # Heading            level 1; ## and ### below it
    * Item               a bulleted item
    @name                the table, chart or other flowable of that name
    @break               a new page
    ~ small print

``{name}`` and ``{name:m}`` are filled from the ledgers before anything else is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import CondPageBreak, Flowable, PageBreak, Paragraph, Table

from .kit import Look
from .money import quoted

TEXTS = Path(__file__).parent / "text"
_HEADING = re.compile(r"(#{1,3}) (.+)", re.DOTALL)
_BARE_AMPERSAND = re.compile(r"&(?!#?\w+;)")


def prose(name: str, facts: Mapping[str, object]) -> list[str]:
    """The paragraphs of a prose file with its figures filled in."""
    raw = (TEXTS / f"{name}.txt").read_text(encoding="utf-8").format_map(facts)
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", raw) if part.strip()]


def flow(
    look: Look,
    paragraphs: list[str],
    figures: Mapping[str, Callable[[], list[Flowable]]],
    toc: re.Pattern[str] | None = None,
) -> list[Flowable]:
    """Typeset paragraphs; ``toc`` says which headings enter the table of contents (group 1 = a part)."""
    story: list[Flowable] = []
    for part in paragraphs:
        heading = _HEADING.fullmatch(part)
        if part == "@break":
            story.append(PageBreak())
        elif part.startswith("@"):
            figure = figures[part[1:]]()
            if story and isinstance(figure[0], Table):
                _keep_lead_in(story[-1])
            story += figure
        elif heading:
            if not (story and _is_heading(story[-1])):
                story.append(CondPageBreak(78))
            story.append(_heading(look, len(heading[1]), heading[2], toc))
        elif part.startswith("* "):
            story.append(paragraph(part[2:], look.bullet, bullet="•"))
        elif part.startswith("~ "):
            story.append(paragraph(part[2:], look.small))
        else:
            story.append(paragraph(part, look.body))
    return story


def _keep_lead_in(flowable: Flowable) -> None:
    """A short sentence that introduces a table stays on the table's page."""
    if isinstance(flowable, Paragraph) and len(flowable.getPlainText()) < 260:
        flowable.keepWithNext = True


def _is_heading(flowable: Flowable) -> bool:
    return isinstance(flowable, Paragraph) and flowable.style.name.startswith("heading")


def _heading(look: Look, level: int, title: str, toc: re.Pattern[str] | None) -> Paragraph:
    flowable = paragraph(title, look.heading(level))
    found = toc.match(title) if toc and level == 1 else None
    if found:
        flowable.toc_level = 0 if found.group(1) else 1
    return flowable


def paragraph(content: str, style: ParagraphStyle, bullet: str | None = None) -> Paragraph:
    return Paragraph(_BARE_AMPERSAND.sub("&amp;", quoted(content)), style, bulletText=bullet)
