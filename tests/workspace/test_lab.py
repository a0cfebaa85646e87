"""The lab through the one door: a setting of the workspace names another result."""

from __future__ import annotations

from aethel_core.workspace import Parameters, Workspace
from aethel_core.workspace.set_differently import set_differently
from tests.workspace.made import QUESTIONS


def test_a_result_is_of_the_settings_it_was_made_with(workspace: Workspace) -> None:
    hit = workspace.search(QUESTIONS[0], "bm25", 1).hits[0].passage_id
    workspace.label(QUESTIONS[0], hit, "ann", 2)
    questions = workspace.lab.questions()
    first = workspace.lab.start(questions, ("bm25",), ks=(1,)).wait(60).result
    assert first.mean("bm25", "HR@1") == 1.0
    assert workspace.lab.changes(first) == ()
    workspace.set_parameters(Parameters(bm25_k1=0.3))
    assert workspace.lab.changes(first) == ("settings",)
    second = workspace.lab.start(questions, ("bm25",), ks=(1,)).wait(60).result
    assert second.fingerprint != first.fingerprint
    assert set(workspace.lab.reports()) == {first, second}


def test_only_what_differs_from_the_defaults_counts() -> None:
    assert set_differently(Parameters()) == {}
    assert set_differently(Parameters(fused=["bm25", "dense", "ppr-ner"])) == {}
    assert set_differently(Parameters(teleport=0.3, fused=("bm25", "dense")), ["b", "a"]) == {
        "teleport": 0.3,
        "fused": ["bm25", "dense"],
        "muted": ["a", "b"],
    }
