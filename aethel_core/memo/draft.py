"""A memo as it is edited, kept and audited.

The body of a section is plain text: paragraphs, or lines that begin with "- ". A sentence names
its sources by marks behind it, "[3]" or "[1][4]", which number the memo's list of passages. So the
text an analyst edits is the only truth; the audit reads it anew each time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from aethel_core.agents import Finding, FindingKind, OpenQuestion, Reading
from aethel_core.agents.synthesizer import Part, Writer, synthesize
from aethel_core.audit import (
    Derivation,
    Judgement,
    SentenceCheck,
    Sources,
    Verdict,
    check_sentence,
    lowered,
    sentences,
)
from aethel_core.errors import InvalidInput
from aethel_core.memo.template import Template

FORMAT = 1
_MARKS = re.compile(r"\s*((?:\[\d{1,4}\]\s*)+)")
_NUMBER = re.compile(r"\[(\d{1,4})\]")


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    body: str


@dataclass(frozen=True, slots=True)
class Memo:
    """``sources[n - 1]`` is the passage that the mark [n] names. ``rejected`` are ids of findings
    that stay out of the draft; the order of ``findings`` is the person's. ``settings`` are lines
    that say how it was made, ``notes`` what did not go as planned. ``judgements`` are what a
    language model made of sentences; one that was changed since has none. ``told`` are the ids of
    the findings that the draft was written from; the others go into an appendix.
    """

    title: str
    template: str
    about: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    sources: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    rejected: tuple[str, ...] = ()
    open_questions: tuple[OpenQuestion, ...] = ()
    notes: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    date: str = ""  # ISO, on which it was drafted
    judgements: tuple[Judgement, ...] = ()
    told: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[Finding, ...]:
        return tuple(found for found in self.findings if found.id not in self.rejected)

    @property
    def untold(self) -> tuple[Finding, ...]:
        """The accepted findings that the draft leaves to the appendix."""
        body = " ".join(" ".join(section.body.split()) for section in self.sections)
        return tuple(f for f in self.accepted if f.id not in self.told and _plain(f.claim) not in body)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the draft with its place; ``bullet`` opens a new line of a list."""

    section: int
    text: str
    marks: tuple[int, ...]
    bullet: bool
    paragraph: int


@dataclass(frozen=True, slots=True)
class Audited:
    sentence: Sentence
    check: SentenceCheck


# --- drafting ----------------------------------------------------------------------------------


def drafted(memo: Memo, template: Template, writer: Writer | None = None) -> Memo:
    """The memo with its sections written anew from the accepted findings."""
    return written(memo, synthesize(memo.accepted, template.sections, writer))


def written(memo: Memo, parts: Sequence[Part]) -> Memo:
    numbers: dict[str, int] = {}
    sections = []
    for part in parts:
        lines = []
        for line in part.lines:
            marks = "".join(
                f"[{numbers.setdefault(p, len(numbers) + 1)}]" for p in dict.fromkeys(line.passage_ids)
            )
            lines.append(f"- {_plain(line.text)} {marks}".rstrip())
        sections.append(Section(part.heading, "\n".join(lines)))
    told = tuple(dict.fromkeys(id for part in parts for line in part.lines for id in line.finding_ids))
    return replace(memo, sections=tuple(sections), sources=tuple(numbers), told=told)


def _plain(text: str) -> str:
    """One line, and nothing in it that would be read as a mark."""
    return " ".join(_NUMBER.sub(r"(\1)", text).split())


def with_line(memo: Memo, heading: str, text: str, passage_ids: Sequence[str]) -> Memo:
    """A line added to a section, which is made if there is none of that heading."""
    sources = list(memo.sources)
    for passage in passage_ids:
        if passage not in sources:
            sources.append(passage)
    marks = "".join(f"[{sources.index(passage) + 1}]" for passage in passage_ids)
    line = f"- {_plain(text)} {marks}".rstrip()
    sections = list(memo.sections)
    place = next((n for n, section in enumerate(sections) if section.heading == heading), None)
    if place is None:
        sections.append(Section(heading, line))
    else:
        sections[place] = Section(heading, f"{sections[place].body}\n{line}".strip())
    return replace(memo, sections=tuple(sections), sources=tuple(sources))


# --- reading -----------------------------------------------------------------------------------


