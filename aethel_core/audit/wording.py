"""What a sentence says besides its figures: names, identifiers, dates, direction, the words themselves.

Each function returns flags, sentences that say what the cited passages do not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from aethel_core.audit.facts import Fact
from aethel_core.audit.figures import Written, span_agrees
from aethel_core.audit.results import FigureCheck, Match
from aethel_core.audit.sentences import content_words, sentences
from aethel_core.audit.sources import Source, Sources, company_names
from aethel_core.audit.spans import period_of, periods_in
from aethel_core.entities.filter import common_word
from aethel_core.finance.abbreviations import expand
from aethel_core.finance.metrics import line_items_in
from aethel_core.finance.periods import PeriodSpan
from aethel_core.text import STOP_WORDS, match_form
from aethel_core.types import Period

# Shares of the words of a sentence that the source must hold: without figures, with figures that
# are all found, and for anything to be supported at all.
ENOUGH, ENOUGH_WITH_FIGURES, SOME = 0.6, 0.4, 0.35


def spoken(source: Source) -> str:
    """Everything the citation of a passage says: its words, its place and its document."""
    metadata = source.document.metadata
    parts = [source.passage.text, source.passage.section, metadata.title, source.document.name]
    parts.append(f"page {source.passage.page}")
    parts += [*company_names(metadata), metadata.ticker, metadata.type.value, metadata.period.label]
    parts += [statement.value for statement in source.passage.statements]
    return "\n".join(part for part in parts if part)


@lru_cache(maxsize=4096)
def _vocabulary(text: str) -> frozenset[str]:
    return content_words(text.replace("_", " ").replace("-", " "))


def coverage(written: Written, sources: Sequence[Source], checks: Sequence[FigureCheck]) -> float:
    """The share of the sentence's words that the cited passages hold, in any form they know, or
    that name a metric which was recomputed from them."""
    if not written.words:
        return 1.0
    held = frozenset().union(*(_vocabulary(spoken(source)) for source in sources))
    computed = (content_words(check.note) for check in checks if check.match is Match.DERIVED)
    missing = written.words - held - frozenset().union(*computed)
    if missing:
        missing -= _synonyms(written, sources)
    return 1 - len(missing) / len(written.words)


def _synonyms(written: Written, sources: Sequence[Source]) -> set[str]:
    """Words of line items that the source names otherwise ("revenue" for "net sales")."""
    known = {fact.item for source in sources for fact in source.facts if fact.item}
    known |= {match.item.id for source in sources for match in line_items_in(source.passage.text)}
    words: set[str] = set()
    for match in line_items_in(written.text):
        if match.item.id in known:
            words |= content_words(written.text[match.start : match.end])
    return words


# --- names -------------------------------------------------------------------------------------

_CAPITALISED = re.compile(r"\b[A-Z][\w&’'.-]*[\w]|\b[A-Z]\b")
_ORDINARY_WORDS = """
q h fy cy i ii iii iv v fund company partnership group management partner partners investor january
february march april may june july august september october november december us usd eur gbp u.s yoy the
limited general board its his her ebitda nav lp gp
"""
_ORDINARY = frozenset(_ORDINARY_WORDS.split())


def names(
    written: Written, sources: Sequence[Source], everything: Sources, matched: Sequence[Fact]
) -> Iterator[str]:
    """Companies and other names that the sources do not know."""
    said = "\n".join(spoken(source) for source in sources)
    form = match_form(said)
    cited = {source.document.id for source in sources}
    foreign: list[str] = []
    for name, owners in _companies(everything):
        key = match_form(name)
        told = key in match_form(written.text) and not owners & cited and key not in form
        if told and not any(key in match_form(longer) for longer in foreign):
            foreign.append(name)
    if foreign:
        yield f"The source is not about {foreign[0]}."
        return
    known = _name_words("\n".join([said, *(everything.text_before(source) for source in sources)]))
    for name in _capitalised(written.text, _ordinary(everything, cited)):
        if not _name_words(name) - _ORDINARY <= known and not _abbreviates(name, known):
            yield f"“{name}” is not in the source."
            return
    yield from _subject(written, sources, everything, matched)


def _companies(everything: Sources) -> list[tuple[str, frozenset[str]]]:
    return sorted(everything.companies().items(), key=lambda pair: (-len(pair[0]), pair[0]))


@lru_cache(maxsize=4096)
def _name_words(text: str) -> frozenset[str]:
    return frozenset(match_form(text.replace("_", " ").replace("-", " ")).split())


def _ordinary(everything: Sources, documents: Iterable[str]) -> frozenset[str]:
    """The words that the documents write without a capital."""
    return frozenset().union(*(everything.plain_words(document) for document in documents))


def _capitalised(text: str, ordinary: frozenset[str]) -> Iterator[str]:
    """Words that begin with a capital where a sentence would not give them one."""
    for match in _CAPITALISED.finditer(text):
        word = match[0].rstrip(".").removesuffix("'s").removesuffix("’s")
        word = "-".join(part for part in word.split("-") if part[:1].isupper())  # "Fund-level"
        opens = not text[: match.start()].strip(' "“‘(•–-')
        possessive = match[0] != word and match[0].endswith("s")
        following = text[match.end() : match.end() + 2].strip()
        low = word.lower()
        if opens and not possessive and not following[:1].isupper() and (low in ordinary or common_word(low)):
            continue
        if low in _ORDINARY or low in STOP_WORDS or any(c.isdigit() for c in word):
            continue
        if opens and not possessive and any(m.start == match.start() for m in line_items_in(text)):
            continue
        yield word


def _abbreviates(name: str, known: frozenset[str]) -> bool:
    """Whether a known long form of the abbreviation is in the source ("CEO"), or it is itself a
    measure of finance, which the check of figures looks after."""
    return any(_name_words(meaning.long) & known or name.isupper() for meaning in expand(name))


def _subject(
    written: Written, sources: Sequence[Source], everything: Sources, matched: Sequence[Fact]
) -> Iterator[str]:
    """A figure of one company told of another that the same passage names as well."""
    draft = match_form(written.text)
    for fact in matched:
        actor = _PROPER.match(fact.wording)
        if (
            actor
            and not fact.is_cell
            and _is_other(actor[0], draft, sources)
            and _opens_with_own(written, sources)
        ):
            yield f"The source tells {fact.figure.text} of {actor[0]}."
            return
        wording = match_form(fact.wording)
        others = [n for n in proper_names(fact.wording) if match_form(n) not in draft]
        told = [n for n in proper_names(written.text) if match_form(n) not in wording]
        told = [n for n in told if not _own(n, sources) and not _near(fact, n, sources)]
        if told and others and not any(_shares_word(o, written.text) for o in others):
            yield f"The source gives {fact.figure.text} for {others[0]}, not {told[0]}."
            return


def _is_other(name: str, draft: str, sources: Sequence[Source]) -> bool:
    """Whether a name that opens the source's sentence is another's, of whom the draft says nothing."""
    return (
        not (_name_words(name) & frozenset(draft.split()))
        and name in proper_names(name)
        and not _own(name, sources)
    )


def _opens_with_own(written: Written, sources: Sequence[Source]) -> bool:
    opening = _PROPER.match(written.text)
    return opening is not None and _own(opening[0], sources)


_PROPER = re.compile(
    r"\b[A-Z][\w’'-]+(?:\s+(?:&\s+)?[A-Z][\w’'-]+)+(?:,?\s+(?:Inc|LLC|L\.P|Ltd|Limited|B\.V)\b\.?)?"
)


@lru_cache(maxsize=8192)
def proper_names(text: str) -> tuple[str, ...]:
    """Runs of two capitalised words or more that are no line item and no period."""
    found = []
    for match in _PROPER.finditer(text):
        name = match[0]
        if not line_items_in(name) and not periods_in(name) and not (_name_words(name) & _ORDINARY):
            found.append(name)
    return tuple(found)


def _own(name: str, sources: Sequence[Source]) -> bool:
    words = _name_words(name)
    return any(words & _name_words(n) for s in sources for n in company_names(s.document.metadata))


def _near(fact: Fact, name: str, sources: Sequence[Source]) -> bool:
    """Whether the sentence before the fact names it: prose goes on with "It" or "The company"."""
    if fact.is_cell:
        return False
    text = next(s.passage.text for s in sources if s.passage.id == fact.passage_id)
    before = [text[start:end] for start, end in sentences(text) if end <= fact.start]
    return any(_shares_word(name, sentence) for sentence in before[-2:])


def _shares_word(name: str, text: str) -> bool:
    return bool(_name_words(name) & _name_words(text))


# --- identifiers and numbers in words ----------------------------------------------------------

_IDENTIFIER = re.compile(r"\b[A-Za-z]*\d[\w./-]*\w\b|\b\d\b")
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_NUMBER_WORDS = {word: number for number, word in enumerate(_NUMBERS.split(), 1)}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_WORD = re.compile(r"[A-Za-z]+|\d+")


def identifiers(written: Written, sources: Sequence[Source]) -> Iterator[str]:
    """ "Capital Call No. 20", "NR4-0117", "Level 3", "two of five": what is neither amount nor period."""
    said = "\n".join(spoken(source) for source in sources)
    tokens = set(_WORD.findall(said.lower()))
    taken = [(f.start, f.end) for f in written.figures] + [(p.start, p.end) for p in written.periods]
    for match in _IDENTIFIER.finditer(written.text):
        inside = any(start < match.end() and match.start() < end for start, end in taken)
        if not inside and match[0].lower() not in said.lower():
            yield f"“{match[0]}” is not in the source."
    for match in _WORD.finditer(written.text.lower()):
        word = match[0]
        inside = any(start < match.end() and match.start() < end for start, end in taken)
        if inside:
            continue
        number = _NUMBER_WORDS.get(word)
        wrong = bool(number and number > 1) and word not in tokens and str(number) not in tokens
        if wrong or (word in _ORDINALS and word not in tokens and "quarter" not in written.text.lower()):
            yield f"“{word}” is not in the source."


# --- dates and periods -------------------------------------------------------------------------


def dates(written: Written, sources: Sequence[Source]) -> Iterator[str]:
    """Every period the sentence names must be one the cited passages know."""
    for span in written.periods:
        if not any(_knows(source, span) for source in sources):
            yield f"The source says nothing of {span.text}."


def _knows(source: Source, span: PeriodSpan) -> bool:
    known = _periods(source)
    if _is_day(span):
        end = span.period.end
        if any(period.end == end for period in known):
            return True
        month_end = _is_month_end(end)
        return month_end and any(not p.end and span_agrees(span, p, source) for p in known)
    return any(span_agrees(span, period, source) for period in known)


def _periods(source: Source) -> list[Period]:
    table = source.passage.table
    known = [span.period for span in periods_in(spoken(source))]
    known += [since for span in periods_in(source.passage.text) if (since := span.since)]
    if table:
        known += [p for column in table.columns if (p := period_of(column.period))]
    if source.calendar.period != Period():
        known.append(source.calendar.period)
    return known


def _is_day(span: PeriodSpan) -> bool:
    return bool(span.period.end) and re.search(r"\d{1,2}\D+\d{4}|\d{4}-", span.text) is not None


def _is_month_end(iso: str) -> bool:
    return iso[8:] in ("28", "29", "30", "31")


# --- direction ---------------------------------------------------------------------------------

_UP = re.compile(
    r"\b(?:increas(?:e[sd]?|ing)|rose|ris(?:e[sn]?|ing)|grew|grow(?:s|th|ing)?|gain(?:s|ed)?|climbed|improv(?:ed|ement|ing)"
    r"|(?<!-)up|higher|expanded|above)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|fell|fall(?:s|en|ing)?|lost|dropp?(?:ed|s)?|shrank|lower(?:ed)?"
    r"|down|reduc(?:ed|tion|ing)|contracted|below)\b",
    re.IGNORECASE,
)


_FROM = re.compile(r"\bfrom\s+(?:approximately\s+|about\s+)?$", re.IGNORECASE)


def direction(written: Written, checks: Sequence[FigureCheck]) -> Iterator[str]:
    """ "rose" where the source's sentence says "fell" or the amounts fell, and the other way round."""
    for check in checks:
        fact = check.fact
        if check.match is not Match.MATCHED or fact is None:
            continue
        if fact.is_cell and check.figure.printed < 0:
            continue  # "a net increase of -3": told as the row prints it
        if fact.is_cell:
            said, source = _change_named(written.text), _row_turn(fact)
        else:
            said, source = _turn(written.text, check.figure.start), _turn(fact.wording, fact.figure.start)
        if said and source and said[0] != source[0]:
            yield f"The source says “{source[1]}”, the sentence “{said[1]}”."
            return
    yield from _against_amounts(written, checks)


