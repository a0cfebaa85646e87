"""Small PDFs with known words at known places."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pymupdf

Draw = Callable[[pymupdf.Page], None]
WIDTH, HEIGHT = 612, 792


def pdf(*pages: Draw, rotation: int = 0, title: str = "", **save: object) -> bytes:
    with pymupdf.open() as document:
        for draw in pages:
            page = document.new_page(width=WIDTH, height=HEIGHT)
            draw(page)
            page.set_rotation(rotation)
        if title:
            document.set_metadata({"title": title})
        return document.tobytes(**save)


def nothing(page: pymupdf.Page) -> None:
    pass


FONTS = {bold: pymupdf.Font("hebo" if bold else "helv") for bold in (False, True)}


def write(page: pymupdf.Page, x: float, y: float, text: str, *, size: float = 10, bold: bool = False) -> None:
    name = "Fbold" if bold else "Fplain"
    page.insert_font(fontname=name, fontbuffer=FONTS[bold].buffer)
    page.insert_text((x, y), text, fontsize=size, fontname=name)


def write_right(
    page: pymupdf.Page, x1: float, y: float, text: str, *, size: float = 10, bold: bool = False
) -> None:
    width = FONTS[bold].text_length(text, fontsize=size)
    write(page, x1 - width, y, text, size=size, bold=bold)


def write_centred(
    page: pymupdf.Page, x: float, y: float, text: str, *, size: float = 10, bold: bool = False
) -> None:
    width = FONTS[bold].text_length(text, fontsize=size)
    write(page, x - width / 2, y, text, size=size, bold=bold)


def paragraph(page: pymupdf.Page, x: float, y: float, lines: Sequence[str], *, size: float = 10) -> float:
    """Write lines 12 points apart; returns where the next one would stand."""
    for line in lines:
        write(page, x, y, line, size=size)
        y += 1.2 * size
    return y


def table_rows(
    page: pymupdf.Page, y: float, rows: Sequence[Sequence[str]], *, right: Sequence[float], left: float = 50
) -> float:
    """Rows of a label and numbers aligned to the right at ``right``, without ruling lines."""
    for label, *values in rows:
        indent = len(label) - len(label.lstrip())
        write(page, left + 6 * indent, y, label.lstrip())
        for x1, value in zip(right, values, strict=True):
            if value:
                write_right(page, x1, y, value)
        y += 14
    return y


def scanned(data: bytes, *, turn: int = 0, skew: float = 0.0, dpi: int = 150) -> bytes:
    """The first page of a PDF as an image of it, lying on its side by ``turn`` degrees."""
    with pymupdf.open(stream=data, filetype="pdf") as source, pymupdf.open() as document:
        image = source[0].get_pixmap(matrix=pymupdf.Matrix(dpi / 72, dpi / 72).prerotate(turn + skew))
        page = document.new_page(width=image.width * 72 / dpi, height=image.height * 72 / dpi)
        page.insert_image(page.rect, pixmap=image)
        return document.tobytes()
