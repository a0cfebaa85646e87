"""What a shared link says: workspace, question, filters, retrievers, k and how the question is asked, as
a query string."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from aethel_core.types import DocumentType, Filters, PassageKind
from aethel_core.workspace import PARTS, WRITTEN, Switches

K_CHOICES = (5, 10, 20, 50)
DEFAULT_K = 10


@dataclass(frozen=True, slots=True)
class View:
    """What a person is looking at. Empty ``retrievers`` and a ``k`` of 0 mean "the workspace's
    defaults"; ``switches`` say how the question is asked; ``reading`` is the document open in the
    Library, at ``page``."""

    workspace: str = ""
    question: str = ""
    filters: Filters = field(default=Filters())
    retrievers: tuple[str, ...] = ()
    k: int = 0
    reading: str = ""
    page: int = 0
    switches: Switches = field(default=Switches())

    def with_filters(self, **changes: object) -> View:
        return replace(self, filters=replace(self.filters, **changes))


Parameters = Mapping[str, Sequence[str]]


def to_parameters(view: View) -> dict[str, list[str]]:
    """The shortest query string that gives `view` back; values in a fixed order."""
    filters = view.filters
    values = {
        "ws": [view.workspace],
        "q": [view.question],
        "r": [",".join(view.retrievers)],
        "k": [str(view.k or "")],
        "company": list(filters.companies),
        "year": [str(year) for year in filters.years],
        "type": [kind.value for kind in filters.types],
        "section": list(filters.sections),
        "kind": [kind.value for kind in filters.kinds],
        "doc": list(filters.documents),
        "turn": [",".join(view.switches.switched)],
        "off": list(view.switches.removed),
        "add": list(view.switches.added),
        "by": [",".join(view.switches.modelled)],
        "only": ["1" if view.switches.only else ""],
        "read": [view.reading],
        "p": [str(view.page or "")],
    }
    return {name: kept for name, raw in values.items() if (kept := [value for value in raw if value])}


def from_parameters(parameters: Parameters) -> View:
    """Read a query string; what cannot be understood is left out rather than refused."""

    def one(name: str) -> str:
        values = parameters.get(name) or [""]
        return values[-1].strip()

    def many(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for value in parameters.get(name, ()) if value))

    kinds, types = {kind.value: kind for kind in PassageKind}, {kind.value: kind for kind in DocumentType}
    k, page = one("k"), one("p")
    return View(
        workspace=one("ws"),
        question=one("q"),
        filters=Filters(
            companies=many("company"),
            years=tuple(int(year) for year in many("year") if year.isdecimal() and len(year) == 4),
            types=tuple(types[value] for value in many("type") if value in types),
            sections=many("section"),
            kinds=tuple(kinds[value] for value in many("kind") if value in kinds),
            documents=many("doc"),
        ),
        retrievers=tuple(dict.fromkeys(name for name in one("r").split(",") if name)),
        k=int(k) if k.isdecimal() and int(k) in K_CHOICES else 0,
        reading=one("read"),
        page=int(page) if page.isdecimal() and len(page) < 6 else 0,
        switches=Switches(
            switched=tuple(part for part in PARTS if part in one("turn").split(",")),
            removed=many("off"),
            added=many("add"),
            modelled=tuple(step for step in WRITTEN if step in one("by").split(",")),
            only=one("only") == "1",
        ),
    )