def sentences_of(memo: Memo) -> tuple[Sentence, ...]:
    found: list[Sentence] = []
    paragraph = 0
    for number, section in enumerate(memo.sections):
        for block in _blocks(section.body):
            bullet = block.startswith("- ")
            found += _cited(number, block.removeprefix("- "), bullet, paragraph)
            paragraph += 1
    return tuple(found)


def _blocks(body: str) -> list[str]:
    """Bullets one by one; other lines joined until an empty one."""
    blocks: list[str] = []
    fresh = True
    for line in body.splitlines():
        text = line.strip()
        if not text:
            fresh = True
        elif fresh or text.startswith("- ") or blocks[-1].startswith("- "):
            blocks.append(text)
            fresh = False
        else:
            blocks[-1] += " " + text
    return blocks


def _cited(section: int, block: str, bullet: bool, paragraph: int) -> list[Sentence]:
    """Text up to a group of marks cites those; text after the last group cites nothing."""
    found: list[Sentence] = []
    position = 0
    for match in [*_MARKS.finditer(block), None]:
        text = block[position : match.start() if match else len(block)].strip()
        marks = tuple(int(n) for n in _NUMBER.findall(match[1])) if match else ()
        text = text.removeprefix(".").strip() if found else text  # "… million [1]."
        for start, end in sentences(text):
            if re.search(r"\w", text[start:end]):
                found.append(Sentence(section, text[start:end], marks, bullet and not found, paragraph))
        position = match.end() if match else len(block)
    return found


def audited(memo: Memo, sources: Sources) -> tuple[Audited, ...]:
    """Every sentence with what the audit says of it. An unknown mark is a passage that is not there."""
    check = checker(memo, sources)
    return tuple(
        Audited(sentence, check(sentence.text, passages_of(memo, sentence)))
        for sentence in sentences_of(memo)
    )


def checker(memo: Memo, sources: Sources) -> Callable[[str, Sequence[str]], SentenceCheck]:
    """The audit of a text with its passages as part of the memo: with what the memo computed, and
    with what a model said of that very text and those passages."""
    derivations = tuple(found.derivation for found in memo.findings if found.derivation)
    judged = {(each.text, each.passage_ids): each for each in memo.judgements}

    def check(text: str, passage_ids: Sequence[str]) -> SentenceCheck:
        made = check_sentence(text, passage_ids, sources, derivations)
        return lowered(made, judged.get((made.text, made.passage_ids)))

    return check


def passages_of(memo: Memo, sentence: Sentence) -> tuple[str, ...]:
    known = len(memo.sources)
    return tuple(memo.sources[n - 1] if 1 <= n <= known else f"[{n}]" for n in sentence.marks)


# --- keeping -----------------------------------------------------------------------------------


def to_json(memo: Memo) -> str:
    return json.dumps({"format": FORMAT, **asdict(memo)}, ensure_ascii=False, sort_keys=True)


def from_json(text: str) -> Memo:
    """:raises InvalidInput: it is not a memo of this format."""
    try:
        data = json.loads(text)
        if data.pop("format") != FORMAT:
            raise InvalidInput("The memo was written by another version of Aethel and cannot be opened.")
        data["sections"] = tuple(Section(**section) for section in data["sections"])
        data["findings"] = tuple(_finding(found) for found in data["findings"])
        data["open_questions"] = tuple(OpenQuestion(**question) for question in data["open_questions"])
        data["judgements"] = tuple(_judgement(given) for given in data.get("judgements", ()))
        for name in ("about", "sources", "rejected", "notes", "settings", "told"):
            data[name] = tuple(data.get(name, ()))
        return Memo(**data)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput("The stored memo is damaged and cannot be opened.") from error


def _finding(data: dict[str, Any]) -> Finding:
    data["figures"] = tuple(Reading(**reading) for reading in data["figures"])
    data["kind"] = FindingKind(data["kind"])
    data["passage_ids"], data["path"] = tuple(data["passage_ids"]), tuple(data["path"])
    if data["derivation"]:
        derivation = data["derivation"]
        derivation["inputs"] = tuple((key, passage, value) for key, passage, value in derivation["inputs"])
        data["derivation"] = Derivation(**derivation)
    return Finding(**data)


def _judgement(data: dict[str, Any]) -> Judgement:
    data["passage_ids"], data["verdict"] = tuple(data["passage_ids"]), Verdict(data["verdict"])
    return Judgement(**data)
