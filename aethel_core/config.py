"""Settings, read from the environment once. Secrets never appear in a repr."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from aethel_core.errors import InvalidInput

EMBEDDED_MODEL = "all-MiniLM-L6-v2"
_CACHE = Path("~/.cache/aethel").expanduser()


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are kept and which models are used.

    ``data_dir`` holds one folder per workspace, ``cache_dir`` what can be made again (the
    converted model). ``embedding_model`` is the embedded MiniLM by
    default, a sentence-transformers name or folder, or ``endpoint:NAME`` for an
    OpenAI-compatible embedding endpoint. A ``llm_model`` of "" means: no language model; its prices
    are per million tokens, ``llm_timeout`` is in seconds, ``llm_concurrency`` how many calls go out
    at once, ``llm_budget`` the most tokens that one run may take; ``llm_tokenizer`` is its
    ``tokenizer.json``, without which tokens are estimated, and ``evidence_tokens`` are what one prompt may
    hold of the documents.
    """

    data_dir: Path = Path("data")
    cache_dir: Path = _CACHE
    embedding_model: str = EMBEDDED_MODEL
    embedding_base_url: str = ""
    embedding_api_key: str = field(default="", repr=False)
    llm_model: str = ""
    llm_base_url: str = ""
    llm_api_key: str = field(default="", repr=False)
    llm_price_in: float = 0.0
    llm_price_out: float = 0.0
    llm_timeout: int = 60
    llm_concurrency: int = 4
    llm_budget: int = 400_000
    llm_tokenizer: str = ""
    evidence_tokens: int = 64_000
    rerank_model: str = ""
    rerank_url: str = ""
    rerank_api_key: str = field(default="", repr=False)
    max_pages: int = 3000
    max_file_mb: int = 500
    workers: int = 2

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read ``AETHEL_DATA_DIR``, ``AETHEL_LLM_MODEL`` and so on: one variable per field.

        :raises InvalidInput: a number is not one, or not positive.
        """
        values: dict[str, object] = {}
        for name, default in ((f, getattr(cls(), f)) for f in cls.__dataclass_fields__):
            raw = environment.get(f"AETHEL_{name.upper()}")
            if raw is None or raw == "":
                continue
            if isinstance(default, int):
                if not raw.isdecimal() or int(raw) < 1:
                    raise InvalidInput(f"AETHEL_{name.upper()} is {raw!r}; give a positive whole number.")
                values[name] = int(raw)
            elif isinstance(default, float):
                values[name] = _price(f"AETHEL_{name.upper()}", raw)
            else:
                values[name] = Path(raw).expanduser() if isinstance(default, Path) else raw
        return cls(**values)  # type: ignore[arg-type]


def _price(variable: str, raw: str) -> float:
    try:
        value = float(raw)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise InvalidInput(f"{variable} is {raw!r}; give a price per million tokens, such as 0.15.")
    return value


@cache
def settings() -> Settings:
    return Settings.from_environment(os.environ)
