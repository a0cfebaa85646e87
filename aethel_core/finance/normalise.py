"""One way of writing for questions and passages, with the way back to the text as given.

`normalise` evens out characters and white space and writes figures and periods in one form
("$1,204.3m" is "USD 1204300000", "fiscal 22" is "FY2022"). `correct_typos` proposes corrections
against a corpus' own words. `extra_terms` are what to index beside a passage, never in its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from aethel_core.finance.abbreviations import abbreviate, expand, meanings
from aethel_core.finance.numbers import Figure, find_figures
from aethel_core.finance.periods import PeriodSpan, find_periods
from aethel_core.finance.words import phrase

_MAX_PASSES = 8


@dataclass(frozen=True, slots=True)
class Normalised:
    """``spans[i]`` is where the i-th character of ``text`` comes from in the text as given."""

    text: str
    spans: tuple[tuple[int, int], ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the text as given that ``text[start:end]`` stands for."""
        if start >= end:
            at = self.spans[start][0] if start < len(self.spans) else (self.spans[-1][1] if self.spans else 0)
            return at, at
        covered = self.spans[start:end]
        return min(span[0] for span in covered), max(span[1] for span in covered)


_Spans = list[tuple[int, int]]
_Edit = tuple[int, int, str]


def normalise(text: str) -> Normalised:
    """The text in the one form. Normalising it again changes nothing.

    Rewriting one part can complete another ("2 .5bn"), so the passes are repeated until nothing
    changes. Where that does not come to rest, only characters and white space are evened out.
    """
    plain, plain_spans = _even(text, [(i, i + 1) for i in range(len(text))])
    current, spans = plain, plain_spans
    for _ in range(_MAX_PASSES):
        rewritten, spans = _apply(current, spans, _edits(current))
        rewritten, spans = _even(rewritten, spans)
        if rewritten == current:
            return Normalised(current, tuple(spans))
        current = rewritten
    return Normalised(plain, tuple(plain_spans))


def _apply(text: str, spans: _Spans, edits: list[_Edit]) -> tuple[str, _Spans]:
    parts: list[str] = []
    kept: _Spans = []
    position = 0
    for start, end, replacement in edits:
        parts += text[position:start], replacement
        origin = (min(s for s, _ in spans[start:end]), max(e for _, e in spans[start:end]))
        kept += spans[position:start] + [origin] * len(replacement)
        position = end
    return "".join([*parts, text[position:]]), kept + spans[position:]


# --- characters --------------------------------------------------------------------------------

_CHARACTERS = {
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‐‑‒−﹣", "-"),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f", ""),
    **{chr(0xFF01 + offset): chr(0x21 + offset) for offset in range(94)},
    **{"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "…": "..."},
}
_SPACE = re.compile(r"\s+")


def _even(text: str, spans: _Spans) -> tuple[str, _Spans]:
    """Quotes, dashes and widths in one form; runs of white space are one blank or line break."""
    edits = [(i, i + 1, _CHARACTERS[c]) for i, c in enumerate(text) if c in _CHARACTERS]
    text, spans = _apply(text, spans, edits)
    blanks = []
    for match in _SPACE.finditer(text):
        edge = match.start() == 0 or match.end() == len(text)
        blanks.append((match.start(), match.end(), "" if edge else "\n" if "\n" in match[0] else " "))
    return _apply(text, spans, blanks)


# --- figures and periods -----------------------------------------------------------------------


def _edits(text: str) -> list[_Edit]:
    """What to rewrite, in order and without overlap."""
    if _shouted(text):
        return _lowered(text)
    periods = find_periods(text)
    edits = [*_period_edits(periods), *_figure_edits(find_figures(text, periods))]
    kept: list[_Edit] = []
    for edit in sorted(edits):
        if (not kept or edit[0] >= kept[-1][1]) and text[edit[0] : edit[1]] != edit[2]:
            kept.append(edit)
    return kept


def _period_edits(periods: Iterable[PeriodSpan]) -> Iterator[_Edit]:
    for span in periods:
        written = canonical_period(span)
        if written:
            yield span.start, span.end, written


def canonical_period(span: PeriodSpan) -> str:
    """ "FY2022", "Q3 FY2023", "FY2017 to FY2019", "LTM"; "" for what is best left as written (dates)."""
    year = span.period.fiscal_year
    if span.period.end or span.kind == "date":
        return ""
    if span.kind == "range":
        return _canonical_range(span)
    if span.kind == "ltm":
        return "LTM"
    if span.kind == "half":
        half = "H1" if span.period.quarter == 2 else "H2"
        return f"{half} FY{year}" if year else half
    if span.kind == "quarter" and year is None:
        return f"Q{span.period.quarter}"
    # A bare year may be a calendar year: it stays.
    return "" if span.text.isdigit() else span.period.label


def _canonical_range(span: PeriodSpan) -> str:
    since = span.since
    if (
        since is None
        or since.end
        or not re.search(r"[A-Za-z]", re.sub(r"\b(?:to|and|through)\b", "", span.text))
    ):
        return ""
    link = "and" if re.search(r"\band\b", span.text) else "to"
    return f"{since.label} {link} {span.period.label}"


def _figure_edits(figures: Iterable[Figure]) -> Iterator[_Edit]:
    for figure in figures:
        written = canonical_figure(figure)
        # A range's first number has no scale of its own to be written out: "$3–5 million".
        if written and not (figure.scale > 1 and figure.text.strip("-(").isdigit()):
            yield figure.start, figure.end, written


