"""How a retriever bears a growing corpus: the scale curve.

For each size the corpus is cut down to that many passages, indexed anew and asked all questions;
five random cuts (seed 42) give mean and standard deviation (sigma, of the population) of each metric.

Two ways of cutting:

    gold kept       every passage at a gold place stays and others are drawn at random. What this
                    measures is tolerance to distractors: the answer is always there.
    gold as any     all passages are drawn alike. A question whose gold fell out is still asked and
                    counts as missed; ``reachable`` is the share of questions with gold left, which
                    no retriever's HR can exceed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np

from aethel_core import metrics
from aethel_core.errors import InvalidInput, MissingData
from aethel_core.evaluation.judgements import Judgements
from aethel_core.evaluation.pools import SearcherOf
from aethel_core.evaluation.report import metric_names
from aethel_core.evaluation.runs import KS, OnProgress, by_query, collect, offset, per_question
from aethel_core.index import Index, Segment
from aethel_core.index.lexical import TermCounts
from aethel_core.index.segment import MentionTable

SIZES = (100, 500, 1000, 2000)
RESAMPLES = 5
SEED = 42


@dataclass(frozen=True, slots=True)
class ScalePoint:
    """``sigma`` is over the resamples; at full size there is one corpus only and sigma is 0."""

    size: int
    gold_kept: bool
    retriever: str
    metric: str
    mean: float
    sigma: float
    reachable: float


@dataclass(frozen=True, slots=True)
class ScaleCurve:
    """``left_out`` are sizes that cannot be made: no larger than the gold, or than the corpus.
    ``conditions`` names the corpus and the settings, ``fingerprint`` those with the questions and the
    sizes; both are "" for a curve that is not kept."""

    points: tuple[ScalePoint, ...]
    full_size: int
    left_out: tuple[int, ...]
    note: str
    fingerprint: str = ""
    conditions: str = ""
    made_at: str = field(default="", compare=False)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> ScaleCurve:
        """:raises MissingData: the text is not a kept curve."""
        try:
            data = json.loads(text)
            points = tuple(ScalePoint(**point) for point in data.pop("points"))
            return cls(points, left_out=tuple(data.pop("left_out")), **data)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise MissingData("This is not a kept scale curve, or it is damaged; measure again.") from error


NOTE = (
    "Keeping the gold passages in every cut measures tolerance to distractors, not the chance that "
    "the answer is in the corpus at all."
)


def scale_curve(
    index: Index,
    judgements: Judgements,
    searcher_of: SearcherOf,
    retrievers: Sequence[str],
    *,
    sizes: Sequence[int] = SIZES,
    gold_kept: bool = True,
    ks: Sequence[int] = KS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    on_progress: OnProgress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> ScaleCurve:
    """:raises InvalidInput: a size or the number of resamples is below 1.
    :raises Cancelled: ``cancelled`` said so.
    """
    if resamples < 1 or any(size < 1 for size in sizes):
        raise InvalidInput("Sizes and resamples are whole numbers of at least 1.")
    gold = _gold(index, judgements) if gold_kept else frozenset()
    names, cutoffs, wanted = tuple(dict.fromkeys(retrievers)), sorted(set(ks)), sorted(set(sizes))
    made = [size for size in wanted if len(gold) < size < index.size]
    cuts = [(size, number) for size in made for number in range(resamples)] + [(index.size, 0)]
    searches = len(judgements.questions) * len(names)
    means: dict[tuple[int, str, str], list[float]] = {}
    reachable: dict[int, list[float]] = {}
    for position, (size, number) in enumerate(cuts):
        cut = _cut(index, gold, size, seed + number)
        progress = offset(on_progress, position * searches, len(cuts) * searches)
        search = by_query(searcher_of(cut))
        answers = collect(search, judgements, names, max(cutoffs), progress, cancelled)
        reachable.setdefault(size, []).append(_reachable(cut, judgements))
        for name in names:
            for metric in metric_names(cutoffs):
                values = per_question(answers, judgements, name, metric)
                means.setdefault((size, name, metric), []).append(metrics.mean(values))
    points = tuple(
        ScalePoint(
            size, gold_kept, name, metric, metrics.mean(found), _sigma(found), metrics.mean(reachable[size])
        )
        for (size, name, metric), found in means.items()
    )
    left_out = tuple(size for size in wanted if size not in made)
    return ScaleCurve(points, index.size, left_out, _note(gold_kept, left_out, len(gold)))


def _note(gold_kept: bool, left_out: Sequence[int], gold: int) -> str:
    sizes = ", ".join(f"{size:,}" for size in left_out)
    if not gold_kept:
        return f"Left out, because the corpus is no larger: {sizes}." if left_out else ""
    reason = f" Left out, because there are {gold:,} gold passages or the corpus is no larger: {sizes}."
    return NOTE + (reason if left_out else "")


def restricted(index: Index, kept: set[str]) -> Index:
    """An index of these passages only, made anew: word and name statistics are those of the cut."""
    segments = []
    for segment in index.segments:
        rows = [row for row, passage in enumerate(segment.passage_ids) if passage in kept]
        if rows:
            segments.append(segment if len(rows) == len(segment.passage_ids) else _sliced(segment, rows))
    return Index.empty().extended(segments)


def _sliced(segment: Segment, rows: Sequence[int]) -> Segment:
    """The segment of some of its passages. What the document says of itself as a whole (metadata,
    aliases it states) stays."""

    def pick(values: Sequence) -> tuple:
        return tuple(values[row] for row in rows)

    position = {row: new for new, row in enumerate(rows)}
    kept = {segment.passage_ids[row] for row in rows}
    return replace(
        segment,
        passage_ids=pick(segment.passage_ids),
        pages=pick(segment.pages),
        sections=pick(segment.sections),
        kinds=pick(segment.kinds),
        statements=pick(segment.statements),
        match_texts=pick(segment.match_texts),
        body=TermCounts(segment.body.terms, segment.body.counts[rows]),
        context=TermCounts(segment.context.terms, segment.context.counts[rows]),
        forms=TermCounts(segment.forms.terms, segment.forms.counts[rows]),
        vectors=segment.vectors[rows],
        mentions={source: _mentions(table, position) for source, table in segment.mentions.items()},
        self_references=tuple(position[row] for row in segment.self_references if row in position),
        summary=replace(
            segment.summary,
            sentences=tuple(each for each in segment.summary.sentences if each.passage_id in kept),
        ),
    )


def _mentions(table: MentionTable, position: Mapping[int, int]) -> MentionTable:
    """Only what is read in the kept passages, else names of passages that are gone would match."""
    pairs = zip(table.rows.tolist(), table.columns.tolist(), strict=True)
    kept = [(position[row], table.entities[column]) for row, column in pairs if row in position]
    return MentionTable.of(kept)


def _gold(index: Index, judgements: Judgements) -> frozenset[str]:
    items = {item for question in judgements.questions for item, _ in question.relevant}
    return frozenset(passage for passage in index.ids if judgements.item_of(passage) in items)


def _cut(index: Index, gold: frozenset[str], size: int, seed: int) -> Index:
    if size >= index.size:
        return index
    others = [passage for passage in index.ids if passage not in gold]
    return restricted(index, gold | set(random.Random(seed).sample(others, size - len(gold))))


def _reachable(index: Index, judgements: Judgements) -> float:
    there = {judgements.item_of(passage) for passage in index.ids}
    return metrics.mean(
        float(any(item in there for item, _ in question.relevant)) for question in judgements.questions
    )


def _sigma(values: Sequence[float]) -> float:
    return float(np.std(values))
