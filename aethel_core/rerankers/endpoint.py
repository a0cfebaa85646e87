"""Any /rerank endpoint: the shape that Jina, Cohere and vLLM share, and that of TEI.

    POST {"model", "query", "documents", "top_n", "return_documents"}
      → {"results": [{"index", "relevance_score"}]}
    POST {"query", "texts", "truncate"}
      → [{"index", "score"}]

A Text Embeddings Inference server (TEI) serves one model and is told none: the second shape is
spoken where no model is named. Answers of either shape are understood. The key travels in the
Authorization header only, redirects are not followed, and neither key nor full address ever stands
in a message.
"""

from __future__ import annotations

import math
from typing import Any

import httpx

from aethel_core.errors import InvalidInput, ModelUnavailable
from aethel_core.rerankers.base import PassageLookup, check_k, reordered, texts
from aethel_core.types import Query, Ranking

TIMEOUT = 20.0
_REASONS = {
    401: "refused the key: check it in the settings",
    403: "refused the key: check it in the settings",
    404: "was not found at this address: check the address in the settings",
    413: "finds the passages too long: use smaller batches",
    429: "is asked too often: wait a little",
}


class Endpoint:
    """``name`` tells the model, or the host where no model is named."""

    def __init__(self, url: str, model: str = "", key: str = "", *, timeout: float = TIMEOUT) -> None:
        """:raises InvalidInput: the address is not one of http or https."""
        address = _address(url)
        self._url, self._model, self._key, self._timeout = str(address), model, key, timeout
        self._host = address.host
        self.name = f"reranker {model}" if model else f"reranker at {self._host}"

    def __repr__(self) -> str:
        return f"Endpoint({self.name!r})"

    def rerank(self, query: Query, ranking: Ranking, passages: PassageLookup, k: int) -> Ranking:
        check_k(k)
        if not ranking.hits:
            return Ranking(self.name, ())
        found = self._scores(query.text, texts(ranking, passages))
        return reordered(self.name, ranking, found, k)

    def _scores(self, question: str, documents: list[str]) -> list[float]:
        if self._model:
            body: dict[str, Any] = {
                "model": self._model,
                "query": question,
                "documents": documents,
                "top_n": len(documents),
                "return_documents": False,
            }
        else:
            body = {"query": question, "texts": documents, "truncate": True}
        return self._read(self._post(body), len(documents))

    def _post(self, body: dict[str, Any]) -> Any:
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            answer = httpx.post(self._url, json=body, headers=headers, timeout=self._timeout)
        except httpx.TimeoutException:
            raise self._failure(f"did not answer within {self._timeout:g} s") from None
        except (httpx.HTTPError, UnicodeError, ValueError) as error:
            # The error's text may repeat the address or a header with what is secret in it.
            raise self._failure(f"cannot be reached ({type(error).__name__})") from None
        if answer.status_code != 200:
            reason = _REASONS.get(answer.status_code, "answered with an error")
            raise self._failure(f"{reason} (status {answer.status_code})")
        try:
            return answer.json()
        except ValueError:
            raise self._failure("did not answer with JSON: is the address that of /rerank?") from None

    def _read(self, data: Any, count: int) -> list[float]:
        entries = data.get("results") if isinstance(data, dict) else data
        if not isinstance(entries, list):
            raise self._failure("answered in another shape than /rerank")
        scores: dict[int, float] = {}
        for entry in entries:
            index, score = _pair(entry)
            if index is None or score is None or not 0 <= index < count or index in scores:
                raise self._failure("answered in another shape than /rerank")
            scores[index] = score
        if len(scores) != count:
            raise self._failure(f"scored {len(scores)} of {count} passages")
        return [scores[index] for index in range(count)]

    def _failure(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(f"The rerank endpoint {self._host} {what}.")


def _address(url: str) -> httpx.URL:
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, TypeError):
        address = httpx.URL("")
    if address.scheme not in ("http", "https") or not address.host:
        raise InvalidInput("The address of the rerank endpoint must begin with http:// or https://.")
    return address


def _pair(entry: Any) -> tuple[int | None, float | None]:
    if not isinstance(entry, dict):
        return None, None
    index, score = entry.get("index"), entry.get("relevance_score", entry.get("score"))
    if not isinstance(index, int) or isinstance(index, bool):
        return None, None
    if not isinstance(score, int | float) or isinstance(score, bool) or not math.isfinite(score):
        return None, None
    return index, float(score)
