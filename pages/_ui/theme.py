"""How each retriever looks: the same colour, marker and two letters in every chart, chip and column.

The colours are Okabe and Ito's, which stay apart for the common forms of colour blindness;
marker and code say the same without colour.
"""

from __future__ import annotations

from dataclasses import dataclass

INK_LIGHT, INK_DARK = "#1A1F26", "#E6E9ED"
QUIET_LIGHT, QUIET_DARK = "#5C6673", "#9BA5B1"
LINE_LIGHT, LINE_DARK = "#D9DDE3", "#363C44"


@dataclass(frozen=True, slots=True)
class Look:
    """``symbol`` is plotly's name of the shape that ``marker`` prints."""

    name: str
    label: str
    code: str
    colour: str
    colour_dark: str
    marker: str
    symbol: str
    about: str


_LOOKS = (
    Look("hybrid", "Hybrid", "HY", "#D55E00", "#E8743B", "★", "star", "words, meaning and graph together"),
    Look(
        "cascade",
        "Hybrid + cascade",
        "CA",
        "#882255",
        "#C46A93",
        "✦",
        "hourglass",
        "hybrid, BM25 and dense together, reranked in two stages",
    ),
    Look("bm25", "BM25", "BM", "#0072B2", "#3C9FDC", "■", "square", "words, weighed by how rare they are"),
    Look("dense", "Dense", "DE", "#E69F00", "#E69F00", "◆", "diamond", "meaning, by sentence embedding"),
    Look("rrf", "RRF", "RF", "#CC79A7", "#D68FB6", "✚", "cross", "the chosen lists fused by rank"),
    Look("ppr-ner", "PPR-NER", "PN", "#009E73", "#1DBB8F", "▲", "triangle-up", "a walk over named entities"),
    Look(
        "ppr-regex",
        "PPR-Regex",
        "PR",
        "#56B4E9",
        "#7CC6EF",
        "▼",
        "triangle-down",
        "a walk over patterns",
    ),
    Look("bct", "BCT", "BC", "#F0E442", "#F0E442", "⬢", "hexagon", "the walk, seeds widened by aliases"),
    Look("tfidf", "TF-IDF", "TF", "#000000", "#C9CED6", "●", "circle", "words, the plain baseline"),
    Look(
        "ppr-llm",
        "PPR-LLM",
        "PL",
        "#8A8F98",
        "#8A8F98",
        "►",
        "triangle-right",
        "a walk over what a model read",
    ),
)
LOOKS = {look.name: look for look in _LOOKS}


def look(name: str) -> Look:
    """The look of a retriever; one that was added later gets a neutral one from its name."""
    return LOOKS.get(name) or Look(
        name, name, name[:2].upper(), QUIET_LIGHT, QUIET_DARK, "○", "circle-open", "a retriever of your own"
    )


def in_order(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names in the order in which every screen shows them."""
    known = [name for name in LOOKS if name in names]
    return tuple(known + [name for name in names if name not in LOOKS])
