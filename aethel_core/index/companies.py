"""The companies of documents: which of them are one, and why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from aethel_core.entities.coreference import variants
from aethel_core.text import match_form
from aethel_core.types import Entity, EntityKind, Metadata

Apart = Collection[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class CompanyJoin:
    """Two registrants (keys) that are one company because documents give them a name in common."""

    one: str
    other: str
    shared: str


def registrant(metadata: Metadata) -> str:
    """The key of the company itself, with its legal form; "" without one."""
    return match_form(metadata.company).strip()


def company_keys(metadata: Metadata) -> tuple[str, ...]:
    """Every normalised name a document gives its company, the shortest form of the registrant first."""
    forms = [key for name in (metadata.company, *metadata.aliases) if name for key in variants(name)]
    if metadata.ticker:
        forms.append(match_form(metadata.ticker).strip())
    return tuple(dict.fromkeys(form for form in sorted(forms, key=len) if form))


def companies_of(documents: Sequence[Metadata], apart: Apart = frozenset()) -> tuple[Entity | None, ...]:
    """One company node per document; documents that share a name of their company share it.

    :param apart: pairs of registrants (ascending) that a person said are not the same: a name that
        documents of both give is then of neither, but for the one whose registrant bears it.
    """
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        while parent.setdefault(key, key) != key:
            key = parent[key]
        return key

    own = _own_keys(documents, apart)
    for keys in own:
        for key in keys[1:]:
            low, high = sorted((root(keys[0]), root(key)))
            parent[high] = low
    names: dict[str, str] = {}
    for metadata, keys in zip(documents, own, strict=True):
        if metadata.company:
            names.setdefault(root(keys[0]), metadata.company)
    return tuple(
        Entity.of(EntityKind.COMPANY, root(keys[0]), names[root(keys[0])]) if metadata.company else None
        for metadata, keys in zip(documents, own, strict=True)
    )


def company_joins(documents: Sequence[Metadata], apart: Apart = frozenset()) -> tuple[CompanyJoin, ...]:
    """The pairs of different registrants that have a name in common, with the longest such name."""
    bearers = _bearers(documents, _own_keys(documents, apart))
    found: dict[tuple[str, str], str] = {}
    for key in sorted(bearers, key=lambda key: (-len(key), key)):
        registrants = sorted(bearers[key] - {""})
        for place, one in enumerate(registrants):
            for other in registrants[place + 1 :]:
                found.setdefault((one, other), key)
    return tuple(CompanyJoin(one, other, key) for (one, other), key in sorted(found.items()))


def _own_keys(documents: Sequence[Metadata], apart: Apart) -> list[tuple[str, ...]]:
    """`company_keys` of each document without those it shares with a company that it is not."""
    every = [company_keys(metadata) for metadata in documents]
    if not apart:
        return every
    bearers = _bearers(documents, every)
    own = []
    for metadata, keys in zip(documents, every, strict=True):
        name = registrant(metadata)
        strangers = {one if other == name else other for one, other in apart if name in (one, other)}
        own.append(tuple(key for key in keys if key == name or strangers.isdisjoint(bearers[key])))
    return own


def _bearers(documents: Sequence[Metadata], every: Sequence[tuple[str, ...]]) -> dict[str, set[str]]:
    """The registrants whose documents give each name."""
    found: dict[str, set[str]] = {}
    for metadata, keys in zip(documents, every, strict=True):
        for key in keys:
            found.setdefault(key, set()).add(registrant(metadata))
    return found
