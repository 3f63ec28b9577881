"""The pace of all calls of one client, so that they wait out a limit together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from threading import Lock

from ._exchange import ApiResponse
from ._retry import policy_seconds

_LONGEST = 30.0
"""Maximum seconds between two requests of a limited kind."""
_MEMORY = 60.0
"""Seconds for which an unused limit is remembered."""


@dataclass(frozen=True)
class Turn:
    """When a request may be sent."""

    at: float
    """By the monotonic clock."""
    era: int
    """Number of earlier refusals; a further one voids the turn."""


class Pace:
    """Counts requests of one kind like the gateway, with a token bucket.

    A refusal empties the bucket until the service accepts requests again. Then requests are sent
    one at a time, at the service's own rate if stated, else ever faster. Thread-safe.
    """

    def __init__(self, *, burst: float, seconds: float) -> None:
        """Begin without a limit.

        Args:
            burst: Requests that may be sent at once.
            seconds: Interval between further ones; 0 for no limit.
        """
        self._burst, self._usual = burst, seconds
        self._seconds = self._shortest = seconds
        self._tokens, self._at = burst, -math.inf
        self._era = 0
        self._refusal: ApiResponse | None = None
        self._lock = Lock()

    def take(self, now: float, deadline: float) -> Turn | ApiResponse:
        """Take the next turn.

        Returns:
            The last refusal instead, if its limit leaves no turn before the deadline.
        """
        with self._lock:
            if self._refusal is not None and now - self._at >= _MEMORY:
                self._refusal = None
                self._seconds = self._shortest = self._usual
            then = max(now, self._at)
            left = self._burst
            if self._seconds > 0:
                left = min(left, self._tokens + (then - self._at) / self._seconds)
            at = then + max(0.0, 1 - left) * self._seconds
            # A last poll follows immediately after the deadline.
            if self._refusal is not None and at > max(now, deadline):
                return self._refusal
            self._at, self._tokens = then, left - 1
            return Turn(at, self._era)

    def holds(self, turn: Turn) -> bool:
        """Whether nothing has been refused since the turn was taken."""
        with self._lock:
            return turn.era == self._era

    def accepted(self, turn: Turn) -> None:
        """Note that the service accepted a turn's request."""
        with self._lock:
            if turn.era == self._era:
                self._seconds = max(self._shortest, self._seconds / 2)

    def refused(self, turn: Turn, until: float, response: ApiResponse) -> None:
        """Note that a turn's request exceeded the limit, and when to try again."""
        with self._lock:
            # Of several sent together, the first refusal has already counted.
            if turn.era != self._era:
                return
            told = policy_seconds(response)
            wait = max(0.0, until - turn.at) if told is None else told
            again = self._refusal is not None
            self._era += 1
            self._shortest = self._usual if told is None else told
            self._seconds = max(wait, min(_LONGEST, 2 * self._seconds)) if again else wait
            self._refusal = response
            self._at, self._tokens = until, 1.0


class Paces:
    """One pace for each limit of the service."""

    def __init__(self) -> None:
        # Creates are charged, so a service is likely to limit them: they are not sent all at once.
        self.creates = Pace(burst=10, seconds=0.1)
        self.polls = Pace(burst=10, seconds=0)
        self.other_reads = Pace(burst=10, seconds=0)
