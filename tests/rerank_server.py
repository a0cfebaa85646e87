"""A real local /rerank server that speaks both shapes, well and badly."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-very-secret"


class RerankServer(ThreadingHTTPServer):
    """``mode`` is how it answers; ``requests`` are the bodies and headers it was sent."""

    daemon_threads = True
    mode = "well"

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[dict, dict[str, str]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1/rerank"


class _Handler(BaseHTTPRequestHandler):
    server: RerankServer

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


@contextmanager
def rerank_server(mode: str = "well") -> Iterator[RerankServer]:
    made = RerankServer()
    made.mode = mode
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
        thread.join()
