"""Are the pages that hold the financial statements recognised?

    python benchmarks/statements.py              all filings of ../shared/data/financebench

Compares `statements.recognise` with hand labels (statement_pages.jsonl beside this file, made
page by page before the recogniser was tuned; what counts is said in the docstring of
aethel_core/statements). Pages labelled optional count neither way. Also prints how many of the
gold pages of the questions that name a statement are recognised as that statement.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from aethel_core.parsing import parse_pdf  # noqa: E402
from aethel_core.statements import kinds_named, recognise  # noqa: E402
from aethel_core.types import Statement  # noqa: E402

DATA = ROOT.parent / "shared" / "data" / "financebench"
LABELS = Path(__file__).with_name("statement_pages.jsonl")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA)
    data = parser.parse_args().data
    if not (data / "pdfs").is_dir():
        print(f"The filings are not at {data}; give their folder with --data.", file=sys.stderr)
        return 1
    counts = {kind: Counter[str]() for kind in Statement}
    recognised: dict[str, dict[int, tuple[Statement, ...]]] = {}
    seconds = pages = 0.0
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        document = parse_pdf((data / "pdfs" / label["document"]).read_bytes(), label["document"], ocr=False)
        started = time.process_time()
        found = recognise(document)
        seconds += time.process_time() - started
        pages += len(document.pages)
        recognised[label["document"]] = found
        _count(label, found, counts)
    _table(counts)
    print(f"\n{pages:.0f} pages, {100 * seconds / pages:.3f} s of processor time for 100 pages")
    _gold_pages(data / "questions.jsonl", recognised)
    return 0


def _count(
    label: dict, found: dict[int, tuple[Statement, ...]], counts: dict[Statement, Counter[str]]
) -> None:
    true = _pairs(label["statements"])
    optional = _pairs(label.get("optional", {}))
    got = {(page, kind) for page, kinds in found.items() for kind in kinds}
    for name, pairs in (("right", got & true), ("wrong", got - true - optional), ("missed", true - got)):
        for page, kind in sorted(pairs):
            counts[kind][name] += 1
            if name != "right":
                print(f"{name}: {label['document']} page {page}, {kind.value}")


def _pairs(pages_of: dict[str, list[int]]) -> set[tuple[int, Statement]]:
    return {(page, Statement(kind)) for kind, pages in pages_of.items() for page in pages}


def _table(counts: dict[Statement, Counter[str]]) -> None:
    print(
        "\n| statement | pages | right | wrong | missed | precision | recall |\n|---|---|---|---|---|---|---|"
    )
    total = Counter[str]()
    for kind, count in counts.items():
        total += count
        if count:
            print(_row(kind.value, count))
    print(_row("all", total))


def _row(name: str, count: Counter[str]) -> str:
    right, wrong, missed = count["right"], count["wrong"], count["missed"]
    precision = right / (right + wrong) if right + wrong else 1.0
    recall = right / (right + missed) if right + missed else 1.0
    return f"| {name} | {right + missed} | {right} | {wrong} | {missed} | {precision:.3f} | {recall:.3f} |"


def _gold_pages(path: Path, recognised: dict[str, dict[int, tuple[Statement, ...]]]) -> None:
    asked = hit = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        named = kinds_named(question["question"])
        for gold in question["gold"] if named else ():
            asked += 1
            hit += bool(set(named) & set(recognised.get(gold["document"], {}).get(gold["page"], ())))
    print(
        f"{hit} of {asked} gold pages of questions that name a statement are recognised as one of those named"
    )


if __name__ == "__main__":
    raise SystemExit(main())
