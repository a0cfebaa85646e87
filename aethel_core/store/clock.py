"""The time, as it is stored."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """ISO 8601 in UTC with microseconds, so that the order of text is the order of time."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
