"""What a person changes among the findings: puts in one of their own, words one differently, takes
one out. Figures are never typed: they are read from the passages, by the claim that names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aethel_core.agents import Finding, FindingKind, Reading
from aethel_core.agents.extract import SHORTEST, is_letterhead, row_claim, without_heading
from aethel_core.agents.ledger import reading
from aethel_core.audit import Fact, Source, Sources, check_sentence, content_words, sentences
from aethel_core.errors import InvalidInput
from aethel_core.memo.draft import Memo

ANALYST = "Analyst"
LONGEST = 600  # characters of a claim
_REWORDED = "Worded by the analyst."


def with_finding(
    memo: Memo, claim: str, passage_ids: Sequence[str], sources: Sources, section: str = ""
) -> Memo:
    """A finding of a person's own, put behind the others.

    :param section: of a checklist, by which a template finds its place; "" for further findings.
    :raises InvalidInput: it has no text, is too long, or names no passage that is there.
    """
    text = _worded(claim)
    passages = tuple(dict.fromkeys(passage_ids))
    if not passages or any(sources.get(passage) is None for passage in passages):
        raise InvalidInput("A finding needs a passage of this workspace behind it.")
    own = [found for found in memo.findings if found.kind is FindingKind.OWN]
    if any(found.claim == text and found.passage_ids == passages for found in own):
        raise InvalidInput("The memo holds this finding already.")
    number = 1 + max((int(found.id.rpartition(":")[2]) for found in own), default=0)
    made = Finding(
        f"own:{number}",
        ANALYST,
        text,
        passages,
        figures_of(text, passages, sources),
        kind=FindingKind.OWN,
        section=section,
    )
    return replace(memo, findings=(*memo.findings, made))


def with_claim(memo: Memo, finding_id: str, claim: str, sources: Sources, section: str | None = None) -> Memo:
    """A finding worded by a person, its figures read anew; with ``section`` also put elsewhere.

    :raises InvalidInput: there is no such finding, or the claim cannot be one.
    """
    before = _finding(memo, finding_id)
    text = _worded(claim)
    changed = before
    if text != before.claim:
        own = before.kind is FindingKind.OWN or _REWORDED in before.note
        note = before.note if own else f"{before.note} {_REWORDED}".strip()
        figures = figures_of(text, before.passage_ids, sources)
        changed = replace(before, claim=text, figures=figures, note=note)
    if section is not None:
        changed = replace(changed, section=section)
    return replace(memo, findings=tuple(changed if f is before else f for f in memo.findings))


def without_finding(memo: Memo, finding_id: str) -> Memo:
    """The memo without a finding of a person's own; those of specialists are left out, not removed.

    :raises InvalidInput: there is no such finding, or it is a specialist's.
    """
    found = _finding(memo, finding_id)
    if found.kind is not FindingKind.OWN:
        raise InvalidInput(
            "Only findings of your own can be removed. Leave this one out of the memo instead."
        )
    return replace(
        memo,
        findings=tuple(other for other in memo.findings if other is not found),
        rejected=tuple(other for other in memo.rejected if other != finding_id),
    )


def figures_of(claim: str, passage_ids: Sequence[str], sources: Sources) -> tuple[Reading, ...]:
    """The figures of a claim as the passages give them; a figure that none gives is left out."""
    check = check_sentence(claim, passage_ids, sources)
    return tuple(reading(each.fact) for each in check.figures if each.fact is not None and each.sound)


def suggestions(source: Source, question: str = "") -> tuple[str, ...]:
    """What a passage says, as claims to choose from: its sentences or its rows told in words. Those
    nearest to the question come first, then those with figures."""
    said = _rows(source) if source.passage.table is not None else _sentences(source)
    asked = content_words(question)
    unique = {claim: place for place, claim in reversed(list(enumerate(said))) if len(claim) <= LONGEST}
    figures = any(map(str.isdigit, "".join(unique)))

    def order(claim: str) -> tuple[int, bool, int]:
        lacking = figures and not any(map(str.isdigit, claim))
        return -len(asked & content_words(claim)), lacking, unique[claim]

    return tuple(sorted(unique, key=order))


def _sentences(source: Source) -> list[str]:
    text = source.passage.text
    said = [without_heading(text[start:end], source.passage.section) for start, end in sentences(text)]
    return [claim for claim in said if len(claim) >= SHORTEST and not is_letterhead(claim)]


def _rows(source: Source) -> list[str]:
    rows: dict[tuple[str, str], list[Fact]] = {}
    for fact in source.facts:
        if fact.is_cell and fact.row:
            rows.setdefault((fact.group, fact.row), []).append(fact)
    return [row_claim(source, facts)[0] for facts in rows.values()]


def _worded(claim: str) -> str:
    text = " ".join(claim.split())
    if not text:
        raise InvalidInput("The finding has no text. Say in a sentence what the passage shows.")
    if len(text) > LONGEST:
        raise InvalidInput(f"The finding is too long: {len(text)} characters, {LONGEST} are the most.")
    return text


def _finding(memo: Memo, finding_id: str) -> Finding:
    for found in memo.findings:
        if found.id == finding_id:
            return found
    raise InvalidInput("The memo no longer holds this finding.")
