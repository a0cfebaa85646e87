from __future__ import annotations

from dataclasses import astuple

import pymupdf
import pytest

from aethel_core.parsing import parse_pdf
from aethel_core.types import Page, Table
from tests.parsing.paper import Draw, paragraph, pdf, table_rows, write, write_centred, write_right

PROSE = [
    "The fund closed 2021 with a net asset value of 412.5 million and drew 35 million from its",
    "partners in 3 calls, of which 20 million went to the 2 platforms bought in the year and the",
    "rest to fees, while 48 million was distributed after the sale of 1 of the 14 companies held.",
]


def page_of(draw: Draw) -> Page:
    (page,) = parse_pdf(pdf(draw), "a.pdf").pages
    return page


def tables_of(draw: Draw) -> list[Table]:
    return [block.table for block in page_of(draw).blocks if block.table is not None]


def balance_sheet(page: pymupdf.Page) -> None:
    write_centred(page, 306, 60, "CONSOLIDATED BALANCE SHEETS", bold=True)
    write_centred(page, 306, 74, "(Dollars in millions, except per share data)")
    write_centred(page, 480, 100, "December 31,", bold=True)
    write_centred(page, 437, 114, "2021", bold=True)
    write_centred(page, 527, 114, "2020", bold=True)
    write(page, 50, 128, "Assets", bold=True)
    y = table_rows(
        page,
        142,
        [
            ("Current assets:", "", ""),
            ("  Cash and cash equivalents", "1,671", "2,148"),
            ("  Receivables, net of allowances of $40 and $42 for", "", ""),
            ("  doubtful accounts", "1,721", "2,004"),
            ("  Total current assets", "3,392", "4,152"),
            ("Goodwill", "2,394", "—"),
            ("Total assets", "5,786", "4,152"),
            ("Liabilities and equity", "", ""),
            ("Long-term debt", "6,687", "6,989"),
            ("Accumulated deficit", "(901", "(2,837"),
            ("Book value per share", "(0.25", "1.10"),
        ],
        right=(460, 550),
    )
    for n, x in enumerate((400, 490)):  # the "$" far left of its number, the ")" a word of its own
        write(page, x, 156, "$")
        write(page, (461, 551)[n], y - 28, ")")
    write(page, 461, y - 14, ")")


def test_a_statement_without_ruling_lines() -> None:
    (table,) = tables_of(balance_sheet)
    assert table.title == "CONSOLIDATED BALANCE SHEETS"
    assert table.unit_line == "(Dollars in millions, except per share data)"
    assert (table.scale, table.currency, table.unscaled) == (1e6, "USD", "per share data")
    assert [(c.header, c.period) for c in table.columns] == [
        ("December 31, 2021", "2021-12-31"),
        ("December 31, 2020", "2020-12-31"),
    ]
    rows = [(row.group, row.header, *(cell.value for cell in row.cells)) for row in table.rows]
    assert rows == [
        ("Current assets", "Cash and cash equivalents", 1671, 2148),
        ("Current assets", "Receivables, net of allowances of $40 and $42 for doubtful accounts", 1721, 2004),
        ("Current assets", "Total current assets", 3392, 4152),
        ("", "Goodwill", 2394, None),
        ("", "Total assets", 5786, 4152),
        ("Liabilities and equity", "Long-term debt", 6687, 6989),
        ("Liabilities and equity", "Accumulated deficit", -901, -2837),
        ("Liabilities and equity", "Book value per share", -0.25, 1.1),
    ]
    assert [cell.text for cell in table.rows[0].cells] == ["$1,671", "$2,148"]
    assert [cell.text for cell in table.rows[3].cells] == ["2,394", "—"]


def test_cells_know_where_they_are() -> None:
    page = page_of(balance_sheet)
    (block,) = [block for block in page.blocks if block.table]
    cell = block.table.rows[0].cells[1]
    assert cell.rect is not None
    found, expected = astuple(cell.rect), (490, 146, 550, 159)
    assert found == pytest.approx(expected, abs=2)
    line = next(line for line in block.lines if "Cash and cash" in line.text)
    assert page.text[line.start : line.end] == "Cash and cash equivalents $ 1,671 $ 2,148"


