"""The endpoint against a real server on loopback that speaks both shapes, well and badly."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from aethel_core.config import Settings
from aethel_core.errors import InvalidInput, ModelUnavailable, UnknownPassage
from aethel_core.rerankers import Stages, configured
from aethel_core.rerankers.cross_encoder import CrossEncoder
from aethel_core.rerankers.endpoint import Endpoint
from aethel_core.types import Query
from tests.corpora import document_of
from tests.rerankers.made import ACME, lookup, ranking

KEY = "sk-very-secret"
IDS = tuple(f"{document_of(ACME)}:{number:05d}" for number in range(3))
ASK = Query("anvils in the desert")


class _Server(ThreadingHTTPServer):
    """``mode`` is how it answers; ``requests`` are the bodies and headers it was sent."""

    daemon_threads = True
    mode = "well"

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[dict, dict[str, str]]] = []


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((body, {k.lower(): v for k, v in self.headers.items()}))
        mode = self.server.mode
        if mode == "slow":
            time.sleep(0.5)
        if mode.isdecimal():
            self._send(int(mode), json.dumps({"error": f"bad key {KEY}"}))
        elif mode == "moved":
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
        else:
            self._send(200, self._answer(body, mode))

    def _answer(self, body: dict, mode: str) -> str:
        if mode.startswith("{") or mode.startswith("[") or mode == "not json":
            return mode
        texts = body.get("documents") or body["texts"]
        scores = [sum(word in text for word in ("anvils", "desert")) + len(text) / 1e4 for text in texts]
        order = sorted(range(len(texts)), key=lambda i: -scores[i])
        if "documents" in body:
            return json.dumps({"results": [{"index": i, "relevance_score": scores[i]} for i in order]})
        return json.dumps([{"index": i, "score": scores[i]} for i in order])

    def _send(self, status: int, text: str) -> None:
        self.send_response(status)
        self.end_headers()
        with suppress(BrokenPipeError):  # a client that gave up waiting has hung up
            self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[_Server]:
    made = _Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


def endpoint(server: _Server, model: str = "rank-1", **options) -> Endpoint:
    return Endpoint(f"http://127.0.0.1:{server.server_port}/v1/rerank", model, KEY, **options)


@pytest.mark.parametrize("model", ["rank-1", ""])
def test_both_shapes(server: _Server, model: str) -> None:
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
def test_what_goes_wrong_is_said_without_the_key(server: _Server, mode: str, says: str) -> None:
    server.mode = mode
    with pytest.raises(ModelUnavailable) as caught:
        endpoint(server).rerank(ASK, ranking(*IDS), lookup, 3)
    assert says in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_slow_server(server: _Server) -> None:
    server.mode = "slow"
    with pytest.raises(ModelUnavailable, match=r"did not answer within 0.1 s"):
        endpoint(server, timeout=0.1).rerank(ASK, ranking(*IDS), lookup, 3)


def test_no_server(server: _Server) -> None:
    tried = endpoint(server)
    server.server_close()
    server.shutdown()
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        tried.rerank(ASK, ranking(*IDS), lookup, 3)


def test_nothing_to_rerank_asks_nobody(server: _Server) -> None:
    assert endpoint(server).rerank(ASK, ranking(), lookup, 3).hits == ()
    assert server.requests == []


def test_a_passage_that_is_gone(server: _Server) -> None:
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