_INCREASE = re.compile(r"^\W*(?:net\s+)?(?:increase|decrease)\b", re.IGNORECASE)


_CHANGE = re.compile(r"\bnet\s+(?P<a>increase|decrease)\b|\b(?P<b>increase|decrease)\s+in\b", re.IGNORECASE)


def _change_named(text: str) -> tuple[str, str] | None:
    """The direction of a change that a sentence names as a row does: "net decrease in cash"."""
    match = _CHANGE.search(text)
    if match is None:
        return None
    word = (match["a"] or match["b"]).lower()
    return ("up" if word == "increase" else "down"), word


def _row_turn(fact: Fact) -> tuple[str, str] | None:
    """The direction of a row that is a change by its name: "Net increase (decrease) in cash"."""
    row = re.sub(r"\([^)]*\)", " ", fact.row)
    if not _INCREASE.match(row) or not fact.figure.printed:
        return None
    named = "up" if _UP.search(row) else "down"
    turned = {"up": "down", "down": "up"}[named]
    way = named if fact.figure.printed > 0 else turned
    return way, {"up": "increase", "down": "decrease"}[way]


def _turn(text: str, position: int) -> tuple[str, str] | None:
    """The direction that a figure is told with: the word nearest before it, or in a sentence that
    knows only one direction, that; with the word."""
    before = text[max(0, position - 60) : position]
    found = [(m.end(), way, m[0]) for way, p in (("up", _UP), ("down", _DOWN)) for m in p.finditer(before)]
    if found:
        return max(found)[1:]
    up, down = _UP.search(text), _DOWN.search(text)
    if bool(up) == bool(down):
        return None
    return ("up", up[0]) if up else ("down", down[0])  # type: ignore[index]


