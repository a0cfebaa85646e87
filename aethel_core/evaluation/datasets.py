"""Readers of benchmark files, one per format, and of our own question file.

    read_questions      our question file: one JSON object a line,
                        {"id", "question", "gold": [{"document", "page"?, "quote"?, "grade"?}],
                         "answer"?, "hops"?}; pages are 1-based
    read_financebench   FinanceBench's jsonl with its folder of PDFs; its pages are 0-based
    read_paragraphs     any file whose questions bring their paragraphs, told apart by their shape:
                        MuSiQue jsonl, 2WikiMultiHopQA json, HotpotQA json, TAT-QA json, and
                        {"id", "question", "answer", "paragraphs": [{"title", "text", "supporting"}]}

Everything here raises `MissingData`: a file that is not there (with where to get it), a line or
entry that is malformed (with its number), a file without questions.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation.base import Dataset, Gold, Paragraph, ParagraphQuestion, Question, listed

SOURCES = {
    "MuSiQue": "musique_ans_v1.0_dev.jsonl from https://github.com/StonyBrookNLP/musique",
    "2WikiMultiHopQA": "dev.json from https://github.com/Alab-NII/2wikimultihop",
    "HotpotQA": "hotpot_dev_distractor_v1.json from https://hotpotqa.github.io",
    "TAT-QA": "tatqa_dataset_dev.json from https://github.com/NExTplusplus/TAT-QA",
    "FinanceBench": "data/financebench_open_source.jsonl and pdfs/ from https://github.com/patronus-ai/financebench",
}
SEED = 42

_Json = dict[str, Any]
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_Item = TypeVar("_Item")


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


_Asked = TypeVar("_Asked", bound=_Identified)
_Hopped = TypeVar("_Hopped", Question, ParagraphQuestion)


def sample(items: Sequence[_Item], size: int | None, seed: int = SEED) -> tuple[_Item, ...]:
    """``size`` of the items, without replacement, in their own order; all of them if fewer.

    :raises InvalidInput: size is below 1.
    """
    if size is not None and size < 1:
        raise InvalidInput(f"The sample size is {size}; give a whole number of at least 1.")
    if size is None or size >= len(items):
        return tuple(items)
    chosen = random.Random(seed).sample(range(len(items)), size)
    return tuple(items[i] for i in sorted(chosen))


def with_hops(questions: Sequence[_Hopped], least: int) -> tuple[_Hopped, ...]:
    """Those of at least so many hops; a question that does not say counts as one hop.

    :raises MissingData: there is none.
    """
    found = tuple(question for question in questions if (question.hops or 1) >= least)
    if not found:
        raise MissingData(f"No question has {least} hops or more; ask for fewer.")
    return found


def read_questions(path: Path) -> tuple[Question, ...]:
    return parse_questions(
        _text(path, "Write one JSON object a line, or export the marks of a workspace."), path.name
    )


def parse_questions(text: str, name: str = "the question file") -> tuple[Question, ...]:
    """`read_questions` for a file's content, as an upload brings it. FinanceBench's lines are
    known by their id and taken too; whether their filings are there is then for `judge` to say."""

    def read(entry: _Json) -> Question:
        return _financebench(entry) if "financebench_id" in entry else _own(entry)

    return _unique([_at(where, read, entry) for where, entry in _lines(text, name)], name)


def write_questions(questions: Sequence[Question]) -> str:
    """The question file of these questions; `parse_questions` reads the same back."""
    return "".join(json.dumps(_plain(question), ensure_ascii=False) + "\n" for question in questions)


def read_financebench(path: Path, pdfs: Path) -> tuple[Question, ...]:
    """Every evidence page is gold; the names are those of the files in ``pdfs``."""
    text = _text(path, f"Get {SOURCES['FinanceBench']}.")
    if not pdfs.is_dir():
        raise MissingData(f"There is no folder {pdfs}. Get {SOURCES['FinanceBench']}.")
    questions = _unique(
        [_at(where, _financebench, entry) for where, entry in _lines(text, path.name)], path.name
    )
    present = {file.name for file in pdfs.iterdir()}
    absent = sorted({gold.document for q in questions for gold in q.gold} - present)
    if absent:
        raise MissingData(f"{pdfs} lacks {len(absent)} of the filings asked about: {listed(absent)}.")
    return questions


def read_paragraphs(path: Path) -> Dataset:
    text = _text(
        path, "Get " + "; ".join(f"{name}: {where}" for name, where in SOURCES.items() if name[0] != "F")
    )
    entries = list(_entries(text, path.name))
    if not entries:
        raise MissingData(f"{path.name} has no questions.")
    name, reader = _shape(*entries[0])
    questions = [question for where, entry in entries for question in _at(where, reader, entry)]
    _unique(questions, path.name)
    usable = tuple(question for question in questions if question.supporting)
    if not usable:
        raise MissingData(
            f"{path.name} names no supporting paragraph for any question; use a split with answers."
        )
    return Dataset(name, usable, tuple(question.id for question in questions if not question.supporting))


def _text(path: Path, where_to_get: str) -> str:
    if not path.is_file():
        raise MissingData(f"There is no file {path}. {where_to_get}")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise MissingData(f"{path.name} is not UTF-8 text (byte {error.start}); save it as UTF-8.") from error


def _lines(text: str, name: str) -> Iterator[tuple[str, _Json]]:
    escaped = bool(_SURROGATE.search(text))
    # Not splitlines(): a JSON string may hold U+2028, which that would take for a line's end.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            entry = json.loads(line)
        except json.JSONDecodeError as error:
            raise MissingData(f"{where} is not JSON: {error.msg} at column {error.colno}.") from error
        if not isinstance(entry, dict):
            raise MissingData(f"{where} is not a JSON object.")
        if escaped:
            _check_text(where, entry)
        yield where, entry


def _entries(text: str, name: str) -> Iterator[tuple[str, _Json]]:
    if not text.lstrip().startswith("["):
        yield from _lines(text, name)
        return
    try:
        entries = json.loads(text)
    except json.JSONDecodeError as error:
        raise MissingData(f"{name} is not JSON: {error.msg} at line {error.lineno}.") from error
    escaped = bool(_SURROGATE.search(text))
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict):
            raise MissingData(f"{name}, entry {number} is not a JSON object.")
        if escaped:
            _check_text(f"{name}, entry {number}", entry)
        yield f"{name}, entry {number}", entry


def _check_text(where: str, entry: _Json) -> None:
    r"""JSON can write half of a surrogate pair (\ud800), which no file and no hash can hold."""
    try:
        json.dumps(entry, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise MissingData(f"{where} holds half of a surrogate pair, which is no text; correct it.") from error


def _at(where: str, read: Callable[[_Json], _Item], entry: _Json) -> _Item:
    """Say where it was if an entry lacks a field or holds something unexpected there."""
    try:
        return read(entry)
    except KeyError as error:
        raise MissingData(f"{where} has no {error.args[0]!r}.") from error
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise MissingData(f"{where} is malformed: {error}.") from error


def _unique(questions: Sequence[_Asked], name: str) -> tuple[_Asked, ...]:
    if not questions:
        raise MissingData(f"{name} has no questions.")
    counts = Counter(question.id for question in questions)
    twice = sorted(identity for identity, count in counts.items() if count > 1)
    if twice:
        raise MissingData(f"{name} uses an id more than once: {listed(twice)}.")
    return tuple(questions)


def _string(entry: _Json, key: str) -> str:
    value = entry[key]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{key!r} must be text that is not empty")
    return value


def _whole(value: object, key: str, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{key!r} must be a whole number of at least {least}, not {value!r}")
    return value


def _identity(entry: _Json, key: str = "id") -> str:
    value = entry[key]
    if not isinstance(value, str | int) or value == "":
        raise ValueError(f"{key!r} must be text or a number")
    return str(value)


def _own(entry: _Json) -> Question:
    places = entry["gold"]
    if not isinstance(places, list) or not places:
        raise ValueError("'gold' must be a list with at least one place")
    return Question(
        _identity(entry),
        _string(entry, "question"),
        tuple(_place(place) for place in places),
        str(entry.get("answer") or ""),
        _hops(entry),
    )


def _hops(entry: _Json) -> int | None:
    return None if entry.get("hops") is None else _whole(entry["hops"], "hops", 1)


def _place(place: _Json) -> Gold:
    if not isinstance(place, dict):
        raise ValueError(f"each place of 'gold' must be an object with a document, not {place!r}")
    page = place.get("page")
    return Gold(
        _string(place, "document"),
        None if page is None else _whole(page, "page", 1),
        str(place.get("quote") or ""),
        _whole(place.get("grade", 1), "grade", 1),
    )


def _plain(question: Question) -> _Json:
    gold = []
    for place in question.gold:
        entry: _Json = {"document": place.document}
        entry |= {"page": place.page} if place.page is not None else {}
        entry |= {"quote": place.quote} if place.quote else {}
        entry |= {"grade": place.grade} if place.grade != 1 else {}
        gold.append(entry)
    plain: _Json = {"id": question.id, "question": question.text, "gold": gold}
    plain |= {"answer": question.answer} if question.answer else {}
    return plain | ({"hops": question.hops} if question.hops is not None else {})


def _financebench(entry: _Json) -> Question:
    gold = tuple(
        Gold(
            f"{evidence.get('doc_name') or entry['doc_name']}.pdf",
            _whole(evidence["evidence_page_num"], "evidence_page_num", 0) + 1,
            str(evidence.get("evidence_text") or ""),
        )
        for evidence in entry["evidence"]
    )
    if not gold:
        raise ValueError("'evidence' is empty")
    return Question(
        _identity(entry, "financebench_id"), _string(entry, "question"), gold, str(entry["answer"])
    )


def _shape(where: str, entry: _Json) -> tuple[str, Callable[[_Json], list[ParagraphQuestion]]]:
    paragraphs = entry.get("paragraphs")
    first = paragraphs[0] if isinstance(paragraphs, list) and paragraphs else {}
    if "table" in entry and "questions" in entry:
        return "TAT-QA", _tatqa
    if "context" in entry and "supporting_facts" in entry:
        return ("2WikiMultiHopQA" if "evidences" in entry else "HotpotQA"), _titled
    if isinstance(first, dict) and "paragraph_text" in first:
        return "MuSiQue", _musique
    if isinstance(first, dict) and "text" in first:
        return "paragraphs", _paragraphs
    raise MissingData(
        f"{where} is of no known shape. Known are MuSiQue, 2WikiMultiHopQA, HotpotQA and TAT-QA files, "
        'and lines of {"id", "question", "answer", "paragraphs": [{"title", "text", "supporting"}]}.'
    )


def _paragraphs(entry: _Json) -> list[ParagraphQuestion]:
    given = entry["paragraphs"]
    texts = tuple(Paragraph(str(p.get("title") or ""), _string(p, "text")) for p in given)
    gold = tuple(i for i, p in enumerate(given) if p["supporting"])
    return [
        ParagraphQuestion(
            _identity(entry),
            _string(entry, "question"),
            texts,
            gold,
            str(entry.get("answer") or ""),
            _hops(entry),
        )
    ]


def _musique(entry: _Json) -> list[ParagraphQuestion]:
    """``answerable: false`` questions of the full version have had a supporting paragraph taken
    away, so what should be found is not defined: they have no gold here."""
    given = entry["paragraphs"]
    texts = tuple(Paragraph(p["title"], _string(p, "paragraph_text")) for p in given)
    answerable = entry.get("answerable", True)
    gold = tuple(i for i, p in enumerate(given) if answerable and p.get("is_supporting"))
    hops = len(entry.get("question_decomposition", ())) or None
    answer = str(entry.get("answer") or "")
    return [ParagraphQuestion(_identity(entry), _string(entry, "question"), texts, gold, answer, hops)]


def _titled(entry: _Json) -> list[ParagraphQuestion]:
    """HotpotQA and 2WikiMultiHopQA: supporting facts are [title, sentence number], a paragraph
    supports when one of its sentences does."""
    titles = {title for title, _ in entry["supporting_facts"]}
    texts = tuple(
        Paragraph(title, " ".join(sentence.strip() for sentence in sentences))
        for title, sentences in entry["context"]
    )
    gold = tuple(i for i, paragraph in enumerate(texts) if paragraph.title in titles)
    question = _string(entry, "question")
    return [ParagraphQuestion(_identity(entry, "_id"), question, texts, gold, str(entry.get("answer") or ""))]


def _tatqa(entry: _Json) -> list[ParagraphQuestion]:
    """The table is one paragraph, its rows a line each; the text paragraphs follow in order."""
    table = "\n".join(" | ".join(str(cell).strip() for cell in row) for row in entry["table"]["table"])
    given = sorted(entry["paragraphs"], key=lambda paragraph: paragraph["order"])
    texts = (Paragraph("", table), *(Paragraph("", _string(p, "text")) for p in given))
    position = {str(p["order"]): i for i, p in enumerate(given, 1)}
    questions = []
    for asked in entry["questions"]:
        orders = [str(order) for order in asked.get("rel_paragraphs", ())]
        if absent := [order for order in orders if order not in position]:
            raise ValueError(f"a question rests on paragraph {absent[0]!r}, which is not there")
        gold = {position[order] for order in orders}
        if "table" in asked.get("answer_from", ""):
            gold.add(0)
        answer = asked.get("answer", "")
        words = ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
        questions.append(
            ParagraphQuestion(
                _identity(asked, "uid"), _string(asked, "question"), texts, tuple(sorted(gold)), words
            )
        )
    return questions
