"""What the screens may touch: the façade, types and errors; one owner of state; one maker of HTML."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
ALLOWED = {"workspace", "types", "errors"}


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_screens_see_only_the_facade(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "aethel_core":
            assert {alias.name for alias in node.names} <= ALLOWED
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("aethel_core."):
            assert node.module.split(".")[1] in ALLOWED, node.module
        elif isinstance(node, ast.Import):
            assert not any(
                alias.name.split(".")[0] in ("aethel_core", "numpy", "sqlite3") for alias in node.names
            )


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_one_owner_of_state_and_caches(path: Path) -> None:
    text = path.read_text("utf-8")
    if path.name != "state.py":
        assert "session_state" not in text and "st.cache_" not in text
    assert "unsafe_allow" not in text


def test_scripts_build_text_nodes_only() -> None:
    for path in (ROOT / "pages").rglob("*.js"):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", path.read_text()
        )


def test_nothing_is_fetched_from_elsewhere() -> None:
    for path in [*(ROOT / "pages").rglob("*"), ROOT / ".streamlit" / "config.toml"]:
        if path.suffix in {".js", ".css", ".toml", ".py"}:
            assert not re.search(r"https?://(?!www\.w3\.org)", path.read_text("utf-8")), path
