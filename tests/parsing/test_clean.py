from __future__ import annotations

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aethel_core.parsing import parse_pdf
from aethel_core.parsing.clean import NAME_LIMIT, clean, display_name
from tests.parsing.paper import pdf, write


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("ﬁnancial oﬃce", "financial office"),
        ("a\x00b\x07c\ud800d", "abcd"),
        ("invest\u00adment", "investment"),
        ("invest\u00ad", "invest\u2010"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("no\u00a0break", "no break"),
        ("\uf0b7", "•"),
        ("naïve €5 — “x”", "naïve €5 — “x”"),
    ],
)
def test_clean(raw: str, expected: str) -> None:
    assert clean(raw) == expected


@given(st.text(st.characters(), max_size=40))
def test_clean_text_can_be_stored(raw: str) -> None:
    text = clean(raw)
    text.encode("utf-8")
    assert all(c >= " " for c in text)
    assert clean(text) == text


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("letter.pdf", "letter.pdf"),
        ("../../etc/passwd", "passwd"),
        (r"C:\Users\x\Q4 report.pdf", "Q4 report.pdf"),
        ("a\x00\n\tb.pdf", "ab.pdf"),
        ('what? "yes": <a|b>*.pdf', "what yes a b .pdf"),
        ("", "document.pdf"),
        ("///", "document.pdf"),
        ("..", "document.pdf"),
        ("x" * 300 + ".pdf", "x" * 145 + "….pdf"),
        ("文" * 200 + ".pdf", "文" * 145 + "….pdf"),
    ],
)
def test_display_name(raw: str, expected: str) -> None:
    assert display_name(raw) == expected


@given(st.text(st.characters(), max_size=400))
def test_display_names_are_harmless(raw: str) -> None:
    name = display_name(raw)
    name.encode("utf-8")
    assert 0 < len(name) <= NAME_LIMIT
    assert not set(name) & set('/\\:*?"<>|\0\n')
    assert name not in (".", "..")


def test_the_name_of_the_file_is_sanitised_in_the_document() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 72, 72, "Some words on a page.")

    assert parse_pdf(pdf(draw), "a/b/c\x01.pdf").name == "c.pdf"
