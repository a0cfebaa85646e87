"""A memo as Markdown with footnotes."""

from __future__ import annotations

import re

from aethel_core.memo.rendered import Block, Rendered, Text

_ENTITY = re.compile(r"&(?=#?\w+;)")  # "&" alone is read as itself
_SPECIAL = re.compile(r"([\\`*_{}\[\]#|~])")


def markdown(memo: Rendered) -> bytes:
    lines = [f"# {_escaped(memo.title)}", "", f"*{_escaped(memo.kind)}*  ", f"Date: {memo.date}", ""]
    if memo.about:
        lines += [f"About: {_escaped(', '.join(memo.about))}", ""]
    lines += [f"**Audit.** {_escaped(memo.status)}", ""]
    for part in memo.parts:
        lines += [f"## {_escaped(part.heading)}", ""]
        for block in part.blocks:
            lines += [_block(block), *([] if block.bullet else [""])]
        lines.append("")
    lines += _figures(memo)
    if memo.open_questions:
        lines += ["## Open questions", ""]
        lines += [f"- {_escaped(text)} ({_escaped(who)})" for who, text in memo.open_questions] + [""]
    lines += ["## Sources", ""]
    for source in memo.sources:
        lines.append(f"[^{source.number}]: {_escaped(source.citation)} ({_escaped(source.document)})")
    lines += _further(memo)
    lines += ["", "## How this was made", "", f"- Corpus: {memo.corpus}"]
    lines += [f"- {_escaped(line)}" for line in (*memo.settings, *memo.notes)]
    lines += [f"- Fingerprint of corpus and settings: {memo.fingerprint}", ""]
    return "\n".join(lines).encode()


def _block(block: Block) -> str:
    return ("- " if block.bullet else "") + " ".join(_text(text) for text in block.texts)


def _text(text: Text) -> str:
    marks = "".join(f"[^{number}]" for number in text.marks)
    flags = f" **⚑ {_escaped(' '.join(text.flags))}**" if text.flags else ""
    return f"{_escaped(text.text)}{marks}{flags}"


def _further(memo: Rendered) -> list[str]:
    if not memo.further:
        return []
    lines = ["", "## Appendix: further findings", "", "| Section | Finding | Source |", "|---|---|---|"]
    for found in memo.further:
        flags = f" **⚑ {_escaped(' '.join(found.flags))}**" if found.flags else ""
        where = _escaped("; ".join(found.places))
        lines.append(f"| {_escaped(found.section)} | {_escaped(found.claim)}{flags} | {where} |")
    return lines


def _figures(memo: Rendered) -> list[str]:
    if not memo.table:
        return []
    lines = ["## Figures", "", "| Measure | Of | Period | Figure | Source |", "|---|---|---|---:|---|"]
    for row in memo.table:
        where = f"[^{row.mark}]" if row.mark else _escaped(row.citation)
        cells = (row.measure, row.whose, row.period, row.shown)
        lines.append(f"| {' | '.join(map(_escaped, cells))} | {where} |")
    return [*lines, ""]


def _escaped(text: str) -> str:
    """Text of documents as text: neither Markdown nor HTML."""
    flat = _ENTITY.sub("&amp;", " ".join(text.split())).replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", flat)
