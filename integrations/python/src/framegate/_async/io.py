"""The differences between the two clients: this one runs on asyncio or trio."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar, cast
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread
import httpx
from anyio.lowlevel import RunVar

from .._settings import open_http

T = TypeVar("T")

HTTPClient: TypeAlias = httpx.AsyncClient
Sleep: TypeAlias = Callable[[float], Awaitable[object]]

sleep = anyio.sleep


class Connections:
    """The HTTP clients of one client: one per event loop, because connections belong to a loop."""

    def __init__(self, given: HTTPClient | None) -> None:
        self._given = given

    def current(self) -> HTTPClient:
        """The HTTP client of the running event loop."""
        if self._given is not None:
            return self._given
        try:
            of_loop = _of_loop.get()
        except LookupError:
            of_loop = WeakKeyDictionary[Connections, HTTPClient]()
            _of_loop.set(of_loop)
        if self not in of_loop:
            of_loop[self] = open_http(HTTPClient)
        return of_loop[self]

    async def aclose(self) -> None:
        """Close what was opened in the running event loop."""
        own = _of_loop.get(None)
        http = None if own is None else own.pop(self, None)
        if http is not None:
            await http.aclose()


_of_loop: RunVar[WeakKeyDictionary[Connections, HTTPClient]] = RunVar("framegate")


async def settle(value: object) -> None:
    """Await the end of an async callback."""
    if inspect.isawaitable(value):
        await cast("Awaitable[object]", value)


async def in_thread(write: Callable[[T], None], value: T) -> None:
    """Run a function that may wait for a disk."""
    await anyio.to_thread.run_sync(write, value)
