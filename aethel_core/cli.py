"""The command line.

    python -m aethel_core ingest letters/ 10-K.pdf --workspace data/fund
    python -m aethel_core search "What is the unfunded commitment?" --workspace data/fund --k 5
    python -m aethel_core documents --workspace data/fund
    python -m aethel_core reindex --workspace data/fund
    python -m aethel_core delete 10-K.pdf --workspace data/fund

Results go to standard output, everything else to standard error. Exit codes: 0 it worked, 1 it or
a part of it failed, 2 it was asked for wrongly, 130 it was stopped with Ctrl-C.

Other packages add commands: a module named in `EXTENSIONS` has ``register(subparsers,
open_workspace)``, which adds one parser with ``set_defaults(run=function)``; the function takes the
parsed arguments and gives the exit code. It is imported only when its command is used, and
everything heavy is imported inside functions, so that ``--help`` is instant.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aethel_core.errors import AethelError, InvalidInput, ModelUnavailable, UnknownDocument
from aethel_core.terminal import INTERRUPTED, positive, stoppable
from aethel_core.text import counted

if TYPE_CHECKING:
    from aethel_core.types import Document, Filters
    from aethel_core.workspace import (
        Chip,
        IngestReport,
        Outcome,
        Progress,
        QueryView,
        Source,
        Switches,
        Workspace,
    )

EXTENSIONS = {
    "reindex": ("aethel_core.workspace.reindex_cli", "read documents again from their stored files"),
    "memo": ("aethel_core.workspace.memo_cli", "let the specialists work and write a memo"),
    "extract": (
        "aethel_core.workspace.extract_cli",
        "let a language model read names and facts, for PPR-LLM",
    ),
    "evaluate": ("aethel_core.evaluation.cli", "measure retrievers on questions with known answers"),
}
_BROKEN_PIPE = 141  # 128 + SIGPIPE, as the shell reports it of other programs
_SNIPPET = 320
_KNOWN_SHOWN = 20


def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    parsed = _parser(given[0] if given else "").parse_args(given)
    try:
        code = parsed.run(parsed)
        sys.stdout.flush()
        return code
    except AethelError as error:
        print(f"aethel: {error}", file=sys.stderr)
        return 2 if isinstance(error, InvalidInput) and not isinstance(error, UnknownDocument) else 1
    except KeyboardInterrupt:
        print("aethel: stopped.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away; nobody is left to be told, at exit neither.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE


def _parser(command: str) -> argparse.ArgumentParser:
    """All commands; of the extensions only ``command`` with its arguments, the others by name."""
    parser = argparse.ArgumentParser(
        prog="python -m aethel_core", description="Multi-document financial diligence on the command line."
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for register in (
        _register_ingest,
        _register_resume,
        _register_search,
        _register_documents,
        _register_delete,
    ):
        register(commands)
    for name, (module, summary) in EXTENSIONS.items():
        if name == command:
            importlib.import_module(module).register(commands, _open)
        else:
            commands.add_parser(name, help=summary)
    return parser


def _open(folder: Path) -> Workspace:
    from aethel_core.workspace import Workspace

    return Workspace.open(folder, create=False)


def add_workspace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR", help="the workspace's folder")


def _register_ingest(commands: Any) -> None:
    parser = commands.add_parser("ingest", help="add PDFs to a workspace, which is created if need be")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="PDF files, and folders of them")
    add_workspace(parser)
    parser.add_argument("--password", help="the password of files that ask for one")
    parser.set_defaults(run=_ingest)


def _register_resume(commands: Any) -> None:
    parser = commands.add_parser("resume", help="go on with files that an interrupted ingest left")
    add_workspace(parser)
    parser.add_argument("--password", help="the password of files that ask for one")
    parser.add_argument("--discard", action="store_true", help="forget these files instead")
    parser.set_defaults(run=_resume)


def _register_search(commands: Any) -> None:
    parser = commands.add_parser("search", help="ask one retriever a question")
    parser.add_argument("question", metavar="QUESTION")
    add_workspace(parser)
    parser.add_argument(
        "--retriever",
        default="hybrid",
        metavar="NAME",
        help="tfidf, bm25, dense, ppr-regex, ppr-ner, bct, ppr-llm (after extract), rrf, cascade or hybrid "
        "(default)",
    )
    parser.add_argument(
        "--k", type=positive, default=10, metavar="N", help="at most so many hits (default 10)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    how = parser.add_argument_group("pipeline", "parts before and after retrieval, as on Compare")
    how.add_argument("--with", action="append", default=[], dest="parts_on", metavar="PART")
    how.add_argument(
        "--without",
        action="append",
        default=[],
        dest="parts_off",
        metavar="PART",
        help="spelling, normalise, forms, abbreviations, units, keywords, paraphrases, hypothesis, "
        "routing, together, summaries, 'stage 1', 'stage 2'",
    )
    how.add_argument(
        "--by-model",
        action="append",
        default=[],
        metavar="PART",
        help="let the language model write keywords, paraphrases or hypothesis",
    )
    how.add_argument("--only", action="store_true", help="nothing but what routing points to")
    how.add_argument("--show-query", action="store_true", help="tell what was made of the question")
    only = parser.add_argument_group("filters", "each may be given several times")
    only.add_argument("--company", action="append", default=[], metavar="NAME")
    only.add_argument("--year", action="append", default=[], metavar="YEAR", type=positive)
    only.add_argument(
        "--type", action="append", default=[], metavar="TYPE", help='such as 10-K or "LP letter"'
    )
    only.add_argument("--section", action="append", default=[], metavar="TITLE", help="or a part of it")
    only.add_argument("--kind", action="append", default=[], choices=("prose", "table"))
    only.add_argument("--document", action="append", default=[], metavar="NAME_OR_ID")
    parser.set_defaults(run=_search)


def _register_documents(commands: Any) -> None:
    parser = commands.add_parser("documents", help="list the documents of a workspace")
    add_workspace(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_documents)


def _register_delete(commands: Any) -> None:
    parser = commands.add_parser("delete", help="delete a document from a workspace, without asking")
    parser.add_argument("document", metavar="NAME_OR_ID")
    add_workspace(parser)
    parser.set_defaults(run=_delete)


def _ingest(arguments: argparse.Namespace) -> int:
    from aethel_core.workspace import Workspace

    sources, missing = _sources(arguments.paths, arguments.password)
    for complaint in missing:
        print(f"aethel: {complaint}", file=sys.stderr)
    if not sources:
        return 1
    with Workspace.open(arguments.workspace) as workspace, stoppable() as stopped:
        report = workspace.ingest(sources, on_progress=_Progress(), cancelled=stopped)
    return max(_told(report, workspace), 1 if missing else 0)


def _sources(paths: Sequence[Path], password: str | None) -> tuple[list[Source], list[str]]:
    """What there is to add; a path that holds nothing does not keep the others from being added."""
    from dataclasses import replace

    from aethel_core.workspace import sources_from_paths

    sources, complaints = [], []
    for path in paths:
        try:
            sources += [replace(source, password=password) for source in sources_from_paths([path])]
        except InvalidInput as error:
            complaints.append(str(error))
    return sources, complaints


def _resume(arguments: argparse.Namespace) -> int:
    with _open(arguments.workspace) as workspace, stoppable() as stopped:
        waiting = workspace.pending()
        if arguments.discard:
            workspace.discard_pending()
            print(f"{len(waiting)} forgotten.")
            return 0
        passwords = {file.id: arguments.password for file in waiting} if arguments.password else {}
        report = workspace.resume(passwords=passwords, on_progress=_Progress(), cancelled=stopped)
    return _told(report, workspace)


def _told(report: IngestReport, workspace: Workspace) -> int:
    """Say what became of the files; the exit code that goes with it."""
    from aethel_core.workspace import STORED

    troubles = report.of("failed", "password", "cancelled")
    for outcome in report.outcomes:
        if outcome not in troubles:
            print(_line(outcome))
    for outcome in troubles:
        print(_line(outcome), file=sys.stderr)
    added = len(report.of(*STORED))
    if report.outcomes:
        print(f"{added} of {len(report.outcomes)} added, {len(troubles)} not.", file=sys.stderr)
    else:
        print("There was nothing to add.", file=sys.stderr)
    if report.of("cancelled", "password"):
        print(
            f"What waits is taken up by: python -m aethel_core resume --workspace {workspace.path}",
            file=sys.stderr,
        )
    if report.of("cancelled"):
        return INTERRUPTED
    return 0 if report.complete else 1


def _line(outcome: Outcome) -> str:
    name, message = outcome.name, outcome.message
    if message.startswith(f"{name} "):
        message = f"It{message.removeprefix(name)}"
    return f"{outcome.status}: {name}: {message}"


class _Progress:
    """On a terminal one line that is written over; elsewhere one line as each file begins."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._file = 0

    def __call__(self, progress: Progress) -> None:
        place = f"[{progress.file_number}/{progress.files}] {progress.file}"
        if self._terminal:
            end = "\n" if progress.stage == "saving" and progress.done else ""
            line = f"{place}: {progress.stage} {progress.done}/{progress.total}"
            sys.stderr.write(f"\r\x1b[K{line[:100]}{end}")
            sys.stderr.flush()
        elif progress.file_number != self._file:
            print(place, file=sys.stderr, flush=True)
        self._file = progress.file_number


