"""A specialist that works through a checklist by extraction; the four of the product are made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from aethel_core.agents.base import (
    Brief,
    Cancelled,
    Finding,
    Library,
    OnProgress,
    OpenQuestion,
    Progress,
    Report,
)
from aethel_core.agents.checklist import Checklist, Question
from aethel_core.agents.contradictions import contradictions
from aethel_core.agents.extract import Candidate, candidates, finding
from aethel_core.agents.ledger import derived
from aethel_core.agents.wording import account
from aethel_core.audit import Source, check_sentence, trusted
from aethel_core.errors import Cancelled as Stopped
from aethel_core.text import match_form
from aethel_core.types import Document, DocumentType, Filters, Query

DOCUMENTS = 60  # at most so many are read whole for metrics and contradictions


class ChecklistSpecialist:
    """``Finder`` may stand in for extraction: a model's answer to one question, or None to let the
    extraction answer."""

    compares = False  # whether it looks for contradictions between documents

    def __init__(self, checklist: Checklist, finder: Finder | None = None) -> None:
        self.checklist = checklist
        self.key, self.name = checklist.key, checklist.name
        self._finder = finder

    def run(self, library: Library, brief: Brief, *, on_progress: OnProgress, cancelled: Cancelled) -> Report:
        findings: list[Finding] = []
        missing: list[OpenQuestion] = []
        notes: list[str] = []
        seen: dict[str, None] = {}
        questions = [question for question in self.checklist.questions if _is_for(question, library, brief)]
        total = len(questions) + 1
        for number, question in enumerate(questions):
            _stop_if(cancelled)
            on_progress(Progress(self.name, number, total, question.question))
            ranked, warning = trusted(self._ranked(library, brief, question))
            notes += [warning] if warning else []
            seen.update(dict.fromkeys(source.document.id for source in ranked))
            answered, note = self._answer(library, question, ranked, brief.about)
            findings += answered
            notes += [note] if note else []
            if not answered:
                missing.append(OpenQuestion(self.name, question.id, question.question, question.complete))
        _stop_if(cancelled)
        on_progress(Progress(self.name, total - 1, total, "metrics"))
        findings += self._computed(library, brief, tuple(seen))
        findings = [_traced(found, library, brief) for found in findings]
        on_progress(Progress(self.name, total, total))
        return Report(self.name, tuple(findings), tuple(missing), " ".join(dict.fromkeys(notes)))

    def _ranked(self, library: Library, brief: Brief, question: Question) -> list[Source]:
        text = " ".join([question.question, *brief.about])
        words = ", ".join(question.phrases)
        filters = Filters(documents=brief.documents)
        ids: dict[str, None] = {}
        for asked in dict.fromkeys((text, " ".join([words, *brief.about]).strip())):
            ranking = library.search(Query(asked, filters), brief.retriever, brief.k)
            ids.update(dict.fromkeys(ranking.ids))
        found = [source for passage in ids if (source := library.sources.get(passage))]
        return [source for source in found if concerns(source, brief.about)]

    def _answer(
        self, library: Library, question: Question, ranked: Sequence[Source], about: Sequence[str]
    ) -> tuple[list[Finding], str]:
        """The model's answer if there is one, else the extracted one, each under the audit."""
        if self._finder is not None and ranked:
            found, note = self._finder(question, ranked, self.name, self.key)
            if found is not None:
                return [_audited(each, library) for each in found], note
        else:
            note = ""
        current = [s for s in ranked if not library.sources.replaced_by(s.document.id)]
        recency = _recency(library.documents())
        kept: dict[str, Finding] = {}
        for candidate in candidates(question, current, recency):
            if not _told_of(candidate, about):
                continue
            if candidate.key not in kept and len(kept) < question.most:
                number = len(kept) + 1
                kept[candidate.key] = _audited(
                    finding(candidate, question, self.name, self.key, number), library
                )
        return list(kept.values()), note

    def _computed(self, library: Library, brief: Brief, seen: Sequence[str]) -> list[Finding]:
        """Metrics of the newest document of each kind, and contradictions between all."""
        sources = library.sources
        known = [sources.documents[d] for d in seen[:DOCUMENTS] if d in sources.documents]
        known = [d for d in known if concerns_document(d, brief.about)]
        found: list[Finding] = []
        for group in _newest_first([d for d in known if not sources.replaced_by(d.id)]):
            computed = (
                list(derived(sources, document.id, self.checklist.metrics, self.key, self.name))
                for document in group
            )
            found += next((each for each in computed if each), [])
        if self.compares:
            found += contradictions(sources, known, self.name, self.key)
        return found


