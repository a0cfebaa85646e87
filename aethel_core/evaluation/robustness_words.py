"""What changed questions cost, in words, claiming no more than is clear."""

from __future__ import annotations

from collections.abc import Sequence

from aethel_core.evaluation.robustness import KINDS, Robustness, RobustnessResult
from aethel_core.evaluation.verdict import FEW, gain, retriever_name

LABELS = {"typos": "Typos", "ticker": "Companies by ticker or short name", "paraphrase": "Paraphrases"}
_UNTOUCHED = {
    "typos": "no question has a word that a typo could go into",
    "ticker": "no question names a company that has a ticker or another name here",
    "paraphrase": "no question could be put differently",
}


def in_words(result: RobustnessResult) -> str:
    """A sentence for each kind of change: who clearly loses or gains by it, and who is not decided on."""
    count = result.questions
    sentences = [f"On your {count} question{'s' if count != 1 else ''}, by {result.metric}."]
    for kind in KINDS:
        rows = [row for row in result.rows if row.kind == kind]
        said = _said(rows) if rows else _UNTOUCHED[kind]
        sentences.append(f"{LABELS[kind]}{_touched(rows, count)}: {said}.")
    if count < FEW:
        sentences.append(f"With fewer than {FEW} questions every figure here is rough.")
    return " ".join(sentences)


def _touched(rows: Sequence[Robustness], count: int) -> str:
    return f" ({rows[0].touched} of {count})" if rows and rows[0].touched < count else ""


def _said(rows: Sequence[Robustness]) -> str:
    groups: dict[str, list[str]] = {}
    for row in rows:
        found, name = row.difference, retriever_name(row.retriever)
        if found.wins == found.losses == 0:
            groups.setdefault("same", []).append(name)
        elif found.clear:
            key = "gains" if found.mean > 0 else "loses"
            groups.setdefault(key, []).append(f"{name} ({gain(found.mean, row.metric)})")
        else:
            groups.setdefault("open", []).append(name)
    if groups.keys() == {"open"}:
        return "the questions do not decide whether any retriever loses by it"
    if groups.keys() == {"same"}:
        return "nothing changes for any retriever"
    said = [
        f"{_and(groups[key])} clearly {_verb(key, groups[key])}"
        for key in ("loses", "gains")
        if key in groups
    ]
    if "same" in groups:
        said.append(f"nothing changes for {_and(groups['same'])}")
    if "open" in groups:
        said.append(f"the questions do not decide about {_and(groups['open'])}")
    return "; ".join(said)


def _verb(key: str, names: Sequence[str]) -> str:
    return key if len(names) == 1 else key.removesuffix("s")


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