def test_spanning_headers_go_to_every_column_below_them() -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 50, 60, "Selected results were as follows (in thousands):")
        write_centred(page, 345, 84, "Three Months Ended June 30,")
        write_centred(page, 505, 84, "Six Months Ended June 30,")
        for x, year in ((310, "2023"), (380, "2022"), (470, "2023"), (540, "2022")):
            write_centred(page, x, 98, year)
        rows = [
            ("Revenues", "3,942", "3,265", "7,815", "6,119"),
            ("Operating income", "371", "2,582", "1,101", "2,686"),
            ("Margin", "9.4%", "79.1%", "14.1%", "43.9%"),
        ]
        table_rows(page, 112, rows, right=(325, 395, 485, 555))
        paragraph(
            page, 50, 180, ["For the year ended December 31, 2022 the fund reported a gain in every quarter."]
        )

    (table,) = tables_of(draw)
    assert table.title == "Selected results were as follows"
    assert table.scale == 1e3
    assert [(c.header, c.period) for c in table.columns] == [
        ("Three Months Ended June 30, 2023", "Q2 FY2023"),
        ("Three Months Ended June 30, 2022", "Q2 FY2022"),
        ("Six Months Ended June 30, 2023", "2023-06-30"),
        ("Six Months Ended June 30, 2022", "2022-06-30"),
    ]
    assert table.rows[2].cells[1].value == 79.1


def test_percent_columns_say_so() -> None:
    def draw(page: pymupdf.Page) -> None:
        for x, head in ((380, "2021"), (450, "2020"), (530, "Change")):
            write_right(page, x, 60, head, bold=True)
        rows = [
            ("Net sales", "$14,082", "$11,303", "25%"),
            ("Gross margin", "5,063", "3,531", "43%"),
            ("Research", "995", "1,154", "(14)%"),
        ]
        table_rows(page, 74, rows, right=(380, 450, 530))

    (table,) = tables_of(draw)
    assert [column.unit for column in table.columns] == ["", "", "%"]
    assert [row.cells[2].value for row in table.rows] == [25, 43, -14]
    assert table.currency == "USD"


def test_schedules_with_years_for_labels_or_for_heads() -> None:
    def labels(page: pymupdf.Page) -> None:
        write(page, 50, 60, "Maturities of long-term debt are as follows (in millions):")
        rows = [
            ("2022", "$57"),
            ("2023", "280"),
            ("2024", "474"),
            ("Thereafter", "8,584"),
            ("Total", "$9,395"),
        ]
        table_rows(page, 80, rows, right=(550,))

    def heads(page: pymupdf.Page) -> None:
        write(page, 50, 60, "Debt maturities by year (in millions):")
        for x, year in ((120, "2022"), (220, "2023"), (320, "2024"), (420, "2025"), (540, "Thereafter")):
            write_right(page, x, 80, year)
        for x, value in ((120, "$156"), (220, "$422"), (320, "$382"), (420, "$317"), (540, "$6,580")):
            write_right(page, x, 94, value)

    (down,), (across,) = tables_of(labels), tables_of(heads)
    assert [(row.header, row.cells[0].value) for row in down.rows] == [
        ("2022", 57),
        ("2023", 280),
        ("2024", 474),
        ("Thereafter", 8584),
        ("Total", 9395),
    ]
    assert [column.header for column in across.columns] == ["2022", "2023", "2024", "2025", "Thereafter"]
    assert [cell.value for cell in across.rows[0].cells] == [156, 422, 382, 317, 6580]
    assert down.scale == across.scale == 1e6


def test_contractual_obligations_by_term() -> None:
    def draw(page: pymupdf.Page) -> None:
        write_centred(page, 450, 60, "Payments due by period", bold=True)
        heads = ((280, "Total"), (350, "1 year"), (420, "1-3 years"), (490, "3-5 years"), (560, "5 years"))
        for x, head in heads:
            write_right(page, x, 86, head, bold=True)
        write_right(page, 350, 73, "Less than", bold=True)
        write_right(page, 560, 73, "More than", bold=True)
        rows = [
            ("Content obligations", "10,902", "4,703", "5,249", "891", "58"),
            ("Debt", "3,425", "135", "270", "270", "2,748"),
        ]
        table_rows(page, 104, rows, right=(280, 350, 420, 490, 560))

    (table,) = tables_of(draw)
    assert [c.header.removeprefix("Payments due by period ") for c in table.columns] == [
        "Total",
        "Less than 1 year",
        "1-3 years",
        "3-5 years",
        "More than 5 years",
    ]
    assert [row.header for row in table.rows] == ["Content obligations", "Debt"]