Finder = Callable[[Question, Sequence[Source], str, str], tuple[list[Finding] | None, str]]


_OF_FUNDS = frozenset({DocumentType.LP_LETTER, DocumentType.CAPITAL_ACCOUNT})
_OF_COMPANIES = frozenset(
    {DocumentType.TEN_K, DocumentType.TEN_Q, DocumentType.EIGHT_K, DocumentType.EARNINGS}
)


def _is_for(question: Question, library: Library, brief: Brief) -> bool:
    """Whether any document of the brief can answer; a paper of no known type can answer everything."""
    others = {"fund": _OF_COMPANIES, "company": _OF_FUNDS}.get(question.of, frozenset())
    known = [d for d in library.documents() if not brief.documents or d.id in brief.documents]
    known = [d for d in known if concerns_document(d, brief.about)] or known
    return not known or any(document.metadata.type not in others for document in known)


def _stop_if(cancelled: Cancelled) -> None:
    if cancelled():
        raise Stopped


def concerns(source: Source, about: Sequence[str]) -> bool:
    """Whether a passage, or its document, speaks of one of the names; of no names, always."""
    if not about or concerns_document(source.document, about):
        return True
    form = match_form(source.passage.text)
    return any(match_form(name) in form for name in about)


def _told_of(candidate: Candidate, about: Sequence[str]) -> bool:
    """A row of another's table counts only if it is the row of one of the names itself."""
    source = candidate.source
    if source.passage.table is None or concerns_document(source.document, about):
        return True
    form = match_form(candidate.claim)
    return any(match_form(name) in form for name in about)


def concerns_document(document: Document, about: Sequence[str]) -> bool:
    """Whether a document is of one of the names, by what is known of it; of no names, always."""
    if not about:
        return True
    metadata = document.metadata
    names = [metadata.company, *metadata.aliases, metadata.title, metadata.ticker]
    form = match_form(" / ".join([*names, document.name.replace("-", " ").replace("_", " ")]))
    tokens = set(form.split())
    return any(set(match_form(name).split()) <= tokens for name in about if match_form(name))


def _recency(documents: Sequence[Document]) -> dict[str, float]:
    """Each document's place among the periods, from 0 to 1."""
    moments = {document.id: _moment(document) for document in documents}
    ordered = sorted(set(moments.values()))
    span = max(len(ordered) - 1, 1)
    return {document: ordered.index(moment) / span for document, moment in moments.items()}


def _moment(document: Document) -> tuple[int, str]:
    period = document.metadata.period
    return period.fiscal_year or 0, period.end or f"{period.fiscal_year or 0}-{(period.quarter or 4) * 3:02d}"


def _newest_first(documents: Sequence[Document]) -> list[list[Document]]:
    """The documents of every company and type, the latest first; every account counts for itself."""
    groups: dict[tuple[str, str, str], list[Document]] = {}
    for document in documents:
        metadata = document.metadata
        groups.setdefault((metadata.company, metadata.type.value, account(document, ())), []).append(document)
    for group in groups.values():
        group.sort(key=_moment, reverse=True)
    return [groups[key] for key in sorted(groups)]


def _audited(found: Finding, library: Library) -> Finding:
    """Half the confidence and a note where the audit finds fault."""
    derivations = (found.derivation,) if found.derivation else ()
    check = check_sentence(found.claim, found.passage_ids, library.sources, derivations)
    if not check.flagged:
        return found
    note = " ".join(part for part in (found.note, check.flags[0]) if part)
    return replace(found, confidence=round(found.confidence / 2, 2), note=note)


def _traced(found: Finding, library: Library, brief: Brief) -> Finding:
    return replace(found, path=library.path(brief.about, found.passage_ids[0]))
