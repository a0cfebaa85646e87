"""Learn the weights of the embedded reranker, and say how good they are on questions left out.

    python benchmarks/train_reranker.py                     the filings and questions of ../shared/data
    python benchmarks/train_reranker.py --workspace DIR --questions FILE [--strength 0.001] [--dry]

Questions about one company are left out together. Those that the learned weights are not used for
(`aethel_core.rerankers.learned.GROUND`) keep Hybrid's order. Printed are the held-out figures of both
models beside the retrievers, with 95 % intervals; then the weights learned from all questions are
written to aethel_core/rerankers/data/ranker.json (not with --dry).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from aethel_core import config, embedding, metrics  # noqa: E402
from aethel_core.errors import AethelError  # noqa: E402
from aethel_core.evaluation import datasets  # noqa: E402
from aethel_core.evaluation.judgements import Judgements, judge  # noqa: E402
from aethel_core.evaluation.statistics import bootstrap  # noqa: E402
from aethel_core.rerankers import cascade  # noqa: E402
from aethel_core.rerankers.features import FAST, NAMES  # noqa: E402
from aethel_core.rerankers.learned import GROUND, SHIPPED, Model, Models, together  # noqa: E402
from aethel_core.rerankers.training import STRENGTH, Example, fit, held_out, ranked_pages  # noqa: E402
from aethel_core.search import POOLED, Search  # noqa: E402
from aethel_core.types import Query  # noqa: E402
from aethel_core.workspace import Workspace  # noqa: E402

DATA = ROOT.parent / "shared" / "data"
SHOWN = ("HR@1", "HR@5", "HR@20", "Recall@5", "MRR", "nDCG@20")
NARROWED = 300
DIGITS = 3


@dataclass(frozen=True, slots=True)
class Training:
    """The examples of the judged questions, whether the learned weights are used for each, and
    ``items[i]``, what page number i is called in the qrels."""

    examples: tuple[Example, ...]
    grounded: tuple[bool, ...]
    items: tuple[str, ...]
    judgements: Judgements

    def on(self, columns: int) -> list[Example]:
        """With the first ``columns`` features only."""
        return [Example(e.matrix[:, :columns], e.pages, e.right, e.group) for e in self.examples]


def left_out(training: Training, examples: Sequence[Example], strength: float) -> list[np.ndarray]:
    """For each question the weights that score its candidates, learned without its company."""
    learned = held_out([example.narrowed(NARROWED) for example in examples], strength)
    order = together(examples[0].matrix.shape[1])
    return [each if used else order for each, used in zip(learned, training.grounded, strict=True)]


def gather(search: Search, judgements: Judgements) -> Training:
    """The candidates of each question with their features."""
    index, features = search.index, search.features()
    numbers: dict[str, int] = {}
    examples, grounded = [], []
    for question in judgements.questions:
        query = Query(question.text)
        found = [search.search(query, name, cascade.POOL).ids for name in POOLED]
        rows = np.array(sorted({index.row[passage] for ids in found for passage in ids}))
        items = [judgements.item_of(index.ids[row]) for row in rows]
        pages = np.array([numbers.setdefault(item, len(numbers)) for item in items])
        right = [numbers.setdefault(item, len(numbers)) for item, _ in question.relevant]
        group = _company(search, judgements, {item for item, _ in question.relevant})
        examples.append(Example.of(features.all(query, rows), pages, right, group))
        grounded.append(features.ground(query) >= GROUND)
    return Training(tuple(examples), tuple(grounded), tuple(numbers), judgements)


def _company(search: Search, judgements: Judgements, relevant: set[str]) -> str:
    """The company of the first passage that answers, or its document where none is known."""
    index = search.index
    for row, passage in enumerate(index.ids):
        if judgements.item_of(passage) in relevant:
            segment = index.segments[index.document_of[row]]
            return segment.metadata.company or segment.document_id
    return ""


def learn(training: Training, strength: float) -> tuple[Models, dict[str, object]]:
    """Both models, and their held-out figures for the record."""
    models, figures = {}, {}
    for name, columns in (("fast", len(FAST)), ("full", len(NAMES))):
        examples = training.on(columns)
        narrow = [example.narrowed(NARROWED) for example in examples]
        run = run_of(training, examples, left_out(training, examples, strength))
        figures[name] = _report(f"{name} model, held out", training.judgements, run)
        final = [round(float(weight), DIGITS) for weight in fit(narrow, strength)]
        models[name] = Model(NAMES[:columns], tuple(final))
    return Models(**models), figures


def run_of(
    training: Training, examples: Sequence[Example], weights: Sequence[np.ndarray]
) -> dict[str, list[str]]:
    return {
        question.id: [training.items[page] for page in ranked_pages(example, each)]
        for question, example, each in zip(training.judgements.questions, examples, weights, strict=True)
    }


def _report(title: str, judgements: Judgements, run: dict[str, list[str]]) -> dict[str, float]:
    cells, figures = [], {}
    for name in SHOWN:
        interval = bootstrap(list(metrics.measure(name, judgements.qrels, run).values()))
        cells.append(f"{interval.mean:.3f} [{interval.low:.3f}, {interval.high:.3f}]")
        figures[name] = round(interval.mean, DIGITS)
    print(f"| {title} | {' | '.join(cells)} |")
    return figures


def _retriever(search: Search, judgements: Judgements, name: str) -> dict[str, list[str]]:
    run = {}
    for question in judgements.questions:
        ids = search.search(Query(question.text), name, cascade.POOL).ids
        run[question.id] = list(dict.fromkeys(judgements.item_of(passage) for passage in ids))
    return run


def train(search: Search, judgements: Judgements, strength: float) -> tuple[Models, dict[str, object]]:
    print(f"| | {' | '.join(SHOWN)} |\n|---|{'---|' * len(SHOWN)}")
    for name in POOLED:
        _report(name, judgements, _retriever(search, judgements, name))
    training = gather(search, judgements)
    models, figures = learn(training, strength)
    record = {
        "questions": len(judgements.questions),
        "asked of the learned weights": sum(training.grounded),
        "strength": strength,
        "left out together": "questions about one company",
        "held out": figures,
    }
    return models, record


def main() -> int:
    arguments = _arguments()
    try:
        questions = datasets.read_questions(arguments.questions)
        with Workspace.open(arguments.workspace, create=False) as workspace:
            search = Search(workspace.index(), embedding.load(config.settings()))
            models, record = train(search, judge(questions, workspace, "page"), arguments.strength)
    except AethelError as error:
        print(error, file=sys.stderr)
        return 1
    for name, weight in zip(models.full.features, models.full.weights, strict=True):
        print(f"{weight:8.3f}  {name}")
    if not arguments.dry:
        SHIPPED.write_text(models.to_json(record), encoding="utf-8")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workspace", type=Path, default=ROOT / "benchmarks" / "results" / "filings",
                        help="as filled by evaluate_aethel.py")  # fmt: skip
    parser.add_argument("--questions", type=Path, default=DATA / "financebench" / "questions.jsonl")
    parser.add_argument("--strength", type=float, default=STRENGTH, help="of the regularisation")
    parser.add_argument("--dry", action="store_true", help="measure only")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
