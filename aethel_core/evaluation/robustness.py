"""Do the retrievers bear how people really ask? Questions are changed and asked again.

    typos        about one word in eight of five letters or more gets one slip: two neighbours
                 swapped, a letter dropped, doubled, or replaced by a neighbour on a QWERTY
                 keyboard. Words with a digit or that begin with a capital are left alone, so that
                 what was asked for stays.
    ticker       a company is named by its ticker instead ("Nike" -> "NKE"), from the metadata
                 of the corpus; without a ticker, by its shortest other name
    paraphrase   other wording of the same question by rule: frames ("What is X?" -> "Tell me
                 X."), finance synonyms (capex, EPS, YoY and their long forms), or a polite opening

All are seeded by the question's id, so they repeat. Questions that a change does not touch are
left out of that change's figures, and how many were touched is said.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace

from aethel_core import metrics
from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation.judgements import JudgedQuestion, Judgements
from aethel_core.evaluation.runs import OnProgress, Searcher, by_query, collect, offset, per_question
from aethel_core.evaluation.statistics import Difference, difference
from aethel_core.types import Metadata

SEED = 42
KINDS = ("typos", "ticker", "paraphrase")
_SLIP_EVERY = 8
_WORD = re.compile(r"\b[a-z]{5,}\b")
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEXT_KEY = {
    letter: row[max(0, i - 1) : i] + row[i + 1 : i + 2] for row in _KEYBOARD for i, letter in enumerate(row)
}
_FRAMES = (
    (re.compile(r"^what (?:is|was|are|were) (.+)\?$", re.IGNORECASE | re.DOTALL), "Tell me {0}."),
    (re.compile(r"^how much (.+)\?$", re.IGNORECASE | re.DOTALL), "What amount {0}?"),
    (re.compile(r"^which (.+)\?$", re.IGNORECASE | re.DOTALL), "Name the {0}."),
    (re.compile(r"^who (.+)\?$", re.IGNORECASE | re.DOTALL), "Name the person who {0}."),
    (re.compile(r"^when (.+)\?$", re.IGNORECASE | re.DOTALL), "On what date {0}?"),
    (re.compile(r"^(?:does|did|has|have|is|are|was|were) .+\?$", re.IGNORECASE | re.DOTALL), "I wonder: {q}"),
)
_OPENINGS = ("Could you find out the following for me? {q}", "I need this for our file: {q}")
_SYNONYMS = (
    ("capital expenditures", "capex"),
    ("capital expenditure", "capex"),
    ("earnings per share", "EPS"),
    ("year-over-year", "YoY"),
    ("year over year", "YoY"),
    ("property, plant and equipment", "PP&E"),
    ("cost of goods sold", "COGS"),
    ("research and development", "R&D"),
    ("statement of financial position", "balance sheet"),
    ("statement of income", "income statement"),
)


@dataclass(frozen=True, slots=True)
class Robustness:
    """``difference`` is changed minus original on the ``touched`` questions."""

    kind: str
    retriever: str
    metric: str
    touched: int
    original: float
    changed: float
    difference: Difference


@dataclass(frozen=True, slots=True)
class Example:
    """A question as it was asked and as it was changed."""

    kind: str
    asked: str
    changed: str


@dataclass(frozen=True, slots=True)
class RobustnessResult:
    """The rows of all kinds of change, of ``questions`` in all, and an example of each kind.
    ``conditions`` names the corpus and the settings, ``fingerprint`` those with the questions."""

    metric: str
    questions: int
    rows: tuple[Robustness, ...]
    examples: tuple[Example, ...]
    fingerprint: str
    conditions: str
    made_at: str = field(default="", compare=False)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> RobustnessResult:
        """:raises MissingData: the text is not a kept result."""
        try:
            data = json.loads(text)
            rows = tuple(
                Robustness(**{**row, "difference": Difference(**row["difference"])})
                for row in data.pop("rows")
            )
            examples = tuple(Example(**example) for example in data.pop("examples"))
            return cls(rows=rows, examples=examples, **data)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise MissingData("This is not a kept result, or it is damaged; measure again.") from error


def with_typos(text: str, rng: random.Random) -> str:
    places = [match.span() for match in _WORD.finditer(text)]
    count = min(len(places), max(1, len(text.split()) // _SLIP_EVERY))
    for start, end in sorted(rng.sample(places, count), reverse=True):
        text = text[:start] + _slip(text[start:end], rng) + text[end:]
    return text


def by_ticker(text: str, companies: Sequence[Metadata]) -> str:
    """Every name of a known company in the text becomes its ticker or its shortest other name."""
    short: dict[str, str] = {}
    for company in companies:
        names = [name for name in (company.company, *company.aliases) if name]
        for name in names:
            others = sorted((other for other in names if other != name), key=lambda o: (len(o), o))
            substitute = company.ticker or next(iter(others), "")
            if substitute and name.casefold() != substitute.casefold():
                short.setdefault(name.casefold(), substitute)
    if not short:
        return text
    longest_first = sorted(short, key=lambda name: (-len(name), name))
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)

    def substituted(match: re.Match[str]) -> str:
        # Some companies are called by a common word (Block, Visa): only a capital makes it a name.
        return short[match[0].casefold()] if match[0][0].isupper() else match[0]

    return pattern.sub(substituted, text)


def paraphrased(text: str, rng: random.Random) -> str:
    for phrase, other in _SYNONYMS:
        for old, new in ((phrase, other), (other, phrase)):
            pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
            if pattern.search(text):
                return pattern.sub(new, text)
    for pattern, frame in _FRAMES:
        if match := pattern.fullmatch(text.strip()):
            return frame.format(*match.groups(), q=text)
    return rng.choice(_OPENINGS).format(q=text)


def changed(
    questions: Sequence[JudgedQuestion], kind: str, companies: Sequence[Metadata] = ()
) -> tuple[JudgedQuestion, ...]:
    """The questions that the change touches, changed; ids and gold stay.

    :raises InvalidInput: there is no such change.
    """
    changes: dict[str, Callable[[str, random.Random], str]] = {
        "typos": with_typos,
        "ticker": lambda text, _: by_ticker(text, companies),
        "paraphrase": paraphrased,
    }
    if kind not in changes:
        raise InvalidInput(f"There is no change {kind!r}. Choose among: {', '.join(KINDS)}.")
    touched = []
    for question in questions:
        text = changes[kind](question.text, random.Random(f"{SEED} {kind} {question.id}"))
        if text != question.text:
            touched.append(replace(question, text=text))
    return tuple(touched)


def examples_of(
    questions: Sequence[JudgedQuestion], companies: Sequence[Metadata] = ()
) -> tuple[Example, ...]:
    """The first question that each kind of change touches."""
    asked = {question.id: question.text for question in questions}
    return tuple(
        Example(kind, asked[first.id], first.text)
        for kind in KINDS
        for first in changed(questions, kind, companies)[:1]
    )


def robustness(
    searcher: Searcher,
    judgements: Judgements,
    retrievers: Sequence[str],
    companies: Sequence[Metadata] = (),
    *,
    kinds: Sequence[str] = KINDS,
    metric: str = "HR@5",
    on_progress: OnProgress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> tuple[Robustness, ...]:
    """Ask originals and changed questions; a kind that touches no question gives no rows.

    :raises Cancelled: ``cancelled`` said so.
    """
    want = int(metric.partition("@")[2] or 20)
    search = by_query(searcher)
    asked_anew = {kind: changed(judgements.questions, kind, companies) for kind in kinds}
    searches = sum(map(len, asked_anew.values())) * len(retrievers)
    done = 0
    rows: list[Robustness] = []
    for kind, others in asked_anew.items():
        if not others:
            continue
        ids = {question.id for question in others}
        same = tuple(question for question in judgements.questions if question.id in ids)
        before, after = replace(judgements, questions=same), replace(judgements, questions=others)
        answers = []
        for asked in (before, after):
            progress = offset(on_progress, done, 2 * searches)
            answers.append(collect(search, asked, retrievers, want, progress, cancelled))
            done += len(answers[-1])
        for name in retrievers:
            old = per_question(answers[0], before, name, metric)
            new = per_question(answers[1], after, name, metric)
            gap = difference(f"{name} ({kind})", name, metric, new, old)
            rows.append(
                Robustness(kind, name, metric, len(others), metrics.mean(old), metrics.mean(new), gap)
            )
    return tuple(rows)


def _slip(word: str, rng: random.Random) -> str:
    i = rng.randrange(1, len(word) - 1)  # the first and last letter are rarely the wrong ones
    kind = rng.choice(("swap", "drop", "double", "neighbour"))
    if kind == "swap" and word[i] != word[i + 1]:
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    if kind == "drop":
        return word[:i] + word[i + 1 :]
    if kind == "neighbour":
        return word[:i] + rng.choice(_NEXT_KEY[word[i]]) + word[i + 1 :]
    return word[:i] + word[i] + word[i:]
