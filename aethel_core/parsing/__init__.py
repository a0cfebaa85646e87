"""From the bytes of a PDF to a `ParsedDocument`."""

from aethel_core.parsing.ocr import ocr_available
from aethel_core.parsing.pdf import parse_pdf
from aethel_core.parsing.render import render_page

__all__ = ["ocr_available", "parse_pdf", "render_page"]