def _search(arguments: argparse.Namespace) -> int:
    with _open(arguments.workspace) as workspace:
        switches = _switches(arguments)
        if switches.modelled and not workspace.settings.llm_model:
            raise ModelUnavailable("No language model is set. Name one by AETHEL_LLM_MODEL.")
        asked = workspace.prepare(arguments.question, switches, _filters(arguments, workspace))
        ranking = workspace.search(asked.query, arguments.retriever, arguments.k)
        stages = workspace.stages(asked.query, arguments.k) if arguments.retriever == "cascade" else ()
        passages = workspace.passages_by_id(ranking.ids)
        names = {document.id: document.name for document in workspace.documents()}
        if arguments.json:
            hits = [
                {
                    "rank": rank,
                    "score": hit.score,
                    "passage_id": hit.passage_id,
                    "document": names[passages[hit.passage_id].document_id],
                    "page": passages[hit.passage_id].page,
                    "section": passages[hit.passage_id].section,
                    "text": passages[hit.passage_id].text,
                }
                for rank, hit in enumerate(ranking.hits, start=1)
            ]
            told = {"query": arguments.question, "retriever": ranking.retriever, "hits": hits}
            if arguments.show_query:
                told |= {"asked": asked.query.text, "chips": [_chip(chip) for chip in asked.view.chips]}
            print(json.dumps(told))
        else:
            for rank, hit in enumerate(ranking.hits, start=1):
                passage = passages[hit.passage_id]
                print(f"{rank:>3}. {hit.score:.4f}  {workspace.citation(hit.passage_id)}")
                print(f"     {names[passage.document_id]}")
                snippet = textwrap.shorten(passage.text, _SNIPPET, placeholder=" …")
                print(textwrap.fill(snippet, 100, initial_indent="     ", subsequent_indent="     "))
    if arguments.show_query and not arguments.json:
        _tell_query(asked.view)
    for stage in stages[1:]:
        print(f"{stage.name}: {stage.given:,} to {stage.kept:,} in {stage.seconds:.3f} s", file=sys.stderr)
    for note in (*asked.view.notes, ranking.note or ("" if ranking.hits else "Nothing was found.")):
        if note:
            print(note, file=sys.stderr)
    return 0


