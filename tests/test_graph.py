from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from aethel_core.errors import InvalidInput
from aethel_core.graph import BipartiteGraph, pagerank


def graph_of(rows: list[list[float]]) -> BipartiteGraph:
    return BipartiteGraph(sparse.csr_array(np.array(rows, dtype=float)))


def one_hot(size: int, *places: int) -> np.ndarray:
    seeds = np.zeros((size, 1))
    seeds[list(places), 0] = 1 / len(places)
    return seeds


def test_two_steps_by_hand() -> None:
    # Entity 0 is in passages 0 and 1, entity 1 in passage 1 only; the walk starts at entity 0.
    graph = graph_of([[1, 0], [1, 1]])
    after_one = pagerank(graph, one_hot(2, 0), teleport=0.2, iterations=1, tolerance=0)
    assert after_one.entities[:, 0] == pytest.approx([0.2, 0.0])
    assert after_one.passages[:, 0] == pytest.approx([0.4, 0.4])
    after_two = pagerank(graph, one_hot(2, 0), teleport=0.2, iterations=2, tolerance=0)
    # passages: 0.8 · 0.2 / 2 each; entities: 0.2 + 0.8 · (0.4 + 0.4/2) and 0.8 · 0.4/2.
    assert after_two.passages[:, 0] == pytest.approx([0.08, 0.08])
    assert after_two.entities[:, 0] == pytest.approx([0.68, 0.16])


def test_a_node_without_edges_keeps_only_its_restart() -> None:
    graph = graph_of([[1, 0], [0, 0]])
    walk = pagerank(graph, one_hot(2, 1), iterations=5, tolerance=0)
    assert walk.entities[1, 0] == pytest.approx(0.15)
    assert walk.passages.sum() == 0


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 12).flatmap(
        lambda n: st.integers(2, 9).flatmap(
            lambda m: st.lists(
                st.tuples(st.integers(0, n - 1), st.integers(0, m - 1), st.integers(1, 5)), min_size=1
            ).map(lambda edges: (n, m, edges))
        )
    ),
    st.sampled_from([0.15, 0.5, 0.85]),
)
def test_converged_mass_agrees_with_networkx(shape, teleport) -> None:
    passages, entities, edges = shape
    incidence = np.zeros((passages, entities))
    reference = nx.Graph()
    for row, column, weight in edges:
        incidence[row, column] = weight
        reference.add_edge(("p", row), ("e", column), weight=weight)
    seed = edges[0][1]
    # Only nodes with edges: for the others networkx redistributes mass, which W = A·D⁻¹ does not.
    expected = nx.pagerank(
        reference, alpha=1 - teleport, personalization={("e", seed): 1.0}, tol=1e-14, max_iter=5000
    )
    walk = pagerank(
        BipartiteGraph(sparse.csr_array(incidence)),
        one_hot(entities, seed),
        teleport=teleport,
        iterations=5000,
        tolerance=1e-13,
    )
    assert walk.converged
    for (side, number), mass in expected.items():
        ours = walk.passages if side == "p" else walk.entities
        assert ours[number, 0] == pytest.approx(mass, abs=1e-9)


def test_says_which_limit_ended_it() -> None:
    graph = graph_of([[1, 1], [0, 1]])
    short = pagerank(graph, one_hot(2, 0), iterations=3)
    assert (short.iterations, short.converged, short.ended_by) == (3, False, "the limit of iterations")
    long = pagerank(graph, one_hot(2, 0), iterations=1000)
    assert long.converged and long.iterations < 1000 and long.residual < 1e-6
    assert long.ended_by == "convergence"


def test_bit_identical_and_independent_of_the_batch() -> None:
    rng = np.random.default_rng(42)
    graph = BipartiteGraph(sparse.random_array((200, 80), density=0.05, rng=rng, format="csr"))
    seeds = np.eye(80)[:, :5]
    together = pagerank(graph, seeds, tolerance=0)
    again = pagerank(graph, seeds, tolerance=0)
    alone = pagerank(graph, seeds[:, 2:3], tolerance=0)
    assert together.passages.tobytes() == again.passages.tobytes()
    assert np.array_equal(together.passages[:, 2], alone.passages[:, 0])


def test_linear_in_the_seeds() -> None:
    rng = np.random.default_rng(1)
    graph = BipartiteGraph(sparse.random_array((60, 30), density=0.1, rng=rng, format="csr"))
    both = pagerank(graph, one_hot(30, 3, 7), tolerance=0).passages[:, 0]
    parts = [pagerank(graph, one_hot(30, column), tolerance=0).passages[:, 0] for column in (3, 7)]
    assert both == pytest.approx((parts[0] + parts[1]) / 2, abs=1e-15)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"teleport": 0.0}, "teleport"),
        ({"teleport": 1.5}, "teleport"),
        ({"iterations": 0}, "iteration"),
        ({"entity_seeds": np.ones((3, 1))}, "fit"),
        ({"entity_seeds": -np.ones((2, 1))}, "negative"),
        ({"passage_seeds": np.ones((5, 1))}, "fit"),
    ],
)
def test_bad_arguments_are_refused(arguments, words) -> None:
    call = {"entity_seeds": one_hot(2, 0)} | arguments
    with pytest.raises(InvalidInput, match=words):
        pagerank(graph_of([[1, 0], [1, 1]]), **call)
