"""A run's outcome in plain words, claiming no more than the numbers bear.

A difference is claimed only when it is `Difference.clear`: its 95 % interval leaves out zero and
the permutation test gives p < 0.05. Otherwise the verdict says how many more questions would
probably show a difference as large as the one seen (`statistics.questions_needed`: four times
out of five, normal approximation), and when that is more than ten times the questions there are,
that it is too small to matter here.
"""

from __future__ import annotations

from aethel_core.evaluation.report import Report
from aethel_core.evaluation.statistics import Difference, detectable, questions_needed

FEW = 30
_HOPELESS = 10

_WHAT = {
    "page": ("the right page", "right pages"),
    "document": ("the right document", "right documents"),
    "passage": ("a right passage", "right passages"),
    "paragraph": ("a supporting paragraph", "supporting paragraphs"),
}


def verdict(report: Report, metric: str = "", challenger: str = "") -> str:
    """The best retriever against the baseline, the one ahead named first; then the others.

    :param metric: HR@5 unless said otherwise, or HR at the first cutoff of a run without 5.
    :param challenger: whom to set against the baseline instead of the best by the metric.
    """
    metric = metric or (f"HR@{5 if 5 in report.ks else report.ks[0]}")
    others = [name for name in report.retrievers if name != report.baseline]
    if not others:
        return f"On your {_count(report)} {_finding(report, report.baseline, metric)}."
    # Equals by the metric are told apart by how high they rank the first right one.
    best = challenger or max(others, key=lambda name: (report.mean(name, metric), report.mean(name, "MRR")))
    found = report.difference(best, report.baseline, metric)
    if found.mean < 0:
        found = found.reversed  # whoever is ahead is named first
    first = (
        f"On your {_count(report)} {_finding(report, found.a, metric)}, {retriever_name(found.b)} "
        f"{_in(metric)}{_value(report.mean(found.b, metric), metric)}; {_gap(found)}."
    )
    sentences = [first, _judgement(report, found)]
    rest = [name for name in others if name != best]
    sentences.append(_rest(report, rest, metric))
    if len(report.questions) < FEW:
        more = FEW - len(report.questions)
        sentences.append(
            f"With fewer than {FEW} questions every figure here is rough; {more} more would get there."
        )
    return " ".join(sentence for sentence in sentences if sentence)


def _judgement(report: Report, found: Difference) -> str:
    a, b = retriever_name(found.a), retriever_name(found.b)
    if found.clear:
        return f"{a} is better than {b} on these questions ({_p(found.p)})."
    values_a, values_b = report.values(found.a, found.metric), report.values(found.b, found.metric)
    gaps = [x - y for x, y in zip(values_a, values_b, strict=True)]
    needed = questions_needed(gaps)
    if not any(gaps):
        return "They do equally well on every one of them."
    if needed is None:
        least = f"{detectable(gaps) * 100:.0f} points"
        return f"They are level; of so few questions only a difference beyond {least} would have shown."
    if needed > _HOPELESS * len(gaps):
        return (
            f"Too few questions to say which is better, and the difference is so small that more than "
            f"{_HOPELESS * len(gaps)} would be needed: treat them as equals."
        )
    more = _round_up(needed - len(gaps))
    return f"Too few questions to say which is better; about {more} more would do if the difference stays."


def _rest(report: Report, names: list[str], metric: str) -> str:
    groups: dict[str, list[str]] = {"better": [], "worse": [], "open": []}
    for name in names:
        found = report.difference(name, report.baseline, metric)
        key = ("better" if found.mean > 0 else "worse") if found.clear else "open"
        groups[key].append(retriever_name(name))
    baseline = retriever_name(report.baseline)
    phrases = []
    for key in ("better", "worse"):
        if groups[key]:
            phrases.append(f"{_and(groups[key])} {_are(groups[key])} {key} than {baseline}")
    if groups["open"]:
        phrases.append(f"for {_and(groups['open'])} against {baseline} the questions do not decide")
    return _capital("; ".join(phrases)) + "." if phrases else ""


def _finding(report: Report, name: str, metric: str) -> str:
    one, many = _WHAT[report.level]
    kind, _, k = metric.partition("@")
    value = _value(report.mean(name, metric), metric)
    if kind == "HR":
        return f"{retriever_name(name)} finds {one} in the top {k} in {value}"
    if kind == "all-gold":
        return f"{retriever_name(name)} has all the {many} in the top {k} in {value}"
    if kind == "Recall":
        return f"{retriever_name(name)} brings {value} of the {many} into the top {k}"
    return f"{retriever_name(name)} has a {metric} of {value}"


def _in(metric: str) -> str:
    return "in " if metric.startswith(("HR", "all-gold")) else ""


def _gap(found: Difference) -> str:
    if found.metric.partition("@")[0] in ("MRR", "nDCG"):
        return f"difference {found.mean:+.3f}, interval {found.low:+.3f} to {found.high:+.3f}"
    low, high = (_signed(value) for value in (found.low, found.high))
    return f"difference {_signed(found.mean)} points, interval {low} to {high}"


def gain(mean: float, metric: str) -> str:
    """A difference of the metric: "−12 points", or "−0.120" of one that is no share."""
    if metric.partition("@")[0] in ("MRR", "nDCG"):
        return f"{mean:+.3f}".replace("-", "−")
    return f"{_signed(mean)} points"


def _signed(share: float) -> str:
    points = round(share * 100)
    return "0" if points == 0 else f"{points:+d}".replace("-", "−")


def _value(share: float, metric: str) -> str:
    return f"{share:.3f}" if metric.partition("@")[0] in ("MRR", "nDCG") else f"{share * 100:.0f} %"


def _round_up(count: int) -> int:
    """To the next five: the estimate is not better than that."""
    return max(5, -(-count // 5) * 5)


def _count(report: Report) -> str:
    n = len(report.questions)
    return f"{n} question{'s' if n != 1 else ''}"


_NAMES = {"bm25": "BM25", "tfidf": "TF-IDF", "rrf": "RRF", "bct": "BCT", "dense": "Dense", "hybrid": "Hybrid"}
_NAMES |= {
    "ppr-regex": "PPR-Regex",
    "ppr-ner": "PPR-NER",
    "ppr-llm": "PPR-LLM",
    "cascade": "Hybrid + cascade",
}


def retriever_name(retriever: str) -> str:
    return _NAMES.get(retriever, retriever)


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"
