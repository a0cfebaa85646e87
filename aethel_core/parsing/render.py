"""A page as an image, with rectangles highlighted."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pymupdf

from aethel_core.errors import InvalidInput
from aethel_core.parsing.opening import PDF_ERRORS, damaged, open_pdf
from aethel_core.types import Rect

_MAX_ZOOM = 6.0
_MIN_ZOOM = 0.1
_MAX_PIXELS = 25e6
_FILL = (1.0, 0.85, 0.2)


def render_page(
    data: bytes,
    page: int,
    *,
    zoom: float = 1.5,
    highlights: Sequence[Rect] = (),
    password: str | None = None,
) -> bytes:
    """Page ``page`` (1-based) as PNG; ``zoom`` 1 is 72 dpi, and one that is too small or large is bounded.

    The highlights are drawn on a copy in memory, in the coordinates of the page as displayed.

    :raises InvalidInput: there is no such page, or the zoom is no number above 0.
    :raises UnreadableDocument: the document cannot be opened or the page not drawn.
    """
    if not 0 < zoom < math.inf:
        raise InvalidInput(f"The zoom is {zoom:g}; give a number above 0, such as 1.5.")
    document = open_pdf(data, "The document", password)
    try:
        if not 1 <= page <= document.page_count:
            raise InvalidInput(f"There is no page {page}; the document has pages 1 to {document.page_count}.")
        shown = document.load_page(page - 1)
        area = max(shown.rect.width * shown.rect.height, 1.0)
        zoom = max(_MIN_ZOOM, min(zoom, _MAX_ZOOM, (_MAX_PIXELS / area) ** 0.5))
        for rect in highlights:
            box = pymupdf.Rect(rect.x0, rect.y0, rect.x1, rect.y1) * shown.derotation_matrix
            shown.draw_rect(box, color=None, fill=_FILL, fill_opacity=0.35, overlay=True)
        return shown.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False).tobytes("png")
    except PDF_ERRORS as error:
        raise damaged("The document") from error
    finally:
        document.close()
