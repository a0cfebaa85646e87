"""Open the bytes of a PDF, or say in one sentence why that cannot be done."""

from __future__ import annotations

from contextlib import ExitStack

import pymupdf

from aethel_core.errors import DamagedPdf, EmptyFile, NoPages, NotAPdf, PasswordRequired, TooLarge
from aethel_core.parsing.clean import display_name

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

PDF_ERRORS = (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase)  # what MuPDF raises on a bad file
_MAGIC_WITHIN = 1024  # readers accept junk before "%PDF-" up to here
_KINDS = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"{\\rtf", "a rich-text document"),
    (b"<", "a web page or XML file"),
)


def open_pdf(data: bytes, name: str, password: str | None = None) -> pymupdf.Document:
    """The document in ``data``, decrypted.

    :raises EmptyFile: there are no bytes.
    :raises NotAPdf: the bytes are something else, whatever the file is called.
    :raises DamagedPdf: MuPDF can neither read nor repair it.
    :raises PasswordRequired: it is encrypted and the password is missing or wrong.
    :raises NoPages: it is a PDF without pages.
    """
    shown = display_name(name)
    if not data:
        raise EmptyFile(f"{shown} is empty (0 bytes). Download or export it again.")
    if b"%PDF-" not in data[:_MAGIC_WITHIN]:
        kind = next(
            (kind for magic, kind in _KINDS if data.lstrip()[:16].startswith(magic)), "something else"
        )
        raise NotAPdf(f"{shown} is not a PDF but {kind}, whatever its name says. Convert it to PDF first.")
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
    except PDF_ERRORS as error:
        raise damaged(name) from error
    with ExitStack() as on_failure:
        on_failure.callback(document.close)
        _unlock(document, shown, password)
        if document.page_count < 1:
            if document.is_repaired:
                raise damaged(name)
            raise NoPages(f"{shown} has no pages, so there is nothing to read. Export it again.")
        on_failure.pop_all()
    return document


def damaged(name: str) -> DamagedPdf:
    return DamagedPdf(f"{display_name(name)} is damaged and cannot be read. Download or export it again.")


def _unlock(document: pymupdf.Document, shown: str, password: str | None) -> None:
    if not document.needs_pass:
        return
    if not password:
        raise PasswordRequired(f"{shown} is protected by a password. Give the password to read it.")
    if not document.authenticate(password):
        raise PasswordRequired(f"The password given for {shown} is wrong. Check it and try again.")


def check_page_count(document: pymupdf.Document, name: str, max_pages: int) -> None:
    """:raises TooLarge: the document has more than ``max_pages`` pages."""
    if document.page_count > max_pages:
        raise TooLarge(
            f"{display_name(name)} has {document.page_count:,} pages; at most {max_pages:,} are read. "
            "Split it into parts, or raise AETHEL_MAX_PAGES."
        )
