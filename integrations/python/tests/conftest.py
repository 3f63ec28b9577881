"""Both clients, and a clock that tests move."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from framegate import AsyncFramegate, Framegate, System

from .samples import KEY
from .server import Server, serving


@dataclass
class FakeTime:
    """A clock that moves only when it is slept by."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list[float])

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        assert seconds >= 0
        self.slept.append(seconds)
        self.now += seconds

    async def sleep_async(self, seconds: float) -> None:
        """Let time pass."""
        self.sleep(seconds)

    def system(self) -> System:
        """With this clock, without chance, and with keys that count."""
        keys = count(1)
        return System(
            monotonic=lambda: self.now, random=lambda: 0.5, new_key=lambda: f"made-{next(keys)}"
        )


@dataclass
class Either:
    """One of the two clients, called in one way."""

    client: Framegate | AsyncFramegate
    time: FakeTime
    loop: asyncio.AbstractEventLoop

    def __call__(self, use: Callable[[Any], Any]) -> Any:
        """What a call gives, whether it is awaited or not."""
        result = use(self.client)
        if not inspect.isawaitable(result):
            return result
        return self.loop.run_until_complete(result)


Connect = Callable[..., Either]


@pytest.fixture(params=["blocking", "async"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Make either client, for a server of the test's own unless it says otherwise."""
    time = FakeTime()
    loop = asyncio.new_event_loop()
    made: list[Either] = []

    def connect(base_url: str, **more: Any) -> Either:
        blocks = request.param == "blocking"
        settings: dict[str, Any] = {
            "base_url": base_url,
            "api_key": KEY,
            "system": time.system(),
            "sleep": time.sleep if blocks else time.sleep_async,
            **more,
        }
        client = Framegate(**settings) if blocks else AsyncFramegate(**settings)
        made.append(Either(client, time, loop))
        return made[-1]

    yield connect
    for each in made:
        each(lambda client: client.aclose() if hasattr(client, "aclose") else client.close())
    # As asyncio.run does: what httpx was reading when a call gave up is closed.
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that does what the test plans."""
    with serving() as made:
        yield made


@pytest.fixture
def gateway_url() -> str:
    """The gateway that the surrounding test suite has started."""
    url = os.environ.get("FRAMEGATE_URL")
    if url is None:
        pytest.skip("needs FRAMEGATE_URL and FRAMEGATE_KEY of a running gateway")
    return url
