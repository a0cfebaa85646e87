"""Is a new document another version, or a copy, of one that is already there?

It can be either only when both *speak of the same thing*: company and type are equal (a company must be
known), no part of the period that both state differs, and at least the fiscal year is stated by both; or
the titles are similar (`TITLE` of 100 by edit distance), the first pages are (`FIRST_PAGE` of 100 by
shared words), and nothing that both state of company and period differs.

It is a *version* when, besides, something says so: one of the two, and not the other, calls itself amended,
corrected or re-issued in its title, its name or on its first page; or at least `SHARED` of the passages of
the shorter one are, by the hash of their words, in the other, and their first pages, which are similar,
bear dates of which the latest differ. The newer one is the one that says it, or the later.

It is a *copy* when as much text is shared and nothing says that one replaces the other: the same print, a
repaired or damaged file, an excerpt. The text alone cannot tell which of them should count.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from rapidfuzz import fuzz

from aethel_core.metadata.dates import dates
from aethel_core.store import Documents
from aethel_core.types import Document, Metadata, Period

TITLE = 90.0
FIRST_PAGE = 80.0
SHARED = 0.8

_CUE = re.compile(
    r"\b(?:10-K|10-Q|8-K|20-F)/A\b"
    r"|\bAmendment\s+No\.?\s*\d"
    r"|\bre-?issue[ds]?\b"
    r"|\bcorrected\s+(?:and\s+re-?issued|version|copy|letter|statement|report)\b"
    r"|\bsupersedes\b|\breplaces\s+(?:the|our)\s+(?:letter|statement|report|version)\b"
    r"|\bas\s+corrected\b|\(corrected\)|\brevised\s+(?:version|letter|statement|copy)\b",
    re.IGNORECASE,
)


class Relation(StrEnum):
    NEWER = "newer"
    OLDER = "older"
    COPY = "copy"


@dataclass(frozen=True, slots=True)
class Version:
    """What a new document is of the stored one, ``of``. ``shared`` passages of it are in that, of ``own``
    it has and ``other`` that has, each counted once however often it occurs."""

    of: Document
    relation: Relation
    shared: int = 0
    own: int = 0
    other: int = 0


def calls_itself_amended(name: str, title: str, first_page: str) -> bool:
    return any(_CUE.search(text.replace("_", " ")) for text in (name, title, first_page))


def version_of(
    documents: Documents, name: str, metadata: Metadata, first_page: str, texts: Sequence[str]
) -> Version | None:
    """The stored document of which a new one is another version, else of which it is a copy; the latest
    added if several."""
    new = _Paper(first_page, calls_itself_amended(name, metadata.title, first_page), _hashes(texts))
    copy: Version | None = None
    for document in reversed(documents.all()):
        front = documents.page(document.id, 1).text if _may_match(document.metadata, metadata) else ""
        if not _same_thing(document.metadata, metadata, front, first_page):
            continue
        amended = calls_itself_amended(document.name, document.metadata.title, front)
        old = _Paper(front, amended, _hashes(documents.texts(document.id)))
        relation = _relation(new, old)
        if relation is not None:
            shared = len(new.hashes & old.hashes)
            found = Version(document, relation, shared, len(new.hashes), len(old.hashes))
            if relation is not Relation.COPY:
                return found
            copy = copy or found
    return copy


@dataclass(frozen=True, slots=True)
class _Paper:
    front: str
    amended: bool
    hashes: set[bytes]


def _relation(new: _Paper, old: _Paper) -> Relation | None:
    if new.amended != old.amended:
        return Relation.NEWER if new.amended else Relation.OLDER
    if _shared(new.hashes, old.hashes) < SHARED:
        return None
    one, other = _latest(new.front), _latest(old.front)
    similar = fuzz.token_set_ratio(new.front, old.front) >= FIRST_PAGE
    if one is None or other is None or one == other or not similar:
        return Relation.COPY
    return Relation.NEWER if one > other else Relation.OLDER


def _latest(front: str) -> date | None:
    return max((found for found, _ in dates(front)), default=None)


def _may_match(old: Metadata, new: Metadata) -> bool:
    return _same_filing(old, new) or _similar_title(old, new)


def _same_filing(old: Metadata, new: Metadata) -> bool:
    return (
        bool(old.company)
        and old.company.casefold() == new.company.casefold()
        and old.type == new.type
        and old.period.fiscal_year is not None
        and old.period.fiscal_year == new.period.fiscal_year
        and not _differ(old.period, new.period)
    )


def _similar_title(old: Metadata, new: Metadata) -> bool:
    if not old.title or not new.title or _differ(old.period, new.period):
        return False
    if old.company and new.company and old.company.casefold() != new.company.casefold():
        return False
    return fuzz.ratio(old.title.casefold(), new.title.casefold()) >= TITLE


def _same_thing(old: Metadata, new: Metadata, old_page: str, new_page: str) -> bool:
    if _same_filing(old, new):
        return True
    return _similar_title(old, new) and fuzz.token_set_ratio(old_page, new_page) >= FIRST_PAGE


def _differ(old: Period, new: Period) -> bool:
    """Whether both state a part of the period, and state it differently."""
    pairs = (
        (old.fiscal_year, new.fiscal_year),
        (old.quarter, new.quarter),
        (old.end, new.end),
    )
    return any(a and b and a != b for a, b in pairs)


def _hashes(texts: Sequence[str]) -> set[bytes]:
    """One hash per distinct passage, of its letters and digits only: a new print moves line breaks."""
    words = (re.sub(r"[\W_]+", " ", text.casefold()).strip() for text in texts)
    return {
        hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).digest() for text in words if text
    }


def _shared(one: set[bytes], other: set[bytes]) -> float:
    shorter = min(len(one), len(other))
    return len(one & other) / shorter if shorter else 0.0
