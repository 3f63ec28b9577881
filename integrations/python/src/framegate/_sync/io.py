"""The differences between the two clients: in this one, every call blocks."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import httpx

from .._settings import open_http

T = TypeVar("T")

HTTPClient: TypeAlias = httpx.Client
Sleep: TypeAlias = Callable[[float], object]

sleep = time.sleep


class Connections:
    """The HTTP clients of one client: one per process, as forks must not share connections."""

    def __init__(self, given: HTTPClient | None) -> None:
        self._given = given
        self._of_process: dict[int, HTTPClient] = {}

    def current(self) -> HTTPClient:
        """The HTTP client of this process."""
        if self._given is not None:
            return self._given
        process = os.getpid()
        if process not in self._of_process:
            # Threads may open several; one is kept.
            self._of_process.setdefault(process, open_http(HTTPClient))
        return self._of_process[process]

    def close(self) -> None:
        """Close what was opened in this process."""
        http = self._of_process.pop(os.getpid(), None)
        if http is not None:
            http.close()


def settle(value: object) -> None:
    """Nothing is left to wait for."""


def in_thread(write: Callable[[T], None], value: T) -> None:
    """Do it here."""
    write(value)
