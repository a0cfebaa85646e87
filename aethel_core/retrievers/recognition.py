"""What a question says about where to look: company, period, document type, statements, line items.

Each becomes a typed node of the graph, so nothing here is a rule outside it: a person sees the
node as a seed and can switch it off.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from aethel_core.entities.coreference import variants
from aethel_core.entities.filter import is_number
from aethel_core.entities.lexicon import COMMON_WORDS, LEGAL_SUFFIXES
from aethel_core.entities.matcher import Matcher
from aethel_core.finance.metrics import Needs, needed
from aethel_core.finance.periods import target_year
from aethel_core.index import Index
from aethel_core.index.companies import company_keys
from aethel_core.index.entity_graph import period_entities
from aethel_core.index.mentions import line_item_entity
from aethel_core.text import STOP_WORDS, match_form, words
from aethel_core.types import Entity, EntityKind, Period, Statement

_SHORTEST_SQUASHED = 5
_IMPLIED = 0.5  # a statement that only the metric implies
_BEHIND_REASONS = 0.1  # … when the question asks for reasons, which stand in the text around it


_Span = tuple[int, int, set[Entity], str]  # start, end, the companies, the rule


@dataclass(frozen=True, slots=True)
class Recognised:
    """A typed node the question points to; ``phrase`` is the wording it was read from,
    ``strength`` how much it is meant, 1 for what the question says itself."""

    entity: Entity
    phrase: str
    rule: str
    strength: float = 1.0


class CompanyNames:
    """The companies of an index by everything they may be called in a question.

    The names are those of the documents' metadata (registrant, aliases, ticker) with and without
    legal suffix. Beside them: the first words of a name where no other company shares them
    ("Lockheed"), the name written as one word ("Footlocker") or as two ("JP Morgan"), without "the"
    ("Boeing"), a figure or an "&" without its suffix ("3M", "AT&T"), and its initials where the name
    holds an "&" ("J&J", "JnJ").
    """

    def __init__(self, index: Index) -> None:
        self.by_key: dict[str, set[Entity]] = {}
        for segment, company in zip(index.segments, index.companies, strict=True):
            if company is not None:
                for name in company_keys(segment.metadata):
                    for key in (name, *_initials(name), *_bare(name)):
                        self.by_key.setdefault(key, set()).add(company)
        self._add_first_words()
        self._squashed = {
            key.replace(" ", ""): companies
            for key, companies in self.by_key.items()
            if " " in key and len(key) > _SHORTEST_SQUASHED
        }
        self._matcher = Matcher(sorted(self.by_key))

    def _respelt(self, tokens: list[str], taken: list[_Span]) -> list[_Span]:
        """Names of several words written as one, and names of one word written as two ("JP Morgan")."""
        found: list[_Span] = []
        for place, (token, following) in enumerate(zip(tokens, [*tokens, ""][1:], strict=True)):
            joined = token + following
            if any(start <= place < end for start, end, *_ in (*taken, *found)):
                continue
            if token in self._squashed:
                found.append((place, place + 1, self._squashed[token], "company written as one word"))
            elif following and len(joined) > _SHORTEST_SQUASHED and joined in self.by_key:
                found.append((place, place + 2, self.by_key[joined], "company written as two words"))
        return found

    def _add_first_words(self) -> None:
        starts: dict[str, set[Entity]] = {}
        for key, companies in self.by_key.items():
            first = key.split()[0]
            if len(first) > 3 and first not in COMMON_WORDS and first not in STOP_WORDS:
                starts.setdefault(first, set()).update(companies)
        for first, companies in starts.items():
            if len(companies) == 1:
                self.by_key.setdefault(first, companies)

    def found_in(self, question: str) -> tuple[Recognised, ...]:
        """Companies in the order of the question; the longest of nested names counts."""
        text = match_form(question)
        tokens = text.split()
        spans: list[_Span] = []
        for at in sorted(self._matcher.find(text), key=lambda at: at.start - at.end):
            key = self._matcher.keys[at.key]
            nested = any(start <= at.start and at.end <= end for start, end, *_ in spans)
            if not nested and _means_a_name(key, question):
                spans.append((at.start, at.end, self.by_key[key], "company"))
        spans += self._respelt(tokens, spans)
        found: dict[str, Recognised] = {}
        for start, end, companies, rule in sorted(spans, key=lambda span: span[0]):
            for company in sorted(companies, key=lambda entity: entity.id):
                found.setdefault(company.id, Recognised(company, " ".join(tokens[start:end]), rule))
        return tuple(found.values())


def _initials(name: str) -> tuple[str, ...]:
    tokens = name.split()
    if "&" not in tokens[1:-1]:
        return ()
    letters = [token[0] for token in tokens]
    return (" ".join(letters), "".join(c for c in letters if c != "&"), "".join(letters).replace("&", "n"))


def _bare(name: str) -> tuple[str, ...]:
    """A name without "the" at its beginning, and "3m" of "3m company" and "at & t" of "at & t inc", which as
    names of anything in a text would be a figure and little words, and are left out there."""
    plain = name.removeprefix("the ")
    tokens = plain.split()
    while len(tokens) > 1 and tokens[-1] in LEGAL_SUFFIXES:
        tokens.pop()
    stem = " ".join(tokens)
    odd = "&" in tokens or (is_number(stem) and not stem.isdecimal())
    forms = (plain, *(variants(plain) if plain != name else ()), *((stem,) if odd else ()))
    return tuple(form for form in dict.fromkeys(forms) if form and form != name)


def _means_a_name(key: str, question: str) -> bool:
    """An ordinary word ("block", "target") or a ticker of few letters counts only when capitalised,
    a ticker by two letters at least ("JnJ"), a name with a number by one ("3M")."""
    if " " in key or (len(key) > 3 and key not in COMMON_WORDS):
        return True
    spelt = [word for word in question.split() if words(word) == [key]]
    needed = 1 if len(key) > 3 or any(c.isdigit() for c in key) else 2
    return any(sum(c.isupper() for c in word) >= needed for word in spelt)


class Recognition:
    """Reads questions against one index."""

    def __init__(self, index: Index) -> None:
        self.index = index

    @cached_property
    def companies(self) -> CompanyNames:
        return CompanyNames(self.index)

    def typed(self, question: str) -> tuple[Recognised, ...]:
        """All typed nodes a question points to, whether or not the graph holds them."""
        needs = needed(question)
        year = target_year(question)
        period = Period(year)
        return (
            *self.companies.found_in(question),
            *(Recognised(entity, period.label, "period") for entity in period_entities(period)),
            *(_statement(statement, needs) for statement in needs.statements),
            *(Recognised(line_item_entity(item.id), item.name, "line item") for item in needs.line_items),
        )


def _statement(statement: Statement, needs: Needs) -> Recognised:
    entity = Entity.of(EntityKind.STATEMENT, statement.value, statement.value)
    if statement in needs.named:
        return Recognised(entity, statement.value, "named")
    strength = _BEHIND_REASONS if needs.narrative else _IMPLIED
    return Recognised(entity, statement.value, "implied", strength)
