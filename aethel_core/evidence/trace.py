"""The walks of a graph retriever for one question, and the evidence paths of its hits.

PPR-Regex, PPR-NER, BCT and PPR-LLM take one walk from all their seeds. Hybrid takes one from every node its
seeds may mean; its score is a product over seeds, so its paths are given per seed, each with its share
of that seed's mass at the passage. Where any of several nodes satisfies a seed, the one counts whose
walk reaches the passage best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from aethel_core.errors import InvalidInput, UnknownPassage
from aethel_core.evidence.paths import Account, Chain, accounts
from aethel_core.evidence.walk import Kernel, Start, Walk, walks
from aethel_core.graph import BipartiteGraph
from aethel_core.index import Index
from aethel_core.index.entity_graph import EntityGraph
from aethel_core.retrievers.base import Retriever
from aethel_core.retrievers.hybrid import Hybrid
from aethel_core.retrievers.pagerank import PersonalizedPageRank, not_found, unmuted
from aethel_core.types import Query

SHOWN = 3  # passages named between two entities; the rest are counted


@dataclass(frozen=True, slots=True)
class Between:
    """Passages that two entities of a path share, and facts that join them, the one that carries most
    first."""

    passages: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class EvidencePath:
    """entities[0] → between[0] → entities[1] → … → the passage. With ``origin`` the walk starts at
    passages (BCT's self references): origin → entities[0] → …

    ``mass`` is exact (see `paths`); ``share`` is its share of the passage's mass from the part's seeds.
    """

    entities: tuple[str, ...]
    between: tuple[Between, ...]
    passage_id: str
    mass: float
    share: float
    origin: Between | None = None


@dataclass(frozen=True, slots=True)
class PathPart:
    """The paths from one seed of Hybrid, or from all seeds of another retriever (then ``kind`` is
    "walk" and the label empty). ``share`` is the part's weight among all parts; ``reach`` the mass as
    a share of the largest mass that the walk brings any passage. The shares of the paths and
    ``other`` sum to 1, or are all 0 where the walk does not reach the passage."""

    label: str
    kind: str
    phrase: str
    entity_ids: tuple[str, ...]
    share: float
    mass: float
    reach: float
    paths: tuple[EvidencePath, ...]
    other: float


@dataclass(frozen=True, slots=True)
class PassageEvidence:
    passage_id: str
    parts: tuple[PathPart, ...]


@dataclass(frozen=True, slots=True)
class SeedNode:
    """A node from which walks start; ``phrase`` and ``rule`` say what in the question led to it."""

    entity_id: str
    name: str
    kind: str
    phrase: str
    rule: str


@dataclass(frozen=True)
class Part:
    label: str
    kind: str
    phrase: str
    share: float
    columns: tuple[int, ...]
    walks: tuple[Walk, ...]


class Trace:
    """``seeds`` are the nodes the walks start from; ``note`` says why there are none."""

    def __init__(
        self,
        graph: EntityGraph,
        taken: BipartiteGraph,
        ids: Sequence[str],
        rows: dict[str, int],
        parts: tuple[Part, ...],
        seeds: tuple[SeedNode, ...],
        note: str,
    ) -> None:
        self.graph, self.taken, self.ids, self.rows = graph, taken, ids, rows
        self.seeds, self.note = seeds, note
        self._parts = parts
        self.kernel = Kernel(taken)
        self._met: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}

    @cached_property
    def walks(self) -> tuple[tuple[float, Walk], ...]:
        """Every walk with the factor that makes walks comparable: the share of its part over the
        largest mass that it brings any passage."""
        scaled = []
        for part in self._parts:
            for walk in part.walks:
                scaled.append((part.share / walk.top if walk.top else 0.0, walk))
        return tuple(scaled)

    @cached_property
    def leaving(self) -> tuple[np.ndarray, np.ndarray]:
        """What the last steps of all walks, made comparable, carried away from the passages (N,) and
        from the entities (M,): the flow along an edge is its entry of W times that."""
        on_passages, on_entities = np.zeros(self.taken.passages), np.zeros(self.taken.entities)
        for scale, walk in self.walks:
            on_passages += scale * (1 - walk.teleport) * walk.before[0]
            on_entities += scale * (1 - walk.teleport) * walk.before[1]
        return on_passages, on_entities

    def evidence(self, passage_ids: Sequence[str], *, paths: int = 6) -> tuple[PassageEvidence, ...]:
        """The best paths to each passage.

        :raises UnknownPassage: the index does not hold one of them.
        """
        for passage in passage_ids:
            if passage not in self.rows:
                raise UnknownPassage(passage)
        if not passage_ids:
            return ()
        rows = [self.rows[passage] for passage in passage_ids]
        every = [walk for part in self._parts for walk in part.walks]
        chosen = [[_reaching_best(part.walks, row) for row in rows] for part in self._parts]
        asked = [
            [row for row, best in zip(rows, of_part, strict=True) if best == place]
            for part, of_part in zip(self._parts, chosen, strict=True)
            for place in range(len(part.walks))
        ]
        # Twice as many, because some of them may read the same.
        found = iter(accounts(every, self.kernel, asked, limit=2 * paths) if every else ())
        made = [[iter(next(found)) for _ in part.walks] for part in self._parts]
        return tuple(
            PassageEvidence(
                passage,
                tuple(
                    self._part(part, part.walks[of_part[place]], next(accounted[of_part[place]]), paths)
                    for part, of_part, accounted in zip(self._parts, chosen, made, strict=True)
                ),
            )
            for place, passage in enumerate(passage_ids)
        )

    def _part(self, part: Part, walk: Walk, account: Account, limit: int) -> PathPart:
        reach = account.mass / walk.top if walk.top else 0.0
        ids = tuple(self.graph.entities[column].id for column in part.columns)
        chains = self._read_alike(account.chains)[:limit] if account.mass > 0 else []
        paths = tuple(self._path(walk, account, chain) for chain in chains)
        other = max(1.0 - sum(path.share for path in paths), 0.0) if account.mass > 0 else 0.0
        return PathPart(
            part.label, part.kind, part.phrase, ids, part.share, account.mass, reach, paths, other
        )

    def _read_alike(self, chains: Sequence[Chain]) -> list[Chain]:
        """Paths that read the same as one, with the mass of all: the forms of a name with and without
        its legal suffix are nodes of their own, but bear one name."""
        alike: dict[tuple[str, ...], Chain] = {}
        for chain in chains:
            names = tuple(self.graph.entities[column].name for column in _columns(chain))
            first = alike.setdefault(names, chain)
            if first is not chain:
                alike[names] = replace(first, mass=first.mass + chain.mass)
        return sorted(alike.values(), key=lambda c: (-c.mass, len(c.bridges), _columns(c)))

    def _path(self, walk: Walk, account: Account, chain: Chain) -> EvidencePath:
        columns = _columns(chain)
        between = tuple(self._between(a, b, account.row) for a, b in pairwise(columns))
        origin = self._origin(walk, columns, account.row) if chain.seed is None else None
        return EvidencePath(
            tuple(self.graph.entities[column].id for column in columns),
            between,
            self.ids[account.row],
            chain.mass,
            chain.mass / account.mass,
            origin,
        )

    def _between(self, one: int, other: int, target: int) -> Between:
        """The passages of both entities but the target, by what they carry: A·A′ / d."""
        shared, carried = self._shared(one, other)
        keep = shared != target
        return self._ordered(shared[keep], carried[keep])

    def _shared(self, one: int, other: int) -> tuple[np.ndarray, np.ndarray]:
        if (one, other) not in self._met:
            rows_of = self.taken.by_entity
            parts = (slice(rows_of.indptr[c], rows_of.indptr[c + 1]) for c in (one, other))
            few, many = sorted(parts, key=lambda part: part.stop - part.start)
            rows, among = rows_of.indices[few], rows_of.indices[many]
            places = np.minimum(np.searchsorted(among, rows), among.size - 1)
            both = among[places] == rows if among.size else np.zeros(0, dtype=bool)
            weights = rows_of.data[few][both] * rows_of.data[many][places[both]]
            self._met[one, other] = rows[both], weights / self.taken.passage_strength[rows[both]]
        return self._met[one, other]

    def _origin(self, walk: Walk, columns: Sequence[int], target: int) -> Between:
        starts = dict(walk.start.passages)
        if not columns:
            return Between((self.ids[target],), 1)
        rows, flows = self.kernel.passages(columns[0])
        chosen = np.array([row in starts and row != target for row in rows.tolist()], dtype=bool)
        carried = flows * np.array([starts.get(row, 0.0) for row in rows.tolist()])
        return self._ordered(rows[chosen], carried[chosen])

    def _ordered(self, rows: np.ndarray, carried: np.ndarray) -> Between:
        count = int(rows.size)
        if count > SHOWN:
            enough = carried >= np.partition(carried, count - SHOWN)[count - SHOWN]
            rows, carried = rows[enough], carried[enough]
        order = np.lexsort((rows, -carried))[:SHOWN]
        return Between(tuple(self.ids[int(row)] for row in rows[order]), count)


def _reaching_best(walks: Sequence[Walk], row: int) -> int:
    """The place of the walk that reaches a passage best, the first among equals."""
    return int(np.argmax([float(walk.mass[0][row]) / walk.top if walk.top else 0.0 for walk in walks]))


def _columns(chain: Chain) -> tuple[int, ...]:
    return chain.bridges if chain.seed is None else (chain.seed, *chain.bridges)


def trace(retriever: Retriever, query: Query) -> Trace:
    """The walks that ``retriever`` takes for ``query``.

    :raises InvalidInput: it does not walk a graph.
    """
    if isinstance(retriever, PersonalizedPageRank):
        return _one_walk(retriever, query)
    if isinstance(retriever, Hybrid):
        return _walk_per_seed(retriever, query)
    raise InvalidInput(f"{retriever.name} does not walk a graph. Choose Hybrid, BCT, PPR-NER or PPR-Regex.")


def _one_walk(retriever: PersonalizedPageRank, query: Query) -> Trace:
    index, graph = retriever.index, retriever.graph
    seeds = retriever.seeds(query)
    taken = unmuted(graph, graph.bipartite, query.muted)
    masses: dict[int, float] = {}
    for seed in seeds.entities:
        masses[seed.column] = masses.get(seed.column, 0.0) + seed.mass
    nodes = tuple(
        SeedNode(entity.id, entity.name, entity.kind.value, seed.phrase, seed.rule)
        for seed in seeds.entities
        for entity in (graph.entities[seed.column],)
    )
    ids, rows = _stations(index, graph)
    if not masses and not seeds.passages:
        return Trace(graph, taken, ids, rows, (), nodes, not_found(seeds.looked_for))
    passages: dict[int, float] = {}
    for row, mass in seeds.passages:
        passages[row] = passages.get(row, 0.0) + mass
    start = Start(tuple(masses.items()), tuple(passages.items()))
    made = walks(
        taken,
        [start],
        teleport=retriever.teleport,
        iterations=retriever.iterations,
        tolerance=retriever.tolerance,
    )
    part = Part("", "walk", "", 1.0, tuple(masses), made)
    return Trace(graph, taken, ids, rows, (part,), nodes, "")


def _stations(index: Index, graph: EntityGraph) -> tuple[tuple[str, ...], dict[str, int]]:
    """The ids of the graph's rows, and the row of each id: passages, and after them facts."""
    if not graph.facts:
        return index.ids, index.row
    facts = tuple(fact.id for fact in graph.facts)
    return (*index.ids, *facts), index.row | {fact: index.size + n for n, fact in enumerate(facts)}


def _walk_per_seed(retriever: Hybrid, query: Query) -> Trace:
    index, graph = retriever.index, retriever.graph
    if not index.size:
        note = "The workspace has no documents yet."
        return Trace(graph, graph.weighted, index.ids, index.row, (), (), note)
    taken = unmuted(graph, graph.weighted, query.muted)
    factors = tuple(retriever.seed_parts(query))
    if not factors:
        note = "The question names nothing the graph knows, so there is no path to show."
        return Trace(graph, taken, index.ids, index.row, (), (), note)
    starts = [Start(((graph.position[entity], 1.0),)) for part in factors for entity in part.entity_ids]
    # Hybrid's own walks take all their steps, hence the tolerance of 0.
    made = iter(
        walks(taken, starts, teleport=retriever.teleport, iterations=retriever.iterations, tolerance=0.0)
    )
    total = sum(part.weight for part in factors)
    parts, nodes = [], []
    for factor in factors:
        columns = tuple(graph.position[entity] for entity in factor.entity_ids)
        taken_walks = tuple(next(made) for _ in columns)
        share = factor.weight / total
        parts.append(Part(factor.label, factor.kind, factor.phrase, share, columns, taken_walks))
        for column in columns:
            entity = graph.entities[column]
            nodes.append(SeedNode(entity.id, entity.name, entity.kind.value, factor.phrase, factor.kind))
    return Trace(graph, taken, index.ids, index.row, tuple(parts), tuple(nodes), "")
