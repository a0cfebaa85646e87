"""Explanations in words and bars."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aethel_core import workspace as core
from pages._ui import theme, words

_MOST = 8


def board(explanation: core.Explanation) -> dict[str, Any]:
    """``{"title", "quote", "bars": [[label, value, share of the largest, note]], "paths"}``, the last
    telling whether a walk led to the hit."""
    walked = isinstance(explanation, core.GraphExplanation | core.HybridExplanation)
    return _said(explanation) | {"paths": walked}


def _said(explanation: core.Explanation) -> dict[str, Any]:
    match explanation:
        case core.LexicalExplanation():
            terms = ((part.term, part.contribution, f"in the {part.where}") for part in explanation.terms)
            return _bars("What each word added to the score", terms)
        case core.DenseExplanation():
            whole, best = words.score(explanation.score), words.score(explanation.sentence_similarity)
            title = f"Similarity of meaning {whole}. The sentence nearest to the question ({best}):"
            return {"title": title, "quote": explanation.sentence, "bars": []}
        case core.FusionExplanation():
            lists = ((theme.look(p.retriever).label, p.contribution, _place(p)) for p in explanation.lists)
            return _bars("What each list added: weight / (60 + rank)", lists)
        case core.GraphExplanation():
            return _walk(explanation)
        case core.HybridExplanation():
            return _factors(explanation)
        case core.RerankExplanation():
            return _features(explanation)


def _place(part: Any) -> str:
    return f"rank {part.rank:,}" if part.rank else "not in its list"


def _walk(explanation: core.GraphExplanation) -> dict[str, Any]:
    seeds = [(seed.name, seed.mass, f"for “{seed.phrase}”") for seed in explanation.seeds]
    if explanation.from_passages:
        seeds.append(("Passages like the question", explanation.from_passages, ""))
    return _bars("How much of the walk's mass came from each seed", seeds)


def _factors(explanation: core.HybridExplanation) -> dict[str, Any]:
    """The parts multiply, so each is shown by itself: how close, and how much it weighs."""
    heaviest = sorted(explanation.factors, key=lambda factor: -factor.share)
    bars = [
        [
            factor.label,
            words.score(factor.closeness),
            factor.closeness,
            f"{factor.kind}, weighs {factor.share:.0%}",
        ]
        for factor in heaviest[:_MOST]
    ]
    title = "How close it is to each part of the question, from 0 to 1; the score is their weighted product"
    return {"title": title, "quote": "", "bars": bars}


def _features(explanation: core.RerankExplanation) -> dict[str, Any]:
    if not explanation.parts:
        title = f"The {explanation.model} gave it {words.score(explanation.score)}; it does not say why."
        return {"title": title, "quote": "", "bars": []}
    parts = (
        (part.about, part.value * part.weight, f"{words.score(part.value)} × {words.score(part.weight)}")
        for part in explanation.parts
    )
    return _bars("What each feature added to the score: value × learned weight", parts)


def _bars(title: str, parts: Iterable[tuple[str, float, str]]) -> dict[str, Any]:
    ordered = sorted(parts, key=lambda part: -abs(part[1]))
    largest = max((abs(value) for _, value, _ in ordered), default=0.0) or 1.0
    bars = [[label, words.score(value), value / largest, note] for label, value, note in ordered[:_MOST]]
    left = ordered[_MOST:]
    if left:
        rest = sum(value for _, value, _ in left)
        bars.append([words.count(len(left), "further part"), words.score(rest), rest / largest, ""])
    return {"title": title, "quote": "", "bars": bars}
