"""What differs between the two clients: here, on asyncio or trio."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar, cast

import anyio
import anyio.to_thread
import httpx

T = TypeVar("T")

HTTPClient: TypeAlias = httpx.AsyncClient
Sleep: TypeAlias = Callable[[float], Awaitable[object]]

sleep = anyio.sleep


async def settle(value: object) -> None:
    """Wait for the end of a callback that is async itself."""
    if inspect.isawaitable(value):
        await cast("Awaitable[object]", value)


async def in_thread(write: Callable[[T], None], value: T) -> None:
    """Do what may wait for a disk."""
    await anyio.to_thread.run_sync(write, value)
