"""The exact account of a passage's mass, against every walk one by one and against changes of the graph."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from aethel_core.evidence.candidates import ALL
from aethel_core.evidence.paths import BRIDGES, Account, accounts
from aethel_core.evidence.walk import Kernel, Start, Walk, walks
from aethel_core.graph import BipartiteGraph, pagerank
from tests.evidence import brute

STARTS = {
    "one seed": Start(((0, 1.0),)),
    "two seeds": Start(((0, 0.5), (2, 0.5))),
    "seeds and passages": Start(((1, 0.6),), ((0, 0.1), (3, 0.3))),
    "passages only": Start((), ((2, 1.0),)),
}


def walk_of(graph: BipartiteGraph, start: Start, iterations: int, teleport: float = 0.15) -> Walk:
    return walks(graph, [start], teleport=teleport, iterations=iterations, tolerance=0.0)[0]


def account_of(graph: BipartiteGraph, start: Start, row: int, iterations: int, **more) -> Account:
    return accounts([walk_of(graph, start, iterations)], Kernel(graph), [[row]], **more)[0][0]


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize("iterations", [1, 2, 5, 7])
@pytest.mark.parametrize("number", range(4))
def test_the_mass_of_every_path_is_the_sum_over_its_walks(start: Start, iterations: int, number: int) -> None:
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


def test_a_chain_of_three_by_hand() -> None:
    """e0 – p0 – e1 – p1. In three steps at most, p1 is reached by e0 p0 e1 p1 alone: after W[p0,e0] = 1,
    W[e1,p0] = 1/2, W[p1,e1] = 1/2, times c(3) = (1−α)³ because 3 is the last step."""
    graph = BipartiteGraph(sparse.csr_array(np.array([[1.0, 1.0], [0.0, 1.0]])))
    account = account_of(graph, Start(((0, 1.0),)), 1, 3)
    (only,) = account.chains
    assert (only.seed, only.bridges) == (0, (1,))
    assert only.mass == account.mass == pytest.approx(0.85**3 / 4, rel=1e-12)
    assert account.other == 0.0


def test_the_mass_is_that_of_pagerank_whatever_ends_the_walk() -> None:
    graph = brute.random_graph(5, 12, 8)
    seeds = np.zeros((8, 1))
    seeds[2] = 1.0
    start = Start(((2, 1.0),))
    for iterations, tolerance in ((20, 1e-6), (500, 1e-6), (500, 0.5), (1, 1e-6), (2, 0.0)):
        reference = pagerank(graph, seeds, iterations=iterations, tolerance=tolerance)
        (made,) = walks(graph, [start], teleport=0.15, iterations=iterations, tolerance=tolerance)
        assert made.iterations == reference.iterations
        np.testing.assert_allclose(made.mass[0], reference.passages[:, 0], rtol=0, atol=1e-15)
        np.testing.assert_allclose(made.mass[1], reference.entities[:, 0], rtol=0, atol=1e-15)


def test_fewer_candidates_leave_the_mass_of_a_path_as_it_is() -> None:
    graph = brute.random_graph(7, 40, 25)
    start = Start(((0, 0.25), (3, 0.75)))
    for row in range(0, 40, 7):
        every = account_of(graph, start, row, 9, limit=None, breadth=ALL)
        masses = {(chain.seed, chain.bridges): chain.mass for chain in every.chains}
        few = account_of(graph, start, row, 9, limit=5)
        assert few.mass == every.mass and len(few.chains) <= 5
        for chain in few.chains:
            assert chain.mass == pytest.approx(masses[chain.seed, chain.bridges], rel=1e-12)
        assert few.other == pytest.approx(few.mass - sum(c.mass for c in few.chains), abs=1e-15)


def test_paths_come_by_mass_and_the_best_one_is_not_missed() -> None:
    graph = brute.random_graph(11, 60, 30)
    start = Start(((0, 0.5), (1, 0.5)))
    for row in range(0, 60, 6):
        masses = [c.mass for c in account_of(graph, start, row, 9).chains]
        assert masses == sorted(masses, reverse=True)
        every = account_of(graph, start, row, 9, limit=1, breadth=ALL)
        if every.chains:
            assert masses[0] == pytest.approx(every.chains[0].mass, rel=1e-12)


def test_several_walks_share_one_computation() -> None:
    graph = brute.random_graph(3, 20, 10)
    starts = [Start(((0, 1.0),)), Start(((4, 1.0),))]
    made = walks(graph, starts, teleport=0.15, iterations=8, tolerance=0.0)
    together = accounts(made, Kernel(graph), [[1, 5], [5, 1]])
    for walk, rows, of_walk in zip(made, [[1, 5], [5, 1]], together, strict=True):
        alone = accounts([walk], Kernel(graph), [rows])[0]
        for one, other in zip(alone, of_walk, strict=True):
            assert one.mass == other.mass
            assert [(c.seed, c.bridges) for c in one.chains] == [(c.seed, c.bridges) for c in other.chains]


@pytest.mark.parametrize("iterations", [3, 8, 20])
def test_what_flows_into_a_node_is_its_mass(iterations: int) -> None:
    graph = brute.random_graph(2, 15, 9)
    start = Start(((1, 0.5),), ((3, 0.5),))
    walk = walk_of(graph, start, iterations)
    for row in range(15):
        restart = 0.15 * dict(start.passages).get(row, 0.0)
        assert walk.into_passage(row)[1].sum() + restart == pytest.approx(walk.mass[0][row], abs=1e-15)
    for column in range(9):
        restart = 0.15 * dict(start.entities).get(column, 0.0)
        assert walk.into_entity(column)[1].sum() + restart == pytest.approx(walk.mass[1][column], abs=1e-15)


def test_the_flow_of_an_edge_is_the_sum_over_the_walks_that_end_with_it() -> None:
    graph = brute.random_graph(4)
    start = Start(((0, 1.0),))
    walk = walk_of(graph, start, 6)
    flows: dict[tuple[brute.Node, brute.Node], float] = defaultdict(float)
    for nodes, contribution in brute.walks(graph, start, 0.15, 6):
        if len(nodes) > 1:
            flows[nodes[-2], nodes[-1]] += contribution
    for row in range(graph.passages):
        for column, flow in zip(*walk.into_passage(row), strict=True):
            assert flow == pytest.approx(flows[("e", int(column)), ("p", row)])
    for column in range(graph.entities):
        for row, flow in zip(*walk.into_entity(column), strict=True):
            assert flow == pytest.approx(flows[("p", int(row)), ("e", column)])


class Weakened(BipartiteGraph):
    """A graph of which one entry of W is smaller and nothing else is changed."""

    def weaken(self, row: int, column: int, part: float) -> Weakened:
        into, out = self.to_passages.tolil(), self.to_entities
        into[row, column] *= part
        self.__dict__["to_passages"] = into.tocsr()
        self.__dict__["to_entities"] = out
        return self


@pytest.mark.parametrize("number", range(3))
def test_without_an_edge_the_mass_falls_by_the_walks_over_it(number: int) -> None:
    """Finite differences: weakening the step e → p′ of W by ε lowers the mass of p by ε · Σ over walks of
    contribution × crossings; taking the step away lowers it by exactly the walks that cross it, and so
    by no less than the listed path that needs it."""
    graph = brute.random_graph(number, 5, 4)
    start, iterations = Start(((0, 1.0),)), 7
    matrix = graph.incidence.toarray()
    for row, column in zip(*np.nonzero(matrix), strict=True):
        step = (("e", int(column)), ("p", int(row)))
        crossing: dict[int, float] = defaultdict(float)
        times: dict[int, float] = defaultdict(float)
        for nodes, contribution in brute.walks(graph, start, 0.15, iterations):
            crossings = sum(pair == step for pair in pairwise(nodes))
            if nodes[-1][0] == "p" and crossings:
                crossing[nodes[-1][1]] += contribution
                times[nodes[-1][1]] += contribution * crossings
        mass = walk_of(graph, start, iterations).mass[0]
        gone = walk_of(Weakened(graph.incidence).weaken(row, column, 0.0), start, iterations).mass[0]
        weaker = walk_of(Weakened(graph.incidence).weaken(row, column, 1 - 1e-6), start, iterations).mass[0]
        for target in range(graph.passages):
            assert mass[target] - gone[target] == pytest.approx(crossing[target], abs=1e-14)
            assert (mass[target] - weaker[target]) / 1e-6 == pytest.approx(times[target], abs=1e-5)
        direct = account_of(graph, start, int(row), iterations, limit=None, breadth=ALL)
        needing = [c.mass for c in direct.chains if (c.bridges or (c.seed,))[-1] == column]
        assert mass[row] - gone[row] >= sum(needing) - 1e-14


def test_a_passage_without_edges_and_one_out_of_reach() -> None:
    matrix = np.zeros((3, 2))
    matrix[0, 0] = matrix[1, 1] = 1.0
    graph = BipartiteGraph(sparse.csr_array(matrix))
    for row in (1, 2):
        account = account_of(graph, Start(((0, 1.0),)), row, 10)
        assert account.mass == 0.0 and account.chains == () and account.other == 0.0
    alone = account_of(graph, Start((), ((2, 1.0),)), 2, 10)
    assert alone.mass == pytest.approx(0.15) and alone.chains[0].mass == pytest.approx(0.15)


def test_a_seed_whose_edges_were_muted_leads_nowhere() -> None:
    graph = BipartiteGraph(sparse.csr_array(np.array([[0.0, 1.0], [0.0, 1.0]])))
    account = account_of(graph, Start(((0, 0.5), (1, 0.5))), 0, 20)
    assert {chain.seed for chain in account.chains} == {1}
    assert replace(account, chains=()).other == account.mass


def test_an_entity_with_thousands_of_passages_and_a_passage_with_hundreds_of_entities() -> None:
    random = np.random.default_rng(0)
    matrix = sparse.random_array((6000, 500), density=0.004, rng=random, format="lil")
    matrix[:5000, 0] = 1.0
    matrix[5, :400] = 1.0
    incidence = matrix.tocsr()
    incidence.data[:] = 1.0
    graph = BipartiteGraph(incidence)
    account = account_of(graph, Start(((0, 0.5), (7, 0.5))), 5, 20)
    assert account.chains and sum(c.mass for c in account.chains) <= account.mass * (1 + 1e-12)


def test_names_that_only_send_back_do_not_hide_other_ways() -> None:
    """Passage 0 holds the seed, 12 names of its own, and 8 that are in a passage of the seed each, and in
    ten others: what its own names get from it and give back is more than what these bring."""
    matrix = np.zeros((19, 21))
    matrix[:9, 0] = 1.0
    matrix[0] = 1.0
    matrix[np.arange(1, 9), np.arange(1, 9)] = 1.0
    matrix[9:, 1:9] = 1.0
    account = account_of(BipartiteGraph(sparse.csr_array(matrix)), Start(((0, 1.0),)), 0, 20)
    assert [len(chain.bridges) for chain in account.chains] == [0, 1, 1, 1, 1, 1]


def test_every_passage_has_its_best_path_however_many_seeds_others_have() -> None:
    """Fifteen seeds lead to a passage each, all but the last strongly."""
    matrix = np.eye(15)
    matrix[14, 14] = 0.001
    graph = BipartiteGraph(sparse.csr_array(np.vstack([matrix, np.eye(15)[14:]])))
    seeds = tuple((column, 1 / 15) for column in range(15))
    (walk,) = walks(graph, [Start(seeds)], teleport=0.15, iterations=20)
    (found,) = accounts([walk], Kernel(graph), [range(15)])
    assert [account.chains[0].seed for account in found] == list(range(15))


def test_walks_from_entities_alone_are_those_of_pagerank() -> None:
    graph = brute.random_graph(3, 8, 6)
    seeds = np.array([0.5, 0.2, 0.0, 0.3, 0.0, 0.0])
    for iterations in (1, 2, 3, 7):
        start = Start(tuple(enumerate(seeds.tolist())))
        (walk,) = walks(graph, [start], teleport=0.2, iterations=iterations, tolerance=0.0)
        wanted = pagerank(graph, seeds[:, None], teleport=0.2, iterations=iterations, tolerance=0.0)
        np.testing.assert_allclose(walk.mass[0], wanted.passages[:, 0], atol=1e-15)
        np.testing.assert_allclose(walk.mass[1], wanted.entities[:, 0], atol=1e-15)


def test_the_walks_of_an_account_are_those_that_are_asked_for() -> None:
    """Each walk its own passages; walks from one entity lend what they know of their way back, and walks
    that stopped early do not, with the same result."""
    graph = brute.random_graph(8, 30, 14)
    starts = [Start(((2, 1.0),)), Start(((5, 1.0),))]
    kept = walks(graph, starts, teleport=0.15, iterations=9, tolerance=0.0)
    assert all(len(walk.states) == 9 for walk in kept)
    for lent, alone in zip(kept, [replace(walk, states=()) for walk in kept], strict=True):
        (found,) = accounts([lent], Kernel(graph), [[1, 4, 9]])
        (again,) = accounts([alone], Kernel(graph), [[1, 4, 9]])
        assert [account.row for account in found] == [1, 4, 9]
        for one, other in zip(found, again, strict=True):
            assert [(c.seed, c.bridges) for c in one.chains] == [(c.seed, c.bridges) for c in other.chains]
            assert [c.mass for c in one.chains] == pytest.approx([c.mass for c in other.chains], rel=1e-12)
    apart = accounts(kept, Kernel(graph), [[1], [4, 9]])
    assert [[account.row for account in of_walk] for of_walk in apart] == [[1], [4, 9]]
