"""Titles of financial statements, on any filer's wording.

A title is matched on its letters alone, so spacing, punctuation and footnote marks do not
matter. It may be preceded or followed by the entity's name and followed by "(continued)",
"(unaudited)", the loss in brackets, or the period; never by words that make it something else
("data", "information", "reconciliation").
"""

from __future__ import annotations

import re

from aethel_core.statements.lines import heading_like, letters
from aethel_core.types import Statement

_ADJECTIVES = (
    r"(?:condensed|consolidated|combined|unaudited|audited|interim|supplemental|primary|group|the|of|and)*"
)
_OF = rf"{_ADJECTIVES}statements?of{_ADJECTIVES}"
_INCOME = r"(?:net)?(?:income|operations|earnings|profitorloss|profitandloss|profit|loss)(?:loss|income)?"
_COMPREHENSIVE = r"(?:other)?comprehensive(?:income|loss|earnings)(?:loss|income)?"
_HOLDERS = (
    r"(?:stock|share)(?:holders|owners)s?|owners|members|partners|unitholders|total|net|consolidated"
    r"|convertible(?:redeemable)?preferredstock(?:and)?|mezzanineequity(?:and)?|redeemable\w{0,25}interests?(?:and)?"
)
_EQUITY = (
    rf"(?:changes(?:in|to))?(?:the)?(?:{_HOLDERS})*"
    r"(?:equity|deficit|capital|investment|netassets|partnersinterests?)"
)
_CORES: tuple[tuple[tuple[Statement, ...], tuple[str, ...]], ...] = (
    (
        (Statement.INCOME, Statement.COMPREHENSIVE),
        (
            rf"{_OF}{_INCOME}and{_ADJECTIVES}{_COMPREHENSIVE}",
            rf"{_OF}{_COMPREHENSIVE}and{_INCOME}",
        ),
    ),
    (
        (Statement.INCOME, Statement.EQUITY),
        (rf"{_OF}{_INCOME}and(?:changesin)?(?:retainedearnings|accumulateddeficit|{_EQUITY})",),
    ),
    (
        (Statement.COMPREHENSIVE,),
        (rf"{_OF}{_COMPREHENSIVE}", rf"{_ADJECTIVES}{_COMPREHENSIVE}statements?"),
    ),
    (
        (Statement.INCOME,),
        (
            rf"{_OF}{_INCOME}",
            rf"{_ADJECTIVES}(?:income|earnings|profitandloss|profitloss|operating)statements?",
            rf"{_ADJECTIVES}profitandlossaccounts?",
        ),
    ),
    (
        (Statement.BALANCE,),
        (
            rf"{_ADJECTIVES}balancesheets?",
            rf"{_OF}financial(?:position|condition)",
            rf"{_OF}assets(?:andliabilities|liabilitiesand\w{{0,30}})",
            rf"{_OF}netassets",
        ),
    ),
    (
        (Statement.CASH_FLOW,),
        (rf"{_OF}cashflows?", rf"{_ADJECTIVES}cashflows?statements?"),
    ),
    (
        (Statement.EQUITY,),
        (
            rf"{_OF}{_EQUITY}",
            rf"{_ADJECTIVES}(?:{_HOLDERS})equitystatements?",
            rf"{_OF}(?:changesin)?retainedearnings",
            rf"{_OF}changesin\w{{0,40}}(?:equity|capital|deficit|netassets)",
        ),
    ),
)
_TAIL = (
    r"(?:continued|contd|cont|unaudited|condensed|loss|losses|income|deficit)*"
    r"(?:and|redeemable|noncontrolling|mezzanine|temporary|preferred|interests?|equity|stock|members)*"
    r"(?:continued|unaudited)*"
    r"(?:(?:for|as|at|years?|fiscal|three|six|nine|twelve|in(?:us|the)?(?:millions|thousands|dollars)|millions"
    r"|thousands|dollars|amounts|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|notes?|see)\w{0,110}"
    r"|\w{2,60}(?:inc|incorporated|corporation|corp|company|companies|subsidiaries|plc|ltd|limited|llc|lp|trust))?"
)
_TITLES = tuple(
    (re.compile(rf"(?P<entity>[a-z]{{0,60}}?)(?:{'|'.join(patterns)}){_TAIL}"), kinds)
    for kinds, patterns in _CORES
)
_NOT_ENTITY = re.compile(
    r"notes|index|reconcil|schedule|selected|summary|parent|registrant|proforma|consolidating|guarantor"
    r"|supplementary|impact|effect|analysis|reportof|item|classification|overview|discussion|review|statement"
    r"|management|critical|balancesheet|derivative|(?:in|on|to|from|of)(?:the|our)$"
)
_ASIDE = re.compile(r"\([^)]*\)")
_WORDS = ("statement", "balancesheet", "profitandlossaccount")
_UNFINISHED = re.compile(
    r"(?:\b(?:of|in|and|&|consolidated|statements?|changes|shareholders['’]?|stockholders['’]?)|,)$",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"(?:and|&|of)\b|\(?(?:loss|deficit)\)?|equity\b|shareholders|stockholders|cash flows", re.IGNORECASE
)
_LONGEST = 140


def statements_titled(line: str, following: str = "") -> tuple[Statement, ...]:
    """The primary statements that this line is the title of; empty for any other line.

    :param following: the next line, read too when the title wraps onto it.
    """
    if len(line) > _LONGEST or line.endswith(":") or not any(word in letters(line) for word in _WORDS):
        return ()
    if following and (_UNFINISHED.search(line) or _CONTINUES.match(following)):
        joined = _match(f"{line.rstrip(',')} {following}")
        if joined:
            return joined
    return _match(line)


def _match(line: str) -> tuple[Statement, ...]:
    plain = _ASIDE.sub(" ", line).strip()
    capitalised = heading_like(plain.rstrip("*†0123456789, "))
    if not capitalised and (not plain[:1].isupper() or plain.endswith((".", ",", ";"))):
        return ()
    title = letters(line)
    for pattern, kinds in _TITLES:
        match = pattern.fullmatch(title)
        if match and not _NOT_ENTITY.search(match["entity"]) and (capitalised or not match["entity"]):
            return kinds
    return ()
