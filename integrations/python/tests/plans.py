"""What several tests ask for, and what they get."""

from __future__ import annotations

from typing import Any

from . import samples
from .server import Reply

VIDEO: dict[str, Any] = {
    "model": "alpha-2.0-pro",
    "mode": "text-to-video",
    "prompt": "A paper boat ⛵",
}
SHORT_VIDEO: dict[str, Any] = {
    "model": "alpha-2.0-fast",
    "mode": "text-to-video",
    "prompt": "A paper boat",
    "parameters": {"duration_seconds": 4, "resolution": "480p"},
}
"""The cheapest order, for tests that a gateway bills."""
HOUR = 3600.0

ACCEPTED = Reply(status=202, json=samples.generation())
COMPLETED = Reply(json=samples.completed("https://media.example.com/0.mp4"))
PAGE = Reply(status=200, body=b"<html>Sign in</html>")


def limited(seconds: int = 60) -> Reply:
    """Too many requests."""
    body = samples.refusal("rate_limited", "rate_limit_error", retryable=True)
    return Reply(status=429, json=body, headers={"retry-after": str(seconds)})
