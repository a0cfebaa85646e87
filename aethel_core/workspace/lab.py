"""The evaluation part of the façade: what ``workspace.lab`` takes and hands out.

A module of its own, so that opening a workspace does not load what only an evaluation needs.
"""

from __future__ import annotations

from aethel_core.evaluation.ablation import (
    METRICS,
    OVER,
    PLACES,
    Contrast,
    Part,
    Place,
    Way,
    over_of,
    parts,
    worths,
)
from aethel_core.evaluation.ablation_words import LABELS, OVER_LABELS, in_words
from aethel_core.evaluation.agreement import Agreement, Disagreement
from aethel_core.evaluation.background import BackgroundRun, RunState
from aethel_core.evaluation.base import LEVELS, Level, Question
from aethel_core.evaluation.judgements import JudgedQuestion
from aethel_core.evaluation.lab import RELEVANT, Change, Lab
from aethel_core.evaluation.pooling import Queue
from aethel_core.evaluation.report import Answer, Measured, Report, compare_runs, metric_names
from aethel_core.evaluation.robustness import KINDS, Robustness, RobustnessResult
from aethel_core.evaluation.robustness_words import LABELS as KIND_LABELS
from aethel_core.evaluation.robustness_words import in_words as robustness_in_words
from aethel_core.evaluation.runs import KS
from aethel_core.evaluation.scale import SIZES, ScaleCurve, ScalePoint
from aethel_core.evaluation.statistics import Difference
from aethel_core.evaluation.tune import Tuning, tune
from aethel_core.evaluation.verdict import FEW, verdict

__all__ = [
    "FEW",
    "KINDS",
    "KIND_LABELS",
    "KS",
    "LABELS",
    "LEVELS",
    "METRICS",
    "OVER",
    "OVER_LABELS",
    "PLACES",
    "RELEVANT",
    "SIZES",
    "Agreement",
    "Answer",
    "BackgroundRun",
    "Change",
    "Contrast",
    "Difference",
    "Disagreement",
    "JudgedQuestion",
    "Lab",
    "Level",
    "Measured",
    "Part",
    "Place",
    "Question",
    "Queue",
    "Report",
    "Robustness",
    "RobustnessResult",
    "RunState",
    "ScaleCurve",
    "ScalePoint",
    "Tuning",
    "Way",
    "compare_runs",
    "in_words",
    "metric_names",
    "over_of",
    "parts",
    "robustness_in_words",
    "tune",
    "verdict",
    "worths",
]