def test_columns_of_words() -> None:
    def draw(page: pymupdf.Page) -> None:
        for x, head in ((50, "Security"), (230, "Type"), (330, "Maturity")):
            write(page, x, 60, head, bold=True)
        write_right(page, 550, 60, "Cost", bold=True)
        rows = [
            ("Meridian Holdings", "Senior notes", "June 2027", "1,100"),
            ("Castle Freight", "Term loan", "May 2025", "450"),
            ("Aldgate Dental", "Equity", "None", "75"),
        ]
        for n, (name, kind, due, cost) in enumerate(rows):
            write(page, 50, 76 + 14 * n, name)
            write(page, 230, 76 + 14 * n, kind)
            write(page, 330, 76 + 14 * n, due)
            write_right(page, 550, 76 + 14 * n, cost)

    (table,) = tables_of(draw)
    assert [column.header for column in table.columns] == ["Type", "Maturity", "Cost"]
    assert [cell.text for cell in table.rows[1].cells] == ["Term loan", "May 2025", "450"]


def test_leader_dots_and_footnote_marks() -> None:
    def draw(page: pymupdf.Page) -> None:
        for n, (label, value) in enumerate(
            (("Cash", "876"), ("Investments", "3,111"), ("Other assets", "159"))
        ):
            write(page, 50, 60 + 14 * n, label + "." * 60)
            write_right(page, 500, 60 + 14 * n, value)
        write(page, 502, 60, "(a)", size=6)

    (table,) = tables_of(draw)
    assert [(row.header, row.cells[0].text) for row in table.rows] == [
        ("Cash", "876"),
        ("Investments", "3,111"),
        ("Other assets", "159"),
    ]


def test_a_table_that_goes_on_over_the_page_keeps_its_head() -> None:
    def first(page: pymupdf.Page) -> None:
        balance_sheet(page)

    def second(page: pymupdf.Page) -> None:
        rows = [("Retained earnings", "16,778", "16,389"), ("Treasury stock", "(20,532)", "(20,263)")]
        table_rows(page, 60, rows, right=(460, 550))

    pages = parse_pdf(pdf(first, second), "a.pdf").pages
    (table,) = [block.table for block in pages[1].blocks]
    assert table.title == "CONSOLIDATED BALANCE SHEETS (continued)"
    assert [column.header for column in table.columns] == ["December 31, 2021", "December 31, 2020"]
    assert table.scale == 1e6


def test_a_unit_stated_once_holds_for_the_tables_after_it() -> None:
    def draw(page: pymupdf.Page) -> None:
        write_centred(page, 306, 60, "(Unless otherwise noted, in millions)")
        write(page, 50, 100, "The components of inventory at year end were as follows:")
        rows = [("Finished goods", "1,200", "1,100"), ("Raw materials", "300", "280")]
        table_rows(page, 120, rows, right=(460, 550))

    (table,) = tables_of(draw)
    assert table.scale == 1e6


def test_a_capital_account_statement() -> None:
    def draw(page: pymupdf.Page) -> None:
        entries = (("Fund", "NorthRiver IV, L.P."), ("Commitment", "$75,000,000.00"), ("Share", "6.0729%"))
        for n, (name, stated) in enumerate(entries):
            write(page, 50, 60 + 17 * n, name)
            write(page, 200, 60 + 17 * n, stated)
        write(page, 46, 140, "Statement of changes in the capital account", size=13, bold=True)
        write(page, 50, 160, "US$", bold=True)
        for x, head in ((320, "Quarter"), (430, "Year to date"), (540, "Since inception")):
            write_right(page, x, 160, head, bold=True)
        rows = [
            ("Balance at beginning of period", "52,983,947.36", "54,908,987.85", "—"),
            ("Contributions", "1,500,000.00", "6,300,000.00", "55,050,000.00"),
            ("Balance at end of period", "54,483,947.36", "61,208,987.85", "55,050,000.00"),
        ]
        table_rows(page, 176, rows, right=(320, 430, 540))

    *_, table = tables_of(draw)
    assert table.title == "Statement of changes in the capital account"
    assert (table.unit_line, table.scale, table.currency) == ("US$", 1.0, "USD")
    assert [column.header for column in table.columns] == ["Quarter", "Year to date", "Since inception"]
    assert [cell.value for cell in table.rows[1].cells] == [1.5e6, 6.3e6, 55.05e6]


