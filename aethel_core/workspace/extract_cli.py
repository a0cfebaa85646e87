"""``python -m aethel_core extract --workspace DIR [--yes] [--budget TOKENS]``"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from aethel_core.errors import ModelUnavailable
from aethel_core.terminal import INTERRUPTED, positive, stoppable
from aethel_core.workspace.extraction import STOPPED, ExtractionPlan, in_words, most
from aethel_core.workspace.facade import Workspace

Open = Callable[[Path], Workspace]
_NO_MODEL = (
    "No language model is set. Name one by AETHEL_LLM_MODEL, and where it runs by AETHEL_LLM_BASE_URL."
)


def register(commands: Any, open_workspace: Open) -> None:
    parser = commands.add_parser(
        "extract",
        help="let a language model read names and facts, for PPR-LLM",
        description="Let the language model of the settings read the names in every passage and what joins "
        "them, for the retriever ppr-llm. Without --yes it only says what that takes. It may be stopped at "
        "any moment; the next run goes on where it ended.",
    )
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR", help="the workspace's folder")
    parser.add_argument("--yes", action="store_true", help="do it")
    parser.add_argument(
        "--budget",
        type=positive,
        metavar="TOKENS",
        help="end before the run takes more (default: that of the settings)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=lambda arguments: run(arguments, open_workspace))


def run(arguments: argparse.Namespace, open_workspace: Open) -> int:
    with open_workspace(arguments.workspace) as workspace:
        plan = workspace.extraction.plan()
        if plan is None:
            raise ModelUnavailable(_NO_MODEL)
        if not arguments.yes or not plan.texts:
            _say_plan(plan, arguments)
            return 0
        with stoppable() as stopped:
            report = workspace.extraction.run(
                arguments.budget or plan.budget, on_progress=_Progress(), cancelled=stopped
            )
    if arguments.json:
        print(json.dumps(asdict(report)))
    else:
        print("\n".join(in_words(report)))
    if report.ended == STOPPED:
        return INTERRUPTED
    return 0 if report.complete else 1


def _say_plan(plan: ExtractionPlan, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print(json.dumps(asdict(plan) | {"tokens": plan.tokens}))
        return
    if plan.coverage.read:
        print(f"A model has read {plan.coverage}.")
    if not plan.texts:
        print("Nothing is left to read.")
        return
    print(f"To {plan.model}: {most(plan)}")
    budget = arguments.budget or plan.budget
    if budget < plan.tokens:
        print(f"A run ends at {budget:,} tokens, which may be before all is read; another one goes on then.")
    print("Nothing was sent. Add --yes to do it.", file=sys.stderr)


class _Progress:
    """On a terminal one line that is written over; elsewhere a line at every tenth."""

    def __init__(self) -> None:
        self._terminal, self._tenth = sys.stderr.isatty(), -1

    def __call__(self, done: int, total: int) -> None:
        if self._terminal:
            end = "\n" if done == total else ""
            print(f"\r{done:,} of {total:,} passages", end=end, file=sys.stderr, flush=True)
        elif total and done * 10 // total != self._tenth:
            self._tenth = done * 10 // total
            print(f"{done:,} of {total:,} passages", file=sys.stderr, flush=True)
