"""Models chosen on the screen: kept without keys, and tried with one small call to a real local server."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from aethel_core.config import Settings
from aethel_core.errors import InvalidInput, WorkspaceError
from aethel_core.workspace.models import CHAT, EMBEDDING, RERANK, choose, chosen, try_out
from tests.chat_server import Reply, chat_server

KEY = "sk-very-secret-123"


def of(settings: Settings, fields: tuple[str, ...], **values: object) -> dict[str, object]:
    return {name: getattr(settings, name) for name in fields} | values


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", cache_dir=tmp_path / "cache", llm_api_key=KEY)


def test_a_choice_outlives_the_program_and_keys_are_no_part_of_it(settings: Settings) -> None:
    values = of(settings, CHAT, llm_model="m", llm_base_url="http://localhost:11434/v1", llm_price_in=0.15)
    choose(settings, CHAT, values)
    made = chosen(settings, {"rerank_api_key": KEY})
    assert (made.llm_model, made.llm_price_in, made.llm_api_key) == ("m", 0.15, KEY)
    assert made.rerank_api_key == KEY and made.rerank_url == ""
    written = "".join(path.read_text() for path in settings.data_dir.iterdir())
    assert KEY not in written and "key" not in written
    choose(settings, RERANK, of(settings, RERANK, rerank_url="http://localhost/rerank"))
    assert chosen(settings).llm_model == "m" and chosen(settings).rerank_url
    choose(settings, CHAT, None)
    assert chosen(settings).llm_model == "" and chosen(settings).rerank_url


@pytest.mark.parametrize(
    ("fields", "values", "said"),
    [
        (CHAT, {"llm_model": "m", "llm_base_url": "localhost:11434"}, "is not an address"),
        (CHAT, {"llm_model": "m", "llm_base_url": "http://[::1"}, "is not an address"),
        (CHAT, {"llm_model": "m", "llm_base_url": f"https://me:{KEY}@host/v1"}, "in its own field"),
        (CHAT, {"llm_base_url": "http://localhost/v1"}, "Name the model"),
        (CHAT, {"llm_model": "m", "llm_price_out": -1.0}, "cannot be negative"),
        (CHAT, {"llm_model": "m", "llm_budget": 0}, "at least 1"),
        (EMBEDDING, {"embedding_model": "endpoint:"}, "an address and a model"),
        (RERANK, {"rerank_url": "file:///etc/passwd"}, "is not an address"),
    ],
)
def test_what_cannot_be_chosen(settings: Settings, fields: tuple[str, ...], values: dict, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as raised:
        choose(settings, fields, of(settings, fields, **values))
    assert KEY not in str(raised.value) and chosen(settings) == settings


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"llm_api_key": "x"}', '{"llm_budget": "much"}', '{"workers": 99}']
)
def test_a_damaged_choice_is_said_and_can_be_made_anew(settings: Settings, text: str) -> None:
    settings.data_dir.mkdir()
    (settings.data_dir / "models.json").write_text(text)
    with pytest.raises(InvalidInput, match="as the environment says"):
        chosen(settings)
    choose(settings, CHAT, of(settings, CHAT, llm_model="m"))
    assert chosen(settings).llm_model == "m"


def test_a_data_folder_that_is_none_is_said(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceError, match="cannot be kept"):
        choose(replace(settings, data_dir=tmp_path / "file"), CHAT, None)


# --- trying the chat model ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "ok", "said"),
    [
        (Reply("ready", usage=(20, 1)), True, "answered “ready”: 20 tokens in, 1 out, cost 0.000022"),
        (Reply(status=401), False, "refuses the key"),
        (Reply(status=404, complaint="The model `m` does not exist"), False, "does not know the model"),
        (Reply(status=404), False, "nothing at this address"),
        (Reply(status=500), False, "status 500"),
        (Reply(garbage=True), False, "no answer"),
        (Reply(silent=True), False, "no answer"),
    ],
)
def test_the_chat_model_is_tried(settings: Settings, reply: Reply, ok: bool, said: str) -> None:
    with chat_server(reply) as script:
        given = replace(settings, llm_model="m", llm_base_url=script.url, llm_price_in=1.0, llm_price_out=2.0)
        tested = try_out(given, CHAT)
    assert tested.ok is ok and said in tested.said and KEY not in tested.said
    assert len(script.requests) == 1  # one call, and no second try
    assert not settings.cache_dir.exists()  # the next test asks again


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        (CHAT, {"llm_model": "m", "llm_base_url": "http://127.0.0.1:{}/v1"}),
        (EMBEDDING, {"embedding_model": "endpoint:m", "embedding_base_url": "http://127.0.0.1:{}/v1"}),
        (RERANK, {"rerank_url": "http://127.0.0.1:{}/rerank"}),
    ],
)
def test_nobody_there(settings: Settings, fields: tuple[str, ...], values: dict[str, str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    tested = try_out(
        replace(settings, **{name: value.format(port) for name, value in values.items()}), fields
    )
    assert not tested.ok and "127.0.0.1" in tested.said


def test_nothing_named_is_nothing_called(settings: Settings) -> None:
    assert "nothing to test" in try_out(settings, CHAT).said
    assert "nothing to test" in try_out(settings, RERANK).said


# --- trying embedding and reranking ------------------------------------------------------------------


@dataclass
class Told:
    url: str = ""
    requests: list[dict] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


@contextmanager
def json_server(answer: object, status: int = 200) -> Iterator[Told]:
    told = Told()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            told.keys.append(self.headers.get("Authorization", ""))
            page = isinstance(answer, str)
            body = answer.encode() if page else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html" if page else "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _vector(*values: float) -> dict:
    return {"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": list(values)}]}


@pytest.mark.parametrize(
    ("answer", "status", "ok", "said"),
    [
        (_vector(0.6, 0.8, 0.0), 200, True, "a vector of 3 numbers"),
        (_vector(0.0, 0.0), 200, False, "zeros"),
        ("<!doctype html>", 200, False, "no answer"),
        ({"error": {"message": f"bad {KEY}"}}, 401, False, "refuses the key"),
        ({"error": {"message": "no model m"}}, 404, False, "does not know the model"),
        ("<!doctype html>", 404, False, "nothing at this address"),
        ({"error": {"message": "no"}}, 400, False, "status 400"),
    ],
)
def test_the_embedding_endpoint_is_tried(
    settings: Settings, answer: object, status: int, ok: bool, said: str
) -> None:
    with json_server(answer, status) as told:
        given = {"embedding_model": "endpoint:m", "embedding_base_url": told.url, "embedding_api_key": KEY}
        tested = try_out(replace(settings, **given), EMBEDDING)
    assert tested.ok is ok and said in tested.said and KEY not in tested.said
    assert told.requests[0]["model"] == "m" and told.keys[0] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("answer", "status", "ok", "said"),
    [
        ([{"index": 1, "score": 0.9}, {"index": 0, "score": 0.1}], 200, True, "the right one of two"),
        ([{"index": 1, "score": 0.1}, {"index": 0, "score": 0.9}], 200, False, "the wrong one of two"),
        ("<!doctype html>", 200, False, "did not answer with JSON"),
        ({"error": "no"}, 401, False, "refused the key"),
    ],
)
def test_the_rerank_endpoint_is_tried(
    settings: Settings, answer: object, status: int, ok: bool, said: str
) -> None:
    with json_server(answer, status) as told:
        tested = try_out(replace(settings, rerank_url=f"{told.url}/rerank", rerank_api_key=KEY), RERANK)
    assert tested.ok is ok and said in tested.said and KEY not in tested.said
