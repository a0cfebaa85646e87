"""Small stand-ins for the slow parts, through their real seams, and PDFs made on the spot."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pymupdf

from aethel_core.entities import regex
from aethel_core.types import Entity


class HashEmbedder:
    """Unit vectors that depend on a text's words only: texts that share words are close."""

    name = "hash of words"
    dimensions = 64

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.batches.append(list(texts))
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.casefold().split():
                digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
                row[digest[0] % self.dimensions] += 1.0 if digest[1] % 2 else -1.0
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, norms, out=rows, where=norms > 0)


class RegexNames:
    """The names that the regular expressions read, under both recognisers' flags."""

    name = "regular expressions only"

    def read(self, texts: Sequence[str]) -> list[tuple[tuple[Entity, str], ...]]:
        return [
            tuple((entity, source) for entity in regex.extract(text) for source in ("regex", "ner"))
            for text in texts
        ]


def pdf(*pages: str, password: str = "", title: str = "") -> bytes:
    """A PDF with one page per text; with a password it is encrypted."""
    document = pymupdf.open()
    document.set_metadata({"title": title})
    for text in pages:
        page = document.new_page()
        page.insert_textbox((72, 72, 540, 720), text, fontsize=10)
    if not password:
        return document.tobytes(no_new_id=True)  # the same bytes each time
    return document.tobytes(
        encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=password, owner_pw=password + " owner"
    )


def letter(fund: str, quarter: int, *sentences: str, year: int = 2023) -> bytes:
    """A short quarterly letter to limited partners, two pages."""
    first = (
        f"{fund}\n\nQuarterly Letter to Limited Partners\n\nQ{quarter} {year}\n\nDear Limited Partners,\n\n"
        f"{fund} had a quiet quarter. The net asset value of the fund rose by {quarter} percent. "
        + " ".join(sentences)
    )
    second = (
        f"Outlook\n\nThe general partner of {fund} expects {quarter + 1} distributions next year. "
        "Unfunded commitments can be called on ten business days' notice. "
        f"Halden Logistics remains the largest holding of {fund}."
    )
    return pdf(first, second, title=f"{fund} quarterly letter")