def _switches(arguments: argparse.Namespace) -> Switches:
    from aethel_core.workspace import PARTS, WRITTEN, Switches

    switches = Switches(only=arguments.only)
    wanted = [
        *((part, True) for part in arguments.parts_on),
        *((part, False) for part in arguments.parts_off),
    ]
    for part, on in wanted:
        if part not in PARTS:
            raise InvalidInput(f"There is no part {part!r}. Choose of: {', '.join(PARTS)}.")
        switches = switches.turned(part, on)
    for step in arguments.by_model:
        if step not in WRITTEN:
            raise InvalidInput(f"A model writes {', '.join(WRITTEN)}, not {step!r}.")
        switches = switches.turned(step, True).written(step, True)
    return switches


def _tell_query(view: QueryView) -> None:
    print(f"Asked: {view.text}", file=sys.stderr)
    for chip in view.chips:
        print(f"  [{'x' if chip.on else ' '}] {chip.kind.value}: {chip.label}", file=sys.stderr)


def _chip(chip: Chip) -> dict[str, Any]:
    return {"id": chip.id, "kind": chip.kind.value, "label": chip.label, "on": chip.on}


def _filters(arguments: argparse.Namespace, workspace: Workspace) -> Filters:
    from aethel_core.types import Filters, PassageKind

    known = workspace.facets()
    return Filters(
        companies=_chosen("company", arguments.company, known.companies),
        years=tuple(arguments.year),
        types=_chosen("type", arguments.type, known.types),
        sections=_chosen("section", arguments.section, known.sections),
        kinds=tuple(PassageKind(kind) for kind in arguments.kind),
        documents=tuple(workspace.document(name).id for name in arguments.document),
    )


