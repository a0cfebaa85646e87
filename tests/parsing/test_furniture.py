from __future__ import annotations

import pymupdf

from aethel_core.parsing import parse_pdf
from tests.parsing.paper import Draw, paragraph, pdf, write, write_centred

TOPICS = ("Liquidity", "Valuation", "Covenants", "Litigation", "Personnel")


def letter(n: int, *, label: str = "{}") -> Draw:
    def draw(page: pymupdf.Page) -> None:
        write(page, 50, 40, "NorthRiver Capital Partners IV, L.P.")
        write(page, 50, 100, TOPICS[n - 1], bold=True)
        paragraph(
            page, 50, 120, [f"{TOPICS[n - 1]} was discussed with the advisory committee at length."] * 3
        )
        write_centred(page, 306, 760, label.format(n + 6))

    return draw


def texts(*pages: Draw) -> list[str]:
    return [page.text for page in parse_pdf(pdf(*pages), "letter.pdf").pages]


def test_running_heads_and_page_numbers_go_and_headings_stay() -> None:
    pages = texts(*(letter(n) for n in range(1, 6)))
    assert pages[0].startswith("NorthRiver Capital Partners IV, L.P.\n\nLiquidity")  # the first is kept
    assert all("NorthRiver" not in text for text in pages[1:])
    for n, text in enumerate(pages):
        assert TOPICS[n] in text
        assert not any(line.strip().isdigit() for line in text.splitlines())


def test_a_head_in_two_parts_goes_and_the_heads_of_columns_stay() -> None:
    def two_parts(n: int, *, apart: bool) -> Draw:
        def draw(page: pymupdf.Page) -> None:
            write(page, 50, 40, "NorthRiver IV", size=8)
            write(page, 480, 40, "Quarterly letter", size=8)
            paragraph(page, 50, 75 if apart else 52, [f"{TOPICS[n - 1]} was discussed at length. " * 3] * 3)

        return draw

    heads, columns = (texts(*(two_parts(n, apart=apart) for n in range(1, 6))) for apart in (True, False))
    assert ["Quarterly" in text for text in heads] == [True, False, False, False, False]
    assert all("Quarterly" in text for text in columns)


def test_page_numbers_inside_words() -> None:
    for label in ("Page {} of 40", "- {} -", "F-{}", "Annual letter 2021 | {}"):
        pages = texts(*(letter(n, label=label) for n in range(1, 6)))
        assert not any(label.format(n + 7) in text.splitlines() for n, text in enumerate(pages)), label


def test_roman_page_numbers() -> None:
    numerals = ("i", "ii", "iii", "iv", "v")
    pages = texts(*(letter(n, label=numerals[n - 1]) for n in range(1, 6)))
    assert not any(text.splitlines()[-1] in numerals for text in pages)


def test_numbers_that_do_not_grow_with_the_pages_stay() -> None:
    def total(n: int) -> Draw:
        def draw(page: pymupdf.Page) -> None:
            letter(n)(page)
            write(page, 50, 740, f"Total {(17, 3, 99, 4, 58)[n - 1]}")

        return draw

    pages = texts(*(total(n) for n in range(1, 6)))
    assert [text.splitlines()[-1] for text in pages] == [
        "Total 17",
        "Total 3",
        "Total 99",
        "Total 4",
        "Total 58",
    ]


def test_what_a_table_says_about_itself_stays_on_every_page() -> None:
    def unit(n: int) -> Draw:
        def draw(page: pymupdf.Page) -> None:
            write(page, 50, 40, "(in millions, except per unit data)")
            letter(n)(page)

        return draw

    assert all("in millions" in text for text in texts(*(unit(n) for n in range(1, 6))))


def test_pages_of_nothing_but_the_same_words_keep_them() -> None:
    def stamp(page: pymupdf.Page) -> None:
        write(page, 200, 400, "This page intentionally left blank")

    assert all("left blank" in text for text in texts(stamp, stamp, stamp))


def test_a_single_page_keeps_everything() -> None:
    assert texts(letter(1))[0].splitlines()[-1] == "7"
