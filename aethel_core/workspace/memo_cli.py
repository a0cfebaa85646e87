"""``python -m aethel_core memo --workspace DIR [--about ENTITY]... --out memo.pdf``"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from aethel_core.errors import InvalidInput, WorkspaceError
from aethel_core.text import counted
from aethel_core.workspace.facade import Workspace
from aethel_core.workspace.memos import FORMATS, KEYS, Audited, Memo, MemoDesk, Progress, templates

Open = Callable[[Path], Workspace]


def register(commands: Any, open_workspace: Open) -> None:
    parser = commands.add_parser("memo", help="let the specialists work and write a memo")
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR", help="the workspace's folder")
    parser.add_argument(
        "--about",
        action="append",
        default=[],
        metavar="ENTITY",
        help="an entity of the deal; may be repeated",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"ends in .{', .'.join(FORMATS)}")
    parser.add_argument("--template", default="secondary", choices=sorted(templates()))
    parser.add_argument("--specialist", action="append", default=[], choices=KEYS, help="may be repeated")
    parser.add_argument("--document", action="append", default=[], metavar="NAME_OR_ID")
    parser.add_argument("--retriever", default="hybrid", metavar="NAME")
    parser.add_argument("--title", default="", metavar="TEXT")
    parser.add_argument(
        "--date", type=_date, metavar="YYYY-MM-DD", help="the date on the memo (default today)"
    )
    parser.add_argument("--keep", metavar="NAME", help="keep it in the workspace under this name")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=lambda arguments: run(arguments, open_workspace))


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date like 2023-03-31") from None


def run(arguments: argparse.Namespace, open_workspace: Open) -> int:
    form = _form(arguments.out)
    with open_workspace(arguments.workspace) as workspace:
        desk = MemoDesk(workspace)
        memo = desk.run(
            arguments.about,
            template_key=arguments.template,
            specialists=arguments.specialist or KEYS,
            documents=[workspace.document(name).id for name in arguments.document],
            retriever=arguments.retriever,
            title=arguments.title,
            today=arguments.date,
            on_progress=_told,
        )
        checked = desk.audit(memo)
        if arguments.keep:
            desk.keep(arguments.keep, memo)
        if form:
            _write(arguments.out, desk.export(memo, form))
    flagged = sum(each.check.flagged for each in checked)
    if arguments.json:
        print(json.dumps(_as_json(memo, checked, arguments.out), ensure_ascii=False))
    else:
        print(
            f"{counted(len(memo.findings), 'finding')}, "
            f"{counted(len(memo.open_questions), 'open question')}, "
            f"{counted(len(checked), 'sentence')}, {flagged} flagged."
        )
    for note in memo.notes:
        print(note, file=sys.stderr)
    return 0


def _form(out: Path | None) -> str:
    """:raises InvalidInput: the name does not end like a format that can be written, or has no folder."""
    if out is None:
        return ""
    form = out.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise InvalidInput(f"{out.name} does not say a format: let it end in .{', .'.join(FORMATS)}.")
    if not out.parent.is_dir():
        raise InvalidInput(f"There is no folder {out.parent}. Create it, or choose another place.")
    return form


def _write(out: Path, data: bytes) -> None:
    try:
        out.write_bytes(data)
    except OSError as error:
        raise WorkspaceError(f"{out} cannot be written ({error.strerror}). Choose another place.") from error


def _told(progress: Progress) -> None:
    if progress.done == progress.total:
        print(f"{progress.specialist}: done", file=sys.stderr, flush=True)


def _as_json(memo: Memo, checked: tuple[Audited, ...], out: Path | None) -> dict[str, Any]:
    return {
        "title": memo.title,
        "template": memo.template,
        "date": memo.date,
        "out": str(out) if out else None,
        "findings": [
            {
                "specialist": found.specialist,
                "kind": found.kind.value,
                "section": found.section,
                "claim": found.claim,
                "passages": list(found.passage_ids),
                "confidence": found.confidence,
                "figures": [
                    {
                        "measure": figure.measure,
                        "text": figure.text,
                        "value": figure.value,
                        "unit": figure.unit,
                        "scale": figure.scale,
                        "currency": figure.currency,
                        "period": figure.period,
                        "passage": figure.passage_id,
                    }
                    for figure in found.figures
                ],
                "path": list(found.path),
                "note": found.note,
            }
            for found in memo.findings
        ],
        "open_questions": [{"specialist": q.specialist, "question": q.text} for q in memo.open_questions],
        "audit": [
            {
                "section": memo.sections[each.sentence.section].heading,
                "sentence": each.sentence.text,
                "marks": list(each.sentence.marks),
                "verdict": each.check.verdict.value,
                "flags": list(each.check.flags),
            }
            for each in checked
        ],
        "sources": list(memo.sources),
        "notes": list(memo.notes),
    }
