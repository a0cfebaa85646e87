"""What an ablation says, in words: which parts earn their place, claiming no more than is clear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aethel_core.evaluation.ablation import Part, Place, over_of, parts, worths
from aethel_core.evaluation.report import Report
from aethel_core.evaluation.statistics import Difference
from aethel_core.evaluation.verdict import FEW

LABELS = {
    "spelling": "spelling",
    "normalise": "even writing",
    "forms": "forms in passages",
    "abbreviations": "abbreviations",
    "units": "units",
    "keywords": "keywords",
    "paraphrases": "paraphrases",
    "hypothesis": "HyDE template",
    "routing": "routing",
    "together": "statements together",
    "summaries": "summaries",
    "meaning": "meaning (dense)",
    "wording": "wording (lexical)",
    "walk": "graph walk",
    "stage 1": "stage 1 (fast)",
    "stage 2": "stage 2 (strong)",
}
OVER_LABELS = {"cascade": "Hybrid + cascade", "hybrid": "Hybrid"}


def in_words(report: Report, metric: str, found: Mapping[tuple[str, Place], Difference] | None = None) -> str:
    """What the parts are worth in the default: who earns the place, who would, who harms.

    :param found: the `worths` of that metric, where they are known already.
    """
    known = worths(report, metric) if found is None else found
    every = parts(over_of(report))
    groups: dict[str, list[str]] = {}
    for part in every:
        groups.setdefault(_group(part, known[part.name, "default"]), []).append(LABELS[part.name])
    count = len(report.questions)
    asked = f"On your {count} question{'s' if count != 1 else ''}, by {metric}, "
    sentences = [asked + _earned(groups.get("earned", []))]
    if "harmful" in groups:
        sentences.append(f"Better switched off: {_and(groups['harmful'])}.")
    if "missed" in groups:
        sentences.append(f"Off now, but would clearly help: {_and(groups['missed'])}.")
    if "rightly off" in groups:
        sentences.append(f"Rightly off, because it would clearly harm: {_and(groups['rightly off'])}.")
    if "same" in groups:
        sentences.append(f"Nothing changes for any question with or without {_and(groups['same'], 'or')}.")
    if "open" in groups:
        sentences.append(f"These questions do not decide about {_and(groups['open'])}.")
    if count < FEW:
        sentences.append(f"With fewer than {FEW} questions every figure here is rough.")
    return " ".join(sentences)


def _group(part: Part, found: Difference) -> str:
    if found.clear:
        helps = found.mean > 0
        return ("earned" if helps else "harmful") if part.on else ("missed" if helps else "rightly off")
    return "same" if found.wins == found.losses == 0 else "open"


def _earned(names: Sequence[str]) -> str:
    if not names:
        return "no part can be said to earn its place."
    return f"{_and(names)} {'earns its' if len(names) == 1 else 'earn their'} place."


def _and(names: Sequence[str], word: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
