"""Effects requested by flows: each is a value, which the clients execute."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from ._exchange import ApiResponse, NoResponse, Outcome, Request
from ._progress import Progress
from ._transfer import Transfer
from .types import GenerationRecord

T = TypeVar("T")


@dataclass(frozen=True)
class Send:
    """Send a request; the result is its outcome."""

    request: Request
    timeout: float
    """Time limit in seconds."""


@dataclass(frozen=True)
class Pause:
    """Wait."""

    seconds: float


@dataclass(frozen=True)
class Tell:
    """Tell the caller the generation read, or its progress."""

    news: News


@dataclass(frozen=True)
class Fetch:
    """Fetch a file without the API key, into the transfer; the result is its outcome."""

    url: str
    transfer: Transfer
    deadline: float
    """When to stop in any case, by the monotonic clock."""


News: TypeAlias = GenerationRecord | Progress
Effect: TypeAlias = Send | Pause | Tell | Fetch
Flow: TypeAlias = Generator[Effect, object, T]


def perform(effect: Send | Fetch) -> Flow[Outcome]:
    """One exchange over the network."""
    outcome = yield effect
    if not isinstance(outcome, ApiResponse | NoResponse):
        raise TypeError("an exchange ends with an ApiResponse or NoResponse")
    return outcome
