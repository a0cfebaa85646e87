"""One workspace: documents in, questions answered, and what people leave in it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from aethel_core import config, embedding, formats, llm, long_context, pipeline, rerankers, search
from aethel_core.config import Settings
from aethel_core.embedding import Embedder
from aethel_core.errors import InvalidInput, ModelUnavailable, UnknownDocument, WorkspaceError
from aethel_core.evidence import Explanation
from aethel_core.index import Index
from aethel_core.ingestion.pipeline import Pipeline, admit
from aethel_core.ingestion.preparation import InProcess, InThread, Preparation
from aethel_core.ingestion.prepare import NameReader, names_fingerprint
from aethel_core.ingestion.report import STORED, IngestReport, Outcome, Progress
from aethel_core.ingestion.sources import Source
from aethel_core.long_context import Counter, LongAnswer, ModelReader, Reader
from aethel_core.parsing.clean import clean
from aethel_core.pipeline import Effect, Prepared, Switches
from aethel_core.prequery import QueryView, Steps, Writer
from aethel_core.rerankers import Plan, Stages
from aethel_core.rerankers.cascade import StageReport
from aethel_core.retrievers import Parameters
from aethel_core.retrievers.ppr_llm import PprLlm
from aethel_core.search import Search, agreement
from aethel_core.store import (
    Counts,
    HistoryEntry,
    Label,
    Made,
    MemoVersion,
    PendingFile,
    Store,
)
from aethel_core.summaries import Summary
from aethel_core.text import typed
from aethel_core.types import (
    Document,
    DocumentType,
    Filters,
    Metadata,
    Page,
    Passage,
    PassageKind,
    Query,
    Ranking,
    Rect,
)
from aethel_core.workspace.citation import citation
from aethel_core.workspace.corpus import Corpus
from aethel_core.workspace.evidence import Evidence, edits_of, with_mutes
from aethel_core.workspace.extraction import Extraction
from aethel_core.workspace.folders import write_backup
from aethel_core.workspace.set_differently import set_differently

if TYPE_CHECKING:
    from aethel_core.evaluation.lab import Lab

_LOG = logging.getLogger(__name__)
OnProgress = Callable[[Progress], None]
Cancelled = Callable[[], bool]
_ANY = Filters()
_USUAL = Switches()
_PARAMETERS, _PLAN, _EVIDENCE = "retrieval parameters", "cascade", "evidence tokens"  # kept settings
_WRITING = 20.0  # seconds that a model may take for keywords or paraphrases
AGREEMENT_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Facets:
    """What there is to filter by: every value that some document or passage has."""

    companies: tuple[str, ...]
    years: tuple[int, ...]
    types: tuple[DocumentType, ...]
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rankings of several retrievers for one question. ``agreement`` is `search.agreement` of
    their first `AGREEMENT_DEPTH` hits."""

    query: Query
    rankings: tuple[Ranking, ...]
    agreement: float
    seconds: float = field(default=0.0, compare=False)


