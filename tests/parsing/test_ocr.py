from __future__ import annotations

import pymupdf
import pytest

from aethel_core.parsing import ocr, ocr_available, parse_pdf
from aethel_core.parsing.ocr import language_data
from tests.parsing.paper import nothing, paragraph, pdf, scanned, write

needs_tesseract = pytest.mark.skipif(not ocr_available(), reason="Tesseract's language data is not installed")
WORDS = [
    "Capital Account Statement of the limited partner",
    "The beginning balance of the period was as reported",
    "Contributions were made in March and in September",
    "Distributions were paid after the sale of a company",
    "Management fees were charged quarterly in advance",
    "The ending balance agrees with the audited accounts",
]


def statement(page: pymupdf.Page) -> None:
    paragraph(page, 60, 80, WORDS, size=13)


@needs_tesseract
@pytest.mark.parametrize(("turn", "skew"), [(0, 1.5), (180, 0.0)])
def test_scans_are_read_whichever_way_they_lie(
    turn: int, skew: float, capfd: pytest.CaptureFixture[str]
) -> None:
    document = parse_pdf(scanned(pdf(statement), turn=turn, skew=skew), "scan.pdf")
    (page,) = document.pages
    assert page.source == "ocr" and document.warnings == ()
    read = page.text.split()
    expected = " ".join(WORDS).split()
    assert sum(word in read for word in expected) >= 0.9 * len(expected)
    first = next(line for block in page.blocks for line in block.lines if "Capital" in line.text)
    if turn == 0:
        assert first.rect.y0 == pytest.approx(80, abs=30)
    else:
        assert first.rect.y0 == pytest.approx(792 - 80, abs=30)
    assert capfd.readouterr() == ("", "")


def test_without_tesseract_the_page_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aethel_core.parsing.pdf.ocr_available", lambda: False)
    document = parse_pdf(scanned(pdf(statement)), "scan.pdf")
    assert document.pages[0].source == "none" and document.pages[0].text == ""
    assert document.warnings == document.pages[0].warnings
    assert document.warnings[0].startswith("Page 1 has no text and Tesseract is not installed")
    assert "tesseract-ocr" in document.warnings[0]


def test_ocr_can_be_switched_off() -> None:
    (page,) = parse_pdf(scanned(pdf(statement)), "scan.pdf", ocr=False).pages
    assert page.source == "none" and "switched off" in page.warnings[0]


def test_pages_with_text_or_with_nothing_are_not_sent_to_ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("OCR was called")

    def ruled(page: pymupdf.Page) -> None:
        page.draw_rect((50, 50, 560, 51), fill=(0, 0, 0))

    monkeypatch.setattr(ocr.Recogniser, "read", fail)
    pages = parse_pdf(pdf(statement, nothing, ruled), "a.pdf").pages
    assert [page.source for page in pages] == ["text"] * 3
    assert [bool(page.text) for page in pages] == [True, False, False]


def test_the_language_data_is_looked_for_where_the_environment_says(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    language_data.cache_clear()
    try:
        monkeypatch.setattr(ocr, "_DATA_FOLDERS", ())
        monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
        assert language_data() == "" and not ocr_available()
        (tmp_path / "eng.traineddata").write_bytes(b"")
        language_data.cache_clear()
        assert language_data() == str(tmp_path) and ocr_available()
    finally:
        language_data.cache_clear()


def test_a_page_tesseract_fails_on_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no memory")

    monkeypatch.setattr(ocr.Recogniser, "read", fail)
    monkeypatch.setattr("aethel_core.parsing.pdf.ocr_available", lambda: True)
    (page,) = parse_pdf(scanned(pdf(statement)), "scan.pdf").pages
    assert page.source == "none" and "could not be read by Tesseract (no memory)" in page.warnings[0]


def test_a_scan_with_a_stamp_is_still_a_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aethel_core.parsing.pdf.ocr_available", lambda: False)
    with pymupdf.open(stream=scanned(pdf(statement)), filetype="pdf") as document:
        write(document[0], 500, 20, "p. 1")
        data = document.tobytes()
    assert parse_pdf(data, "a.pdf").pages[0].source == "none"
