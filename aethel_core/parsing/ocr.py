"""Text of scanned pages, read by Tesseract when its language data is installed."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pymupdf

_DPI = 300
_TRIAL_DPI = 100  # enough to tell which way up a page is
_MAX_PIXELS = 40e6
_DOUBTFUL = 0.06  # share of everyday words below which a page may be lying on its side
_EVERYDAY_TEXT = """
the of and to in for is was are were be been on at by as with from or that this it its an not we our have
has which than per total net cash income assets liabilities equity date year page fund partners capital
value statement account balance interest amount company january december march june september
"""
_EVERYDAY = frozenset(_EVERYDAY_TEXT.split())
_DATA_FOLDERS = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/share/tesseract/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    "C:/Program Files/Tesseract-OCR/tessdata",
)
_one_at_a_time = threading.Lock()


@cache
def language_data() -> str:
    """The folder of Tesseract's English data, "" when it is not installed.

    MuPDF brings the recogniser itself, so the data is all that has to be there.
    """
    for folder in (os.environ.get("TESSDATA_PREFIX", ""), *_DATA_FOLDERS):
        if folder and (Path(folder) / "eng.traineddata").is_file():
            return folder
    return ""


def ocr_available() -> bool:
    """Whether pages without text can be read here."""
    return language_data() != ""


class Recogniser:
    """Reads the scanned pages of a document; the way one page lay is tried first on the next."""

    def __init__(self) -> None:
        self._angle = 0

    def read(self, page: pymupdf.Page) -> pymupdf.TextPage:
        """The text of ``page`` in the coordinates MuPDF gives for text that is not scanned.

        :raises RuntimeError: Tesseract failed.
        """
        with _silence():
            text = _recognise(page, self._angle, _DPI)
            everyday, words = _everyday_words(text)
            if words and everyday >= _DOUBTFUL * words:
                return text
            trials = {a: _everyday_words(_recognise(page, a, _TRIAL_DPI))[0] for a in self._other_angles()}
            best = max(trials, key=lambda angle: (trials[angle], -angle))
            if trials[best] <= everyday + 1:
                return text
            self._angle = best
            return _recognise(page, best, _DPI)

    def _other_angles(self) -> tuple[int, ...]:
        return tuple(angle for angle in (0, 90, 180, 270) if angle != self._angle)


def _recognise(page: pymupdf.Page, angle: int, dpi: int) -> pymupdf.TextPage:
    """Read the page turned by ``angle`` degrees, at ``dpi`` unless it is too large for that."""
    area = max(page.rect.width * page.rect.height, 1.0) / 72**2
    zoom = min(dpi, (_MAX_PIXELS / area) ** 0.5) / 72
    turn = pymupdf.Matrix(zoom, zoom).prerotate(angle)
    image = page.get_pixmap(matrix=turn, alpha=False)
    pdf = image.pdfocr_tobytes(compress=False, language="eng", tessdata=language_data())
    with pymupdf.open("pdf", pdf) as read:
        scale = image.width / max(read[0].rect.width, 1.0)
        back = pymupdf.Matrix(scale, scale) * pymupdf.Matrix(1, 0, 0, 1, image.x, image.y) * ~turn
        return read[0].get_textpage(flags=0, matrix=back * page.derotation_matrix)


def _everyday_words(text: pymupdf.TextPage) -> tuple[int, int]:
    """How many everyday words there are, and how many words: upside down there are hardly any."""
    words = [word[4].lower().strip(".,:;()") for word in text.extractWORDS()]
    return sum(1 for word in words if word in _EVERYDAY), len(words)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep what Tesseract writes to the process's error stream, past Python, from the console."""
    with _one_at_a_time:
        sys.stderr.flush()
        kept = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(nowhere)
            os.close(kept)
