"""Reports as Markdown tables, for the terminal and the README."""

from __future__ import annotations

from collections.abc import Sequence

from aethel_core.errors import InvalidInput
from aethel_core.evaluation import ablation
from aethel_core.evaluation.report import Report, metric_names
from aethel_core.evaluation.robustness import Robustness
from aethel_core.evaluation.scale import ScaleCurve
from aethel_core.evaluation.statistics import Difference

GRAPH = ("ppr-regex", "ppr-ner", "bct", "ppr-llm", "hybrid")


def metrics_table(report: Report, names: Sequence[str] = ()) -> str:
    """A row per retriever: mean and, in brackets, the 95 % interval; seconds per query last."""
    chosen = tuple(names) or _shown(report)
    header = ["retriever", *chosen, "s/query"]
    rows = []
    for retriever in report.retrievers:
        cells = []
        for name in chosen:
            found = report.interval(retriever, name)
            cells.append(f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]")
        rows.append([retriever, *cells, f"{report.seconds_per_query(retriever):.3f}"])
    return markdown(header, rows)


def differences_table(differences: Sequence[Difference]) -> str:
    """A row per difference; only those that may be claimed say so."""
    header = ["a − b", "metric", "difference", "95 % interval", "p", "win / tie / loss", "clear"]
    rows = [
        [
            f"{d.a} − {d.b}",
            d.metric,
            f"{d.mean:+.3f}",
            f"[{d.low:+.3f}, {d.high:+.3f}]",
            f"{d.p:.4f}",
            f"{d.wins} / {d.ties} / {d.losses}",
            "yes" if d.clear else "no",
        ]
        for d in differences
    ]
    return markdown(header, rows)


def against(report: Report, opponent: str, metrics: Sequence[str], names: Sequence[str] = GRAPH) -> str:
    """The graph retrievers of the run against one opponent, as the differences table.

    :raises InvalidInput: the opponent is not in the run.
    """
    if opponent not in report.retrievers:
        raise InvalidInput(f"{opponent} is not in this run: {', '.join(report.retrievers)}.")
    found = [
        report.difference(name, opponent, metric)
        for metric in metrics
        for name in report.retrievers
        if name in names and name != opponent
    ]
    return differences_table(found)


def scale_table(curve: ScaleCurve, metric: str) -> str:
    """Retrievers down, corpus sizes across: mean ± sigma."""
    points = [point for point in curve.points if point.metric == metric]
    sizes = sorted({point.size for point in points})
    cell = {(p.retriever, p.size): f"{p.mean:.3f} ± {p.sigma:.3f}" for p in points}
    reachable = {point.size: f"{point.reachable:.3f}" for point in points}
    names = list(dict.fromkeys(point.retriever for point in points))
    header = [f"{metric} by passages", *(f"{size:,}" for size in sizes)]
    rows = [[name, *(cell[name, size] for size in sizes)] for name in names]
    if any(not point.gold_kept for point in points):
        rows.append(["(reachable)", *(reachable[size] for size in sizes)])
    return markdown(header, rows)


def robustness_table(rows: Sequence[Robustness]) -> str:
    header = [
        "change",
        "questions",
        "retriever",
        "metric",
        "as asked",
        "changed",
        "difference",
        "95 % interval",
    ]
    return markdown(
        header,
        [
            [
                row.kind,
                str(row.touched),
                row.retriever,
                row.metric,
                f"{row.original:.3f}",
                f"{row.changed:.3f}",
                f"{row.difference.mean:+.3f}",
                f"[{row.difference.low:+.3f}, {row.difference.high:+.3f}]",
            ]
            for row in rows
        ],
    )


def ablation_table(report: Report) -> str:
    """A row per part and place: the figure with the part and, in brackets, what the part adds with its
    95 % interval; * marks what may be claimed."""
    rows = []
    for part in ablation.parts(ablation.over_of(report)):
        for place in ablation.PLACES:
            contrast = part.contrast(place)
            if contrast is not None:
                cells = [_with_worth(report, contrast, metric) for metric in ablation.METRICS]
                rows.append([part.name, "on" if part.on else "off", place, *cells])
    return markdown(["part", "by default", "measured in", *ablation.METRICS], rows)


def _with_worth(report: Report, contrast: ablation.Contrast, metric: str) -> str:
    mean = f"{report.mean(contrast.having.name, metric):.3f}"
    found = ablation.worth(report, contrast, metric)
    if found is None:
        return mean
    return f"{mean} ({found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]{'*' if found.clear else ''})"


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _shown(report: Report) -> tuple[str, ...]:
    """HR at each cutoff and the rest at one: all of them would not fit a line."""
    middle = 5 if 5 in report.ks else report.ks[len(report.ks) // 2]
    wanted = {*(f"HR@{k}" for k in report.ks), f"Recall@{middle}", "MRR", f"nDCG@{report.ks[-1]}"}
    wanted.add(f"all-gold@{middle}")
    return tuple(name for name in metric_names(report.ks) if name in wanted)
