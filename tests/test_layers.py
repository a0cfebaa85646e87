"""A module imports only from lower rows, and no core module imports the screen."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parent.parent / "aethel_core"
ROWS: tuple[tuple[str, ...], ...] = (
    ("types", "errors", "formats"),
    ("config", "terminal"),
    ("text",),
    ("finance",),
    ("parsing", "chunking", "metadata", "statements", "entities", "embedding", "llm", "metrics"),
    ("summaries",),
    ("graph", "index", "store", "audit", "extraction"),
    ("retrievers",),
    ("rerankers",),
    ("prequery", "long_context", "writers"),
    ("search", "evidence"),
    ("agents", "evaluation", "pipeline"),
    ("memo", "answer"),
    ("ingestion",),
    ("workspace",),
    ("cli", "__main__"),
)
ROW = {module: number for number, row in enumerate(ROWS) for module in row}
# Pairs in one row of which the first stands on the second.
ON_SIBLINGS = {("index", "graph"), ("search", "evidence"), ("cli", "__main__"), ("__main__", "cli")}


def imports(path: Path) -> set[str]:
    """Names imported anywhere in a file, as dotted modules."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            found.update(f"{module}.{alias.name}" for alias in node.names)
    return found


FILES = sorted(CORE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CORE)))
def test_imports_point_downwards(path: Path) -> None:
    own = path.relative_to(CORE).parts[0].removesuffix(".py")
    if own == "__init__":
        return
    assert own in ROW, f"{own} has no row"
    for name in imports(path):
        parts = name.split(".")
        assert parts[0] not in ("streamlit", "pages", "app"), f"the core imports {name}"
        if parts[0] == "aethel_core" and len(parts) > 1 and parts[1] != own:
            target = parts[1]
            below = ROW[target] < ROW[own] or (own, target) in ON_SIBLINGS
            assert below, f"{own} imports {target}, which is not below it"