class Workspace:
    """Safe to share between threads; opened again by another process it sees the same."""

    def __init__(
        self,
        path: Path,
        store: Store,
        settings: Settings,
        embedder: Embedder,
        names: NameReader | None,
    ) -> None:
        self.path = path
        self.settings = settings
        self._store = store
        self._embedder = embedder
        self._names = names
        recogniser = names.name if names else names_fingerprint()
        self._corpus = Corpus(store.documents, embedder.name, recogniser)
        self._recogniser = recogniser
        self._engine: Search | None = None
        self._stages: tuple[Plan, Stages] | None = None
        self._engine_lock = Lock()
        self._edited = (Index.empty(), Index.empty())  # as read, and with people's corrections

    @classmethod
    def open(
        cls,
        path: Path,
        settings: Settings | None = None,
        *,
        create: bool = True,
        embedder: Embedder | None = None,
        names: NameReader | None = None,
    ) -> Self:
        """Open the workspace of a folder.

        :param create: make it if there is none.
        :param embedder: instead of the one the settings name.
        :param names: instead of the recognisers that come with Aethel; they then run in a thread.
        :raises WorkspaceError: it is not there, not a workspace, newer, damaged, or not writable.
        """
        settings = settings or config.settings()
        store = Store(Path(path), create=create)
        return cls(Path(path), store, settings, embedder or embedding.load(settings), names)

    def close(self) -> None:
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def writable(self) -> bool:
        """Whether anything can be stored; a workspace that can only be read is searched all the same."""
        return self._store.database.writable

    @property
    def name(self) -> str:
        return self.path.resolve().name

    # Documents in

    def ingest(
        self,
        sources: Sequence[Source],
        *,
        on_progress: OnProgress | None = None,
        cancelled: Cancelled | None = None,
    ) -> IngestReport:
        """Add files. Each is stored whole or not at all; what goes wrong with one is its outcome.

        :raises WorkspaceError: somebody is adding documents already, or nothing can be written.
        """
        with self._turn():
            entries, passwords = admit(self._store, sources, self.settings.max_file_mb)
            files = [entry for entry in entries if isinstance(entry, PendingFile)]
            made = iter(tuple(self._run(files, passwords, on_progress, cancelled)))
            return IngestReport(tuple(e if isinstance(e, Outcome) else next(made) for e in entries))

    def pending(self) -> tuple[PendingFile, ...]:
        """Files that an ingest did not get to: it was stopped or killed, or lacks a password.
        Empty while documents are being added, because then the rest is not left over."""
        return self._store.queue.all() if self._store.turn().free() else ()

    def resume(
        self,
        pending_ids: Sequence[str] | None = None,
        *,
        passwords: Mapping[str, str] | None = None,
        on_progress: OnProgress | None = None,
        cancelled: Cancelled | None = None,
    ) -> IngestReport:
        """Go on with pending files: those named, or all. ``passwords`` go by the pending id.

        :raises InvalidInput: one of them is not waiting.
        """
        with self._turn():
            if pending_ids is None:
                files = list(self._store.queue.all())
            else:
                files = [self._store.queue.get(pending_id) for pending_id in pending_ids]
            return IngestReport(tuple(self._run(files, passwords or {}, on_progress, cancelled)))

    def discard_pending(self, pending_ids: Sequence[str] | None = None) -> None:
        """Forget pending files: those named, or all."""
        with self._turn():
            ids = [file.id for file in self._store.queue.all()] if pending_ids is None else pending_ids
            self._store.queue.discard(ids)

    def reindex(
        self,
        document_id: str,
        *,
        on_progress: OnProgress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Document:
        """Read a document anew from its stored file. Metadata a person edited stays, and so do marks
        on passages whose text is the same afterwards."""
        document = self.document(document_id)
        with closing(self._preparation()) as preparation:
            self._pipeline(preparation, on_progress, cancelled).rebuild(document)
        self._corpus.derive(document.id)
        return self._store.documents.get(document.id)

    def outdated(self) -> dict[str, str]:
        """The ids of documents that should be re-indexed, and for each why: a sentence."""
        return {
            document_id: why
            for document_id, made in self._store.documents.made().items()
            if (why := self._why_outdated(made))
        }

    def _why_outdated(self, made: Made) -> str:
        if made.model != self._embedder.name:
            return f"Indexed with another embedding model, {made.model}."
        if (made.reader, made.recogniser) != (formats.reader(), self._recogniser):
            return "Read by an earlier version of Aethel."
        return ""

    # Documents

    def documents(self, filters: Filters = _ANY) -> tuple[Document, ...]:
        """Those that satisfy the filters, or have a passage that does, in the order they were added."""
        found = [d for d in self._store.documents.all() if _matches(d, filters)]
        if filters.sections:
            sections = self._store.documents.sections()
            inside = set().union(*(sections.get(section, frozenset()) for section in filters.sections))
            found = [document for document in found if document.id in inside]
        return tuple(found)

    def document(self, id_or_name: str) -> Document:
        """:raises UnknownDocument: there is none.
        :raises InvalidInput: several have that name; then say which by its id."""
        documents = self._store.documents.all()
        found = [d for d in documents if d.id == id_or_name] or [d for d in documents if d.name == id_or_name]
        if not found:
            raise UnknownDocument(id_or_name)
        if len(found) > 1:
            ids = ", ".join(document.id for document in found)
            raise InvalidInput(
                f"{len(found)} documents are called {id_or_name!r}. Give one of their ids: {ids}."
            )
        return found[0]

    def update_document(
        self,
        document_id: str,
        metadata: Metadata,
        *,
        on_progress: OnProgress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Document:
        """Correct what a document is said to be; its passages are embedded anew where that matters.

        :raises InvalidInput: the year or quarter cannot be one.
        """
        _check_period(metadata)
        metadata = _readable(metadata)
        document = replace(self._store.documents.get(document_id), metadata=metadata, edited=True)
        with closing(self._preparation()) as preparation:
            self._pipeline(preparation, on_progress, cancelled).reembed(document)
        return document

    def delete(self, document_id: str) -> None:
        """Remove a document from everything, and its file.

        :raises UnknownDocument: there is none of that id.
        """
        self._store.documents.delete([document_id])

    def keep_versions(self, document_id: str) -> Document:
        """Say that a document counts beside the one it was taken for a version of."""
        document = replace(self._store.documents.get(document_id), version_of="")
        self._store.documents.update(document)
        return document

    def replace_version(self, document_id: str) -> Document:
        """Delete the document of which this one is a newer version.

        :raises InvalidInput: it is none.
        """
        document = self._store.documents.get(document_id)
        if not document.version_of:
            raise InvalidInput(f"{document.name} is not known as a version of another document.")
        self.delete(document.version_of)
        return self._store.documents.get(document_id)

    def sections(self) -> tuple[str, ...]:
        """Every section title of the workspace, in alphabetical order."""
        return tuple(section for section in self._store.documents.sections() if section)

    def facets(self) -> Facets:
        documents = self._store.documents.all()
        metadata = [document.metadata for document in documents]
        return Facets(
            tuple(sorted({m.company for m in metadata if m.company}, key=str.casefold)),
            tuple(sorted({m.period.fiscal_year for m in metadata if m.period.fiscal_year}, reverse=True)),
            tuple(t for t in DocumentType if any(m.type is t for m in metadata)),
            self.sections(),
        )

    def revision(self) -> int:
        """A number that moves on with every change to the documents."""
        return self._store.documents.revision()

    def counts(self) -> Counts:
        return self._store.documents.counts()

    def page(self, document_id: str, number: int) -> Page:
        return self._store.documents.page(document_id, number)

    def page_image(
        self, document_id: str, page: int, *, zoom: float = 1.5, highlights: Sequence[Rect] = ()
    ) -> bytes:
        """The page as PNG, the rectangles marked; ``zoom`` 1 is 72 dpi.

        :raises InvalidInput: there is no such page, or no such zoom.
        """
        from aethel_core import parsing

        document = self._store.documents.get(document_id)
        if not 1 <= page <= document.page_count:
            raise InvalidInput(
                f"{document.name} has pages 1 to {document.page_count}; {page} is none of them."
            )
        return parsing.render_page(self.file(document_id), page, zoom=zoom, highlights=highlights)

    def file(self, document_id: str) -> bytes:
        """The PDF as it was added; a copy without its password if it had one."""
        return self._store.documents.file(document_id)

    # Passages

    def passage(self, passage_id: str) -> Passage:
        return self._store.documents.passages_by_id([passage_id])[passage_id]

    def passages_by_id(self, passage_ids: Sequence[str]) -> dict[str, Passage]:
        return self._store.documents.passages_by_id(passage_ids)

    def passages(self, document_id: str, page: int | None = None) -> tuple[Passage, ...]:
        return self._store.documents.passages(document_id, page)

    def summary(self, document_id: str) -> Summary:
        """A long document in its sentences and rows that tell indicators and results, each with its
        passage; without sentences where the document is short enough to be read."""
        return self._corpus.summary(document_id)

    def read_long(
        self,
        question: str | Query,
        retriever: str = "cascade",
        k: int = 20,
        *,
        read: Reader | None = None,
        limit: int | None = None,
    ) -> LongAnswer:
        """The answer of a language model from the first k passages, in two halves where they are too
        long for one prompt; see `aethel_core.long_context`.

        :param read: instead of the model that the settings name.
        :param limit: tokens that one prompt may hold, instead of `evidence_limit`.
        :raises ModelUnavailable: no model is set, or it cannot be reached.
        """
        if read is None:
            model = llm.load(self.settings)
            if model is None:
                raise ModelUnavailable("No language model is set. Name one in the settings.")
            read = ModelReader(model)
        query = self._asked(question)
        ids = self._search_engine().search(query, retriever, k).ids
        found = self.passages_by_id(ids)
        return long_context.answer(
            query.text,
            [found[each] for each in ids],
            read,
            limit=self.evidence_limit() if limit is None else limit,
            count=self.token_counter(),
        )

    def evidence_limit(self) -> int:
        """Tokens of documents that one prompt may hold: this workspace's, else what the settings say."""
        return int(self.setting(_EVIDENCE) or self.settings.evidence_tokens)

    def set_evidence_limit(self, tokens: int | None) -> None:
        """None goes back to what the settings say.

        :raises InvalidInput: it is not positive.
        """
        if tokens is not None and tokens < 1:
            raise InvalidInput("A prompt must be allowed at least one token.")
        self.set_setting(_EVIDENCE, tokens)

    def token_counter(self) -> Counter:
        """By the tokenizer that the settings name, else an estimate.

        :raises ModelUnavailable: the file is no tokenizer.
        """
        named = self.settings.llm_tokenizer
        return long_context.counter(Path(named).expanduser() if named else None)

    def citation(self, passage_id: str) -> str:
        """Where a passage stands, in short: "NIKE 10-K FY2021 · p. 62 · Item 8"."""
        passage = self.passage(passage_id)
        return citation(self._store.documents.get(passage.document_id), passage)

    # Questions

    def retriever_names(self) -> tuple[str, ...]:
        """Those that can be asked: PPR-LLM only where a language model has read passages."""
        read = bool(self.extraction.readings())
        return tuple(name for name in search.NAMES if read or name != PprLlm.name)

    def index(self) -> Index:
        """The snapshot that questions asked now are answered from."""
        read, edits = self._corpus.index(), edits_of(self._store.journal)
        readings = self.extraction.readings()
        with self._engine_lock:
            now = self._edited[1]
            if self._edited[0] is not read or now.edits != edits or now.readings is not readings:
                self._edited = (read, read.edited(edits).with_readings(readings))
            return self._edited[1]

    @property
    def embedder(self) -> Embedder:
        """The model whose vectors the passages have."""
        return self._embedder

    def warm(self) -> None:
        """Load the index and the model now rather than with the first question."""
        self._search_engine()
        self._embedder.embed(["ready"])

    def search(
        self,
        question: str | Query,
        retriever: str = "hybrid",
        k: int = 10,
        *,
        filters: Filters | None = None,
    ) -> Ranking:
        """At most k passages, best first.

        :param filters: instead of those of the query.
        :raises EmptyQuery, UnknownRetriever, InvalidInput: the question cannot be asked like this.
        """
        self._refuse_unread(retriever)
        return self._search_engine().search(self._asked(question, filters), retriever, k)

    def query_view(self, question: str, steps: Steps | None = None) -> QueryView:
        """What is made of a question before it is searched, each part of it with a switch.

        ``workspace.search(view.switched(ids).query())`` searches with some of them the other way round.

        :raises EmptyQuery: there is no question.
        """
        return self._search_engine().view(typed(question), steps)

    def prepare(
        self,
        question: str,
        way: Switches = _USUAL,
        filters: Filters = _ANY,
    ) -> Prepared:
        """What is made of a question in that way, and the query it becomes; the language model is asked
        only for the steps that ``way`` leaves to it.

        :raises EmptyQuery: there is no question.
        """
        return pipeline.prepare(self._search_engine(), typed(question), way, filters, self._writers(way))

    def effects(
        self,
        question: str,
        way: Switches = _USUAL,
        filters: Filters = _ANY,
        retriever: str = "hybrid",
        k: int = 10,
    ) -> tuple[Effect, ...]:
        """What each part of the pipeline does to the first k hits of a retriever."""
        return pipeline.effects(
            self._search_engine(),
            typed(question),
            way,
            filters,
            retriever,
            k,
            writers=self._writers(way),
            muted=self._asked("").muted,
        )

    def _writers(self, way: Switches) -> Mapping[str, Writer]:
        endpoint = llm.Endpoint.of(self.settings) if way.modelled else None
        if endpoint is None:
            return {}
        from aethel_core.writers import writers

        # A person waits for this, and there is something to fall back to.
        quick = replace(endpoint, timeout=_WRITING, retries=1)
        return writers(llm.ChatModel(quick, cache=self.settings.cache_dir / "llm"))

    def stages(
        self, question: str | Query, k: int = 10, *, filters: Filters | None = None
    ) -> tuple[StageReport, ...]:
        """What each stage of the cascade did with the question, and how long it took."""
        return self._search_engine().stages(self._asked(question, filters), k)

    def compare(
        self,
        question: str | Query,
        retrievers: Sequence[str],
        k: int = 10,
        *,
        filters: Filters | None = None,
    ) -> Comparison:
        """The same question to several retrievers, on the same snapshot."""
        self._refuse_unread(*retrievers)
        engine, query, began = self._search_engine(), self._asked(question, filters), time.perf_counter()
        rankings = tuple(engine.search(query, name, k) for name in dict.fromkeys(retrievers))
        shared = agreement(rankings, min(k, AGREEMENT_DEPTH))
        return Comparison(query, rankings, shared, time.perf_counter() - began)

    def explain(self, question: str | Query, retriever: str, passage_id: str) -> Explanation:
        """Why a retriever gives a passage its score."""
        text = self.passage(passage_id).text
        return self._search_engine().explain(self._asked(question), retriever, passage_id, text)

    @cached_property
    def evidence(self) -> Evidence:
        """Paths, overviews of the entities, and corrections of them."""
        return Evidence(self._search_engine, self._asked, self._store.journal, self._store.documents)

    @cached_property
    def extraction(self) -> Extraction:
        """Names and triples that a language model reads, for PPR-LLM."""
        return Extraction(self._store, lambda: self.settings)

    @cached_property
    def lab(self) -> Lab:
        """The labelled set, the runs on it, and what they say."""
        from aethel_core.evaluation.lab import Lab  # loads what only an evaluation needs

        def settings() -> dict[str, object]:
            muted = [entity for entity, target in self.entity_edits().items() if not target]
            return set_differently(self.parameters(), muted, self.cascade_plan())

        return Lab(self, engine=self._search_engine, settings=settings)

    def parameters(self) -> Parameters:
        """What was set for the retrievers of this workspace."""
        stored = self.setting(_PARAMETERS, {})
        known = {f.name for f in fields(Parameters)}
        return Parameters(**{name: value for name, value in stored.items() if name in known})

    def set_parameters(self, parameters: Parameters) -> None:
        self.set_setting(_PARAMETERS, asdict(parameters))

    def cascade_plan(self) -> Plan:
        """The stages chosen for this workspace, else those that the settings give."""
        kept = self.setting(_PLAN)
        return Plan.of(self.settings) if kept is None else Plan.from_json(kept)

    def set_cascade_plan(self, plan: Plan | None) -> None:
        """None goes back to what the settings give."""
        self.set_setting(_PLAN, None if plan is None else plan.to_json())

    # What people leave here

    def history(self, limit: int = 50) -> tuple[HistoryEntry, ...]:
        return self._store.journal.history(limit)

    def remember(
        self, question: str, retrievers: Sequence[str], k: int, filters: Filters = _ANY
    ) -> HistoryEntry | None:
        """Put a question into the history; None where nothing can be stored, since to search must not
        fail of that."""
        try:
            return self._store.journal.remember(typed(question), filters, retrievers, k)
        except WorkspaceError as error:
            _LOG.warning("the question was not put into the history: %s", error)
            return None

    def clear_history(self) -> None:
        self._store.journal.forget()

    def label(self, question: str, passage_id: str, labeller: str, grade: int | None) -> None:
        """Mark a passage for a question; None takes the mark back."""
        self._store.journal.label(typed(question), passage_id, labeller, grade)

    def labels(self) -> tuple[Label, ...]:
        return self._store.journal.labels()

    def save_memo(self, memo: str, data: str) -> MemoVersion:
        return self._store.journal.save_memo(memo, data)

    def memos(self) -> tuple[MemoVersion, ...]:
        return self._store.journal.memos()

    def delete_memo(self, memo: str) -> None:
        self._store.journal.delete_memo(memo)

    def edit_entity(self, entity_id: str, target: str | None) -> None:
        """Mute an entity (""), merge it into another (its id), or undo either (None)."""
        self._store.journal.edit_entity(entity_id, target)

    def entity_edits(self) -> dict[str, str]:
        return self._store.journal.entity_edits()

    def setting(self, name: str, default: Any = None) -> Any:
        return self._store.journal.setting(name, default)

    def set_setting(self, name: str, value: Any) -> None:
        self._store.journal.set_setting(name, value)

    # The file

    def backup(self, target: Path) -> None:
        """Write a consistent copy to a new file, also while documents are being added."""
        write_backup(self._store.database, Path(target))

    def problems(self) -> tuple[str, ...]:
        """What a full check finds wrong with the workspace's file; empty when it is sound."""
        return self._store.database.problems()

    # Inside

    @contextmanager
    def _turn(self) -> Iterator[None]:
        turn = self._store.turn()
        if not turn.take():
            raise WorkspaceError(
                "Documents are being added to this workspace already. Wait for that to end, or stop it."
            )
        try:
            yield
        finally:
            turn.release()

    def _run(
        self,
        files: Sequence[PendingFile],
        passwords: Mapping[str, str],
        on_progress: OnProgress | None,
        cancelled: Cancelled | None,
    ) -> Iterator[Outcome]:
        if not files:
            return
        with closing(self._preparation()) as preparation:
            pipeline = self._pipeline(preparation, on_progress, cancelled)
            for outcome in pipeline.run(files, passwords):
                if outcome.status in STORED:
                    self._corpus.derive(outcome.document_id)
                yield outcome

    def _preparation(self) -> Preparation:
        return InThread(self._names) if self._names else InProcess()

    def _pipeline(
        self, preparation: Preparation, on_progress: OnProgress | None, cancelled: Cancelled | None
    ) -> Pipeline:
        return Pipeline(
            self._store,
            preparation,
            self._embedder,
            self._recogniser,
            max_pages=self.settings.max_pages,
            on_progress=on_progress,
            cancelled=cancelled,
        )

    def _asked(self, question: str | Query, filters: Filters | None = None) -> Query:
        """The question as it is answered here: with ``filters`` if given, and without muted entities."""
        query = Query(question) if isinstance(question, str) else question
        query = query.with_text(typed(query.text))
        query = query if filters is None else replace(query, filters=filters)
        return with_mutes(query, self._store.journal)

    def _refuse_unread(self, *retrievers: str) -> None:
        if PprLlm.name in retrievers and not self.extraction.readings():
            raise InvalidInput(
                "PPR-LLM walks over names that a language model has read, and none has read these documents. "
                f"See what that takes: python -m aethel_core extract --workspace {self.path}"
            )

    def _search_engine(self) -> Search:
        """The retrievers over what is stored now, as they are set now; made anew only if that changed."""
        wanted, plan = (self.index(), self.parameters()), self.cascade_plan()
        with self._engine_lock:
            if self._stages is None or self._stages[0] != plan:
                self._stages = (plan, rerankers.configured(self.settings, plan))
            if (
                self._engine is None
                or (self._engine.index is not wanted[0])
                or self._engine.parameters != wanted[1]
                or self._engine.cascade is not self._stages[1]
            ):
                self._engine = Search(
                    wanted[0],
                    self._embedder,
                    wanted[1],
                    passages=self._store.documents.passages_by_id,
                    stages=self._stages[1],
                )
            return self._engine


def _matches(document: Document, filters: Filters) -> bool:
    metadata = document.metadata
    has = {
        PassageKind.TABLE: document.table_count > 0,
        PassageKind.PROSE: document.passage_count > document.table_count,
    }
    return (
        (not filters.companies or metadata.company in filters.companies)
        and (not filters.years or metadata.period.fiscal_year in filters.years)
        and (not filters.types or metadata.type in filters.types)
        and (not filters.documents or document.id in filters.documents)
        and (not filters.kinds or any(has[kind] for kind in filters.kinds))
    )


def _readable(metadata: Metadata) -> Metadata:
    """Without characters that only steer: one that turns the writing direction turns the line it is in."""
    return replace(
        metadata,
        company=clean(metadata.company),
        title=clean(metadata.title),
        ticker=clean(metadata.ticker),
        aliases=tuple(map(clean, metadata.aliases)),
    )


def _check_period(metadata: Metadata) -> None:
    year, quarter = metadata.period.fiscal_year, metadata.period.quarter
    if year is not None and not 1900 <= year <= 2100:
        raise InvalidInput(f"{year} is not a fiscal year; give one from 1900 to 2100.")
    if quarter is not None and quarter not in (1, 2, 3, 4):
        raise InvalidInput(f"{quarter} is not a quarter; give 1 to 4, or none for a full year.")
