"""How far a generation is, for people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from threading import Lock

from ._response import response_of
from ._retry import date_of
from .types import GenerationRecord

_MOST_OF_RUNNING = 0.95
"""Share of a generation that has not ended, at most."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a generation is, by the time that it has taken."""

    generation: GenerationRecord
    elapsed_seconds: float
    """Since it was created, by the clock of the service."""
    usual_seconds: float | None
    """What a generation of the model usually takes; None where it is not known."""
    share: float | None
    """From 0 to 1, which is a finished one: the elapsed part of the usual time, 0.95 at most."""
    position: int | None
    """Its place among the queued generations that this client waits for, oldest first; 1 is the
    next one. None once it has begun."""


class Waits:
    """The generations that one client waits for, and what their models usually take.

    Threads share it.
    """

    def __init__(self) -> None:
        self.usual: dict[str, float] = {}
        """Seconds, by model."""
        self._queued: dict[str, tuple[datetime, str]] = {}
        self._lock = Lock()

    def note(self, record: GenerationRecord) -> int | None:
        """Note whether a generation is queued; gives its place in the queue, from 1."""
        with self._lock:
            if record.status != "queued":
                self._queued.pop(record.id, None)
                return None
            since = self._queued[record.id] = (record.created_at, record.id)
            return sum(other <= since for other in self._queued.values())

    def end(self, generation_id: str) -> None:
        """Forget a generation that is no longer waited for."""
        with self._lock:
            self._queued.pop(generation_id, None)


def progress_of(record: GenerationRecord, usual: float | None, position: int | None) -> Progress:
    """How far a generation is, by the answer that it came with."""
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
