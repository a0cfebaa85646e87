"""Memos of a workspace: specialists run, drafts are kept as versions, audited and exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from threading import Lock

from aethel_core import llm
from aethel_core.agents import KEYS, Brief, Finding, FindingKind, OpenQuestion, Progress, Reading, Report
from aethel_core.agents import build as build_specialists
from aethel_core.agents import run as run_specialists
from aethel_core.agents.base import Cancelled, OnProgress
from aethel_core.agents.checklist import builtin_text, read
from aethel_core.agents.model import ModelFinder, ModelWriter
from aethel_core.agents.paths import Paths
from aethel_core.agents.ranking import ranked
from aethel_core.agents.specialist import concerns_document
from aethel_core.answer import CLOSEST, NOT_FOUND, PASSAGES, Answer, Cited
from aethel_core.answer import answer as plain_answer
from aethel_core.audit import Entailment, SentenceCheck, Sources, Verdict
from aethel_core.errors import InvalidInput, ModelUnavailable, UnknownRetriever
from aethel_core.llm import Estimate
from aethel_core.memo import (
    EXPORTERS,
    Audited,
    Memo,
    Section,
    audited,
    checker,
    drafted,
    from_json,
    rendered,
    template,
    templates,
    to_json,
    with_line,
)
from aethel_core.store import MemoVersion
from aethel_core.text import match_form
from aethel_core.types import Document, Passage, Query, Ranking, Rect
from aethel_core.workspace import long_reading
from aethel_core.workspace.crops import ZOOM, cut
from aethel_core.workspace.facade import Workspace
from aethel_core.workspace.long_reading import Load, Read

__all__ = [
    "CLOSEST",
    "FORMATS",
    "KEYS",
    "NOT_FOUND",
    "Answer",
    "Audited",
    "Cited",
    "Estimate",
    "Finding",
    "FindingKind",
    "Load",
    "Memo",
    "MemoDesk",
    "MemoVersion",
    "OpenQuestion",
    "Progress",
    "Read",
    "Reading",
    "Report",
    "Section",
    "SentenceCheck",
    "Verdict",
    "template",
    "templates",
    "with_body",
    "with_line",
]

FORMATS = tuple(EXPORTERS)
_CHECKLISTS = "checklists"  # a setting of the workspace: edited checklists as JSON, by key
_COPY = "memo.copy."  # settings of the workspace: a memo as it is being edited, by its name


class MemoDesk:
    """The memos of one workspace. Facts are read once and kept until the documents change; a desk
    is safe to share between threads."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = Lock()
        self._library: _Library | None = None

    # Running

    def run(
        self,
        about: Sequence[str] = (),
        *,
        template_key: str = "secondary",
        specialists: Sequence[str] = KEYS,
        documents: Sequence[str] = (),
        retriever: str = "hybrid",
        title: str = "",
        today: date | None = None,
        budget: int = 0,
        on_progress: OnProgress = lambda progress: None,
        cancelled: Cancelled = lambda: False,
    ) -> Memo:
        """Let the specialists work and draft a memo of what they found. Nothing is kept yet.

        :param budget: the most tokens a language model may take, if one is set; 0 is what the settings
            allow.
        :raises InvalidInput: there is no such template, specialist or retriever, a checklist is none,
            there is no document, or the documents name an entity nowhere.
        """
        chosen = template(template_key)
        library = self.library()
        names = tuple(name.strip() for name in about if name.strip())
        self._check(library, names, retriever)
        model = self._model(budget)
        finder = ModelFinder(model, library.sources) if model else None
        writer = ModelWriter(model, library.sources) if model else None
        crew = build_specialists(specialists, self.checklists(), finder)
        brief = Brief(names, tuple(documents), retriever)
        reports = run_specialists(
            crew,
            library,
            brief,
            on_progress=on_progress,
            cancelled=cancelled,
            workers=self._workspace.settings.workers,
        )
        memo = Memo(
            title=title.strip() or _title(names, self._workspace.name),
            template=template_key,
            about=names,
            findings=ranked(tuple(found for report in reports for found in report.findings)),
            open_questions=tuple(question for report in reports for question in report.open_questions),
            notes=tuple(f"{report.specialist}: {report.note}" for report in reports if report.note),
            settings=(
                f"Retriever: {retriever}, {brief.k} passages per question.",
                f"Specialists: {', '.join(specialist.name for specialist in crew)}.",
                f"Language model: {model.endpoint.name if model else 'none; findings are extracted'}.",
            ),
            date=(today or date.today()).isoformat(),
        )
        made = drafted(memo, chosen, writer)
        if model is None:
            return made
        made = _judged(made, model, library.sources)
        notes = [writer.note] if writer and writer.note else []
        return replace(made, notes=(*made.notes, *notes, _told(model)))

    def _check(self, library: _Library, names: Sequence[str], retriever: str) -> None:
        """:raises InvalidInput: see `run`."""
        known = self._workspace.retriever_names()
        if retriever not in known:
            raise UnknownRetriever(retriever, known)
        if not library.documents():
            raise InvalidInput("This workspace holds no document. Add some before a memo is written.")
        for name in names:
            if not library.names(name):
                raise InvalidInput(f"The documents name {name!r} nowhere. Write it as they do.")

    def estimate(self, specialists: Sequence[str] = KEYS) -> llm.Estimate | None:
        """What a run with the model of the settings may take at most; None without a model."""
        model = llm.load(self._workspace.settings)
        if model is None:
            return None
        crew = build_specialists(specialists, self.checklists())
        questions = sum(len(specialist.checklist.questions) for specialist in crew)
        # A prompt holds ten passages at most, that of an audit one sentence and mostly one passage; the
        # answer has the length that the endpoint allows.
        asked = [(" " * 1200, " " * 20_000)] * questions
        return model.estimate([*asked, *[(" " * 1200, " " * 4_000)] * questions * 2])

    def redraft(self, memo: Memo) -> Memo:
        """The sections written anew from the accepted findings; edits in them are lost."""
        return drafted(memo, template(memo.template))

    def answer(self, question: str | Query, retriever: str = "hybrid", k: int = PASSAGES) -> Answer:
        """A few sentences with citations under the audit, or none where the documents do not say it.

        :raises EmptyQuery, UnknownRetriever, InvalidInput: the question cannot be asked like this.
        """
        library = self.library()
        ranking = self._workspace.search(question, retriever, k)
        text = question if isinstance(question, str) else question.text
        model = self._model()
        return plain_answer(text, ranking.ids, library.sources, model, self._workspace.embedder)

    def load(self, question: Query) -> Load:
        """What a model would read to answer the question, and in how many parts."""
        return long_reading.load(self._workspace, question)

    def read(self, question: Query) -> Read:
        """The model's answer, under the audit, from as much as the cascade keeps.

        :raises ModelUnavailable: no model is set.
        """
        model = self._model()
        if model is None:
            raise ModelUnavailable("No language model is set. Name one in the settings.")
        return long_reading.read(self._workspace, self.library().sources, question, model)

    def audit(self, memo: Memo) -> tuple[Audited, ...]:
        return audited(memo, self.library().sources)

    def judge(self, memo: Memo, *, budget: int = 0) -> Memo:
        """The memo with what the model makes of the sentences that it has not read yet. What it says
        can only lower the verdict of the rules.

        :raises ModelUnavailable: no model is set.
        """
        model = self._model(budget)
        if model is None:
            raise ModelUnavailable("No language model is set. Name one in the settings.")
        made = _judged(memo, model, self.library().sources)
        return replace(made, notes=(*made.notes, _told(model)))

    def checks(self, memo: Memo) -> dict[str, SentenceCheck]:
        """What the audit says of each finding by itself, by its id."""
        check = checker(memo, self.library().sources)
        return {found.id: check(found.claim, found.passage_ids) for found in memo.findings}

    def export(self, memo: Memo, form: str) -> bytes:
        """:raises InvalidInput: there is no such format."""
        if form not in EXPORTERS:
            raise InvalidInput(f"There is no export {form!r}. Choose of: {', '.join(FORMATS)}.")
        library = self.library()
        pictures = form in ("pdf", "docx")
        ready = rendered(
            memo,
            library.sources,
            self._workspace.citation,
            corpus=[f"{document.id} {document.name}" for document in library.documents()],
            crop=self.crop if pictures else lambda passage, cells: None,
        )
        return EXPORTERS[form](ready)

    def crop(self, passage_id: str, cells: Sequence[Rect] = ()) -> bytes | None:
        """The passage as it stands on its page, marked; None where its place is not known.

        :param cells: of its table, which are marked instead; of a long table, what is around them
            and the head are shown.
        """
        source = self.library().sources.get(passage_id)
        if source is None or not source.passage.rects:
            return None
        passage = source.passage
        page = self._workspace.page_image(
            passage.document_id, passage.page, zoom=ZOOM, highlights=tuple(cells) or passage.rects
        )
        return cut(page, passage, cells)

    # Checklists

    def checklists(self) -> Mapping[str, str]:
        """Those a person changed, as JSON, by specialist."""
        return self._workspace.setting(_CHECKLISTS, {})

    def checklist(self, key: str) -> str:
        return self.checklists().get(key) or builtin_text(key)

    def set_checklist(self, key: str, text: str | None) -> None:
        """None goes back to the one that comes with Aethel.

        :raises InvalidInput: it is not a checklist.
        """
        edited = dict(self.checklists())
        edited.pop(key, None)
        if text is not None:
            read(text)
            edited[key] = text
        self._workspace.set_setting(_CHECKLISTS, edited)

    # Keeping

    def keep(self, name: str, memo: Memo) -> MemoVersion:
        """Add a version of the memo of that name; earlier ones stay."""
        if not name.strip():
            raise InvalidInput("The memo has no name. Give it one to keep it.")
        kept = self._workspace.save_memo(name.strip(), to_json(memo))
        self._workspace.set_setting(_COPY + name.strip(), None)
        return kept

    def save(self, name: str, memo: Memo) -> None:
        """Remember the memo as it is being edited, without adding a version; `keep` makes it one."""
        self._workspace.set_setting(_COPY + name, to_json(memo))

    def edited(self, name: str) -> bool:
        """Whether it was changed since its newest version."""
        return self._workspace.setting(_COPY + name) is not None

    def current(self, name: str) -> Memo:
        """The memo as it was left: as it was saved last, else its newest version.

        :raises InvalidInput: there is none, or it cannot be read.
        """
        saved = self._workspace.setting(_COPY + name)
        return self.open(name) if saved is None else from_json(saved)

    def names(self) -> tuple[str, ...]:
        """The memos kept, the one changed last first."""
        return tuple(dict.fromkeys(version.memo for version in self._workspace.memos()))

    def versions(self, name: str) -> tuple[MemoVersion, ...]:
        """Newest first."""
        found = [version for version in self._workspace.memos() if version.memo == name]
        return tuple(sorted(found, key=lambda version: -version.version))

    def open(self, name: str, version: int | None = None) -> Memo:
        """The newest version, or the one named.

        :raises InvalidInput: there is none, or it cannot be read.
        """
        for kept in self.versions(name):
            if version is None or kept.version == version:
                return from_json(kept.data)
        raise InvalidInput(f"There is no memo {name!r}" + (f" of version {version}." if version else "."))

    def delete(self, name: str) -> None:
        self._workspace.delete_memo(name)
        self._workspace.set_setting(_COPY + name, None)

    # Inside

    def _model(self, budget: int = 0) -> llm.ChatModel | None:
        settings = self._workspace.settings
        return llm.load(settings, budget=llm.Budget(budget or settings.llm_budget))

    def library(self) -> _Library:
        """What specialists read, of the documents as they are now."""
        with self._lock:
            revision = self._workspace.revision()
            if self._library is None or self._library.revision != revision:
                self._library = _Library(self._workspace, revision)
            return self._library


