"""Text of scanned pages, read by Tesseract when it is installed."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

import pymupdf

_DPI = 300
_MAX_PIXELS = 40e6
_DATA_FOLDERS = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/share/tesseract/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    "C:/Program Files/Tesseract-OCR/tessdata",
)


@cache
def language_data() -> str:
    """The folder of Tesseract's English data, "" when Tesseract is not installed."""
    if shutil.which("tesseract") is None and not os.environ.get("TESSDATA_PREFIX"):
        return ""
    for folder in (os.environ.get("TESSDATA_PREFIX", ""), *_DATA_FOLDERS):
        if folder and (Path(folder) / "eng.traineddata").is_file():
            return folder
    return ""


def ocr_available() -> bool:
    """Whether pages without text can be read here."""
    return language_data() != ""


def recognise(page: pymupdf.Page) -> pymupdf.TextPage:
    """Read the page as an image, at 300 dpi unless the page is too large for that."""
    area = max(page.rect.width * page.rect.height, 1.0) / 72**2
    dpi = max(72, min(_DPI, int((_MAX_PIXELS / area) ** 0.5)))
    return page.get_textpage_ocr(language="eng", dpi=dpi, full=True, tessdata=language_data())
