from __future__ import annotations

import hashlib

import pymupdf
import pytest

from aethel_core.errors import InvalidInput
from aethel_core.parsing import render_page
from aethel_core.types import Rect
from tests.parsing.paper import HEIGHT, WIDTH, pdf, write


def words(page: pymupdf.Page) -> None:
    write(page, 100, 200, "Total commitments")


def image(data: bytes, **how: object) -> pymupdf.Pixmap:
    return pymupdf.Pixmap(render_page(data, 1, **how))


@pytest.mark.parametrize(("zoom", "shown"), [(1.0, 1.0), (2.0, 2.0), (0.001, 0.1), (100.0, 6.0)])
def test_zoom_is_bounded(zoom: float, shown: float) -> None:
    picture = image(pdf(words), zoom=zoom)
    assert (picture.width, picture.height) == (
        pytest.approx(WIDTH * shown, abs=1),
        pytest.approx(HEIGHT * shown, abs=1),
    )


@pytest.mark.parametrize("zoom", [-1.0, 0.0, float("nan"), float("inf")])
def test_a_zoom_that_is_none_is_refused(zoom: float) -> None:
    with pytest.raises(InvalidInput, match="give a number above 0"):
        render_page(pdf(words), 1, zoom=zoom)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_highlights_stand_where_the_page_shows_them(rotation: int) -> None:
    data = pdf(words, rotation=rotation)
    before = hashlib.sha256(data).hexdigest()
    plain, marked = image(data, zoom=1.0), image(data, zoom=1.0, highlights=[Rect(300, 400, 340, 420)])
    assert plain.pixel(320, 410) == (255, 255, 255)
    red, green, blue = marked.pixel(320, 410)
    assert red > 240 and blue < 220 and green > 200  # a translucent yellow
    assert marked.pixel(280, 410) == marked.pixel(320, 440) == (255, 255, 255)
    assert hashlib.sha256(data).hexdigest() == before


def test_words_stay_readable_under_a_highlight() -> None:
    marked = image(pdf(words), zoom=2.0, highlights=[Rect(90, 185, 250, 205)])
    darkest = min(sum(marked.pixel(x, y)) for x in range(200, 380) for y in range(375, 405))
    assert darkest < 200


def test_a_highlight_that_is_nowhere_is_harmless() -> None:
    assert image(pdf(words), highlights=[Rect(5000, 5000, 5001, 5001), Rect(10, 10, 10, 10)]).width > 0
