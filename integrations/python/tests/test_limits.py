"""Many creates at once against the gateway of FRAMEGATE_URL, whose limit they meet."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import httpx

import framegate

from .plans import SHORT_VIDEO as VIDEO

COUNT = 50


class Posts:
    """Counts the create requests that are sent."""

    def __init__(self) -> None:
        self.sent = 0

    def note(self, request: httpx.Request) -> None:
        self.sent += request.method == "POST"

    async def note_async(self, request: httpx.Request) -> None:
        self.note(request)


def test_threads_of_one_client_wait_together(gateway_url: str) -> None:
    posts = Posts()
    http = httpx.Client(event_hooks={"request": [posts.note]})
    key = os.environ["FRAMEGATE_LIMITED_KEY"]
    with (
        http,
        framegate.Framegate(api_key=key, http_client=http) as client,
        ThreadPoolExecutor(COUNT) as threads,
    ):
        making = [threads.submit(client.videos.create, **VIDEO) for _ in range(COUNT)]
        made = {each.result().id for each in making}
    assert len(made) == COUNT
    assert posts.sent <= 70


def test_tasks_of_one_client_wait_together(gateway_url: str) -> None:
    posts = Posts()

    async def main() -> set[str]:
        http = httpx.AsyncClient(event_hooks={"request": [posts.note_async]})
        key = os.environ["FRAMEGATE_LIMITED_KEY"]
        async with http, framegate.AsyncFramegate(api_key=key, http_client=http) as client:
            made = await asyncio.gather(*[client.videos.create(**VIDEO) for _ in range(COUNT)])
        return {each.id for each in made}

    assert len(asyncio.run(main())) == COUNT
    assert posts.sent <= 70