def _against_amounts(written: Written, checks: Sequence[FigureCheck]) -> Iterator[str]:
    """ "rose from 4 to 3"."""
    stated = [c for c in checks if c.match is Match.MATCHED]
    for before in stated:
        turn = _turn(written.text, before.figure.start)
        if turn is None or not _FROM.search(written.text[: before.figure.start][-24:]):
            continue
        after = next((c for c in stated if c is not before and c.figure.unit == before.figure.unit), None)
        if after is None:
            continue
        change = abs(after.figure.value) - abs(before.figure.value)
        if change and (change > 0) != (turn[0] == "up"):
            yield f"{after.figure.text} is {'more' if change > 0 else 'less'} than {before.figure.text}."
            return


def signs(checks: Sequence[FigureCheck]) -> Iterator[str]:
    """Two figures of one row of which only one has its sign turned."""
    turned: dict[tuple[str, str, str], bool] = {}
    for check in checks:
        fact = check.fact
        if check.match is not Match.MATCHED or fact is None or not fact.is_cell or not check.figure.printed:
            continue
        if check.figure.unit in ("percent", "bps"):
            continue  # a share of sales is printed with and without its sign in one row
        key = (fact.passage_id, f"{fact.group}|{fact.row}", check.figure.unit)
        other = (check.figure.printed < 0) != (fact.figure.printed < 0)
        if turned.setdefault(key, other) != other:
            yield f"The source has {fact.figure.text} for “{fact.row}”; the signs do not agree."
            return
