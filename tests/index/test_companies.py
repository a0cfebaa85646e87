"""Which documents are of one company. Cases decided by hand."""

from __future__ import annotations

from aethel_core.index.companies import CompanyJoin, companies_of, company_joins
from aethel_core.index.edits import EntityEdits
from aethel_core.retrievers.recognition import Recognition
from aethel_core.types import DocumentType, Metadata, Period
from tests.corpora import index, segment

WORKS = Metadata("Apex Works, Inc.", Period(2022), DocumentType.TEN_K, "", "APX", ("Apex",))
BANK = Metadata("Apex Bank Corp.", Period(2022), DocumentType.TEN_K, "", "", ("Apex", "Apex Savings"))
AGAIN = Metadata("Apex Works", Period(2021), DocumentType.TEN_K)
SPLIT = frozenset({("apex bank corp", "apex works inc")})


def ids(documents: list[Metadata], apart=frozenset()) -> list[str]:
    return [company.id if company else "" for company in companies_of(documents, apart)]


def test_documents_that_share_a_name_are_of_one_company() -> None:
    assert ids([WORKS, BANK, AGAIN, Metadata()]) == ["company:apex"] * 3 + [""]
    assert ids([WORKS, Metadata("Birch Inc.")]) == ["company:apex", "company:birch"]


def test_a_person_tells_two_registrants_apart() -> None:
    works, bank, again = ids([WORKS, BANK, AGAIN], SPLIT)
    assert works == again == "company:apex works" and bank == "company:apex bank"
    names = [company.name for company in companies_of([WORKS, BANK], SPLIT)]
    assert names == ["Apex Works, Inc.", "Apex Bank Corp."]


def test_a_shared_name_stays_with_the_registrant_that_bears_it() -> None:
    apex = Metadata("Apex", Period(2022))
    assert ids([apex, BANK], frozenset({("apex", "apex bank corp")})) == ["company:apex", "company:apex bank"]


def test_what_joins_registrants_is_named() -> None:
    assert company_joins([WORKS, BANK]) == (CompanyJoin("apex bank corp", "apex works inc", "apex"),)
    assert company_joins([WORKS, BANK], SPLIT) == ()
    assert company_joins([WORKS, AGAIN]) == (CompanyJoin("apex works", "apex works inc", "apex works"),)


def test_the_graph_and_the_reading_of_questions_follow() -> None:
    made = index(
        segment("works", WORKS, ["Sales of Apex Works rose."]), segment("bank", BANK, ["Loans of Apex Bank."])
    )
    assert "company:apex" in made.typed_graph.position
    split = made.edited(EntityEdits(apart=SPLIT))
    assert {"company:apex works", "company:apex bank"} <= split.typed_graph.position.keys()
    assert "company:apex" not in split.typed_graph.position
    found = {found.entity.id for found in Recognition(split).typed("How much did Apex Bank lend?")}
    assert "company:apex bank" in found and "company:apex works" not in found
    assert split.edited(EntityEdits()).typed_graph.position.keys() == made.typed_graph.position.keys()
    assert split._read_name_graph is made._read_name_graph  # only what depends on it is made anew