def test_names_with_statements_beside_them() -> None:
    def draw(page: pymupdf.Page) -> None:
        entries = (
            ("Fund", "NorthRiver IV, L.P."),
            ("Commitment", "$75,000,000.00"),
            ("Share of commitments", "6.0729%"),
            ("Unfunded", "$20,700,000.00"),
        )
        for n, (name, stated) in enumerate(entries):
            write(page, 50, 60 + 15 * n, name)
            write(page, 200, 60 + 15 * n, stated)

    (table,) = tables_of(draw)
    assert [(row.header, row.cells[0].text) for row in table.rows] == [
        ("Fund", "NorthRiver IV, L.P."),
        ("Commitment", "$75,000,000.00"),
        ("Share of commitments", "6.0729%"),
        ("Unfunded", "$20,700,000.00"),
    ]
    assert table.columns[0].header == ""


def test_key_figures_with_captions_below_them() -> None:
    def draw(page: pymupdf.Page) -> None:
        tiles = (("918.1", "Net asset value, US$ millions"), ("1.22x", "Net TVPI"), ("12.8%", "Net IRR"))
        for n, (figure, caption) in enumerate(tiles):
            write_centred(page, 130 + 170 * n, 80, figure, size=15, bold=True)
            write_centred(page, 130 + 170 * n, 93, caption, size=7)
        paragraph(page, 50, 130, PROSE)

    (table,) = tables_of(draw)
    assert table.title == "Key figures"
    assert [column.header for column in table.columns] == [
        "Net asset value, US$ millions",
        "Net TVPI",
        "Net IRR",
    ]
    assert [
        (cell.value, column.unit) for cell, column in zip(table.rows[0].cells, table.columns, strict=True)
    ] == [
        (918.1, ""),
        (1.22, "x"),
        (12.8, "%"),
    ]


def test_the_figures_of_a_chart_are_no_table() -> None:
    def draw(page: pymupdf.Page) -> None:
        for n in range(4):
            write_right(page, 200 + 90 * n, 80 + 20 * n, f"{49 + n},400")
            write_right(page, 290 + 60 * n, 80 + 20 * n, f"({n + 1},420)")

    assert tables_of(draw) == []


def prose(page: pymupdf.Page) -> None:
    paragraph(page, 50, 60, PROSE)


def bullets(page: pymupdf.Page) -> None:
    paragraph(
        page, 50, 60, ["• 14 companies held at year end", "• 35 million drawn in 3 calls", "• 2 sold in 2021"]
    )


def contents(page: pymupdf.Page) -> None:
    for n, (title, number) in enumerate((("Letter", 1), ("Portfolio", 3), ("Valuation", 12), ("Notes", 31))):
        write(page, 50, 60 + 14 * n, title)
        write_right(page, 550, 60 + 14 * n, str(number))


def columns_of_prose(page: pymupdf.Page) -> None:
    for n in range(8):
        write(page, 50, 60 + 12 * n, f"the {n} partners asked in 2021 about 3 marks", size=9)
        write(page, 320, 60 + 12 * n, f"and the answer of {n} May was 14 pages long", size=9)


@pytest.mark.parametrize("draw", [prose, bullets, contents, columns_of_prose])
def test_what_is_no_table(draw: Draw) -> None:
    assert tables_of(draw) == []


def test_prose_before_and_after_stays_prose() -> None:
    def draw(page: pymupdf.Page) -> None:
        y = paragraph(page, 50, 60, PROSE) + 14
        y = table_rows(
            page, y, [("Capital called", "35.0", "28.0"), ("Distributed", "48.0", "9.5")], right=(460, 550)
        )
        paragraph(page, 50, y + 14, PROSE)

    blocks = page_of(draw).blocks
    assert [(block.kind, len(block.lines)) for block in blocks] == [("prose", 3), ("table", 2), ("prose", 3)]


def test_two_tables_with_heads_of_their_own_stay_two() -> None:
    def draw(page: pymupdf.Page) -> None:
        for top, years in ((60, ("2021", "2020")), (150, ("2019", "2018"))):
            for x, year in zip((460, 550), years, strict=True):
                write_right(page, x, top, year)
            table_rows(page, top + 14, [("Called", "1.5", "2.5"), ("Paid", "3.5", "4.5")], right=(460, 550))

    first, second = tables_of(draw)
    assert [c.period for c in first.columns] == ["FY2021", "FY2020"]
    assert [c.period for c in second.columns] == ["FY2019", "FY2018"]
