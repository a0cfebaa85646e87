"""Does a document say by itself which company it is of, which period and which kind?

    python benchmarks/metadata.py                all filings of ../shared/data/financebench
    python benchmarks/metadata.py --pages 6      their first six pages only

Each filing is read under a neutral name. A company is right if the data set's name is the name
that was inferred or one of its aliases; the fiscal year must be the data set's. Where the data
set calls a year otherwise than the document does, that counts as wrong here and is marked.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import pymupdf  # noqa: E402

from aethel_core.metadata import company, infer  # noqa: E402
from aethel_core.parsing import parse_pdf  # noqa: E402
from aethel_core.types import DocumentType, Metadata  # noqa: E402

DATA = ROOT.parent / "shared" / "data" / "financebench"
TYPES = {
    "10k": DocumentType.TEN_K,
    "10q": DocumentType.TEN_Q,
    "8k": DocumentType.EIGHT_K,
    "Earnings": DocumentType.EARNINGS,
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pages", type=int, default=None, help="read only so many first pages")
    arguments = parser.parse_args()
    listing = arguments.data / "documents.jsonl"
    if not listing.is_file():
        print(f"The filings are not at {arguments.data}; give their folder with --data.", file=sys.stderr)
        return 1
    rows = [json.loads(line) for line in listing.read_text(encoding="utf-8").splitlines()]
    print("| document | company | inferred | period | inferred | type | inferred | right |")
    print("|---|---|---|---|---|---|---|---|")
    outcomes = []
    for number, row in enumerate(rows, start=1):
        data = _first_pages((arguments.data / "pdfs" / row["document"]).read_bytes(), arguments.pages)
        found = infer(parse_pdf(data, f"document-{number:02}.pdf", ocr=False))
        outcomes.append(_outcome(row, found))
        print(_line(row, found, outcomes[-1]))
    _summary(outcomes, rows)
    return 0


def _first_pages(data: bytes, count: int | None) -> bytes:
    if count is None:
        return data
    with pymupdf.open(stream=data, filetype="pdf") as document:
        document.select(range(min(count, document.page_count)))
        return document.tobytes()


def _outcome(row: dict, found: Metadata) -> dict[str, bool]:
    true = row["company"].lower()
    right = true in {name.lower() for name in (found.company, *found.aliases)}
    by_table = {name.lower() for name in company.renamed(company.short_name(found.company))}
    year = found.period.fiscal_year == row["period"]
    return {
        "company": right,
        "company, without the table of renamings": right and true not in by_table,
        "period": year,
        "period, or the calendar year it ended in": year or found.period.end.startswith(str(row["period"])),
        "type": found.type is TYPES[row["type"]],
        "all three": right and year and found.type is TYPES[row["type"]],
    }


def _line(row: dict, found: Metadata, outcome: dict[str, bool]) -> str:
    ended = f" (ended {found.period.end})" if found.period.end else ""
    mark = "yes" if outcome["all three"] else "NO"
    cells = (row["document"], row["company"], found.company, row["period"], found.period.label + ended)
    return f"| {' | '.join(map(str, cells))} | {row['type']} | {found.type.value} | {mark} |"


def _summary(outcomes: list[dict[str, bool]], rows: list[dict]) -> None:
    print(f"\n| of {len(rows)} filings | right | share |\n|---|---|---|")
    for name in outcomes[0]:
        right = sum(outcome[name] for outcome in outcomes)
        print(f"| {name} | {right} | {right / len(outcomes):.3f} |")


if __name__ == "__main__":
    raise SystemExit(main())
