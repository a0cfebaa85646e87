from __future__ import annotations

import pytest

from aethel_core.errors import InvalidInput
from aethel_core.retrievers.fusion import ReciprocalRankFusion
from aethel_core.types import Hit, Query, Ranking


class Fixed:
    def __init__(self, name: str, *ids: str) -> None:
        self.name = name
        self.hits = tuple(Hit(passage, 1.0 - place / 10) for place, passage in enumerate(ids))

    def search(self, query: Query, k: int) -> Ranking:
        return Ranking(self.name, self.hits[:k])


def test_by_hand() -> None:
    fusion = ReciprocalRankFusion([Fixed("a", "x", "y"), Fixed("b", "y", "z")])
    hits = fusion.search(Query("q"), 10).hits
    assert [hit.passage_id for hit in hits] == ["y", "x", "z"]
    assert [hit.score for hit in hits] == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])


def test_ties_fall_to_the_lower_passage_id_not_to_the_first_list() -> None:
    fusion = ReciprocalRankFusion([Fixed("a", "z"), Fixed("b", "c")])
    assert fusion.search(Query("q"), 10).ids == ("c", "z")


def test_weights() -> None:
    fusion = ReciprocalRankFusion([Fixed("a", "x"), Fixed("b", "y")], {"b": 2.0, "a": 0.0})
    (hit,) = fusion.search(Query("q"), 10).hits
    assert (hit.passage_id, hit.score) == ("y", pytest.approx(2 / 61))


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_unusable_weights_are_refused(weight) -> None:
    with pytest.raises(InvalidInput, match="weights"):
        ReciprocalRankFusion([Fixed("a", "x")], {"a": weight})


def test_a_fusion_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least one"):
        ReciprocalRankFusion([])
