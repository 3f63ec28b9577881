"""The differences between the two clients: in this one, every call blocks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import httpx

T = TypeVar("T")

HTTPClient: TypeAlias = httpx.Client
Sleep: TypeAlias = Callable[[float], object]

sleep = time.sleep


def settle(value: object) -> None:
    """Nothing is left to wait for."""


def in_thread(write: Callable[[T], None], value: T) -> None:
    """Do it here."""
    write(value)
