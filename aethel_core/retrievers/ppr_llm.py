"""PPR-LLM: Personalized PageRank over what a language model read in the passages.

HippoRAG's graph (Jiménez Gutiérrez et al. 2024) in the terms of this index: passages and names are
nodes, a name is joined to every passage that holds it, and a triple (subject, relation, object)
adds an edge between its two names. Such an edge has a node for the fact in its middle, so that the
graph stays bipartite, the walk's mass can be followed edge by edge, and a path shows the fact it
goes over. Mass that rests on a fact belongs to no passage: passages are ranked by their own.
"""

from __future__ import annotations

import numpy as np

from aethel_core.index.entity_graph import EntityGraph
from aethel_core.retrievers.base import Scored
from aethel_core.retrievers.pagerank import PersonalizedPageRank
from aethel_core.types import Query

NOT_READ = "No language model has read the names in these passages yet, so there is nothing to walk over."


class PprLlm(PersonalizedPageRank):
    name = "ppr-llm"

    @property
    def graph(self) -> EntityGraph:
        return self.index.model_graph

    def score(self, query: Query) -> Scored:
        if not self.index.covered:
            return Scored(np.full(self.index.size, -np.inf), NOT_READ)
        found = super().score(query)
        if self.index.covered == self.index.size:
            return found
        return Scored(
            found.values, f"It covers {self.index.covered:,} of {self.index.size:,} passages. {found.note}"
        )
