"""The progress of a generation, for people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from threading import Lock

from ._response import response_of
from ._retry import date_of
from .types import GenerationRecord

_MOST_OF_RUNNING = 0.95
"""Maximum share of an unfinished generation."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The progress of a generation, estimated from the elapsed time."""

    generation: GenerationRecord
    elapsed_seconds: float
    """Since its creation, by the service's clock."""
    usual_seconds: float | None
    """Usual duration of the model's generations; None if unknown."""
    share: float | None
    """From 0 to 1, which means finished: the elapsed part of the usual time, at most 0.95."""
    position: int | None
    """Its place among the queued generations that this client waits for, oldest first; 1 is next.
    None once it has begun."""


class Waits:
    """The generations that one client waits for, and their models' usual durations.

    Thread-safe.
    """

    def __init__(self) -> None:
        self.usual: dict[str, float] = {}
        """Seconds, by model."""
        self._queued: dict[str, tuple[datetime, str]] = {}
        self._lock = Lock()

    def note(self, record: GenerationRecord) -> int | None:
        """Note whether a generation is queued; return its place in the queue, from 1."""
        with self._lock:
            if record.status != "queued":
                self._queued.pop(record.id, None)
                return None
            since = self._queued[record.id] = (record.created_at, record.id)
            return sum(other <= since for other in self._queued.values())

    def end(self, generation_id: str) -> None:
        """Forget a generation that is no longer awaited."""
        with self._lock:
            self._queued.pop(generation_id, None)


def progress_of(record: GenerationRecord, usual: float | None, position: int | None) -> Progress:
    """The progress of a generation, from its response."""
    elapsed = _elapsed_seconds(record)
    share = None if not usual else min(_MOST_OF_RUNNING, elapsed / usual)
    if record.status == "completed":
        share = 1.0
    return Progress(
        generation=record,
        elapsed_seconds=elapsed,
        usual_seconds=usual,
        share=share,
        position=position,
    )


def _elapsed_seconds(record: GenerationRecord) -> float:
    now = record.completed_at
    response = response_of(record)
    if now is None and response is not None:
        now = date_of(response.headers.get("date", ""))
    return 0.0 if now is None else max(0.0, (now - record.created_at).total_seconds())