def _chosen(what: str, given: Sequence[str], known: Sequence[str]) -> tuple[Any, ...]:
    """The known values that are meant: equal without regard to case, or else those that contain it."""
    found: dict[str, None] = {}
    for text in given:
        wanted = text.casefold()
        hits = [value for value in known if value.casefold() == wanted]
        hits = hits or [value for value in known if wanted in value.casefold()]
        if not hits:
            shown = ", ".join(known[:_KNOWN_SHOWN]) + (", …" if len(known) > _KNOWN_SHOWN else "")
            raise InvalidInput(f"No document has the {what} {text!r}. There are: {shown or 'none'}.")
        found.update(dict.fromkeys(hits))
    return tuple(found)


def _documents(arguments: argparse.Namespace) -> int:
    with _open(arguments.workspace) as workspace:
        documents, waiting, outdated = workspace.documents(), workspace.pending(), workspace.outdated()
    if arguments.json:
        found = [{**_as_json(document), "outdated": outdated.get(document.id, "")} for document in documents]
        print(json.dumps({"documents": found}))
    else:
        for document in documents:
            metadata = document.metadata
            said = " ".join(p for p in (metadata.company, metadata.type.value, metadata.period.label) if p)
            print(
                f"{document.id}  {document.name}  [{said}]  "
                f"{counted(document.page_count, 'page')}, {counted(document.passage_count, 'passage')}  "
                f"{outdated.get(document.id, '')}".rstrip()
            )
    if waiting:
        resume = f"python -m aethel_core resume --workspace {arguments.workspace}"
        wait = "waits" if len(waiting) == 1 else "wait"
        print(f"{counted(len(waiting), 'file')} {wait} to be added: {resume}", file=sys.stderr)
    if outdated:
        again = f"python -m aethel_core reindex --workspace {arguments.workspace}"
        print(f"{counted(len(outdated), 'document')} should be read again: {again}", file=sys.stderr)
    return 0


def _as_json(document: Document) -> dict[str, Any]:
    metadata = document.metadata
    return {
        "id": document.id,
        "name": document.name,
        "company": metadata.company,
        "type": metadata.type.value,
        "fiscal_year": metadata.period.fiscal_year,
        "quarter": metadata.period.quarter,
        "period_end": metadata.period.end,
        "title": metadata.title,
        "pages": document.page_count,
        "passages": document.passage_count,
        "tables": document.table_count,
        "entities": document.entity_count,
        "ocr_pages": document.ocr_pages,
        "size": document.size,
        "added_at": document.added_at,
        "version_of": document.version_of,
        "edited": document.edited,
        "warnings": list(document.warnings),
    }


def _delete(arguments: argparse.Namespace) -> int:
    with _open(arguments.workspace) as workspace:
        document = workspace.document(arguments.document)
        workspace.delete(document.id)
    print(f"deleted: {document.name}")
    return 0
