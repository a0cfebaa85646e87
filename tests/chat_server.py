"""A real local HTTP server that speaks the OpenAI chat protocol, with scripted replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from time import sleep
from typing import Any

Answer = str | Callable[[dict[str, Any]], str]


@dataclass
class Reply:
    """``answer`` is streamed in pieces; a function makes it from the request. ``status`` other than
    200 is an error, of which ``complaint`` is the message; ``pause`` comes before the first byte;
    ``silent`` is a web page instead of a stream."""

    answer: Answer = ""
    status: int = 200
    pause: float = 0.0
    garbage: bool = False
    complaint: str = ""
    silent: bool = False
    usage: tuple[int, int] | None = (100, 20)


@dataclass
class Script:
    """The replies in turn, the last one again and again; what was asked, and how many at once."""

    replies: list[Reply]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    busiest: int = 0


@contextmanager
def chat_server(*replies: Reply) -> Iterator[Script]:
    script = Script(list(replies))
    lock, busy = Lock(), [0]

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                number = len(script.requests)
                script.requests.append(body)
                script.keys.append(self.headers.get("Authorization", ""))
                busy[0] += 1
                script.busiest = max(script.busiest, busy[0])
            reply = script.replies[min(number, len(script.replies) - 1)]
            sleep(reply.pause)
            try:
                self._send(reply, body)
            except (BrokenPipeError, ConnectionResetError):
                pass
            finally:
                with lock:
                    busy[0] -= 1

        def _send(self, reply: Reply, body: dict[str, Any]) -> None:
            if reply.status != 200:
                said = reply.complaint or f"no; your key was {self.headers['Authorization']}"
                error = json.dumps({"error": {"message": said}})
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Retry-After", "0")
                self.end_headers()
                self.wfile.write(error.encode())
                return
            self.send_response(200)
            if reply.silent:
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html>\n<title>Welcome</title>\n")
                return
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            if reply.garbage:
                self.wfile.write(b"data: {this is no JSON\n\n")
                return
            answer = reply.answer(body) if callable(reply.answer) else reply.answer
            for start in range(0, len(answer), 7):
                self._event({"choices": [{"index": 0, "delta": {"content": answer[start : start + 7]}}]})
            if reply.usage:
                given, made = reply.usage
                usage = {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}
                self._event({"choices": [], "usage": usage})
            self.wfile.write(b"data: [DONE]\n\n")

        def _event(self, content: dict[str, Any]) -> None:
            event = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", **content}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
