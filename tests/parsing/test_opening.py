from __future__ import annotations

import random

import pymupdf
import pytest

from aethel_core.errors import (
    Cancelled,
    DamagedPdf,
    EmptyFile,
    InvalidInput,
    NoPages,
    NotAPdf,
    PasswordRequired,
    TooLarge,
)
from aethel_core.parsing import parse_pdf, render_page
from tests.parsing.paper import nothing, pdf, write

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)
ENCRYPTED = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "open", "owner_pw": "own"}


def hello(page: pymupdf.Page) -> None:
    write(page, 72, 72, "Total commitments were 250.0 million.")


def test_zero_bytes() -> None:
    with pytest.raises(EmptyFile, match=r"letter\.pdf is empty \(0 bytes\)"):
        parse_pdf(b"", "letter.pdf")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "a PNG image"),
        (b"PK\x03\x04" + bytes(40), "Office document"),
        (b"\n\n<!DOCTYPE html><html></html>", "a web page"),
        (b"just some words", "something else"),
        (bytes(5000) + b"%PDF-1.7", "something else"),
    ],
)
def test_something_else_called_pdf(data: bytes, kind: str) -> None:
    with pytest.raises(NotAPdf, match=kind):
        parse_pdf(data, "scan.pdf")


def test_bytes_before_the_header_are_forgiven() -> None:
    assert "commitments" in parse_pdf(b"\r\njunk\r\n" + pdf(hello), "a.pdf").pages[0].text


@pytest.mark.parametrize(
    ("password", "words"), [(None, "is protected"), ("", "is protected"), ("no", "is wrong")]
)
def test_password_missing_or_wrong(password: str | None, words: str) -> None:
    with pytest.raises(PasswordRequired, match=words):
        parse_pdf(pdf(hello, **ENCRYPTED), "a.pdf", password=password)


@pytest.mark.parametrize("password", ["open", "own"])
def test_either_password_opens(password: str) -> None:
    data = pdf(hello, **ENCRYPTED)
    assert parse_pdf(data, "a.pdf", password=password).pages[0].text.startswith("Total commitments")
    assert render_page(data, 1, password=password).startswith(b"\x89PNG")


def test_an_owner_password_alone_does_not_hinder_reading() -> None:
    data = pdf(hello, encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="own")
    assert parse_pdf(data, "a.pdf").pages[0].text


def test_truncated_but_repairable_is_read_with_a_warning() -> None:
    document = parse_pdf(pdf(hello, hello, hello)[:-180], "a.pdf")
    assert any("damaged and has been repaired" in warning for warning in document.warnings)
    assert ["commitments" in page.text for page in document.pages] == [True, True, True]


def cut(pages: int, kept: int) -> bytes:
    """A file without its end, in which the content of the pages after ``kept`` was."""
    data = pdf(*[hello] * pages)
    with pymupdf.open(stream=data) as document:
        lost = [document[n].get_contents()[0] for n in range(kept, pages)]
    for xref in lost:
        header = f"\n{xref} 0 obj".encode()
        assert data.count(header) == 1
        data = data.replace(header, b"\n%".ljust(len(header), b"x"))
    return data[:-180]


def test_pages_lost_with_the_end_of_the_file_are_said() -> None:
    document = parse_pdf(cut(5, 3), "a.pdf")
    assert ["commitments" in page.text for page in document.pages] == [True, True, True, False, False]
    assert document.warnings[1:] == (
        "Page 4 came out empty; what it showed is lost.",
        "The same holds for 1 more, up to page 5.",
    )
    assert document.pages[4].warnings == ("Page 5 came out empty; what it showed is lost.",)


def test_a_file_that_lost_most_of_its_pages_is_refused() -> None:
    with pytest.raises(DamagedPdf, match=r"a\.pdf is damaged"):
        parse_pdf(cut(5, 2), "a.pdf")


def test_beyond_repair() -> None:
    with pytest.raises(DamagedPdf, match="damaged"):
        parse_pdf(b"%PDF-1.7\n" + bytes(random.Random(1).randbytes(400)), "a.pdf")


def test_no_pages() -> None:
    objects = (b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>")
    body, table = b"%PDF-1.4\n", b"xref\n0 3\n0000000000 65535 f \n"
    for number, content in enumerate(objects, start=1):
        table += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    data = body + table + b"trailer\n<</Size 3/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % len(body)
    with pytest.raises(NoPages, match="no pages"):
        parse_pdf(data, "a.pdf")


def test_too_many_pages_says_how_many_and_what_to_do() -> None:
    with pytest.raises(TooLarge, match=r"has 3 pages; at most 2 are read\. Split it"):
        parse_pdf(pdf(nothing, nothing, nothing), "a.pdf", max_pages=2)


def test_progress_may_stop_it() -> None:
    seen: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        parse_pdf(pdf(hello, hello, hello), "a.pdf", on_page=stop)
    assert seen == [(1, 3), (2, 3)]


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    parse_pdf(pdf(hello, hello)[:-100], "a.pdf")
    with pytest.raises(DamagedPdf):
        parse_pdf(b"%PDF-1.7\nxyz", "a.pdf")
    assert capfd.readouterr() == ("", "")


def test_the_same_bytes_give_the_same_document() -> None:
    data = pdf(hello, title="A letter")
    first = parse_pdf(data, "a.pdf")
    assert parse_pdf(data, "a.pdf") == first
    assert first.pdf_title == "A letter"
    assert first.id == first.sha256[:16]


def test_embedded_files_and_scripts_are_left_alone() -> None:
    with pymupdf.open() as document:
        hello(document.new_page())
        document.embfile_add("payload.txt", b"do not read me")
        script = document.get_new_xref()
        document.update_object(script, "<</S/JavaScript/JS(app.alert(1))>>")
        document.xref_set_key(document.pdf_catalog(), "OpenAction", f"{script} 0 R")
        data = document.tobytes()
    text = parse_pdf(data, "a.pdf").pages[0].text
    assert "commitments" in text
    assert "do not read me" not in text


@pytest.mark.parametrize("page", [0, 2, -1])
def test_render_refuses_pages_that_are_not_there(page: int) -> None:
    with pytest.raises(InvalidInput, match="pages 1 to 1"):
        render_page(pdf(hello), page)
