"""The endpoint against a real server on loopback that speaks both shapes, well and badly."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from aethel_core.config import Settings
from aethel_core.errors import InvalidInput, ModelUnavailable, UnknownPassage
from aethel_core.rerankers import Stages, configured
from aethel_core.rerankers.cross_encoder import CrossEncoder
from aethel_core.rerankers.endpoint import Endpoint
from aethel_core.types import Query
from tests.corpora import document_of
from tests.rerank_server import KEY, RerankServer, rerank_server
from tests.rerankers.made import ACME, lookup, ranking

IDS = tuple(f"{document_of(ACME)}:{number:05d}" for number in range(3))
ASK = Query("anvils in the desert")


@pytest.fixture
def server() -> Iterator[RerankServer]:
    with rerank_server() as made:
        yield made


def endpoint(server: RerankServer, model: str = "rank-1", **options) -> Endpoint:
    return Endpoint(server.url, model, KEY, **options)


@pytest.mark.parametrize("model", ["rank-1", ""])
def test_both_shapes(server: RerankServer, model: str) -> None:
    found = endpoint(server, model).rerank(ASK, ranking(IDS[2], IDS[1], IDS[0]), lookup, 2)
    assert found.ids[0] == IDS[0]  # the passage that holds both words
    assert len(found.hits) == 2
    body, headers = server.requests[0]
    assert body["query"] == ASK.text
    assert headers["authorization"] == f"Bearer {KEY}"
    texts = body["documents"] if model else body["texts"]
    assert texts[2] == "Acme Corp sells anvils to coyotes in the desert."
    assert body.get("model", "") == model


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("401", "refused the key"),
        ("403", "refused the key"),
        ("404", "not found at this address"),
        ("413", "too long"),
        ("429", "too often"),
        ("500", "answered with an error (status 500)"),
        ("moved", "answered with an error (status 302)"),
        ("not json", "did not answer with JSON"),
        ('{"data": []}', "another shape"),
        ('{"results": [{"index": 0, "relevance_score": 1.0}]}', "scored 1 of 3"),
        ('[{"index": 7, "score": 1.0}]', "another shape"),
        ('[{"index": 0, "score": 1.0}, {"index": 0, "score": 1.0}]', "another shape"),
        ('[{"index": 0, "score": "high"}]', "another shape"),
        ('[{"index": 0, "score": NaN}]', "another shape"),
        ('[{"index": true, "score": 1.0}]', "another shape"),
        ("[7]", "another shape"),
    ],
)
def test_what_goes_wrong_is_said_without_the_key(server: RerankServer, mode: str, says: str) -> None:
    server.mode = mode
    with pytest.raises(ModelUnavailable) as caught:
        endpoint(server).rerank(ASK, ranking(*IDS), lookup, 3)
    assert says in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_slow_server(server: RerankServer) -> None:
    server.mode = "slow"
    with pytest.raises(ModelUnavailable, match=r"did not answer within 0.1 s"):
        endpoint(server, timeout=0.1).rerank(ASK, ranking(*IDS), lookup, 3)


def test_no_server(server: RerankServer) -> None:
    tried = endpoint(server)
    server.server_close()
    server.shutdown()
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        tried.rerank(ASK, ranking(*IDS), lookup, 3)


def test_nothing_to_rerank_asks_nobody(server: RerankServer) -> None:
    assert endpoint(server).rerank(ASK, ranking(), lookup, 3).hits == ()
    assert server.requests == []


def test_a_passage_that_is_gone(server: RerankServer) -> None:
    with pytest.raises(UnknownPassage):
        endpoint(server).rerank(ASK, ranking("gone:00000"), lookup, 3)


def test_secrets_are_in_no_repr_and_no_name() -> None:
    made = Endpoint(f"https://user:{KEY}@rank.example/v1?key={KEY}", "", KEY)
    assert KEY not in repr(made) + made.name
    assert made.name == "reranker at rank.example"


@pytest.mark.parametrize(
    "url", ["", "rank.example/v1", "ftp://rank.example", "file:///etc/passwd", "http://"]
)
def test_addresses_that_cannot_be(url: str) -> None:
    with pytest.raises(InvalidInput, match="http://"):
        Endpoint(url)


def test_the_settings_choose() -> None:
    assert configured(Settings()) == Stages()
    asked = configured(Settings(rerank_model="bge", rerank_url="http://h/rerank"))
    assert asked.first is None and isinstance(asked.second, Endpoint)
    assert isinstance(configured(Settings(rerank_model="some/model")).second, CrossEncoder)
