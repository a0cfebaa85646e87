"""Numbers, times and names as a person reads them, and text made safe for Markdown."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$<>:&^=])")


def plain(text: str) -> str:
    """`text` so that Streamlit's Markdown shows it letter by letter.

    Labels, titles, captions and pills are Markdown to Streamlit: a company called ``A*B*``
    would turn italic, ``$1 to $2`` a formula, ``:red[x]`` a colour. Options of select boxes
    are not; they are shown as they are.
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 page``, ``1,234 pages``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def seconds(value: float) -> str:
    """A measured duration: ``4 ms``, ``1.3 s``, ``2 min 05 s``."""
    if value < 0.9995:
        return f"{value * 1000:.0f} ms" if value >= 0.0095 else f"{value * 1000:.1f} ms"
    if value < 60:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def remaining(value: float) -> str:
    """An estimate, so never more exact than it is: ``a few seconds``, ``about 40 s``, ``about 3 min``."""
    if value < 10:
        return "a few seconds"
    if value < 55:
        return f"about {round(value / 10) * 10} s"
    if value < 3300:
        return f"about {max(1, round(value / 60))} min"
    return f"about {value / 3600:.1f} h"


def size(octets: int) -> str:
    if octets < 1_000_000:
        return f"{max(1, round(octets / 1000)):,} kB" if octets else "0 kB"
    return f"{octets / 1e6:,.1f} MB"


def money(value: float) -> str:
    """A cost in the currency of the prices; small ones with the digits that tell them from nothing."""
    return f"{value:,.2f}" if value >= 0.1 or value == 0 else f"{value:.2g}"


def score(value: float) -> str:
    """Three decimals, or three digits where those would say nothing; a true minus sign."""
    if value == 0 or abs(value) >= 0.1:
        said = f"{value:.3f}"
    elif abs(value) >= 1e-4:
        said = f"{value:.3g}"
    else:
        mantissa, exponent = f"{value:.2e}".split("e")
        said = f"{mantissa}e{int(exponent)}"
    return said.replace("-", "−")


def when(iso: str, now: datetime | None = None) -> str:
    """An ISO time in UTC as ``today 14:03``, ``yesterday 09:10`` or ``3 Nov 2026`` in local time."""
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone()
    days = ((now or datetime.now(UTC)).astimezone().date() - moment.date()).days
    if days == 0:
        return f"today {moment:%H:%M}"
    if days == 1:
        return f"yesterday {moment:%H:%M}"
    return f"{moment.day} {moment:%b %Y}"


def clip(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    if text[limit - 1] != " " and " " in cut[limit // 2 :]:
        cut = cut.rsplit(" ", 1)[0]
    return cut.rstrip(" ,;:·–-") + "…"


def file_part(text: str, limit: int = 40) -> str:
    """`text` as a part of a file name on any system."""
    return clip(re.sub(r"[^\w -]+", "", text), limit).strip(" …-") or "question"
