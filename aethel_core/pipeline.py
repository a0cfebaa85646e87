"""How a person wants a question asked, and what each part of that does.

`Switches` say what is other than by default: steps before retrieval, single chips, routing as a hard
filter, stages of the cascade. `prepare` makes the query of it; `effects` asks the question once with and
once without each part and tells what that does to the first hits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from aethel_core.prequery import ChipKind, QueryView, Steps, Writer
from aethel_core.rerankers.cascade import Cascade
from aethel_core.search import Search
from aethel_core.types import Filters, Query
from aethel_core.writers import WRITTEN

STEPS = tuple(field.name for field in fields(Steps))
STAGES = ("stage 1", "stage 2")
PARTS = (*STEPS, *STAGES)
_DEFAULT = Steps()
_PARAMETER = {"keywords": "extract", "paraphrases": "rephrase", "hypothesis": "imagine"}
_WHERE = (ChipKind.COMPANY, ChipKind.PERIOD, ChipKind.DOCUMENT_TYPE)


@dataclass(frozen=True, slots=True)
class Switches:
    """``switched`` are parts the other way round than by default, ``removed`` and ``added`` ids of chips
    that are off or on whatever their step says, ``modelled`` steps that a language model writes;
    ``only`` searches nothing but what routing points to."""

    switched: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    modelled: tuple[str, ...] = ()
    only: bool = False

    def on(self, part: str) -> bool:
        return getattr(_DEFAULT, part, True) != (part in self.switched)

    def turned(self, part: str, on: bool) -> Switches:
        """With a part on or off."""
        if self.on(part) == on:
            return self
        rest = tuple(name for name in self.switched if name != part)
        turned = rest if part in self.switched else (*rest, part)
        return replace(self, switched=tuple(name for name in PARTS if name in turned))

    def written(self, step: str, by_model: bool) -> Switches:
        """With a step written by the model or without it."""
        others = {name for name in self.modelled if name != step}
        wanted = others | {step} if by_model else others
        return replace(self, modelled=tuple(name for name in WRITTEN if name in wanted))

    def chosen(self, view: QueryView, ids: set[str]) -> Switches:
        """With exactly these of the chips of a view on; the view is that of `prepare`."""
        by_step = {chip.id: self.on(step) for step in STEPS for chip in view.of(step)}
        return replace(
            self,
            removed=tuple(each for each, on in by_step.items() if on and each not in ids),
            added=tuple(each for each, on in by_step.items() if not on and each in ids),
        )

    def for_another_question(self) -> Switches:
        """Chips belong to one question, everything else to the person."""
        return replace(self, removed=(), added=())

    @property
    def steps(self) -> Steps:
        return Steps(**{step: self.on(step) for step in STEPS})

    @property
    def skipped(self) -> frozenset[int]:
        return frozenset(n for n, stage in enumerate(STAGES, start=1) if not self.on(stage))


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was made of a question, and the query that this is. ``narrowed`` tells whether routing took
    documents out altogether."""

    view: QueryView
    query: Query
    narrowed: bool = False


@dataclass(frozen=True, slots=True)
class Effect:
    """What a part does to the first hits: of ``k`` with it, ``entered`` are not among those without it and
    ``moved`` stand at another rank; ``first`` tells whether the first hit is another one. ``idle``: it
    makes no difference to the query, so nothing was searched."""

    part: str
    k: int
    entered: int = 0
    moved: int = 0
    first: bool = False
    idle: bool = False


def prepare(
    search: Search,
    question: str,
    switches: Switches,
    filters: Filters,
    writers: Mapping[str, Writer] | None = None,
) -> Prepared:
    """:param writers: of the language model, by step.
    :raises EmptyQuery: there is no question.
    """
    asked = {
        _PARAMETER[step]: writer for step, writer in (writers or {}).items() if step in switches.modelled
    }
    view = search.view(question, switches.steps, **asked)
    on, off = set(switches.added), set(switches.removed)
    view = view.switched({chip.id for chip in view.chips if chip.id in (off if chip.on else on)})
    narrowed = switches.only and any(chip.on and chip.kind in _WHERE for chip in view.chips)
    query = view.query(view.as_filters(filters, search.index) if narrowed else filters)
    return Prepared(view, replace(query, skipped=switches.skipped), narrowed)


def effects(
    search: Search,
    question: str,
    switches: Switches,
    filters: Filters,
    retriever: str,
    k: int,
    *,
    writers: Mapping[str, Writer] | None = None,
    muted: frozenset[str] = frozenset(),
) -> tuple[Effect, ...]:
    """What each part does, everything else as it is in ``switches``; the stages only where ``retriever``
    has them. A part that is off is tried without the model.

    :param muted: nodes of the graph that count for no question.
    """

    def query(way: Switches) -> Query:
        asked = prepare(search, question, way, filters, writers).query
        return replace(asked, muted=asked.muted | muted)

    now = query(switches)
    found = []
    for part in PARTS if retriever == Cascade.name else STEPS:
        on = switches.on(part)
        tried = switches.written(part, False) if part in WRITTEN and not on else switches
        other = query(tried.turned(part, not on))
        if other == now:
            found.append(Effect(part, k, idle=True))
            continue
        ids = [search.search(each, retriever, k).ids for each in (now, other)]
        found.append(_effect(part, k, *(ids if on else reversed(ids))))
    return tuple(found)


def _effect(part: str, k: int, having: Sequence[str], without: Sequence[str]) -> Effect:
    before = {passage: rank for rank, passage in enumerate(without)}
    moved = sum(before.get(passage, rank) != rank for rank, passage in enumerate(having))
    entered = sum(passage not in before for passage in having)
    return Effect(part, k, entered, moved, having[:1] != without[:1])
