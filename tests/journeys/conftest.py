"""A real server and a real browser."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60_000  # milliseconds: the machine may be busy
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = (
        os.environ.get("AETHEL_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if not chromium:
        pytest.skip("there is no Chromium; install it, or set AETHEL_CHROMIUM to its path")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window of its own; what the scripts complain about fails the test."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert not complaints


@pytest.fixture(scope="module")
def serve() -> Iterator[Callable[..., str]]:
    """Start the app on a data folder; gives its address. With ``models=False`` stand-ins take their place."""
    servers: list[subprocess.Popen] = []

    def start(data: Path, *, models: bool) -> str:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        program = ["-m", "streamlit"] if models else [str(Path(__file__).with_name("serve_standins.py"))]
        options = ["run", "app.py", "--server.port", str(port), "--server.headless", "true"]
        environment = {**os.environ, "AETHEL_DATA_DIR": str(data), "PYTHONPATH": str(ROOT)}
        with (data / "server.log").open("wb") as log:
            servers.append(
                subprocess.Popen(
                    [sys.executable, *program, *options], cwd=ROOT, env=environment, stdout=log, stderr=log
                )
            )
        address = f"http://127.0.0.1:{port}"
        _wait_for(address, servers[-1])
        return address

    yield start
    for server in servers:
        server.terminate()
        server.wait(20)


def _wait_for(address: str, server: subprocess.Popen) -> None:
    for _ in range(240):
        if server.poll() is not None:
            raise RuntimeError(f"the server ended with {server.returncode}")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.25)
    raise RuntimeError("the server does not come up")
