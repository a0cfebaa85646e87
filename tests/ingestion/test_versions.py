"""When is a document another version of one that is stored? Cases decided by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from aethel_core.ingestion.versions import calls_itself_amended, version_of
from aethel_core.types import Document, DocumentType, Metadata, Page, Period

TEXTS = tuple(f"Paragraph {n} says that the fund holds company {n}." for n in range(10))
NEAR = (*TEXTS[:8], "The net asset value is 101.", "A corrected figure is 7.")
FAR = tuple(f"Something else entirely, number {n}." for n in range(10))
FILING = Metadata("NIKE, Inc.", Period(2021, None, "2021-05-31"), DocumentType.TEN_K, "Annual report")
LETTER = Metadata("", Period(2023, 2), DocumentType.LP_LETTER, "NorthRiver IV LP Quarterly Letter Q2 2023")
FRONT = "NorthRiver IV LP Quarterly Letter to Limited Partners Q2 2023 Dear Limited Partners"


@dataclass
class Stored:
    """The three questions that version detection asks of the store."""

    metadata: Metadata
    name: str = "stored.pdf"
    front: str = FRONT
    passages: tuple[str, ...] = TEXTS

    def all(self) -> tuple[Document, ...]:
        return (Document("old", self.name, "s", self.metadata, 1, 1),)

    def page(self, document_id: str, number: int) -> Page:
        return Page(number, self.front, (), 1, 1)

    def texts(self, document_id: str) -> tuple[str, ...]:
        return self.passages


def found(
    stored: Stored,
    metadata: Metadata,
    texts: tuple[str, ...] = TEXTS,
    name: str = "new.pdf",
    front: str = FRONT,
) -> str:
    version = version_of(stored, name, metadata, front, texts)
    return "" if version is None else version.relation.value


def test_the_same_filing_printed_again_is_a_copy() -> None:
    assert found(Stored(FILING), FILING) == "copy"
    assert found(Stored(FILING), replace(FILING, company="Nike, INC."), NEAR) == "copy"


def test_a_damaged_file_and_its_repaired_copy_are_no_versions_of_each_other() -> None:
    assert found(Stored(FILING, passages=TEXTS[:6]), FILING) == "copy"
    assert found(Stored(FILING), FILING, TEXTS[:6]) == "copy"
    version = version_of(Stored(FILING, passages=TEXTS[:6]), "new.pdf", FILING, FRONT, TEXTS)
    assert (version.shared, version.own, version.other) == (6, 10, 6)


def test_a_later_date_on_the_same_first_page_makes_a_version() -> None:
    july, august = f"{FRONT} July 28, 2023", f"{FRONT} August 14, 2023"
    assert found(Stored(LETTER, front=july), LETTER, NEAR, front=august) == "newer"
    assert found(Stored(LETTER, front=august), LETTER, NEAR, front=july) == "older"
    assert found(Stored(LETTER, front=july), LETTER, NEAR, front=july) == "copy"
    assert found(Stored(LETTER, front=july), LETTER, FAR, front=august) == ""
    another = "Statement of investments as of August 14, 2023 of quite other holdings"
    assert found(Stored(FILING, front=july), FILING, NEAR, front=another) == "copy"


def test_an_amendment_of_few_pages() -> None:
    front = "FORM 10-K/A (Amendment No. 1) NIKE, Inc."
    assert found(Stored(FILING, front="FORM 10-K NIKE, Inc."), FILING, FAR, front=front) == "newer"
    assert found(Stored(FILING, front=front), FILING, FAR, front="FORM 10-K NIKE, Inc.") == "older"


def test_another_filing_of_the_same_company_and_year_is_none() -> None:
    assert found(Stored(FILING), FILING, FAR) == ""


@pytest.mark.parametrize(
    "other",
    [
        replace(FILING, company="Adidas"),
        replace(FILING, type=DocumentType.TEN_Q),
        replace(FILING, period=Period(2022)),
        replace(FILING, period=Period(2021, None, "2021-12-31")),
        replace(FILING, period=Period()),
        replace(FILING, company=""),
    ],
)
def test_another_company_type_or_period_is_none(other: Metadata) -> None:
    other = replace(other, title="")
    assert found(Stored(FILING), other, TEXTS, name="amended 10-K/A.pdf") == ""


def test_a_re_issued_letter_by_its_title_and_first_page() -> None:
    again = replace(LETTER, title="NorthRiver IV LP Quarterly Letter, Q2 2023")
    assert found(Stored(LETTER), again, NEAR) == "copy"
    assert found(Stored(LETTER), again, FAR, front=f"RE-ISSUED {FRONT}") == "newer"
    assert found(Stored(LETTER), again, FAR) == ""
    assert found(Stored(LETTER), again, NEAR, front="Capital account statement of another partner") == ""


def test_the_next_quarter_s_letter_is_none() -> None:
    following = replace(LETTER, period=Period(2023, 3), title="NorthRiver IV LP Quarterly Letter Q3 2023")
    assert found(Stored(LETTER), following, NEAR, front=f"corrected version {FRONT}") == ""


def test_four_fifths_of_the_shorter_one_are_enough() -> None:
    assert found(Stored(FILING), FILING, (*TEXTS[:8], *FAR[:2])) == "copy"
    assert found(Stored(FILING), FILING, (*TEXTS[:7], *FAR[:3])) == ""
    assert found(Stored(FILING, passages=(*TEXTS, *FAR)), FILING, TEXTS[:4]) == "copy"


def test_line_breaks_and_punctuation_do_not_count() -> None:
    moved = tuple(text.replace(" ", "\n").replace(".", "").upper() for text in TEXTS)
    assert found(Stored(FILING), FILING, moved) == "copy"


@pytest.mark.parametrize(
    ("text", "amended"),
    [
        ("FORM 10-K/A", True),
        ("10-Q/A", True),
        ("(Amendment No. 2)", True),
        ("Re-issued on 3 May", True),
        ("this letter was reissued", True),
        ("Corrected version", True),
        ("This letter supersedes our letter of May", True),
        ("Q2_letter_re-issued.pdf", True),
        ("Securities Exchange Act of 1934, as amended", False),
        ("any amendment to this Form 10-K", False),
        ("the credit agreement was amended and restated", False),
        ("we corrected the course", False),
        ("notes issued in 2021", False),
    ],
)
def test_what_calls_itself_amended(text: str, amended: bool) -> None:
    assert calls_itself_amended("a.pdf", "", text) is amended
    assert calls_itself_amended(text, "", "") is amended
