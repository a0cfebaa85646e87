"""How well the audit tells true sentences from corrupted ones.

    python benchmarks/audit.py [--half dev|test] [--seed 42] [--show]

True sentences come from three sources: written by hand over the sample deal
(``audit_sentences.jsonl``), made by script over table rows of pages of real filings, and prose of
those pages retold with another opening and other number formats. Each true sentence has one
corrupted twin: a digit changed, the scale off by 1,000, the sign or direction turned, another
period, another company, or the citation moved to a neighbouring page.

Rules may be tuned on "dev" only. The filings of the two parts differ; the sentences by hand say
to which they belong. A pair is in one part as a whole.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pymupdf

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from aethel_core import chunking, metadata, parsing  # noqa: E402
from aethel_core.audit import Sources, check_sentence, content_words, sentences  # noqa: E402
from aethel_core.finance.numbers import Figure, find_figures  # noqa: E402
from aethel_core.finance.periods import find_periods  # noqa: E402
from aethel_core.types import Document, Passage, TableRow  # noqa: E402
from tests.conftest import shared_data_path  # noqa: E402

DEV_FILINGS = (
    "ADOBE_2022_10K.pdf",
    "AMAZON_2019_10K.pdf",
    "AMERICANWATERWORKS_2021_10K.pdf",
    "CORNING_2022_10K.pdf",
    "GENERALMILLS_2022_10K.pdf",
    "LOCKHEEDMARTIN_2022_10K.pdf",
    "MGMRESORTS_2022_10K.pdf",
    "NETFLIX_2017_10K.pdf",
    "PFIZER_2021_10K.pdf",
    "FOOTLOCKER_2022_8K_dated_2022-08-19.pdf",
)
TEST_FILINGS = (
    "ACTIVISIONBLIZZARD_2019_10K.pdf",
    "ADOBE_2017_10K.pdf",
    "AMERICANWATERWORKS_2022_10K.pdf",
    "BLOCK_2016_10K.pdf",
    "CORNING_2021_10K.pdf",
    "GENERALMILLS_2020_10K.pdf",
    "LOCKHEEDMARTIN_2020_10K.pdf",
    "MGMRESORTS_2023Q2_10Q.pdf",
    "NETFLIX_2015_10K.pdf",
    "JOHNSON_JOHNSON_2022_10K.pdf",
)
FILINGS = (*DEV_FILINGS, *TEST_FILINGS)
ROWS_PER_FILING, PROSE_PER_FILING = 12, 6
KINDS = ("digit", "scale", "sign", "period", "company", "citation")


@dataclass(frozen=True, slots=True)
class Drafted:
    text: str
    passage_ids: tuple[str, ...]
    company: str
    origin: str
    part: str = ""  # of a sentence by hand


@dataclass(frozen=True, slots=True)
class Corpus:
    sources: Sources
    passages: dict[str, tuple[Passage, ...]]  # by document name
    companies: dict[str, str]  # the short name of a document's company, by document name


# --- reading -----------------------------------------------------------------------------------


def read(names: dict[str, Path], pages: dict[str, list[int]]) -> Corpus:
    """Parse the documents, only some pages of those that ``pages`` names."""
    documents, passages, companies = [], {}, {}
    for name, path in names.items():
        data = path.read_bytes()
        if name in pages:
            data = extract(data, pages[name])
        parsed = parsing.parse_pdf(data, name)
        found = metadata.infer(parsed)
        made = chunking.passages(parsed)
        documents.append(Document(parsed.id, name, parsed.sha256, found, len(parsed.pages), len(made)))
        passages[name] = made
        companies[name] = short_name(found.company)
    by_id = {d.id: passages[d.name] for d in documents}
    return Corpus(Sources(documents, by_id.__getitem__), passages, companies)


def extract(data: bytes, pages: list[int]) -> bytes:
    with pymupdf.open(stream=data) as whole, pymupdf.open() as part:
        for page in sorted({1, 2, *pages}):
            if 1 <= page <= whole.page_count:
                part.insert_pdf(whole, from_page=page - 1, to_page=page - 1)
        return part.tobytes(no_new_id=True)


def short_name(company: str) -> str:
    return re.sub(
        r",?\s+(?:Inc|Corp|Corporation|LLC|L\.P|Company|Co|Holdings|Limited)\b.*$", "", company
    ).strip()


# --- true sentences ----------------------------------------------------------------------------


def by_hand(corpus: Corpus) -> Iterator[Drafted]:
    """Each cites the passage that holds its quote, or else the one that `cited` finds."""
    for line in (ROOT / "benchmarks" / "audit_sentences.jsonl").read_text().splitlines():
        entry = json.loads(line)
        on_page = [p for p in corpus.passages[entry["document"]] if p.page == entry["page"]]
        quoted = tuple(p.id for p in on_page if "quote" in entry and entry["quote"] in p.text)
        yield Drafted(
            entry["sentence"], quoted or cited(entry["sentence"], on_page), "", "by hand", entry["part"]
        )


def cited(sentence: str, on_page: list[Passage]) -> tuple[str, ...]:
    """The passage of the page with most of the sentence's digits and words, and another one where
    that holds digits which the first lacks. Digits are compared as text, before any reading."""
    words = content_words(sentence)
    wanted = {d for f in find_figures(sentence) if (d := digits(f.text))}

    def held(passage: Passage) -> set[str]:
        there = {digits(token) for token in NUMBER.findall(passage.text)}
        return {d for d in wanted if any(t.startswith(d) or (len(t) > 2 and d.startswith(t)) for t in there)}

    best = max(on_page, key=lambda p: (len(held(p)), len(words & content_words(p.text))))
    chosen = [best.id]
    for passage in on_page:
        if held(passage) - held(best) and len(chosen) < 2:
            chosen.append(passage.id)
    return tuple(chosen)


NUMBER = re.compile(r"\d[\d,.]*\d|\d")


def digits(text: str) -> str:
    """The leading digits of a number as written, at most three."""
    found = NUMBER.search(text)
    return found[0].replace(",", "").replace(".", "").lstrip("0")[:3] if found else ""


def of_rows(corpus: Corpus, name: str, chance: random.Random) -> list[Drafted]:
    """Sentences about rows with figures for two fiscal years beside each other."""
    found = []
    for passage in corpus.passages[name]:
        table = passage.table
        if table is None or table.scale not in (1e3, 1e6) or not table.unit_line:
            continue
        years = [
            (n, c.period)
            for n, c in enumerate(table.columns)
            if re.fullmatch(r"FY\d{4}|\d{4}-\d\d-\d\d", c.period)
        ]
        if len(years) < 2 or years[0][1][-4:] == years[1][1][-4:]:
            continue
        for row in table.rows:
            text = told(row, years[:2], table.scale, corpus.companies[name], chance)
            if text:
                found.append(Drafted(text, (passage.id,), corpus.companies[name], "rows"))
    chance.shuffle(found)
    return found[:ROWS_PER_FILING]


def told(
    row: TableRow, years: list[tuple[int, str]], scale: float, company: str, chance: random.Random
) -> str:
    (now, period), (before, earlier) = years
    label = re.sub(r"\s*\([^)]*\)|\s+\d$|[:*]+$", "", row.header).strip()
    if len(content_words(label)) < 2 or len(label) > 60 or max(now, before) >= len(row.cells):
        return ""
    if re.search(r"per\b.*share|shares|rate|%|margin", f"{label} {row.group}", re.I):
        return ""
    new, old = row.cells[now].value, row.cells[before].value
    if not new or not old or "%" in row.cells[now].text or abs(new) < 20 or abs(old) < 20:
        return ""
    label = label[0].lower() + label[1:] if not label[:2].isupper() else label
    when, then = dated(period), dated(earlier)
    first, second = amount(new * scale, chance), amount(old * scale, chance)
    forms = [
        f"{company} reported {label} of {first} for {when}.",
        f"For {when}, {label} of {company} amounted to {first}, compared with {second} for {then}.",
    ]
    if new > 0 and old > 0 and abs(new / old - 1) > 0.002:
        verb = "rose" if new > old else "fell"
        change = abs(new / old - 1) * 100
        forms.append(
            f"{company}'s {label} {verb} {change:.1f}% from {second} in {then} to {first} in {when}."
        )
    return chance.choice(forms)


def dated(period: str) -> str:
    if period.startswith("FY"):
        return f"fiscal {period[2:]}"
    return f"{pymonth(int(period[5:7]))} {int(period[8:])}, {period[:4]}"


def pymonth(number: int) -> str:
    import calendar

    return calendar.month_name[number]


def amount(value: float, chance: random.Random) -> str:
    sign, size = ("-" if value < 0 else ""), abs(value)
    if size >= 1e9 and chance.random() < 0.4:
        return f"{sign}${size / 1e9:,.2f} billion"
    if size >= 1e6:
        return f"{sign}${size / 1e6:,.1f} million" if size % 1e6 else f"{sign}${size / 1e6:,.0f} million"
    return f"{sign}${size / 1e3:,.0f} thousand"


def of_prose(corpus: Corpus, name: str, chance: random.Random) -> list[Drafted]:
    found = []
    for passage in corpus.passages[name]:
        if passage.table is not None:
            continue
        for start, end in sentences(passage.text):
            text = passage.text[start:end]
            measured = [f for f in find_figures(text) if f.unit in ("currency", "percent", "bps")]
            if measured and 50 < len(text) < 320 and text[0].isupper() and text.endswith("."):
                found.append(
                    Drafted(
                        retold(text, corpus.companies[name]), (passage.id,), corpus.companies[name], "prose"
                    )
                )
    chance.shuffle(found)
    return found[:PROSE_PER_FILING]


def retold(text: str, company: str) -> str:
    text = re.sub(r"\b(?:We|The Company)\b", company, text)
    text = re.sub(r"\b(?:[Oo]ur|the Company[’']s)\b", f"{company}'s", text)
    text = re.sub(r"\b(?:we|the Company)\b", company, text)
    text = re.sub(r"(?<=\d) percent\b", "%", text).replace(" million", "m").replace(" billion", "bn")
    first = text if text.split()[0] in company or text[:2].isupper() else text[0].lower() + text[1:]
    return text if company in text else f"At {company}, {first}"


# --- corruption --------------------------------------------------------------------------------


def corrupted(drafted: Drafted, kind: str, corpus: Corpus, chance: random.Random) -> Drafted | None:
    """The sentence with one thing wrong, None where it has nothing that could be."""
    if kind == "citation":
        return moved(drafted, corpus)
    change = {"digit": digit, "scale": scale, "sign": sign, "period": period}.get(kind)
    text = change(drafted.text, chance) if change else company(drafted, corpus, chance)
    if not text or text == drafted.text:
        return None
    return replace(drafted, text=text)


def chosen(text: str, chance: random.Random) -> Figure | None:
    figures = [f for f in find_figures(text) if f.unit != "count" or abs(f.printed) >= 100]
    return chance.choice(figures) if figures else None


def replaced(text: str, figure: Figure, new: str) -> str:
    return text[: figure.start] + new + text[figure.end :]


def digit(text: str, chance: random.Random) -> str:
    figure = chosen(text, chance)
    if figure is None:
        return ""
    places = [n for n, c in enumerate(figure.text) if c.isdigit()]
    place = chance.choice(places[: max(1, min(3, len(places)))])  # not lost in rounding
    # Two off at least: 12.35 may be written 12.3 as well as 12.4.
    other = chance.choice([d for d in "123456789" if abs(int(d) - int(figure.text[place])) > 1])
    return replaced(text, figure, figure.text[:place] + other + figure.text[place + 1 :])


def scale(text: str, chance: random.Random) -> str:
    figures = [f for f in find_figures(text) if f.unit in ("currency", "shares")]
    if not figures:
        return ""
    figure = chance.choice(figures)
    swaps = (("billion", "million"), ("million", "billion"), ("thousand", "million"), ("bn", "m"))
    for old, new in swaps:
        if old in figure.text:
            return replaced(text, figure, figure.text.replace(old, new))
    if figure.text.endswith("m"):
        return replaced(text, figure, figure.text[:-1] + "bn")
    number = re.match(r"\D?[\d,.]+", figure.text)
    if number is None or "," not in figure.text:
        return ""
    return replaced(text, figure, number[0] + " million" + figure.text[number.end() :])


TURNS = (
    ("rose", "fell"),
    ("grew", "shrank"),
    ("increased", "decreased"),
    ("increase", "decrease"),
    ("up", "down"),
    ("higher", "lower"),
)


# Of these a table prints the amount with a minus and prose without, so that either is true.
OUTFLOW = (
    r"(?i)\b(?:loss|losses|used|purchases?|repayments?|payments?|paid|expenses?|decrease|expenditures?|provision"
    r"|dividends|acquisitions?|combinations|fees?|distribut\w+|charged|drawn|contribut\w+|called|facility)\b"
)


def sign(text: str, chance: random.Random) -> str:
    for pair in TURNS:
        for old, new in (pair, pair[::-1]):
            if re.search(rf"(?<!paid )(?<!-)\b{old}\b", text):
                return re.sub(rf"(?<!paid )(?<!-)\b{old}\b", new, text, count=1)
    figures = [f for f in find_figures(text) if f.unit in ("currency", "percent")]
    if not figures:
        return ""
    if re.search(OUTFLOW, text):
        return ""
    figure = chance.choice(figures)
    if figure.printed < 0:
        return replaced(text, figure, re.sub(r"[-−()]", "", figure.text))
    return replaced(text, figure, f"-{figure.text}")


def period(text: str, chance: random.Random) -> str:
    spans = [s for s in find_periods(text) if s.period.fiscal_year]
    if not spans:
        return ""
    span = chance.choice(spans)
    year = str(span.period.fiscal_year)
    if year not in span.text:
        return ""
    others = [int(year) - 1, int(year) + 1, int(year) - 2]
    others = [y for y in others if str(y) not in text] or others
    return text[: span.start] + span.text.replace(year, str(chance.choice(others))) + text[span.end :]


HELD = (
    "Helios Packaging",
    "Helios",
    "Meridian Cold Storage",
    "Brightwater",
    "Calloway",
    "Stratus",
    "Penrose",
    "Quillon",
    "NorthRiver Capital Partners IV",
    "NorthRiver IV",
    "NorthRiver III",
    "Grainfield Foods",
    "Lockhaven Marine",
)
FOREIGN = (
    "Castellan Bank",
    "Aldermoor Foods",
    "Nike",
    "Tessler Water Technologies",
    "Boeing",
    "Verity Dental Alliance",
)


def company(drafted: Drafted, corpus: Corpus, chance: random.Random) -> str:
    names = [drafted.company] if drafted.company else [n for n in HELD if n in drafted.text]
    if not names or names[0] not in drafted.text:
        return ""
    others = [n for n in {*corpus.companies.values(), *FOREIGN} if n and n.split()[0] not in drafted.text]
    return drafted.text.replace(names[0], chance.choice(sorted(others)))


def moved(drafted: Drafted, corpus: Corpus) -> Drafted | None:
    """To the passage of a neighbouring page that shares most words with the sentence."""
    passage_id = drafted.passage_ids[0]
    passages = next(p for p in corpus.passages.values() if p[0].document_id == passage_id.partition(":")[0])
    here = next(p for p in passages if p.id == passage_id)
    near = [p for p in passages if abs(p.page - here.page) == 1]
    if not near:
        return None
    words = content_words(drafted.text)
    best = max(near, key=lambda p: len(words & content_words(p.text)))
    there = {digits(token) for token in NUMBER.findall(best.text)}
    if {digits(f.text) for f in find_figures(drafted.text)} <= there:
        return None  # the neighbouring page says the same
    return replace(drafted, passage_ids=(best.id,))


# --- measuring ---------------------------------------------------------------------------------


def drafts(corpus: Corpus, seed: int) -> list[Drafted]:
    chance = random.Random(seed)
    found = list(by_hand(corpus))
    for name in sorted(n for n in corpus.passages if n in FILINGS):
        found += of_rows(corpus, name, chance)
        found += of_prose(corpus, name, chance)
    return found


def pairs(corpus: Corpus, seed: int) -> list[tuple[Drafted, str, Drafted]]:
    """(true, kind of corruption, corrupted), the kinds as even as the sentences allow."""
    chance = random.Random(seed)
    used: Counter[str] = Counter()
    made = []
    for drafted in drafts(corpus, seed):
        for kind in sorted(KINDS, key=lambda k: (used[k], KINDS.index(k))):
            wrong = corrupted(drafted, kind, corpus, chance)
            if wrong:
                used[kind] += 1
                made.append((drafted, kind, wrong))
                break
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=("dev", "test", "both"), default="test")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--show", action="store_true", help="print what was judged wrongly")
    arguments = parser.parse_args()
    corpus = load()
    made = pairs(corpus, arguments.seed)
    chosen = made if arguments.half == "both" else parted(made, corpus)[arguments.half]
    report(chosen, corpus, arguments)


Pair = tuple[Drafted, str, Drafted]


def parted(made: list[Pair], corpus: Corpus) -> dict[str, list[Pair]]:
    """By filing; sentences by hand as their file says."""
    names = {passages[0].document_id: name for name, passages in corpus.passages.items()}
    parts: dict[str, list[Pair]] = {"dev": [], "test": []}
    for pair in made:
        true = pair[0]
        name = names[true.passage_ids[0].partition(":")[0]]
        parts[true.part or ("test" if name in TEST_FILINGS else "dev")].append(pair)
    return parts


def load() -> Corpus:
    data = shared_data_path() / "financebench"
    names = {path.name: path for path in sorted((ROOT / "sample_docs").glob("*.pdf"))}
    pages: dict[str, list[int]] = defaultdict(list)
    if (data / "questions.jsonl").is_file():
        for line in (data / "questions.jsonl").read_text().splitlines():
            for gold in json.loads(line)["gold"]:
                if gold["document"] in FILINGS:
                    pages[gold["document"]] += [gold["page"] + step for step in (-1, 0, 1)]
        names |= {name: data / "pdfs" / name for name in FILINGS}
        for name in FILINGS:
            pages.setdefault(name, [])
    return read(names, pages)


def report(made: list[tuple[Drafted, str, Drafted]], corpus: Corpus, arguments: argparse.Namespace) -> None:
    true_flagged: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    total: Counter[str] = Counter()
    origins: Counter[str] = Counter()
    for true, kind, wrong in made:
        origins[true.origin] += 1
        total[kind] += 1
        first = check_sentence(true.text, true.passage_ids, corpus.sources)
        second = check_sentence(wrong.text, wrong.passage_ids, corpus.sources)
        if first.flagged:
            true_flagged[true.origin] += 1
            if arguments.show:
                print(f"TRUE FLAGGED [{true.origin}] {true.text}\n   {first.passage_ids} {first.flags}")
        if second.flagged:
            caught[kind] += 1
        elif arguments.show:
            print(f"MISSED [{kind}] {wrong.text}\n   was: {true.text}\n   {wrong.passage_ids}")
    print(
        f"half {arguments.half}, seed {arguments.seed}: {2 * len(made)} sentences, "
        f"{len(made)} true and {len(made)} corrupted"
    )
    print("true by origin: " + ", ".join(f"{o} {n} ({true_flagged[o]} flagged)" for o, n in origins.items()))
    for kind in KINDS:
        print(f"  {kind:<9} {caught[kind]:>3} of {total[kind]:>3} flagged")
    all_caught, all_flagged = sum(caught.values()), sum(true_flagged.values())
    print(f"corruptions flagged: {all_caught}/{len(made)} = {all_caught / len(made):.1%}")
    print(f"true sentences flagged: {all_flagged}/{len(made)} = {all_flagged / len(made):.1%}")


if __name__ == "__main__":
    main()
