"""How often the plain answer, without a language model, says what was asked.

    python benchmarks/answer.py [--workspace DIR] [--show]

The 60 questions of ``sample_docs/questions.jsonl`` have an answer and the pages that carry it. Per
question: does the answer hold what was asked for (a figure, date or number of the expected answer,
or most of its words where it has none), does it cite a page that carries it, how many of those
pages, does it say that nothing was found. Questions over several documents that need arithmetic
cannot be answered by extraction; their inputs can be. ``ABSENT`` are questions that these documents
do not answer, where "not found" is right. The five weights and the threshold of the extraction were
set, in round numbers, on these same questions.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from aethel_core.audit import content_words  # noqa: E402
from aethel_core.finance.numbers import find_figures, same_figure  # noqa: E402
from aethel_core.finance.periods import find_periods  # noqa: E402
from aethel_core.workspace import Workspace, sources_from_paths  # noqa: E402
from aethel_core.workspace.memos import Answer, MemoDesk  # noqa: E402

SAMPLE = ROOT / "sample_docs"
MOST_WORDS = 0.6
ABSENT = (
    "How many aircraft did the airline take delivery of in 2022?",
    "What was the average revenue per user of the streaming service?",
    "Which vaccine brought the largest sales?",
    "What does the company expect to spend on its new semiconductor plant?",
    "Who is the chief executive of Boeing?",
    "How many stores did the retailer close?",
    "What is the loan loss provision of the bank?",
    "When was the merger with the insurance company approved by the regulator?",
    "How large are the proven oil reserves?",
    "Which share of the subscribers live in Brazil?",
    "What was the occupancy of the hotels in the third quarter?",
    "How many patients took part in the phase 3 trial?",
    "What dividend per share did the utility pay in 2019?",
    "Why did the casino lose its licence?",
    "What is the capacity of the wind farms in megawatts?",
    "Who won the contract for the fighter jets?",
    "How much did the company pay for the mobile spectrum auction?",
    "What was the price of a barrel of crude oil assumed in the budget?",
    "How many electric cars were sold in China?",
    "When does the patent on the cancer drug expire?",
)


@dataclass(frozen=True, slots=True)
class Scored:
    id: str
    hops: int
    holds: bool
    cites: bool
    pages: float
    found: bool


def main() -> int:
    arguments = _arguments()
    questions = [json.loads(line) for line in (SAMPLE / "questions.jsonl").read_text("utf-8").splitlines()]
    with Workspace.open(arguments.workspace) as workspace:
        if not workspace.documents():
            workspace.ingest(sources_from_paths([SAMPLE]))
        desk = MemoDesk(workspace)
        scored = [_scored(workspace, desk, question, arguments.show) for question in questions]
        wrong = [question for question in ABSENT if _claims(workspace, desk, question, arguments.show)]
    print("| questions | n | holds the answer | cites a page of it | pages cited | not found |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, chosen in (
        ("one page", [s for s in scored if s.hops == 1]),
        ("two or more", [s for s in scored if s.hops > 1]),
        ("all", scored),
    ):
        shares = (_share(s.holds for s in chosen), _share(s.cites for s in chosen))
        rest = (sum(s.pages for s in chosen) / len(chosen), _share(not s.found for s in chosen))
        told = " | ".join(f"{value:.0%}" for value in (*shares, *rest))
        print(f"| {name} | {len(chosen)} | {told} |")
    print(f"\nnot in the documents: {len(ABSENT) - len(wrong)} of {len(ABSENT)} answered with “not found”")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--workspace", type=Path, default=ROOT / "benchmarks" / "results" / "sample")
    parser.add_argument("--show", action="store_true", help="print every answer")
    return parser.parse_args()


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _scored(workspace: Workspace, desk: MemoDesk, question: dict[str, Any], show: bool) -> Scored:
    given = desk.answer(question["question"])
    text = " ".join(each.text for each in given.sentences)
    gold = {(each["document"], each["page"]) for each in question["gold"]}
    cited = set(_pages(workspace, given))
    holding = holds(text, question["answer"], question["question"])
    if show:
        mark = "+" if holding else "-" if given.found else "0"
        print(f"{mark} {question['id']} {question['question']}\n    = {question['answer']}")
        for each, where in zip(given.sentences, _pages(workspace, given), strict=True):
            print(f"    {'*' if where in gold else ' '} {each.text}  ({where[0]}, p. {where[1]})")
    return Scored(
        question["id"],
        question["hops"],
        holding,
        bool(cited & gold),
        len(cited & gold) / len(gold),
        given.found,
    )


def _claims(workspace: Workspace, desk: MemoDesk, question: str, show: bool) -> bool:
    given = desk.answer(question)
    if show and given.found:
        print(f"! {question}\n    " + "\n    ".join(each.text for each in given.sentences))
    return given.found


def _pages(workspace: Workspace, given: Answer) -> list[tuple[str, int]]:
    names = {document.id: document.name for document in workspace.documents()}
    passages = [workspace.passage(each.passage_ids[0]) for each in given.sentences]
    return [(names[passage.document_id], passage.page) for passage in passages]


def holds(text: str, expected: str, question: str) -> bool:
    """Whether a text holds a figure, date or number of the expected answer that the question does not
    give away; of an answer in words, most of them."""
    asked = find_figures(question)
    figures = [f for f in find_figures(expected) if not any(same_figure(f, other) for other in asked)]
    told = find_figures(text)
    if figures:
        return any(same_figure(other, f, finer=False, ignore_sign=True) for f in figures for other in told)
    days = {span.text.lower() for span in find_periods(expected)} - {
        span.text.lower() for span in find_periods(question)
    }
    if days:
        return any(day in text.lower() for day in days)
    words = content_words(expected) - content_words(question)
    return bool(words) and len(words & content_words(text)) / len(words) >= MOST_WORDS


if __name__ == "__main__":
    sys.exit(main())
