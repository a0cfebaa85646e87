"""Is a new document another version of one that is already there?

It is when both *speak of the same thing* and *something says so*.

The same thing: company and type are equal (a company must be known), no part of the period that
both state differs, and at least the fiscal year is stated by both; or the titles are similar
(`TITLE` of 100 by edit distance), the first pages are (`FIRST_PAGE` of 100 by shared words), and
nothing that both state of company and period differs.

Something says so: one of the two calls itself amended, corrected or re-issued in its title, its
name or on its first page, or at least `SHARED` of the passages of the shorter one are, by the
hash of their words, in the other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

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


@dataclass(frozen=True, slots=True)
class Version:
    """``of`` is the stored document; ``newer`` is False where the stored one is the amendment."""

    of: Document
    newer: bool


def calls_itself_amended(name: str, title: str, first_page: str) -> bool:
    return any(_CUE.search(text.replace("_", " ")) for text in (name, title, first_page))


def version_of(
    documents: Documents, name: str, metadata: Metadata, first_page: str, texts: Sequence[str]
) -> Version | None:
    """The stored document of which a new one is another version, the latest added if several."""
    amended = calls_itself_amended(name, metadata.title, first_page)
    hashes = _hashes(texts)
    for document in reversed(documents.all()):
        other_page = documents.page(document.id, 1).text if _may_match(document.metadata, metadata) else ""
        if not _same_thing(document.metadata, metadata, other_page, first_page):
            continue
        other_amended = calls_itself_amended(document.name, document.metadata.title, other_page)
        if amended != other_amended or _shared(hashes, _hashes(documents.texts(document.id))) >= SHARED:
            return Version(document, newer=amended or not other_amended)
    return None


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
