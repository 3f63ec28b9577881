"""When and after what pause a request is repeated."""

from __future__ import annotations

import email.utils
import math
import re
from collections.abc import Callable
from datetime import datetime

from ._exchange import ApiResponse, NoResponse, Outcome

_MARGIN = 1.05
"""Margin on the service's rate, so that varying network delays cause no refusals."""

_QUOTA, _WINDOW = re.compile(r";\s*q=(\d+)"), re.compile(r";\s*w=(\d+)")
_TRANSIENT_STATUSES = frozenset({408, 425, 429})
"""Statuses below 500 after which the same request may succeed."""
_LONGEST_BACKOFF = 30.0
_DAY = 86_400.0


def is_transient(outcome: Outcome) -> bool:
    """Whether it is temporary: a limit, a restart, a lost connection, a page from elsewhere."""
    if isinstance(outcome, NoResponse):
        return not outcome.final
    return outcome.garbled or outcome.status in _TRANSIENT_STATUSES or outcome.status >= 500


def is_limit(outcome: Outcome) -> bool:
    """Whether the account exceeded a rate limit; nothing was created then."""
    return isinstance(outcome, ApiResponse) and outcome.status == 429


def retry_after(outcome: Outcome) -> float | None:
    """The wait requested by the server in seconds (RFC 9110, Retry-After), if any; at most a day.

    A date is compared with the server's own clock, never with this machine's.
    """
    if not isinstance(outcome, ApiResponse):
        return None
    text = outcome.headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        then, now = date_of(text), date_of(outcome.headers.get("date", ""))
        seconds = math.nan if then is None or now is None else (then - now).total_seconds()
    return min(seconds, _DAY) if 0 <= seconds < math.inf else None


def policy_seconds(response: ApiResponse) -> float | None:
    """Seconds between two requests at the rate of `RateLimit-Policy`, if stated."""
    policy = response.headers.get("ratelimit-policy", "")
    quota, window = _QUOTA.search(policy), _WINDOW.search(policy)
    if quota is None or window is None or int(quota[1]) == 0:
        return None
    return _MARGIN * int(window[1]) / int(quota[1])


def date_of(text: str) -> datetime | None:
    try:
        date = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    # "-0000" gives a date without a time zone, which cannot be compared with one that has it.
    return date if date.tzinfo is not None else None


class Retries:
    """The attempts of one call: the wait before the next one, or None after the last.

    A limit (429) is waited out until the call's own time is over. Other faults are retried for
    `fault_seconds` from the first consecutive one.
    """

    def __init__(
        self, *, deadline: float, fault_seconds: float, chance: Callable[[], float]
    ) -> None:
        self._deadline = deadline
        self._fault_seconds = fault_seconds
        self._chance = chance
        self.progressed()

    def progressed(self) -> None:
        """Restart the count after progress."""
        self._attempts = 0
        self._faulty_since: float | None = None

    def wait(self, outcome: Outcome, now: float) -> float | None:
        """Seconds until the next attempt; None if this outcome is final."""
        if not is_transient(outcome):
            return None
        until = self._deadline
        if is_limit(outcome):
            self._faulty_since = None
        else:
            if self._faulty_since is None:
                self._faulty_since = now
            until = min(until, self._faulty_since + self._fault_seconds)
        seconds = self._seconds(outcome)
        self._attempts += 1
        return seconds if now + seconds < until else None

    def _seconds(self, outcome: Outcome) -> float:
        """Never sooner than the server asks, and spread: clients must not return together."""
        told = retry_after(outcome)
        if told is not None:
            return told + self._chance() * min(1.0, told / 10 + 0.1)
        attempts = self._attempts + 2 if is_limit(outcome) else self._attempts
        return min(_LONGEST_BACKOFF, 2.0 ** min(attempts, 10)) * (0.75 + self._chance() / 2)
