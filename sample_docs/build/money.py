"""How amounts and quotation marks are printed in running text and in tables."""

from __future__ import annotations

import re

_OPENING = re.compile(r"""(^|[\s(])"(?=\S)""")


def quoted(text: str) -> str:
    """Straight quotation marks and apostrophes as a typesetter sets them."""
    return _OPENING.sub("\\1“", text).replace('"', "”").replace("'", "’")


class Thousands(int):
    """Whole thousands of US dollars.

    In a text template ``{x:m}`` prints "$49.4 million", ``{x:k}`` "49,400" and ``{x:d}`` "$49,400,000".
    """

    def __format__(self, spec: str) -> str:
        if spec == "m":
            tenths = (abs(self) + 50) // 100  # halves away from zero, as tables round
            return f"${tenths // 10:,}.{tenths % 10} million"
        if spec == "k":
            return figure(self)
        if spec == "d":
            return f"${abs(self) * 1000:,}"
        return super().__format__(spec)


def figure(value: int | None) -> str:
    """A whole number as tables print it: thousands separators, parentheses for negatives, a dash for 0."""
    if not value:
        return "—"
    return f"({-value:,})" if value < 0 else f"{value:,}"


def cents(value: int) -> str:
    """Whole cents as dollars and cents, parentheses for negatives."""
    if not value:
        return "—"
    text = f"{abs(value) // 100:,}.{abs(value) % 100:02d}"
    return f"({text})" if value < 0 else text


def share(numerator: int, denominator: int, digits: int = 1) -> str:
    return f"{100 * numerator / denominator:.{digits}f}%"


def change(now: int, before: int) -> str:
    """The change from ``before`` to ``now`` as a percentage with one decimal, in parentheses if a fall."""
    percent = round(100 * (now - before) / before, 1)
    return f"({-percent:.1f})%" if percent < 0 else f"{percent:.1f}%"
