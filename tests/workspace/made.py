"""Three short documents that know each other, and a workspace of them made with the stand-ins."""

from __future__ import annotations

from pathlib import Path

from aethel_core.types import DocumentType, Metadata, Period
from aethel_core.workspace import Source, Workspace
from tests.standins import HashEmbedder, RegexNames, letter, pdf

REPORT = pdf(
    "Halden Logistics\n\nCredit Facility\n\nHalden Logistics drew 40 million under its credit facility with "
    "Meridian Bank. The leverage covenant is tested each quarter and stood at 4.1 times.",
    "Ownership\n\nNorthRiver IV LP owns sixty percent of Halden Logistics. Calder Growth Fund owns the rest.",
    title="Halden Logistics report",
)
FILES = {
    "q1.pdf": letter("NorthRiver IV LP", 1, "Halden Logistics repaid Meridian Bank."),
    "q3.pdf": letter("Calder Growth Fund LP", 3, "The fund sold Tessel Works."),
    "halden.pdf": REPORT,
}
METADATA = {
    "q1.pdf": Metadata("NorthRiver IV LP", Period(2023, 1), DocumentType.LP_LETTER, "Quarterly letter"),
    "q3.pdf": Metadata("Calder Growth Fund LP", Period(2022, 3), DocumentType.LP_LETTER, "Quarterly letter"),
    "halden.pdf": Metadata("Halden Logistics", Period(2022), DocumentType.OTHER, "Report"),
}
QUESTIONS = (
    "Which bank lends to Halden Logistics?",
    "What did Calder Growth Fund sell?",
    "NorthRiver IV LP net asset value",
    "When is the leverage covenant tested?",
)


def open_at(path: Path) -> Workspace:
    return Workspace.open(path, embedder=HashEmbedder(), names=RegexNames())


def filled(path: Path, *names: str) -> Workspace:
    workspace = open_at(path)
    workspace.ingest([Source(name, FILES[name]) for name in names or FILES])
    return workspace
