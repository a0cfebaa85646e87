"""How long a screen takes to appear, with 40 documents in the workspace.

    python benchmarks/first_paint.py [--documents 40] [--passages 140] [--rounds 5] [--out results.json]

Documents are generated: quarterly letters of made-up funds, two pages each, one of them padded to as many
passages as a filing has, indexed with stand-ins for the models (they play no part in drawing). The app
is started as a user starts it; Chromium opens each screen by its address. Measured is the time from the
request to the moment at which the screen's own content is there: the facts on Home, the table in Library,
the retrievers in Compare. "new browser" has nothing cached: it loads and compiles all of Streamlit's
scripts; "known browser" has opened the app before, as one's own browser has on any day but the first.
Medians of the rounds. Beside them what an app of one line takes in the same browsers: less is not possible.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from aethel_core.types import DocumentType, Metadata, Period  # noqa: E402 - after the path is set
from aethel_core.workspace import Source, Workspace  # noqa: E402
from tests.standins import HashEmbedder, RegexNames, letter, pdf  # noqa: E402

NAME = "Forty documents"
SERVER = ROOT / "tests" / "journeys" / "serve_standins.py"
READY = {
    "": ".ae-facts",
    "library": "[data-testid=stDataFrame] canvas",
    "compare": "[data-testid=stButtonGroup]",
}
FUNDS = ("North River", "Alder Ridge", "Calder Growth", "Tamarack", "Orrin", "Larkspur", "Quarry", "Birch")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def fill(folder: Path, documents: int, passages: int) -> None:
    """A workspace of letters, and one long report."""
    sources = [
        Source(
            f"{FUNDS[number % len(FUNDS)]}-{number // len(FUNDS)}.pdf",
            letter(f"{FUNDS[number % len(FUNDS)]} Fund {number}", 1 + number % 4, year=2015 + number // 8),
        )
        for number in range(documents - 1)
    ]
    text = "The fund {n} holds Halden Logistics {n}, which borrowed {n} million from Meridian Bank {n}. " * 12
    pages = [text.replace("{n}", str(n)) for n in range(passages)]
    sources.append(Source("report.pdf", pdf(*pages, title="A long report")))
    with Workspace.open(folder / NAME, embedder=HashEmbedder(), names=RegexNames()) as workspace:
        workspace.ingest(sources)
        for number, document in enumerate(workspace.documents()):
            company = f"{FUNDS[number % len(FUNDS)]} Partners"
            period = Period(2015 + number // 8, 1 + number % 4)
            workspace.update_document(document.id, Metadata(company, period, DocumentType.LP_LETTER))


def serve(app: Path, data: Path, standins: bool) -> tuple[subprocess.Popen, str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [str(SERVER)] if standins else ["-m", "streamlit"]
    options = ["run", str(app), "--server.port", str(port), "--server.headless", "true"]
    environment = {**os.environ, "AETHEL_DATA_DIR": str(data), "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        [sys.executable, *program, *options],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(240):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=2).close()
            return server, address
        except OSError:
            time.sleep(0.25)
    raise RuntimeError("the server does not come up")


def painted(context: BrowserContext, address: str, sign: str) -> float:
    """Seconds until the sign that a screen is there can be seen, in a new window."""
    page = context.new_page()
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(sign).first.wait_for(state="visible", timeout=60_000)
    taken = time.perf_counter() - began
    page.close()
    return taken


def medians(browser: Browser, address: str, sign: str, rounds: int) -> dict[str, float]:
    def fresh() -> BrowserContext:
        return browser.new_context(viewport={"width": 1400, "height": 900})

    painted(fresh(), address, sign)  # what the server does once
    new = [painted(fresh(), address, sign) for _ in range(rounds)]
    known = fresh()
    painted(known, address, sign)
    again = [painted(known, address, sign) for _ in range(rounds)]
    return {
        "new browser": round(statistics.median(new), 2),
        "known browser": round(statistics.median(again), 2),
    }


def measured(data: Path, rounds: int, standins: bool) -> dict[str, dict[str, float]]:
    server, address = serve(ROOT / "app.py", data, standins)
    bare = data / "bare.py"
    bare.write_text("import streamlit as st\nst.html('<p class=bare>Nothing</p>')\n")
    other, bare_address = serve(bare, data, standins=False)
    chromium = (
        os.environ.get("AETHEL_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            found = {
                screen or "home": medians(browser, f"{address}/{screen}", sign, rounds)
                for screen, sign in READY.items()
            }
            found["an app of one line"] = medians(browser, bare_address, ".bare", rounds)
            browser.close()
            return found
    finally:
        for each in (server, other):
            each.terminate()
            each.wait(20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--passages", type=int, default=140, help="pages of the long report")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--data", type=Path, help="a data folder to open instead, with the real models")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = options.data or Path(folder)
        if options.data is None:
            fill(data, options.documents, options.passages)
        results = {
            "documents": options.documents if options.data is None else "as found",
            "seconds to the first paint": measured(data, options.rounds, options.data is None),
        }
    text = json.dumps(results, indent=2)
    print(text)
    if options.out:
        options.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