class _Library:
    def __init__(self, workspace: Workspace, revision: int) -> None:
        self.revision = revision
        self._workspace = workspace
        self._documents = workspace.documents()
        self.sources = Sources(self._documents, workspace.passages)
        self._paths: Paths | None = None

    def search(self, query: Query, retriever: str, k: int) -> Ranking:
        return self._workspace.search(query, retriever, k)

    def documents(self) -> Sequence[Document]:
        return self._documents

    def passages(self, passage_ids: Sequence[str]) -> dict[str, Passage]:
        return self._workspace.passages_by_id(passage_ids)

    def names(self, name: str) -> bool:
        """Whether any document is of, or speaks of, what has this name."""
        return any(concerns_document(document, (name,)) for document in self._documents) or any(
            match_form(name) in match_form(passage.text)
            for document in self._documents
            for passage in self._workspace.passages(document.id)
        )

    def path(self, about: Sequence[str], passage_id: str) -> tuple[str, ...]:
        source = self.sources.get(passage_id)
        if source is None or not about:
            return ()
        if self._paths is None:
            self._paths = Paths(self._workspace.index())
        return self._paths.path(about, source.passage)


def _judged(memo: Memo, model: llm.ChatModel, sources: Sources) -> Memo:
    known = {(each.text, each.passage_ids) for each in memo.judgements}
    checks = [each.check for each in audited(memo, sources)]
    read = Entailment(model, sources).judge(
        [check for check in checks if (check.text, check.passage_ids) not in known]
    )
    notes = (f"Audit: {read.note}",) if read.note else ()
    return replace(memo, judgements=(*memo.judgements, *read.judgements), notes=(*memo.notes, *notes))


def _told(model: llm.ChatModel) -> str:
    spent = model.spent
    calls = f"{spent.calls:,} call{'' if spent.calls == 1 else 's'}"
    cost = f", cost {spent.cost:.4g}" if spent.cost else ""
    told = (
        f"The model took {calls} and {spent.cached:,} answers kept from before: "
        f"{spent.tokens_in:,} tokens in, {spent.tokens_out:,} out{cost}."
    )
    if model.budget is None or not model.budget.reached:
        return told
    return f"{told} The budget of {model.budget.tokens:,} tokens was reached; the rest was done without it."


def _title(about: Sequence[str], workspace: str) -> str:
    return ", ".join(about) if about else workspace


def with_body(memo: Memo, number: int, body: str) -> Memo:
    """The memo with one section's text changed."""
    sections = list(memo.sections)
    sections[number] = replace(sections[number], body=body)
    return replace(memo, sections=tuple(sections))
