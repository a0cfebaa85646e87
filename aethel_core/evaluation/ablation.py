"""What each part of the pipeline is worth: in the default, alone, and in the whole.

Every figure is a contrast of two ways to search that differ in one part only, the one with the part
minus the one without it, question by question; so a figure above zero always speaks for the part.

    steps before retrieval    default   the default as it is, against the part the other way round
                              alone     routing and the step, against routing only (routing itself:
                                        against no step at all)
                              whole     all steps, against all but this one
    stages of the cascade     default   both stages, against the other one only
                              alone     this stage only, against Hybrid without any
    factors of Hybrid         default   Hybrid, against Hybrid without the factor
                              alone     the factor only; there is nothing to set it against

The steps are measured over Hybrid or over the cascade, by choice. The outcome is a `Report` whose
"retrievers" are the ways to search, so that it is kept and compared as any other run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from aethel_core.errors import InvalidInput
from aethel_core.evaluation.judgements import JudgedQuestion, Judgements
from aethel_core.evaluation.report import Report
from aethel_core.evaluation.results import Results
from aethel_core.evaluation.runs import OnProgress, QuestionSearcher, evaluate_each, run_fingerprint
from aethel_core.evaluation.statistics import Difference
from aethel_core.prequery import Steps
from aethel_core.rerankers.cascade import Cascade, Stage
from aethel_core.retrievers import Retriever
from aethel_core.retrievers.coverage import Coverage
from aethel_core.retrievers.hybrid import Group, Hybrid, Weights
from aethel_core.search import POOLED, Search
from aethel_core.types import Query, Ranking

KS = (5, 20)
METRICS = ("nDCG@20", "HR@5", "Recall@5", "MRR")
OVER = ("cascade", "hybrid")
STEPS = tuple(each.name for each in fields(Steps))
NOTHING = Steps(**dict.fromkeys(STEPS, False))
ROUTED = replace(NOTHING, routing=True)
EVERYTHING = Steps(**dict.fromkeys(STEPS, True))

Kind = Literal["step", "stage", "factor"]
Place = Literal["default", "alone", "whole"]
PLACES: tuple[Place, ...] = ("default", "alone", "whole")

_STAGES = {"stage 1": 0, "stage 2": 1}
_FACTORS = ("meaning", "wording", "walk")
_FACTORED = tuple(name for factor in _FACTORS for name in (f"without {factor}", f"{factor} only"))
_WALKED = ("names", "company", "period", "statement", "line_item")


@dataclass(frozen=True, slots=True)
class Way:
    """One way to search: a pipeline, by its name in `Pipelines`, after these steps."""

    name: str
    pipeline: str
    steps: Steps = field(default_factory=Steps)


@dataclass(frozen=True, slots=True)
class Contrast:
    """``without`` is None where there is nothing to set the part against."""

    having: Way
    without: Way | None


@dataclass(frozen=True, slots=True)
class Part:
    """``on`` by default or not. ``whole`` is None where it would be the same as ``default``."""

    name: str
    kind: Kind
    on: bool
    default: Contrast
    alone: Contrast
    whole: Contrast | None = None

    def contrast(self, place: Place) -> Contrast | None:
        return {"default": self.default, "alone": self.alone, "whole": self.whole}[place]


def parts(over: str = "cascade") -> tuple[Part, ...]:
    """Every part that can be switched, in the order in which a question meets them.

    :param over: what the steps are measured with.
    :raises InvalidInput: it is neither Hybrid nor the cascade.
    """
    if over not in OVER:
        raise InvalidInput(f"Steps are measured over {' or '.join(OVER)}, not over {over!r}.")
    return (*(_step(name, over) for name in STEPS), *map(_factor, _FACTORS), *map(_stage, _STAGES))


def ways(over: str = "cascade") -> tuple[Way, ...]:
    """All ways to search that `parts` contrasts, the default first, each once."""
    found = [_way(over, Steps())]
    for part in parts(over):
        for contrast in filter(None, map(part.contrast, PLACES)):
            found += [contrast.having, *((contrast.without,) if contrast.without else ())]
    return tuple(dict.fromkeys(found))


def _step(name: str, over: str) -> Part:
    default = Steps()
    on = getattr(default, name)
    usual, other = _way(over, default), _way(over, replace(default, **{name: not on}))
    base = NOTHING if name == "routing" else ROUTED
    return Part(
        name,
        "step",
        on,
        Contrast(usual, other) if on else Contrast(other, usual),
        Contrast(_way(over, replace(base, **{name: True})), _way(over, base)),
        Contrast(_way(over, EVERYTHING), _way(over, replace(EVERYTHING, **{name: False}))),
    )


def _stage(name: str) -> Part:
    (other,) = _STAGES.keys() - {name}
    only, rest = Way(f"cascade, {name} only", name), Way(f"cascade, {other} only", other)
    whole, none = _way("cascade", Steps()), _way("hybrid", Steps())
    return Part(name, "stage", True, Contrast(whole, rest), Contrast(only, none))


def _factor(name: str) -> Part:
    left = Way(f"hybrid without {name}", f"without {name}")
    only = Way(f"hybrid, {name} only", f"{name} only")
    return Part(name, "factor", True, Contrast(_way("hybrid", Steps()), left), Contrast(only, None))


def _way(pipeline: str, steps: Steps) -> Way:
    return Way(f"{pipeline}, {_told(steps)}", pipeline, steps)


def _told(steps: Steps) -> str:
    known = {Steps(): "default", NOTHING: "no step", ROUTED: "routing only", EVERYTHING: "all steps"}
    if steps in known:
        return known[steps]
    changes = (
        (base, [name for name in STEPS if getattr(steps, name) != getattr(base, name)]) for base in known
    )
    base, (name,) = min(changes, key=lambda change: len(change[1]))  # every way is one step from one of them
    return f"{known[base]} {'and' if getattr(steps, name) else 'but'} {name}"


# --- searching ------------------------------------------------------------------------------------


class Pipelines:
    """The pipelines by name, each built when it is first needed."""

    def __init__(
        self, search: Search, muted: frozenset[str] = frozenset(), stages: Sequence[Stage] | None = None
    ) -> None:
        """:param muted: nodes of the graph that count for no question.
        :param stages: of the cascade, instead of the search's own.
        """
        self.search, self.muted = search, muted
        self._stages = stages
        self._built: dict[str, Retriever] = {}

    def staged(self, stages: Sequence[Stage]) -> Pipelines:
        """The same with other stages; what does not depend on them is shared."""
        other = Pipelines(self.search, self.muted, stages)
        other._built = {name: self.retriever(name) for name in ("hybrid", *_FACTORED)}
        return other

    def retriever(self, name: str) -> Retriever:
        if name not in self._built:
            self._built[name] = self._build(name)
        return self._built[name]

    def query(self, question: str, steps: Steps) -> Query:
        query = self.search.view(question, steps).query()
        return replace(query, muted=query.muted | self.muted)

    def cascade(self, sources: Iterable[str], stages: Sequence[Stage]) -> Cascade:
        found = [self.search.retriever(name) for name in sources]
        return Cascade(found, stages, self.search.passages, coverage=Coverage(self.search.index))

    @property
    def stages(self) -> Sequence[Stage]:
        if self._stages is not None:
            return self._stages
        usual = self.search.retriever(Cascade.name)
        return usual.stages if isinstance(usual, Cascade) else ()

    def _build(self, name: str) -> Retriever:
        if name in _FACTORED:
            return _factored(self.search, name)
        if name in _STAGES:
            return self.cascade(POOLED, [self.stages[_STAGES[name]]])
        return self.search.retriever(name) if name == "hybrid" else self.cascade(POOLED, self.stages)


class _WalkOnly:
    """Hybrid by its walk alone, which finds nothing where the question names nothing that narrows."""

    name = "walk only"

    def __init__(self, hybrid: Hybrid) -> None:
        self._hybrid = hybrid

    def search(self, query: Query, k: int) -> Ranking:
        if any(seed.weight > 0 for seed in self._hybrid.seeds(query)):
            return self._hybrid.search(query, k)
        return Ranking(self.name, ())


def _factored(search: Search, name: str) -> Retriever:
    factor = name.removeprefix("without ").removesuffix(" only")
    alone = name.endswith(" only")
    off = [other for other in _FACTORS if other != factor] if alone else [factor]
    parameters = search.parameters
    hybrid = Hybrid(
        search.index,
        search.vectors,
        weights=_weights(off),
        teleport=parameters.teleport,
        iterations=parameters.iterations,
    )
    return _WalkOnly(hybrid) if name == "walk only" else hybrid


def _weights(off: Iterable[str]) -> Weights:
    weights = Weights()
    for factor in off:
        if factor == "meaning":
            weights = replace(weights, dense=0.0)
        else:
            names = _WALKED if factor == "walk" else ("lexical",)
            silent: dict[str, Group] = {name: replace(getattr(weights, name), weight=0.0) for name in names}
            weights = replace(weights, **silent)
    return weights


def searcher(pipelines_of: Callable[[JudgedQuestion], Pipelines], over: str) -> QuestionSearcher:
    """Asks a question in the way of that name.

    :param pipelines_of: for a question, where it is not asked of the same as the others.
    """
    known = {way.name: way for way in ways(over)}

    def ask(question: JudgedQuestion, name: str, k: int) -> Ranking:
        pipelines, way = pipelines_of(question), known[name]
        return pipelines.retriever(way.pipeline).search(pipelines.query(question.text, way.steps), k)

    return ask


def ablate(
    search: Search,
    judgements: Judgements,
    over: str = "cascade",
    *,
    muted: frozenset[str] = frozenset(),
    settings: Mapping[str, object] | None = None,
    results: Results | None = None,
    on_progress: OnProgress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Report:
    """Search in all ways, and measure.

    :param muted: nodes of the graph that count for no question.
    :param settings: whatever else shaped the rankings, ``muted`` with it; part of the fingerprint.
    :param results: where it is kept, and taken from if the same was measured before.
    :raises Cancelled: ``cancelled`` said so.
    :raises InvalidInput: ``over`` is neither Hybrid nor the cascade.
    """
    names = tuple(way.name for way in ways(over))
    corpus = search.index.fingerprint
    pipelines = Pipelines(search, muted)

    def make() -> Report:
        return evaluate_each(
            searcher(lambda _: pipelines, over),
            judgements,
            names,
            ks=KS,
            baseline=names[0],
            corpus_fingerprint=corpus,
            settings=settings,
            on_progress=on_progress,
            cancelled=cancelled,
        )

    if results is None:
        return make()
    return results.load_or_make(run_fingerprint(judgements, names, KS, names[0], corpus, settings), make)


# --- what came of it ------------------------------------------------------------------------------


def over_of(report: Report) -> str:
    """What the steps of that ablation were measured with."""
    return report.baseline.partition(",")[0]


def worth(report: Report, contrast: Contrast, metric: str) -> Difference | None:
    """What the part adds there; None where there is nothing to set it against."""
    if contrast.without is None:
        return None
    return report.difference(contrast.having.name, contrast.without.name, metric)


def worths(report: Report, metric: str) -> dict[tuple[str, Place], Difference]:
    """`worth` of every part in every place, by part and place."""
    found = {}
    for part in parts(over_of(report)):
        for place in PLACES:
            contrast = part.contrast(place)
            difference = worth(report, contrast, metric) if contrast else None
            if difference is not None:
                found[part.name, place] = difference
    return found
