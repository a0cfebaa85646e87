"""Text as it may be stored and shown: no control characters, no ligatures, no lone surrogates."""

from __future__ import annotations

import re
import unicodedata

NAME_LIMIT = 150  # characters of a display name
SOFT_BREAK = "\u2010"  # stands for a soft hyphen at the end of a line; always joined in passages

_REPLACEMENTS = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
    "\u00a0": " ",
    "\u202f": " ",
    "\u2028": " ",
    "\u2029": " ",
    "\u200b": "",
    "\u200c": "",
    "\u200d": "",
    "\u2060": "",
    "\ufeff": "",
    "\uf0b7": "•",
    "\uf0a7": "•",
    "\uf0d8": "•",
    "\uf02d": "-",
}
_TABLE = str.maketrans(_REPLACEMENTS)
_UNWANTED = frozenset({"Cc", "Cs", "Co", "Cf", "Cn"})
_UNSAFE_IN_NAME = re.compile(r'[\\/:*?"<>|]+')


def clean(text: str) -> str:
    """``text`` with ligatures spelled out and characters nobody can read removed.

    The soft hyphen is dropped inside a word and becomes `SOFT_BREAK` at its end.
    """
    if text.isascii() and text.isprintable():
        return text
    if "\u00ad" in text:
        text = (
            (text[:-1].replace("\u00ad", "") + SOFT_BREAK)
            if text[-1] == "\u00ad"
            else text.replace("\u00ad", "")
        )
    text = text.translate(_TABLE)
    return "".join(
        c for c in text if (c.isascii() and c >= " " != "\x7f") or unicodedata.category(c) not in _UNWANTED
    )


def display_name(name: str) -> str:
    """A file's name as it is shown: without folders or control characters, at most 150 characters.

    The extension is kept when the rest has to be shortened.
    """
    base = re.split(r"[\\/]", name)[-1]
    base = "".join(c for c in base if unicodedata.category(c) not in _UNWANTED)
    base = " ".join(_UNSAFE_IN_NAME.sub(" ", base).split()).strip(". ") or "document.pdf"
    if len(base) <= NAME_LIMIT:
        return base
    stem, dot, extension = base.rpartition(".")
    if not dot or len(extension) > 10:
        return base[: NAME_LIMIT - 1].rstrip() + "…"
    return stem[: NAME_LIMIT - len(extension) - 2].rstrip() + "…." + extension
