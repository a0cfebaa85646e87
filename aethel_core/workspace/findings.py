"""An analyst's own findings in the memos of a workspace, from the passage to the draft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from aethel_core.agents import KEYS, Reading
from aethel_core.agents.checklist import read
from aethel_core.audit import SentenceCheck, check_sentence
from aethel_core.errors import InvalidInput
from aethel_core.memo import Memo, template, with_line
from aethel_core.memo.own import (
    LONGEST,
    figures_of,
    suggestions,
    with_claim,
    with_finding,
    without_finding,
)
from aethel_core.text import match_form
from aethel_core.workspace.memos import MemoDesk

__all__ = [
    "LONGEST",
    "add",
    "begin",
    "check",
    "checked",
    "figures",
    "follow",
    "into_draft",
    "move",
    "place",
    "put",
    "remove",
    "reword",
    "said_by",
    "sections",
]

FURTHER = "Further findings"  # where a finding goes that no section of the template takes


def said_by(desk: MemoDesk, passage_id: str, question: str = "") -> tuple[str, ...]:
    """Claims that a passage offers, those nearest to the question first; see `memo.own.suggestions`."""
    source = desk.library().sources.get(passage_id)
    return suggestions(source, question) if source else ()


def check(desk: MemoDesk, claim: str, passage_id: str) -> SentenceCheck:
    """What the audit says of a claim before it becomes a finding."""
    return check_sentence(claim, (passage_id,), desk.library().sources)


def figures(desk: MemoDesk, claim: str, passage_ids: Sequence[str]) -> tuple[Reading, ...]:
    """The figures of a claim as the passages give them."""
    return figures_of(claim, passage_ids, desk.library().sources)


def checked(desk: MemoDesk, claim: str, passage_id: str) -> None:
    """:raises InvalidInput: the claim cannot become a finding of that passage."""
    with_finding(Memo("", ""), claim, (passage_id,), desk.library().sources)


def sections(template_key: str) -> dict[str, str]:
    """Where a template can put a finding: its headings, each by the section that leads there."""
    found = {takes[0]: heading for heading, takes in template(template_key).sections if takes}
    return {**found, "": FURTHER}


def place(desk: MemoDesk, claim: str, template_key: str) -> str:
    """Where a claim most likely belongs: the key in `sections` of the section whose questions know it
    by most of their phrases, "" where none does."""
    form = match_form(claim)
    known: Counter[str] = Counter()
    for key in KEYS:
        for question in read(desk.checklist(key)).questions:
            known[question.section] += sum(match_form(phrase) in form for phrase in question.phrases)
    best = [section for section, count in known.most_common() if count]
    for section in best:
        for _, takes in template(template_key).sections:
            if section in takes:
                return takes[0]
    return ""


def begin(desk: MemoDesk, title: str, template_key: str = "secondary", today: date | None = None) -> str:
    """Keep a new memo without findings and give its name.

    :raises InvalidInput: it has no title, or there is a memo of that name.
    """
    title = " ".join(title.split())
    if not title:
        raise InvalidInput("The new memo needs a title.")
    if title in desk.names():
        raise InvalidInput(f"There is a memo {title!r} already. Choose it, or give another title.")
    made = Memo(
        title,
        template(template_key).key,
        settings=("Findings: put in by the analyst.",),
        date=(today or date.today()).isoformat(),
    )
    desk.keep(title, made)
    return title


def add(desk: MemoDesk, name: str, claim: str, passage_id: str, section: str = "") -> Memo:
    """Put a finding from a passage into the memo of that name, and save it.

    :raises InvalidInput: the claim cannot be one, or the memo is not there.
    """
    memo = desk.current(name)
    made = follow(desk, memo, with_finding(memo, claim, (passage_id,), desk.library().sources, section))
    desk.save(name, made)
    return made


def reword(desk: MemoDesk, memo: Memo, finding_id: str, claim: str, section: str | None = None) -> Memo:
    """:raises InvalidInput: the claim cannot be one, or the finding is not there."""
    return follow(desk, memo, with_claim(memo, finding_id, claim, desk.library().sources, section))


def remove(desk: MemoDesk, memo: Memo, finding_id: str) -> Memo:
    """:raises InvalidInput: the finding is not there, or a specialist's."""
    return follow(desk, memo, without_finding(memo, finding_id))


def put(desk: MemoDesk, memo: Memo, finding_id: str, accepted: bool) -> Memo:
    """Accept a finding, or leave it out."""
    others = tuple(other for other in memo.rejected if other != finding_id)
    return follow(desk, memo, replace(memo, rejected=others if accepted else (*others, finding_id)))


def move(desk: MemoDesk, memo: Memo, one: str, other: str) -> Memo:
    """Exchange the places of two findings."""
    places = {found.id: place for place, found in enumerate(memo.findings)}
    if one not in places or other not in places:
        raise InvalidInput("The memo no longer holds this finding.")
    findings = list(memo.findings)
    first, second = places[one], places[other]
    findings[first], findings[second] = findings[second], findings[first]
    return follow(desk, memo, replace(memo, findings=tuple(findings)))


def into_draft(memo: Memo, finding_id: str) -> Memo:
    """An accepted finding put into the draft as it stands, behind what its section says already.

    :raises InvalidInput: the memo no longer holds it.
    """
    found = next((each for each in memo.accepted if each.id == finding_id), None)
    if found is None:
        raise InvalidInput("The memo no longer holds this finding.")
    taking = (heading for heading, takes in template(memo.template).sections if found.section in takes)
    made = with_line(memo, next(taking, FURTHER), found.claim, found.passage_ids)
    return replace(made, told=(*made.told, found.id))


def follow(desk: MemoDesk, before: Memo, after: Memo) -> Memo:
    """The changed memo, its draft written anew if until now it said just what the findings say: a
    draft that a person or a model worded is left alone."""
    if desk.redraft(before).sections != before.sections:
        return after
    return desk.redraft(after)
