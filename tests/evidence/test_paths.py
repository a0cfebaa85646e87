from __future__ import annotations

import pytest

from aethel_core.evidence.candidates import ALL
from aethel_core.evidence.paths import BRIDGES, accounts
from aethel_core.evidence.walk import Kernel, Start, walks
from aethel_core.graph import BipartiteGraph
from tests.evidence import brute

STARTS = {
    "one seed": Start(((0, 1.0),)),
    "two seeds": Start(((0, 0.5), (2, 0.5))),
    "seeds and passages": Start(((1, 0.6),), ((0, 0.1), (3, 0.3))),
    "passages only": Start((), ((2, 1.0),)),
}


def account_of(
    graph: BipartiteGraph, start: Start, row: int, iterations: int, teleport: float = 0.15, **more
):
    (walk,) = walks(graph, [start], teleport=teleport, iterations=iterations)
    return accounts([walk], Kernel(graph), [row], **more)[0][0]


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize("iterations", [1, 2, 5, 7])
@pytest.mark.parametrize("number", range(4))
def test_the_mass_of_every_path_is_the_sum_over_its_walks(start, iterations, number):
    graph = brute.random_graph(number)
    for row in range(graph.passages):
        account = account_of(graph, start, row, iterations, limit=None, breadth=ALL)
        expected = brute.by_path(graph, start, 0.15, iterations, row)
        assert account.mass == pytest.approx(sum(expected.values()), abs=1e-14)
        listed = {key: mass for key, mass in expected.items() if len(key[1]) <= BRIDGES}
        found = {(chain.seed, chain.bridges): chain.mass for chain in account.chains if chain.mass > 0}
        assert found.keys() == listed.keys()
        for key, mass in listed.items():
            assert found[key] == pytest.approx(mass, rel=1e-9, abs=1e-16), key
        other = sum(mass for key, mass in expected.items() if len(key[1]) > BRIDGES)
        assert account.other == pytest.approx(other, abs=1e-14)
