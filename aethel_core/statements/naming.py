"""Which statements a question names."""

from __future__ import annotations

import re

from aethel_core.types import Statement

_OF = r"statements?\s+of\s+(?:the\s+)?(?:consolidated\s+)?"
_HOLDERS = r"(?:(?:(?:share|stock)(?:holder|owner)s?['’]?s?['’]?|(?:owner|partner|member)s?['’]?s?)\s+)"
_NAMES: tuple[tuple[Statement, str], ...] = (
    (
        Statement.COMPREHENSIVE,
        rf"{_OF}(?:other\s+)?comprehensive\s+(?:income|loss|earnings)"
        rf"|{_OF}(?:income|operations|earnings|profit or loss)\s+and\s+(?:other\s+)?comprehensive"
        r"|comprehensive\s+income\s+statements?|\bOCI\s+statement",
    ),
    (
        Statement.INCOME,
        rf"{_OF}(?:net\s+)?(?:income|operations|earnings|profits?(?:\s+(?:and|or|&)\s+loss(?:es)?)?)"
        r"|(?<!comprehensive )\b(?:income|earnings|operating)\s+statements?"
        r"|\bp\s?(?:&|and|n)\s?l\b|\bprofit\s*(?:and|&|-)\s*loss\b",
    ),
    (
        Statement.BALANCE,
        rf"\bbalance[\s-]?sheets?|{_OF}(?:financial\s+(?:position|condition)|assets\s+and\s+liabilities|net\s+assets)",
    ),
    (
        Statement.CASH_FLOW,
        rf"{_OF}cash[\s-]?flows?|\bcash[\s-]?flows?\s+statements?",
    ),
    (
        Statement.EQUITY,
        rf"{_OF}(?:changes\s+in\s+)?(?:total\s+)?(?:{_HOLDERS})?(?:equity|retained\s+earnings|deficit|capital)"
        rf"|{_OF}changes\s+in\s+net\s+assets|\b(?:{_HOLDERS})?equity\s+statements?",
    ),
    (
        Statement.SEGMENT,
        r"\bsegment(?:al)?\s+(?:notes?|information|reporting|disclosures?|data|results|footnotes?|breakdown)"
        r"|\breportable\s+segments?\b|\bby\s+(?:business\s+|operating\s+)?segments?\b",
    ),
    (
        Statement.DEBT_MATURITY,
        r"\bdebt\s+maturit(?:y|ies)|\bmaturit(?:y|ies)\s+(?:schedule|table|profile|wall|ladder)s?"
        r"|\bmaturit(?:y|ies)\s+of\s+(?:the\s+|its\s+)?(?:long-?term\s+)?(?:debt|notes|borrowings|loans)"
        r"|\b(?:debt|principal)\s+(?:repayments?|payments?)\s+(?:schedule|due|by\s+year)|\bcontractual\s+obligations"
        r"|\bamorti[sz]ation\s+schedule|\bdebt\b.{0,30}\b(?:falls?\s+due|come[s]?\s+due|mature[s]?)\b",
    ),
    (
        Statement.CAPITAL_ACCOUNT,
        r"\bcapital\s+account(?:\s+(?:statement|summary|balance))?s?|\bpartner['’]?s['’]?\s+capital\s+statements?",
    ),
    (
        Statement.INVESTMENTS,
        r"\bschedules?\s+of\s+(?:portfolio\s+)?investments|\bportfolio\s+(?:summary|schedule|valuations?|holdings)",
    ),
)
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _NAMES)
_OFF_BALANCE = re.compile(r"off[\s-]balance[\s-]?sheet", re.IGNORECASE)


def kinds_named(text: str) -> tuple[Statement, ...]:
    """The statements the text names, in any common wording, in the order they are first named.

    Only names count ("P&L", "statement of financial position"); a metric that would be found on
    a statement ("net income") names none.
    """
    plain = _OFF_BALANCE.sub(" ", text)
    found = [(match.start(), kind) for kind, pattern in _COMPILED if (match := pattern.search(plain))]
    return tuple(kind for _, kind in sorted(found, key=lambda pair: pair[0]))
