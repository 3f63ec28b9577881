"""The differences between the two clients: this one runs on asyncio or trio."""

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
    """Await the end of an async callback."""
    if inspect.isawaitable(value):
        await cast("Awaitable[object]", value)


async def in_thread(write: Callable[[T], None], value: T) -> None:
    """Run a function that may wait for a disk."""
    await anyio.to_thread.run_sync(write, value)
