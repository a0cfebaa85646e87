"""Colours of the picture, on light and on dark ground. Hues keep apart for the colour-blind, and no
role is told by its colour alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from aethel_core.evidence.subgraph import Role


@dataclass(frozen=True, slots=True)
class Look:
    fill: str
    border: str
    ink: str
    quiet: str
    line: float  # width of the border


@dataclass(frozen=True, slots=True)
class Palette:
    ground: str
    ink: str
    edge: str
    strong: str
    seed: Look
    bridge: Look
    passage: Look
    hit: Look

    def look(self, role: Role) -> Look:
        return getattr(self, role.value)

    def as_json(self) -> dict:
        return asdict(self)


LIGHT = Palette(
    ground="#FFFFFF",
    ink="#1A1F26",
    edge="#AEB8C4",
    strong="#0B5CAD",
    seed=Look("#0B5CAD", "#0B5CAD", "#FFFFFF", "#CFE3F7", 1.0),
    bridge=Look("#FFF4DC", "#C98A12", "#3A2A05", "#7A5A14", 1.2),
    passage=Look("#F5F6F8", "#98A2AE", "#1A1F26", "#5C6673", 1.0),
    hit=Look("#FFFFFF", "#1A1F26", "#1A1F26", "#5C6673", 2.0),
)
DARK = Palette(
    ground="#15181C",
    ink="#E6E9ED",
    edge="#4B5561",
    strong="#6CB2EE",
    seed=Look("#6CB2EE", "#6CB2EE", "#0C1A28", "#1F3B55", 1.0),
    bridge=Look("#3A2E12", "#D9A441", "#F7E8C4", "#CDB27A", 1.2),
    passage=Look("#1E2227", "#66707C", "#E6E9ED", "#9BA5B1", 1.0),
    hit=Look("#15181C", "#E6E9ED", "#E6E9ED", "#9BA5B1", 2.0),
)