def canonical_figure(figure: Figure) -> str:
    """The figure written out: "USD 1204300000", "12.5%", "15 bps", "-3.4"."""
    number = plain_number(figure.value)
    if figure.unit == "percent":
        return f"{number}%"
    if figure.unit in ("currency", "per share"):
        return f"{figure.currency} {number}".strip()
    words = {"bps": " bps", "multiple": "x", "count": "", "shares": " shares"}
    return f"{number}{words.get(figure.unit, f' {figure.unit}')}"


def plain_number(value: float) -> str:
    """Digits without separators, exponent or needless zeros."""
    written = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if written in ("-0", "") else written


# --- case --------------------------------------------------------------------------------------

_LETTERS = re.compile(r"[^\W\d_]+")


def _shouted(text: str) -> bool:
    """Whether a whole question is in capitals, where they say nothing."""
    return text.isupper() and len(_LETTERS.findall(text)) > 3 and max(map(len, _LETTERS.findall(text))) > 4


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(
        part for m in meanings() for part in re.findall(r"[A-Za-z&]+", m.short) if part.isupper()
    )


def _lowered(text: str) -> list[_Edit]:
    """Lower case for all but abbreviations and what carries a digit ("FY22")."""
    ordinary = {m.short for m in meanings() if m.word}
    edits = []
    for match in re.finditer(r"[\w&]+", text):
        word = match[0]
        kept = (word in _abbreviations() and word not in ordinary) or any(c.isdigit() for c in word)
        # Some letters have a lower-case form of another length; each keeps its place.
        lowered = word if kept else "".join(c.lower() if len(c.lower()) == 1 else c for c in word)
        if lowered != word:
            edits.append((match.start(), match.end(), lowered))
    return edits


# --- typing errors -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Correction:
    """``text`` at ``[start, end)`` should probably read ``replacement``; ``distance`` counts the edits."""

    start: int
    end: int
    text: str
    replacement: str
    distance: int


_MIN_LENGTH = 5
_TYPED = re.compile(r"[^\W\d_]+")


def correct_typos(text: str, vocabulary: Collection[str]) -> tuple[Correction, ...]:
    """Corrections for words of five letters or more that the corpus does not know.

    One edit (insertion, deletion, change, swap of neighbours) for words under eight letters and
    for names, two for longer words; only where a single word of the vocabulary is nearest.
    Abbreviations in capitals are left alone.

    :param vocabulary: the corpus' words in lower case; a frozenset is prepared only once.
    """
    known = vocabulary if isinstance(vocabulary, frozenset) else frozenset(vocabulary)
    found = []
    for match in _TYPED.finditer(text):
        word = match[0]
        if len(word) >= _MIN_LENGTH and not word.isupper() and not _is_known(word, known):
            correction = _nearest(word, known, match.start())
            if correction:
                found.append(correction)
    return tuple(found)


def _is_known(word: str, known: frozenset[str]) -> bool:
    lower = word.lower()
    stems = (lower, *phrase(lower), lower + "s", re.sub(r"(?:s|es|ed|d|ing|ly)$", "", lower))
    return any(stem in known for stem in stems)


@lru_cache(maxsize=4)
def _by_length(vocabulary: frozenset[str]) -> dict[int, list[str]]:
    """In a fixed order, so that the same question is always corrected alike."""
    table: dict[int, list[str]] = {}
    for word in sorted(vocabulary):
        table.setdefault(len(word), []).append(word)
    return table


def _nearest(word: str, vocabulary: frozenset[str], start: int) -> Correction | None:
    limit = 2 if len(word) >= 8 and word.islower() else 1
    lengths = range(len(word) - limit, len(word) + limit + 1)
    choices = [choice for length in lengths for choice in _by_length(vocabulary).get(length, ())]
    close = process.extract(word.lower(), choices, scorer=OSA.distance, score_cutoff=limit, limit=None)
    if not close:
        return None
    distance = min(score for _, score, _ in close)
    best = [choice for choice, score, _ in close if score == distance]
    if len(best) > 1:
        return None
    replacement = best[0].capitalize() if word[0].isupper() else best[0]
    return Correction(start, start + len(word), word, replacement, int(distance))


def corrected(text: str, corrections: Collection[Correction]) -> str:
    """The text with the corrections made."""
    for each in sorted(corrections, key=lambda c: -c.start):
        text = text[: each.start] + each.replacement + text[each.end :]
    return text


# --- an extra field for passages ---------------------------------------------------------------

_MAX_EXTRA = 64


def extra_terms(passage_text: str) -> tuple[str, ...]:
    """What to index beside a passage: long forms, abbreviations, figures written out, periods.

    Only what the passage does not say itself; in order of appearance, at most 64.
    """
    said = f" {' '.join(phrase(passage_text))} "
    terms = [(e.start, e.long) for e in expand(passage_text)]
    terms += [(e.start, e.short) for e in abbreviate(passage_text)]
    periods = find_periods(passage_text)
    figures = find_figures(passage_text, periods)
    terms += [(f.start, plain_number(abs(f.value))) for f in figures if f.scale > 1]
    terms += [(s.start, canonical_period(s)) for s in periods]
    kept: dict[str, None] = {}
    for _, term in sorted(terms, key=lambda each: each[0]):
        if term and f" {' '.join(phrase(term))} " not in said:
            kept[term] = None
    return tuple(kept)[:_MAX_EXTRA]
