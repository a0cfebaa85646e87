"""A change of what a file is read as must come with another number in `aethel_core.formats`.

When a digest differs: raise the number of the step that was changed, and write the new digests here.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from aethel_core import chunking, formats, metadata, parsing, statements

SAMPLES = Path(__file__).resolve().parent.parent / "sample_docs"
NAMES = (
    "NorthRiver-IV-LP-Letter-2022-Q2.pdf",
    "NorthRiver-IV-Capital-Account-NR4-0117-2022-Q3.pdf",
    "Project-Kestrel-Credit-Agreement-Summary.pdf",
)
DIGESTS = {
    "parsing 1": "d574272e27f0",
    "chunking 1": "b5534374b04f",
    "statements 1": "9a520fff5a9b",
    "metadata 1": "86164f82fb1e",
}


def digest(made: object) -> str:
    return hashlib.sha256(repr(made).encode()).hexdigest()[:12]


def test_what_files_are_read_as_has_the_number_it_had() -> None:
    read: dict[str, list[object]] = {"parsing": [], "chunking": [], "statements": [], "metadata": []}
    for name in NAMES:
        document = parsing.parse_pdf((SAMPLES / name).read_bytes(), name)
        found = statements.recognise(document)
        passages = chunking.passages(document, statements=found)
        read["parsing"].append([page.text for page in document.pages])
        read["chunking"].append([(p.page, p.section, p.kind.value, p.text, p.table) for p in passages])
        read["statements"].append(sorted((page, kinds) for page, kinds in found.items()))
        read["metadata"].append(metadata.infer(document))
    numbered = {f"{step} {getattr(formats, step.upper())}": digest(made) for step, made in read.items()}
    assert numbered == DIGESTS
